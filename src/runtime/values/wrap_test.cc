#include "runtime/values/wrap.h"

#include <gtest/gtest.h>

#include "runtime/engine/testing.h"

namespace rondo::runtime {

namespace {

using testing::printed;
using Lines = std::vector<std::string>;

class Cup final : public Wrap {
 public:
  explicit Cup(Realm& realm) : Wrap(realm, kind_of<Cup>()) { ++alive; }
  ~Cup() override { --alive; }
  static inline int alive = 0;
};

class Plate final : public Wrap {
 public:
  explicit Plate(Realm& realm) : Wrap(realm, kind_of<Plate>()) {}
};

void make_cup(const Arguments& info) {
  Cup* const cup = new Cup(Realm::of(info.GetIsolate()));
  if (info[0]->IsTrue()) cup->release();
  info.GetReturnValue().Set(cup->object());
}
void make_plate(const Arguments& info) {
  info.GetReturnValue().Set((new Plate(Realm::of(info.GetIsolate())))->object());
}
void is_cup(const Arguments& info) { info.GetReturnValue().Set(Wrap::of<Cup>(info[0]) != nullptr); }
void destroy_cup(const Arguments& info) { Wrap::of<Cup>(info[0])->destroy(); }
void cups(const Arguments& info) { info.GetReturnValue().Set(Cup::alive); }
// all(): the kinds of all Wraps, oldest first.
void all(const Arguments& info) {
  std::string kinds;
  for (const Wrap* const wrap : Wrap::all(Realm::of(info.GetIsolate()))) {
    kinds += Wrap::of<Cup>(wrap->object()) != nullptr ? "cup " : "plate ";
    EXPECT_EQ(wrap->loop_handle(), nullptr);
  }
  info.GetReturnValue().Set(literal(info.GetIsolate(), kinds));
}
void collect(const Arguments& info) { info.GetIsolate()->LowMemoryNotification(); }

constexpr Method kMethods[] = {
    {"makeCup", make_cup}, {"makePlate", make_plate},
    {"isCup", is_cup},     {"destroyCup", destroy_cup},
    {"cups", cups},        {"collect", collect},
    {"all", all},
};
const Binding kBinding{"cups", kMethods};
const Binding* const kBindings[] = {&testing::kBinding, &kBinding};

int run(const std::string& program) {
  return testing::run_program(
      "const { makeCup, makePlate, isCup, destroyCup, cups, all, collect } = "
      "internalBinding.cups;" +
          program,
      {}, kBindings);
}

TEST(Wrap, LeadsFromItsObjectToItselfAndFromNothingElse) {
  EXPECT_EQ(run(R"(
    print(isCup(makeCup()));
    print([makePlate(), {}, 1, undefined, Object.create(makeCup()), new Proxy(makeCup(), {})]
      .some(isCup));)"),
            0);
  EXPECT_EQ(printed(), (Lines{"true", "false", "beforeExit", "exit"}));
}

TEST(Wrap, AfterDestroyItsObjectIsEmpty) {
  EXPECT_EQ(run("const cup = makeCup(); destroyCup(cup); print(isCup(cup)); print(cups());"), 0);
  EXPECT_EQ(printed(), (Lines{"false", "0", "beforeExit", "exit"}));
}

TEST(Wrap, AllOfThemCanBeListed) {
  EXPECT_EQ(run("makeCup(); makePlate(); const cup = makeCup(); print(all()); destroyCup(cup); "
                "print(all());"),
            0);
  EXPECT_EQ(printed(), (Lines{"cup plate cup ", "cup plate ", "beforeExit", "exit"}));
}

TEST(Wrap, OnlyAReleasedOneIsCollected) {
  EXPECT_EQ(run(R"(
    (() => { for (let i = 0; i < 10; i++) makeCup(i < 7); })();
    collect();
    print(cups());)"),
            0);
  EXPECT_EQ(printed(), (Lines{"3", "beforeExit", "exit"}));
}

TEST(Wrap, RemainingWrapsAreFreedWithTheRealm) {
  EXPECT_EQ(run("makeCup(true); makeCup(false); print(cups());"), 0);
  EXPECT_EQ(printed(), (Lines{"2", "beforeExit", "exit"}));
  EXPECT_EQ(Cup::alive, 0);
}

}  // namespace

}  // namespace rondo::runtime
