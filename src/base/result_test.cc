#include "base/result.h"

#include <gtest/gtest.h>
#include <netdb.h>

#include <cerrno>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace rondo {
namespace {

// Counts its constructions and destructions.
struct Counted {
  explicit Counted(int* count) : alive(count) { ++*alive; }
  Counted(const Counted& other) : alive(other.alive) { ++*alive; }
  Counted(Counted&& other) noexcept : alive(other.alive) { ++*alive; }
  Counted& operator=(const Counted&) = delete;
  Counted& operator=(Counted&&) = delete;
  ~Counted() { --*alive; }
  int* alive;
};

Result<int> half(int number) {
  if (number % 2 != 0) return Error{EDOM, "half"};
  return number / 2;
}

TEST(Result, HoldsAValue) {
  Result<int> result = half(4);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result.has_value());
  EXPECT_EQ(*result, 2);
  EXPECT_EQ(result.value(), 2);
  EXPECT_EQ(result.value_or(7), 2);
  *result = 5;
  EXPECT_EQ(result.value(), 5);
}

TEST(Result, HoldsAnError) {
  const Result<int> result = half(3);
  ASSERT_FALSE(result);
  EXPECT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, EDOM);
  EXPECT_STREQ(result.error().syscall, "half");
  EXPECT_EQ(result.value_or(7), 7);
}

TEST(Result, ReachesIntoTheValue) {
  Result<std::string> result = std::string("rondo");
  EXPECT_EQ(result->size(), 5u);
  result->append("!");
  const Result<std::string>& same = result;
  EXPECT_EQ(same->back(), '!');
  EXPECT_EQ(*same, "rondo!");
}

TEST(Result, AMoveOnlyValueCanBeTakenOut) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(7);
  std::unique_ptr<int> taken = *std::move(result);
  EXPECT_EQ(*taken, 7);
  static_assert(!std::is_copy_constructible_v<Result<std::unique_ptr<int>>>);
  static_assert(std::is_nothrow_move_constructible_v<Result<std::unique_ptr<int>>>);
}

TEST(Result, CopiesAndMovesEitherState) {
  // Too long for the small-string optimisation.
  Result<std::string> value = std::string(100, 'x');
  Result<std::string> copy = value;
  EXPECT_EQ(*copy, *value);
  Result<std::string> moved = std::move(value);
  EXPECT_EQ(*moved, *copy);

  Result<std::string> error = Error{EPIPE, "write"};
  Result<std::string> copied_error = error;
  EXPECT_EQ(copied_error.error().code, EPIPE);
  Result<std::string> moved_error = std::move(error);
  EXPECT_EQ(moved_error.error().code, EPIPE);
}

TEST(Result, AssignmentReplacesEitherStateByEither) {
  Result<std::string> result = std::string("first");
  result = Result<std::string>(Error{EPIPE, "write"});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, EPIPE);
  result = Error{EBADF, "close"};
  EXPECT_EQ(result.error().code, EBADF);
  result = std::string("second");
  ASSERT_TRUE(result);
  EXPECT_EQ(*result, "second");
  result = std::string("third");
  EXPECT_EQ(*result, "third");
  Result<std::string>& same = result;
  result = std::move(same);
  EXPECT_EQ(*result, "third");
}

TEST(Result, DestroysEveryValueOnce) {
  int alive = 0;
  {
    Result<Counted> result = Counted(&alive);
    EXPECT_EQ(alive, 1);
    Result<Counted> copy = result;
    Result<Counted> moved = std::move(result);
    EXPECT_EQ(alive, 3);
    copy = Error{EIO, "read"};
    EXPECT_EQ(alive, 2);
    copy = std::move(moved);
    EXPECT_EQ(alive, 3);
  }
  EXPECT_EQ(alive, 0);
}

TEST(Result, VoidIsSuccessOrAnError) {
  const Result<void> good;
  EXPECT_TRUE(good);
  good.value();
  const Result<void> bad = Error{ENOENT, "open"};
  EXPECT_FALSE(bad);
  EXPECT_EQ(bad.error().code, ENOENT);
  EXPECT_STREQ(bad.error().syscall, "open");
}

TEST(ResultDeathTest, ReadingAMissingValueAborts) {
  Result<int> value = 1;
  Result<int> error = Error{EIO, "read"};
  Result<void> good;
  Result<void> bad = Error{EIO, "read"};
  EXPECT_DEATH((void)value.error(), "has_value_");
  EXPECT_DEATH((void)error.value(), "has_value_");
  EXPECT_DEATH((void)*error, "has_value_");
  EXPECT_DEATH((void)good.error(), "has_value_");
  EXPECT_DEATH(bad.value(), "has_value_");
}

TEST(Error, NamesTheCode) {
  EXPECT_STREQ((Error{ECONNREFUSED, "connect"}.name()), "ECONNREFUSED");
  EXPECT_STREQ((Error{EAI_NONAME, "getaddrinfo"}.name()), "EAI_NONAME");
  EXPECT_STREQ((Error{99999, "write"}.name()), "UNKNOWN");
  EXPECT_STREQ((Error{-99999, "getaddrinfo"}.name()), "EAI_UNKNOWN");
}

TEST(Error, TheMessageHasCallTextAndCode) {
  EXPECT_EQ((Error{ECONNREFUSED, "connect"}.message()),
            "connect: Connection refused (ECONNREFUSED)");
  EXPECT_EQ((Error{EACCES, ""}.message()), "Permission denied (EACCES)");
  EXPECT_EQ((Error{99999, "write"}.message()), "write: unknown error (UNKNOWN)");
  EXPECT_EQ((Error{EAI_NONAME, "getaddrinfo"}.message()),
            "getaddrinfo: Name or service not known (EAI_NONAME)");
}

TEST(Error, LastReadsErrno) {
  errno = EMFILE;
  const Error error = Error::last("accept4");
  EXPECT_EQ(error.code, EMFILE);
  EXPECT_STREQ(error.syscall, "accept4");
}

TEST(Error, IsEqualByCode) {
  EXPECT_TRUE((Error{EIO, "read"} == Error{EIO, "write"}));
  EXPECT_FALSE((Error{EIO, "read"} == Error{EINTR, "read"}));
}

}  // namespace
}  // namespace rondo
