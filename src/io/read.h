// One read from a stream into the caller's own memory.
#pragma once

#include <span>

#include "base/callback.h"
#include "loop/request.h"

namespace rondo {

class Stream;

// Owned by whoever reads, next to the bytes; free again from its callback on.
class Read final : public Request {
 public:
  // How many bytes have come; none means the end of the stream.
  using OnDone = Callback<void(Read&, Result<size_t>)>;

  explicit Read(Loop& loop) : Request(loop, "read") {}

  // The callback comes with ECANCELED, and nothing is lost: what arrives is for the next read.
  // EBUSY: the outcome is known already.
  Result<void> cancel() override;
  bool is_decided() const { return is_decided_; }  // The outcome is known; only the telling waits.

 private:
  friend class Stream;
  Stream* stream_ = nullptr;
  std::span<std::byte> buffer_;
  OnDone on_done_;
  Result<size_t> outcome_ = size_t{0};
  bool is_decided_ = false;
};

}  // namespace rondo
