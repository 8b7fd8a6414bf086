#include "base/short_list.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rondo {
namespace {

struct Item {
  explicit Item(char letter) : name(letter) {}
  char name;
  ListLink link;
};
using Items = ShortList<Item, &Item::link>;
static_assert(sizeof(Items) == sizeof(void*));

std::string names(const Items& list) {
  std::string out;
  list.for_each([&](const Item& item) { out += item.name; });
  return out;
}

// Three items and a list, emptied at the end: a list must be empty when it is destroyed.
struct ShortListTest : testing::Test {
  void TearDown() override {
    while (list.pop_front() != nullptr) {
    }
  }
  void fill() {
    for (Item* item : {&a, &b, &c}) list.push_back(*item);
  }

  Item a{'a'}, b{'b'}, c{'c'};
  Items list;
};

TEST_F(ShortListTest, IsEmptyAtFirst) {
  EXPECT_TRUE(list.is_empty());
  EXPECT_EQ(list.front(), nullptr);
  EXPECT_EQ(list.pop_front(), nullptr);
  EXPECT_EQ(names(list), "");
}

TEST_F(ShortListTest, KeepsTheOrderOfPushing) {
  fill();
  EXPECT_EQ(names(list), "abc");
  EXPECT_EQ(list.front(), &a);
  EXPECT_EQ(list.after(a), &b);
  EXPECT_EQ(list.after(b), &c);
  EXPECT_EQ(list.after(c), nullptr);
  EXPECT_EQ(list.pop_front(), &a);
  EXPECT_FALSE(a.link.is_linked());
  list.push_back(a);
  EXPECT_EQ(names(list), "bca");
}

TEST_F(ShortListTest, AnElementIsRemovedWhereverItStands) {
  for (Item* gone : {&a, &b, &c}) {
    fill();
    list.remove(*gone);
    EXPECT_FALSE(gone->link.is_linked());
    EXPECT_EQ(names(list), gone == &a ? "bc" : gone == &b ? "ac" : "ab");
    while (list.pop_front() != nullptr) {
    }
  }
  list.push_back(a);
  list.remove(a);  // The only element.
  EXPECT_TRUE(list.is_empty());
}

TEST_F(ShortListTest, TakingAllLeavesNothing) {
  fill();
  Items taken = list.take();
  EXPECT_TRUE(list.is_empty());
  EXPECT_EQ(names(taken), "abc");
  list.push_back(*taken.pop_front());
  EXPECT_EQ(names(list), "a");
  EXPECT_EQ(names(taken), "bc");
  while (taken.pop_front() != nullptr) {
  }
}

TEST_F(ShortListTest, AVisitorMayRemoveTheVisitedElement) {
  for (const std::string& gone :
       std::vector<std::string>{"a", "b", "c", "ab", "bc", "ac", "abc", ""}) {
    fill();
    std::string visited;
    list.for_each([&](Item& item) {
      visited += item.name;
      if (gone.find(item.name) != std::string::npos) list.remove(item);
    });
    EXPECT_EQ(visited, "abc");
    EXPECT_EQ(names(list).size(), 3 - gone.size());
    while (list.pop_front() != nullptr) {
    }
  }
}

TEST(ShortListDeathTest, IsNotDestroyedWithAnythingInIt) {
  EXPECT_DEATH(
      {
        Item item('x');
        Items list;
        list.push_back(item);
      },
      "");
}

}  // namespace
}  // namespace rondo
