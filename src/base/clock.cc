#include "base/clock.h"

#include <ctime>

namespace rondo {
namespace {

Nanos read(clockid_t id) {
  timespec time{};
  ::clock_gettime(id, &time);
  return std::chrono::seconds{time.tv_sec} + Nanos{time.tv_nsec};
}

}  // namespace

void Clock::advance_to(Nanos) {}

Nanos RealClock::now() const { return read(CLOCK_MONOTONIC); }

Nanos RealClock::wall() const { return read(CLOCK_REALTIME); }

RealClock& RealClock::instance() {
  static RealClock clock;
  return clock;
}

void VirtualClock::advance_to(Nanos instant) {
  Nanos::rep before = now_.load(std::memory_order_relaxed);
  while (instant.count() > before && !now_.compare_exchange_weak(before, instant.count())) {
  }
}

}  // namespace rondo
