// The Watchdog is a thread that monitors the loop's thread. When JavaScript blocks the loop, it
// warns on stderr: once for a drain of ticks and microtasks that takes longer than a second, half
// of it processor time, and, with --blocked, for every callback that takes longer than the limit.
// Other code may register for these events, too. The cost for the loop's thread is two plain stores
// per entry into JavaScript and, with a limit, three reads of a cheap clock per callback.
//
// The watchdog never stops JavaScript. To find the current place, it requests an interrupt from V8.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <ctime>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/callback.h"
#include "base/threads/thread.h"
#include "loop/trace/clock.h"
#include "runtime/control/places.h"
#include "runtime/values/v8.h"

namespace rondo::runtime {

struct WatchdogOptions {
  bool warns = true;                   // About drains that starve the loop.
  std::chrono::milliseconds limit{0};  // Callbacks above it are reported on stderr; zero: none.
  bool always_runs = false;            // Run the thread even if there is nothing to warn about.
};

// A callback or drain that blocks the loop, or has blocked it.
struct Blocked {
  std::vector<Place> stack;  // Sampled while it ran, innermost first; empty if unknown.
  std::chrono::nanoseconds age{0};
  bool is_drain = false;
};

class Watchdog {
 public:
  using Clock = std::chrono::steady_clock;  // Real time, independent of the loop's clock.
  using Limit = std::chrono::milliseconds;

  Watchdog(v8::Isolate* isolate, WatchdogOptions options);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  // Called once, on the watchdog's thread, when the program has run for a while. Set before
  // watch().
  void on_settled(Callback<void()> on_settled) { on_settled_ = std::move(on_settled); }
  // Called once, on the watchdog's thread, when no JavaScript has run for a while. Set before
  // watch().
  void on_idle(Callback<void()> on_idle) { on_idle_ = std::move(on_idle); }
  // lib's counters of callbacks and drains: see Shared in runtime/engine/realm.h. Call before the
  // first entry.
  void watch(const volatile uint32_t* callbacks, const volatile uint32_t* drains,
             volatile uint32_t* has_limit = nullptr);
  // Sets the array that holds the running tick: in its first element, or, if that is an array, at
  // the index in the second element.
  void watch_tick(v8::Local<v8::Array> tick) { tick_.Reset(isolate_, tick); }

  // From now on calls `on_blocked` on the loop's thread, in an interrupt of JavaScript, once for
  // each callback or drain that has blocked the loop for `limit`. The function must not call
  // JavaScript. Set before watch().
  void on_blocked(Limit limit, Callback<void(const Blocked&)> on_blocked);
  // Collects for take_slow() the slowest callbacks that take at least `limit`; zero: none. Thread:
  // any.
  void collect(Limit limit);
  std::vector<Blocked> take_slow();  // Those since the last call. Thread: any.
  // The task that is running now, and for how long. Thread: any.
  struct Current {
    bool is_running = false;
    std::chrono::nanoseconds age{0};
  };
  Current current();

