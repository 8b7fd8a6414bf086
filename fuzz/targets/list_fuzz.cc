// List compared with vectors of the expected content.
#include "base/list.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/assert.h"
#include "fuzz/input.h"

namespace rondo {
namespace {

struct Item {
  uint64_t before = 1;  // So that the link is not at the beginning of the item.
  ListLink link;
};
using Items = List<Item, &Item::link>;

class Machine {
 public:
  explicit Machine(FuzzInput& input) : input_(input), items_(kItems) {}
  ~Machine() {
    for (Items& list : lists_) {
      while (list.pop_front() != nullptr) {
      }
    }
  }

  void step() {
    const size_t target = input_.below(kLists);
    const size_t other = (target + 1 + input_.below(kLists - 1)) % kLists;
    Item& item = items_[input_.below(kItems)];
    Items& list = lists_[target];
    std::vector<Item*>& expected = expected_[target];
    switch (input_.below(10)) {
      case 0:
      case 1:
        if (item.link.is_linked()) break;
        list.push_back(item);
        expected.push_back(&item);
        break;
      case 2:
        if (item.link.is_linked()) break;
        list.push_front(item);
        expected.insert(expected.begin(), &item);
        break;
      case 3: remove(item); break;
      case 4: pop_front(target); break;
      case 5:
        list.splice_back(lists_[other]);
        expected.insert(expected.end(), expected_[other].begin(), expected_[other].end());
        expected_[other].clear();
        break;
      case 6:
        list.splice_front(lists_[other]);
        expected.insert(expected.begin(), expected_[other].begin(), expected_[other].end());
        expected_[other].clear();
        break;
      case 7: run_as_a_phase_does(target); break;
      case 8: remove_every_other(target); break;
      case 9: item.before = input_.byte(); break;
    }
    check(target);
    check(other);
  }

 private:
  static constexpr size_t kLists = 3;
  static constexpr size_t kItems = 24;

  void remove(Item& item) {
    if (!item.link.is_linked()) return;
    for (size_t i = 0; i < kLists; ++i) {
      const auto found = std::find(expected_[i].begin(), expected_[i].end(), &item);
      if (found == expected_[i].end()) continue;
      expected_[i].erase(found);
      lists_[i].remove(item);
      RONDO_ASSERT(!item.link.is_linked());
      return;
    }
    RONDO_ASSERT(!"a linked item is in no list");
  }
  void pop_front(size_t target) {
    std::vector<Item*>& expected = expected_[target];
    const Item* popped = lists_[target].pop_front();
    RONDO_ASSERT(popped == (expected.empty() ? nullptr : expected.front()));
    if (popped == nullptr) return;
    RONDO_ASSERT(!popped->link.is_linked());
    expected.erase(expected.begin());
  }
  // Detaches all elements, and puts each back before the next one is taken.
  void run_as_a_phase_does(size_t target) {
    Items turn = lists_[target].take();
    RONDO_ASSERT(lists_[target].is_empty());
    for (const Item* item : expected_[target]) RONDO_ASSERT(item->link.is_linked());
    while (Item* item = turn.pop_front()) lists_[target].push_back(*item);
    RONDO_ASSERT(turn.is_empty());
  }
  void remove_every_other(size_t target) {
    size_t index = 0;
    std::vector<Item*> kept;
    lists_[target].for_each([&](Item& item) {
      if (index++ % 2 == 0) {
        kept.push_back(&item);
      } else {
        item.link.unlink();
      }
    });
    expected_[target] = kept;
  }
  void check(size_t target) const {
    const Items& list = lists_[target];
    const std::vector<Item*>& expected = expected_[target];
    RONDO_ASSERT(list.is_empty() == expected.empty());
    RONDO_ASSERT(list.count() == expected.size());
    RONDO_ASSERT(list.front() == (expected.empty() ? nullptr : expected.front()));
    RONDO_ASSERT(list.back() == (expected.empty() ? nullptr : expected.back()));
    size_t index = 0;
    list.for_each([&](const Item& item) { RONDO_ASSERT(expected[index++] == &item); });
    RONDO_ASSERT(index == expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      const Item* next = i + 1 < expected.size() ? expected[i + 1] : nullptr;
      RONDO_ASSERT(list.after(*expected[i]) == next);
    }
  }

  FuzzInput& input_;
  std::vector<Item> items_;
  std::array<Items, kLists> lists_;
  std::array<std::vector<Item*>, kLists> expected_;
};

}  // namespace
}  // namespace rondo

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FuzzInput input(data, size);
  rondo::Machine machine(input);
  while (!input.is_empty()) machine.step();
  return 0;
}
