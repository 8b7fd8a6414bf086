#include "runtime/values/handle_wrap.h"

#include "runtime/values/values.h"

namespace rondo::runtime {

namespace {

// The pattern of handles for which lib has none: its prototype has the methods of all handles.
struct PlainPattern {
  explicit PlainPattern(Realm& realm) {
    v8::Isolate* const isolate = realm.isolate();
    const v8::Local<v8::Object> prototype = v8::Object::New(isolate);
    object.Reset(isolate, Wrap::make_pattern(realm, prototype));
    for (const Method& method : kHandleMethods) {
      const v8::Local<v8::String> name = literal(isolate, method.name);
      v8::Local<v8::Function> function;
      // Both fail only while JavaScript is being terminated: then nothing calls the method.
      if (!v8::Function::New(realm.context(), method.call).ToLocal(&function)) return;
      if (prototype->CreateDataProperty(realm.context(), name, function).IsNothing()) return;
    }
  }
  v8::Global<v8::Object> object;
};

v8::Local<v8::Object> pattern_or_plain(Realm& realm, v8::Local<v8::Object> pattern) {
  if (!pattern.IsEmpty()) return pattern;
  return realm.state<PlainPattern>().object.Get(realm.isolate());
}

}  // namespace

HandleBase::HandleBase(Realm& realm, void* kind, Closing closing, v8::Local<v8::Object> pattern)
    : Wrap(realm, kind, pattern_or_plain(realm, pattern)), closing_(closing) {}

HandleBase* HandleBase::of(v8::Local<v8::Value> value) {
  if (!value->IsObject()) return nullptr;
  const v8::Local<v8::Object> object = value.As<v8::Object>();
  if (object->InternalFieldCount() != kFields) return nullptr;
  const auto* const kind =
      static_cast<const Kind*>(object->GetAlignedPointerFromInternalField(kKindField, kTag));
  if (kind == nullptr || !kind->is_handle) return nullptr;
  return static_cast<HandleBase*>(
      static_cast<Wrap*>(object->GetAlignedPointerFromInternalField(kWrapField, kTag)));
}

void HandleBase::set_ref(bool has_ref) {
  if (has_ref) {
    base().ref();
  } else {
    base().unref();
  }
}

bool HandleBase::close() {
  if (is_closing()) return false;
  if (closing_ == Closing::silent) {
    delete this;
    return true;
  }
  start_closing();
  return true;
}

Handle::OnClose HandleBase::on_close() {
  return [this](Handle&) {
    if (has_object()) {
      const v8::HandleScope handles(isolate());
      on_closed();
    }
    delete this;
  };
}

void HandleBase::destroy() {
  detach();
  close();
}

void close_handle(const Arguments& info) {
  HandleBase* const handle = HandleBase::of(info.This());
  info.GetReturnValue().Set(handle != nullptr && handle->close());
}

void ref_handle(const Arguments& info) {
  if (HandleBase* const handle = HandleBase::of(info.This())) handle->set_ref(true);
}

void unref_handle(const Arguments& info) {
  if (HandleBase* const handle = HandleBase::of(info.This())) handle->set_ref(false);
}

void handle_has_ref(const Arguments& info) {
  const HandleBase* const handle = HandleBase::of(info.This());
  info.GetReturnValue().Set(handle != nullptr && handle->has_ref());
}

}  // namespace rondo::runtime
