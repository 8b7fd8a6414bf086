// Making and ending a loop.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "loop/loop.h"
#include "support/backends.h"
#include "support/readiness.h"
#include "support/test_loop.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

class LoopBackendTest : public BackendTest {
 protected:
  LoopOptions options() const {
    LoopOptions options;
    options.backend = GetParam();
    return options;
  }
};

TEST_P(LoopBackendTest, RunsOnTheGivenBackend) {
  Loop loop(options());
  EXPECT_EQ(loop.backend(), GetParam());
  EXPECT_FALSE(loop.run());
}

TEST_P(LoopBackendTest, ALoopMayBeBuiltByOneThreadAndRunByAnother) {
  Loop loop(options());
  bool ran = false;
  std::thread([&] {
    auto timer = loop.make<Timer>();
    timer->start(1ms, [&](Timer&) { ran = true; });
    loop.run();
    timer->close();
    loop.run();
  }).join();
  EXPECT_TRUE(ran);
}

// Lowers the limit of descriptors so that `spare` more can be opened.
class FewDescriptors {
 public:
  explicit FewDescriptors(int spare) {
    const int next = ::dup(0);
    ::close(next);
    ::getrlimit(RLIMIT_NOFILE, &before_);
    rlimit fewer = before_;
    fewer.rlim_cur = static_cast<rlim_t>(next) + static_cast<rlim_t>(spare);
    ::setrlimit(RLIMIT_NOFILE, &fewer);
  }
  ~FewDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_;
};

TEST_P(LoopBackendTest, CreateReportsThatThereAreNoDescriptorsLeft) {
  { Loop first(options()); }  // UBSan opens descriptors when it sees a class for the first time.
  // An epoll and an eventfd; with io_uring also the ring.
  const int needed = GetParam() == Backend::uring ? 3 : 2;
  for (int spare = 0; spare < needed; ++spare) {
    const FewDescriptors few(spare);
    Result<std::unique_ptr<Loop>> loop = Loop::create(options());
    ASSERT_FALSE(loop) << spare;
    EXPECT_EQ(loop.error().code, EMFILE) << spare;
  }
  const FewDescriptors enough(needed);
  Result<std::unique_ptr<Loop>> loop = Loop::create(options());
  ASSERT_TRUE(loop) << loop.error().message();
  EXPECT_FALSE((*loop)->run());
}

TEST_P(LoopBackendTest, AFailedCreateLeavesNoDescriptorBehind) {
  { Loop first(options()); }
  const int before = ::dup(0);
  ::close(before);
  for (int i = 0; i < 10; ++i) {
    const FewDescriptors few(1);
    EXPECT_FALSE(Loop::create(options()));
  }
  const int after = ::dup(0);
  ::close(after);
  EXPECT_EQ(before, after);
}

RONDO_PER_BACKEND(LoopBackendTest);

TEST(LoopDeathTest, TheConstructorReportsWhyItFails) {
  { Loop first; }
  EXPECT_DEATH(
      {
        const FewDescriptors none(0);
        Loop loop;
      },
      "cannot create a poller.*EMFILE");
}

TEST(LoopDeathTest, EndingWithAnOpenHandleAbortsAndNamesIt) {
  EXPECT_DEATH(
      {
        auto loop = std::make_unique<TestLoop>();
        auto timer = loop->make<Timer>();
        loop.reset();
      },
      "the loop was destroyed while a timer handle is open");
}

}  // namespace
}  // namespace rondo
