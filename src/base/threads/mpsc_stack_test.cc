#include "base/threads/mpsc_stack.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace rondo {
namespace {

struct Item : MpscLink {
  unsigned thread = 0;
  unsigned number = 0;
};

TEST(MpscStack, IsEmptyAtFirstAndTakesNothing) {
  MpscStack stack;
  EXPECT_TRUE(stack.is_empty());
  EXPECT_EQ(stack.take_all(), nullptr);
}

TEST(MpscStack, TakesInPushOrderAndLeavesTheStackEmpty) {
  MpscStack stack;
  Item items[3];
  for (Item& item : items) stack.push(item);
  EXPECT_FALSE(stack.is_empty());
  MpscLink* first = stack.take_all();
  ASSERT_EQ(first, &items[0]);
  ASSERT_EQ(first->next, &items[1]);
  ASSERT_EQ(first->next->next, &items[2]);
  EXPECT_EQ(first->next->next->next, nullptr);
  EXPECT_TRUE(stack.is_empty());
  EXPECT_EQ(stack.take_all(), nullptr);
}

TEST(MpscStack, CanTakeTheNewestFirst) {
  MpscStack stack;
  Item items[2];
  for (Item& item : items) stack.push(item);
  MpscLink* first = stack.take_newest_first();
  ASSERT_EQ(first, &items[1]);
  ASSERT_EQ(first->next, &items[0]);
  EXPECT_EQ(first->next->next, nullptr);
  EXPECT_TRUE(stack.is_empty());
  EXPECT_EQ(stack.take_newest_first(), nullptr);
}

TEST(MpscStack, OnlyThePushOntoAnEmptyStackReturnsTrue) {
  MpscStack stack;
  Item a, b;
  EXPECT_TRUE(stack.push(a));
  EXPECT_FALSE(stack.push(b));
  stack.take_all();
  EXPECT_TRUE(stack.push(a));
  stack.take_all();
}

TEST(MpscStack, AnItemMayBePushedAgainOnceTaken) {
  MpscStack stack;
  Item item;
  for (int round = 0; round < 3; ++round) {
    EXPECT_TRUE(stack.push(item));
    EXPECT_EQ(stack.take_all(), &item);
    EXPECT_EQ(item.next, nullptr);
  }
}

TEST(MpscStack, ManyPushersLoseNothingAndEachKeepsItsOrder) {
  constexpr unsigned kThreads = 4, kEach = 20'000;
  MpscStack stack;
  std::vector<Item> items(kThreads * kEach);
  std::vector<std::thread> pushers;
  std::atomic<unsigned> found_empty{0};
  for (unsigned t = 0; t < kThreads; ++t) {
    pushers.emplace_back([&, t] {
      for (unsigned n = 0; n < kEach; ++n) {
        Item& item = items[t * kEach + n];
        item.thread = t;
        item.number = n;
        if (stack.push(item)) found_empty.fetch_add(1);
      }
    });
  }
  unsigned next[kThreads] = {}, taken = 0, batches = 0;
  while (taken < kThreads * kEach) {
    MpscLink* link = stack.take_all();
    if (link == nullptr) {
      std::this_thread::yield();
      continue;
    }
    ++batches;
    for (; link != nullptr; link = link->next) {
      Item& item = static_cast<Item&>(*link);
      ASSERT_EQ(item.number, next[item.thread]++);
      ++taken;
    }
  }
  for (std::thread& pusher : pushers) pusher.join();
  // Exactly one pusher per batch has to wake the consumer.
  EXPECT_EQ(found_empty.load(), batches);
}

}  // namespace
}  // namespace rondo
