#include "loop/pool/thread_pool.h"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/assert.h"
#include "base/threads/thread.h"

namespace rondo {

// All pools of the process. The forking thread holds all their mutexes during the fork, so no list
// is half changed in the child.
class ThreadPool::ForkGuard {
 public:
  static void add(ThreadPool& pool) {
    static const int kOnce = pthread_atfork(lock_all, unlock_all, forget_all);
    RONDO_ASSERT(kOnce == 0);
    std::lock_guard lock(mutex());
    pools().push_back(pool);
  }
  static void remove(ThreadPool& pool) {
    std::lock_guard lock(mutex());
    pools().remove(pool);
  }

 private:
  using Pools = List<ThreadPool, &ThreadPool::pools_link_>;
  // Never destroyed: a destructor at exit may fork.
  static std::mutex& mutex() {
    static std::mutex& mutex = *new std::mutex;
    return mutex;
  }
  static Pools& pools() {
    static Pools& pools = *new Pools;
    return pools;
  }
  static void lock_all() {
    mutex().lock();
    pools().for_each([](ThreadPool& pool) { pool.mutex_.lock(); });
  }
  static void unlock_all() {
    pools().for_each([](ThreadPool& pool) { pool.mutex_.unlock(); });
    mutex().unlock();
  }
  static void forget_all() {
    pools().for_each([](ThreadPool& pool) { pool.forget_all(); });
    unlock_all();
  }
};

ThreadPool& ThreadPool::shared() {
  static ThreadPool& pool = *new ThreadPool(
      size_from(std::getenv("RONDO_THREADPOOL_SIZE"), std::getenv("UV_THREADPOOL_SIZE")));
  return pool;
}

unsigned ThreadPool::size_from(const char* rondo_value, const char* uv_value) {
  for (const char* value : {rondo_value, uv_value}) {
    if (value == nullptr || *value == '\0') continue;
    const char* end = value + std::strlen(value);
    unsigned threads = 0;
    auto [parsed, error] = std::from_chars(value, end, threads);
    if (parsed != end) return kDefaultSize;
    if (error == std::errc::result_out_of_range) return kMaxSize;
    return std::clamp(threads, 1u, kMaxSize);
  }
  return kDefaultSize;
}

ThreadPool::ThreadPool(unsigned threads)
    : size_(threads), workers_(new Worker[threads]), parking_(threads) {
  ForkGuard::add(*this);
}

ThreadPool::~ThreadPool() {
  // The marker of slow jobs that were cancelled since may still be in the queue.
  const uint32_t place = slow_marker_.place_.load(std::memory_order_relaxed);
  if (place < Ring::kSlots) (void)ring_.remove(slow_marker_, place);
  RONDO_ASSERT(!holds_any());
  ForkGuard::remove(*this);
  std::unique_lock lock(mutex_);
  is_closing_ = true;  // Together with the epoch: no worker may start in the new epoch.
  epoch_.fetch_add(1, std::memory_order_seq_cst);
  unsigned count = started_;
  lock.unlock();
  parking_.wake_all();
  for (unsigned i = 0; i < count; ++i) pthread_join(workers_[i].thread, nullptr);
  RONDO_ASSERT(!holds_any());
}

void ThreadPool::submit(PoolJob& job, JobKind kind) {
  RONDO_DEBUG_ASSERT(job.work != nullptr);
  RONDO_DEBUG_ASSERT(job.finish != nullptr);
  RONDO_DEBUG_ASSERT(!job.link_.is_linked());
  job.kind_ = kind;
  if (kind == JobKind::fast) {
    queue(job);
  } else {
    queue_slow(job);
  }
  wake_one();
}

bool ThreadPool::cancel(PoolJob& job) {
  uint32_t place = job.place_.load(std::memory_order_relaxed);
  if (place < Ring::kSlots && ring_.remove(job, place)) return true;
  // A worker may be moving it from the list into the ring at this moment, under the mutex; after
  // that its cell decides.
  std::lock_guard lock(mutex_);
  place = job.place_.load(std::memory_order_relaxed);
  if (place == kNowhere) return false;
  if (place < Ring::kSlots) return ring_.remove(job, place);
  job.place_.store(kNowhere, std::memory_order_relaxed);
  job.link_.unlink();
  (place == kInSlow ? slow_count_ : overflow_count_).fetch_sub(1, std::memory_order_relaxed);
  return true;
}

size_t ThreadPool::queued() const {
  std::lock_guard lock(mutex_);
  const size_t all = ring_.size() + overflow_count_.load(std::memory_order_relaxed) +
                     slow_count_.load(std::memory_order_relaxed);
  return marker_ == Marker::queued && all > 0 ? all - 1 : all;
}

size_t ThreadPool::running() const {
  size_t count = 0;
  for (unsigned i = 0; i < size_; ++i)
    count += workers_[i].is_running.load(std::memory_order_relaxed);
  return count;
}

void ThreadPool::await_finishing() const {
  for (unsigned i = 0; i < size_; ++i) await_finish(workers_[i]);
  await_finish(caller_);
}

void ThreadPool::await_finish(const Worker& worker) {
  // Usually over already; otherwise it takes as long as a system call, or the worker was preempted.
  constexpr int kYields = 64;
  constexpr timespec kPause{0, 50'000};
  const uint32_t before = worker.finishes.load(std::memory_order_acquire);
  if (before % 2 == 0) return;
  for (int waits = 0; worker.finishes.load(std::memory_order_acquire) == before; ++waits) {
    if (waits < kYields) {
      ::sched_yield();
    } else {
      ::nanosleep(&kPause, nullptr);
    }
  }
}

// ---- Queues

void ThreadPool::queue(PoolJob& job) {
  // While jobs wait in the list, later ones wait behind them.
  if (overflow_count_.load(std::memory_order_relaxed) == 0 && ring_.push(job, job.place_)) return;
  std::lock_guard lock(mutex_);
  job.place_.store(kInOverflow, std::memory_order_relaxed);
  overflow_.push_back(job);
  overflow_count_.fetch_add(1, std::memory_order_seq_cst);
}

// Slow jobs wait in a list of their own. A marker in the queue stands for the first of them, as in
// libuv, so that it keeps its place among the fast ones.
void ThreadPool::queue_slow(PoolJob& job) {
  {
    std::lock_guard lock(mutex_);
    job.place_.store(kInSlow, std::memory_order_relaxed);
    slow_.push_back(job);
    slow_count_.fetch_add(1, std::memory_order_seq_cst);
    if (marker_ != Marker::none) return;
    marker_ = Marker::queued;
  }
  queue(slow_marker_);
}

PoolJob* ThreadPool::next_job() {
  while (PoolJob* job = take()) {
    if (job != &slow_marker_) return job;
    if (PoolJob* slow = take_slow()) return slow;
  }
  return nullptr;
}

PoolJob* ThreadPool::take() {
  for (;;) {
    if (PoolJob* job = ring_.pop()) return job;
    if (overflow_count_.load(std::memory_order_seq_cst) == 0) return nullptr;
    std::lock_guard lock(mutex_);
    unsigned moved = 0;
    while (moved < kRefill && !overflow_.is_empty()) {
      PoolJob& job = *overflow_.pop_front();
      if (ring_.push(job, job.place_)) {
        ++moved;
        continue;
      }
      if (moved != 0) {
        job.place_.store(kInOverflow, std::memory_order_relaxed);
        overflow_.push_front(job);
        break;
      }
      // Empty and full at once: a worker was preempted between claiming a cell and emptying it. Do
      // not wait for it.
      job.place_.store(kNowhere, std::memory_order_relaxed);
      overflow_count_.fetch_sub(1, std::memory_order_relaxed);
      return &job;
    }
    overflow_count_.fetch_sub(moved, std::memory_order_relaxed);
  }
}

// A worker has reached the marker. It goes to the end of the queue if more slow jobs wait. While
// slow_limit() of them run, it stays out of the queue until one ends.
PoolJob* ThreadPool::take_slow() {
  PoolJob* job;
  {
    std::lock_guard lock(mutex_);
    marker_ = Marker::none;
    if (slow_.is_empty()) return nullptr;  // All were cancelled.
    if (slow_running_ >= slow_limit()) {
      marker_ = Marker::held_back;
      return nullptr;
    }
    ++slow_running_;
    slow_count_.fetch_sub(1, std::memory_order_relaxed);
    job = slow_.pop_front();
    job->place_.store(kNowhere, std::memory_order_relaxed);
    if (slow_.is_empty()) return job;
    marker_ = Marker::queued;
  }
  queue(slow_marker_);
  return job;
}

void ThreadPool::slow_job_ended() {
  {
    std::lock_guard lock(mutex_);
    --slow_running_;
    if (marker_ != Marker::held_back) return;
    marker_ = slow_.is_empty() ? Marker::none : Marker::queued;
    if (marker_ == Marker::none) return;
  }
  queue(slow_marker_);
  wake_one();
}

bool ThreadPool::has_work() const {
  return ring_.is_ready() || overflow_count_.load(std::memory_order_seq_cst) != 0;
}

bool ThreadPool::holds_any() {
  std::lock_guard lock(mutex_);
  return !overflow_.is_empty() || !slow_.is_empty() || ring_.holds_any();
}

// ---- Workers

void ThreadPool::wake_one() {
  if (parking_.wake_one(spin_.has_stalled()) && !start_worker()) run_here();
}

// False if there is no worker and none can be started.
bool ThreadPool::start_worker() {
  std::lock_guard lock(mutex_);
  if (is_closing_) return true;
  Worker& worker = workers_[started_];
  worker.pool = this;
  worker.index = static_cast<uint16_t>(started_);
  worker.epoch = epoch_.load(std::memory_order_relaxed);
  const BlockedSignals blocked;
  if (::pthread_create(&worker.thread, nullptr, worker_main, &worker) == 0) {
    ++started_;
    return true;
  }
  parking_.start_failed(started_ > 0);
  return started_ > 0;
}

// The system refuses even the first thread (ulimit -u, memory): better to block the caller than to
// lose jobs. One thread at a time does this. Another thread, or a job, that submits meanwhile
// leaves its job to the first one, which checks once more after it has stopped.
void ThreadPool::run_here() {
  do {
    if (is_running_here_.exchange(true, std::memory_order_seq_cst)) return;
    while (PoolJob* job = next_job()) {
      const bool is_slow = job->kind_ == JobKind::slow;
      run(caller_, *job);  // It may be freed from here on.
      if (is_slow) slow_job_ended();
    }
    is_running_here_.store(false, std::memory_order_seq_cst);
  } while (has_work());
}

// SCHED_BATCH: a woken worker takes a free processor or waits for its time slice, and does not
// preempt the thread that woke it, which has more jobs to submit. Otherwise the worker would find
// one job and sleep again. A policy that was set for the process is kept. If the call is refused,
// the pool is only slower.
void ThreadPool::wait_for_turns() {
  const sched_param plain{};
  if (::sched_getscheduler(0) == SCHED_OTHER) ::sched_setscheduler(0, SCHED_BATCH, &plain);
}

void* ThreadPool::worker_main(void* self) {
  Worker& worker = *static_cast<Worker*>(self);
  char name[16];
  std::snprintf(name, sizeof name, "rondo-pool-%u", worker.index & 0x3ffu);
  pthread_setname_np(pthread_self(), name);
  wait_for_turns();
  worker.pool->serve(worker);
  return nullptr;
}

bool ThreadPool::is_stopping(uint32_t epoch) const {
  return epoch_.load(std::memory_order_seq_cst) != epoch;
}

void ThreadPool::serve(Worker& worker) {
  // A copy: after a fork by a job the record belongs to a new worker, and this one must exit.
  const uint32_t epoch = worker.epoch;
  bool is_searching = true;
  bool has_run = false;  // Since it was woken.
  while (!is_stopping(epoch)) {
    if (PoolJob* job = next_job()) {
      if (is_searching) {
        is_searching = false;
        parking_.stop_searching();
        if (has_work()) wake_one();
      }
      bool is_slow = job->kind_ == JobKind::slow;
      run(worker, *job);  // It may be freed from here on.
      has_run = true;
      if (is_slow && !is_stopping(epoch)) slow_job_ended();
      continue;
    }
    // The next job often follows soon. At most one worker waits for it, awake and searching:
    // submitting then needs no system call.
    if (has_run && !is_searching) {
      is_searching = parking_.start_searching();
      if (is_searching && spin_.wait([this] { return has_work(); })) continue;
    }
    parking_.park(worker.index, is_searching);
    if (is_stopping(epoch)) {
      parking_.wake_all();
    } else if (has_work()) {
      wake_one();
    }
    parking_.sleep(worker.index);
    is_searching = true;
    has_run = false;
  }
}

void ThreadPool::run(Worker& worker, PoolJob& job) {
  job.worker_ = worker.index;
  worker.is_running.store(true, std::memory_order_relaxed);
  job.work(job);
  // Written by this worker only. The receiver of the job sees the odd number, since posting comes
  // later; a thread that sees the even one sees all effects of `finish`.
  const uint32_t finishes = worker.finishes.load(std::memory_order_relaxed);
  worker.finishes.store(finishes + 1, std::memory_order_relaxed);
  job.finish(job);
  worker.finishes.store(finishes + 2, std::memory_order_release);
  worker.is_running.store(false, std::memory_order_relaxed);
}

// ---- Fork

void ThreadPool::forget_all() {
  for (JobList* list : {&overflow_, &slow_}) {
    while (PoolJob* job = list->pop_front()) job->place_.store(kNowhere, std::memory_order_relaxed);
  }
  overflow_count_.store(0, std::memory_order_relaxed);
  slow_count_.store(0, std::memory_order_relaxed);
  slow_running_ = 0;
  marker_ = Marker::none;
  slow_marker_.place_.store(kNowhere, std::memory_order_relaxed);
  for (unsigned i = 0; i < size_; ++i) {
    workers_[i].is_running.store(false, std::memory_order_relaxed);
    workers_[i].finishes.store(0, std::memory_order_relaxed);
  }
  caller_.is_running.store(false, std::memory_order_relaxed);
  caller_.finishes.store(0, std::memory_order_relaxed);
  is_running_here_.store(false, std::memory_order_relaxed);
  started_ = 0;
  ring_.reset();
  parking_.reset();
  spin_.reset();
  epoch_.fetch_add(1, std::memory_order_seq_cst);
}

}  // namespace rondo
