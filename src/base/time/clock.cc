#include "base/time/clock.h"

#include <algorithm>
#include <ctime>

#include "base/assert.h"

namespace rondo {
namespace {

Nanos read(clockid_t id) {
  timespec time{};
  ::clock_gettime(id, &time);
  return std::chrono::seconds{time.tv_sec} + Nanos{time.tv_nsec};
}

}  // namespace

void Clock::advance_to(Nanos) {}
void Clock::join(ClockUser&) {}
void Clock::leave(ClockUser&) {}
Clock::Jump Clock::jump(ClockUser&, Nanos) { return Jump::never; }
void Clock::resume(ClockUser&) {}

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
  looks_.store(0, std::memory_order_relaxed);
}

void VirtualClock::join(ClockUser& user) {
  const std::lock_guard lock(mutex_);
  user.is_idle_ = false;
  users_.push_back(&user);
}

void VirtualClock::leave(ClockUser& user) {
  const std::lock_guard lock(mutex_);
  std::erase(users_, &user);
  // Other users may have been waiting for this one: wake them to check again.
  for (ClockUser* each : users_) {
    if (each->is_idle_) each->wake();
  }
}

Clock::Jump VirtualClock::jump(ClockUser& user, Nanos instant) {
  const std::lock_guard lock(mutex_);
  user.is_idle_ = true;
  user.wanted_ = instant;
  Nanos first = kForever;
  for (const ClockUser* each : users_) {
    if (!each->is_idle_ || each->has_news()) return Jump::others;
    first = std::min(first, each->wanted_);
  }
  if (first == kForever) return Jump::never;
  if (saturating_add(wall_at_start_, first) > kEnd) {
    fatal(
        "virtual time has reached its end, the year 2262: is there a timer that always starts "
        "itself again?");
  }
  advance_to(first);
  for (ClockUser* each : users_) {
    if (each->wanted_ > first) continue;
    each->is_idle_ = false;
    if (each != &user) each->wake();
  }
  return instant == first ? Jump::done : Jump::others;
}

void VirtualClock::resume(ClockUser& user) {
  const std::lock_guard lock(mutex_);
  user.is_idle_ = false;
}

void VirtualClock::creep() const {
  looks_.store(kManyLooks, std::memory_order_relaxed);  // Keeps the counter from overflowing.
  constexpr Nanos::rep kStep = 1'000;
  if (now_.load(std::memory_order_relaxed) < kForever.count() - kStep) {
    now_.fetch_add(kStep, std::memory_order_relaxed);
  }
}

}  // namespace rondo
