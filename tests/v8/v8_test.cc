// What Rondo needs of the packaged V8, through the bound library: its own code, its vtables under
// classes of ours, its thread-locals, and ICU behind it.

#include <gtest/gtest.h>
#include <v8-fast-api-calls.h>
#include <v8-inspector.h>

#include <string>
#include <vector>

#include "engine.h"

namespace rondo::v8_test {
namespace {

TEST(V8, RunsTheLanguageOfNode18) {
  Engine engine;
  EXPECT_EQ(engine.run("class A { #x = 1; static { A.y = new A().#x; } }; [A.y, 2].at(-1)"), "2");
  EXPECT_EQ(engine.run("let text = ''; for (const c of 'ab') text += c + '.'; text"), "a.b.");
  EXPECT_EQ(std::string(v8::V8::GetVersion()).substr(0, 5), "10.2.");
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

// The engine's vtables below a class of ours, in both directions.
class Client final : public v8_inspector::V8InspectorClient {
 public:
  double currentTimeMS() override { return 1.5; }
};

class Channel final : public v8_inspector::V8Inspector::Channel {
 public:
  void sendResponse(int id, std::unique_ptr<v8_inspector::StringBuffer> message) override {
    responses.push_back(id);
    last_size = message->string().length();
  }
  void sendNotification(std::unique_ptr<v8_inspector::StringBuffer>) override {}
  void flushProtocolNotifications() override {}

  std::vector<int> responses;
  std::size_t last_size = 0;
};

TEST(V8, InspectorAnswers) {
  Engine engine;
  const v8::HandleScope handles(engine.isolate());
  Client client;
  Channel channel;
  const auto inspector = v8_inspector::V8Inspector::create(engine.isolate(), &client);
  inspector->contextCreated(v8_inspector::V8ContextInfo(engine.context(), 1, {}));
  auto session = inspector->connect(1, &channel, {});
  const std::string request =
      R"({"id":7,"method":"Runtime.evaluate","params":{"expression":"6 * 7"}})";
  session->dispatchProtocolMessage(v8_inspector::StringView(
      reinterpret_cast<const std::uint8_t*>(request.data()), request.size()));
  EXPECT_EQ(channel.responses, std::vector<int>{7});
  EXPECT_GT(channel.last_size, 0u);
  session.reset();
  inspector->contextDestroyed(engine.context());
}

// Fast calls: the compiled code calls the C function without leaving JavaScript.
int g_slow_calls;
void slow_add(const v8::FunctionCallbackInfo<v8::Value>& info) {
  ++g_slow_calls;
  const auto context = info.GetIsolate()->GetCurrentContext();
  info.GetReturnValue().Set(info[0]->Int32Value(context).FromJust() + 1);
}
int fast_add(v8::Local<v8::Object>, int number) { return number + 1; }

TEST(V8, FunctionsOfOursAreCalledFromJavaScript) {
  Engine engine;
  const v8::HandleScope handles(engine.isolate());
  const v8::CFunction fast = v8::CFunction::Make(fast_add);
  const auto add = v8::FunctionTemplate::New(engine.isolate(), slow_add, {}, {}, 1,
                                             v8::ConstructorBehavior::kThrow,
                                             v8::SideEffectType::kHasNoSideEffect, &fast);
  const auto name = v8::String::NewFromUtf8Literal(engine.isolate(), "add");
  engine.context()
      ->Global()
      ->Set(engine.context(), name, add->GetFunction(engine.context()).ToLocalChecked())
      .Check();
  g_slow_calls = 0;
  EXPECT_EQ(engine.run("add(1) + add(2)"), "5");
  EXPECT_EQ(g_slow_calls, 2);
}

}  // namespace
}  // namespace rondo::v8_test
