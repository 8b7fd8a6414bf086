// internalBinding('shared_text'): a text with a version that several threads read and replace. It
// lives in the memory of a SharedArrayBuffer, so that messages carry it and the last user frees it.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "runtime/values/binding.h"
#include "runtime/values/text.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;

struct SharedText {
  static constexpr uint64_t kMark = 0x7465'7874'5f72'6f6e;

  uint64_t mark = kMark;  // Distinguishes it from buffers that programs make.
  std::mutex mutex;
  uint32_t version = 1;
  std::string text;
};

SharedText* text_of(v8::Local<v8::Value> value) {
  if (!value->IsSharedArrayBuffer()) return nullptr;
  const std::shared_ptr<v8::BackingStore> memory =
      value.As<v8::SharedArrayBuffer>()->GetBackingStore();
  if (memory->ByteLength() != sizeof(SharedText)) return nullptr;
  auto* const text = static_cast<SharedText*>(memory->Data());
  return text->mark == SharedText::kMark ? text : nullptr;
}

// create(text): a SharedArrayBuffer for the functions below; its version is 1.
void create(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[0]->IsString());
  auto* const text = new SharedText;
  text->text = runtime::to_std(isolate, info[0]);
  std::shared_ptr<v8::BackingStore> memory = v8::SharedArrayBuffer::NewBackingStore(
      text, sizeof(SharedText),
      [](void* data, size_t, void*) { delete static_cast<SharedText*>(data); }, nullptr);
  info.GetReturnValue().Set(v8::SharedArrayBuffer::New(isolate, std::move(memory)));
}

// read(buffer, version): undefined if that is the text's version, otherwise [version, text].
void read(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  SharedText* const shared = text_of(info[0]);
  RONDO_EXPECT(info, shared != nullptr && info[1]->IsUint32());
  std::string copy;
  uint32_t version = 0;
  {
    const std::lock_guard lock(shared->mutex);
    version = shared->version;
    if (version == info[1].As<v8::Uint32>()->Value()) return;
    copy = shared->text;
  }
  v8::Local<v8::String> text;
  if (!runtime::utf8_string(isolate, reinterpret_cast<const uint8_t*>(copy.data()), copy.size())
           .ToLocal(&text))
    return;
  v8::Local<v8::Value> pair[] = {v8::Integer::NewFromUnsigned(isolate, version), text};
  info.GetReturnValue().Set(v8::Array::New(isolate, pair, 2));
}

// replace(buffer, version, text): the new version, or 0 if the text has another version by now.
void replace(const Arguments& info) {
  SharedText* const shared = text_of(info[0]);
  RONDO_EXPECT(info, shared != nullptr && info[1]->IsUint32() && info[2]->IsString());
  std::string text = runtime::to_std(info.GetIsolate(), info[2]);
  const std::lock_guard lock(shared->mutex);
  if (shared->version != info[1].As<v8::Uint32>()->Value()) {
    info.GetReturnValue().Set(0);
    return;
  }
  std::swap(shared->text, text);
  shared->version = shared->version == UINT32_MAX ? 1 : shared->version + 1;
  info.GetReturnValue().Set(shared->version);
}

constexpr runtime::Method kMethods[] = {{"create", create}, {"read", read}, {"replace", replace}};

}  // namespace

extern const runtime::Binding shared_text;
const runtime::Binding shared_text{"shared_text", kMethods};

}  // namespace rondo::bindings
