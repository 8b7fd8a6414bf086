#include "runtime/message/unclaimed_fds.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "runtime/engine/testing.h"

namespace rondo::runtime {

namespace {

class UnclaimedFdsTest : public testing::EngineTest {
 protected:
  UnclaimedFds& unclaimed() { return realm().state<UnclaimedFds>(); }
  static Fd any() { return Fd(::open("/dev/null", O_RDONLY | O_CLOEXEC)); }
  static bool is_open(int fd) { return ::fcntl(fd, F_GETFD) >= 0 || errno != EBADF; }
};

TEST_F(UnclaimedFdsTest, UntakenDescriptorsAreClosedWithTheRealm) {
  const int left = unclaimed().give(any());
  const int taken = unclaimed().give(any());
  const int also_left = unclaimed().give(any());
  const Fd ours = unclaimed().take(taken);
  EXPECT_EQ(ours.get(), taken);
  realm().drop_states();
  EXPECT_FALSE(is_open(left));
  EXPECT_FALSE(is_open(also_left));
  EXPECT_TRUE(is_open(taken));
}

TEST_F(UnclaimedFdsTest, ADescriptorThatWasNeverGivenCanBeTaken) {
  const int number = any().release();
  EXPECT_EQ(unclaimed().take(number).get(), number);
  EXPECT_FALSE(is_open(number));  // The caller owned and dropped it.
}

TEST_F(UnclaimedFdsTest, OnlyUntakenDescriptorsAreDropped) {
  const int left = unclaimed().give(any());
  const int taken = unclaimed().give(any());
  const Fd ours = unclaimed().take(taken);
  unclaimed().drop(left);
  unclaimed().drop(taken);
  EXPECT_FALSE(is_open(left));
  EXPECT_TRUE(is_open(taken));
}

TEST_F(UnclaimedFdsTest, NoDescriptorIsNotKept) {
  EXPECT_EQ(unclaimed().give(Fd()), -1);
  EXPECT_EQ(unclaimed().take(-1).get(), -1);
}

}  // namespace

}  // namespace rondo::runtime
