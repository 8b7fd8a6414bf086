// The same work on libuv. Declared here, defined in *_libuv.cc, which are left out without libuv.
#pragma once

#include <cstddef>

#include "loop/harness.h"

namespace bench::libuv {

double empty_turn(int turns);
double check_callbacks(int turns, int handles);
double timer_start_stop(int alive, int pairs);
double timer_rearm(int alive, int rounds);
double timers_fired(int timers);
double wake_latency(int rounds);
double wake_throughput(int sends);
double pool(int jobs, int window);
double file_reads(int reads, int window, int fd, size_t block, size_t blocks);

// Servers for the net rows: they run until the process is killed. `report` is called with the port
// once it listens.
void serve_echo(void (*report)(int port, void* context), void* context);
void serve_accept(void (*report)(int port, void* context), void* context);

}  // namespace bench::libuv

// Adds libuv's side of a row if it was built in.
#ifdef RONDO_BENCH_LIBUV
#define RONDO_PEER(call) \
  {"libuv", [=]([[maybe_unused]] const bench::Scale& scale) { return bench::libuv::call; }},
#else
#define RONDO_PEER(call)
#endif