  // Called around the outermost entry into JavaScript. Thread: the loop's.
  void enter() {
    enter_again();
    if (least_ms_.load(std::memory_order_relaxed) > 0) [[unlikely]]
      note_entry();
  }
  // enter() directly after leave(): the new entry begins when the last one ended.
  void enter_again() {
    entries_.store(entries_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    if (is_asleep_.load(std::memory_order_relaxed)) [[unlikely]]
      wake();
  }
  void leave() {
    if (least_ms_.load(std::memory_order_relaxed) > 0) [[unlikely]]
      note_begin();
    entries_.store(entries_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  // Called when a callback begins within the entry and the previous one has ended. Only needed with
  // a limit.
  void note_begin() {
    const Clock::rep now = cheap_now();
    const Clock::duration age{now - began_.load(std::memory_order_relaxed)};
    if (age >= Limit{least_ms_.load(std::memory_order_relaxed)}) [[unlikely]]
      note_slow(age);
    began_.store(now, std::memory_order_relaxed);
    callbacks_at_begin_ = *callbacks_;
    drains_at_begin_ = *drains_;
  }

 private:
  // The time of Clock, without a system call if possible. Thread: the loop's.
  Clock::rep cheap_now() {
    if (clock_ == nullptr) [[unlikely]]
      clock_ = std::make_unique<TraceClock>();
    const int64_t now = clock_->now();
    clock_->adjust(now);
    return clock_->origin() + now;
  }
  // Identifies the task of the loop's thread: if two reads are equal, the same task is still
  // running.
  struct Task {
    uint64_t entries = 0;
    uint32_t callbacks = 0;
    uint32_t drains = 0;
    bool is_running() const { return entries % 2 == 1; }
    bool is_drain() const { return drains % 2 == 1; }
    friend bool operator==(const Task&, const Task&) = default;
  };

  void run();
  Task look() const;
  Clock::duration processor_time() const;  // Of the loop's thread.
  Limit interval() const;                  // The time until the next check.
  void set_least();
  void judge(const Task& task, Clock::duration age);
  void warn();
  void note_entry();
  void note_slow(Clock::duration age);
  bool can_sleep();
  void sleep_until_entry(const Task& task);
  void wake();
  void request_stack(Clock::duration age);
  static void on_interrupt(v8::Isolate* isolate, void* self);
  void answer(Clock::duration age);
  Place place_of_tick() const;

  v8::Isolate* isolate_;
  const WatchdogOptions options_;
  uint32_t none_ = 0;
  const volatile uint32_t* callbacks_ = &none_;
  const volatile uint32_t* drains_ = &none_;
  volatile uint32_t* has_limit_ = nullptr;
  v8::Global<v8::Array> tick_;
  Callback<void()> on_settled_;
  Callback<void()> on_idle_;
  std::atomic<uint64_t> entries_{0};  // Odd while JavaScript runs.
  std::atomic<Clock::rep> began_{0};  // Start of the current callback, if there is a limit.
  std::atomic<Clock::rep> since_{0};  // Earliest known start of the current task.
  std::atomic<bool> is_asleep_{false};
  std::atomic<bool> is_ending_{false};
  std::atomic<uint32_t> wake_ups_{0};
  std::mutex nap_mutex_;
  std::condition_variable nap_;  // Wakes the watchdog at the end, which must be fast for workers,
  bool is_nudged_ = false;       // and when a limit has changed.

  // The limits for on_blocked() and collect(), and the least of all limits that are set.
  Limit blocked_limit_{0};
  Callback<void(const Blocked&)> on_blocked_;
  std::atomic<Limit::rep> collect_ms_{0};
  std::atomic<Limit::rep> least_ms_{0};

  enum class Answer : uint32_t { none, requested, given, nowhere };
  std::atomic<Answer> answer_{Answer::none};
  // Start of the task that the interrupt was requested for.
  std::atomic<Clock::rep> requested_since_{0};

  std::mutex mutex_;          // Guards the members below.
  std::vector<Place> stack_;  // The last sampled stack,
  Task stack_task_;           // and its task.
  std::vector<Blocked> slow_;

  // Used by the loop's thread only.
  std::unique_ptr<TraceClock> clock_;  // Created if there is a limit.
  Clock::rep sampled_at_ = 0;          // When stack_ was sampled.
  uint32_t callbacks_at_begin_ = 0;    // The counter when began_ was written.
  uint32_t drains_at_begin_ = 0;
  Task reported_task_;  // The task that on_blocked_ was last called for.
  int attempts_ = 0;    // Interrupts so far that found no place.
  clockid_t processor_clock_ = CLOCK_THREAD_CPUTIME_ID;  // That of the loop's thread.
  // State of the current task; used by the watchdog's thread only.
  Clock::duration processor_time_before_{0};  // When the task was first seen.
  bool is_sampled_late_ = false;  // The place was sampled after the task exceeded every limit.
  bool is_near_limit_ = false;    // The task is about to exceed a limit.
  bool has_warned_ = false;
  bool has_requested_barriers_ = false;
  bool has_barriers_ = false;
  Thread thread_;
};

}  // namespace rondo::runtime
