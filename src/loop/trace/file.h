// A sink that writes a loop's events to a TraceRing. The loop reports its own callbacks, handles
// and jobs; the runtime reports JavaScript's. Phases are noticed when something is recorded in
// them, so an empty phase leaves no record and costs nothing. Every begin gets an end, properly
// nested: records still open when an outer one ends are closed first. Thread: the loop's only,
// except ring().write_copy().
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "loop/loop.h"
#include "loop/trace/clock.h"
#include "loop/trace/ring.h"

namespace rondo {

// The kinds of records of docs/TRACE-FORMAT.md. The code of an end is that of its begin plus one.
enum class TraceCode : uint8_t {
  turn = 1,
  phase = 2,
  loop_callback = 4,
  callback = 6,
  tick_drain = 8,
  tick = 10,
  microtask_drain = 12,
  microtask = 14,
  schedule = 16,
  promise = 17,
  settled = 18,
  over = 19,
  handle_open = 20,
  handle_close = 21,
  serves = 22,
  job_queued = 23,
  job_started = 24,
  job_finished = 25,
  poll_blocked = 26,
  poll_woke = 27,
  number = 28,
  blocked = 29,
  uncaught = 30,
  exit = 31,
  refd = 32,
  touches = 33,
  turn_callback = 34,
  next_callback = 35,
  inner_callback = 36,
  inner_callback_end = 37,
  request_begin = 38,
  request_part = 39,
  request_end = 40,
};

// The detail of a `touches` record.
enum class TraceTouch : uint32_t {
  reads,   // Or connects to a port.
  writes,  // Or listens on a port.
  closes,
};

class TraceFile final : public TraceSink {
 public:
  // Fills in the times in `options`.
  static Result<std::unique_ptr<TraceFile>> create(TraceRingOptions options);

  // Call it before the first record.
  void attach(Loop& loop);
  // A clock for the loop that is cheaper than the kernel's: makes up for some of the cost of
  // recording.
  Clock& loop_clock() { return loop_clock_; }

  void record(const TraceEvent& event) override;
  bool keeps_own_time() const override { return true; }
  void begin_callback(uint64_t id, const char* label) override;
  void end_callback(uint64_t id) override;

  // JavaScript's records: `detail` of a begin is the name of the event if there are several kinds.
  void begin(TraceCode code, uint32_t detail, uint32_t name, double id, double value);
  // The same for an immediate.
  void begin_immediate(uint32_t name, double id) {
    if (!begin_turn(name, id)) begin(TraceCode::callback, 0, name, id, 0);
  }
  // Ends the innermost record with this id and all that are open inside it; does nothing if there
  // is none.
  void end(double id);
  // JavaScript sets this word to non-zero when its outermost callback has ended. The end is
  // recorded at the next read of the clock: by the next callback or by the loop.
  void watch_end(volatile uint32_t* has_ended) { has_ended_ = has_ended; }
  void note(TraceCode code, uint32_t detail, uint32_t name, double id, double value) {
    put(enter(), code, detail, name, id, value);
  }
  // Something was scheduled. `is_native`: the loop's own request or handle for it is created next.
  void schedule(uint32_t name, double id, uint32_t where, uint32_t function, bool is_native);
  // Links the JavaScript id `id` to the handle that was opened last.
  void serve_last_handle(double id);

  // While on, new handles are internal: neither they nor their callbacks are recorded.
  void hide_new_handles(bool hides) { hides_new_handles_ = hides; }
  bool hides_new_handles() const override { return hides_new_handles_; }

  // A counter to record when it has changed, at most once per turn. `name` is a literal. At most
  // two.
  void watch_number(const char* name, const volatile uint32_t* number);
  // At the end: a JavaScript resource that keeps the loop alive.
  void keeps_alive(double id) { refd_.push_back(id); }
  // The end of the program: records the resources that keep the loop alive, and closes open
  // records.
  void finish(int code);

  TraceRing& ring() { return *ring_; }
  uint32_t label(const char* literal) {
    return literal == last_literal_ ? last_label_ : find_label(literal);
  }
  // Any thread: when the outermost callback that runs now began; 0 if none runs.
  double busy_since() const {
    return static_cast<double>(busy_since_.load(std::memory_order_relaxed));
  }
  double current() const;  // The innermost callback, tick or microtask; 0: none.

 private:
  struct Open {
    TraceCode code;
    double id;
  };
  // The begin of a loop callback, not yet written: usually a JavaScript callback begins with it,
  // and one record covers both.
  struct Held {
    int64_t time;
    uint32_t id;
    uint32_t name;
  };
  static constexpr size_t kDeepest = 256;

