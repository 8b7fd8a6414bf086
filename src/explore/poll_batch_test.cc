// Tests the legal orders of one batch of events: all orders that Node can produce, and no others.
#include <gtest/gtest.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <set>
#include <string>

#include "base/fd.h"
#include "explore/search.h"
#include "loop/async.h"
#include "loop/loop.h"
#include "loop/work.h"
#include "support/readiness.h"

namespace rondo {
namespace {

using Outcomes = std::set<std::string>;

Outcomes outcomes(const std::function<std::string(Loop&)>& run,
                  const ExploreOptions& options = {}) {
  const ExploreResult result = explore(run, options);
  EXPECT_TRUE(result.complete);
  Outcomes found;
  for (const ExploredOutcome& outcome : result.outcomes) found.insert(outcome.text);
  return found;
}

Work::OnDone mark(std::string& order, char name) {
  return [&order, name](Work&, Result<void>) { order += name; };
}

Async::OnWake mark_and_close(std::string& order, char name) {
  return [&order, name](Async& self) {
    order += name;
    self.close();
  };
}

// A descriptor that is ready from the start, and calls back once.
class ReadyOnce {
 public:
  ReadyOnce(Loop& loop, std::string& order, char name)
      : fd_(::eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK)), readiness_(loop.make<Readiness>(fd_.get())) {
    EXPECT_TRUE(readiness_->start(EPOLLIN, [&order, name](Readiness& self, int32_t, uint32_t) {
      order += name;
      self.close();
    }));
  }

 private:
  Fd fd_;
  Owned<Readiness> readiness_;
};

TEST(PollBatch, ASY_02_AMessageOfThisThreadIsNotLate) {
  const Outcomes found = outcomes([](Loop& loop) {
    std::string order;
    auto message = loop.make<Async>(mark_and_close(order, 'm'));
    Immediate immediate(loop);
    immediate.set([&order] { order += 'i'; });
    message->send();
    loop.run();
    return order;
  });
  EXPECT_EQ(found, (Outcomes{"mi"}));
}

TEST(PollBatch, ASY_02_ResultsComeBeforeMessagesOfTheSameWakeUp) {
  const Outcomes found = outcomes([](Loop& loop) {
    std::string order;
    auto message = loop.make<Async>(mark_and_close(order, 'm'));
    Work work(loop);
    Immediate immediate(loop);
    immediate.set([&order] { order += 'i'; });
    work.submit([] {}, mark(order, 'w'));
    message->send();
    loop.run();
    return order;
  });
  EXPECT_EQ(found, (Outcomes{"wmi", "miw"}));
}

TEST(PollBatch, ASY_02_OperationsStartedByAResultComeAfterTheMessages) {
  const Outcomes found = outcomes([](Loop& loop) {
    std::string order;
    auto message = loop.make<Async>(mark_and_close(order, 'm'));
    Work work(loop), next(loop);
    work.submit([] {},
                [&](Work&, Result<void>) {
                  order += 'w';
                  next.submit([] {}, mark(order, 'n'));
                });
    message->send();
    loop.run();
    return order;
  });
  EXPECT_EQ(found, (Outcomes{"wmn", "mwn"}));
}

TEST(PollBatch, ASY_02_ASendToALaterAsyncIsDeliveredInTheSamePass) {
  const Outcomes found = outcomes([](Loop& loop) {
    std::string order;
    Owned<Async> later;
    auto earlier = loop.make<Async>([&](Async& self) {
      order += 'a';
      if (order == "a") {
        later->send();
        self.send();
      } else {
        self.close();
      }
    });
    later = loop.make<Async>(mark_and_close(order, 'b'));
    Immediate immediate(loop);
    immediate.set([&order] { order += 'i'; });
    earlier->send();
    loop.run();
    return order;
  });
  EXPECT_EQ(found, (Outcomes{"abia"}));
}

TEST(PollBatch, POL_08_TheMailboxHasOnePlaceInABatch) {
  const Outcomes found = outcomes([](Loop& loop) {
    std::string order;
    ReadyOnce ready(loop, order, 'r');
    Work first(loop), second(loop);
    Immediate immediate(loop);
    immediate.set([&order] { order += 'i'; });
    first.submit([] {}, mark(order, '1'));
    second.submit([] {}, mark(order, '2'));
    loop.run();
    return order;
  });
  EXPECT_TRUE(found.contains("12ri"));
  EXPECT_TRUE(found.contains("r21i"));
  EXPECT_TRUE(found.contains("1ri2"));
  EXPECT_FALSE(found.contains("1r2i"));
  EXPECT_FALSE(found.contains("2r1i"));
  EXPECT_TRUE(found.contains("i1r2"));  // In two polls, without a callback in between.
}

TEST(PollBatch, POL_08_AMessageSentInABatchJoinsItOnlyWithAResult) {
  const Outcomes found = outcomes([](Loop& loop) {
    std::string order;
    auto message = loop.make<Async>(mark_and_close(order, 'm'));
    Fd fd(::eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK));
    auto ready = loop.make<Readiness>(fd.get());
    EXPECT_TRUE(ready->start(EPOLLIN, [&](Readiness& self, int32_t, uint32_t) {
      order += 'r';
      message->send();
      self.close();
    }));
    Work work(loop);
    Immediate immediate(loop);
    immediate.set([&order] { order += 'i'; });
    work.submit([] {}, mark(order, 'w'));
    loop.run();
    return order;
  });
  EXPECT_TRUE(found.contains("rwmi"));
  EXPECT_TRUE(found.contains("wrim"));
  EXPECT_TRUE(found.contains("riwm"));
  EXPECT_TRUE(found.contains("rimw"));
  for (const std::string& order : found) {
    EXPECT_FALSE(order == "rmwi" || order == "rmiw" || order == "wrmi") << order;
  }
}

