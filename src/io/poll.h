// Poll watches a descriptor that other code owns: a socket of another library, a device.
#pragma once

#include "base/result.h"
#include "loop/handle.h"
#include "loop/target.h"

namespace rondo {

// Phase: poll. Thread: the loop's only. Level-triggered: calls back each turn for as long as the
// descriptor is ready, so the callback must read, write or stop. The descriptor stays the caller's:
// it must be open until stop() or close(), and is never closed here.
class Poll : public Handle {
 public:
  enum Events : uint32_t {
    kReadable = 1,
    kWritable = 2,
    kDisconnected = 4,  // The peer has shut down its writing side.
    kUrgent = 8,        // Out-of-band data.
  };
  using OnEvents = Callback<void(Poll&, Result<uint32_t> events)>;

  // EPERM from start() for files of a kind that is always ready, such as regular files.
  Poll(Loop& loop, int fd);
  ~Poll() override = default;

  // Starting again replaces interest and function. An error or hang-up of the descriptor is
  // reported as all requested events, so that the caller's next read or write gets the error.
  Result<void> start(uint32_t events, OnEvents on_events);
  void stop();  // Idempotent, and safe inside the callback.
  int fd() const { return watch_.fd; }
  // The other end of the descriptor is unknown.
  Awaits awaits() const override {
    return is_active() && has_ref() ? Awaits::outside : Awaits::nothing;
  }

 protected:
  void on_closing() override { stop(); }

 private:
  struct FdWatch final : Watch {
    Poll* owner;
  };
  void ready(int32_t result, uint32_t epoll_bits);

  FdWatch watch_;
  uint32_t events_ = 0;
  OnEvents on_events_;
};

}  // namespace rondo
