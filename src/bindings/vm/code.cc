#include "bindings/vm/code.h"

#include <cstdlib>
#include <cstring>

#include "runtime/engine/contexts.h"
#include "runtime/engine/realm.h"
#include "runtime/values/text.h"

namespace rondo::bindings {

namespace {

// Fields of a CodeBox. Other objects with as many fields do not have a number in the first one.
constexpr int kKind = 0;
constexpr int kData = 1;
constexpr int kFirstExtra = 2;
constexpr int kFields = 4;

class Boxes {
 public:
  explicit Boxes(runtime::Realm& realm) {
    v8::Isolate* const isolate = realm.isolate();
    const v8::HandleScope handles(isolate);
    const v8::Local<v8::ObjectTemplate> shape = v8::ObjectTemplate::New(isolate);
    shape->SetInternalFieldCount(kFields);
    shape_.Reset(isolate, shape);
    key_.Reset(isolate, v8::Private::New(isolate));
  }
  v8::Global<v8::ObjectTemplate> shape_;
  v8::Global<v8::Private> key_;  // Of the context of an object.
};

Boxes& boxes(v8::Isolate* isolate) { return runtime::Realm::of(isolate).state<Boxes>(); }

}  // namespace

v8::MaybeLocal<v8::Context> context_of(v8::Isolate* isolate, v8::Local<v8::Value> holder) {
  v8::Local<v8::Value> global;
  v8::Local<v8::Context> context;
  if (!holder->IsObject() ||
      !holder.As<v8::Object>()
           ->GetPrivate(isolate->GetCurrentContext(), boxes(isolate).key_.Get(isolate))
           .ToLocal(&global)) {
    return {};
  }
  if (!global->IsObject() ||
      !global.As<v8::Object>()->GetCreationContext(isolate).ToLocal(&context) ||
      !runtime::Contexts::has(context)) {
    return {};
  }
  return context;
}

bool set_context_of(v8::Isolate* isolate, v8::Local<v8::Object> holder,
                    v8::Local<v8::Context> context) {
  // The global object keeps its context alive.
  return holder
      ->SetPrivate(isolate->GetCurrentContext(), boxes(isolate).key_.Get(isolate),
                   context->Global())
      .FromMaybe(false);
}

v8::ScriptCompiler::CachedData* cached_data(v8::Local<v8::Value> bytes) {
  if (!bytes->IsArrayBufferView()) return nullptr;
  const v8::Local<v8::ArrayBufferView> view = bytes.As<v8::ArrayBufferView>();
  auto* const copy = new uint8_t[view->ByteLength()];
  view->CopyContents(copy, view->ByteLength());
  return new v8::ScriptCompiler::CachedData(copy, static_cast<int>(view->ByteLength()),
                                            v8::ScriptCompiler::CachedData::BufferOwned);
}

v8::Local<v8::ArrayBuffer> to_buffer(v8::Isolate* isolate,
                                     const v8::ScriptCompiler::CachedData* data) {
  if (data == nullptr || data->length == 0) return v8::ArrayBuffer::New(isolate, 0);
  const auto size = static_cast<size_t>(data->length);
  const v8::Local<v8::ArrayBuffer> buffer = v8::ArrayBuffer::New(isolate, size);
  std::memcpy(buffer->Data(), data->data, size);
  return buffer;
}

v8::ScriptOrigin make_origin(v8::Isolate* isolate, const Origin& origin) {
  const v8::Local<v8::PrimitiveArray> options = v8::PrimitiveArray::New(isolate, 1);
  options->Set(isolate, 0, origin.import_option.As<v8::Primitive>());
  return {origin.name, origin.line, origin.column,    true,   -1, v8::Local<v8::Value>(),
          false,       false,       origin.is_module, options};
}

v8::MaybeLocal<v8::Object> CodeBox::make(v8::Isolate* isolate, Kind kind,
                                         v8::Local<v8::Data> data) {
  v8::Local<v8::Object> box;
  if (!boxes(isolate)
           .shape_.Get(isolate)
           ->NewInstance(isolate->GetCurrentContext())
           .ToLocal(&box)) {
    return {};
  }
  box->SetInternalField(kKind, v8::Integer::New(isolate, static_cast<int>(kind)));
  box->SetInternalField(kData, data);
  return box;
}

bool CodeBox::is(v8::Local<v8::Value> value, Kind kind) {
  if (!value->IsObject() || value.As<v8::Object>()->InternalFieldCount() != kFields) return false;
  const v8::Local<v8::Data> found = value.As<v8::Object>()->GetInternalField(kKind);
  return found->IsValue() && found.As<v8::Value>()->IsInt32() &&
         found.As<v8::Int32>()->Value() == static_cast<int>(kind);
}

v8::Local<v8::Data> CodeBox::data(v8::Local<v8::Value> box) {
  return box.As<v8::Object>()->GetInternalField(kData);
}

v8::Local<v8::Value> CodeBox::extra(v8::Local<v8::Object> box, Extra which) {
  return box->GetInternalField(kFirstExtra + static_cast<int>(which)).As<v8::Value>();
}

void CodeBox::set_extra(v8::Local<v8::Object> box, Extra which, v8::Local<v8::Value> value) {
  box->SetInternalField(kFirstExtra + static_cast<int>(which), value);
}

}  // namespace rondo::bindings
