#include "loop/request.h"

#include <gtest/gtest.h>

#include "support/test_loop.h"

namespace rondo {
namespace {

class Probe final : public Request {
 public:
  explicit Probe(Loop& loop) : Request(loop, "probe") {}
  void submit() { begin(); }
  void finish() { end(); }
  Result<void> cancel() override { return Error{EBUSY, "cancel"}; }
};

TEST(Request, KeepsTheLoopAliveWhileItIsPending) {
  TestLoop loop;
  Probe probe(loop);
  EXPECT_FALSE(probe.is_pending());
  EXPECT_FALSE(loop->is_alive());
  probe.submit();
  EXPECT_TRUE(probe.is_pending());
  EXPECT_TRUE(loop->is_alive());
  EXPECT_EQ(loop->active_requests(), 1u);
  probe.finish();
  EXPECT_FALSE(loop->is_alive());
  EXPECT_EQ(loop->active_requests(), 0u);
}

TEST(Request, HasANewIdForEachOperation) {
  TestLoop loop;
  Probe probe(loop);
  probe.submit();
  const uint64_t first = probe.id();
  probe.finish();
  probe.submit();
  EXPECT_NE(probe.id(), first);
  probe.finish();
  EXPECT_STREQ(probe.label(), "probe");
  EXPECT_EQ(loop.trace().count(TraceKind::schedule), 2u);
}

TEST(RequestDeathTest, DestroyingAPendingRequestAborts) {
  TestLoop loop;
  EXPECT_DEATH(
      {
        Probe probe(loop);
        probe.submit();
      },
      "destroyed while its operation was in flight");
}

TEST(RequestDeathTest, BeginningTwiceOrEndingTwiceAborts) {
  TestLoop loop;
  Probe probe(loop);
  EXPECT_DEATH(probe.finish(), "is_pending_");
  probe.submit();
  EXPECT_DEATH(probe.submit(), "is_pending_");
  probe.finish();
}

}  // namespace
}  // namespace rondo
