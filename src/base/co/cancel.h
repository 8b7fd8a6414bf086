// Cancellation: operations that hold a token of a CancelSource can be cancelled with it. Cancelling
// is a request: an operation ends as soon as it can, and still completes in its own phase, with
// ECANCELED. Thread: one, usually a loop's.
#pragma once

#include "base/list.h"

namespace rondo {

class CancelSource;

// An operation's registration with a source: a base class or a member of the operation. Registering
// allocates nothing.
class CancelHook {
 public:
  // Called once, inside cancel(), after the hook was detached. Must not resume a coroutine or call
  // user code: the caller of cancel() does not expect other state to change meanwhile.
  using Fn = void (*)(CancelHook& self);

  explicit CancelHook(Fn fn) : fn_(fn) {}
  CancelHook(const CancelHook&) = delete;
  CancelHook& operator=(const CancelHook&) = delete;
  ~CancelHook() { detach(); }

  bool is_attached() const { return link_.is_linked(); }
  void detach() {  // Idempotent.
    if (link_.is_linked()) link_.unlink();
  }

 private:
  friend class CancelSource;
  ListLink link_;
  Fn fn_;
};

// A value that refers to a source, which must outlive it. The empty token is never cancelled.
class CancelToken {
 public:
  CancelToken() = default;

  bool is_cancelled() const;
  // True: `hook` will be called on cancellation (never, with an empty token). False: the source was
  // cancelled before, and the hook is not attached.
  bool attach(CancelHook& hook) const;

 private:
  friend class CancelSource;
  explicit CancelToken(CancelSource* source) : source_(source) {}
  CancelSource* source_ = nullptr;
};

class CancelSource {
 public:
  CancelSource() { parent_.owner = this; }
  CancelSource(const CancelSource&) = delete;
  CancelSource& operator=(const CancelSource&) = delete;
  ~CancelSource() {
    if (!hooks_.is_empty()) {
      fatal("a CancelSource was destroyed while operations listen to it; wait for them first");
    }
  }

  CancelToken token() { return CancelToken(this); }
  bool is_cancelled() const { return is_cancelled_; }

  // Calls the hooks in the order of attachment. Permanent: a source is used once.
  void cancel() {
    is_cancelled_ = true;
    while (CancelHook* hook = hooks_.pop_front()) hook->fn_(*hook);
  }
  // From now on, cancelling `parent` also cancels this source; at once if the parent is already
  // cancelled. One parent at a time.
  void follow(CancelToken parent) {
    parent_.detach();
    if (!parent.attach(parent_)) cancel();
  }

 private:
  friend class CancelToken;
  struct ParentHook : CancelHook {
    ParentHook()
        : CancelHook([](CancelHook& self) { static_cast<ParentHook&>(self).owner->cancel(); }) {}
    CancelSource* owner = nullptr;
  };

  List<CancelHook, &CancelHook::link_> hooks_;
  ParentHook parent_;
  bool is_cancelled_ = false;
};

inline bool CancelToken::is_cancelled() const {
  return source_ != nullptr && source_->is_cancelled_;
}

inline bool CancelToken::attach(CancelHook& hook) const {
  if (source_ == nullptr) return true;
  if (source_->is_cancelled_) return false;
  source_->hooks_.push_back(hook);
  return true;
}

}  // namespace rondo
