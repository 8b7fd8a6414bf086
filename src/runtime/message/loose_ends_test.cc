#include "runtime/message/loose_ends.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "runtime/engine/testing.h"

namespace rondo::runtime {

namespace {

class LooseEndsTest : public testing::EngineTest {
 protected:
  LooseEnds& loose() { return realm().state<LooseEnds>(); }
  static Fd any() { return Fd(::open("/dev/null", O_RDONLY | O_CLOEXEC)); }
  static bool is_open(int fd) { return ::fcntl(fd, F_GETFD) >= 0 || errno != EBADF; }
};

TEST_F(LooseEndsTest, UntakenDescriptorsAreClosedWithTheRealm) {
  const int left = loose().give(any());
  const int taken = loose().give(any());
  const int also_left = loose().give(any());
  const Fd ours = loose().take(taken);
  EXPECT_EQ(ours.get(), taken);
  realm().drop_states();
  EXPECT_FALSE(is_open(left));
  EXPECT_FALSE(is_open(also_left));
  EXPECT_TRUE(is_open(taken));
}

TEST_F(LooseEndsTest, ADescriptorThatWasNeverGivenCanBeTaken) {
  const int number = any().release();
  EXPECT_EQ(loose().take(number).get(), number);
  EXPECT_FALSE(is_open(number));  // The caller owned and dropped it.
}

TEST_F(LooseEndsTest, OnlyUntakenDescriptorsAreDropped) {
  const int left = loose().give(any());
  const int taken = loose().give(any());
  const Fd ours = loose().take(taken);
  loose().drop(left);
  loose().drop(taken);
  EXPECT_FALSE(is_open(left));
  EXPECT_TRUE(is_open(taken));
}

TEST_F(LooseEndsTest, NoDescriptorIsNotKept) {
  EXPECT_EQ(loose().give(Fd()), -1);
  EXPECT_EQ(loose().take(-1).get(), -1);
}

}  // namespace

}  // namespace rondo::runtime
