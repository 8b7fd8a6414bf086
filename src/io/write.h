// One write in the queue of a stream.
#pragma once

#include <sys/uio.h>

#include <span>

#include "base/callback.h"
#include "base/list.h"
#include "loop/request.h"

namespace rondo {

class Stream;

// Owned by whoever writes, next to the bytes; free again from its callback on.
class Write final : public Request {
 public:
  using OnDone = Callback<void(Write&, Result<void>)>;

  explicit Write(Loop& loop) : Request(loop, "write") {}

  // Only a write of which the kernel has taken nothing yet; EBUSY otherwise. The bytes behind it in
  // the queue move up.
  Result<void> cancel() override;
  // As cancel, but a write that has begun is given up, too, with ECANCELED. If part of it is out by
  // then, the peer cannot make sense of anything that follows: what is queued behind it fails with
  // EPIPE, and so does every later write. EBUSY: the outcome is known already.
  Result<void> give_up();

 private:
  friend class Stream;
  bool is_waiting() const { return is_pending() && link_.is_linked() && !is_decided_; }

  Stream* stream_ = nullptr;
  ListLink link_;  // In the stream's queue, or among its finished ones.
  const iovec* parts_ = nullptr;
  size_t count_ = 0;
  size_t offset_ = 0;  // Bytes of parts_[0] that are out already.
  size_t left_ = 0;    // Bytes in all that are not.
  iovec single_{};     // parts_ of a write of one piece.
  OnDone on_done_;
  int error_ = 0;  // 0: it went well.
  bool is_partly_out_ : 1 = false;
  bool is_decided_ : 1 = false;  // In the stream's list of finished ones.
};

}  // namespace rondo
