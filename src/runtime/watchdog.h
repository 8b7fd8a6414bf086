// The watchdog is a thread that looks at what the loop's thread is doing. When JavaScript does not
// let the loop go on it says so on stderr: of a drain of ticks and microtasks that takes longer
// than a second (once), and, with --blocked, of every callback that takes longer than the limit.
// Others may ask to be told, too. The loop's thread pays for it with two plain stores per entry
// into JavaScript, and if there is a limit with three looks at a cheap clock for each callback.
//
// It never stops anything. To learn where the program is, it asks V8 to interrupt it for a moment.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/callback.h"
#include "base/thread.h"
#include "loop/trace_clock.h"
#include "runtime/places.h"
#include "runtime/v8.h"

namespace rondo::runtime {

struct WatchdogOptions {
  bool warns = true;                   // Of drains that starve the loop.
  std::chrono::milliseconds limit{0};  // Of a callback, to be told on stderr; zero: none.
  bool always_runs = false;            // Also if there is nothing to warn of.
};

// A callback, or a drain, that holds the loop, or held it.
struct Blocked {
  std::vector<Place> stack;  // Sampled meanwhile, innermost first; empty if it was not found out.
  std::chrono::nanoseconds age{0};
  bool is_drain = false;
};

class Watchdog {
 public:
  using Clock = std::chrono::steady_clock;  // Real time, whatever the loop's clock shows.
  using Limit = std::chrono::milliseconds;

  Watchdog(v8::Isolate* isolate, WatchdogOptions options);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  // Once, from the watchdog's thread, when the program has run for a while. Before watch().
  void on_settled(Callback<void()> on_settled) { on_settled_ = std::move(on_settled); }
  // Once, from the watchdog's thread, when no JavaScript has run for a while. Before watch().
  void on_idle(Callback<void()> on_idle) { on_idle_ = std::move(on_idle); }
  // Where lib counts callbacks and drains: see Shared in runtime/realm.h. Before the first entry.
  void watch(const volatile uint32_t* callbacks, const volatile uint32_t* drains,
             volatile uint32_t* has_limit = nullptr);
  // An array whose first element is the tick that is running.
  void watch_tick(v8::Local<v8::Array> tick) { tick_.Reset(isolate_, tick); }

  // From now on `tell` is called on the loop's thread, inside an interruption of JavaScript, once
  // for each callback or drain that has held the loop for `limit`. It must not call JavaScript.
  // Before watch().
  void on_blocked(Limit limit, Callback<void(const Blocked&)> tell);
  // Keeps the slowest callbacks that last as long as this for take_slow(); zero: none. Any thread.
  void collect(Limit limit);
  std::vector<Blocked> take_slow();  // Since the last time. Any thread.
  // What it is at now: how long already, and since when it has been so. Any thread.
  struct Current {
    bool is_running = false;
    std::chrono::nanoseconds age{0};
  };
  Current current();

  // Around the outermost entry into JavaScript. The loop's thread.
  void enter() {
    enter_again();
    if (least_ms_.load(std::memory_order_relaxed) > 0) [[unlikely]]
      note_entry();
  }
  // The same where the last thing was leave(): what begins now does so when that ended.
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
  // A callback begins within the entry, and what ran before it has ended. Only where there is a
  // limit somebody needs to know.
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
  // Clock's time, on the loop's thread: without the kernel, where that can be.
  Clock::rep cheap_now() {
    if (clock_ == nullptr) [[unlikely]]
      clock_ = std::make_unique<TraceClock>();
    const int64_t now = clock_->now();
    clock_->adjust(now);
    return clock_->origin() + now;
  }
  // What the loop's thread is at; the same value twice means that it still is.
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
  Limit interval() const;  // Until the next look.
  void set_least();
  void judge(const Task& task, Clock::duration age);
  void warn();
  void note_entry();
  void note_slow(Clock::duration age);
  bool can_sleep();
  void sleep_until_entry(const Task& task);
  void wake();
  void ask_where(Clock::duration age);
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
  std::atomic<Clock::rep> began_{0};  // When the current callback did, if there is a limit.
  std::atomic<Clock::rep> since_{0};  // Since when, as far as is known, the current task has run.
  std::atomic<bool> is_asleep_{false};
  std::atomic<bool> is_ending_{false};
  std::atomic<uint32_t> bell_{0};
  std::mutex nap_mutex_;
  std::condition_variable nap_;  // Cuts a pause short when it ends: workers come and go.
  bool is_nudged_ = false;       // Or if there is another limit now.

  // The three limits, and the least of those that there are.
  Limit told_limit_{0};
  Callback<void(const Blocked&)> tell_;
  std::atomic<Limit::rep> collect_ms_{0};
  std::atomic<Limit::rep> least_ms_{0};

  enum class Answer : uint32_t { none, asked, given, nowhere };
  std::atomic<Answer> answer_{Answer::none};
  std::atomic<Clock::rep> asked_since_{0};  // When what was asked about had begun.

  std::mutex mutex_;          // Of the following.
  std::vector<Place> stack_;  // The last one that was sampled,
  Task stack_task_;           // and of what.
  std::vector<Blocked> slow_;

  // The loop's thread alone.
  std::unique_ptr<TraceClock> clock_;  // Made where there is a limit.
  Clock::rep sampled_at_ = 0;          // When stack_ was.
  uint32_t callbacks_at_begin_ = 0;    // When began_ was written.
  uint32_t drains_at_begin_ = 0;
  Task told_;          // Whom tell_ was told of.
  int questions_ = 0;  // In vain so far.
  // Of the current task, and the watchdog's thread alone.
  bool is_sampled_late_ = false;  // Its place was asked for when it was over every limit.
  bool is_curious_ = false;       // It is on its way over a limit.
  bool has_warned_ = false;
  bool has_asked_for_barriers_ = false;
  bool has_barriers_ = false;
  Thread thread_;
};

}  // namespace rondo::runtime
