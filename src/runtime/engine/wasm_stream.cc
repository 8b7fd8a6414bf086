#include "runtime/engine/wasm_stream.h"

#include <utility>

namespace rondo::runtime {

WasmStream::WasmStream(Realm& realm, std::shared_ptr<v8::WasmStreaming> streaming)
    : Wrap(realm, kind_of<WasmStream>()), streaming_(std::move(streaming)) {
  release();
}

void WasmStream::start(const v8::FunctionCallbackInfo<v8::Value>& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  std::shared_ptr<v8::WasmStreaming> streaming = v8::WasmStreaming::Unpack(isolate, info.Data());
  if (!Realm::exists(isolate) || !Realm::of(isolate).has_hooks()) return;
  Realm& realm = Realm::of(isolate);
  auto* const stream = new WasmStream(realm, std::move(streaming));
  v8::Local<v8::Value> arguments[] = {stream->object(), info[0]};
  // The hook settles the promise with its exceptions. A termination goes on in V8.
  const v8::MaybeLocal<v8::Value> result =
      realm.hook(Hook::compile_wasm)
          ->Call(isolate->GetCurrentContext(), v8::Undefined(isolate), 2, arguments);
  static_cast<void>(result);
}

}  // namespace rondo::runtime
