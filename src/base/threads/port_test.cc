#include "base/threads/port.h"

#include <gtest/gtest.h>

#include <atomic>
#include <semaphore>
#include <thread>
#include <vector>

namespace rondo {
namespace {

struct Number final : Parcel {
  explicit Number(int n) : value(n) {}
  int value;
};

std::shared_ptr<Parcel> number(int value) { return std::make_shared<Number>(value); }

// Takes a number from the queue; -1 if the queue is empty.
int take(Port& port) {
  const Port::Taken taken = port.take();
  return taken.parcel != nullptr ? static_cast<Number&>(*taken.parcel).value : -1;
}

struct Counter {
  std::atomic<int> count{0};
  Port::Notifier notifier() {
    return {[](void* self) { ++static_cast<Counter*>(self)->count; }, this};
  }
};

TEST(Port, MessagesArriveAtTheOtherEndInOrder) {
  const Channel channel = make_channel();
  EXPECT_TRUE(channel.first->post(number(1)));
  EXPECT_TRUE(channel.first->post(number(2)));
  EXPECT_TRUE(channel.second->post(number(3)));
  EXPECT_EQ(channel.second->size(), 2u);
  EXPECT_EQ(take(*channel.second), 1);
  EXPECT_EQ(take(*channel.second), 2);
  EXPECT_EQ(take(*channel.second), -1);
  EXPECT_EQ(take(*channel.first), 3);
}

TEST(Port, WakesForEachMessageAndAtOnceForQueuedOnes) {
  const Channel channel = make_channel();
  Counter counter;
  channel.first->post(number(1));
  channel.second->attach(counter.notifier());
  EXPECT_EQ(counter.count, 1);
  channel.first->post(number(2));
  EXPECT_EQ(counter.count, 2);
  channel.second->detach();
  channel.first->post(number(3));
  EXPECT_EQ(counter.count, 2);
  EXPECT_EQ(channel.second->size(), 3u);
}

TEST(Port, TheEndOfAPortIsReportedAfterEverythingItSent) {
  const Channel channel = make_channel();
  Counter counter;
  channel.second->attach(counter.notifier());
  channel.first->post(number(1));
  channel.first->close();
  EXPECT_EQ(counter.count, 2);
  EXPECT_FALSE(channel.second->take(false).is_closed);  // Not before the parcel is taken.
  EXPECT_EQ(take(*channel.second), 1);
  EXPECT_TRUE(channel.second->take(false).is_closed);
  EXPECT_FALSE(channel.second->post(number(2)));
}

TEST(Port, AClosedPortDropsItsQueueAndReceivesNothing) {
  const Channel channel = make_channel();
  const std::shared_ptr<Parcel> parcel = number(1);
  channel.first->post(parcel);
  EXPECT_EQ(parcel.use_count(), 2);
  channel.second->close();
  EXPECT_EQ(parcel.use_count(), 1);
  EXPECT_FALSE(channel.first->post(parcel));
  EXPECT_FALSE(channel.second->post(parcel));
}

// A port inside a parcel is destroyed with it.
struct Carrier final : Parcel {
  explicit Carrier(std::shared_ptr<Port> p) : port(std::move(p)) {}
  std::shared_ptr<Port> port;
};

TEST(Port, APortInADroppedParcelCloses) {
  const Channel outer = make_channel();
  Channel inner = make_channel();
  outer.first->post(std::make_shared<Carrier>(std::move(inner.second)));
  EXPECT_FALSE(inner.first->take().is_closed);
  outer.second->close();
  EXPECT_TRUE(inner.first->take().is_closed);
}

TEST(Port, ListsItsConnectedPorts) {
  const Channel one = make_channel();
  const Channel two = make_channel();
  EXPECT_TRUE(one.first->is_connected_to(*one.second));
  EXPECT_FALSE(one.first->is_connected_to(*one.first));
  EXPECT_FALSE(one.first->is_connected_to(*two.second));
}

TEST(Switchboard, PortsOfANameSendToEachOther) {
  Switchboard board;
  const auto a = board.open("news");
  const auto b = board.open("news");
  auto c = board.open("news");
  const auto other = board.open("weather");
  EXPECT_TRUE(a->post(number(7)));
  EXPECT_EQ(take(*b), 7);
  EXPECT_EQ(take(*c), 7);
  EXPECT_EQ(take(*a), -1);
  EXPECT_EQ(take(*other), -1);
  c.reset();  // The other ports continue.
  EXPECT_FALSE(b->take().is_closed);
  EXPECT_TRUE(b->post(number(8)));
  EXPECT_EQ(take(*a), 8);
  EXPECT_FALSE(other->post(number(9)));
}

TEST(Directory, IsReachedByNumberUntilItIsRemoved) {
  Directory directory;
  EXPECT_FALSE(directory.post(1, number(1)));
  const auto port = directory.enter(1);
  EXPECT_TRUE(directory.post(1, number(2)));
  EXPECT_FALSE(directory.post(2, number(3)));
  EXPECT_EQ(take(*port), 2);
  directory.remove(1);
  EXPECT_FALSE(directory.post(1, number(4)));
  EXPECT_TRUE(port->take().is_closed);
  const auto gone = directory.enter(3);
  gone->close();
  EXPECT_FALSE(directory.post(3, number(5)));
}

// Tests with several threads, for ThreadSanitizer.

TEST(PortThreads, NoParcelIsLostOrOutOfOrder) {
  constexpr int kCount = 20'000;
  const Channel channel = make_channel();
  struct Waiter {
    std::counting_semaphore<> notified{0};
  } waiter;
  channel.second->attach(
      {[](void* self) { static_cast<Waiter*>(self)->notified.release(); }, &waiter});
  std::thread sender([&] {
    for (int i = 0; i < kCount; ++i) channel.first->post(number(i));
    channel.first->close();
  });
  int next = 0;
  bool is_closed = false;
  while (!is_closed) {
    waiter.notified.acquire();
    for (;;) {
      const Port::Taken taken = channel.second->take();
      if (taken.parcel == nullptr) {
        is_closed = taken.is_closed;
        break;
      }
      ASSERT_EQ(static_cast<Number&>(*taken.parcel).value, next++);
    }
  }
  sender.join();
  EXPECT_EQ(next, kCount);
}

TEST(PortThreads, BothEndsMayCloseWhileBothPost) {
  for (int round = 0; round < 200; ++round) {
    Channel channel = make_channel();
    const auto run = [](std::shared_ptr<Port> port) {
      for (int i = 0; i < 50; ++i) port->post(number(i));
      take(*port);
      port->close();
    };
    std::thread one(run, std::move(channel.first));
    std::thread two(run, std::move(channel.second));
    one.join();
    two.join();
  }
}

TEST(PortThreads, APortMovesToAnotherThreadWhileParcelsAreOnTheirWay) {
  for (int round = 0; round < 100; ++round) {
    const Channel road = make_channel();
    Channel cargo = make_channel();
    std::thread sender([port = std::move(cargo.first)] {
      for (int i = 0; i < 100; ++i) port->post(number(i));
    });
    std::thread receiver([&road] {
      Port::Taken taken;
      while ((taken = road.second->take()).parcel == nullptr) std::this_thread::yield();
      const std::shared_ptr<Port> port = std::move(static_cast<Carrier&>(*taken.parcel).port);
      int next = 0;
      while (next < 100) {
        const int value = take(*port);
        if (value == -1) continue;
        ASSERT_EQ(value, next++);
      }
    });
    road.first->post(std::make_shared<Carrier>(std::move(cargo.second)));
    sender.join();
    receiver.join();
  }
}

TEST(PortThreads, ADetachedPortIsNotRung) {
  for (int round = 0; round < 200; ++round) {
    const Channel channel = make_channel();
    std::thread sender([&] {
      for (int i = 0; i < 50; ++i) channel.first->post(number(i));
    });
    auto counter = std::make_unique<Counter>();
    channel.second->attach(counter->notifier());
    channel.second->detach();
    counter.reset();
    sender.join();
  }
}

TEST(PortThreads, ManyPostToANumberWhileItComesAndGoes) {
  Directory directory;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&directory] {
      for (int round = 0; round < 500; ++round) directory.post(1, number(round));
    });
  }
  threads.emplace_back([&directory] {
    for (int round = 0; round < 100; ++round) {
      const auto port = directory.enter(1);
      take(*port);
      if (round % 2 == 0) directory.remove(1);
    }
  });
  for (std::thread& thread : threads) thread.join();
}

TEST(PortThreads, NamesAreOpenedAndClosedByMany) {
  Switchboard board;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&board] {
      for (int round = 0; round < 200; ++round) {
        const auto port = board.open(round % 2 == 0 ? "a" : "b");
        port->post(number(round));
        take(*port);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace rondo
