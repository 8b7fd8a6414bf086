// For tests: a poller that delivers the events a test has scripted, at the scripted times, without
// the kernel. It moves the test's clock as a real wait would: to the next event or to the end of
// the sleep.
#pragma once

#include <map>

#include "base/time/clock.h"
#include "loop/poller/poller.h"

namespace rondo {

// A clock that only a test moves. is_virtual() is false: the poller advances it.
class ManualClock final : public Clock {
 public:
  Nanos now() const override {
    ++reads_;
    return now_;
  }
  Nanos wall() const override { return now_; }
  void advance_to(Nanos instant) override {
    if (instant > now_) now_ = instant;
  }
  void advance(Nanos duration) { advance_to(now_ + duration); }
  uint64_t reads() const { return reads_; }

 private:
  Nanos now_{0};
  mutable uint64_t reads_ = 0;
};

class ScriptedPoller final : public Poller {
 public:
  explicit ScriptedPoller(ManualClock& clock) : clock_(clock) {}

  // At `when`, `fd` becomes ready once with these EPOLL* bits, if it is watched by then.
  void at(Nanos when, int fd, uint32_t events) { script_.insert({when, {fd, events}}); }
  // The next sleep ends this much too early without events, as after a signal.
  void interrupt_after(Nanos time) { interrupt_after_ = time; }
  // The timeout of each wait.
  const std::vector<Nanos>& sleeps() const { return sleeps_; }

  Backend backend() const override { return Backend::scripted; }
  Result<void> watch(Watch& watch, uint32_t interest) override;
  void unwatch(Watch& watch) override;
  void wait(Nanos timeout, std::vector<Event>& ready) override;
  Result<void> reopen_after_fork() override { return {}; }

 private:
  struct Readiness {
    int fd;
    uint32_t events;
  };
  bool take_due(std::vector<Event>& ready);

  ManualClock& clock_;
  std::multimap<Nanos, Readiness> script_;
  std::map<int, Watch*> watches_;
  std::vector<Nanos> sleeps_;
  Nanos interrupt_after_{-1};
};

}  // namespace rondo
