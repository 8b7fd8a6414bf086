// A request for one connection.
#pragma once

#include "base/callback.h"
#include "base/fd.h"
#include "loop/request.h"

namespace rondo {

class Listener;

// Owned by the caller; may be reused from its callback on.
class Accept final : public Request {
 public:
  using OnDone = Callback<void(Accept&, Result<Fd>)>;

  explicit Accept(Loop& loop) : Request(loop, "accept") {}

  // The callback gets ECANCELED; a connection that arrives later is for the next request. EBUSY:
  // the outcome is already decided.
  Result<void> cancel() override;

 private:
  friend class Listener;

  Listener* listener_ = nullptr;
  OnDone on_done_;
  Result<Fd> outcome_ = Fd();
  bool is_decided_ = false;  // The outcome is known; only the callback is pending.
};

}  // namespace rondo
