#include "engine.h"

#include <mutex>

namespace rondo::v8_test {

void Engine::start_v8() {
  static std::once_flag once;
  std::call_once(once, [] {
    // Tests request optimised code with %OptimizeFunctionOnNextCall() instead of waiting for it.
    v8::V8::SetFlagsFromString("--allow-natives-syntax");
    v8::V8::InitializePlatform(v8::platform::NewDefaultPlatform().release());
    v8::V8::Initialize();
  });
}

Engine::Engine(v8::StartupData* snapshot)
    : allocator_(v8::ArrayBuffer::Allocator::NewDefaultAllocator()) {
  start_v8();
  v8::Isolate::CreateParams params;
  params.array_buffer_allocator = allocator_.get();
  params.snapshot_blob = snapshot;
  isolate_ = v8::Isolate::New(params);
  isolate_->SetMicrotasksPolicy(v8::MicrotasksPolicy::kExplicit);
  isolate_->Enter();
  const v8::HandleScope handles(isolate_);
  const v8::Local<v8::Context> context = v8::Context::New(isolate_);
  context->Enter();
  context_.Reset(isolate_, context);
}

Engine::~Engine() {
  {
    const v8::HandleScope handles(isolate_);
    context()->Exit();
    context_.Reset();
  }
  isolate_->Exit();
  isolate_->Dispose();
}

std::string Engine::run(const char* source) {
  const v8::HandleScope handles(isolate_);
  const v8::TryCatch caught(isolate_);
  v8::Local<v8::String> text;
  v8::Local<v8::Script> script;
  v8::Local<v8::Value> value;
  if (!v8::String::NewFromUtf8(isolate_, source).ToLocal(&text) ||
      !v8::Script::Compile(context(), text).ToLocal(&script) ||
      !script->Run(context()).ToLocal(&value)) {
    return std::string("Error: ") + *v8::String::Utf8Value(isolate_, caught.Exception());
  }
  return *v8::String::Utf8Value(isolate_, value);
}

void Engine::run_microtasks() { isolate_->PerformMicrotaskCheckpoint(); }

}  // namespace rondo::v8_test
