// TimerQueue keeps timers in order of deadline, equal deadlines in order of insertion, with
// nanosecond precision. Inserting and removing cost a few nanoseconds, independent of the number of
// timers; a timer is sorted only if it is still there when it becomes due. Thread: one at a time;
// there are no locks. Nothing here calls back.
//
//   far   a wheel: six levels of 256 slots, each slot an unordered array. A slot of the lowest
//         level spans 65.5 us, one of the next level 256 times as much, and so on to the end of
//         time. Bitmaps find the first occupied slot, so the clock may jump by years at no cost.
//   near  timers not after the wheel's position: a sorted run (the slot that was opened last, and
//         timers inserted in order behind it) and a heap (timers not inserted in order).
//
// Memory: 12 KiB for the wheel, 32 bytes in each node and 16 in its slot. Slots grow by chunks that
// are allocated in bulk, kept for reuse, and given back when the queue becomes empty.
// The reasons and the figures are in docs/adr/loop/0005-timer-wheel.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/assert.h"
#include "base/time/time.h"

namespace rondo {

// An element of a TimerQueue: a base or member of the timer. Pinned, since the queue holds its
// address; destroying it while it is linked aborts.
class TimerNode {
 public:
  TimerNode() {}
  TimerNode(const TimerNode&) = delete;
  TimerNode& operator=(const TimerNode&) = delete;
  ~TimerNode() { RONDO_ASSERT(!is_linked()); }

  bool is_linked() const { return place_ != Place::nowhere; }
  // As of the last insert(); kept after the node has left the queue.
  Nanos deadline() const { return deadline_; }
  uint64_t sequence() const { return sequence_; }

 private:
  friend class TimerQueue;
  enum class Place : uint8_t { nowhere, wheel, run, heap, held };
  struct Entry {
    Nanos deadline;
    TimerNode* node;
  };

  Nanos deadline_ = Nanos::zero();
  uint64_t sequence_ = 0;
  union {
    Entry* entry_ = nullptr;  // In the wheel.
    size_t index_;            // In the heap, or in held_. A node in the run is found by search.
  };
  uint16_t slot_ = 0;  // Of entry_.
  Place place_ = Place::nowhere;
};

class TimerQueue {
 public:
  // `origin` should be near the current time of the clock; a wrong one costs speed, but never
  // changes the order.
  explicit TimerQueue(Nanos origin = Nanos::zero());
  TimerQueue(const TimerQueue&) = delete;
  TimerQueue& operator=(const TimerQueue&) = delete;
  ~TimerQueue();  // Aborts unless empty, as a list does.

  // Gives the node the next sequence number. The deadline may be in the past, or kForever.
  void insert(TimerNode& node, Nanos deadline);
  void remove(TimerNode& node);  // The node must be in this queue.
  // Equivalent to remove() and insert(), and much cheaper if it postpones the node: the wheel
  // handles the new deadline only when it reaches the old one.
  void rearm(TimerNode& node, Nanos deadline);

  // Unlinks and returns the first node, by deadline and then by sequence, among those with a
  // deadline of at most `now` and a sequence below `before`; null if there is none. A phase that
  // passes the next_sequence() of its beginning runs every timer that was due then, in order, and
  // none that its own callbacks insert, even with an earlier deadline.
  TimerNode* pop_due(Nanos now, uint64_t before = UINT64_MAX);

  // The instant at which to call pop_due() again: never later than the earliest deadline; kForever
  // when empty. It is exactly the earliest deadline, unless more than 62 timers share the first
  // slot of the wheel (then it is the slot's beginning) or rearm() has postponed the first timer
  // (then it is an earlier deadline of that timer). Calling pop_due() at this instant makes the
  // next bound a later one.
  Nanos next_bound();
  Nanos next_exact();  // The earliest deadline, even if expensive to find; kForever when empty.

  uint64_t next_sequence() const { return next_sequence_; }
  size_t size() const { return size_; }
  bool is_empty() const { return size_ == 0; }

