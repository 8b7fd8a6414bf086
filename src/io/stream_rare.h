// The part of a stream that most connections never need, kept out of the others' memory.
#pragma once

#include <sys/socket.h>

#include <array>
#include <vector>

#include "io/stream.h"

namespace rondo {

// Keeps the loop alive between shutdown() and its callback.
class ShutdownRequest final : public Request {
 public:
  explicit ShutdownRequest(Loop& loop) : Request(loop, "shutdown") {}
  Result<void> cancel() override { return Error{EBUSY, "cancel"}; }

 private:
  friend class Stream;
  Result<void> outcome_;
  bool is_decided_ = false;
};

struct Stream::Rare {
  // More pieces than this go out in several system calls.
  static constexpr size_t kMostParts = 64;

  explicit Rare(Loop& loop) : shutdown(loop) {}

  // What arrived after read_stop(), for the next read_start(); then how the stream ended.
  std::vector<std::byte> held;
  Result<void> held_end;
  bool has_held_end = false;

  ShutdownRequest shutdown;
  OnShutdown on_shutdown;

  size_t high_water = SIZE_MAX;
  OnDrain on_drain;

  // Of the send in flight, where it has several pieces: the kernel reads them when it gets there.
  msghdr message{};
  std::array<iovec, kMostParts> parts;
};

}  // namespace rondo
