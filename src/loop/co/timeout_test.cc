#include "loop/co/timeout.h"

#include <gtest/gtest.h>

#include <string>

#include "base/co/when.h"
#include "base/co/with_token.h"
#include "support/virtual_loop.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

Task<Result<int>> after(Loop& loop, Nanos delay, int value) {
  Result<void> slept = co_await loop.sleep(delay);
  if (!slept) co_return slept.error();
  co_return value;
}
Task<int> plain_after(Loop& loop, Nanos delay, int value) {
  co_await loop.sleep(delay);
  co_return value;
}
Task<void> nothing_after(Loop& loop, Nanos delay) { co_await loop.sleep(delay); }

std::string show(const Result<int>& result) {
  return result ? std::to_string(*result) : result.error().name();
}

TEST(Timeout, ATaskInTimeGivesItsValue) {
  VirtualLoop v;
  auto main = [](Loop& loop) -> Task<std::string> {
    std::string seen = show(co_await with_timeout(5ms, after(loop, 1ms, 1)));
    seen += show(co_await with_timeout(5ms, plain_after(loop, 1ms, 2)));
    Result<void> nothing = co_await with_timeout(5ms, nothing_after(loop, 1ms));
    seen += nothing ? "3" : nothing.error().name();
    co_return seen;
  };
  EXPECT_EQ(v.loop.run_task(main(v.loop)), "123");
  EXPECT_EQ(v.loop.now(), 3ms);
}

TEST(Timeout, ATaskThatIsLateIsCancelled) {
  VirtualLoop v;
  auto main = [](Loop& loop) -> Task<std::string> {
    std::string seen = show(co_await with_timeout(5ms, after(loop, 1h, 1)));
    seen += " " + show(co_await with_timeout(5ms, plain_after(loop, 1h, 2)));
    Result<void> nothing = co_await with_timeout(5ms, nothing_after(loop, 1h));
    seen += nothing ? " 3" : std::string(" ") + nothing.error().name();
    co_return seen;
  };
  EXPECT_EQ(v.loop.run_task(main(v.loop)), "ETIMEDOUT ETIMEDOUT ETIMEDOUT");
  EXPECT_EQ(v.loop.now(), 15ms);
}

TEST(Timeout, ATaskThatNeedNotWaitLeavesNoTimerBehind) {
  VirtualLoop v;
  auto quick = []() -> Task<int> { co_return 1; };
  auto main = [&]() -> Task<std::string> { co_return show(co_await with_timeout(1h, quick())); };
  EXPECT_EQ(v.loop.run_task(main()), "1");
  EXPECT_FALSE(v.loop.run());
  EXPECT_EQ(v.loop.now(), 0ms);
}

TEST(Timeout, CancellationFromAboveIsNotATimeout) {
  VirtualLoop v;
  CancelSource source;
  auto timer = v.loop.make<Timer>();
  timer->start(1ms, [&](Timer&) { source.cancel(); });
  auto main = [](Loop& loop) -> Task<std::string> {
    co_return show(co_await with_timeout(1h, after(loop, 2h, 1)));
  };
  EXPECT_EQ(v.loop.run_task(main(v.loop), source.token()), "ECANCELED");
  EXPECT_EQ(v.loop.now(), 1ms);
}

TEST(Timeout, ATaskThatMakesItInSpiteOfTheCancellationHasMadeIt) {
  VirtualLoop v;
  auto stubborn = [](Loop& loop) -> Task<Result<int>> {
    co_return co_await uncancelled(after(loop, 10ms, 4));
  };
  auto main = [&](Loop& loop) -> Task<std::string> {
    co_return show(co_await with_timeout(5ms, stubborn(loop)));
  };
  EXPECT_EQ(v.loop.run_task(main(v.loop)), "4");
  EXPECT_EQ(v.loop.now(), 10ms);
}

TEST(Timeout, TheShorterOfTwoDecides) {
  VirtualLoop v;
  auto inner = [](Loop& loop, Nanos limit) -> Task<Result<int>> {
    co_return co_await with_timeout(limit, after(loop, 1h, 1));
  };
  auto main = [&](Loop& loop) -> Task<std::string> {
    std::string seen = show(co_await with_timeout(5ms, inner(loop, 50ms)));
    seen += " " + show(co_await with_timeout(50ms, inner(loop, 5ms)));
    co_return seen;
  };
  EXPECT_EQ(v.loop.run_task(main(v.loop)), "ETIMEDOUT ETIMEDOUT");
  EXPECT_EQ(v.loop.now(), 10ms);
}

TEST(Timeout, TheFirstOfTwoSleepersWins) {
  VirtualLoop v;
  auto main = [](Loop& loop) -> Task<std::string> {
    auto [winner, results] = co_await when_any(after(loop, 2ms, 1), after(loop, 1ms, 2));
    co_return std::to_string(winner) + " " + show(std::get<0>(results)) + " " +
        show(std::get<1>(results));
  };
  EXPECT_EQ(v.loop.run_task(main(v.loop)), "1 ECANCELED 2");
  EXPECT_EQ(v.loop.now(), 1ms);
}

TEST(TimeoutDeathTest, WithoutALoopAborts) {
  VirtualLoop v;
  auto lost = [](Loop& loop) -> Task<void> {
    (void)co_await with_timeout(1ms, nothing_after(loop, 1ms));
  };
  Task<void> task = lost(v.loop);
  EXPECT_DEATH(task.start({}, nullptr,
                          [](void*, std::coroutine_handle<>) { return std::coroutine_handle<>(); }),
               "name the loop");
}

}  // namespace
}  // namespace rondo