// Pool jobs complete in any order if they run at the same time.
std::string five_jobs(Loop& loop) {
  std::string order;
  Work a(loop), b(loop), c(loop), d(loop), e(loop);
  char name = 'a';
  for (Work* work : {&a, &b, &c, &d, &e}) work->submit([] {}, mark(order, name++));
  loop.run();
  return order;
}

TEST(PollBatch, POOL_05_AJobCompletesOnlyAfterItHasStarted) {
  ThreadPool one(1), two(2), four(4);
  EXPECT_EQ(outcomes(five_jobs, {.pool = &one}), (Outcomes{"abcde"}));
  EXPECT_EQ(outcomes(five_jobs, {.pool = &two}).size(), 16u);
  const Outcomes of_four = outcomes(five_jobs, {.pool = &four});
  EXPECT_EQ(of_four.size(), 96u);
  for (const std::string& order : of_four) EXPECT_NE(order[0], 'e');
}

TEST(PollBatch, POOL_04_SlowJobsLeaveWorkersToTheOthers) {
  ThreadPool pool(2);
  const Outcomes found = outcomes(
      [](Loop& loop) {
        std::string order;
        Work a(loop), b(loop), fast(loop);
        a.submit([] {}, mark(order, 'a'), JobKind::slow);
        b.submit([] {}, mark(order, 'b'), JobKind::slow);
        fast.submit([] {}, mark(order, 'f'));
        loop.run();
        return order;
      },
      {.pool = &pool});
  EXPECT_EQ(found, (Outcomes{"abf", "afb", "fab"}));
}

TEST(PollBatch, FS_02_TripsGoToTheEndOfTheQueue) {
  ThreadPool pool(1);
  const Outcomes found = outcomes(
      [](Loop& loop) {
        std::string order;
        Work many(loop), one(loop);
        many.add_trips(2);
        many.submit([] {}, mark(order, 'm'));
        one.submit([] {},
                   [&](Work& self, Result<void>) {
                     order += '1';
                     if (order.size() < 3) self.submit([] {}, mark(order, '2'));
                   });
        loop.run();
        return order;
      },
      {.pool = &pool});
  EXPECT_EQ(found, (Outcomes{"12m"}));
}

TEST(PollBatch, EffectsOfAPoolOfOneComeInOrder) {
  ThreadPool pool(1);
  const Outcomes found = outcomes(
      [](Loop& loop) {
        std::string order;
        Work a(loop, "a", {"/x", "", true}), b(loop, "b", {"/x", "", true});
        a.submit([&order] { order += 'A'; }, mark(order, 'a'));
        b.submit([&order] { order += 'B'; }, mark(order, 'b'));
        loop.run();
        return order;
      },
      {.pool = &pool});
  EXPECT_EQ(found, (Outcomes{"AaBb"}));
}

}  // namespace
}  // namespace rondo
