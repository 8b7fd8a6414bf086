#include "base/time/timer_queue.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <random>
#include <tuple>
#include <vector>

namespace rondo {
namespace {

using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;
using namespace std::chrono_literals;

constexpr Nanos kEarliest = Nanos::min();
constexpr Nanos kTick{65536};  // The span of a slot on the wheel's lowest level.

// Numbered nodes that are removed from the queue before they are destroyed.
class Nodes {
 public:
  Nodes(TimerQueue& queue, size_t count) : queue_(queue), nodes_(count) {}
  ~Nodes() {
    for (TimerNode& node : nodes_) {
      if (node.is_linked()) queue_.remove(node);
    }
  }
  TimerNode& operator[](size_t index) { return nodes_[index]; }
  size_t size() const { return nodes_.size(); }
  int number(const TimerNode* node) const {
    return node == nullptr ? -1 : static_cast<int>(node - nodes_.data());
  }

 private:
  TimerQueue& queue_;
  std::vector<TimerNode> nodes_;
};

std::vector<int> pop_all(TimerQueue& queue, const Nodes& nodes, Nanos now,
                         uint64_t before = UINT64_MAX) {
  std::vector<int> popped;
  while (TimerNode* node = queue.pop_due(now, before)) popped.push_back(nodes.number(node));
  return popped;
}

using Order = std::vector<int>;

TEST(TimerQueue, EmptyHasNothingDueAndNoBound) {
  TimerQueue queue;
  EXPECT_TRUE(queue.is_empty());
  EXPECT_EQ(queue.size(), 0u);
  EXPECT_EQ(queue.pop_due(kForever), nullptr);
  EXPECT_EQ(queue.next_bound(), kForever);
  EXPECT_EQ(queue.next_exact(), kForever);
}

TEST(TimerQueue, ANodeHasItsDeadlineAndSequence) {
  TimerQueue queue;
  Nodes nodes(queue, 2);
  EXPECT_EQ(queue.next_sequence(), 0u);
  queue.insert(nodes[0], 5s);
  queue.insert(nodes[1], 1s);
  EXPECT_EQ(queue.next_sequence(), 2u);
  EXPECT_EQ(queue.size(), 2u);
  EXPECT_TRUE(nodes[0].is_linked());
  EXPECT_EQ(nodes[0].deadline(), 5s);
  EXPECT_EQ(nodes[0].sequence(), 0u);
  EXPECT_EQ(nodes[1].sequence(), 1u);
  EXPECT_EQ(queue.pop_due(1s), &nodes[1]);
  EXPECT_FALSE(nodes[1].is_linked());
  EXPECT_EQ(nodes[1].deadline(), 1s);  // Kept after popping, to measure lateness.
  EXPECT_EQ(queue.size(), 1u);
}

TEST(TimerQueue, IsNeverEarlyByANanosecond) {
  for (Nanos deadline : {Nanos{1}, Nanos{65535}, Nanos{65536}, Nanos{1s}, Nanos{hours{1000}}}) {
    TimerQueue queue;
    Nodes nodes(queue, 1);
    queue.insert(nodes[0], deadline);
    EXPECT_EQ(queue.pop_due(deadline - 1ns), nullptr) << deadline.count();
    EXPECT_EQ(queue.pop_due(deadline), &nodes[0]) << deadline.count();
  }
}

TEST(TimerQueue, OrderIsByNanosecondWithinOneTick) {
  TimerQueue queue;
  Nodes nodes(queue, 3);
  queue.insert(nodes[0], 10ms + 2ns);
  queue.insert(nodes[1], 10ms + 1ns);
  queue.insert(nodes[2], 10ms + 3ns);
  EXPECT_EQ(pop_all(queue, nodes, 20ms), (Order{1, 0, 2}));
}

TEST(TimerQueue, EqualDeadlinesComeInInsertionOrder) {
  for (Nanos deadline : {Nanos{0}, Nanos{-5}, Nanos{3ms}, Nanos{hours{1}}, kForever, kEarliest}) {
    TimerQueue queue;
    Nodes nodes(queue, 500);
    Order expected;
    for (size_t i = 0; i < nodes.size(); ++i) queue.insert(nodes[i], deadline);
    // Removing and inserting some nodes again must not change the order of the others.
    for (size_t i = 0; i < nodes.size(); i += 7) queue.remove(nodes[i]);
    for (size_t i = 0; i < nodes.size(); i += 7) queue.insert(nodes[i], deadline);
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (i % 7 != 0) expected.push_back(static_cast<int>(i));
    }
    for (size_t i = 0; i < nodes.size(); i += 7) expected.push_back(static_cast<int>(i));
    EXPECT_EQ(pop_all(queue, nodes, kForever), expected) << deadline.count();
  }
}

TEST(TimerQueue, PastDeadlinesComeFirstAndInOrder) {
  TimerQueue queue(1h);
  Nodes nodes(queue, 5);
  queue.pop_due(1h);
  queue.insert(nodes[0], 1h);
  queue.insert(nodes[1], 30min);
  queue.insert(nodes[2], Nanos{-1});
  queue.insert(nodes[3], kEarliest);
  queue.insert(nodes[4], 30min);
  EXPECT_EQ(queue.next_bound(), kEarliest);
  EXPECT_EQ(pop_all(queue, nodes, 1h), (Order{3, 2, 1, 4, 0}));
}

TEST(TimerQueue, ForeverIsLaterThanAnyInstantAndStillRemovable) {
  TimerQueue queue;
  Nodes nodes(queue, 3);
  queue.insert(nodes[0], kForever);
  queue.insert(nodes[1], kForever);
  queue.insert(nodes[2], kForever - 1ns);
  EXPECT_EQ(queue.next_bound(), kForever - 1ns);
  EXPECT_EQ(pop_all(queue, nodes, kForever - 1ns), (Order{2}));
  EXPECT_EQ(queue.next_bound(), kForever);
  EXPECT_EQ(queue.next_exact(), kForever);
  EXPECT_FALSE(queue.is_empty());
  queue.remove(nodes[0]);
  EXPECT_EQ(pop_all(queue, nodes, kForever), (Order{1}));
}

TEST(TimerQueue, RemovesFromEveryPlace) {
  TimerQueue queue;
  Nodes nodes(queue, 9);
  queue.insert(nodes[0], 5ms);        // One slot, which will be opened to a sorted run:
  queue.insert(nodes[1], 5ms + 1ns);  // first to be popped,
  queue.insert(nodes[2], 5ms + 2ns);  // the front when removed,
  queue.insert(nodes[3], 5ms + 3ns);  // in the middle,
  queue.insert(nodes[4], 5ms + 4ns);
  queue.insert(nodes[5], 5ms + 5ns);  // at the end.
  queue.insert(nodes[6], hours{20});  // Far away.
  EXPECT_EQ(queue.pop_due(5ms), &nodes[0]);
  queue.insert(nodes[7], 5ms + 2ns);  // Before the wheel's position, out of order: the heap.
  queue.insert(nodes[8], Nanos{7});
  for (int number : {2, 3, 5, 6, 7}) queue.remove(nodes[static_cast<size_t>(number)]);
  EXPECT_EQ(queue.size(), 3u);
  EXPECT_EQ(queue.next_bound(), 7ns);
  EXPECT_EQ(pop_all(queue, nodes, kForever), (Order{8, 1, 4}));
  EXPECT_TRUE(queue.is_empty());
}

TEST(TimerQueue, RemovingTheWholeRunLetsTheNextSlotIn) {
  TimerQueue queue;
  Nodes nodes(queue, 4);
  for (size_t i = 0; i < 3; ++i) queue.insert(nodes[i], 5ms + Nanos{i});
  queue.insert(nodes[3], 7ms);
  EXPECT_EQ(queue.pop_due(5ms), &nodes[0]);
  queue.remove(nodes[2]);
  queue.remove(nodes[1]);
  EXPECT_EQ(queue.next_bound(), 7ms);
  EXPECT_EQ(queue.pop_due(7ms), &nodes[3]);
}

TEST(TimerQueue, ANodeMayComeBackWhileOthersAreBeingPopped) {
  TimerQueue queue;
  Nodes nodes(queue, 3);
  queue.insert(nodes[0], 1ms);
  queue.insert(nodes[1], 2ms);
  queue.insert(nodes[2], 3ms);
  EXPECT_EQ(queue.pop_due(10ms), &nodes[0]);
  queue.insert(nodes[0], 2ms);  // Due already, behind 1 by sequence, before 2 by deadline.
  EXPECT_EQ(pop_all(queue, nodes, 10ms), (Order{1, 0, 2}));
}

TEST(TimerQueue, InsertsRightBehindACrowdedTickKeepTheirPlace) {
  TimerQueue queue;
  Nodes nodes(queue, 302);
  const Nanos tick = 100 * kTick;
  for (size_t i = 0; i < 300; ++i) queue.insert(nodes[i], tick + Nanos{i});
  queue.insert(nodes[300], tick + kTick + 1ns);
  EXPECT_EQ(queue.pop_due(tick), &nodes[0]);
  queue.insert(nodes[301], tick + kTick + 2ns);
  const Order popped = pop_all(queue, nodes, 1s);
  EXPECT_EQ(popped.size(), 301u);
  EXPECT_TRUE(std::is_sorted(popped.begin(), popped.end()));
}

TEST(TimerQueue, AClockThatGoesBackMakesNothingDueAndLosesNoOrder) {
  TimerQueue queue;
  Nodes nodes(queue, 3);
  queue.insert(nodes[0], 20s);
  EXPECT_EQ(queue.pop_due(10s), nullptr);
  queue.insert(nodes[1], 10s + 1ms);
  EXPECT_EQ(queue.pop_due(5s), nullptr);
  queue.insert(nodes[2], 7s);
  EXPECT_EQ(queue.next_bound(), 7s);
  EXPECT_EQ(queue.next_exact(), 7s);
  EXPECT_EQ(queue.pop_due(6s), nullptr);
  EXPECT_EQ(pop_all(queue, nodes, 30s), (Order{2, 1, 0}));
}

TEST(TimerQueue, TURN_10_TimersInsertedAfterTheLimitWait) {
  TimerQueue queue;
  Nodes nodes(queue, 6);
  queue.insert(nodes[0], 1ms);
  queue.insert(nodes[1], 2ms);
  queue.insert(nodes[2], 300ms);
  const uint64_t before = queue.next_sequence();
  EXPECT_EQ(queue.pop_due(1s, before), &nodes[0]);
  queue.insert(nodes[0], 1s);        // Like a repeating timer.
  queue.insert(nodes[3], Nanos{0});  // Earlier than all others, but must still wait.
  queue.insert(nodes[4], 2ms);
  queue.insert(nodes[5], 200ms);
  EXPECT_EQ(pop_all(queue, nodes, 1s, before), (Order{1, 2}));
  EXPECT_EQ(queue.size(), 4u);
  queue.remove(nodes[4]);  // Removes a node that was set aside.
  EXPECT_EQ(queue.next_bound(), Nanos{0});
  EXPECT_EQ(pop_all(queue, nodes, 1s, before), Order{});
  EXPECT_EQ(pop_all(queue, nodes, 1s, queue.next_sequence()), (Order{3, 5, 0}));
}

TEST(TimerQueue, ALimitMayAlsoShrink) {
  TimerQueue queue;
  Nodes nodes(queue, 4);
  for (size_t i = 0; i < 4; ++i) queue.insert(nodes[i], Nanos{100 - static_cast<int>(i)});
  EXPECT_EQ(pop_all(queue, nodes, 1s, 1), (Order{0}));
  EXPECT_EQ(pop_all(queue, nodes, 1s, 0), Order{});
  EXPECT_EQ(pop_all(queue, nodes, 1s, 3), (Order{2, 1}));
  EXPECT_EQ(pop_all(queue, nodes, 1s), (Order{3}));
}

TEST(TimerQueue, HugeJumpsPassEverySlotInOrder) {
  TimerQueue queue;
  Nodes nodes(queue, 63 * 3);
  std::vector<size_t> shuffled(nodes.size());
  for (size_t i = 0; i < shuffled.size(); ++i) shuffled[i] = i;
  std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937_64(7));
  Order expected(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) expected[i] = static_cast<int>(i);
  // Node 3k, 3k+1, 3k+2: just before, at, and just after the power of two k.
  for (size_t i : shuffled) {
    const Nanos power{int64_t{1} << (i / 3)};
    queue.insert(nodes[i], Nanos{power.count() + static_cast<int64_t>(i % 3) - 1});
  }
  Order popped = pop_all(queue, nodes, kForever);
  // Around the lowest powers neighbours coincide (2^0 + 1 = 2^1): compare by deadline there.
  ASSERT_EQ(popped.size(), expected.size());
  for (size_t i = 1; i < popped.size(); ++i) {
    EXPECT_LE(nodes[static_cast<size_t>(popped[i - 1])].deadline(),
              nodes[static_cast<size_t>(popped[i])].deadline());
  }
  EXPECT_EQ(Order(popped.begin() + 12, popped.end()), Order(expected.begin() + 12, expected.end()));
}

