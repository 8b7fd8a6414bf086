// Tests TimerQueue at scale against a simple, slow model: a std::set.
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "base/time/timer_queue.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

constexpr Nanos kEarliest = Nanos::min();

class Model {
 public:
  explicit Model(uint64_t seed) : random_(seed), nodes_(3000) {}
  ~Model() {
    for (TimerNode& node : nodes_) {
      if (node.is_linked()) queue_.remove(node);
    }
  }

  void step() {
    const size_t index = random_() % nodes_.size();
    TimerNode& node = nodes_[index];
    const uint64_t action = random_() % 100;
    if (!node.is_linked()) {
      queue_.insert(node, deadline());
      remember(node);
    } else if (action < 25) {
      forget(node);
      queue_.remove(node);
    } else if (action < 50) {
      forget(node);
      queue_.rearm(node, action < 35 ? deadline() : saturating_add(node.deadline(), 1ms));
      remember(node);
    } else if (action < 60) {
      // Clocks should not go back, but this must not break the queue.
      if (action == 50) now_ -= delay();
      now_ = saturating_add(now_, delay());
      pop(action < 57 ? UINT64_MAX : queue_.next_sequence() - random_() % 64);
    } else if (action < 61) {
      ask();
    }
    ASSERT_EQ(queue_.size(), expected_.size());
  }

  void finish() {
    now_ = kForever;
    pop(UINT64_MAX);
    ASSERT_TRUE(queue_.is_empty());
  }

 private:
  using Key = std::tuple<Nanos, uint64_t, const TimerNode*>;

  void remember(const TimerNode& node) {
    expected_.emplace(node.deadline(), node.sequence(), &node);
  }
  void forget(const TimerNode& node) { expected_.erase({node.deadline(), node.sequence(), &node}); }

  // A delay from a nanosecond to a few hours, each order of magnitude equally likely.
  Nanos delay() { return Nanos{static_cast<int64_t>(random_() >> (20 + random_() % 44))}; }
  Nanos deadline() {
    switch (random_() % 16) {
      case 0: return now_ - delay();
      case 1: return now_;
      case 2: return kForever - Nanos{static_cast<int64_t>(random_() % 3)};
      case 3: return kEarliest + Nanos{static_cast<int64_t>(random_() % 3)};
      case 4: return saturating_add(now_, 1ms);
      case 5: return Nanos{saturating_add(now_, 4ms).count() / 1'000'000 * 1'000'000};
      default: return saturating_add(now_, delay());
    }
  }

  void pop(uint64_t before) {
    for (;;) {
      auto next = expected_.begin();
      while (next != expected_.end() && std::get<0>(*next) <= now_ &&
             std::get<1>(*next) >= before) {
        ++next;
      }
      const bool is_due = next != expected_.end() && std::get<0>(*next) <= now_;
      const TimerNode* popped = queue_.pop_due(now_, before);
      ASSERT_EQ(popped, is_due ? std::get<2>(*next) : nullptr);
      if (popped == nullptr) return;
      ASSERT_FALSE(popped->is_linked());
      expected_.erase(next);
      if (random_() % 4 == 0) {  // Like a callback that inserts timers.
        TimerNode& other = nodes_[random_() % nodes_.size()];
        if (other.is_linked()) continue;
        queue_.insert(other, deadline());
        remember(other);
      }
    }
  }
  void ask() {
    const Nanos earliest = expected_.empty() ? kForever : std::get<0>(*expected_.begin());
    ASSERT_LE(queue_.next_bound(), earliest);
    if (random_() % 2 == 0) {
      ASSERT_EQ(queue_.next_exact(), earliest);
    }
    ASSERT_LE(queue_.next_bound(), earliest);
  }

  std::mt19937_64 random_;
  TimerQueue queue_;
  std::vector<TimerNode> nodes_;
  std::set<Key> expected_;
  Nanos now_ = 0ns;
};

TEST(TimerQueue, AgreesWithAnOrderedSetOverManyOperations) {
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    Model model(seed);
    for (int i = 0; i < 60'000; ++i) {
      model.step();
      if (testing::Test::HasFatalFailure()) return;
    }
    model.finish();
  }
}

TEST(TimerQueue, AMillionTimersComeInStrictOrder) {
  constexpr size_t kCount = 1'000'000;
  TimerQueue queue;
  std::vector<TimerNode> nodes(kCount);
  std::mt19937_64 random(3);
  for (size_t i = 0; i < kCount; ++i) {
    // A third of the deadlines coincide on whole milliseconds, the others are anywhere within two
    // seconds.
    const auto at = static_cast<int64_t>(random() % 2'000'000'000);
    queue.insert(nodes[i], Nanos{i % 3 == 0 ? at / 1'000'000 * 1'000'000 : at});
  }
  std::tuple<Nanos, uint64_t> last{kEarliest, 0};
  size_t popped = 0;
  size_t misplaced = 0;
  for (Nanos now = 1ms; now <= 2s; now += 1ms) {
    while (const TimerNode* node = queue.pop_due(now)) {
      const std::tuple<Nanos, uint64_t> key{node->deadline(), node->sequence()};
      if (key <= last || node->deadline() > now || node->deadline() <= now - 1ms - 1ns) ++misplaced;
      last = key;
      ++popped;
    }
  }
  EXPECT_EQ(misplaced, 0u);
  EXPECT_EQ(popped, kCount);
}

}  // namespace
}  // namespace rondo
