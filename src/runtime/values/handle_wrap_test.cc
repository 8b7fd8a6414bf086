#include "runtime/values/handle_wrap.h"

#include <gtest/gtest.h>

#include "loop/loop.h"
#include "loop/phases/timers.h"
#include "runtime/engine/js_entry.h"
#include "runtime/engine/testing.h"

namespace rondo::runtime {

namespace {

using testing::printed;
using Lines = std::vector<std::string>;

int alive = 0;

// An hour: it never runs, and keeps the program alive unless it is closed or has no ref.
Owned<Timer> make_timer(Realm& realm) {
  Owned<Timer> timer = realm.loop().make<Timer>();
  timer->start(std::chrono::hours(1), [](Timer&) {});
  return timer;
}

class Silent final : public HandleWrap<Timer> {
 public:
  explicit Silent(Realm& realm) : HandleWrap(realm, kind_of<Silent>(), make_timer(realm)) {
    ++alive;
  }
  ~Silent() override { --alive; }
};

class Reported final : public HandleWrap<Timer> {
 public:
  Reported(Realm& realm, v8::Local<v8::Object> pattern)
      : HandleWrap(realm, kind_of<Reported>(), make_timer(realm), Closing::reported, pattern) {
    ++alive;
  }
  ~Reported() override { --alive; }

 private:
  void on_closed() override {
    v8::Local<v8::Value> hook;
    if (!object()->Get(realm().context(), literal(isolate(), "onClosed")).ToLocal(&hook)) return;
    JsEntry::call(realm(), hook.As<v8::Function>(), object(), {});
  }
};

void make_silent(const Arguments& info) {
  info.GetReturnValue().Set((new Silent(Realm::of(info.GetIsolate())))->object());
}
struct Pattern {
  explicit Pattern(Realm&) {}
  v8::Global<v8::Object> object;
};
// makePattern(prototype)
void make_pattern(const Arguments& info) {
  Realm& realm = Realm::of(info.GetIsolate());
  const v8::Local<v8::Object> pattern = Wrap::make_pattern(realm, info[0]);
  realm.state<Pattern>().object.Reset(info.GetIsolate(), pattern);
  info.GetReturnValue().Set(pattern);
}
void make_reported(const Arguments& info) {
  Realm& realm = Realm::of(info.GetIsolate());
  const v8::Local<v8::Object> pattern = realm.state<Pattern>().object.Get(info.GetIsolate());
  info.GetReturnValue().Set((new Reported(realm, pattern))->object());
}
void count(const Arguments& info) { info.GetReturnValue().Set(alive); }

constexpr Method kMethods[] = {
    {"makeSilent", make_silent},
    {"makePattern", make_pattern},
    {"makeReported", make_reported},
    {"count", count},
    kHandleMethods[0],
    kHandleMethods[1],
    kHandleMethods[2],
    kHandleMethods[3],
};
const Binding kBinding{"handles", kMethods};
const Binding* const kBindings[] = {&testing::kBinding, &kBinding};

int run(const std::string& program) {
  alive = 0;
  return testing::run_program(
      R"(const { makeSilent, makePattern, makeReported, count, close, ref, unref, hasRef } =
           internalBinding.handles;
         const fill = () => { makePattern({ close, ref, unref, hasRef }).kind = 'reported'; };)" +
          program,
      {}, kBindings);
}

TEST(HandleWrap, ItsObjectHasTheMethodsOfAllHandles) {
  EXPECT_EQ(run(R"(
    const handle = makeSilent();
    print(handle.hasRef());
    handle.unref();
    print(handle.hasRef());
    handle.ref();
    print(handle.hasRef());
    print(handle.close());
    print(handle.close());
    print(handle.hasRef());
    print(count());
    handle.ref();)"),
            0);
  EXPECT_EQ(printed(),
            (Lines{"true", "false", "true", "true", "false", "false", "0", "beforeExit", "exit"}));
}

TEST(HandleWrap, MethodsIgnoreOtherReceivers) {
  EXPECT_EQ(run(R"(
    makeSilent();
    for (const other of [undefined, 1, {}, Object.create(makeSilent())]) {
      ref.call(other);
      unref.call(other);
      print(`${close.call(other)} ${hasRef.call(other)}`);
    }
    print(count());
    exit(0);)"),
            0);
  EXPECT_EQ(printed(), (Lines{"false false", "false false", "false false", "false false", "2"}));
  EXPECT_EQ(alive, 0);
}

TEST(HandleWrap, ReportsItsCloseOnceInTheClosingPhase) {
  EXPECT_EQ(run(R"(
    fill();
    const handle = makeReported();
    print(handle.kind);
    handle.onClosed = function() { print(`closed ${this === handle} ${count()}`); };
    print(handle.close());
    print(handle.close());
    print(handle.hasRef());)"),
            0);
  EXPECT_EQ(printed(),
            (Lines{"reported", "true", "false", "false", "closed true 1", "beforeExit", "exit"}));
  EXPECT_EQ(alive, 0);
}

TEST(HandleWrap, TheEndOfTheRealmClosesHandlesWithoutAReport) {
  EXPECT_EQ(run(R"(
    fill();
    for (const handle of [makeReported(), makeReported(), makeSilent()]) {
      handle.onClosed = () => print('closed');
      handle.unref();
    }
    const closing = makeReported();
    closing.onClosed = () => print('closed');
    closing.close();
    exit(3);)"),
            3);
  EXPECT_EQ(printed(), (Lines{}));
  EXPECT_EQ(alive, 0);
}

}  // namespace

}  // namespace rondo::runtime
