#include "base/time/timer_queue.h"

#include <algorithm>
#include <bit>

namespace rondo {
namespace {

// A slot of up to this many chunks, on any level, is sorted when it is opened, as far as it is due.
// A longer slot is first distributed over the level below, which is faster than sorting while the
// slot does not fit a cache.
constexpr size_t kSortedChunks = 8;
// next_bound() reads a slot of up to this many chunks to find its earliest deadline: about 30 ns.
constexpr size_t kScannedChunks = 2;

constexpr size_t kFirstSlab = 16;      // Chunks: 8 KiB, enough for a small program.
constexpr size_t kBiggestSlab = 2048;  // Chunks: 1 MiB, the most that can be unused.
constexpr size_t kKeptCapacity =
    4096;  // Near timers: capacity beyond this is freed when the queue is empty.

constexpr size_t kHeapArity = 4;
constexpr ptrdiff_t kPrefetchAhead = 8;  // Nodes prefetched at a time.

}  // namespace

// A slot is a ring of chunks, of which only the last may have room: slots_ points into that chunk.
// Chunks are aligned to their size, so an entry's address gives its chunk and the chunk's end.
struct TimerQueue::Chunk {
  // The next chunk of the ring, or of the free list. The last chunk's next is the first.
  alignas(kChunkBytes) Chunk* next;
  Chunk* prev;
  Entry entries[(kChunkBytes - 2 * sizeof(Chunk*)) / sizeof(Entry)];

