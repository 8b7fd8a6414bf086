// The parts of TimerQueue that are inlined into every start and stop of a timer. Rare cases are
// tail calls, so that the common case, some twenty instructions, need not save registers.
#pragma once

#include <bit>

#include "base/time/timer_queue.h"

namespace rondo {

inline void TimerQueue::insert(TimerNode& node, Nanos deadline) {
  RONDO_ASSERT(!node.is_linked());
  node.deadline_ = deadline;
  node.sequence_ = next_sequence_++;
  ++size_;
  const uint64_t tick = tick_of(deadline);
  if (tick <= tick_) [[unlikely]]
    return insert_near(node);
  node.place_ = Place::wheel;
  put(deadline, node, tick);
}

inline void TimerQueue::remove(TimerNode& node) {
  RONDO_ASSERT(node.is_linked());
  if (node.place_ != Place::wheel) [[unlikely]]
    return remove_near(node);
  node.place_ = Place::nowhere;
  --size_;
  take(node);
}

inline void TimerQueue::rearm(TimerNode& node, Nanos deadline) {
  RONDO_ASSERT(node.is_linked());
  if (node.place_ != Place::wheel || deadline < node.deadline_) [[unlikely]]
    return move(node, deadline);
  node.deadline_ = deadline;
  node.sequence_ = next_sequence_++;
}

// A chunk is aligned to its size, and begins with two pointers.
inline bool TimerQueue::is_full(const Entry* end) {
  return reinterpret_cast<uintptr_t>(end) % kChunkBytes == 0;
}

inline bool TimerQueue::is_first(const Entry* entry) {
  return reinterpret_cast<uintptr_t>(entry) % kChunkBytes == 2 * sizeof(Chunk*);
}

inline size_t TimerQueue::slot_of(uint64_t tick) const {
  const auto highest = static_cast<size_t>(63 ^ std::countl_zero(tick ^ tick_));
  const size_t shift = highest - highest % kLevelBits;  // The level, times kLevelBits.
  return shift * (kSlotsPerLevel / kLevelBits) + (tick >> shift) % kSlotsPerLevel;
}

// Stores the node in the slot of `tick`, with `deadline` as its key: the node's own deadline,
// unless rearm() has postponed it since.
inline void TimerQueue::put(Nanos deadline, TimerNode& node, uint64_t tick) {
  const size_t slot = slot_of(tick);
  Entry* end = slots_[slot];
  if (is_full(end)) return put_in_new_chunk(deadline, node, slot);
  put_at(end, deadline, node, slot);
}

inline void TimerQueue::put_at(Entry* end, Nanos deadline, TimerNode& node, size_t slot) {
  *end = Entry{deadline, &node};
  node.entry_ = end;
  node.slot_ = static_cast<uint16_t>(slot);
  slots_[slot] = end + 1;
}

// Slots are unordered: the last entry fills the gap.
inline void TimerQueue::take(const TimerNode& node) {
  const size_t slot = node.slot_;
  Entry* entry = node.entry_;
  RONDO_DEBUG_ASSERT(entry->node == &node);
  Entry* last = slots_[slot] - 1;
  if (entry != last) {
    *entry = *last;
    entry->node->entry_ = entry;
  }
  slots_[slot] = last;
  if (is_first(last)) [[unlikely]]
    drop_chunk(slot);
}

}  // namespace rondo
