// The places of a program that explanations of explored runs name.
// Thread: the main thread.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "explore/run.h"

namespace rondo::uv {

// While it exists, callbacks are scheduled for this function of the program.
class FunctionPlace {
 public:
  template <class F>
  explicit FunctionPlace(F* function) : before_(current_) {
    current_ = reinterpret_cast<uintptr_t>(function);
  }
  ~FunctionPlace() { current_ = before_; }
  FunctionPlace(const FunctionPlace&) = delete;
  FunctionPlace& operator=(const FunctionPlace&) = delete;
  static uintptr_t current() { return current_; }

 private:
  static thread_local uintptr_t current_;
  uintptr_t before_;
};

// A place is a position in JavaScript, if the program runs some, or the name of a function with
// brackets, "on_timer()".
class FunctionPlaces final : public ProgramPlaces {
 public:
  std::string here() const override;
  std::string maker_of(const Handle& handle) const override;
  // The handle was made now.
  void made(const Handle& handle);

 private:
  std::unordered_map<const Handle*, std::string> made_;  // Made by JavaScript.
};

}  // namespace rondo::uv
