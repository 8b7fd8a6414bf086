// A request for one write, in the queue of a stream.
#pragma once

#include <sys/uio.h>

#include <span>

#include "base/callback.h"
#include "base/list.h"
#include "loop/request.h"

namespace rondo {

class Stream;

// Owned by the caller, like the bytes; may be reused from its callback on.
class Write final : public Request {
 public:
  using OnDone = Callback<void(Write&, Result<void>)>;

  explicit Write(Loop& loop) : Request(loop, "write") {}

  // Cancels a write of which the kernel has taken nothing yet; EBUSY otherwise. Later writes in the
  // queue move up.
  Result<void> cancel() override;
  // As cancel(), but also gives up a write that has begun, with ECANCELED. If part of it was sent,
  // the byte stream is broken: writes queued behind it and all later ones fail with EPIPE. EBUSY:
  // the outcome is already decided.
  Result<void> give_up();

 private:
  friend class Stream;
  bool is_waiting() const { return is_pending() && link_.is_linked() && !is_decided_; }

  Stream* stream_ = nullptr;
  ListLink link_;  // In the stream's queue, or in its list of finished writes.
  const iovec* parts_ = nullptr;
  size_t count_ = 0;
  size_t offset_ = 0;  // Bytes of parts_[0] that were sent.
  size_t left_ = 0;    // Total bytes not yet sent.
  iovec single_{};     // parts_ of a write of one buffer.
  OnDone on_done_;
  int error_ = 0;  // 0: success.
  bool is_partly_out_ : 1 = false;
  bool is_decided_ : 1 = false;  // In the stream's list of finished writes.
};

}  // namespace rondo
