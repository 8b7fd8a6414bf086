// The framework of the benchmark: rows, contestants, interleaved rounds, medians, one table.
#pragma once

#include <sched.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace bench {

// The amount of work of a measurement: 1 normally, small in a tiny run that only checks that it
// works.
struct Scale {
  double factor = 1;
  int of(int full, int least = 1) const {
    const int scaled = static_cast<int>(full * factor);
    return scaled < least ? least : scaled;
  }
};

struct Contestant {
  std::string name;  // "rondo", "libuv", "raw epoll" ...
  std::function<double(const Scale&)> measure;
};

struct Row {
  std::string name;
  std::string unit;
  bool more_is_better;
  double goal;  // The target factor compared to libuv.
  std::vector<Contestant> contestants;
};

// Rows in the order in which they were added. Called from main() only: no static registries.
using Rows = std::vector<Row>;

double now_seconds();
double cpu_seconds();           // This process: user and system.
long resident_bytes();          // Of this process.
void pin_to_cpu(unsigned cpu);  // Does nothing if there is no such processor.
void die(const char* what);     // Prints errno and ends the measurement.

void add_loop_rows(Rows& rows);    // turns, checks, timers
void add_thread_rows(Rows& rows);  // async, pool
void add_file_rows(Rows& rows);
void add_net_rows(Rows& rows);

}  // namespace bench
