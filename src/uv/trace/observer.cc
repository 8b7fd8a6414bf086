#include "uv/trace/observer.h"

#include <unistd.h>

#include "base/time/clock.h"
#include "uv/preload/settings.h"
#include "uv/trace/symbols.h"

namespace rondo::uv {

std::unique_ptr<Observer> Observer::make(bool is_default_loop) {
  std::unique_ptr<Recording> recording = Recording::open(is_default_loop);
  const Millis limit = settings().blocked;
  if (recording == nullptr && limit == Millis::zero()) return nullptr;
  return std::unique_ptr<Observer>(new Observer(std::move(recording), limit));
}

void Observer::begin(uint64_t id, uintptr_t function) {
  if (recording_ != nullptr) recording_->begin(id, function);
  if (limit_ == Millis::zero()) return;
  function_ = function;
  began_ = RealClock::instance().now();
}

void Observer::end(uint64_t id) {
  if (limit_ != Millis::zero()) {
    const Nanos took = RealClock::instance().now() - began_;
    if (took >= limit_) {
      const FunctionName name = name_of_function(function_);
      const auto millis = std::chrono::duration_cast<Millis>(took).count();
      const std::string text = "rondo: a callback blocked the loop for " + std::to_string(millis) +
                               " ms, in " + name.function + " (" + name.file + ")\n";
      const ssize_t ignored = ::write(STDERR_FILENO, text.data(), text.size());
      static_cast<void>(ignored);
    }
  }
  if (recording_ != nullptr) recording_->end(id);
}

}  // namespace rondo::uv
