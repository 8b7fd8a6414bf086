#include "runtime/trace/places.h"

#include <gtest/gtest.h>

#include "runtime/trace/testing.h"

namespace rondo::runtime {
namespace {

// The last result of the native functions below.
TracePlaces::Origin found;
uint32_t found_stack = 0;

void look(const Arguments& info) {
  found = Realm::of(info.GetIsolate()).state<TracePlaces>().here();
}
void look_at_stack(const Arguments& info) {
  found_stack = Realm::of(info.GetIsolate()).state<TracePlaces>().stack();
}

class TracePlacesTest : public testing::TracedTest {
 protected:
  TracePlacesTest() {
    expose("look", look);
    expose("lookAtStack", look_at_stack);
  }
  TracePlaces& places() { return realm().state<TracePlaces>(); }
};

TEST_F(TracePlacesTest, AFunctionIsWhereItBegins) {
  const uint32_t place = places().of(function("\n  (function named() {})"));
  EXPECT_EQ(describe(place), "named (/app.js:2:18)");
  EXPECT_EQ(describe(places().of(function("(() => {})", "file:///app.mjs"))), " (/app.mjs:1:2)");
}

TEST_F(TracePlacesTest, TheSameFunctionHasTheSameNumber) {
  const v8::Local<v8::Function> one = function("globalThis.one = function one() {}");
  const uint32_t place = places().of(one);
  EXPECT_EQ(places().of(one), place);
  EXPECT_EQ(places().of(function("one.bind(1).bind(2)", "/other.js")), place);
}

TEST_F(TracePlacesTest, AnAnonymousFunctionGetsTheNameOfItsVariable) {
  EXPECT_EQ(describe(places().of(function("const o = {}; o.handler = () => {}; o.handler"))),
            "o.handler (/app.js:1:27)");
}

TEST_F(TracePlacesTest, NativeCodeHasNone) { EXPECT_EQ(places().of(function("look")), 0u); }

TEST_F(TracePlacesTest, HereIsThePlaceInTheProgramAndTheCalledFunctionOfLib) {
  evaluate("globalThis.readFile = function readFile() { inner(); }; function inner() { look(); }",
           "node:internal/fs/whole_file");
  evaluate("function work() {\n  readFile();\n}\nwork();");
  EXPECT_EQ(describe(found.place), "work (/app.js:2:3)");
  EXPECT_EQ(describe(found.called), "fs.readFile");
}

TEST_F(TracePlacesTest, ALibThatUsersDoNotKnowIsNotNamed) {
  evaluate("globalThis.helper = function helper() { look(); }", "node:internal/util");
  evaluate("helper();");
  EXPECT_EQ(describe(found.place), " (/app.js:1:1)");
  EXPECT_EQ(found.called, 0u);
}

TEST_F(TracePlacesTest, LibsOwnActionsHaveNoPlace) {
  evaluate("look();", "node:internal/timers");
  EXPECT_EQ(found.place, 0u);
  EXPECT_EQ(found.called, 0u);
}

TEST_F(TracePlacesTest, HereIsFoundBehindManyFramesOfLib) {
  evaluate("globalThis.deep = function deep(n) { if (n > 0) deep(n - 1); else look(); }",
           "node:internal/streams/readable");
  evaluate("deep(40);");
  EXPECT_EQ(describe(found.place), " (/app.js:1:1)");
  EXPECT_EQ(describe(found.called), "stream.deep");
}

TEST_F(TracePlacesTest, AStackLeavesLibOut) {
  evaluate("globalThis.each = function each(f) { f(); }", "node:internal/util");
  evaluate("function outer() { each(() => lookAtStack()); }\nouter();");
  EXPECT_EQ(describe(found_stack), " (/app.js:1:31); outer (/app.js:1:20);  (/app.js:2:1)");
  evaluate("lookAtStack();", "node:internal/util");
  EXPECT_EQ(found_stack, 0u);
}

}  // namespace
}  // namespace rondo::runtime
