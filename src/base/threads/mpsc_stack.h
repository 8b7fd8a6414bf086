// MpscStack is a queue between threads: many threads push, one thread takes all. Intrusive, so
// pushing never allocates, and lock-free, so a preempted pusher never blocks another thread.
// Thread: push() and is_empty() from any; take_all() from the one consumer only.
// Order: the items of one pusher are taken in the order in which it pushed them.
#pragma once

#include <atomic>

namespace rondo {

// A base class or a member of the items. An item is in at most one stack at a time; after taking it
// the consumer may use `next` freely.
struct MpscLink {
  MpscLink* next = nullptr;
};

class MpscStack {
 public:
  MpscStack() = default;
  MpscStack(const MpscStack&) = delete;
  MpscStack& operator=(const MpscStack&) = delete;

  // Returns true if the stack was empty before: then this pusher, and no other, must wake the
  // consumer. The item may be taken and freed before this returns. Sequentially consistent, like
  // is_empty(): if a consumer marks itself asleep and then finds the stack empty, the next pusher
  // will see the mark.
  bool push(MpscLink& link) {
    MpscLink* top = top_.load(std::memory_order_relaxed);
    do {
      link.next = top;
    } while (!top_.compare_exchange_weak(top, &link, std::memory_order_seq_cst,
                                         std::memory_order_relaxed));
    return top == nullptr;
  }

  // Takes all items, newest first, linked by `next`; null if there are none. Single items are never
  // popped, so there is no ABA problem.
  MpscLink* take_newest_first() {
    // A load before the exchange: checking an empty stack, once per turn, causes no bus traffic.
    if (top_.load(std::memory_order_relaxed) == nullptr) return nullptr;
    return top_.exchange(nullptr, std::memory_order_acquire);
  }

  // Takes all items, oldest first.
  MpscLink* take_all() {
    MpscLink* newest = take_newest_first();
    MpscLink* oldest = nullptr;
    while (newest != nullptr) {
      MpscLink* older = newest->next;
      newest->next = oldest;
      oldest = newest;
      newest = older;
    }
    return oldest;
  }

  bool is_empty() const { return top_.load(std::memory_order_seq_cst) == nullptr; }

 private:
  std::atomic<MpscLink*> top_{nullptr};
};

}  // namespace rondo
