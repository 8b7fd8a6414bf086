// For the pool's tests: a job that runs a function, a collector of finished jobs, and jobs that
// keep workers busy until released.
#pragma once

#include <semaphore.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "loop/pool/thread_pool.h"

namespace rondo {

// Collects finished jobs as a loop does, but blocks on a semaphore.
class Collector {
 public:
  Collector() { sem_init(&wake_, 0, 0); }
  ~Collector() { sem_destroy(&wake_); }

  void post(PoolJob& job) {
    if (done_.push(job)) sem_post(&wake_);
  }
  // Waits until `count` jobs have been posted, and returns them.
  std::vector<PoolJob*> wait_for(size_t count) {
    std::vector<PoolJob*> jobs;
    while (jobs.size() < count) {
      while (sem_wait(&wake_) != 0) {
      }
      for (MpscLink* link = done_.take_all(); link != nullptr;) {
        MpscLink* next = link->next;
        jobs.push_back(static_cast<PoolJob*>(link));
        link = next;
      }
    }
    return jobs;
  }
  bool is_empty() const { return done_.is_empty(); }

 private:
  MpscStack done_;
  sem_t wake_;
};

// A job that runs a function and is posted to a collector.
struct TestJob : PoolJob {
  explicit TestJob(Collector& back_to, std::function<void()> body = {})
      : collector(back_to), run(std::move(body)) {
    work = [](PoolJob& job) {
      TestJob& self = static_cast<TestJob&>(job);
      self.runs.fetch_add(1);
      if (self.run) self.run();
    };
    finish = [](PoolJob& job) { static_cast<TestJob&>(job).collector.post(job); };
  }
  Collector& collector;
  std::function<void()> run;
  std::atomic<int> runs{0};
};

class Gate {
 public:
  void open() {
    std::lock_guard lock(mutex_);
    is_open_ = true;
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return is_open_; });
    --waiting_;
  }
  void wait_until_blocked(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this, count] { return waiting_ >= count; });
  }
  int waiting() {
    std::lock_guard lock(mutex_);
    return waiting_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_open_ = false;
  int waiting_ = 0;
};

// Jobs that wait at a gate, so that a test knows which workers are busy.
class Blockers {
 public:
  Blockers(ThreadPool& pool, int count, JobKind kind = JobKind::fast) : count_(count) {
    for (int i = 0; i < count; ++i) {
      jobs_.push_back(std::make_unique<TestJob>(collector_, [this] { gate_.wait(); }));
      pool.submit(*jobs_.back(), kind);
    }
  }
  ~Blockers() { release(); }
  void wait_until_running(int count) { gate_.wait_until_blocked(count); }
  int running() { return gate_.waiting(); }
  void release() {
    gate_.open();
    if (count_ > 0) collector_.wait_for(static_cast<size_t>(std::exchange(count_, 0)));
  }

 private:
  int count_;
  Gate gate_;
  Collector collector_;
  std::vector<std::unique_ptr<TestJob>> jobs_;
};

}  // namespace rondo
