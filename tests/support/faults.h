// FaultPlan: makes system calls fail on demand, while it exists. Only calls through base/sys.h can
// fail; `call` is their name there ("send", "epoll_wait").
//
//   FaultPlan faults;
//   faults.fail("accept", EMFILE, {.skip = 2, .times = 3});   // calls 3, 4 and 5
//   faults.fail("write", ENOSPC, {.fd = fd, .times = FaultPlan::kAlways});
//   faults.shorten("send", 1);                                // one byte at a time
//
// Thread: any may make the calls; the plan itself is changed and destroyed only while no thread
// makes one. One plan at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "base/sys.h"

namespace rondo {

class FaultPlan final : public sys::Faults {
 public:
  static constexpr size_t kAlways = SIZE_MAX;
  static constexpr int kAnyFd = -1;

  // The affected calls: `times` calls on `fd`, after the first `skip`.
  struct When {
    int fd = kAnyFd;
    size_t skip = 0;
    size_t times = 1;
  };

  FaultPlan();
  ~FaultPlan() override;
  FaultPlan(const FaultPlan&) = delete;
  FaultPlan& operator=(const FaultPlan&) = delete;

  // Rules count from the moment they are added; of several matching rules, the first one applies.
  void fail(const char* call, int error) { fail(call, error, When()); }
  void fail(const char* call, int error, When when);
  // The call returns `result` without reaching the kernel.
  void answer(const char* call, long result) { answer(call, result, When()); }
  void answer(const char* call, long result, When when);
  // The kernel sees at most `most` bytes of the caller's read or write.
  void shorten(const char* call, size_t most) { shorten(call, most, {.times = kAlways}); }
  void shorten(const char* call, size_t most, When when);
  void clear();  // Removes the rules, keeps the counts.

  // Number of calls since the plan began, including those that a rule replaced.
  size_t calls(const char* call, int fd = kAnyFd) const;
  size_t injected(const char* call) const;  // Number of calls that a rule replaced or shortened.

  bool inject(const char* call, int fd, long& result) override;
  size_t most_bytes(const char* call, int fd) override;

 private:
  struct Rule {
    std::string call;
    When when;
    long result;
    int error;    // For a result of -1.
    size_t most;  // Of a rule that shortens; otherwise 0.
  };
  struct Count {
    std::string call;
    int fd;
    size_t calls;
    size_t injected;
  };
  Rule* match(const char* call, int fd, bool shortens);
  Count& count(const char* call, int fd);

  mutable std::mutex mutex_;
  std::vector<Rule> rules_;
  std::vector<Count> counts_;
};

}  // namespace rondo
