// Tests promises of docs/BEHAVIOURS.md, each under every legal order of timers, immediates, jobs
// and messages.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "explore/search.h"
#include "loop/async.h"
#include "loop/internals.h"
#include "loop/work.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

// Explores all orders and checks each outcome; the test also lists orders that must be among them.
template <class Check>
ExploreResult explored(const std::function<std::string(Loop&)>& run, Check check) {
  ExploreResult result = explore(run);
  EXPECT_TRUE(result.complete);
  for (const ExploredOutcome& outcome : result.outcomes) {
    SCOPED_TRACE(outcome.text + " by " + format_deviations(outcome.schedule));
    check(outcome.text);
  }
  return result;
}

size_t count(const std::string& text, char letter) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), letter));
}

TEST(ExplorePromises, TIM_08_AStoppedTimerNeverRuns) {
  const ExploreResult result = explored(
      [](Loop& loop) {
        std::string order;
        auto timer = loop.make<Timer>();
        Work work(loop);
        timer->start(10ms, [&order](Timer&) { order += 't'; });
        work.submit([] {},
                    [&](Work&, Result<void>) {
                      order += 's';
                      timer->stop();
                    });
        loop.run();
        return order;
      },
      [](const std::string& order) { EXPECT_TRUE(order == "s" || order == "ts"); });
  EXPECT_NE(result.find("s"), nullptr);
  EXPECT_NE(result.find("ts"), nullptr);
}

TEST(ExplorePromises, CHK_03_AClearedImmediateNeverRuns) {
  const ExploreResult result = explored(
      [](Loop& loop) {
        std::string order;
        Immediate immediate(loop);
        Work work(loop);
        work.submit([] {},
                    [&](Work&, Result<void>) {
                      order += 'c';
                      immediate.clear();
                    });
        immediate.set([&order] { order += 'i'; });
        loop.run();
        return order;
      },
      [](const std::string& order) { EXPECT_TRUE(order == "c" || order == "ic"); });
  EXPECT_EQ(result.outcomes.size(), 2u);
}

TEST(ExplorePromises, CLO_01_ClosedOnceAndSilentAfterwards) {
  explored(
      [](Loop& loop) {
        std::string order;
        Owned<Timer> timer = loop.make<Timer>();
        Work first(loop), second(loop);
        timer->start(
            1ms, [&order](Timer&) { order += 't'; }, 1ms);
        const auto close = [&](Work&, Result<void>) {
          order += 'j';
          if (!timer->is_closing()) timer->close([&order](Handle&) { order += 'c'; });
        };
        first.submit([] {}, close);
        second.submit([] {}, close);
        loop.run();
        return order;
      },
      [](const std::string& order) {
        EXPECT_EQ(count(order, 'c'), 1u);
        EXPECT_EQ(count(order, 'j'), 2u);
        // A closing handle does not call back.
        EXPECT_EQ(order.find('t', order.find('j')), std::string::npos);
      });
}

TEST(ExplorePromises, CLO_04_TheLastClosedComesFirst) {
  const ExploreResult result = explored(
      [](Loop& loop) {
        std::string order;
        Owned<Timer> timers[3];
        for (Owned<Timer>& timer : timers) timer = loop.make<Timer>();
        Work work(loop);
        Immediate immediate(loop);
        work.submit([] {},
                    [&](Work&, Result<void>) {
                      char name = 'a';
                      for (Owned<Timer>& timer : timers) {
                        timer->close([&order, name](Handle&) { order += name; });
                        ++name;
                      }
                      immediate.set([&order] { order += 'i'; });
                    });
        loop.run();
        return order;
      },
      [](const std::string& order) { EXPECT_EQ(order, "icba"); });
  EXPECT_EQ(result.outcomes.size(), 1u);
}

TEST(ExplorePromises, PEN_05_DeferredCallbacksOfPollComeBeforeTheImmediates) {
  struct Finished final : Deferred {
    explicit Finished(std::string& to)
        : Deferred([](Deferred& self) { static_cast<Finished&>(self).order += 'p'; }), order(to) {}
    std::string& order;
  };
  explored(
      [](Loop& loop) {
        std::string order;
        Finished finished(order);
        Work first(loop), second(loop);
        Immediate immediate(loop);
        immediate.set([&order] { order += 'i'; });
        first.submit([] {},
                     [&](Work&, Result<void>) {
                       order += 'f';
                       loop.internals().defer(finished);
                     });
        second.submit([] {}, [&order](Work&, Result<void>) { order += 's'; });
        loop.run();
        return order;
      },
      [](const std::string& order) {
        // Only results of the same batch may be delivered in between.
        const size_t first = order.find('f');
        const std::string after = order.substr(first + 1);
        EXPECT_TRUE(after.starts_with("p") || after.starts_with("sp"));
      });
}

