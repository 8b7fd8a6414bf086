#include "loop/pool/mpmc_ring.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace rondo {
namespace {

struct alignas(8) Item {
  std::atomic<uint32_t> slot{0};
  unsigned producer = 0;
  unsigned number = 0;
  std::atomic<int> taken{0};
};

template <uint32_t kCapacity>
bool push(MpmcRing<Item, kCapacity>& ring, Item& item) {
  return ring.push(item, item.slot);
}

TEST(MpmcRing, IsEmptyAtFirst) {
  MpmcRing<Item, 4> ring;
  EXPECT_EQ(ring.pop(), nullptr);
  EXPECT_FALSE(ring.is_ready());
  EXPECT_FALSE(ring.holds_any());
  EXPECT_EQ(ring.size(), 0u);
}

TEST(MpmcRing, PopsInPushOrderForManyLaps) {
  MpmcRing<Item, 4> ring;
  Item items[3];
  for (int lap = 0; lap < 10; ++lap) {
    for (Item& item : items) EXPECT_TRUE(push(ring, item));
    EXPECT_EQ(ring.size(), 3u);
    EXPECT_TRUE(ring.is_ready());
    for (Item& item : items) EXPECT_EQ(ring.pop(), &item);
    EXPECT_EQ(ring.pop(), nullptr);
    EXPECT_FALSE(ring.is_ready());
  }
}

TEST(MpmcRing, RefusesWhenFullAndAcceptsAfterAPop) {
  MpmcRing<Item, 2> ring;
  Item a, b, c;
  EXPECT_TRUE(push(ring, a));
  EXPECT_TRUE(push(ring, b));
  EXPECT_FALSE(push(ring, c));
  EXPECT_EQ(ring.pop(), &a);
  EXPECT_TRUE(push(ring, c));
  EXPECT_EQ(ring.pop(), &b);
  EXPECT_EQ(ring.pop(), &c);
  EXPECT_EQ(ring.pop(), nullptr);
}

TEST(MpmcRing, AProducerThatIsLateSetsTheOthersBackByLapsAndNothingIsLost) {
  constexpr uint32_t kCapacity = 4;
  // For every distance, so that the first cell of the search is free, holds an item of one or two
  // laps later (with the same lap bit), or was emptied; and for every number of queued items.
  for (uint64_t behind = 1; behind <= 4 * kCapacity; ++behind) {
    for (uint32_t waiting = 0; waiting <= kCapacity; ++waiting) {
      SCOPED_TRACE(testing::Message() << waiting << " items wait, set back by " << behind);
      MpmcRing<Item, kCapacity> ring;
      Item items[kCapacity + 1];
      uint64_t tickets = 0;
      for (; tickets < 5 * kCapacity + 1; ++tickets) {
        ASSERT_TRUE(push(ring, items[0]));
        ASSERT_EQ(ring.pop(), &items[0]);
      }
      for (uint32_t i = 0; i < waiting; ++i, ++tickets) {
        ring.look_from(tickets - behind);
        ASSERT_TRUE(push(ring, items[i]));
      }
      const bool removes = waiting > 1;
      if (removes) {
        EXPECT_TRUE(ring.remove(items[1], items[1].slot));
      }
      ring.look_from(tickets - behind);
      EXPECT_EQ(push(ring, items[waiting]), waiting < kCapacity);
      for (uint32_t i = 0; i < waiting; ++i) {
        if (removes && i == 1) continue;
        EXPECT_EQ(ring.pop(), &items[i]);
      }
      EXPECT_EQ(ring.pop(), waiting < kCapacity ? &items[waiting] : nullptr);
      EXPECT_EQ(ring.pop(), nullptr);
    }
  }
}

TEST(MpmcRing, ARemovedItemIsNotPoppedAndItsCellComesBack) {
  MpmcRing<Item, 2> ring;
  Item a, b;
  for (int lap = 0; lap < 5; ++lap) {
    ASSERT_TRUE(push(ring, a));
    ASSERT_TRUE(push(ring, b));
    EXPECT_TRUE(ring.remove(a, a.slot));
    EXPECT_FALSE(ring.remove(a, a.slot));
    EXPECT_EQ(ring.size(), 1u);
    EXPECT_EQ(ring.pop(), &b);
    EXPECT_EQ(ring.pop(), nullptr);
    EXPECT_EQ(ring.size(), 0u);
    EXPECT_FALSE(ring.remove(b, b.slot));
    EXPECT_FALSE(ring.holds_any());
  }
}

TEST(MpmcRing, AStaleSlotNeverRemovesAnother) {
  MpmcRing<Item, 2> ring;
  Item a, b, c;
  push(ring, a);
  ring.pop();
  push(ring, b);
  push(ring, c);  // In the cell that held a.
  EXPECT_FALSE(ring.remove(a, a.slot));
  EXPECT_EQ(ring.pop(), &b);
  EXPECT_EQ(ring.pop(), &c);
}

// A consumer is preempted between its claim and its fetch while the others go around a whole lap.
TEST(MpmcRing, AClaimedItemIsNotTakenForTheNextLaps) {
  MpmcRing<Item, 2> ring;
  Item slow, a, b;
  uint64_t claimed = 0;
  push(ring, slow);
  ASSERT_TRUE(ring.claim(claimed));
  push(ring, a);
  EXPECT_EQ(ring.pop(), &a);
  // The head is back at the claimed cell, and so is the tail.
  EXPECT_EQ(ring.pop(), nullptr);
  EXPECT_FALSE(ring.is_ready());
  EXPECT_FALSE(push(ring, b));
  EXPECT_EQ(ring.fetch(claimed), &slow);
  EXPECT_TRUE(push(ring, b));
  EXPECT_EQ(ring.pop(), &b);
  EXPECT_EQ(ring.pop(), nullptr);
}

TEST(MpmcRing, AnItemRemovedAfterItsClaimIsNotFetched) {
  MpmcRing<Item, 2> ring;
  Item a, b;
  uint64_t claimed = 0;
  push(ring, a);
  ASSERT_TRUE(ring.claim(claimed));
  EXPECT_TRUE(ring.remove(a, a.slot));
  EXPECT_EQ(ring.fetch(claimed), nullptr);
  push(ring, b);
  EXPECT_EQ(ring.pop(), &b);
}

TEST(MpmcRing, ResetForgetsAll) {
  MpmcRing<Item, 4> ring;
  Item a, b;
  push(ring, a);
  push(ring, b);
  EXPECT_TRUE(ring.holds_any());
  ring.reset();
  EXPECT_FALSE(ring.holds_any());
  EXPECT_FALSE(ring.is_ready());
  EXPECT_FALSE(ring.remove(a, a.slot));
  EXPECT_TRUE(push(ring, b));
  EXPECT_EQ(ring.pop(), &b);
}

// Small rings, for many laps.
template <uint32_t kCapacity>
void hammer() {
  static constexpr unsigned kProducers = 2, kConsumers = 2, kEach = 20'000;
  MpmcRing<Item, kCapacity> ring;
  std::vector<Item> items(kProducers * kEach);
  std::atomic<unsigned> left{kProducers * kEach};
  std::vector<std::thread> threads;
  for (unsigned p = 0; p < kProducers; ++p) {
    threads.emplace_back([&, p] {
      for (unsigned n = 0; n < kEach; ++n) {
        Item& item = items[p * kEach + n];
        item.producer = p;
        item.number = n;
        while (!push(ring, item)) std::this_thread::yield();
        if (n % 3 == 0 && ring.remove(item, item.slot)) {
          item.taken.fetch_add(1);
          left.fetch_sub(1);
        }
      }
    });
  }
  std::atomic<bool> is_in_order{true};
  for (unsigned c = 0; c < kConsumers; ++c) {
    threads.emplace_back([&] {
      int last[kProducers] = {-1, -1};
      while (left.load() != 0) {
        Item* item = ring.pop();
        if (item == nullptr) {
          std::this_thread::yield();
          continue;
        }
        // One consumer sees each producer's items in order.
        if (static_cast<int>(item->number) <= last[item->producer]) is_in_order = false;
        last[item->producer] = static_cast<int>(item->number);
        item->taken.fetch_add(1);
        left.fetch_sub(1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(is_in_order);
  EXPECT_FALSE(ring.holds_any());
  for (const Item& item : items) ASSERT_EQ(item.taken, 1);
}

TEST(MpmcRing, ManyProducersConsumersAndRemovalsLoseNothingAndDoubleNothing) {
  hammer<2>();
  hammer<8>();
  hammer<1024>();
}

}  // namespace
}  // namespace rondo
