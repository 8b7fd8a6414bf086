// Interface of the scenarios of the fault tests. A scenario is a small program that uses the
// library. It must end no matter which call fails, and report the outcome of every operation that
// it started. The driver (driver.cc) runs each in its own process.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loop/loop.h"

namespace rondo::faults {

// While it exists no call fails, and none is counted: for calls of the test itself.
class Quietly {
 public:
  Quietly();
  ~Quietly();
  Quietly(const Quietly&) = delete;
  Quietly& operator=(const Quietly&) = delete;
};

// All started operations, each of which must call back exactly once.
class Account {
 public:
  static constexpr size_t kMost = 512;

  // `what` is a literal. Small enough to be captured by any callback.
  uint32_t open(const char* what);
  void settle(uint32_t entry);
  void expect(bool is_so, const std::string& otherwise);

  // Also for signal handlers: allocates nothing.
  void print_open() const;
  std::vector<std::string> problems() const;

 private:
  struct Entry {
    const char* what;
    uint32_t calls;
  };
  Entry entries_[kMost] = {};
  uint32_t count_ = 0;
  std::vector<std::string> failures_;
};

struct Context {
  Backend backend;
  std::string dir;  // Empty at first, used by the scenario only.
  Account account;

  std::string path(std::string_view name) const { return dir + '/' + std::string(name); }
  void expect(bool is_so, const std::string& otherwise) { account.expect(is_so, otherwise); }
  // The content of a file, read by calls that cannot fail; empty if there is none.
  std::string content(const std::string& path) const;
  void write(const std::string& path, std::string_view text) const;
  // Runs `program` with its own loop and pool, then the loop to its end. Does nothing if the loop
  // cannot be created.
  void with_loop(const std::function<void(Loop&)>& program, LoopOptions options = {});
};

struct Scenario {
  const char* name;
  void (*run)(Context&);
  bool uses_uv = false;  // Through uv.h: its jobs run on the process's pool, whose threads remain.
};
std::span<const Scenario> scenarios();

// One function each, in the file for its subject.
void run_timers_and_pool(Context& context);
void run_files(Context& context);
void run_directories(Context& context);
void run_callbacks(Context& context);
void run_copies(Context& context);
void run_tcp(Context& context);
void run_unix_sockets(Context& context);
void run_pipes(Context& context);
void run_datagrams(Context& context);
void run_virtual_time(Context& context);
void run_channel(Context& context);
void run_children(Context& context);
void run_forked_children(Context& context);
void run_to_the_end(Context& context);
void run_signals(Context& context);
void run_fork(Context& context);
void run_watchers(Context& context);
void run_terminal(Context& context);
void run_names(Context& context);
void run_traces(Context& context);
// If the library for uv.h is built.
void run_uv_loop(Context& context);
void run_uv_system(Context& context);
void run_uv_files(Context& context);
void run_uv_streams(Context& context);
void run_uv_datagrams(Context& context);
void run_uv_processes(Context& context);
void run_uv_terminal(Context& context);

}  // namespace rondo::faults