TEST(ExplorePromises, TIM_04_AnIntervalRunsUntilItIsStopped) {
  explored(
      [](Loop& loop) {
        std::string order;
        auto timer = loop.make<Timer>();
        Work work(loop);
        Immediate immediate(loop);
        int left = 3;
        timer->start(
            1ms,
            [&](Timer& self) {
              order += 't';
              if (--left == 0) self.stop();
            },
            1ms);
        immediate.set([&order] { order += 'i'; });
        work.submit([] {}, [&order](Work&, Result<void>) { order += 'w'; });
        loop.run();
        return order;
      },
      [](const std::string& order) {
        EXPECT_EQ(count(order, 't'), 3u);
        EXPECT_EQ(count(order, 'i'), 1u);
        EXPECT_EQ(count(order, 'w'), 1u);
      });
}

TEST(ExplorePromises, TURN_03_CallbacksScheduledByACallbackComeAfterIt) {
  explored(
      [](Loop& loop) {
        struct {
          std::string order;
          bool is_inside = false;
          void add(char letter) {
            EXPECT_FALSE(is_inside);
            order += letter;
          }
        } seen;
        Work first(loop), second(loop), inner(loop);
        Immediate immediate(loop);
        first.submit([] {},
                     [&seen, &inner, &immediate](Work&, Result<void>) {
                       seen.add('f');
                       seen.is_inside = true;
                       inner.submit([] {}, [&seen](Work&, Result<void>) { seen.add('n'); });
                       immediate.set([&seen] { seen.add('i'); });
                       seen.is_inside = false;
                     });
        second.submit([] {}, [&seen](Work&, Result<void>) { seen.add('s'); });
        loop.run();
        return seen.order;
      },
      [](const std::string& order) {
        EXPECT_EQ(order.size(), 4u);
        EXPECT_LT(order.find('f'), order.find('n'));
        EXPECT_LT(order.find('f'), order.find('i'));
      });
}

TEST(ExplorePromises, TIM_01_DueTimesAndThenTheOrderOfStarts) {
  explored(
      [](Loop& loop) {
        std::string order;
        auto a = loop.make<Timer>();
        auto b = loop.make<Timer>();
        auto c = loop.make<Timer>();
        Work work(loop);
        c->start(3ms, [&order](Timer&) { order += 'c'; });
        a->start(2ms, [&order](Timer&) { order += 'a'; });
        b->start(2ms, [&order](Timer&) { order += 'b'; });
        work.submit([] {}, [&order](Work&, Result<void>) { order += 'w'; });
        loop.run();
        return order;
      },
      [](std::string order) {
        order.erase(std::remove(order.begin(), order.end(), 'w'), order.end());
        EXPECT_EQ(order, "abc");
      });
}

TEST(ExplorePromises, POOL_03_EveryJobIsReportedOnce) {
  explored(
      [](Loop& loop) {
        std::string order;
        Work a(loop), b(loop), c(loop);
        const auto on_done = [&order](Work&, Result<void> outcome) {
          order += outcome ? 'd' : 'x';
        };
        a.submit([] {},
                 [&](Work& self, Result<void> outcome) {
                   on_done(self, outcome);
                   if (b.is_pending()) std::ignore = b.cancel();
                   if (c.is_pending()) std::ignore = c.cancel();
                 });
        b.submit([] {}, on_done);
        c.submit([] {}, on_done);
        loop.run();
        return order;
      },
      [](const std::string& order) {
        EXPECT_EQ(order.size(), 3u);
        // Every job after `a` was cancelled, and none before.
        EXPECT_EQ(order.find('d', order.find('x')), std::string::npos);
      });
}

TEST(ExplorePromises, ASY_01_ASendAfterACallbackMeansAnother) {
  explored(
      [](Loop& loop) {
        std::string order;
        Owned<Async> async = loop.make<Async>([&](Async&) { order += 'w'; });
        Work first(loop), second(loop);
        const auto send = [&](Work&, Result<void>) {
          order += 's';
          if (async) async->send();
          if (count(order, 's') == 2) async->unref();
        };
        first.submit([] {}, send);
        second.submit([] {}, send);
        loop.run();
        return order;
      },
      [](const std::string& order) {
        EXPECT_EQ(count(order, 's'), 2u);
        EXPECT_LE(count(order, 'w'), 2u);
      });
}

}  // namespace
}  // namespace rondo
