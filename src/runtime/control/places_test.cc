#include "runtime/control/places.h"

#include <gtest/gtest.h>

#include "loop/work.h"
#include "runtime/engine/testing.h"

namespace rondo::runtime {

namespace {

class PlacesTest : public ::testing::Test {
 public:  // For the functions that JavaScript calls.
  PlacesTest() {
    testing::platform();
    made_ = make_snapshot({{"internal/bootstrap/realm", "return () => {};"}}, testing::kBindings);
    EngineOptions options;
    options.snapshot = made_.blob;
    options.bindings = testing::kBindings;
    engine_ = std::make_unique<Engine>(testing::platform(), loop_, std::move(options));
  }

  v8::Isolate* isolate() { return engine_->realm().isolate(); }

  // Runs a script; `native` in it is the function below.
  v8::Local<v8::Value> run(const std::string& source, const std::string& file,
                           v8::FunctionCallback native) {
    const v8::Local<v8::Context> context = engine_->realm().context();
    const v8::Local<v8::External> self = v8::External::New(isolate(), this);
    set(isolate(), context->Global(), "native",
        v8::Function::New(context, native, self).ToLocalChecked().As<v8::Value>());
    v8::ScriptOrigin origin(to_js(isolate(), file).ToLocalChecked());
    return v8::Script::Compile(context, to_js(isolate(), source).ToLocalChecked(), &origin)
        .ToLocalChecked()
        ->Run(context)
        .ToLocalChecked();
  }

  Loop loop_;
  SnapshotResult made_;
  std::unique_ptr<Engine> engine_;
  std::vector<Place> stack_;
};

TEST_F(PlacesTest, TheStackHasTheProgramsOwnFrames) {
  const v8::HandleScope handles(isolate());
  const auto native = [](const Arguments& info) {
    auto* const self = static_cast<PlacesTest*>(info.Data().As<v8::External>()->Value());
    self->stack_ = stack_now(info.GetIsolate(), 10);
  };
  run("function ours(f) { f(); }", "node:internal/x", native);
  run("function inner() {\n  native();\n}\nfunction outer() { ours(inner); }\nouter();", "/a/b.js",
      native);
  ASSERT_EQ(stack_.size(), 3u);
  EXPECT_EQ(stack_[0].text(), "inner (/a/b.js:2:3)");
  EXPECT_EQ(stack_[1].text(), "outer (/a/b.js:4:20)");
  EXPECT_EQ(stack_[2].text(), "<anonymous> (/a/b.js:5:1)");
}

TEST_F(PlacesTest, AFunctionHasAPlaceUnlessItIsOurs) {
  const v8::HandleScope handles(isolate());
  const auto nothing = [](const Arguments&) {};
  const v8::Local<v8::Value> theirs = run("\n(function named() {})", "/a/b.js", nothing);
  EXPECT_EQ(place_of(isolate(), theirs.As<v8::Function>()).text(), "named (/a/b.js:2:16)");
  const v8::Local<v8::Value> ours = run("(function named() {})", "node:fs", nothing);
  EXPECT_FALSE(place_of(isolate(), ours.As<v8::Function>()).is_known());
  const v8::Local<v8::Value> native = run("native", "/a/b.js", nothing);
  EXPECT_FALSE(place_of(isolate(), native.As<v8::Function>()).is_known());
}

TEST_F(PlacesTest, CreationPlacesAreNumberedAndLookUpsAreLimited) {
  const v8::HandleScope handles(isolate());
  int depth = 0;
  const CreationSites sites(isolate(), loop_, depth);
  EXPECT_EQ(loop_.make<Timer>()->creation_site(), 0u);  // No JavaScript is running.
  depth = 1;
  const auto native = [](const Arguments& info) {
    auto* const self = static_cast<PlacesTest*>(info.Data().As<v8::External>()->Value());
    info.GetReturnValue().Set(self->loop_.make<Timer>()->creation_site());
  };
  const v8::Local<v8::Value> both = run(
      "const made = [];\nfor (let i = 0; i < 3; i++) made.push(native());\nmade.push(native());\n"
      "for (let i = 0; i < 2000; i++) made.push(native());\nmade.join()",
      "/a/b.js", native);
  const std::string numbers = to_std(isolate(), both);
  EXPECT_EQ(numbers.substr(0, 8), "1,1,1,2,") << numbers;
  EXPECT_EQ(numbers.substr(numbers.size() - 4), ",0,0") << numbers;
  ASSERT_NE(sites.find(1), nullptr);
  EXPECT_EQ(sites.find(1)->text(), "<anonymous> (/a/b.js:2:39)");
  EXPECT_EQ(sites.find(2 | Handle::kInherited)->text(), "<anonymous> (/a/b.js:3:11)");
  EXPECT_EQ(sites.find(0), nullptr);
  EXPECT_EQ(sites.find(99), nullptr);
  loop_.run_nowait();
}

}  // namespace

}  // namespace rondo::runtime
