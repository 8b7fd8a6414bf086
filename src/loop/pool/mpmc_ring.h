// MpmcRing: a bounded lock-free queue of pointers, many producers and many consumers, in which a
// queued item can also be taken back out of the middle, promptly and from any thread.
//
// A cell is one word: the item's address, or "free for ticket T", or "taken". Tickets only grow, so
// a word never means two things. Whoever swaps an address out of its cell owns the item; that one
// swap decides between a consumer and remove(). A cell emptied by remove() is given back when the
// consumers come past it.
//
// Thread: any, except reset() and holds_any(), which need the ring to themselves.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace rondo {

// T is aligned to 4 at least. kCapacity is a power of two.
template <class T, uint32_t kCapacity>
class MpmcRing {
  static_assert(kCapacity >= 2 && (kCapacity & (kCapacity - 1)) == 0);
  static_assert(sizeof(uintptr_t) == 8, "tickets never wrap only in 64 bits");

 public:
  MpmcRing() : cells_(new Cell[kCapacity]) { reset(); }
  MpmcRing(const MpmcRing&) = delete;
  MpmcRing& operator=(const MpmcRing&) = delete;

  // False if the ring is full. The cell's number is left in `slot` before anybody can see the item,
  // which may be popped, and gone, before this returns.
  // Publishing is sequentially consistent: a consumer that says "I sleep" and then finds is_ready()
  // false can rely on the producer, if it looks after its push, seeing that it sleeps.
  bool push(T& item, std::atomic<uint32_t>& slot) {
    uint64_t ticket = tail_.load(std::memory_order_relaxed);
    for (;;) {
      Cell& cell = cells_[index(ticket)];
      if (cell.load(std::memory_order_acquire) == free_for(ticket)) {
        if (!tail_.compare_exchange_weak(ticket, ticket + 1, std::memory_order_relaxed)) continue;
        slot.store(index(ticket), std::memory_order_relaxed);
        cell.store(reinterpret_cast<uintptr_t>(&item), std::memory_order_seq_cst);
        return true;
      }
      uint64_t now = tail_.load(std::memory_order_relaxed);
      if (now == ticket) return false;
      ticket = now;
    }
  }

  // The oldest item, or null. An item whose producer is still between its ticket and its cell hides
  // those behind it; that producer wakes a consumer once it is through.
  T* pop() {
    for (;;) {
      uint64_t ticket = head_.load(std::memory_order_acquire);
      Cell& cell = cells_[index(ticket)];
      uintptr_t word = cell.load(std::memory_order_acquire);
      if (word == free_for(ticket)) return nullptr;
      if (is_free(word)) continue;  // Others have been here: head_ has moved on.
      if (!head_.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel)) continue;
      word = cell.exchange(free_for(ticket + kCapacity), std::memory_order_acq_rel);
      if (is_item(word)) return reinterpret_cast<T*>(word);
    }
  }

  // True if the item was still in that cell: nobody else will get it. False if a consumer has it.
  bool remove(const T& item, uint32_t slot) {
    uintptr_t word = reinterpret_cast<uintptr_t>(&item);
    return cells_[slot & (kCapacity - 1)].compare_exchange_strong(word, kTaken,
                                                                  std::memory_order_acq_rel);
  }

  // Whether pop() has something to do. Sequentially consistent, see push().
  bool is_ready() const {
    for (;;) {
      uint64_t ticket = head_.load(std::memory_order_seq_cst);
      uintptr_t word = cells_[index(ticket)].load(std::memory_order_seq_cst);
      if (word == free_for(ticket)) return false;
      if (!is_free(word)) return true;
    }
  }

  // Approximate while others push and pop.
  size_t size() const {
    uint64_t head = head_.load(std::memory_order_relaxed);
    uint64_t tail = tail_.load(std::memory_order_relaxed);
    return tail > head ? static_cast<size_t>(tail - head) : 0;
  }

  bool holds_any() const {
    for (uint32_t i = 0; i < kCapacity; ++i) {
      if (is_item(cells_[i].load(std::memory_order_acquire))) return true;
    }
    return false;
  }

  // Forgets whatever is queued.
  void reset() {
    head_.store(0, std::memory_order_relaxed);
    tail_.store(0, std::memory_order_relaxed);
    for (uint32_t i = 0; i < kCapacity; ++i)
      cells_[i].store(free_for(i), std::memory_order_relaxed);
  }

 private:
  using Cell = std::atomic<uintptr_t>;
  static constexpr uintptr_t kTaken = 2;
  static constexpr uint32_t index(uint64_t ticket) {
    return static_cast<uint32_t>(ticket) & (kCapacity - 1);
  }
  static constexpr uintptr_t free_for(uint64_t ticket) { return ticket << 2 | 1; }
  static constexpr bool is_free(uintptr_t word) { return (word & 1) != 0; }
  static constexpr bool is_item(uintptr_t word) { return (word & 3) == 0; }

  // A line each: consumers move one end, producers the other.
  alignas(64) std::atomic<uint64_t> head_{0};
  alignas(64) std::atomic<uint64_t> tail_{0};
  alignas(64) const std::unique_ptr<Cell[]> cells_;
};

}  // namespace rondo
