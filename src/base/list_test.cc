#include "base/list.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rondo {
namespace {

struct Item {
  explicit Item(char letter) : name(letter) {}
  char name;
  ListLink link;
  ListLink other_link;  // An item may be in one list per link.
};
using Items = List<Item, &Item::link>;
using OtherItems = List<Item, &Item::other_link>;

template <class T>
std::string names(const T& list) {
  std::string out;
  list.for_each([&](const Item& item) { out += item.name; });
  return out;
}

// Five items and two lists, emptied at the end: a list must be empty when it is destroyed.
struct ListTest : testing::Test {
  void TearDown() override {
    while (list.pop_front() != nullptr) {
    }
    while (other.pop_front() != nullptr) {
    }
  }
  void fill() {
    for (Item* item : {&a, &b, &c}) list.push_back(*item);
  }

  Item a{'a'}, b{'b'}, c{'c'}, d{'d'}, e{'e'};
  Items list, other;
};

TEST_F(ListTest, IsEmptyAtFirst) {
  EXPECT_TRUE(list.is_empty());
  EXPECT_EQ(list.count(), 0u);
  EXPECT_EQ(list.front(), nullptr);
  EXPECT_EQ(list.back(), nullptr);
  EXPECT_EQ(list.pop_front(), nullptr);
  EXPECT_FALSE(a.link.is_linked());
}

TEST_F(ListTest, KeepsTheOrderOfPushing) {
  fill();
  list.push_front(d);
  EXPECT_EQ(names(list), "dabc");
  EXPECT_EQ(list.count(), 4u);
  EXPECT_EQ(list.front(), &d);
  EXPECT_EQ(list.back(), &c);
  EXPECT_TRUE(a.link.is_linked());
}

TEST_F(ListTest, PopsFromTheFrontUntilEmpty) {
  fill();
  EXPECT_EQ(list.pop_front(), &a);
  EXPECT_FALSE(a.link.is_linked());
  EXPECT_EQ(list.pop_front(), &b);
  EXPECT_EQ(list.pop_front(), &c);
  EXPECT_EQ(list.pop_front(), nullptr);
  EXPECT_TRUE(list.is_empty());
}

TEST_F(ListTest, RemovesAtEitherEndAndInTheMiddle) {
  fill();
  list.push_back(d);
  list.remove(b);
  EXPECT_EQ(names(list), "acd");
  list.remove(a);
  EXPECT_EQ(list.front(), &c);
  list.remove(d);
  EXPECT_EQ(list.back(), &c);
  list.remove(c);
  EXPECT_TRUE(list.is_empty());
}

TEST_F(ListTest, AnItemUnlinksItselfWithoutTheList) {
  fill();
  b.link.unlink();
  EXPECT_FALSE(b.link.is_linked());
  EXPECT_EQ(names(list), "ac");
  list.push_back(b);  // An element may be added again after it was removed.
  EXPECT_EQ(names(list), "acb");
}

TEST_F(ListTest, AfterWalksToTheEnd) {
  fill();
  EXPECT_EQ(list.after(a), &b);
  EXPECT_EQ(list.after(b), &c);
  EXPECT_EQ(list.after(c), nullptr);
}

TEST_F(ListTest, TakeDetachesEverythingInOrder) {
  fill();
  Items turn = list.take();
  EXPECT_TRUE(list.is_empty());
  EXPECT_EQ(names(turn), "abc");
  // Like a phase: each item is put back before the next is taken, while more may be added.
  std::string seen;
  while (Item* item = turn.pop_front()) {
    seen += item->name;
    list.push_back(*item);
    if (item == &a) list.push_back(d);
    if (item == &a) b.link.unlink();
  }
  EXPECT_EQ(seen, "ac");
  EXPECT_EQ(names(list), "adc");
}

TEST_F(ListTest, TakeOfAnEmptyListIsEmpty) {
  Items turn = list.take();
  EXPECT_TRUE(turn.is_empty());
  EXPECT_TRUE(list.is_empty());
}

TEST_F(ListTest, MovingLeavesTheSourceUsable) {
  fill();
  Items moved(std::move(list));
  list.push_back(d);  // NOLINT(bugprone-use-after-move): tests the moved-from state.
  EXPECT_EQ(names(list), "d");
  EXPECT_EQ(names(moved), "abc");
  list.splice_back(moved);
  EXPECT_EQ(names(list), "dabc");
}

TEST_F(ListTest, SplicesToTheBackAndToTheFront) {
  fill();
  other.push_back(d);
  other.push_back(e);
  list.splice_back(other);
  EXPECT_EQ(names(list), "abcde");
  EXPECT_TRUE(other.is_empty());
  other.splice_front(list);
  EXPECT_EQ(names(other), "abcde");
  EXPECT_TRUE(list.is_empty());
  list.push_back(*other.pop_front());
  other.splice_front(list);
  EXPECT_EQ(names(other), "abcde");
}

TEST_F(ListTest, SplicingAnEmptyListChangesNothing) {
  fill();
  list.splice_back(other);
  list.splice_front(other);
  EXPECT_EQ(names(list), "abc");
  other.splice_back(list);
  EXPECT_EQ(names(other), "abc");
}

TEST_F(ListTest, TheVisitedItemMayLeaveDuringForEach) {
  fill();
  std::string seen;
  list.for_each([&](Item& item) {
    seen += item.name;
    if (item.name != 'b') item.link.unlink();
  });
  EXPECT_EQ(seen, "abc");
  EXPECT_EQ(names(list), "b");
}

TEST_F(ListTest, AnItemMayBeInOneListPerLink) {
  fill();
  OtherItems second;
  second.push_back(c);
  second.push_back(a);
  EXPECT_EQ(names(list), "abc");
  EXPECT_EQ(names(second), "ca");
  list.remove(a);
  EXPECT_EQ(names(second), "ca");
  EXPECT_EQ(second.pop_front(), &c);
  EXPECT_EQ(second.pop_front(), &a);
}

TEST(ListDeathTest, DestroyingALinkedItemAborts) {
  EXPECT_DEATH(
      {
        Items list;
        Item item('a');
        list.push_back(item);
      },
      "is_linked");
}

TEST(ListDeathTest, DestroyingAListThatIsNotEmptyAborts) {
  Item item('a');
  EXPECT_DEATH(
      {
        Items list;
        list.push_back(item);
      },
      "is_empty");
}

}  // namespace
}  // namespace rondo
