// A request for one read from a stream into the caller's memory.
#pragma once

#include <span>

#include "base/callback.h"
#include "loop/request.h"

namespace rondo {

class Stream;

// Owned by the caller, like the buffer; may be reused from its callback on.
class Read final : public Request {
 public:
  // The number of bytes read; 0 means the end of the stream.
  using OnDone = Callback<void(Read&, Result<size_t>)>;

  explicit Read(Loop& loop) : Request(loop, "read") {}

  // The callback gets ECANCELED, and no data is lost: it is for the next read. EBUSY: the outcome
  // is already decided.
  Result<void> cancel() override;
  // The outcome is known; only the callback is pending.
  bool is_decided() const { return is_decided_; }

 private:
  friend class Stream;
  Stream* stream_ = nullptr;
  std::span<std::byte> buffer_;
  OnDone on_done_;
  Result<size_t> outcome_ = size_t{0};
  bool is_decided_ = false;
};

}  // namespace rondo
