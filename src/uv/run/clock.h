// The virtual clock of a process whose threads may have several loops, such as Node's for
// spawnSync(). Of the loops of a thread only the one that has run last takes part in the jumps of
// the clock: the others cannot run meanwhile.
// Thread: any.
#pragma once

#include <mutex>
#include <thread>
#include <vector>

#include "base/time/clock.h"

namespace rondo::uv {

class ProgramClock final : public Clock {
 public:
  // `wall` is the time since 1970 at which the clock starts.
  explicit ProgramClock(Nanos wall) : clock_(wall - kStart) { clock_.advance_to(kStart); }

  Nanos now() const override { return clock_.now(); }
  Nanos wall() const override { return clock_.wall(); }
  bool is_virtual() const override { return true; }
  void advance_to(Nanos instant) override { clock_.advance_to(instant); }
  void join(ClockUser& user) override;
  // For a thread that is about to start.
  void join_other_thread(ClockUser& user);
  void leave(ClockUser& user) override;
  Jump jump(ClockUser& user, Nanos instant) override;
  void resume(ClockUser& user) override;

 private:
  // The monotonic clock begins here: programs take zero for "no time".
  static constexpr Nanos kStart = std::chrono::seconds{1};

  struct Place {
    ClockUser* user;
    std::thread::id thread;
    bool takes_part;
  };
  void take_part(ClockUser& user);

  VirtualClock clock_;
  std::mutex places_mutex_;
  std::vector<Place> places_;
};

}  // namespace rondo::uv