TEST(TimerQueue, AJumpOfYearsLeavesTheQueueAsQuickAndExactAsBefore) {
  TimerQueue queue;
  Nodes nodes(queue, 2);
  Nanos now = 0ns;
  for (int year = 0; year < 250; ++year) {
    now += hours{24 * 365};
    EXPECT_EQ(queue.pop_due(now), nullptr);
    queue.insert(nodes[0], now + 1ms);
    queue.insert(nodes[1], now + hours{24 * 300});
    EXPECT_EQ(queue.next_bound(), now + 1ms);
    EXPECT_EQ(queue.pop_due(now + 1ms), &nodes[0]);
    EXPECT_EQ(queue.next_bound(), now + hours{24 * 300});
    queue.remove(nodes[1]);
  }
}

TEST(TimerQueue, AnOriginFarFromTheClockCostsNoOrder) {
  for (Nanos origin : {kEarliest, Nanos{-1}, Nanos{hours{1}}, kForever}) {
    TimerQueue queue(origin);
    Nodes nodes(queue, 4);
    queue.insert(nodes[0], 3s);
    queue.insert(nodes[1], 1s);
    queue.insert(nodes[2], 2s);
    queue.insert(nodes[3], Nanos{-1});
    EXPECT_EQ(queue.next_bound(), Nanos{-1});
    EXPECT_EQ(pop_all(queue, nodes, 2s), (Order{3, 1, 2}));
    EXPECT_EQ(pop_all(queue, nodes, 4s), (Order{0}));
  }
}