 private:
  using Place = TimerNode::Place;
  using Entry = TimerNode::Entry;
  struct Chunk;
  struct Due {  // A near timer; the key is inline, so that ordering does not touch the nodes.
    Nanos deadline;
    uint64_t sequence;
    TimerNode* node;
    static Due of(TimerNode& node) { return {node.deadline_, node.sequence_, &node}; }
    bool operator<(const Due& other) const {
      return deadline != other.deadline ? deadline < other.deadline : sequence < other.sequence;
    }
  };

  static constexpr size_t kChunkBytes = 512;  // 31 entries: sequential access, and little waste.
  static constexpr int kTickBits = 16;  // A tick is 65.5 us: see docs/adr/loop/0005-timer-wheel.md.
  static constexpr int kLevelBits = 8;
  static constexpr int kLevels = (64 - kTickBits) / kLevelBits;
  static constexpr size_t kSlotsPerLevel = size_t{1} << kLevelBits;
  static constexpr size_t kSlots = kLevels * kSlotsPerLevel;

  // Ticks are unsigned; tick 0 is the earliest instant of Nanos.
  static uint64_t tick_of(Nanos deadline) {
    return (static_cast<uint64_t>(deadline.count()) ^ (uint64_t{1} << 63)) >> kTickBits;
  }
  static Nanos start_of(uint64_t tick) {
    return Nanos{static_cast<int64_t>((tick << kTickBits) ^ (uint64_t{1} << 63))};
  }

  static bool is_full(const Entry* end);  // Of the chunk before `end`; true for an empty slot, too.
  static bool is_first(const Entry* entry);
  size_t slot_of(uint64_t tick) const;
  size_t first_slot() const;
  uint64_t first_tick(size_t slot) const;
  bool is_short(size_t slot, size_t chunks) const;
  Nanos scan(size_t slot) const;
  void put(Nanos deadline, TimerNode& node, uint64_t tick);
  void put_at(Entry* end, Nanos deadline, TimerNode& node, size_t slot);
  void put_in_new_chunk(Nanos deadline, TimerNode& node, size_t slot);
  void take(const TimerNode& node);
  void refile(size_t slot);
  void drop_chunk(size_t slot);
  void mark_empty(size_t slot);
  bool open_first_slot(uint64_t now_tick);
  void empty_into_run(size_t slot);
  void add_to_run(TimerNode& node);

  Chunk* allocate_chunk();
  void release_chunk(Chunk* chunk);
  void trim();

  const Due* near_front() const;
  void drop_near_front(const Due* front);
  void insert_near(TimerNode& node);
  void remove_near(TimerNode& node);
  void move(TimerNode& node, Nanos deadline);
  void tidy_run();
  void heap_erase(size_t index);
  void sift_up(size_t index, const Due& due);
  void sift_down(size_t index, const Due& due);
  void heap_set(size_t index, const Due& due);
  void hold(const Due& due, uint64_t before);
  void release_held();

  // The wheel's position. Every entry in the wheel has a later tick, and no near node has. An
  // entry's level is the highest digit in which its tick differs from the position, so a slot never
  // holds two rounds of the wheel, and lower levels come before higher ones.
  uint64_t tick_;
  size_t size_ = 0;
  uint64_t next_sequence_ = 0;
  uint64_t words_ = 0;                            // Words of occupied_ that are not zero.
  std::array<uint64_t, kSlots / 64> occupied_{};  // Slots that are not empty.
  std::array<Entry*, kSlots> slots_{};            // One past the slot's last entry, or null.

  std::vector<Due> run_;  // Sorted. Removed entries are null; the one at run_next_ is not.
  size_t run_next_ = 0;
  size_t run_left_ = 0;    // Number of removed entries.
  std::vector<Due> heap_;  // Four children per parent.
  std::vector<Due> held_;  // Due, but with a sequence of at least held_before_.
  uint64_t held_before_ = UINT64_MAX;

  Chunk* free_chunks_ = nullptr;
  Chunk* fresh_ = nullptr;  // Chunks of the newest slab that were never used.
  Chunk* fresh_end_ = nullptr;
  size_t chunk_count_ = 0;
  std::vector<std::unique_ptr<Chunk[]>> slabs_;
};

}  // namespace rondo

#include "base/time/timer_queue_inline.h"  // Needs the definitions above.
