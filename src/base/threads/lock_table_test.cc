#include "base/threads/lock_table.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace rondo {
namespace {

using Mode = LockTable::Mode;
using Outcome = LockTable::Outcome;

struct Notifications {
  std::atomic<int> count{0};
  Port::Notifier notifier() {
    return {[](void* self) { ++static_cast<Notifications*>(self)->count; }, this};
  }
};

std::string events(LockTable::Client& client) {
  std::string text;
  for (const LockTable::Event& event : client.take()) {
    constexpr std::string_view kLetters = "gms";
    text += kLetters[static_cast<size_t>(event.outcome)];
    text += std::to_string(event.id) + " ";
  }
  return text;
}

TEST(LockTable, ServesRequestsInOrder) {
  LockTable table;
  Notifications notifications;
  LockTable::Client one(table, notifications.notifier());
  EXPECT_EQ(one.request({u"a"}), 1U);
  EXPECT_EQ(one.request({u"a", Mode::shared}), 2U);
  EXPECT_EQ(one.request({u"a", Mode::shared}), 3U);
  EXPECT_EQ(one.request({u"a"}), 4U);
  EXPECT_EQ(one.request({u"a", Mode::shared}), 5U);
  EXPECT_EQ(one.request({u"b"}), 6U);
  EXPECT_EQ(events(one), "g1 g6 ");
  one.release(1);
  EXPECT_EQ(events(one), "g2 g3 ");
  one.release(2);
  EXPECT_EQ(events(one), "");
  one.release(3);
  EXPECT_EQ(events(one), "g4 ");
  one.release(4);
  EXPECT_EQ(events(one), "g5 ");
  EXPECT_EQ(notifications.count, 0);
}

TEST(LockTable, MissesAndSteals) {
  LockTable table;
  Notifications notifications;
  LockTable::Client one(table, notifications.notifier());
  LockTable::Client two(table, notifications.notifier());
  one.request({u"a"});
  two.request({u"a", Mode::shared, false, true});
  EXPECT_EQ(events(two), "m2 ");
  EXPECT_EQ(notifications.count, 0);
  two.request({u"a", Mode::exclusive, true, false});
  EXPECT_EQ(notifications.count, 1);
  EXPECT_EQ(events(one), "g1 s1 ");
  EXPECT_EQ(events(two), "g3 ");
  one.release(1);  // The lock is already lost.
  one.request({u"a", Mode::exclusive, false, true});
  EXPECT_EQ(events(one), "m4 ");
  two.release(3);
  one.request({u"a", Mode::exclusive, false, true});
  EXPECT_EQ(events(one), "g5 ");
}

TEST(LockTable, ARequestThatWaitsCanBeGivenUp) {
  LockTable table;
  Notifications notifications;
  LockTable::Client one(table, notifications.notifier());
  one.request({u"a", Mode::shared});
  one.request({u"a"});
  one.request({u"a", Mode::shared});
  EXPECT_EQ(events(one), "g1 ");
  one.release(2);
  EXPECT_EQ(events(one), "g3 ");
}

TEST(LockTable, AClientThatEndsGivesUpEverything) {
  LockTable table;
  Notifications notifications;
  LockTable::Client one(table, notifications.notifier());
  {
    Notifications others;
    LockTable::Client two(table, others.notifier());
    two.request({u"a"});
    one.request({u"a"});
    two.request({u"a"});
  }
  EXPECT_EQ(notifications.count, 1);
  EXPECT_EQ(events(one), "g2 ");
}

TEST(LockTable, OnlyOneThreadHoldsAnExclusiveLock) {
  LockTable table;
  std::atomic<int> holders{0};
  std::atomic<int> most{0};
  const auto work = [&] {
    Notifications notifications;
    LockTable::Client client(table, notifications.notifier());
    for (int i = 0; i < 1000; ++i) {
      const uint64_t id = client.request({u"a"});
      while (client.take().empty()) std::this_thread::yield();
      if (++holders > 1) most = 2;
      --holders;
      client.release(id);
    }
  };
  std::thread other(work);
  work();
  other.join();
  EXPECT_EQ(most, 0);
}

}  // namespace
}  // namespace rondo
