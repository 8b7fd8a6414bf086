// Test support for tracing: an engine with a traced loop, and access to its records and names.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "loop/trace/file.h"
#include "runtime/engine/testing.h"

namespace rondo::runtime::testing {

// The names of a ring in the notation of docs/TRACE-FORMAT.md; number 1 is the first.
class TraceNames {
 public:
  explicit TraceNames(const TraceRing& ring) {
    const std::string_view bytes = ring.names();
    for (size_t at = 0; at + 8 <= bytes.size();) {
      const uint32_t size = word(bytes, at);
      entries_.emplace_back(static_cast<TraceRing::NameKind>(word(bytes, at + 4)),
                            std::string(bytes.substr(at + 8, size)));
      at += 8 + (size + 3) / 4 * 4;
    }
  }

  // Returns a text unchanged, a place as "function (file:line:column)", a stack with "; " between
  // places.
  std::string describe(uint32_t number) const {
    if (number == 0) return "";
    if (number > entries_.size()) return "no such name";
    const auto& [kind, content] = entries_[number - 1];
    if (kind == TraceRing::NameKind::text) return content;
    if (kind == TraceRing::NameKind::place) {
      return describe(word(content, 0)) + " (" + describe(word(content, 4)) + ":" +
             std::to_string(word(content, 8)) + ":" + std::to_string(word(content, 12)) + ")";
    }
    std::string text;
    for (size_t at = 0; at + 4 <= content.size(); at += 4) {
      if (at > 0) text += "; ";
      text += describe(word(content, at));
    }
    return text;
  }

 private:
  static uint32_t word(std::string_view bytes, size_t at) {
    uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  }

  std::vector<std::pair<TraceRing::NameKind, std::string>> entries_;
};

inline std::vector<TraceRecord> records_of(const TraceRing& ring, TraceCode code) {
  std::vector<TraceRecord> found;
  for (uint64_t n = 0; n < ring.written(); ++n) {
    const TraceRecord& record = ring.record(n);
    if ((record.word & 0xFF) == static_cast<uint32_t>(code)) found.push_back(record);
  }
  return found;
}

// Like EngineTest, with bindings of the test's own and a recorder.
class TracedTest : public ::testing::Test {
 protected:
  explicit TracedTest(Bindings bindings = kBindings) {
    platform();
    made_ = make_snapshot({{"internal/bootstrap/realm", "return () => {};"}}, bindings);
    TraceRingOptions ring;
    ring.bytes = TraceRing::kLeastBytes;
    trace_ = std::move(*TraceFile::create(ring));
    LoopOptions loop_options;
    loop_options.trace = trace_.get();
    loop_ = std::make_unique<Loop>(std::move(loop_options));
    trace_->attach(*loop_);
    EngineOptions options;
    options.snapshot = made_.blob;
    options.bindings = bindings;
    options.realm.trace = trace_.get();
    engine_ = std::make_unique<Engine>(platform(), *loop_, std::move(options));
    handles_.emplace(engine_->realm().isolate());
  }
  ~TracedTest() override { handles_.reset(); }

  Realm& realm() { return engine_->realm(); }
  v8::Isolate* isolate() { return realm().isolate(); }
  v8::Local<v8::Context> context() { return realm().context(); }
  TraceFile& trace() { return *trace_; }
  std::string describe(uint32_t name) const { return TraceNames(trace_->ring()).describe(name); }

  v8::MaybeLocal<v8::Value> evaluate(std::string_view code, std::string_view name = "/app.js") {
    v8::ScriptOrigin origin(to_js(isolate(), name).ToLocalChecked());
    v8::Local<v8::Script> script;
    if (!v8::Script::Compile(context(), to_js(isolate(), code).ToLocalChecked(), &origin)
             .ToLocal(&script)) {
      return {};
    }
    return script->Run(context());
  }
  v8::Local<v8::Function> function(std::string_view code, std::string_view name = "/app.js") {
    return evaluate(code, name).ToLocalChecked().As<v8::Function>();
  }
  // Makes a native function visible to scripts under `name`.
  void expose(const char* name, v8::FunctionCallback callback, const FastFunction* fast = nullptr) {
    const v8::Local<v8::FunctionTemplate> made = v8::FunctionTemplate::New(
        isolate(), callback, {}, {}, 0, v8::ConstructorBehavior::kThrow,
        v8::SideEffectType::kHasSideEffect, reinterpret_cast<const v8::CFunction*>(fast));
    context()
        ->Global()
        ->Set(context(), literal(isolate(), name), made->GetFunction(context()).ToLocalChecked())
        .Check();
  }

 private:
  struct Scope {
    explicit Scope(v8::Isolate* isolate) : handles(isolate) {}
    v8::HandleScope handles;
  };

  SnapshotResult made_;
  std::unique_ptr<TraceFile> trace_;
  std::unique_ptr<Loop> loop_;
  std::unique_ptr<Engine> engine_;
  std::optional<Scope> handles_;
};

}  // namespace rondo::runtime::testing
