// Readiness: a minimal handle that watches a descriptor, for tests of the loop itself. Phase: poll.
// The test owns the descriptor; with a scripted poller it is only a number.
#pragma once

#include <sys/epoll.h>

#include <cstdint>
#include <utility>

#include "loop/internals.h"

namespace rondo {

class Readiness final : public Handle {
 public:
  // `events` are EPOLL* bits; a negative `result` is an error.
  using OnReady = Callback<void(Readiness&, int32_t result, uint32_t events)>;

  Readiness(Loop& loop, int fd) : Handle(loop, "readiness") {
    watch_.owner = this;
    watch_.source = this;
    watch_.fd = fd;
    watch_.fn = [](Target& target, int32_t result, uint32_t events) {
      Readiness& self = *static_cast<OwnedWatch&>(target).owner;
      if (result < 0) self.deactivate();  // The poller has dropped the watch.
      CallbackScope scope(self.loop(), self);
      self.on_ready_.call_replaceable(self, result, events);
    };
  }
  ~Readiness() override = default;

  Result<void> start(uint32_t interest, OnReady on_ready) {
    if (Result<void> watched = internals().poller().watch(watch_, interest); !watched)
      return watched;
    on_ready_ = std::move(on_ready);
    activate();
    return {};
  }
  void stop() {
    internals().unwatch(watch_);
    deactivate();
  }
  int fd() const { return watch_.fd; }

 private:
  struct OwnedWatch final : Watch {
    Readiness* owner;
  };
  void on_closing() override { stop(); }

  OwnedWatch watch_;
  OnReady on_ready_;
};

}  // namespace rondo
