// Compares the descriptors and threads of the process at its start and at its end, for the harness
// of the tests (tests/golden): what is left when everything has been taken apart is a leak. Wanted
// where RONDO_CHECK_LEAKS is set in the environment.
#pragma once

#include <map>
#include <string>

namespace rondo::main_program {

class LeakCheck {
 public:
  // The start.
  LeakCheck();
  bool is_wanted() const { return is_wanted_; }
  // The end: the exit code, or kLeaks with a line on stderr for each leak.
  int finish(int code) const;
  static constexpr int kLeaks = 86;

 private:
  bool is_wanted_;
  std::map<int, std::string> descriptors_;  // With what they refer to.
};

}  // namespace rondo::main_program
