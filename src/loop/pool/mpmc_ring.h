// MpmcRing: a bounded lock-free queue of pointers, many producers and many consumers, in which a
// queued item can also be taken back out of the middle, promptly and from any thread.
//
// Tickets number the items from 0; ticket T lives in cell T mod capacity. A cell is one word: "free
// for ticket T"; or the item's address and the lap it belongs to; or "taken" in that lap. The lap,
// one bit, is what tells a consumer that went all the way round from an item that a slower consumer
// has claimed but not yet fetched: head_ never passes such a cell, so one bit is enough.
// Whoever swaps an address out of its cell owns the item; that one swap decides between a consumer
// and remove(). A cell emptied by remove() is given back when the consumers come past it.
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

  // False if the ring is full. What remove() needs to find the item, a number below kSlots, is left
  // in `slot` before anybody can see the item, which may be popped, and gone, before this returns;
  // if the ring is full it may have been overwritten, too.
  // Publishing is sequentially consistent: a consumer that says "I sleep" and then finds is_ready()
  // false can rely on the producer, if it looks after its push, seeing that it sleeps.
  //
  // The one swap into a free cell takes the ticket and publishes the item. tail_ is but where to
  // begin to look: never beyond the first ticket that nobody has taken, since it is written by who
  // took the one before. A producer that was preempted before it wrote may set it back, by laps
  // even; head_ then says where to go on.
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
      // Another has taken the ticket, or the cell holds what was put there a lap before or after.
      // If after, then the consumers have been past this ticket, and the word that was read tells
      // so.
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

  // The end of push(), apart for the tests: a producer may be preempted before it.
  void look_from(uint64_t ticket) { tail_.store(ticket, std::memory_order_relaxed); }

  // The oldest item, or null.
  T* pop() {
    uint64_t ticket;
    while (claim(ticket)) {
      if (T* item = fetch(ticket)) return item;  // Otherwise it was removed: go on to the next.
    }
    return nullptr;
  }

  // The two halves of pop(), apart for the tests: between them a consumer may be preempted.
  bool claim(uint64_t& ticket) {
    for (;;) {
      ticket = head_.load(std::memory_order_seq_cst);
      uintptr_t word = cell_of(ticket).load(std::memory_order_seq_cst);
      if (!is_filled(word, ticket)) {
        // Nothing there, unless others have moved head_ on meanwhile and this look was too late.
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

  // True if the item was still in its cell: nobody else will get it. False if a consumer has it.
  bool remove(const T& item, uint32_t slot) {
    uintptr_t word = address(item) | lap_of(slot);
    bool was_there = cell_of(slot).compare_exchange_strong(word, kTakenBit | lap_of(slot),
                                                           std::memory_order_acq_rel);
    if (was_there) removed_.fetch_add(1, std::memory_order_relaxed);
    return was_there;
  }

  // Whether pop() has something to do. Sequentially consistent, see push().
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

  // Forgets whatever is queued.
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
  // Holds, or held until it was removed, the item of this very ticket (if head_ is there still).
  static constexpr bool is_filled(uintptr_t word, uint64_t ticket) {
    return (word & (kFreeBit | kLapBit)) == lap_of(ticket);
  }
  static constexpr bool is_item(uintptr_t word) { return (word & (kFreeBit | kTakenBit)) == 0; }
  Cell& cell_of(uint64_t ticket) const { return cells_[ticket & (kCapacity - 1)]; }

  // A line each: consumers move one end, producers the other.
  alignas(64) std::atomic<uint64_t> head_{0};
  alignas(64) std::atomic<uint64_t> tail_{0};  // About the first ticket to be had, see push().
  alignas(64) const std::unique_ptr<Cell[]> cells_;
  std::atomic<uint64_t> removed_{0};  // Cells that were emptied by remove() and not passed since.
};

}  // namespace rondo
