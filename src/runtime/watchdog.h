// The watchdog is a thread that looks at what the loop's thread is doing, and says so on stderr
// when JavaScript does not let the loop go on: a drain of ticks and microtasks that takes longer
// than a second (once), and, with --blocked, every callback that takes longer than the limit. The
// loop's thread pays for it with two plain stores per entry into JavaScript.
//
// It never stops anything. To learn where the program is, it asks V8 to interrupt it for a moment.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "runtime/v8.h"

namespace rondo::runtime {

struct WatchdogOptions {
  bool warns = true;                   // Of drains that starve the loop.
  std::chrono::milliseconds limit{0};  // Of a callback; zero: none.
};

class Watchdog {
 public:
  using Clock = std::chrono::steady_clock;  // Real time, whatever the loop's clock shows.

  Watchdog(v8::Isolate* isolate, WatchdogOptions options);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  // Where lib counts callbacks and drains: see Shared in runtime/realm.h. Before the first entry.
  void watch(const volatile uint32_t* callbacks, const volatile uint32_t* drains);
  // An array whose first element is the tick that is running.
  void watch_tick(v8::Local<v8::Array> tick) { tick_.Reset(isolate_, tick); }

  // Around the outermost entry into JavaScript. The loop's thread.
  void enter() {
    entries_.store(entries_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    if (is_asleep_.load(std::memory_order_relaxed)) [[unlikely]]
      wake();
    if (options_.limit.count() > 0) [[unlikely]]
      note_begin();
  }
  void leave() {
    entries_.store(entries_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  // A callback begins within the entry. Only the limit needs to know exactly when.
  void note_begin() {
    began_.store(Clock::now().time_since_epoch().count(), std::memory_order_relaxed);
  }

 private:
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
  void judge(const Task& task, Clock::duration age);
  void finish(const Task& task, Clock::duration age);
  bool can_sleep();
  void sleep_until_entry(const Task& task);
  void wake();
  void ask_where();
  static void on_interrupt(v8::Isolate* isolate, void* self);
  std::string place() const;
  static std::string describe(v8::Isolate* isolate, v8::Local<v8::StackFrame> frame);
  std::string describe_tick() const;

  v8::Isolate* isolate_;
  const WatchdogOptions options_;
  const volatile uint32_t* callbacks_ = nullptr;
  const volatile uint32_t* drains_ = nullptr;
  v8::Global<v8::Array> tick_;
  std::atomic<uint64_t> entries_{0};  // Odd while JavaScript runs.
  std::atomic<Clock::rep> began_{0};  // When the current callback did, if there is a limit.
  std::atomic<bool> is_asleep_{false};
  std::atomic<bool> is_ending_{false};
  std::atomic<uint32_t> bell_{0};
  std::mutex nap_mutex_;
  std::condition_variable nap_;  // Cuts a pause short when it ends: workers come and go.

  enum class Answer : uint32_t { none, asked, given, nowhere };
  std::atomic<Answer> answer_{Answer::none};
  char place_[512] = {};  // Written by the loop's thread before `given`, read by ours after it.

  int questions_ = 0;  // In vain so far. The loop's thread.
  bool has_warned_ = false;
  bool has_asked_for_barriers_ = false;
  bool has_barriers_ = false;
  std::thread thread_;
};

}  // namespace rondo::runtime
