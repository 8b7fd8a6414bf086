// Members of a stream that an idle connection does not need. Allocated when it writes, reads on
// demand, shuts down or sets an option, and freed when all of this is over.
#pragma once

#include "base/short_list.h"
#include "io/stream/stream.h"
#include "loop/phases/pending.h"

namespace rondo {

// Keeps the loop alive between shutdown() and its callback.
class ShutdownRequest final : public Request {
 public:
  explicit ShutdownRequest(Loop& loop) : Request(loop, "shutdown") {}
  Result<void> cancel() override { return Error{EBUSY, "cancel"}; }

 private:
  friend class Stream;
};

// Runs callbacks in the pending phase.
struct Stream::Rare final : Deferred {
  explicit Rare(Stream& owner)
      : Deferred([](Deferred& self) { static_cast<Rare&>(self).stream.run_pending(); }),
        stream(owner),
        shutdown(owner.loop()) {}

  bool is_used() const {
    return !queue.is_empty() || !done.is_empty() || pull != nullptr || is_queued() ||
           shutdown.is_pending() || !read_into.empty() || high_water != SIZE_MAX;
  }

  Stream& stream;
  ShortList<Write, &Write::link_> queue;  // Front: the one being sent.
  ShortList<Write, &Write::link_> done;   // Their callbacks are pending.
  size_t queued_bytes = 0;
  Read* pull = nullptr;

  ShutdownRequest shutdown;
  OnShutdown on_shutdown;

  std::span<std::byte> read_into;
  size_t high_water = SIZE_MAX;
  OnDrain on_drain;
};

}  // namespace rondo
