#include "runtime/engine/engine.h"

#include <gtest/gtest.h>

#include "runtime/engine/testing.h"

namespace rondo::runtime {

namespace {

using testing::printed;
using testing::run_program;
using Lines = std::vector<std::string>;

TEST(EngineDeathTest, ASnapshotThatIsDamagedIsRefusedByName) {
  testing::platform();
  Loop loop;
  EngineOptions options;
  options.snapshot = "no snapshot at all";
  options.bindings = testing::kBindings;
  EXPECT_DEATH({ const Engine engine(testing::platform(), loop, std::move(options)); },
               "snapshot is damaged");
}

TEST(Engine, TheModeReachesLib) {
  EXPECT_EQ(run_program("print(mode);"), 0);
  EXPECT_EQ(printed(), (Lines{"test", "beforeExit", "exit"}));
}

TEST(Engine, ExitEndsTheProgramWhereItStands) {
  // V8 checks for termination at the next call of a JavaScript function, so lib makes one.
  EXPECT_EQ(run_program(R"(
    const leave = (code) => { exit(code); (() => {})(); };
    print('before');
    try { leave(7); print('no'); } finally { print('no'); })"),
            7);
  EXPECT_EQ(printed(), (Lines{"before"}));
}

TEST(Engine, EnginesFollowOneAnother) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(run_program("globalThis.n = (globalThis.n ?? 0) + 1; print(n);"), 0);
    EXPECT_EQ(printed().front(), "1");
  }
}

TEST(Engine, TwoAtATimeKnowNothingOfEachOther) {
  testing::platform();
  const SnapshotResult made = make_snapshot(
      {{"internal/bootstrap/realm", testing::mini_lib("globalThis.n = 1; print(n);")}},
      testing::kBindings);
  Loop first_loop;
  Loop second_loop;
  const auto options = [&] {
    EngineOptions result;
    result.snapshot = made.blob;
    result.bindings = testing::kBindings;
    result.realm.watchdog.warns = false;
    return result;
  };
  printed().clear();
  EngineOptions opened = options();
  opened.opened = open_snapshot(made.blob, testing::kBindings);
  Engine first(testing::platform(), first_loop, std::move(opened));
  {
    // The second engine is entered while the first one is suspended.
    Engine second(testing::platform(), second_loop, options());
    EXPECT_EQ(second.run("test"), 0);
  }
  EXPECT_EQ(first.run("test"), 0);
  EXPECT_EQ(printed(), (Lines{"1", "beforeExit", "exit", "1", "beforeExit", "exit"}));
}

}  // namespace

}  // namespace rondo::runtime