TEST(TimerQueue, RearmActsAsRemoveAndInsert) {
  TimerQueue queue;
  Nodes nodes(queue, 4);
  queue.insert(nodes[0], 1s);
  queue.insert(nodes[1], 1s);
  queue.insert(nodes[2], 2s);
  queue.insert(nodes[3], 3s);
  queue.rearm(nodes[0], 1s);  // Now behind node 1.
  queue.rearm(nodes[3], 2s);  // Earlier than before, and behind node 2.
  EXPECT_EQ(nodes[3].deadline(), 2s);
  EXPECT_EQ(nodes[3].sequence(), 5u);
  queue.rearm(nodes[2], 4s);
  queue.rearm(nodes[2], 2s);
  EXPECT_EQ(queue.size(), 4u);
  EXPECT_EQ(queue.next_exact(), 1s);
  EXPECT_EQ(pop_all(queue, nodes, 5s), (Order{1, 0, 3, 2}));
}

TEST(TimerQueue, RearmWorksInTheRunTheHeapAndAmongTheHeld) {
  TimerQueue queue;
  Nodes nodes(queue, 5);
  for (size_t i = 0; i < 4; ++i) queue.insert(nodes[i], 5ms + Nanos{i});
  EXPECT_EQ(queue.pop_due(5ms), &nodes[0]);
  queue.insert(nodes[0], 4ms);
  queue.rearm(nodes[1], 6ms);
  queue.rearm(nodes[0], 5ms + 9ns);
  queue.insert(nodes[4], 1ms);
  EXPECT_EQ(pop_all(queue, nodes, 5ms + 2ns, 4), (Order{2}));  // Sets node 4 aside.
  queue.rearm(nodes[4], 7ms);
  EXPECT_EQ(queue.next_exact(), 5ms + 3ns);
  EXPECT_EQ(pop_all(queue, nodes, 10ms), (Order{3, 0, 1, 4}));
}

