// The clock and the Choice that the loops of this process have in common, from the options of
// `rondo uv`.
//
// Loops that the main thread makes are the program's: they use both. Those of other threads use the
// clock only. Threads that are started before the program has its default loop, or the main thread
// runs another one, belong to the machinery of the program, such as Node's threads for V8: their
// loops run in real time.
//
// Thread: any, except where stated.
#pragma once

#include <uv.h>

#include <memory>

#include "base/time/clock.h"
#include "loop/choice.h"

namespace rondo::uv {

// Before main(), after read_settings(): makes the clock, and installs it in the program's
// functions.
void start_process();

// The clock that the program sees.
Clock& program_clock();
// Blocks the calling thread for this time of the program's clock. On a thread that uses a loop, a
// virtual clock is advanced instead.
void sleep(Nanos duration);

// The part that a thread of the program has in virtual time: while it computes, the clock does not
// jump. Made by the thread that starts it; ended by the thread itself, or when it makes a loop,
// which has a part of its own.
class ThreadPart {
 public:
  ThreadPart();
  ~ThreadPart();
  ThreadPart(const ThreadPart&) = delete;
  ThreadPart& operator=(const ThreadPart&) = delete;
  void begin();  // In the thread.
  void end();

 private:
  friend class BlockedScope;
  class User;
  std::unique_ptr<ClockUser> user_;
  bool is_machinery_;  // Its loops run in real time.
};

// While it exists, the calling thread waits for other threads.
class BlockedScope {
 public:
  BlockedScope();
  ~BlockedScope();
  BlockedScope(const BlockedScope&) = delete;
  BlockedScope& operator=(const BlockedScope&) = delete;

 private:
  ClockUser* user_;
};

struct LoopPlace {
  Clock* clock;
  Choice* choice;  // Null: the kernel's order.
};
// The place of a loop that the calling thread makes now.
LoopPlace place_of_new_loop(bool is_default);
// After a loop was made, before each uv_run(), and before it is closed.
void loop_opened(uv_loop_t* loop);
void loop_runs(uv_loop_t* loop);
void loop_closes(uv_loop_t* loop);

}  // namespace rondo::uv
