// Asking for an end: a CancelSource asks, whoever holds its token listens. Cancelling is a request,
// not a blow: an operation that listens gives up as soon as it can, and still reports its end in
// its own phase, with ECANCELED. Thread: one; a loop's, as a rule.
#pragma once

#include "base/list.h"

namespace rondo {

class CancelSource;

// Listens to a source: a base class or a member of an operation. Registering allocates nothing.
class CancelHook {
 public:
  // Called once, from inside cancel(), and no longer attached by then. Must not resume a coroutine
  // or call a user's function: whoever cancels does not expect the world to change meanwhile.
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

// A value: a view of a source, which must outlive it. The empty token is never cancelled.
class CancelToken {
 public:
  CancelToken() = default;

  bool is_cancelled() const;
  // True: `hook` will be called, or, with an empty token, never. False: it is too late, the source
  // was cancelled before, and the hook is not attached.
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

  // Calls the hooks in the order in which they were attached. For good: a source is used once.
  void cancel() {
    is_cancelled_ = true;
    while (CancelHook* hook = hooks_.pop_front()) hook->fn_(*hook);
  }
  // Is cancelled along with `parent` from now on; at once if that was. One parent at a time.
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
