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

// While it lives no call fails, and none is counted: for what the test itself does.
class Quietly {
 public:
  Quietly();
  ~Quietly();
  Quietly(const Quietly&) = delete;
  Quietly& operator=(const Quietly&) = delete;
};

// Everything that was started and has to call back, exactly once.
class Account {
 public:
  static constexpr size_t kMost = 512;

  // `what` is a literal. Small enough to be captured by any callback.
  uint32_t open(const char* what);
  void settle(uint32_t entry);
  void expect(bool is_so, const std::string& otherwise);

  // For the handler of a signal, too: nothing is allocated.
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
  std::string dir;  // Empty at first, and the scenario's own.
  Account account;

  std::string path(std::string_view name) const { return dir + '/' + std::string(name); }
  void expect(bool is_so, const std::string& otherwise) { account.expect(is_so, otherwise); }
  // A file as it is, by calls that cannot be made to fail; empty if there is none.
  std::string content(const std::string& path) const;
  void write(const std::string& path, std::string_view text) const;
  // Runs `program` with a loop of its own, and pool, and then the loop to its end. Nothing happens
  // where the system refuses to make the loop.
  void with_loop(const std::function<void(Loop&)>& program, LoopOptions options = {});
};

struct Scenario {
  const char* name;
  void (*run)(Context&);
};
std::span<const Scenario> scenarios();

// One function each, in the file of its subject.
void run_timers_and_pool(Context& context);
void run_files(Context& context);
void run_directories(Context& context);
void run_callbacks(Context& context);
void run_copies(Context& context);
void run_tcp(Context& context);
void run_unix_sockets(Context& context);
void run_pipes(Context& context);
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

}  // namespace rondo::faults
