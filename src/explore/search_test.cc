// Tests explore(), and promises of docs/BEHAVIOURS.md that must hold in every legal order.
#include "explore/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "loop/async.h"
#include "loop/loop.h"
#include "loop/work.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

std::set<std::string> texts(const ExploreResult& result) {
  std::set<std::string> out;
  for (const ExploredOutcome& outcome : result.outcomes) out.insert(outcome.text);
  return out;
}

std::string three_jobs(Loop& loop) {
  std::string order;
  Work a(loop), b(loop), c(loop);
  a.submit([] {}, [&order](Work&, Result<void>) { order += 'a'; });
  b.submit([] {}, [&order](Work&, Result<void>) { order += 'b'; });
  c.submit([] {}, [&order](Work&, Result<void>) { order += 'c'; });
  loop.run();
  return order;
}

TEST(Explore, FindsEveryOrderOfThreeJobsOnce) {
  const ExploreResult result = explore(three_jobs);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(texts(result), (std::set<std::string>{"abc", "acb", "bac", "bca", "cab", "cba"}));
  EXPECT_EQ(result.outcomes[0].text, "abc");
  EXPECT_EQ(result.schedules, 6u);
}

TEST(Explore, FindsTheSameWithoutReduction) {
  const ExploreResult result = explore(three_jobs, {.reduces = false, .limits = {.late = 1}});
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.outcomes.size(), 6u);
  EXPECT_GT(result.schedules, 6u);
}

TEST(Explore, SchedulesOfOutcomesLeadToThem) {
  const ExploreResult result = explore(three_jobs);
  for (const ExploredOutcome& outcome : result.outcomes) {
    Result<Schedule> parsed = parse_schedule(format_deviations(outcome.schedule));
    ASSERT_TRUE(parsed);
    VirtualClock clock;
    ReplayChoice choice(std::move(*parsed));
    Loop loop({.clock = &clock, .choice = &choice});
    EXPECT_EQ(three_jobs(loop), outcome.text) << format_deviations(outcome.schedule);
  }
}

TEST(Explore, ReportsWhereItStopped) {
  EXPECT_FALSE(explore(three_jobs, {.most_schedules = 3}).complete);
  const ExploreResult bounded = explore(three_jobs, {.bound = 1});
  EXPECT_FALSE(bounded.complete);
  EXPECT_EQ(texts(bounded), (std::set<std::string>{"abc", "acb", "bac", "cab"}));
}

// Promises ORD-01 and ORD-02, without JavaScript.
TEST(Explore, ORD_01_TimerAndImmediateFromOutsideHaveTwoOrders) {
  const ExploreResult result = explore([](Loop& loop) {
    std::string order;
    auto timer = loop.make<Timer>();
    Immediate immediate(loop);
    timer->start(1ms, [&order](Timer&) { order += 't'; });
    immediate.set([&order] { order += 'i'; });
    loop.run();
    return order;
  });
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(texts(result), (std::set<std::string>{"it", "ti"}));
}

TEST(Explore, ORD_02_TimerAndImmediateFromAnIoCallbackHaveOne) {
  const ExploreResult result = explore([](Loop& loop) {
    std::string order;
    auto timer = loop.make<Timer>();
    Immediate immediate(loop);
    Work work(loop);
    work.submit([] {},
                [&](Work&, Result<void>) {
                  timer->start(1ms, [&order](Timer&) { order += 't'; });
                  immediate.set([&order] { order += 'i'; });
                });
    loop.run();
    return order;
  });
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(texts(result), (std::set<std::string>{"it"}));
}

TEST(Explore, ACompletionMayComeBeforeOrAfterImmediatesAndTimers) {
  const ExploreResult result = explore([](Loop& loop) {
    std::string order;
    auto timer = loop.make<Timer>();
    Immediate immediate(loop);
    Work work(loop);
    timer->start(50ms, [&order](Timer&) { order += 't'; });
    immediate.set([&order] { order += 'i'; });
    work.submit([] {}, [&order](Work&, Result<void>) { order += 'w'; });
    loop.run();
    return order;
  });
  EXPECT_TRUE(result.complete);
  // The timer is due too late to run before the immediate.
  EXPECT_EQ(texts(result), (std::set<std::string>{"wit", "iwt", "itw"}));
}

TEST(Explore, OperationsStartedByAJobMayOvertakeEarlierOnes) {
  const ExploreResult result = explore([](Loop& loop) {
    std::string order;
    Work a(loop), b(loop), next(loop);
    a.submit([] {},
             [&](Work&, Result<void>) {
               order += 'a';
               next.submit([] {}, [&order](Work&, Result<void>) { order += 'n'; });
             });
    b.submit([] {}, [&order](Work&, Result<void>) { order += 'b'; });
    loop.run();
    return order;
  });
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(texts(result), (std::set<std::string>{"abn", "anb", "ban"}));
}

// TURN-10 and CHK-02: an immediate set by an immediate always runs a turn later. TIM-01: timers run
// in the order of their deadlines.
TEST(Explore, PromisesOfTheLoopHoldInEveryOrder) {
  const ExploreResult result = explore([](Loop& loop) {
    std::string order;
    auto first = loop.make<Timer>();
    auto second = loop.make<Timer>();
    Immediate outer(loop), inner(loop);
    Work a(loop), b(loop);
    first->start(1ms, [&order](Timer&) { order += '1'; });
    second->start(2ms, [&order](Timer&) { order += '2'; });
    outer.set([&] {
      order += 'o';
      inner.set([&order] { order += 'i'; });
    });
    a.submit([] {}, [&order](Work&, Result<void>) { order += 'a'; });
    b.submit([] {}, [&order](Work&, Result<void>) { order += 'b'; });
    loop.run();
    return order;
  });
  EXPECT_TRUE(result.complete);
  EXPECT_GT(result.outcomes.size(), 20u);
  for (const ExploredOutcome& outcome : result.outcomes) {
    const std::string& order = outcome.text;
    EXPECT_EQ(order.size(), 6u) << order;  // No callback is lost or runs twice.
    EXPECT_LT(order.find('1'), order.find('2')) << order;
    EXPECT_LT(order.find('o'), order.find('i')) << order;
  }
}

TEST(Explore, AsyncWakeUpsAreNeverLost) {
  const ExploreResult result = explore([](Loop& loop) {
    std::string order;
    Owned<Async> async = loop.make<Async>([&](Async&) {
      order += 'w';
      async.reset();
    });
    Work work(loop);
    work.submit([] {},
                [&](Work&, Result<void>) {
                  order += 'j';
                  if (async) async->send();
                });
    async->send();
    loop.run();
    return order;
  });
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(texts(result), (std::set<std::string>{"wj", "jw"}));
}

TEST(Explore, CancellingIsOneOfTwoStories) {
  const ExploreResult result = explore([](Loop& loop) {
    std::string order;
    bool has_run = false;
    Work slow(loop), other(loop);
    slow.submit([&has_run] { has_run = true; },
                [&](Work&, Result<void> outcome) {
                  EXPECT_EQ(static_cast<bool>(outcome), has_run);  // POOL-03
                  order += outcome ? 'd' : 'c';
                });
    other.submit(
        [] {},
        [&](Work&, Result<void>) { order += slow.is_pending() && slow.cancel() ? 'x' : '-'; });
    loop.run();
    return order;
  });
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(texts(result), (std::set<std::string>{"d-", "xc"}));
}

}  // namespace
}  // namespace rondo
