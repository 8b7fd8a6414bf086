// A List with one pointer instead of two: for thousands of mostly empty lists. Its elements form a
// ring without a root, so removing an element needs the list itself.
#pragma once

#include <utility>

#include "base/list.h"

namespace rondo {

// ShortList<Write, &Write::link_>. An element is in at most one list per link.
template <class T, ListLink T::*kLink>
class ShortList {
 public:
  ShortList() = default;
  ShortList(const ShortList&) = delete;
  ShortList& operator=(const ShortList&) = delete;
  ~ShortList() { RONDO_ASSERT(is_empty()); }

  bool is_empty() const { return first_ == nullptr; }
  T* front() const { return is_empty() ? nullptr : owner(first_); }
  // The element after `item`, or null at the end. The list must not change in between.
  T* after(const T& item) const {
    ListLink* next = (item.*kLink).next_;
    return next == first_ ? nullptr : owner(next);
  }

  void push_back(T& item) {
    ListLink& link = item.*kLink;
    RONDO_DEBUG_ASSERT(!link.is_linked());
    if (first_ == nullptr) {
      first_ = link.next_ = link.prev_ = &link;
      return;
    }
    link.next_ = first_;
    link.prev_ = first_->prev_;
    first_->prev_->next_ = &link;
    first_->prev_ = &link;
  }
  void remove(T& item) {
    ListLink& link = item.*kLink;
    RONDO_DEBUG_ASSERT(link.is_linked());
    if (first_ == &link) first_ = link.next_ == &link ? nullptr : link.next_;
    link.unlink();
  }
  T* pop_front() {
    T* item = front();
    if (item != nullptr) remove(*item);
    return item;
  }

  // Moves all elements to the result and leaves this list empty.
  ShortList take() { return ShortList(std::exchange(first_, nullptr)); }

  // `visit` may remove the element that is passed to it.
  template <class F>
  void for_each(F&& visit) const {
    ListLink* const last = is_empty() ? nullptr : first_->prev_;
    for (ListLink* link = first_; link != nullptr;) {
      ListLink* next = link == last ? nullptr : link->next_;
      visit(*owner(link));
      link = next;
    }
  }

 private:
  explicit ShortList(ListLink* first) : first_(first) {}
  static T* owner(ListLink* link) { return link_owner<T, kLink>(link); }

  ListLink* first_ = nullptr;
};

}  // namespace rondo
