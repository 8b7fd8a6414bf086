// HandleWrap<T> is the native side of a JavaScript object that stands for one handle of the loop: a
// socket, a server, a child process, a watcher, a port. It owns the handle, and has the operations
// that all of these share: close, ref, unref, hasRef.
//
//   class Watcher final : public HandleWrap<FsWatch> {
//     explicit Watcher(Realm& realm)
//         : HandleWrap(realm, kind_of<Watcher>(), realm.loop().make<FsWatch>()) {}
//
// In JavaScript these are methods of the object: `watcher.close()`. lib may replace the prototype,
// and then copies the methods from kHandleMethods.
//
// Lifetime: the object is strong until the handle is closed, and empty from then on. The Wrap
// itself lives until the handle's last callback, so callbacks of the handle may capture `this`. At
// the end of the realm it loses its object first: such callbacks check has_object().
// Thread: the loop's only. Callers hold a HandleScope.
#pragma once

#include "loop/handle.h"
#include "runtime/values/binding.h"
#include "runtime/values/wrap.h"

namespace rondo::runtime {

// The part of HandleWrap that does not depend on the type of the handle.
class HandleBase : public Wrap {
 public:
  // The handle of a JavaScript object, of any kind; null if the value is no such object, or if its
  // handle is closed.
  static HandleBase* of(v8::Local<v8::Value> value);

  virtual Handle& base() const = 0;
  const Handle* loop_handle() const final { return &base(); }
  bool is_closing() const { return base().is_closing(); }

  virtual void set_ref(bool has_ref);
  virtual bool has_ref() const { return !is_closing() && base().has_ref(); }

  // Closes the handle; false if it is closing already. Frees this Wrap, at once or after
  // on_closed().
  virtual bool close();
  void destroy() override;

 protected:
  // With `Closing::reported` on_closed() is called in the closing phase, while the object exists.
  // With `Closing::silent` the object is empty when close() returns.
  enum class Closing : uint8_t { silent, reported };
  HandleBase(Realm& realm, void* kind, Closing closing, v8::Local<v8::Object> pattern);

  virtual void on_closed() {}
  // Closes the handle with on_close() as its callback.
  virtual void start_closing() { base().close(on_close()); }
  Handle::OnClose on_close();

 private:
  Closing closing_;
};

template <class T>
class HandleWrap : public HandleBase {
 public:
  T& handle() const { return *handle_; }
  Handle& base() const final { return *handle_; }

 protected:
  HandleWrap(Realm& realm, void* kind, Owned<T> handle, Closing closing = Closing::silent,
             v8::Local<v8::Object> pattern = {})
      : HandleBase(realm, kind, closing, pattern), handle_(std::move(handle)) {}

 private:
  Owned<T> handle_;
};

// close(), ref(), unref(), hasRef(): functions of the receiver. close() answers whether it closed
// the handle.
void close_handle(const v8::FunctionCallbackInfo<v8::Value>& info);
void ref_handle(const v8::FunctionCallbackInfo<v8::Value>& info);
void unref_handle(const v8::FunctionCallbackInfo<v8::Value>& info);
void handle_has_ref(const v8::FunctionCallbackInfo<v8::Value>& info);

inline constexpr Method kHandleMethods[] = {
    {"close", close_handle},
    {"ref", ref_handle},
    {"unref", unref_handle},
    {"hasRef", handle_has_ref},
};

}  // namespace rondo::runtime