  class LoopClock final : public Clock {
   public:
    explicit LoopClock(TraceClock& clock) : clock_(clock) {}
    Nanos now() const override { return Nanos(clock_.origin() + clock_.now()); }
    Nanos wall() const override { return RealClock::instance().wall(); }

   private:
    TraceClock& clock_;
  };

  explicit TraceFile(const TraceClock& clock) : clock_(clock), loop_clock_(clock_) {}
  // The current time; first records a change of phase.
  int64_t enter() {
    const int64_t now = clock_.now();
    const Phase phase = loop_->phase();
    if (phase != phase_ || (phase != Phase::none && turn_of(phase) != turn_)) [[unlikely]]
      change_phase(phase, now);
    if (*has_ended_ != 0) end_late(now);
    return now;
  }
  // A turn begins with its timers, although the loop counts it from pending on.
  uint64_t turn_of(Phase phase) const {
    return loop_->metrics().turns + (phase == Phase::timers ? 1 : 0);
  }
  // The same where a callback begins. The first callback in timers and check needs no clock read:
  // the loop has just read it.
  int64_t enter_callback();
  // Writes one record for a turn, its check phase and the first callback there, if nothing else
  // happened.
  bool begin_turn(uint32_t name, double id);
  void change_phase(Phase phase, int64_t now);
  bool has_new_numbers() const {
    bool has =
        loop_->active_handles() != handles_noted_ || loop_->active_requests() != requests_noted_;
    for (const Number& number : numbers_) has = has || *number.now != number.noted;
    return has;
  }
  void note_numbers(int64_t now);
  void note_number(int64_t now, const char* name, size_t number, size_t* noted) {
    if (number == *noted) return;
    *noted = number;
    put(now, TraceCode::number, 0, label(name), 0, static_cast<double>(number));
  }
  void note_refd(int64_t now);
  void put(int64_t now, TraceCode code, uint32_t detail, uint32_t name, double id, double value) {
    if (is_held_) [[unlikely]]
      write_held();
    last_ = now;
    last_code_ = code;
    const uint32_t phase = (static_cast<uint32_t>(phase_) + 1) & 7;  // None is the eighth.
    ring_->put(static_cast<double>(now), static_cast<uint32_t>(code) | phase << 8 | detail << 16,
               name, id, value);
  }
  void push(int64_t now, TraceCode code, uint32_t detail, uint32_t name, double id, double value);
  void pop(int64_t now);
  void pop_drains();
  void write_held();
  // Number of loop callbacks around the open JavaScript callbacks: one or none.
  size_t outer() const { return depth_ > 0 && open_[0].code == TraceCode::loop_callback ? 1 : 0; }
  // True if the innermost open record is an outermost JavaScript callback.
  bool is_in_one_callback() const {
    return depth_ > 0 && depth_ == outer() + 1 && open_[depth_ - 1].code == TraceCode::callback;
  }
  // Writes the end of a callback that watch_end() has reported.
  void end_late(int64_t now);
  uint32_t find_label(const char* literal);

  Loop* loop_ = nullptr;
  TraceClock clock_;
  LoopClock loop_clock_;
  bool shares_time_ = false;  // Has the loop's clock.
  std::unique_ptr<TraceRing> ring_;
  Phase phase_ = Phase::none;
  uint64_t turn_ = 0;
  int64_t last_ = 0;  // Time and kind of the last record.
  TraceCode last_code_ = TraceCode::exit;
  std::array<Open, kDeepest> open_;
  size_t depth_ = 0;
  bool is_held_ = false;
  Held held_{};
  std::atomic<int64_t> busy_since_{0};
  size_t too_deep_ = 0;
  uint32_t own_end_ = 0;
  volatile uint32_t* has_ended_ = &own_end_;
  bool hides_new_handles_ = false;
  // The JavaScript id just scheduled, until the loop's own handle or request for it is created.
  double scheduled_id_ = 0;
  uint64_t last_handle_ = 0;
  std::unordered_map<const char*, uint32_t> labels_;
  const char* last_literal_ = nullptr;
  uint32_t last_label_ = 0;
  static constexpr uint32_t kNothing = 0;
  struct Number {
    const char* name;
    const volatile uint32_t* now;
    size_t noted;
  };
  std::array<Number, 2> numbers_{{{nullptr, &kNothing, 0}, {nullptr, &kNothing, 0}}};
  size_t handles_noted_ = 0;
  size_t requests_noted_ = 0;
  std::vector<double> refd_;
};

}  // namespace rondo
