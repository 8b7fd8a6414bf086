#include "cli/leak_check.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "base/fd.h"

namespace rondo::cli {
namespace {

TEST(LeakCheck, NamesADescriptorThatIsLeft) {
  ::setenv("RONDO_CHECK_LEAKS", "1", 1);
  const Fd before(::open("/dev/zero", O_RDONLY | O_CLOEXEC));
  const LeakCheck check;
  EXPECT_TRUE(check.is_wanted());
  {
    const Fd left(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    testing::internal::CaptureStderr();
    EXPECT_EQ(check.finish(3), LeakCheck::kLeaks);
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_NE(said.find("/dev/null"), std::string::npos) << said;
    EXPECT_EQ(said.find("/dev/zero"), std::string::npos) << said;
  }
  ::unsetenv("RONDO_CHECK_LEAKS");
  EXPECT_FALSE(LeakCheck().is_wanted());
}

}  // namespace
}  // namespace rondo::cli
