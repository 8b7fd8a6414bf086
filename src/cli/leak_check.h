// LeakCheck compares the descriptors and threads of the process at its start and at its end, for
// the test harness (tests/golden): those that are left after everything has been destroyed are
// leaks. Enabled by RONDO_CHECK_LEAKS in the environment.
#pragma once

#include <map>
#include <string>

namespace rondo::cli {

class LeakCheck {
 public:
  // Records the state at the start.
  LeakCheck();
  bool is_wanted() const { return is_wanted_; }
  // Called at the end. Returns the exit code, or kLeaks with a line on stderr for each leak.
  int finish(int code) const;
  static constexpr int kLeaks = 86;

 private:
  bool is_wanted_;
  std::map<int, std::string> descriptors_;  // With their targets.
};

}  // namespace rondo::cli
