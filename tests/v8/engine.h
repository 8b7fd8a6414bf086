// Engine: V8 for a test: one isolate with one context, entered, and explicit microtasks. V8 itself
// starts once per process and is never stopped; it cannot be started again.
#pragma once

#include <libplatform/libplatform.h>
#include <v8.h>

#include <memory>
#include <string>

namespace rondo::v8_test {

class Engine {
 public:
  static void start_v8();  // Idempotent.

  // With a snapshot, the context is created from it; the blob must outlive the engine.
  explicit Engine(v8::StartupData* snapshot = nullptr);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  ~Engine();

  // The script's value as a string, or "Error: ..." if it threw or did not compile.
  std::string run(const char* source);
  void run_microtasks();

  v8::Isolate* isolate() const { return isolate_; }
  v8::Local<v8::Context> context() const { return context_.Get(isolate_); }

 private:
  std::unique_ptr<v8::ArrayBuffer::Allocator> allocator_;
  v8::Isolate* isolate_;
  v8::Global<v8::Context> context_;
};

}  // namespace rondo::v8_test
