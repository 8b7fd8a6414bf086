// internalBinding('messaging'): structured clones, by V8's serializer and back.
#include <cstdlib>
#include <memory>
#include <vector>

#include "base/assert.h"
#include "runtime/binding.h"
#include "runtime/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;

v8::Local<v8::Private> untransferable(v8::Isolate* isolate) {
  return v8::Private::ForApi(isolate, runtime::literal(isolate, "rondo:untransferable"));
}

using SharedMemory = std::vector<std::shared_ptr<v8::BackingStore>>;

class Writer final : public v8::ValueSerializer::Delegate {
 public:
  Writer(v8::Isolate* isolate, v8::Local<v8::Function> make_error)
      : isolate_(isolate), make_error_(make_error) {}

  void ThrowDataCloneError(v8::Local<v8::String> message) override {
    v8::Local<v8::Value> argument = message;
    v8::Local<v8::Value> error;
    if (make_error_->Call(isolate_->GetCurrentContext(), v8::Undefined(isolate_), 1, &argument)
            .ToLocal(&error)) {
      isolate_->ThrowException(error);
    }
  }
  v8::Maybe<uint32_t> GetSharedArrayBufferId(v8::Isolate*,
                                             v8::Local<v8::SharedArrayBuffer> buffer) override {
    shared_.push_back(buffer->GetBackingStore());
    return v8::Just(static_cast<uint32_t>(shared_.size() - 1));
  }
  const SharedMemory& shared() const { return shared_; }

 private:
  v8::Isolate* isolate_;
  v8::Local<v8::Function> make_error_;
  SharedMemory shared_;
};

class Reader final : public v8::ValueDeserializer::Delegate {
 public:
  explicit Reader(const SharedMemory& shared) : shared_(shared) {}

  v8::MaybeLocal<v8::SharedArrayBuffer> GetSharedArrayBufferFromId(v8::Isolate* isolate,
                                                                   uint32_t id) override {
    RONDO_ASSERT(id < shared_.size());
    return v8::SharedArrayBuffer::New(isolate, shared_[id]);
  }

 private:
  const SharedMemory& shared_;
};

using ArrayBuffers = std::vector<v8::Local<v8::ArrayBuffer>>;

bool read_list(v8::Local<v8::Context> context, v8::Local<v8::Value> value, ArrayBuffers* buffers) {
  if (!value->IsArray()) return true;
  const v8::Local<v8::Array> list = value.As<v8::Array>();
  for (uint32_t i = 0; i < list->Length(); ++i) {
    v8::Local<v8::Value> item;
    if (!list->Get(context, i).ToLocal(&item)) return false;
    RONDO_ASSERT(item->IsArrayBuffer());
    buffers->push_back(item.As<v8::ArrayBuffer>());
  }
  return true;
}

struct Free {
  void operator()(uint8_t* data) const noexcept { std::free(data); }
};

// structuredClone(value, [ArrayBuffer...] or undefined, makeDataCloneError)
void structured_clone(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  RONDO_ASSERT(info[2]->IsFunction());
  ArrayBuffers moved;
  if (!read_list(context, info[1], &moved)) return;

  Writer writer(isolate, info[2].As<v8::Function>());
  v8::ValueSerializer serializer(isolate, &writer);
  for (uint32_t i = 0; i < moved.size(); ++i) serializer.TransferArrayBuffer(i, moved[i]);
  serializer.WriteHeader();
  if (serializer.WriteValue(context, info[0]).IsNothing()) return;
  const std::pair<uint8_t*, size_t> written = serializer.Release();
  const std::unique_ptr<uint8_t, Free> memory(written.first);

  Reader reader(writer.shared());
  v8::ValueDeserializer deserializer(isolate, written.first, written.second, &reader);
  // Only now, when nothing can go wrong any more, do the buffers lose what they had.
  for (uint32_t i = 0; i < moved.size(); ++i) {
    std::shared_ptr<v8::BackingStore> store = moved[i]->GetBackingStore();
    const bool was_detached = moved[i]->WasDetached();
    if (!was_detached) moved[i]->Detach();
    deserializer.TransferArrayBuffer(i, was_detached
                                            ? v8::ArrayBuffer::New(isolate, 0)
                                            : v8::ArrayBuffer::New(isolate, std::move(store)));
  }
  v8::Local<v8::Value> clone;
  if (deserializer.ReadHeader(context).IsNothing()) return;
  if (deserializer.ReadValue(context).ToLocal(&clone)) info.GetReturnValue().Set(clone);
}

// markUntransferable(buffer): for memory that is shared by many.
void mark_untransferable(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_ASSERT(info[0]->IsObject());
  info[0]
      .As<v8::Object>()
      ->SetPrivate(isolate->GetCurrentContext(), untransferable(isolate), v8::True(isolate))
      .Check();
}

void is_untransferable(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_ASSERT(info[0]->IsObject());
  info.GetReturnValue().Set(info[0]
                                .As<v8::Object>()
                                ->HasPrivate(isolate->GetCurrentContext(), untransferable(isolate))
                                .FromMaybe(false));
}

constexpr runtime::Method kMethods[] = {
    {"structuredClone", structured_clone},
    {"markUntransferable", mark_untransferable},
    {"isUntransferable", is_untransferable},
};

}  // namespace

extern const runtime::Binding messaging;
const runtime::Binding messaging{"messaging", kMethods};

}  // namespace rondo::bindings