  Entry* end() { return std::end(entries); }
  static Chunk* before(Entry* end) {  // The chunk of the entry before `end`.
    return reinterpret_cast<Chunk*>(reinterpret_cast<uintptr_t>(end - 1) & ~(kChunkBytes - 1));
  }
};

TimerQueue::TimerQueue(Nanos origin) : tick_(tick_of(origin)) {
  static_assert(sizeof(TimerNode) == 32);
  static_assert(sizeof(Chunk) == kChunkBytes && offsetof(Chunk, entries) == 2 * sizeof(Chunk*));
  static_assert(kLevels * kLevelBits + kTickBits == 64);
  static_assert(kSlots / 64 <= 64, "words_ has a bit for each word of occupied_");
}

TimerQueue::~TimerQueue() { RONDO_ASSERT(is_empty()); }

[[gnu::noinline]] void TimerQueue::remove_near(TimerNode& node) {
  if (node.place_ == Place::run) {
    const auto first = run_.begin() + static_cast<ptrdiff_t>(run_next_);
    const auto found = std::lower_bound(first, run_.end(), Due::of(node));
    RONDO_ASSERT(found != run_.end() && found->node == &node);
    found->node = nullptr;
    ++run_left_;
    tidy_run();
  } else if (node.place_ == Place::heap) {
    heap_erase(node.index_);
  } else {
    held_[node.index_] = held_.back();
    held_[node.index_].node->index_ = node.index_;
    held_.pop_back();
  }
  node.place_ = Place::nowhere;
  if (--size_ == 0) trim();
}

[[gnu::noinline]] void TimerQueue::move(TimerNode& node, Nanos deadline) {
  remove(node);
  insert(node, deadline);
}

TimerNode* TimerQueue::pop_due(Nanos now, uint64_t before) {
  if (before > held_before_) release_held();
  for (;;) {
    const Due* front = near_front();
    if (front == nullptr) {
      if (!open_first_slot(tick_of(now))) return nullptr;
      continue;
    }
    if (front->deadline > now) return nullptr;
    const Due due = *front;
    drop_near_front(front);
    if (due.sequence >= before) [[unlikely]] {
      hold(due, before);
      continue;
    }
    due.node->place_ = Place::nowhere;
    if (--size_ == 0) trim();
    return due.node;
  }
}

Nanos TimerQueue::next_bound() {
  release_held();
  if (const Due* front = near_front()) return front->deadline;
  if (words_ == 0) return kForever;
  const size_t slot = first_slot();
  return is_short(slot, kScannedChunks) ? scan(slot) : start_of(first_tick(slot));
}

Nanos TimerQueue::next_exact() {
  release_held();
  if (const Due* front = near_front()) return front->deadline;
  while (words_ != 0) {
    const size_t slot = first_slot();
    refile(slot);
    if (slots_[slot] != nullptr) return scan(slot);
  }
  return kForever;
}

// --- The wheel ---

// Slots are numbered from the lowest level up. All entries of a lower level come before those of a
// higher one, and within a level there is nothing before the position: the first occupied slot is
// the earliest.
size_t TimerQueue::first_slot() const {
  RONDO_DEBUG_ASSERT(words_ != 0);
  const auto word = static_cast<size_t>(std::countr_zero(words_));
  return word * 64 + static_cast<size_t>(std::countr_zero(occupied_[word]));
}

uint64_t TimerQueue::first_tick(size_t slot) const {
  const size_t shift = slot / kSlotsPerLevel * kLevelBits;
  const uint64_t above = ~uint64_t{0} << shift << kLevelBits;
  return (tick_ & above) | (slot % kSlotsPerLevel) << shift;
}

bool TimerQueue::is_short(size_t slot, size_t chunks) const {
  const Chunk* last = Chunk::before(slots_[slot]);
  const Chunk* chunk = last->next;
  for (size_t n = 1; n < chunks && chunk != last; ++n) chunk = chunk->next;
  return chunk == last;
}

Nanos TimerQueue::scan(size_t slot) const {
  Entry* end = slots_[slot];
  Chunk* last = Chunk::before(end);
  Nanos earliest = kForever;
  for (Chunk* chunk = last->next;; chunk = chunk->next) {
    const Entry* stop = chunk == last ? end : chunk->end();
    for (const Entry* entry = chunk->entries; entry != stop; ++entry) {
      earliest = std::min(earliest, entry->deadline);
    }
    if (chunk == last) return earliest;
  }
}

[[gnu::noinline]] void TimerQueue::put_in_new_chunk(Nanos deadline, TimerNode& node, size_t slot) {
  Chunk* chunk = allocate_chunk();
  if (slots_[slot] == nullptr) {
    chunk->next = chunk->prev = chunk;
    occupied_[slot / 64] |= uint64_t{1} << slot % 64;
    words_ |= uint64_t{1} << slot / 64;
  } else {
    Chunk* last = Chunk::before(slots_[slot]);
    chunk->next = last->next;
    chunk->prev = last;
    last->next->prev = chunk;
    last->next = chunk;
  }
  put_at(chunk->entries, deadline, node, slot);
}

// Frees the slot's last chunk, which has become empty. The whole queue may be empty, too.
[[gnu::noinline]] void TimerQueue::drop_chunk(size_t slot) {
  Chunk* chunk = Chunk::before(slots_[slot] + 1);
  if (chunk->next == chunk) {
    mark_empty(slot);
  } else {
    chunk->prev->next = chunk->next;
    chunk->next->prev = chunk->prev;
    slots_[slot] = chunk->prev->end();
  }
  release_chunk(chunk);
  if (size_ == 0) trim();
}

void TimerQueue::mark_empty(size_t slot) {
  slots_[slot] = nullptr;
  uint64_t& word = occupied_[slot / 64];
  word &= ~(uint64_t{1} << slot % 64);
  if (word == 0) words_ &= ~(uint64_t{1} << slot / 64);
}

// Moves nodes of this slot that rearm() has postponed to their new slots. Starts at the back, so
// that the entry that fills a gap has always been visited.
void TimerQueue::refile(size_t slot) {
  Entry* entry = slots_[slot];
  Chunk* chunk = Chunk::before(entry);
  const Chunk* first = chunk->next;
  for (;;) {
    const bool is_done = chunk == first;
    Chunk* prev = chunk->prev;
    while (entry != chunk->entries) {
      TimerNode& node = *(--entry)->node;
      if (node.deadline_ == entry->deadline) continue;
      const uint64_t tick = tick_of(node.deadline_);
      if (slot_of(tick) == slot) {
        entry->deadline = node.deadline_;
      } else {
        take(node);
        put(node.deadline_, node, tick);
      }
    }
    if (is_done) return;
    chunk = prev;
    entry = chunk->end();
  }
}

// Advances the wheel towards `now_tick`, to the first occupied slot and no further. Returns false
// if no slot begins by then. Only called without near timers.
bool TimerQueue::open_first_slot(uint64_t now_tick) {
  RONDO_DEBUG_ASSERT(near_front() == nullptr);
  const size_t slot = words_ != 0 ? first_slot() : 0;
  const uint64_t first = words_ != 0 ? first_tick(slot) : UINT64_MAX;
  if (first > now_tick) {
    // No entry lies between the two positions, so every entry keeps its slot.
    tick_ = std::max(tick_, now_tick);
    return false;
  }
  const uint64_t span = uint64_t{1} << slot / kSlotsPerLevel * kLevelBits;
  tick_ = is_short(slot, kSortedChunks) ? std::min(first + (span - 1), now_tick) : first;
  empty_into_run(slot);
  return true;
}

// Moves the entries that are not after the wheel's position to the run, and the others to lower
// levels.
void TimerQueue::empty_into_run(size_t slot) {
  Entry* end = slots_[slot];
  Chunk* last = Chunk::before(end);
  Chunk* chunk = last->next;
  const auto length = [&](Chunk* of) { return (of == last ? end : of->end()) - of->entries; };
  RONDO_DEBUG_ASSERT(run_.empty());
  mark_empty(slot);
  // The nodes are scattered: prefetch each while earlier ones are moved.
  for (ptrdiff_t i = 0; i < std::min(kPrefetchAhead, length(chunk)); ++i) {
    __builtin_prefetch(chunk->entries[i].node, 1);
  }
  for (bool is_done = false; !is_done;) {
    is_done = chunk == last;
    Chunk* next = chunk->next;
    for (size_t line = 0; line < kChunkBytes; line += 64) {
      __builtin_prefetch(reinterpret_cast<const char*>(next) + line);
    }
    const ptrdiff_t count = length(chunk);
    const ptrdiff_t next_count = is_done ? 0 : length(next);
    for (ptrdiff_t i = 0; i < count; ++i) {
      const ptrdiff_t ahead = i + kPrefetchAhead;
      if (ahead < count) {
        __builtin_prefetch(chunk->entries[ahead].node, 1);
      } else if (ahead - count < next_count) {
        __builtin_prefetch(next->entries[ahead - count].node, 1);
      }
      const Entry entry = chunk->entries[i];
      const uint64_t tick = tick_of(entry.deadline);
      if (tick > tick_) {
        put(entry.deadline, *entry.node, tick);
      } else {
        add_to_run(*entry.node);
      }
    }
    release_chunk(chunk);
    chunk = next;
  }
  if (!std::is_sorted(run_.begin(), run_.end())) std::sort(run_.begin(), run_.end());
}

inline void TimerQueue::add_to_run(TimerNode& node) {
  const uint64_t tick = tick_of(node.deadline_);
  if (tick > tick_) [[unlikely]] {  // Postponed by rearm().
    put(node.deadline_, node, tick);
    return;
  }
  node.place_ = Place::run;
  run_.push_back(Due::of(node));
}

// --- The pool of chunks ---

TimerQueue::Chunk* TimerQueue::allocate_chunk() {
  if (Chunk* chunk = free_chunks_) {
    free_chunks_ = chunk->next;
    return chunk;
  }
  if (fresh_ == fresh_end_) {
    const size_t count = slabs_.empty() ? kFirstSlab : std::min(chunk_count_, kBiggestSlab);
    slabs_.push_back(std::make_unique_for_overwrite<Chunk[]>(count));
    fresh_ = slabs_.back().get();
    fresh_end_ = fresh_ + count;
    chunk_count_ += count;
  }
  return fresh_++;
}

void TimerQueue::release_chunk(Chunk* chunk) {
  chunk->next = free_chunks_;
  free_chunks_ = chunk;
}

// Called when the last node has been removed: a burst of timers must not keep its memory.
void TimerQueue::trim() {
  if (slabs_.size() > 1) {
    slabs_.resize(1);
    free_chunks_ = nullptr;
    fresh_ = slabs_.front().get();
    fresh_end_ = fresh_ + kFirstSlab;
    chunk_count_ = kFirstSlab;
  }
  for (std::vector<Due>* near : {&run_, &heap_, &held_}) {
    if (near->capacity() > kKeptCapacity) std::vector<Due>().swap(*near);
  }
}

// --- Near timers ---

const TimerQueue::Due* TimerQueue::near_front() const {
  const Due* run = run_next_ != run_.size() ? &run_[run_next_] : nullptr;
  if (heap_.empty()) return run;
  return run != nullptr && *run < heap_.front() ? run : &heap_.front();
}

void TimerQueue::drop_near_front(const Due* front) {
  if (!heap_.empty() && front == &heap_.front()) {
    heap_erase(0);
    return;
  }
  if (const size_t next = run_next_ + kPrefetchAhead; next < run_.size()) {
    // Also prefetches the memory after the node, likely the callback. The address may be null or at
    // the end of a page: it is never read.
    const auto ahead = reinterpret_cast<uintptr_t>(run_[next].node);
    __builtin_prefetch(reinterpret_cast<const void*>(ahead), 1);
    __builtin_prefetch(reinterpret_cast<const void*>(ahead + 64), 1);
  }
  run_[run_next_].node = nullptr;
  ++run_left_;
  tidy_run();
}

// Timers inserted in order, such as a chain of timers without delay, join the run; others go to the
// heap.
[[gnu::noinline]] void TimerQueue::insert_near(TimerNode& node) {
  const Due due = Due::of(node);
  if (!run_.empty() && due < run_.back()) {
    node.place_ = Place::heap;
    heap_.push_back(due);
    sift_up(heap_.size() - 1, due);
    return;
  }
  if (run_.size() == run_.capacity() && run_left_ > run_.size() / 2) {  // Room before growth.
    std::erase_if(run_, [](const Due& each) { return each.node == nullptr; });
    run_next_ = run_left_ = 0;
  }
  node.place_ = Place::run;
  run_.push_back(due);
}

// Finds the run's front again after an entry has been removed.
void TimerQueue::tidy_run() {
  if (run_left_ == run_.size()) {
    run_.clear();
    run_next_ = run_left_ = 0;
    return;
  }
  while (run_[run_next_].node == nullptr) ++run_next_;
}

void TimerQueue::heap_erase(size_t index) {
  const Due last = heap_.back();
  heap_.pop_back();
  if (index == heap_.size()) return;
  if (index != 0 && last < heap_[(index - 1) / kHeapArity]) {
    sift_up(index, last);
  } else {
    sift_down(index, last);
  }
}

void TimerQueue::sift_up(size_t index, const Due& due) {
  while (index != 0) {
    const size_t parent = (index - 1) / kHeapArity;
    if (!(due < heap_[parent])) break;
    heap_set(index, heap_[parent]);
    index = parent;
  }
  heap_set(index, due);
}

void TimerQueue::sift_down(size_t index, const Due& due) {
  for (;;) {
    const size_t first = index * kHeapArity + 1;
    if (first >= heap_.size()) break;
    const size_t stop = std::min(first + kHeapArity, heap_.size());
    size_t least = first;
    for (size_t child = first + 1; child < stop; ++child) {
      if (heap_[child] < heap_[least]) least = child;
    }
    if (!(heap_[least] < due)) break;
    heap_set(index, heap_[least]);
    index = least;
  }
  heap_set(index, due);
}

void TimerQueue::heap_set(size_t index, const Due& due) {
  heap_[index] = due;
  due.node->index_ = index;
}

// Sets aside a node that is due but was inserted too late to run now, so that the nodes behind it
// can run. It returns when a later limit, or a query for deadlines, includes it again.
void TimerQueue::hold(const Due& due, uint64_t before) {
  held_before_ = std::min(held_before_, before);
  due.node->place_ = Place::held;
  due.node->index_ = held_.size();
  held_.push_back(due);
}

void TimerQueue::release_held() {
  for (const Due& due : held_) insert_near(*due.node);
  held_.clear();
  held_before_ = UINT64_MAX;
}

}  // namespace rondo
