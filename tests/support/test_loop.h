// TestLoop: a loop whose clock and poller the test controls. No sleeping, no ports, no threads, and
// the same trace every run.
//
//   TestLoop loop;
//   auto timer = loop.make<Timer>();
//   timer->start(1ms, loop.mark("a"));
//   loop.advance(1ms);
//   EXPECT_EQ(loop.run_once(), "a");
//
// Handles that the test owns are declared after the loop, so that they are dropped before it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "loop/loop.h"
#include "loop/poller/scripted.h"
#include "loop/trace/sink.h"

namespace rondo {

// For a lambda that captures more than fits into a Callback.
template <class F>
auto boxed(F function) {
  return [box = std::make_unique<F>(std::move(function))](auto&&... args) {
    (*box)(std::forward<decltype(args)>(args)...);
  };
}

class TestLoop {
 public:
  // Clock, poller and trace of the options are ignored.
  explicit TestLoop(LoopOptions options = {});
  TestLoop(const TestLoop&) = delete;
  TestLoop& operator=(const TestLoop&) = delete;

  Loop& get() { return loop_; }
  operator Loop&() { return loop_; }  // NOLINT: implicit, for Immediate x(loop)
  Loop* operator->() { return &loop_; }
  template <class T, class... Args>
  Owned<T> make(Args&&... args) {
    return loop_.make<T>(std::forward<Args>(args)...);
  }

  // A callback of any signature that adds its name to the log when it is called.
  struct Mark {
    TestLoop* loop;
    const char* name;
    template <class... Args>
    void operator()(Args&&...) const {
      loop->log(name);
    }
  };
  Mark mark(const char* name) { return {this, name}; }  // `name` is a literal.
  void log(std::string_view word);
  // The log since the last call, "a b c".
  std::string take_log() { return std::exchange(log_, {}); }

  // One run of the loop; returns the log since it was last taken. The loop aborts rather than sleep
  // without limit if no event is scripted.
  std::string run(RunMode mode = RunMode::until_done);
  std::string run_once() { return run(RunMode::once); }
  std::string run_nowait() { return run(RunMode::nowait); }
  bool was_alive() const { return was_alive_; }  // The result of the last run.

  // Time passes outside the loop or during a callback: loop.now() does not change.
  void advance(Nanos duration) { clock_.advance(duration); }
  Nanos time() const { return clock_.now(); }  // The clock's, not the loop's cached one.

  ManualClock& clock() { return clock_; }
  ScriptedPoller& poller() { return *poller_; }
  RecordingTrace& trace() { return trace_; }

 private:
  LoopOptions prepare(LoopOptions options);

  ManualClock clock_;
  RecordingTrace trace_;
  ScriptedPoller* poller_ = nullptr;
  std::string log_;
  bool was_alive_ = false;
  Loop loop_;
};

}  // namespace rondo
