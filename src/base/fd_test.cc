#include "base/fd.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <type_traits>

namespace rondo {
namespace {

int some_descriptor() { return ::open("/dev/null", O_RDONLY | O_CLOEXEC); }

bool is_open(int fd) { return ::fcntl(fd, F_GETFD) >= 0; }

TEST(Fd, OwnsNothingAtFirst) {
  const Fd fd;
  EXPECT_FALSE(fd);
  EXPECT_EQ(fd.get(), -1);
}

TEST(Fd, ClosesInItsDestructor) {
  const int raw = some_descriptor();
  {
    const Fd fd(raw);
    EXPECT_TRUE(fd);
    EXPECT_EQ(fd.get(), raw);
    EXPECT_TRUE(is_open(raw));
  }
  EXPECT_FALSE(is_open(raw));
}

TEST(Fd, ZeroIsADescriptorLikeAnyOther) {
  Fd fd(0);
  EXPECT_TRUE(fd);
  EXPECT_EQ(fd.release(), 0);
}

TEST(Fd, ReleaseHandsTheDescriptorOver) {
  const int raw = some_descriptor();
  {
    Fd fd(raw);
    EXPECT_EQ(fd.release(), raw);
    EXPECT_FALSE(fd);
  }
  EXPECT_TRUE(is_open(raw));
  ::close(raw);
}

TEST(Fd, ResetClosesOnceAndOnlyOnce) {
  const int raw = some_descriptor();
  Fd fd(raw);
  fd.reset();
  EXPECT_FALSE(is_open(raw));
  // Most likely gets the same number: a second close would close it.
  const int again = some_descriptor();
  fd.reset();
  EXPECT_TRUE(is_open(again));
  ::close(again);
}

TEST(Fd, MovingLeavesNothingBehind) {
  static_assert(!std::is_copy_constructible_v<Fd>);
  const int raw = some_descriptor(), other = some_descriptor();
  Fd first(raw);
  Fd second(std::move(first));
  EXPECT_FALSE(first);
  EXPECT_EQ(second.get(), raw);
  Fd third(other);
  third = std::move(second);
  EXPECT_FALSE(is_open(other));
  EXPECT_EQ(third.get(), raw);
  Fd& same = third;
  third = std::move(same);
  EXPECT_EQ(third.get(), raw);
  EXPECT_TRUE(is_open(raw));
}

}  // namespace
}  // namespace rondo
