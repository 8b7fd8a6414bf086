// TimerQueue compared with a std::set of the expected content.
#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>
#include <tuple>
#include <vector>

#include "base/assert.h"
#include "base/time/time.h"
#include "base/time/timer_queue.h"
#include "fuzz/input.h"

namespace rondo {
namespace {

class Machine {
 public:
  explicit Machine(FuzzInput& input) : input_(input), queue_(instant()), nodes_(kNodes) {}
  ~Machine() {
    for (TimerNode& node : nodes_) {
      if (node.is_linked()) remove(node);
    }
    RONDO_ASSERT(queue_.is_empty());
  }

  void step() {
    switch (input_.below(8)) {
      case 0: start(nodes_[input_.below(kNodes)], instant()); break;
      case 1: stop(nodes_[input_.below(kNodes)]); break;
      case 2: rearm(nodes_[input_.below(kNodes)], instant()); break;
      case 3: start_many(); break;
      case 4: stop_many(); break;
      case 5: now_ = instant(); break;  // Also backward.
      case 6: pop(input_.below(64), before()); break;
      case 7: ask(); break;
    }
    RONDO_ASSERT(queue_.size() == expected_.size());
  }

  void finish() {
    ask();
    now_ = kForever;
    pop(kNodes, UINT64_MAX);
    RONDO_ASSERT(queue_.is_empty());
    ask();
  }

 private:
  using Key = std::tuple<Nanos, uint64_t, const TimerNode*>;
  static constexpr size_t kNodes = 2048;  // Enough to fill a slot past every threshold.

  static Key key(const TimerNode& node) { return {node.deadline(), node.sequence(), &node}; }

  // Any magnitude with some bits of detail, relative to now or to the beginning of time.
  Nanos instant() {
    const uint8_t kind = input_.byte();
    const auto distance = static_cast<int64_t>(uint64_t{input_.byte()} << (kind & 63) >> 1);
    if ((kind & 64) != 0) return Nanos{distance};
    if ((kind & 128) != 0) return now_ > Nanos::zero() ? now_ - Nanos{distance} : now_;
    return saturating_add(now_, Nanos{distance});
  }
  uint64_t before() {
    const uint8_t back = input_.byte();
    const uint64_t next = queue_.next_sequence();
    return back == 255 ? UINT64_MAX : next - std::min<uint64_t>(back, next);
  }

  void insert(TimerNode& node, Nanos deadline) {
    const uint64_t sequence = queue_.next_sequence();
    queue_.insert(node, deadline);
    RONDO_ASSERT(node.is_linked());
    RONDO_ASSERT(node.deadline() == deadline);
    RONDO_ASSERT(node.sequence() == sequence);
    expected_.insert(key(node));
  }
  void remove(TimerNode& node) {
    expected_.erase(key(node));
    queue_.remove(node);
    RONDO_ASSERT(!node.is_linked());
  }
  void start(TimerNode& node, Nanos deadline) {
    if (node.is_linked()) remove(node);
    insert(node, deadline);
  }
  void stop(TimerNode& node) {
    if (node.is_linked()) remove(node);
  }
  void rearm(TimerNode& node, Nanos deadline) {
    if (!node.is_linked()) return;
    const uint64_t sequence = queue_.next_sequence();
    expected_.erase(key(node));
    queue_.rearm(node, deadline);
    RONDO_ASSERT(node.deadline() == deadline);
    RONDO_ASSERT(node.sequence() == sequence);
    expected_.insert(key(node));
  }
  void start_many() {
    const size_t first = input_.below(kNodes);
    const size_t count = input_.below(512);
    const int64_t step = int64_t{input_.byte()} - 128;
    Nanos deadline = instant();
    for (size_t i = 0; i < count; ++i) {
      start(nodes_[(first + i) % kNodes], deadline);
      deadline = saturating_add(deadline, Nanos{step * 1000});
    }
  }
  void stop_many() {
    const size_t first = input_.below(kNodes);
    const size_t count = input_.below(512);
    const size_t stride = input_.byte() + size_t{1};
    for (size_t i = 0; i < count; ++i) stop(nodes_[(first + i * stride) % kNodes]);
  }

  void pop(size_t limit, uint64_t before) {
    for (size_t i = 0; i < limit; ++i) {
      auto first = expected_.begin();
      while (first != expected_.end() && std::get<1>(*first) >= before) ++first;
      const bool is_due = first != expected_.end() && std::get<0>(*first) <= now_;
      const TimerNode* node = queue_.pop_due(now_, before);
      RONDO_ASSERT(node == (is_due ? std::get<2>(*first) : nullptr));
      if (node == nullptr) return;
      RONDO_ASSERT(!node->is_linked());
      expected_.erase(first);
    }
  }
  void ask() {
    const Nanos earliest = expected_.empty() ? kForever : std::get<0>(*expected_.begin());
    RONDO_ASSERT(queue_.next_bound() <= earliest);
    if (expected_.empty()) RONDO_ASSERT(queue_.next_bound() == kForever);
    if (input_.below(2) == 0) return;
    RONDO_ASSERT(queue_.next_exact() == earliest);
    RONDO_ASSERT(queue_.next_bound() <= earliest);
  }

  FuzzInput& input_;
  Nanos now_ = Nanos::zero();
  TimerQueue queue_;
  std::vector<TimerNode> nodes_;
  std::set<Key> expected_;
};

}  // namespace
}  // namespace rondo

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FuzzInput input(data, size);
  rondo::Machine machine(input);
  while (!input.is_empty()) machine.step();
  machine.finish();
  return 0;
}
