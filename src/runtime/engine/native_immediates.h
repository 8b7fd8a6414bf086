// Immediates of native code: callbacks in the check phase, before those of JavaScript. Node has the
// same order, so the end of a write that it reports there comes before setImmediate() of a program.
// As in Node, all of a turn count as one callback: ticks and microtasks drain after the last one.
// Thread: the loop's only.
#pragma once

#include "base/callback.h"
#include "base/list.h"
#include "runtime/engine/js_entry.h"
#include "runtime/engine/realm.h"

namespace rondo::runtime {

class NativeImmediates;

// Not a handle: destroying it clears it.
class NativeImmediate {
 public:
  using OnCheck = Callback<void()>;

  NativeImmediate() = default;
  NativeImmediate(const NativeImmediate&) = delete;
  NativeImmediate& operator=(const NativeImmediate&) = delete;
  ~NativeImmediate() { clear(); }

  // Keeps the loop alive until it has run. Set by a native immediate, it runs in the same turn; set
  // by one of JavaScript, in the next.
  void set(Realm& realm, OnCheck on_check);
  void clear();  // Idempotent.
  bool is_set() const { return link_.is_linked(); }

 private:
  friend class NativeImmediates;
  ListLink link_;
  Realm* realm_ = nullptr;
  OnCheck on_check_;
};

// The native immediates of a realm, as state of the realm.
class NativeImmediates {
 public:
  explicit NativeImmediates(Realm& realm) : realm_(realm) {}
  ~NativeImmediates() {
    while (NativeImmediate* const immediate = all_.pop_front()) immediate->realm_ = nullptr;
  }
  NativeImmediates(const NativeImmediates&) = delete;
  NativeImmediates& operator=(const NativeImmediates&) = delete;

  // Runs all, also those that are set meanwhile.
  void run() {
    if (all_.is_empty()) return;
    v8::Isolate* const isolate = realm_.isolate();
    const v8::HandleScope handles(isolate);
    v8::Local<v8::Function> function = run_all_.Get(isolate);
    if (function.IsEmpty()) {
      if (!v8::Function::New(realm_.context(), run_all).ToLocal(&function)) return;
      run_all_.Reset(isolate, function);
    }
    // Calls inside a call do not drain.
    JsEntry::call(realm_, function, {});
  }

 private:
  friend class NativeImmediate;
  static void run_all(const v8::FunctionCallbackInfo<v8::Value>& info) {
    auto& self = Realm::of(info.GetIsolate()).state<NativeImmediates>();
    while (NativeImmediate* const immediate = self.all_.pop_front()) {
      self.count(-1);
      // Through a local: the immediate may set itself again, or be destroyed.
      NativeImmediate::OnCheck on_check = std::move(immediate->on_check_);
      on_check();
    }
  }

  // The loop stays alive, and the phase runs, for the same counters as with JavaScript's.
  void count(int change) {
    realm_.shared(Shared::immediates) = realm_.shared(Shared::immediates) + change;
    realm_.shared(Shared::refd_immediates) = realm_.shared(Shared::refd_immediates) + change;
  }

  Realm& realm_;
  v8::Global<v8::Function> run_all_;
  List<NativeImmediate, &NativeImmediate::link_> all_;
};

inline void NativeImmediate::set(Realm& realm, OnCheck on_check) {
  clear();
  on_check_ = std::move(on_check);
  realm_ = &realm;
  auto& queue = realm.state<NativeImmediates>();
  queue.all_.push_back(*this);
  queue.count(1);
}

inline void NativeImmediate::clear() {
  if (!link_.is_linked()) return;
  link_.unlink();
  realm_->state<NativeImmediates>().count(-1);
}

}  // namespace rondo::runtime
