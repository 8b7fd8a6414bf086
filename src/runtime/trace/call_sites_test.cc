#include "runtime/trace/call_sites.h"

#include <gtest/gtest.h>

#include "runtime/trace/testing.h"

namespace rondo::runtime {
namespace {

// JavaScript passes a number that identifies the stack: find() must return the site learned for it.
struct Counts {
  int found = 0;
  int wrong = 0;
  int learnt = 0;
};
CallSites* sites = nullptr;
Counts counts;
bool owns_all = true;  // True if every function counts as user code.

void learn(v8::Isolate* isolate, uint32_t place) {
  ++counts.learnt;
  sites->learn({place, 0}, v8::Undefined(isolate), [&](v8::Local<v8::Function> function) {
    return owns_all ||
           !to_std(isolate, function->GetScriptOrigin().ResourceName()).starts_with("node:");
  });
}

void fast_probe(v8::Local<v8::Object>, uint32_t expected, FastCallOptions& options) {
  const CallSites::Site* const site = sites->find(__builtin_frame_address(0));
  if (site == nullptr) {
    const v8::HandleScope handles(options.isolate);
    return learn(options.isolate, expected);
  }
  ++counts.found;
  if (site->place != expected) ++counts.wrong;
}

void probe(const Arguments& info) { learn(info.GetIsolate(), info[0].As<v8::Uint32>()->Value()); }

void slow_probe(const Arguments& info) {
  const uint32_t expected = info[0].As<v8::Uint32>()->Value();
  const CallSites::Site* const site = sites->find_in_callback(__builtin_frame_address(0));
  if (site == nullptr) return learn(info.GetIsolate(), expected);
  ++counts.found;
  if (site->place != expected) ++counts.wrong;
}

const FastFunction kFastProbe = make_fast(fast_probe);

class CallSitesTest : public testing::TracedTest {
 protected:
  CallSitesTest() : sites_(isolate()) {
#if !defined(__x86_64__)
    GTEST_SKIP() << "nothing is ever found on other machines";
#endif
    sites = &sites_;
    owns_all = true;
    expose("probe", probe, &kFastProbe);
    expose("slowProbe", slow_probe);
  }
  // Calls f() often enough for V8 to call the fast function from optimised code.
  void warm_up() {
    counts = {};
    // V8 compiles in the background.
    for (int i = 0; i < 200 && counts.found < 1000; ++i) {
      evaluate("for (let i = 0; i < 30000; i++) f(i);");
    }
  }

  CallSites sites_;
};

TEST_F(CallSitesTest, EachPlaceOfOneFunctionIsKnownAgain) {
  evaluate("function f(i) { if (i & 1) probe(1); else probe(2); }");
  warm_up();
  EXPECT_EQ(counts.wrong, 0);
  EXPECT_GE(counts.found, 1000);
}

TEST_F(CallSitesTest, CallsThroughCallbackInfoAreKnownAgain) {
  owns_all = false;
  evaluate("globalThis.ask = function ask(n) { return slowProbe(n); }", "node:internal/timers");
  // Interpreted at first, then compiled; forEach() calls from a builtin.
  evaluate(
      "function a() { ask(1); } function b() { [2].forEach(ask); } function c() { new ask(3); }"
      "const all = [a, b, c]; function f(i) { all[i % 3](); }");
  warm_up();
  EXPECT_EQ(counts.wrong, 0);
  EXPECT_GE(counts.found, 1000);
}

TEST_F(CallSitesTest, CallersOfTheSameFunctionAreDistinguished) {
  owns_all = false;
  // The top frame is always in lib; its caller must be recorded.
  evaluate("globalThis.ask = function ask(n) { return probe(n); }", "node:internal/timers");
  evaluate(
      "function a() { ask(1); } function b() { ask(2); }"
      "function c() { for (let i = 0; i < 2; i++) ask(3); }"
      "const all = [a, b, c]; function f(i) { all[i % 3](); }");
  warm_up();
  EXPECT_EQ(counts.wrong, 0);
  EXPECT_GE(counts.found, 1000);
}

TEST_F(CallSitesTest, ACollectionThatMovesCodeForgetsEverything) {
  evaluate("function f() { probe(1); }");
  warm_up();
  ASSERT_GE(counts.found, 1000);
  counts = {};
  isolate()->LowMemoryNotification();
  evaluate("for (let i = 0; i < 1000; i++) f(i);");
  EXPECT_EQ(counts.wrong, 0);
  EXPECT_GT(counts.learnt, 0) << "what was known before it was still taken for true";
}

TEST_F(CallSitesTest, UnlearnedSitesAreNotFound) {
  const FastFunction fast = make_fast(+[](v8::Local<v8::Object>, uint32_t) {
    if (sites->find(__builtin_frame_address(0)) != nullptr) ++counts.found;
    sites->drop_pending();
  });
  expose(
      "forgetful", [](const Arguments&) { sites->drop_pending(); }, &fast);
  evaluate("function f() { forgetful(1); }");
  warm_up();
  EXPECT_EQ(counts.found, 0);
}

}  // namespace
}  // namespace rondo::runtime
