#include "loop/pool/parking.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/assert.h"

namespace rondo {
namespace {

// Values of a Spot's word. System calls are only made if the worker really sleeps.
constexpr uint32_t kWaiting = 0, kSleeping = 1, kPicked = 2;

void futex_wait(std::atomic<uint32_t>& word, uint32_t while_equal) {
  ::syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, while_equal, nullptr, nullptr, 0);
}

void futex_wake(std::atomic<uint32_t>& word) {
  ::syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

static_assert(sizeof(std::atomic<uint32_t>) == 4, "the kernel looks at the word itself");

}  // namespace

Parking::Parking(unsigned workers) : workers_(workers), spots_(new Spot[workers]) {
  RONDO_ASSERT(workers >= 1);
  RONDO_ASSERT(workers <= kMaxWorkers);
  reset();
}

void Parking::reset() {
  for (unsigned i = 0; i < workers_; ++i) {
    spots_[i].word.store(kWaiting, std::memory_order_relaxed);
    spots_[i].next.store(0, std::memory_order_relaxed);
  }
  state_.store(workers_ * kOneUnstarted, std::memory_order_seq_cst);
}

bool Parking::wake_one_slowly(uint64_t state, bool in_any_case) {
  for (;;) {
    if (searching(state) != 0 && !in_any_case) return false;
    uint64_t worker = top(state);
    uint64_t wanted;
    if (worker != 0) {
      // If the top is popped and pushed again meanwhile, `next` may be stale; the tag has grown
      // then, and the exchange fails.
      uint64_t next = spots_[worker - 1].next.load(std::memory_order_relaxed);
      wanted = state - worker + next + kOneSearching;
    } else if (unstarted(state) != 0) {
      wanted = state - kOneUnstarted + kOneSearching;
    } else {
      return false;
    }
    if (!state_.compare_exchange_weak(state, wanted, std::memory_order_seq_cst)) continue;
    if (worker == 0) return true;
    rouse(worker);
    return false;
  }
}

void Parking::rouse(uint64_t worker) {
  Spot& spot = spots_[worker - 1];
  if (spot.word.exchange(kPicked, std::memory_order_acq_rel) == kSleeping) futex_wake(spot.word);
}

void Parking::start_failed(bool has_others) {
  uint64_t state = state_.load(std::memory_order_relaxed);
  uint64_t wanted;
  do {
    wanted = state - kOneSearching;
    wanted = has_others ? wanted - unstarted(state) * kOneUnstarted : wanted + kOneUnstarted;
  } while (!state_.compare_exchange_weak(state, wanted, std::memory_order_seq_cst));
}

bool Parking::start_searching() {
  uint64_t state = state_.load(std::memory_order_relaxed);
  while (searching(state) == 0) {
    if (state_.compare_exchange_weak(state, state + kOneSearching, std::memory_order_seq_cst)) {
      return true;
    }
  }
  return false;
}

void Parking::stop_searching() { state_.fetch_sub(kOneSearching, std::memory_order_seq_cst); }

void Parking::park(unsigned worker, bool was_searching) {
  Spot& spot = spots_[worker];
  spot.word.store(kWaiting, std::memory_order_relaxed);
  uint64_t state = state_.load(std::memory_order_relaxed);
  uint64_t wanted;
  do {
    spot.next.store(static_cast<uint32_t>(top(state)), std::memory_order_relaxed);
    wanted = state - top(state) + (worker + 1) + kOneTag;
    if (was_searching) wanted -= kOneSearching;
  } while (!state_.compare_exchange_weak(state, wanted, std::memory_order_seq_cst));
}

void Parking::sleep(unsigned worker) {
  Spot& spot = spots_[worker];
  uint32_t word = kWaiting;
  spot.word.compare_exchange_strong(word, kSleeping, std::memory_order_acq_rel);
  // The kernel may return early, for a signal or a spurious wake-up: only the word counts.
  while (spot.word.load(std::memory_order_acquire) != kPicked) futex_wait(spot.word, kSleeping);
}

void Parking::wake_all() {
  uint64_t state = state_.load(std::memory_order_relaxed);
  for (;;) {
    uint64_t worker = top(state);
    uint64_t wanted = state - unstarted(state) * kOneUnstarted;
    if (worker != 0) {
      uint64_t next = spots_[worker - 1].next.load(std::memory_order_relaxed);
      wanted = wanted - worker + next + kOneSearching;
    }
    if (!state_.compare_exchange_weak(state, wanted, std::memory_order_seq_cst)) continue;
    if (worker == 0) return;
    rouse(worker);
    state = wanted;
  }
}

}  // namespace rondo
