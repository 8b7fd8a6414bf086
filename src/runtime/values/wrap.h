// A Wrap is a C++ object owned by a JavaScript object, which is opaque to lib and passed back to
// the functions of a binding. Each refers to the other without a table.
//
//   class Socket final : public Wrap { ... };
//   void write(const Arguments& info) { Socket* socket = Wrap::of<Socket>(info[0]); ... }
//
// Lifetime: a Wrap begins strong, so that an open socket without references stays alive, and ends
// with destroy(); from then on the JavaScript object is empty. After release() it ends when the
// JavaScript object is collected. Wraps that exist when the realm ends are destroyed then, newest
// first.
// Thread: the loop's only. Callers hold a HandleScope.
#pragma once

#include <type_traits>
#include <vector>

#include "base/list.h"
#include "runtime/engine/realm.h"
#include "runtime/values/v8.h"

namespace rondo {
class Handle;
}

namespace rondo::runtime {

class HandleBase;

class Wrap {
 public:
  Wrap(const Wrap&) = delete;
  Wrap& operator=(const Wrap&) = delete;

  // The T of a JavaScript object; null if the value is not such an object, or if the T was
  // destroyed.
  template <class T>
  static T* of(v8::Local<v8::Value> value) {
    if (!value->IsObject()) return nullptr;
    const v8::Local<v8::Object> object = value.As<v8::Object>();
    if (object->InternalFieldCount() != kFields) return nullptr;
    if (object->GetAlignedPointerFromInternalField(kKindField, kTag) != kind_of<T>())
      return nullptr;
    return static_cast<T*>(
        static_cast<Wrap*>(object->GetAlignedPointerFromInternalField(kWrapField, kTag)));
  }

  // Called once per realm, before JavaScript runs.
  static void prepare(Realm& realm);
  // All Wraps of a realm, oldest first.
  static std::vector<Wrap*> all(Realm& realm);

  Realm& realm() const { return realm_; }
  v8::Isolate* isolate() const { return realm_.isolate(); }
  v8::Local<v8::Object> object() const { return object_.Get(realm_.isolate()); }

  // The loop's handle of this Wrap, if it can keep a program alive: for
  // process._getActiveHandles().
  virtual const Handle* loop_handle() const { return nullptr; }

  // An object that is cloned for Wraps of one kind: lib gives it a prototype, and fields with their
  // first values.
  static v8::Local<v8::Object> make_pattern(Realm& realm, v8::Local<v8::Value> prototype);

  virtual void destroy() { delete this; }
  // From now on the Wrap is freed when the JavaScript object is collected. Idempotent; hold()
  // undoes it.
  void release();
  void hold() { object_.ClearWeak(); }

 protected:
  // `kind` identifies the type: `Wrap(realm, kind_of<Socket>())`. Without a pattern the object has
  // no prototype of its own.
  Wrap(Realm& realm, void* kind, v8::Local<v8::Object> pattern = {});
  virtual ~Wrap();

  // Ends the connection with the JavaScript object before the destructor does. Idempotent.
  void detach();
  bool has_object() const { return !object_.IsEmpty(); }

  template <class T>
  static void* kind_of() {
    return &kind_<T>;
  }

 private:
  friend class HandleBase;
  friend class Wraps;
  struct Kind {
    bool is_handle;
  };
  static constexpr int kFields = 2;
  static constexpr int kWrapField = 0;
  static constexpr int kKindField = 1;
  // V8 supports tags to distinguish types of pointers; kKindField serves this purpose here.
  static constexpr v8::EmbedderDataTypeTag kTag = v8::kEmbedderDataTypeTagDefault;
  template <class T>
  alignas(8) inline static Kind kind_{std::is_base_of_v<HandleBase, T>};

  Realm& realm_;
  v8::Global<v8::Object> object_;
  ListLink link_;
};

}  // namespace rondo::runtime
