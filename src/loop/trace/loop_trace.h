// LoopTrace reports what a loop does to its sink. Without a sink each report is one predictable
// branch.
// Thread: the loop's only.
#pragma once

#include "base/time/time.h"
#include "loop/handle.h"
#include "loop/trace/sink.h"

namespace rondo {

struct LoopState;

class LoopTrace {
 public:
  LoopTrace(TraceSink* sink, const LoopState& loop)
      : sink_(sink), loop_(loop), keeps_own_time_(sink != nullptr && sink->keeps_own_time()) {}

  bool is_on() const { return sink_ != nullptr; }
  // False for a sink with its own clock, which reads turns and phases from the loop.
  bool wants_phases() const { return sink_ != nullptr && !keeps_own_time_; }

  // A handle, request or immediate was started.
  void scheduled(const Handle& handle) {
    if (sink_ != nullptr && !handle.is_hidden()) [[unlikely]]
      record_schedule(handle.id(), handle.label());
  }
  void scheduled(uint64_t id, const char* label) {
    if (sink_ != nullptr) [[unlikely]]
      record_schedule(id, label);
  }
  // Hides the handle if the sink says so.
  void opened(Handle& handle) {
    if (sink_ != nullptr) [[unlikely]]
      record_open(handle);
  }
  void closed(const Handle& handle) {
    if (sink_ != nullptr) [[unlikely]]
      record_close(handle);
  }
  void job(TraceKind kind, uint64_t id, const char* label, int64_t worker, Nanos at);
  // The loop goes to sleep in poll, and wakes up.
  void poll_blocks(Nanos at, Nanos timeout);
  void poll_woke(Nanos at, size_t events);
  void turn();
  void phase(TraceKind kind, Nanos at);

  // Only if is_on(): `label` is the same in both calls.
  void callback_begins(uint64_t id, const char* label);
  void callback_ended(const char* label);

 private:
  void record_schedule(uint64_t id, const char* label);
  void record_open(Handle& handle);
  void record_close(const Handle& handle);
  Nanos time() const;

  TraceSink* sink_;
  const LoopState& loop_;
  uint64_t current_callback_ = 0;  // 0: none.
  bool keeps_own_time_;
};

}  // namespace rondo