TEST(TimerQueue, APutOffNodeIsNotPoppedAtItsOldDeadline) {
  TimerQueue queue;
  Nodes nodes(queue, 2);
  queue.insert(nodes[0], 1s);
  queue.insert(nodes[1], 10s);
  for (int second = 2; second < 30; ++second) {
    queue.rearm(nodes[0], seconds{second});
    EXPECT_LE(queue.next_bound(), std::min(nodes[0].deadline(), nodes[1].deadline()));
  }
  EXPECT_EQ(queue.next_exact(), 10s);
  EXPECT_EQ(queue.pop_due(9s), nullptr);
  EXPECT_EQ(queue.next_bound(), 10s);
  EXPECT_EQ(pop_all(queue, nodes, 28s), (Order{1}));
  EXPECT_EQ(pop_all(queue, nodes, 29s), (Order{0}));
}

TEST(TimerQueue, ExactSeesANodePutOffWithinItsSlot) {
  TimerQueue queue;
  Nodes nodes(queue, 2);
  queue.insert(nodes[0], hours{100});
  queue.insert(nodes[1], hours{100} + 2ms);
  queue.rearm(nodes[0], hours{100} + 1ms);
  EXPECT_EQ(queue.next_exact(), hours{100} + 1ms);
  queue.rearm(nodes[0], hours{100} + 3ms);
  EXPECT_EQ(queue.next_exact(), hours{100} + 2ms);
  EXPECT_EQ(queue.next_bound(), hours{100} + 2ms);
}

