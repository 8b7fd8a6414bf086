// WasmStream is one WebAssembly.compileStreaming() or instantiateStreaming(): lib reads the bytes
// from a Response and passes them on. Thread: the loop's only.
#pragma once

#include <memory>

#include "runtime/engine/realm.h"
#include "runtime/values/v8.h"
#include "runtime/values/wrap.h"

namespace rondo::runtime {

class WasmStream final : public Wrap {
 public:
  // Must be called before the context is made: V8 then adds the functions to WebAssembly. They call
  // Hook::compile_wasm with a WasmStream and their first argument.
  static void install(v8::Isolate* isolate) { isolate->SetWasmStreamingCallback(start); }

  // Any number of OnBytesReceived(), then Finish() or Abort(), and destroy().
  v8::WasmStreaming& streaming() { return *streaming_; }

 private:
  WasmStream(Realm& realm, std::shared_ptr<v8::WasmStreaming> streaming);
  static void start(const v8::FunctionCallbackInfo<v8::Value>& info);

  std::shared_ptr<v8::WasmStreaming> streaming_;
};

}  // namespace rondo::runtime
