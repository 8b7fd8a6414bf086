#include "runtime/control/explored_program.h"

#include <gtest/gtest.h>

#include "loop/loop.h"
#include "runtime/engine/testing.h"

namespace rondo::runtime {
namespace {

class ExploredProgramTest : public testing::EngineTest {};

TEST_F(ExploredProgramTest, OutsideOfJavaScriptThereIsNoPlace) {
  const ExploredProgram program(Realm::of(isolate()));
  EXPECT_EQ(program.here(), "");
}

TEST_F(ExploredProgramTest, AHandleOfNativeCodeHasNoMaker) {
  Realm& realm = Realm::of(isolate());
  const ExploredProgram program(realm);
  auto timer = realm.loop().make<Timer>();
  EXPECT_EQ(program.maker_of(*timer), "");
}

TEST_F(ExploredProgramTest, EffectsOfAnUnexploredProgramAreNotRecorded) {
  note_outside(Realm::of(isolate()), Outside::network);
}

}  // namespace
}  // namespace rondo::runtime