TEST(TimerQueue, ExactFindsTheFirstBehindManyPutOffNodes) {
  TimerQueue queue;
  Nodes nodes(queue, 1000);
  for (size_t i = 0; i < nodes.size(); ++i) queue.insert(nodes[i], 1s + microseconds{i});
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (i != 700) queue.rearm(nodes[i], hours{1} + microseconds{i});
  }
  EXPECT_EQ(queue.next_exact(), nodes[700].deadline());
  queue.rearm(nodes[700], hours{2});
  EXPECT_EQ(queue.next_exact(), hours{1});
  EXPECT_EQ(nodes.number(queue.pop_due(hours{1})), 0);
}

// Like a loop: sleeps until the bound, pops the due nodes, repeats.
TEST(TimerQueue, TheBoundIsNeverLateAndBecomesExactWithinSixRounds) {
  std::mt19937_64 random(11);
  for (size_t count : {1, 2, 62, 63, 64, 500, 5000}) {
    for (Nanos spread : {Nanos{1}, Nanos{kTick}, Nanos{milliseconds{1}}, Nanos{hours{1}}}) {
      TimerQueue queue;
      Nodes nodes(queue, count);
      for (size_t i = 0; i < count; ++i) {
        queue.insert(nodes[i], hours{30} + Nanos{static_cast<int64_t>(
                                               random() % static_cast<uint64_t>(spread.count()))});
      }
      const Nanos earliest = queue.next_exact();
      Nanos bound = queue.next_bound();
      if (count <= 62) {
        EXPECT_EQ(bound, earliest);
      }
      int rounds = 0;
      while (bound < earliest) {
        ASSERT_EQ(queue.pop_due(bound), nullptr);
        const Nanos next = queue.next_bound();
        ASSERT_GT(next, bound);
        bound = next;
        ++rounds;
      }
      EXPECT_EQ(bound, earliest);
      EXPECT_LE(rounds, 6);
      EXPECT_NE(queue.pop_due(bound), nullptr);
    }
  }
}

