#include "runtime/engine/worker_threads.h"

#include <pthread.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace rondo::runtime {
namespace {

// In seconds: longer than any process runs, and representable by the clock.
constexpr double kLongestDelay = 3e9;
// The most threads that run best-effort jobs; V8's own platform has the same limit.
constexpr int kMostOfBestEffort = 2;

}  // namespace

WorkerThreads::WorkerThreads(int limit) : limit_(std::clamp(limit, 1, kMost)) {
  const std::lock_guard lock(mutex_);
  if (start_thread()) return;
  // V8 needs at least one thread. The program has not begun, so no data is lost.
  std::fputs("rondo: cannot start a thread for V8: raise the limit of processes (ulimit -u)\n",
             stderr);
  std::_Exit(1);
}

WorkerThreads::~WorkerThreads() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  wake_.notify_all();
  for (Thread& thread : threads_) thread.join();
}

int WorkerThreads::started() const {
  const std::lock_guard lock(mutex_);
  return started_;
}

// Call with the lock held.
bool WorkerThreads::start_thread() {
  const BlockedSignals blocked;
  const bool is_started = threads_[static_cast<size_t>(started_)].start([this] { run(); });
  if (is_started) ++started_;
  return is_started;
}

double WorkerThreads::MonotonicallyIncreasingTime() {
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

double WorkerThreads::CurrentClockTimeMillis() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::milli>(now).count();
}

std::unique_ptr<v8::JobHandle> WorkerThreads::CreateJobImpl(v8::TaskPriority priority,
                                                            std::unique_ptr<v8::JobTask> task,
                                                            const v8::SourceLocation&) {
  const bool is_best_effort = priority == v8::TaskPriority::kBestEffort;
  const int threads = is_best_effort ? std::min(limit_, kMostOfBestEffort) : limit_;
  return v8::platform::NewDefaultJobHandle(this, priority, std::move(task),
                                           static_cast<size_t>(threads));
}

void WorkerThreads::PostTaskOnWorkerThreadImpl(v8::TaskPriority priority,
                                               std::unique_ptr<v8::Task> task,
                                               const v8::SourceLocation&) {
  {
    const std::lock_guard lock(mutex_);
    if (is_ending_) return;
    queues_[static_cast<size_t>(priority)].push_back(std::move(task));
    ++queued_;
    if (queued_ > static_cast<size_t>(waiting_) && started_ < limit_) {
      static_cast<void>(start_thread());  // If it fails, the task waits for another thread.
    }
  }
  wake_.notify_one();
}

void WorkerThreads::PostDelayedTaskOnWorkerThreadImpl(v8::TaskPriority priority,
                                                      std::unique_ptr<v8::Task> task,
                                                      double delay_in_seconds,
                                                      const v8::SourceLocation&) {
  const std::chrono::duration<double> delay(std::clamp(delay_in_seconds, 0.0, kLongestDelay));
  {
    const std::lock_guard lock(mutex_);
    if (is_ending_) return;
    delayed_.emplace(Clock::now() + std::chrono::duration_cast<Clock::duration>(delay),
                     Delayed{priority, std::move(task)});
  }
  wake_.notify_one();  // Wakes a thread, which waits until the first of them is due.
}

void WorkerThreads::release_due_tasks(Clock::time_point now) {
  while (!delayed_.empty() && delayed_.begin()->first <= now) {
    Delayed& due = delayed_.begin()->second;
    queues_[static_cast<size_t>(due.priority)].push_back(std::move(due.task));
    ++queued_;
    delayed_.erase(delayed_.begin());
  }
}

std::unique_ptr<v8::Task> WorkerThreads::take() {
  for (size_t priority = queues_.size(); priority-- > 0;) {
    auto& queue = queues_[priority];
    if (queue.empty()) continue;
    std::unique_ptr<v8::Task> task = std::move(queue.front());
    queue.pop_front();
    --queued_;
    return task;
  }
  return nullptr;
}

void WorkerThreads::run() {
  ::pthread_setname_np(::pthread_self(), "V8 worker");
  std::unique_lock lock(mutex_);
  while (!is_ending_) {
    if (!delayed_.empty()) release_due_tasks(Clock::now());
    if (std::unique_ptr<v8::Task> task = take()) {
      lock.unlock();
      task->Run();
      task.reset();
      lock.lock();
      continue;
    }
    ++waiting_;
    if (delayed_.empty()) {
      wake_.wait(lock);
    } else {
      // A copy: another thread may release this task meanwhile, and wait_until() takes a reference.
      const Clock::time_point due = delayed_.begin()->first;
      wake_.wait_until(lock, due);
    }
    --waiting_;
  }
}

}  // namespace rondo::runtime
