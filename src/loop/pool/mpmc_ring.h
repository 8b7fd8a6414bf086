// MpmcRing: a bounded lock-free queue of pointers, many producers and many consumers, in which a
// queued item can also be taken back out of the middle, promptly and from any thread.
//
// Tickets number the items from 0; ticket T is in cell T mod capacity. A cell is one word: "free
// for ticket T", or the item's address and its lap, or "taken" in that lap. The lap bit lets a
// consumer tell a new item from one that a slower consumer has claimed but not yet fetched: head_
// never passes such a cell, so one bit is enough. The thread that swaps an address out of its cell
// owns the item; this one swap decides between a consumer and remove(). A cell emptied by remove()
// is freed when the consumers pass it.
//
// Thread: any, except reset() and holds_any(), which need the ring to themselves.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace rondo {

// T is aligned to 8. kCapacity is a power of two.
template <class T, uint32_t kCapacity>
class MpmcRing {
  static_assert(kCapacity >= 2 && (kCapacity & (kCapacity - 1)) == 0);
  static_assert(sizeof(uintptr_t) == 8, "tickets never wrap only in 64 bits");

 public:
  static constexpr uint32_t kSlots = 2 * kCapacity;

  MpmcRing() : cells_(new Cell[kCapacity]) { reset(); }
  MpmcRing(const MpmcRing&) = delete;
  MpmcRing& operator=(const MpmcRing&) = delete;

  // False if the ring is full. Before the item becomes visible, `slot` gets the number below kSlots
  // with which remove() finds the item; afterwards the item may be popped and gone before this
  // returns. If the ring is full, `slot` may have been overwritten, too.
  // Publishing is sequentially consistent: if a consumer marks itself asleep and then finds
  // is_ready() false, a producer that checks for sleepers after its push will see it.
  //
  // The one swap into a free cell takes the ticket and publishes the item. tail_ is only a hint
  // where to start: never beyond the first free ticket, since the producer that took the ticket
  // before writes it. A producer that was preempted before it wrote may set tail_ back, even by
  // laps; head_ then says where to continue.
  bool push(T& item, std::atomic<uint32_t>& slot) {
    uint64_t ticket = tail_.load(std::memory_order_relaxed);
    for (;;) {
      Cell& cell = cell_of(ticket);
      uintptr_t word = cell.load(std::memory_order_acquire);
      if (word == free_for(ticket)) {
        slot.store(static_cast<uint32_t>(ticket) & (kSlots - 1), std::memory_order_relaxed);
        if (cell.compare_exchange_strong(word, address(item) | lap_of(ticket),
                                         std::memory_order_seq_cst, std::memory_order_acquire)) {
          look_from(ticket + 1);
          return true;
        }
      }
      // Another producer has taken the ticket, or the cell holds an item of the lap before or
      // after. If after, the consumers have passed this ticket, and head_ is beyond it.
      const uint64_t head = head_.load(std::memory_order_relaxed);
      if (head > ticket) {
        ticket = head;
      } else if (is_filled(word, ticket)) {
        ++ticket;
      } else {
        return false;
      }
    }
  }

  // The end of push(), separate for the tests: a producer may be preempted before it.
  void look_from(uint64_t ticket) { tail_.store(ticket, std::memory_order_relaxed); }

  // The oldest item, or null.
  T* pop() {
    uint64_t ticket;
    while (claim(ticket)) {
      if (T* item = fetch(ticket)) return item;  // Otherwise it was removed: go on to the next.
    }
    return nullptr;
  }

  // The two halves of pop(), separate for the tests: a consumer may be preempted between them.
  bool claim(uint64_t& ticket) {
    for (;;) {
      ticket = head_.load(std::memory_order_seq_cst);
      uintptr_t word = cell_of(ticket).load(std::memory_order_seq_cst);
      if (!is_filled(word, ticket)) {
        // Empty, unless other consumers have moved head_ meanwhile and this read was too late.
        if (head_.load(std::memory_order_seq_cst) == ticket) return false;
        continue;
      }
      if (head_.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel)) return true;
    }
  }
  T* fetch(uint64_t ticket) {
    uintptr_t word =
        cell_of(ticket).exchange(free_for(ticket + kCapacity), std::memory_order_acq_rel);
    if (is_item(word)) return reinterpret_cast<T*>(word & ~kTagBits);
    removed_.fetch_sub(1, std::memory_order_relaxed);
    return nullptr;
  }

  // True if the item was still in its cell: no consumer will get it. False if a consumer has it.
  bool remove(const T& item, uint32_t slot) {
    uintptr_t word = address(item) | lap_of(slot);
    bool was_there = cell_of(slot).compare_exchange_strong(word, kTakenBit | lap_of(slot),
                                                           std::memory_order_acq_rel);
    if (was_there) removed_.fetch_add(1, std::memory_order_relaxed);
    return was_there;
  }

  // True if pop() has something to do. Sequentially consistent, see push().
  bool is_ready() const {
    for (;;) {
      uint64_t ticket = head_.load(std::memory_order_seq_cst);
      if (is_filled(cell_of(ticket).load(std::memory_order_seq_cst), ticket)) return true;
      if (head_.load(std::memory_order_seq_cst) == ticket) return false;
    }
  }

  // Approximate while others push and pop.
  size_t size() const {
    uint64_t head =
        head_.load(std::memory_order_relaxed) + removed_.load(std::memory_order_relaxed);
    uint64_t tail = tail_.load(std::memory_order_relaxed);
    return static_cast<int64_t>(tail - head) > 0 ? static_cast<size_t>(tail - head) : 0;
  }

  bool holds_any() const {
    for (uint32_t i = 0; i < kCapacity; ++i) {
      if (is_item(cells_[i].load(std::memory_order_acquire))) return true;
    }
    return false;
  }

  // Drops everything queued.
  void reset() {
    head_.store(0, std::memory_order_relaxed);
    tail_.store(0, std::memory_order_relaxed);
    removed_.store(0, std::memory_order_relaxed);
    for (uint32_t i = 0; i < kCapacity; ++i)
      cells_[i].store(free_for(i), std::memory_order_relaxed);
  }

 private:
  using Cell = std::atomic<uintptr_t>;
  static constexpr uintptr_t kFreeBit = 1, kLapBit = 2, kTakenBit = 4, kTagBits = 7;
  static_assert(alignof(T) > kTagBits, "the tag needs the low bits of an address");

  static uintptr_t address(const T& item) { return reinterpret_cast<uintptr_t>(&item); }
  static constexpr uintptr_t lap_of(uint64_t ticket) {
    return (ticket & kCapacity) != 0 ? kLapBit : 0;
  }
  static constexpr uintptr_t free_for(uint64_t ticket) { return ticket << 1 | kFreeBit; }
  // Holds the item of exactly this ticket, or did until it was removed (if head_ is still there).
  static constexpr bool is_filled(uintptr_t word, uint64_t ticket) {
    return (word & (kFreeBit | kLapBit)) == lap_of(ticket);
  }
  static constexpr bool is_item(uintptr_t word) { return (word & (kFreeBit | kTakenBit)) == 0; }
  Cell& cell_of(uint64_t ticket) const { return cells_[ticket & (kCapacity - 1)]; }

  // A cache line each: consumers move one end, producers the other.
  alignas(64) std::atomic<uint64_t> head_{0};
  alignas(64) std::atomic<uint64_t> tail_{0};  // Hint for the first free ticket, see push().
  alignas(64) const std::unique_ptr<Cell[]> cells_;
  std::atomic<uint64_t> removed_{0};  // Cells emptied by remove() that no consumer has passed yet.
};

}  // namespace rondo
