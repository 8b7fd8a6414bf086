// Test support for this folder: an engine with a minimal lib.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/engine/engine.h"
#include "runtime/engine/snapshot.h"
#include "runtime/values/values.h"

namespace rondo::runtime::testing {

// V8 can be initialised only once per process.
inline Platform& platform() {
  static Platform* const kPlatform = new Platform(RealClock::instance());
  return *kPlatform;
}

// The lines that the programs of a test wrote with print().
inline std::vector<std::string>& printed() {
  static std::vector<std::string> lines;
  return lines;
}

inline void print(const Arguments& info) {
  printed().push_back(to_std(info.GetIsolate(), info[0]));
}
inline void set_hooks(const Arguments& info) {
  Realm& realm = Realm::of(info.GetIsolate());
  const v8::Local<v8::Context> context = info.GetIsolate()->GetCurrentContext();
  for (uint32_t i = 0; i < static_cast<uint32_t>(Hook::count); ++i) {
    const v8::Local<v8::Value> hook = info[0].As<v8::Array>()->Get(context, i).ToLocalChecked();
    realm.set_hook(static_cast<Hook>(i), hook.As<v8::Function>());
  }
  realm.set_shared(info[1].As<v8::Uint32Array>());
}
inline void run_microtasks(const Arguments& info) {
  info.GetIsolate()->PerformMicrotaskCheckpoint();
}
inline void exit_with(const Arguments& info) {
  Realm::of(info.GetIsolate()).exit(info[0].As<v8::Int32>()->Value());
}
// As if another thread had called request_exit() now.
inline void request_exit(const Arguments& info) {
  Realm::of(info.GetIsolate()).request_exit(info[0].As<v8::Int32>()->Value());
}

inline constexpr Method kMethods[] = {{"print", print},
                                      {"setHooks", set_hooks},
                                      {"runMicrotasks", run_microtasks},
                                      {"exit", exit_with},
                                      {"requestExit", request_exit}};
inline const Binding kBinding{"test", kMethods};
inline const Binding* const kBindings[] = {&kBinding};

// The minimal lib that JsEntry needs; `program` runs in start(), and may set onUncaught.
inline std::string mini_lib(const std::string& program) {
  return R"(
    const { print, setHooks, runMicrotasks, exit, requestExit } = internalBinding.test;
    const shared = new Uint32Array(new ArrayBuffer(64));
    const ticks = [];
    let onUncaught = () => 1;
    const nextTick = (f) => { ticks.push(f); shared[0] = 1; };
    const processTicks = () => {
      do {
        while (ticks.length > 0) ticks.shift()();
        runMicrotasks();
      } while (ticks.length > 0);
      shared[0] = 0;
      shared[1] = 0;
    };
    const nothing = () => {};
    const hooks = [processTicks, nothing, nothing, (e, p) => onUncaught(e, p), nothing, nothing,
      (error) => `${error}`, () => print('beforeExit'), () => { print('exit'); return 0; },
      nothing, nothing, (error) => `<${error}>`, nothing, nothing, (what) => `"${what}":true`];
    return function start(mode) {
      setHooks(hooks, shared);
      )" +
         program + R"(
    };)";
}

// An entered engine without a program, on a virtual clock: for tests that use V8 from C++.
class EngineTest : public ::testing::Test {
 protected:
  explicit EngineTest(Clock* clock = nullptr) {
    platform();
    made_ = make_snapshot({{"internal/bootstrap/realm", "return () => {};"}}, kBindings);
    LoopOptions loop_options;
    loop_options.clock = clock != nullptr ? clock : &clock_;
    loop_ = std::make_unique<Loop>(std::move(loop_options));
    EngineOptions options;
    options.snapshot = made_.blob;
    options.bindings = kBindings;
    engine_ = std::make_unique<Engine>(platform(), *loop_, std::move(options));
    handles_.emplace(isolate());
  }
  ~EngineTest() override { handles_.reset(); }

  Realm& realm() { return engine_->realm(); }
  v8::Isolate* isolate() { return realm().isolate(); }
  v8::Local<v8::Context> context() { return realm().context(); }
  v8::Local<v8::String> string(std::string_view text) {
    return to_js(isolate(), text).ToLocalChecked();
  }
  // The value of a script; empty if it threw or does not compile.
  v8::MaybeLocal<v8::Value> evaluate(std::string_view code, std::string_view name = "test.js") {
    v8::ScriptOrigin origin(string(name));
    v8::Local<v8::Script> script;
    if (!v8::Script::Compile(context(), string(code), &origin).ToLocal(&script)) return {};
    return script->Run(context());
  }

  VirtualClock clock_{Millis{1'000}};
  SnapshotResult made_;
  std::unique_ptr<Loop> loop_;
  std::unique_ptr<Engine> engine_;

 private:
  // V8 requires scopes on the stack; gtest creates this object there.
  struct Scope {
    explicit Scope(v8::Isolate* isolate) : handles(isolate) {}
    v8::HandleScope handles;
  };
  std::optional<Scope> handles_;
};

// Runs the program to its end and returns its exit code.
inline int run_program(const std::string& program, RealmOptions options = {},
                       Bindings bindings = kBindings) {
  platform();
  printed().clear();
  options.watchdog.warns = false;
  const SnapshotResult made =
      make_snapshot({{"internal/bootstrap/realm", mini_lib(program)}}, bindings);
  if (made.blob.empty()) {
    printed().push_back(made.message);
    return -1;
  }
  Loop loop;
  EngineOptions engine_options;
  engine_options.snapshot = made.blob;
  engine_options.bindings = bindings;
  engine_options.realm = std::move(options);
  Engine engine(platform(), loop, std::move(engine_options));
  return engine.run("test");
}

}  // namespace rondo::runtime::testing
