// One connection that somebody waits for.
#pragma once

#include "base/callback.h"
#include "base/fd.h"
#include "loop/request.h"

namespace rondo {

class Listener;

// Owned by whoever waits; free again from its callback on.
class Accept final : public Request {
 public:
  using OnDone = Callback<void(Accept&, Result<Fd>)>;

  explicit Accept(Loop& loop) : Request(loop, "accept") {}

  // The callback comes with ECANCELED; a connection that arrives is for the next one who asks.
  // EBUSY: the outcome is known already.
  Result<void> cancel() override;

 private:
  friend class Listener;

  Listener* listener_ = nullptr;
  OnDone on_done_;
  Result<Fd> outcome_ = Fd();
  bool is_decided_ = false;  // The outcome is known; only the telling waits.
};

}  // namespace rondo
