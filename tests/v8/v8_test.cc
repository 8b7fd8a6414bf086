// Features of V8 in its host program that Rondo needs: the language, snapshots, WebAssembly, hooks,
// fast calls, and ICU.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine.h"
#include "runtime/values/fast_call.h"

namespace rondo::v8_test {
namespace {

TEST(V8, RunsTheLanguageOfNode26) {
  Engine engine;
  EXPECT_EQ(engine.run("[1, 2].values().map(x => x * 2).toArray().join()"), "2,4");
  EXPECT_EQ(engine.run("typeof Temporal.Now.instant()"), "object");
  EXPECT_EQ(engine.run("class A { #x = 1; static { A.y = new A().#x; } }; [A.y, 2].at(-1)"), "2");
  EXPECT_EQ(engine.run("let text = ''; for (const c of 'ab') text += c + '.'; text"), "a.b.");
  EXPECT_EQ(std::string(v8::V8::GetVersion()).substr(0, 5), "14.6.");
}

TEST(V8, ErrorsComeBackAsExceptions) {
  Engine engine;
  EXPECT_EQ(engine.run("null.x"), "Error: TypeError: Cannot read properties of null (reading 'x')");
  EXPECT_EQ(engine.run("("), "Error: SyntaxError: Unexpected end of input");
  EXPECT_EQ(engine.run("(function f() { return f(); })()"),
            "Error: RangeError: Maximum call stack size exceeded");
}

TEST(V8, MicrotasksWaitForACheckpoint) {
  Engine engine;
  engine.run(
      "var order = []; Promise.resolve().then(() => order.push('first'))"
      ".then(() => order.push('second')); order.push('script')");
  EXPECT_EQ(engine.run("order.join()"), "script");
  engine.run_microtasks();
  EXPECT_EQ(engine.run("order.join()"), "script,first,second");
}

TEST(V8, OptimizedCodeAndCollectionsWork) {
  Engine engine;
  EXPECT_EQ(engine.run("function f(i) { return { v: i % 7 }; }"
                       "let sum = 0; for (let i = 0; i < 1e6; ++i) sum += f(i).v; sum"),
            "2999997");
}

TEST(V8, WebAssemblyWithTrapsWorks) {
  Engine engine;
  // (func (export "f") (param i32 i32) (result i32) local.get 0 local.get 1 i32.div_s)
  engine.run(
      "var f = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array("
      "[0,97,115,109,1,0,0,0, 1,7,1,96,2,127,127,1,127, 3,2,1,0, 7,5,1,1,102,0,0,"
      " 10,9,1,7,0,32,0,32,1,109,11]))).exports.f");
  EXPECT_EQ(engine.run("f(42, 6)"), "7");
  EXPECT_EQ(engine.run("f(1, 0)"), "Error: RuntimeError: divide by zero");
}

TEST(V8, IntlHasTheDataOfIcu) {
  Engine engine;
  EXPECT_EQ(engine.run("new Intl.NumberFormat('de').format(1234.5)"), "1.234,5");
}

TEST(V8, PromiseHooksAreCalled) {
  Engine engine;
  const v8::HandleScope handles(engine.isolate());
  engine.run("var made = 0; function hook() { ++made; }");
  const auto name = v8::String::NewFromUtf8Literal(engine.isolate(), "hook");
  const auto hook =
      engine.context()->Global()->Get(engine.context(), name).ToLocalChecked().As<v8::Function>();
  engine.context()->SetPromiseHooks(hook, {}, {}, {});
  EXPECT_EQ(engine.run("Promise.resolve().then(() => {}); made"), "2");
}

TEST(V8, RejectionsAreReported) {
  Engine engine;
  static int rejections;
  rejections = 0;
  engine.isolate()->SetPromiseRejectCallback([](v8::PromiseRejectMessage) { ++rejections; });
  engine.run("Promise.reject(new Error('lost'))");
  EXPECT_EQ(rejections, 1);
}

TEST(V8, SnapshotsKeepCodeAndState) {
  Engine::start_v8();
  v8::StartupData blob;
  {
    v8::SnapshotCreator creator;
    v8::Isolate* isolate = creator.GetIsolate();
    {
      const v8::HandleScope handles(isolate);
      const v8::Local<v8::Context> context = v8::Context::New(isolate);
      const v8::Context::Scope entered(context);
      v8::Script::Compile(context, v8::String::NewFromUtf8Literal(
                                       isolate,
                                       "var kept = 20; function twice() { return 2 * kept }"
                                       "; twice()"))
          .ToLocalChecked()
          ->Run(context)
          .ToLocalChecked();
      creator.SetDefaultContext(context);
    }
    blob = creator.CreateBlob(v8::SnapshotCreator::FunctionCodeHandling::kKeep);
  }
  ASSERT_NE(blob.data, nullptr);
  {
    Engine engine(&blob);
    EXPECT_EQ(engine.run("kept += 1; twice()"), "42");
  }
  delete[] blob.data;
}

// Functions that optimised code calls directly. We declare the structures that describe them
// (runtime/values/fast_call.h): with a wrong layout V8 would not call the fast forms, or pass them
// garbage.
using runtime::FastCallOptions;
using runtime::FastFunction;
using runtime::FastOneByteString;

struct Calls {
  int slow = 0;
  int fast = 0;
  int wrong = 0;
};
Calls g_calls;

void slow_sum(const v8::FunctionCallbackInfo<v8::Value>& info) {
  ++g_calls.slow;
  const auto context = info.GetIsolate()->GetCurrentContext();
  double sum = 0;
  for (int i = 0; i < 4; ++i) sum += info[i]->NumberValue(context).FromJust();
  info.GetReturnValue().Set(sum);
}
double fast_sum(v8::Local<v8::Object> receiver, int32_t whole, uint32_t natural, double real,
                bool flag, FastCallOptions& options) {
  ++g_calls.fast;
  if (whole != -3 || natural != 4'000'000'000u || real != 0.5 || !flag) ++g_calls.wrong;
  if (options.isolate != v8::Isolate::GetCurrent() || receiver.IsEmpty()) ++g_calls.wrong;
  if (!options.data->IsInt32() || options.data.As<v8::Int32>()->Value() != 77) ++g_calls.wrong;
  return whole + natural + real + (flag ? 1 : 0);
}

void slow_length(const v8::FunctionCallbackInfo<v8::Value>& info) {
  ++g_calls.slow;
  info.GetReturnValue().Set(info[0].As<v8::String>()->Length());
}
uint32_t fast_length(v8::Local<v8::Object>, const FastOneByteString& text) {
  ++g_calls.fast;
  if (std::string_view(text.data, text.length) != "seven b") ++g_calls.wrong;
  return text.length;
}

// Runs `call`, an expression, in code that V8 optimises at once: the fast form must be called.
void call_optimised(Engine& engine, v8::FunctionCallback slow, const FastFunction& fast,
                    const std::string& call, const std::string& expected) {
  const v8::HandleScope handles(engine.isolate());
  const auto made = v8::FunctionTemplate::New(
      engine.isolate(), slow, v8::Integer::New(engine.isolate(), 77), {}, 1,
      v8::ConstructorBehavior::kThrow, v8::SideEffectType::kHasSideEffect,
      reinterpret_cast<const v8::CFunction*>(&fast));
  engine.context()
      ->Global()
      ->Set(engine.context(), v8::String::NewFromUtf8Literal(engine.isolate(), "native"),
            made->GetFunction(engine.context()).ToLocalChecked())
      .Check();
  g_calls = {};
  const std::string source = "function f() { return " + call +
                             "; } %PrepareFunctionForOptimization(f); f(); f();"
                             "%OptimizeFunctionOnNextCall(f); String(f())";
  EXPECT_EQ(engine.run(source.c_str()), expected);
  EXPECT_EQ(g_calls.slow, 2);
  EXPECT_EQ(g_calls.fast, 1);
  EXPECT_EQ(g_calls.wrong, 0);
}

TEST(V8, FastFunctionsGetEveryKindOfArgument) {
  Engine engine;
  call_optimised(engine, slow_sum, runtime::make_fast(fast_sum),
                 "native(-3, 4000000000, 0.5, true)", "3999999998.5");
}

TEST(V8, FastFunctionsGetStrings) {
  Engine engine;
  call_optimised(engine, slow_length, runtime::make_fast(fast_length), "native('seven b')", "7");
}

}  // namespace
}  // namespace rondo::v8_test
