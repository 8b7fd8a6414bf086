#include "uv/trace/observer.h"

#include <unistd.h>

#include "base/time/clock.h"
#include "uv/preload/settings.h"
#include "uv/trace/symbols.h"

namespace rondo::uv {

namespace {

// Between two questions of `rondo top`; more are not kept.
constexpr size_t kMostSlow = 100;

}  // namespace

std::unique_ptr<Observer> Observer::make(bool is_default_loop) {
  std::unique_ptr<Recording> recording = Recording::open(is_default_loop);
  const Millis limit = settings().blocked;
  if (recording == nullptr && limit == Millis::zero() && !settings().has_control) return nullptr;
  return std::unique_ptr<Observer>(new Observer(std::move(recording), limit));
}

void Observer::begin(uint64_t id, uintptr_t function, Nanos now) {
  if (recording_ != nullptr) recording_->begin(id, function);
  since_.store(now.count(), std::memory_order_relaxed);
  function_.store(function, std::memory_order_relaxed);
  const bool measures = limit_ != Millis::zero() || least_.load(std::memory_order_relaxed) != 0;
  began_ = measures ? RealClock::instance().now() : Nanos(-1);
}

void Observer::end(uint64_t id) {
  const uintptr_t function = running();
  function_.store(0, std::memory_order_relaxed);
  if (began_ >= Nanos::zero()) {
    const Nanos took = RealClock::instance().now() - began_;
    if (limit_ != Millis::zero() && took >= limit_) report(function, took);
    const Nanos least(least_.load(std::memory_order_relaxed));
    if (least != Nanos::zero() && took >= least) {
      const std::lock_guard lock(mutex_);
      if (slow_.size() < kMostSlow) slow_.push_back({function, took});
    }
  }
  if (recording_ != nullptr) recording_->end(id);
}

void Observer::report(uintptr_t function, Nanos took) const {
  const FunctionName name = name_of_function(function);
  const auto millis = std::chrono::duration_cast<Millis>(took).count();
  const std::string text = "rondo: a callback blocked the loop for " + std::to_string(millis) +
                           " ms, in " + name.function + " (" + name.file + ")\n";
  const ssize_t ignored = ::write(STDERR_FILENO, text.data(), text.size());
  static_cast<void>(ignored);
}

std::vector<Observer::Slow> Observer::take_slow() {
  const std::lock_guard lock(mutex_);
  return std::exchange(slow_, {});
}

}  // namespace rondo::uv
