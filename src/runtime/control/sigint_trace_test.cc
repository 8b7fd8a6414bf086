#include "runtime/control/sigint_trace.h"

#include <gtest/gtest.h>

#include "runtime/engine/testing.h"

namespace rondo::runtime {
namespace {

volatile sig_atomic_t handled = 0;

class SigintTraceTest : public testing::EngineTest {
 protected:
  void SetUp() override {
    handled = 0;
    struct sigaction action {};
    action.sa_handler = [](int) { handled = handled + 1; };
    ::sigaction(SIGINT, &action, &before_);
  }
  void TearDown() override { ::sigaction(SIGINT, &before_, nullptr); }

  struct sigaction before_ {};
};

TEST_F(SigintTraceTest, TheSignalKeepsItsNormalEffect) {
  SigintTrace trace(realm());
  ASSERT_TRUE(trace.start());
  ASSERT_TRUE(trace.start());
  // A trace does not keep the loop alive, and a loop that is not alive does not poll.
  const Owned<Async> keeper = realm().loop().make<Async>([](Async&) {});
  for (int i = 1; i <= 2; ++i) {
    ::testing::internal::CaptureStderr();
    ::raise(SIGINT);
    while (handled < i) realm().loop().run_nowait();
    EXPECT_EQ(::testing::internal::GetCapturedStderr(),
              "KEYBOARD_INTERRUPT: Script execution was interrupted by `SIGINT`\n");
  }
  trace.stop();
  trace.stop();
  ::raise(SIGINT);
  EXPECT_EQ(handled, 3);
}

}  // namespace
}  // namespace rondo::runtime
