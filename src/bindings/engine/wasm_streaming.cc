// internalBinding('wasm_streaming'): WebAssembly.compileStreaming() and instantiateStreaming(),
// whose bytes lib reads from a Response.
#include <cstddef>
#include <cstdint>
#include <memory>

#include "runtime/engine/wasm_stream.h"
#include "runtime/values/binding.h"
#include "runtime/values/values.h"
#include "runtime/values/wrap.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::WasmStream;
using runtime::Wrap;

// push(stream, view)
void push(const Arguments& info) {
  auto* const stream = Wrap::of<WasmStream>(info[0]);
  RONDO_EXPECT(info, stream != nullptr);
  RONDO_EXPECT(info, info[1]->IsArrayBufferView());
  const v8::Local<v8::ArrayBufferView> view = info[1].As<v8::ArrayBufferView>();
  const std::shared_ptr<v8::BackingStore> store = view->Buffer()->GetBackingStore();
  if (view->ByteLength() == 0) return;
  const auto* const bytes = static_cast<const uint8_t*>(store->Data()) + view->ByteOffset();
  stream->streaming().OnBytesReceived(bytes, view->ByteLength());
}

// finish(stream): all bytes were pushed.
void finish(const Arguments& info) {
  auto* const stream = Wrap::of<WasmStream>(info[0]);
  RONDO_EXPECT(info, stream != nullptr);
  stream->streaming().Finish(v8::WasmStreaming::ModuleCachingCallback());
  stream->destroy();
}

// abort(stream, error): rejects the promise.
void abort(const Arguments& info) {
  auto* const stream = Wrap::of<WasmStream>(info[0]);
  RONDO_EXPECT(info, stream != nullptr);
  stream->streaming().Abort(info[1]);
  stream->destroy();
}

// setUrl(stream, url): the name of the script.
void set_url(const Arguments& info) {
  auto* const stream = Wrap::of<WasmStream>(info[0]);
  RONDO_EXPECT(info, stream != nullptr);
  RONDO_EXPECT(info, info[1]->IsString());
  const v8::String::Utf8Value url(info.GetIsolate(), info[1]);
  stream->streaming().SetUrl(*url, static_cast<size_t>(url.length()));
}

constexpr runtime::Method kMethods[] = {
    {"push", push},
    {"finish", finish},
    {"abort", abort},
    {"setUrl", set_url},
};

}  // namespace

extern const runtime::Binding wasm_streaming;
const runtime::Binding wasm_streaming{"wasm_streaming", kMethods};

}  // namespace rondo::bindings
