// The Choice of this process: random, recorded, replayed or explored, from the options of `rondo
// uv`. Thread: the main thread, whose loops share it.
#pragma once

#include <uv.h>

#include <cstdint>

#include "explore/run.h"

namespace rondo::uv {

// Before main(), after read_settings(). Ends the process with a message if a record cannot be read
// or written.
void start_orders();
Choice* choice_of_process();  // Null: the kernel's order.
// The main thread has opened a loop, or runs it; it closes one.
void enter_loop(uv_loop_t* loop);
void leave_loop(uv_loop_t* loop);
// The loop that the main thread runs, or ran last, if its order is chosen; null on other threads.
uv_loop_t* ordered_loop();

// For the report of an explored run; does nothing in others. Any thread.
void note_outside(Outside what);
void note_port(uint16_t port);
// The main thread has made a handle.
void note_handle(const Handle& handle);
// A message is sent to a loop: by another thread, the order is not controlled.
void note_message();

}  // namespace rondo::uv
