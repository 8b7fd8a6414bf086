// An intrusive, circular, doubly linked list. Linking never allocates, unlinking is O(1) and needs
// no list. Destroying a linked element aborts: its neighbours would point into freed memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/assert.h"

namespace rondo {

class ListLink {
 public:
  ListLink() = default;
  ListLink(const ListLink&) = delete;
  ListLink& operator=(const ListLink&) = delete;
  ~ListLink() { RONDO_ASSERT(!is_linked()); }

  bool is_linked() const { return next_ != nullptr; }
  void unlink() {
    RONDO_DEBUG_ASSERT(is_linked());
    prev_->next_ = next_;
    next_->prev_ = prev_;
    next_ = prev_ = nullptr;
  }

 private:
  template <class T, ListLink T::*>
  friend class List;
  template <class T, ListLink T::*>
  friend class ShortList;
  ListLink* next_ = nullptr;
  ListLink* prev_ = nullptr;
};

// The element that contains `link`.
template <class T, ListLink T::*kLink>
T* link_owner(ListLink* link) {
  // Computes the member's offset from an address that is never dereferenced; it folds to a
  // constant.
  constexpr uintptr_t kProbe = 0x10000;
  const auto member = reinterpret_cast<uintptr_t>(&(reinterpret_cast<T*>(kProbe)->*kLink));
  const auto offset = static_cast<ptrdiff_t>(member - kProbe);
  return reinterpret_cast<T*>(reinterpret_cast<char*>(link) - offset);
}

// List<Timer, &Timer::link_>. An element is in at most one list per link.
template <class T, ListLink T::*kLink>
class List {
 public:
  List() { reset(); }
  List(const List&) = delete;
  List& operator=(const List&) = delete;
  List(List&& other) noexcept {
    reset();
    splice_back(other);
  }
  ~List() {
    RONDO_ASSERT(is_empty());
    root_.next_ = root_.prev_ = nullptr;
  }

  bool is_empty() const { return root_.next_ == &root_; }
  T* front() const { return is_empty() ? nullptr : owner(root_.next_); }
  T* back() const { return is_empty() ? nullptr : owner(root_.prev_); }
  // The element after `item`, or null at the end. The list must not change in between.
  T* after(const T& item) const {
    ListLink* next = (item.*kLink).next_;
    return next == &root_ ? nullptr : owner(next);
  }
  // The element before `item`, or null at the beginning. The list must not change in between.
  T* before(const T& item) const {
    ListLink* prev = (item.*kLink).prev_;
    return prev == &root_ ? nullptr : owner(prev);
  }

  void push_back(T& item) { insert_before(item.*kLink, root_); }
  void push_front(T& item) { insert_before(item.*kLink, *root_.next_); }
  void remove(T& item) { (item.*kLink).unlink(); }
  T* pop_front() {
    if (is_empty()) return nullptr;
    T* item = owner(root_.next_);
    (item->*kLink).unlink();
    return item;
  }

  // Moves all elements to the result and leaves this list empty: a phase detaches the elements that
  // were queued when it began.
  List take() { return List(static_cast<List&&>(*this)); }
  void splice_back(List& other) { splice_before(other, root_); }
  void splice_front(List& other) { splice_before(other, *root_.next_); }

  template <class F>
  void for_each(F&& visit) const {
    for (ListLink* link = root_.next_; link != &root_;) {
      ListLink* next = link->next_;
      visit(*owner(link));
      link = next;
    }
  }
  size_t count() const {
    size_t n = 0;
    for (const ListLink* link = root_.next_; link != &root_; link = link->next_) ++n;
    return n;
  }

 private:
  static T* owner(ListLink* link) { return link_owner<T, kLink>(link); }
  void reset() { root_.next_ = root_.prev_ = &root_; }
  static void insert_before(ListLink& link, ListLink& position) {
    RONDO_DEBUG_ASSERT(!link.is_linked());
    link.next_ = &position;
    link.prev_ = position.prev_;
    position.prev_->next_ = &link;
    position.prev_ = &link;
  }
  void splice_before(List& other, ListLink& position) {
    if (other.is_empty()) return;
    ListLink* first = other.root_.next_;
    ListLink* last = other.root_.prev_;
    first->prev_ = position.prev_;
    position.prev_->next_ = first;
    last->next_ = &position;
    position.prev_ = last;
    other.reset();
  }

  ListLink root_;
};

}  // namespace rondo
