// The loop's trace events: golden tests, metrics and the viewer all read these. Without a sink the
// loop pays one predictable branch per phase and per callback.
// Thread: a sink is called on the loop's thread only, never from inside itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/time/time.h"
#include "loop/phase.h"

namespace rondo {

enum class TraceKind : uint8_t {
  turn,            // A new turn begins; id is its number.
  phase_begin,     // phase
  phase_end,       //
  callback_begin,  // id: the handle or request; label: its kind.
  callback_end,    //
  schedule,        // id was started, from inside the callback of `cause` (0: outside any).
  handle_open,     // id, label
  handle_close,    // id, label: its close callback is about to run.
  job_queued,      // id: a request handed to the pool.
  job_started,     // value: the worker. Reported when the job is back, with the original time.
  job_finished,    //
  poll_blocked,    // value: how long it may sleep, ns; -1 without limit.
  poll_woke,       // value: how many events.
};
const char* trace_kind_name(TraceKind kind);

struct TraceEvent {
  TraceKind kind;
  Phase phase = Phase::none;
  const char* label = "";  // A literal.
  uint64_t id = 0;
  uint64_t cause = 0;
  int64_t value = 0;
  Nanos at{0};
};

class TraceSink {
 public:
  virtual ~TraceSink() = default;
  virtual void record(const TraceEvent& event) = 0;
  // True for a sink with its own clock: its events have `at` unset, except those of jobs, and it
  // gets no events of turns and phases, which it reads from the loop. The loop then reads no clock
  // for the trace. Such a sink gets callbacks through the two functions below instead of events.
  virtual bool keeps_own_time() const { return false; }
  virtual void begin_callback(uint64_t /*id*/, const char* /*label*/) {}
  virtual void end_callback(uint64_t /*id*/) {}
  // True while handles are created that the trace must not contain: see Handle::is_hidden().
  virtual bool hides_new_handles() const { return false; }
};

// Keeps all events in memory: for tests and short programs.
class RecordingTrace final : public TraceSink {
 public:
  void record(const TraceEvent& event) override { events_.push_back(event); }
  const std::vector<TraceEvent>& events() const { return events_; }
  void clear() { events_.clear(); }

  size_t count(TraceKind kind) const;
  // One word per callback, "phase:label", in order, blank between: the order at a glance.
  std::string order() const;
  // A hash of kinds, phases, labels and ids, without times and without the poll's sleeps, which
  // depend on them: equal for equal orders.
  uint64_t order_hash() const;
  // Empty, or the first event that is not properly nested (turn > phase > callback).
  std::string first_nesting_error() const;

 private:
  std::vector<TraceEvent> events_;
};

}  // namespace rondo
