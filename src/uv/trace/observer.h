// Observes the program's functions that a loop calls, if the options of `rondo uv` say so: records
// them, and reports those that block the loop.
// Thread: the loop's only.
#pragma once

#include "base/time/time.h"
#include "uv/trace/recording.h"

namespace rondo::uv {

class Observer {
 public:
  // Null if nothing is to be observed.
  static std::unique_ptr<Observer> make(bool is_default_loop);

  // Null if the program is not traced.
  Recording* recording() { return recording_.get(); }
  // Around a call of the program's function for a handle or request. Calls do not nest.
  void begin(uint64_t id, uintptr_t function);
  void end(uint64_t id);

 private:
  Observer(std::unique_ptr<Recording> recording, Millis limit)
      : recording_(std::move(recording)), limit_(limit) {}

  std::unique_ptr<Recording> recording_;
  Millis limit_;  // Zero: slow functions are not reported.
  uintptr_t function_ = 0;
  Nanos began_{0};
};

}  // namespace rondo::uv
