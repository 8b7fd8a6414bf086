#include "runtime/engine/js_entry.h"

#include <gtest/gtest.h>

#include "runtime/engine/testing.h"

namespace rondo::runtime {

namespace {

using testing::printed;
using testing::run_program;
using Lines = std::vector<std::string>;

TEST(JsEntry, TICK_01_DrainsTicksThenMicrotasksAfterTheOutermostCall) {
  EXPECT_EQ(run_program(R"(
    Promise.resolve().then(() => print('micro'));
    nextTick(() => { print('tick'); Promise.resolve().then(() => print('micro 2')); });
    nextTick(() => print('tick 2'));
    print('main');)"),
            0);
  EXPECT_EQ(printed(), (Lines{"main", "tick", "tick 2", "micro", "micro 2", "beforeExit", "exit"}));
}

TEST(JsEntry, MicrotasksRunWithoutTicks) {
  EXPECT_EQ(run_program("Promise.resolve().then(() => print('micro'));"), 0);
  EXPECT_EQ(printed(), (Lines{"micro", "beforeExit", "exit"}));
}

// V8's tasks count as callbacks, too, so V8 determines which callback is the next one.
TEST(JsEntry, TICK_05_TheTicksBehindAHandledExceptionWaitForTheNextCallback) {
  EXPECT_EQ(run_program(R"(
    onUncaught = (error) => { print('handled ' + error); return true; };
    nextTick(() => { throw 'x'; });
    nextTick(() => print('next'));)"),
            0);
  Lines lines = printed();
  EXPECT_EQ(std::erase(lines, "next"), 1);
  EXPECT_EQ(lines, (Lines{"handled x", "beforeExit", "exit"}));
}

TEST(JsEntry, AnUnhandledExceptionEndsTheProgramWithTheCodeOfLib) {
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(run_program("onUncaught = () => 5; nextTick(() => print('never')); throw 'boom';"), 5);
  const std::string report = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(report.find("<boom>"), std::string::npos) << report;
  EXPECT_TRUE(printed().empty());
}

TEST(JsEntry, AHandlerThatThrowsEndsWithSeven) {
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(run_program("onUncaught = () => { throw 'again'; }; throw 'boom';"), 7);
  const std::string report = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(report.find("<again>"), std::string::npos) << report;
  EXPECT_EQ(report.find("<boom>"), std::string::npos) << report;
}

TEST(JsEntry, ExceptionsOfMicrotasksAreUncaughtExceptions) {
  EXPECT_EQ(run_program(R"(
    onUncaught = (error, isFromPromise) => { print(`handled ${error} ${isFromPromise}`); return true; };
    queueMicrotaskLike(() => { throw 'x'; });
    function queueMicrotaskLike(f) { Promise.resolve().then(f).catch((e) => nextTick(() => { throw e; })); })"),
            0);
  EXPECT_EQ(printed(), (Lines{"handled x false", "beforeExit", "exit"}));
}

TEST(JsEntry, ExitEndsJavaScriptWhereItStands) {
  EXPECT_EQ(run_program(R"(
    nextTick(() => print('never'));
    try { exit(3); for (;;); } catch { print('never'); } finally { print('never'); })"),
            3);
  EXPECT_TRUE(printed().empty());
}

TEST(JsEntry, ExitInATickKeepsItsCode) {
  EXPECT_EQ(run_program("nextTick(() => { exit(4); for (;;); }); nextTick(() => print('never'));"),
            4);
  EXPECT_TRUE(printed().empty());
}

TEST(JsEntry, ARequestToExitEndsJavaScriptBehindTheMicrotasksThatItInterrupts) {
  EXPECT_EQ(run_program(R"(
    nextTick(() => {
      Promise.resolve().then(() => { requestExit(3); for (;;); });
      runMicrotasks();
      print('never');
    });)"),
            3);
  EXPECT_TRUE(printed().empty());
}

class JsEntryRequests : public testing::EngineTest {};

// V8 may act on the termination in native code that runs between two entries.
TEST_F(JsEntryRequests, JavaScriptIsNotEnteredAfterARequestToExitWhoseTerminationIsGone) {
  const v8::Local<v8::Value> function =
      evaluate("() => { globalThis.wasCalled = true; }").ToLocalChecked();
  realm().request_exit(5);
  isolate()->CancelTerminateExecution();
  EXPECT_TRUE(
      JsEntry::call(realm(), function.As<v8::Function>(), v8::Undefined(isolate()), {}).IsEmpty());
  EXPECT_TRUE(realm().is_exiting());
  EXPECT_EQ(realm().exit_code(), 5);
  EXPECT_TRUE(evaluate("globalThis.wasCalled").ToLocalChecked()->IsUndefined());
}

}  // namespace

}  // namespace rondo::runtime
