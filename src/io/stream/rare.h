// Members of a stream that most connections never need, allocated on demand.
#pragma once

#include "io/stream/stream.h"

namespace rondo {

// Keeps the loop alive between shutdown() and its callback.
class ShutdownRequest final : public Request {
 public:
  explicit ShutdownRequest(Loop& loop) : Request(loop, "shutdown") {}
  Result<void> cancel() override { return Error{EBUSY, "cancel"}; }

 private:
  friend class Stream;
};

struct Stream::Rare {
  explicit Rare(Loop& loop) : shutdown(loop) {}

  std::span<std::byte> read_into;

  ShutdownRequest shutdown;
  OnShutdown on_shutdown;

  size_t high_water = SIZE_MAX;
  OnDrain on_drain;
};

}  // namespace rondo