// Bytes allocated by malloc. Under a sanitizer mallinfo() reports 0.
size_t allocated_bytes() {
  const struct mallinfo2 info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

TEST(TimerQueue, StartingAndStoppingDoesNotPileUp) {
  TimerQueue queue;
  Nodes nodes(queue, 3);
  for (Nanos deadline :
       {Nanos{0}, Nanos{1h}}) {  // In the run, which never becomes empty; far away.
    queue.insert(nodes[0], deadline);
    queue.insert(nodes[1], deadline);
    const size_t allocated = allocated_bytes();
    for (int i = 0; i < 300'000; ++i) {
      queue.insert(nodes[2], deadline);
      queue.remove(nodes[1]);
      queue.insert(nodes[1], deadline);
      queue.remove(nodes[2]);
    }
    EXPECT_LT(allocated_bytes(), allocated + 100'000);
    EXPECT_EQ(queue.size(), 2u);
    EXPECT_EQ(pop_all(queue, nodes, deadline), (Order{0, 1}));
  }
}

TEST(TimerQueue, ABurstGivesItsMemoryBack) {
  TimerQueue queue;
  Nodes nodes(queue, 100'000);
  const size_t allocated = allocated_bytes();
  for (size_t i = 0; i < nodes.size(); ++i) queue.insert(nodes[i], seconds{i % 2 == 0 ? 10 : 0});
  EXPECT_EQ(pop_all(queue, nodes, 10s).size(), nodes.size());
  EXPECT_LT(allocated_bytes(), allocated + 300'000);
}

TEST(TimerQueue, GrowsShrinksAndGrowsAgain) {
  TimerQueue queue;
  Nodes nodes(queue, 20'000);
  for (int round = 0; round < 3; ++round) {
    for (size_t i = 0; i < nodes.size(); ++i) queue.insert(nodes[i], milliseconds{i});
    for (size_t i = 0; i < nodes.size(); i += 2) queue.remove(nodes[i]);
    EXPECT_EQ(queue.size(), nodes.size() / 2);
    if (round == 1) {
      EXPECT_EQ(pop_all(queue, nodes, hours{1}).size(), nodes.size() / 2);
    } else {
      for (size_t i = 1; i < nodes.size(); i += 2) queue.remove(nodes[i]);
    }
    EXPECT_TRUE(queue.is_empty());
    EXPECT_EQ(queue.next_bound(), kForever);
  }
}

TEST(TimerQueueDeathTest, MisuseStopsTheProgram) {
  TimerQueue queue;
  TimerNode node;
  EXPECT_DEATH(queue.remove(node), "is_linked");
  EXPECT_DEATH(queue.rearm(node, 1s), "is_linked");
  queue.insert(node, 1s);
  EXPECT_DEATH(queue.insert(node, 1s), "is_linked");
  queue.remove(node);
}

TEST(TimerQueueDeathTest, DestroyingALinkedNodeAborts) {
  EXPECT_DEATH(
      {
        TimerQueue queue;
        TimerNode node;
        queue.insert(node, 1s);
      },
      "is_linked");
}

TEST(TimerQueueDeathTest, DestroyingAQueueThatIsNotEmptyAborts) {
  TimerNode node;
  EXPECT_DEATH(
      {
        TimerQueue queue;
        queue.insert(node, 1s);
      },
      "is_empty");
}

}  // namespace
}  // namespace rondo
