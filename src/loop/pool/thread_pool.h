// ThreadPool runs operations that the kernel cannot do asynchronously: blocking files, name
// look-ups, user work. A pool is independent of loops. A worker runs a job and then the job's
// `finish`, which posts it to its owner (an MpscStack and a wake-up); nothing else goes back.
//
// Jobs start in the order of submission, roughly: several workers take them, and each finishes
// when it finishes. Any number may be queued; queueing never allocates.
//
// Thread: submit() from any thread, also inside `work` and `finish`; cancel() from the thread that
// submitted the job.
// Fork: a child starts with an idle pool and new workers; jobs that the parent had queued or
// running are dropped there, and their `finish` is never called.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "base/list.h"
#include "base/threads/mpsc_stack.h"
#include "loop/pool/adaptive_spin.h"
#include "loop/pool/mpmc_ring.h"
#include "loop/pool/parking.h"

namespace rondo {

// A slow job waits for something remote, such as a name server, possibly for seconds. At most
// slow_limit() of them run at once, so that they never occupy every worker.
enum class JobKind : uint8_t { fast, slow };

// One job, owned and allocated by its submitter. The pool holds its address from submit() until
// cancel() returns true or `finish` is called, and never touches it after that.
struct PoolJob : MpscLink {
  void (*work)(PoolJob&) = nullptr;    // Runs on a worker.
  void (*finish)(PoolJob&) = nullptr;  // Runs on the same worker right after; must only post.

  // The worker that ran it, from 0; meaningful in `work` and after.
  uint16_t worker() const { return worker_; }

 private:
  friend class ThreadPool;
  ListLink link_;  // Linked while in a list, not in the ring.
  // Its place in the queue: a slot of the ring, or a list.
  std::atomic<uint32_t> place_{UINT32_MAX};
  uint16_t worker_ = 0;
  JobKind kind_ = JobKind::fast;
};

class ThreadPool {
 public:
  static constexpr unsigned kDefaultSize = 4;
  static constexpr unsigned kMaxSize = Parking::kMaxWorkers;

  // The process's pool, made on first use and never destroyed: at exit a job may be in a slow
  // system call. Its size is size_from() of RONDO_THREADPOOL_SIZE and UV_THREADPOOL_SIZE.
  static ThreadPool& shared();
  // The first of the two that is set and not empty decides, otherwise kDefaultSize. A number is
  // clamped to 1..kMaxSize; anything but a number means kDefaultSize.
  static unsigned size_from(const char* rondo_value, const char* uv_value);

  // Threads are started on demand, at most this many. While the system cannot start any, submit()
  // runs the jobs itself.
  explicit ThreadPool(unsigned threads);
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  // Waits for running jobs. No job may be queued any more.
  ~ThreadPool();

  void submit(PoolJob& job, JobKind kind = JobKind::fast);
  // True: the job had not started and never will; it belongs to the caller again at once, however
  // busy the workers are. False: it is running or finished, and its `finish` is or was called.
  bool cancel(PoolJob& job);

  // Waits until every `finish` that is running now has returned: the receiver may have got its job
  // back already, and must not be destroyed while a worker is still notifying it.
  void await_finishing() const;

  unsigned size() const { return size_; }
  unsigned slow_limit() const { return (size_ + 1) / 2; }
  // Approximate while others submit: for metrics.
  size_t queued() const;
  size_t running() const;

 private:
  // Enough for a thousand jobs in flight, in 16 KiB; more wait in a list.
  static constexpr uint32_t kRingSize = 2048;
  // Moved from the list into the ring at a time: bounds how long a cancel() may wait for the mutex.
  static constexpr unsigned kRefill = 128;
  // PoolJob::place_ when it is not a slot of the ring.
  static constexpr uint32_t kInOverflow = UINT32_MAX - 2;
  static constexpr uint32_t kInSlow = UINT32_MAX - 1;
  static constexpr uint32_t kNowhere = UINT32_MAX;

  using Ring = MpmcRing<PoolJob, kRingSize>;
  using JobList = List<PoolJob, &PoolJob::link_>;
  struct alignas(64) Worker {
    ThreadPool* pool = nullptr;
    pthread_t thread{};
    uint32_t epoch = 0;
    uint16_t index = 0;
    std::atomic<bool> is_running{false};
    std::atomic<uint32_t> finishes{0};  // Odd while a job's `finish` is running.
  };
  // Position of the marker that stands for the first slow job.
  enum class Marker : uint8_t {
    none,       // No slow job waits.
    queued,     // In the queue, or about to be.
    held_back,  // Not in the queue until a slow job ends: slow_limit() of them run.
  };
  class ForkGuard;

  void wake_one();
  [[nodiscard]] bool start_worker();
  void run_here();
  static void* worker_main(void* worker);
  static void wait_for_turns();
  void serve(Worker& worker);
  void run(Worker& worker, PoolJob& job);

  void queue(PoolJob& job);
  void queue_slow(PoolJob& job);
  PoolJob* next_job();
  PoolJob* take();  // From the queue: a job or the marker.
  PoolJob* take_slow();
  void slow_job_ended();
  bool has_work() const;
  bool is_stopping(uint32_t epoch) const;
  static void await_finish(const Worker& worker);
  bool holds_any();
  void forget_all();  // In a forked child.

  const unsigned size_;
  const std::unique_ptr<Worker[]> workers_;
  Worker caller_;  // Represents the thread that is in run_here().
  std::atomic<bool> is_running_here_{false};
  Ring ring_;
  Parking parking_;
  alignas(64) AdaptiveSpin spin_;  // The searching worker's.

  // A worker of an older epoch exits: the pool is closing, or a fork has dropped the worker.
  alignas(64) std::atomic<uint32_t> epoch_{0};
  // Lengths of the lists below, for reading without the mutex.
  std::atomic<size_t> overflow_count_{0};
  std::atomic<size_t> slow_count_{0};

  mutable std::mutex mutex_;  // Guards the members below.
  JobList overflow_;          // Jobs for which the ring had no room: the end of the queue.
  JobList slow_;              // Slow jobs.
  unsigned slow_running_ = 0;
  Marker marker_ = Marker::none;
  PoolJob slow_marker_;
  unsigned started_ = 0;  // Worker threads that exist.
  bool is_closing_ = false;
  ListLink pools_link_;  // In the list of all pools, for fork.
};

}  // namespace rondo
