// Parking: puts idle workers to sleep and decides which one to wake for new work.
//
// A worker is unstarted, searching (awake, looking for work), busy, or parked. While one searches,
// no other is woken: the searcher, once it has found work, looks for more and wakes the next. So a
// burst of work costs its producer one wake-up, and the workers wake each other in a chain that
// ends with the work. The last worker to park is woken first: its caches are the warmest.
//
// No wake-up is lost: a producer publishes work and then looks at the state; a worker writes the
// state (park() or stop_searching()) and then looks for work. All of it is sequentially consistent,
// so at least one of the two sees the other.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace rondo {

class Parking {
 public:
  static constexpr unsigned kMaxWorkers = 1024;

  explicit Parking(unsigned workers);
  Parking(const Parking&) = delete;
  Parking& operator=(const Parking&) = delete;

  // Any thread, after it has published work: wakes a worker unless one is searching already, or
  // always with `in_any_case`. True if the caller must start a worker instead, which starts out
  // searching.
  [[nodiscard]] bool wake_one(bool in_any_case = false) {
    uint64_t state = state_.load(std::memory_order_seq_cst);
    if (searching(state) != 0 && !in_any_case) return false;
    if (top(state) == 0 && unstarted(state) == 0) return false;
    return wake_one_slowly(state, in_any_case);
  }
  // The worker could not be started. With others, none will be started from now on; without, the
  // next wake_one() asks for one again.
  void start_failed(bool has_others);

  // Worker: has run out of work and goes on searching, awake. False if another does already.
  [[nodiscard]] bool start_searching();
  // Worker: has found work and no longer searches. It must then look for more, and call wake_one().
  void stop_searching();
  // Worker: marks itself parked. It must then look for work once more, call wake_one() if there is
  // some (which may pick itself), and sleep().
  void park(unsigned worker, bool was_searching);
  // Worker: returns once it has been picked; it is searching then.
  void sleep(unsigned worker);

  // Picks every parked worker, and none is started from now on: the pool is closing.
  void wake_all();
  // In the only thread of a forked child: no worker has been started.
  void reset();

 private:
  struct alignas(64) Spot {
    std::atomic<uint32_t> word;  // Futex that the worker sleeps on, see parking.cc.
    std::atomic<uint32_t> next;  // The worker parked before this one, plus one; 0 at the end.
  };

  // The state is one word: the stack of parked workers (its top plus one, 0 if empty, and a tag
  // that grows with every push, so that a stale top never passes for a fresh one), the number of
  // searching and the number of unstarted workers.
  static constexpr unsigned kBits = 11;
  static constexpr uint64_t kMask = (1u << kBits) - 1;
  static constexpr uint64_t kOneSearching = uint64_t{1} << kBits;
  static constexpr uint64_t kOneUnstarted = uint64_t{1} << (2 * kBits);
  static constexpr uint64_t kOneTag = uint64_t{1} << (3 * kBits);
  static_assert(kMaxWorkers < kMask);
  static constexpr uint64_t top(uint64_t state) { return state & kMask; }
  static constexpr uint64_t searching(uint64_t state) { return (state >> kBits) & kMask; }
  static constexpr uint64_t unstarted(uint64_t state) { return (state >> (2 * kBits)) & kMask; }

  bool wake_one_slowly(uint64_t state, bool in_any_case);
  void rouse(uint64_t worker);

  alignas(64) std::atomic<uint64_t> state_;
  alignas(64) const unsigned workers_;
  const std::unique_ptr<Spot[]> spots_;
};

}  // namespace rondo
