// A request is one operation in flight: a file read, a name look-up, a job on the pool. Its
// submitter owns it. It stays pinned until its callback has begun, and may be used again from then
// on. Thread: the loop's only, except where stated.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/list.h"
#include "base/result.h"
#include "base/time/time.h"
#include "loop/pool/thread_pool.h"
#include "loop/pool/wake.h"
#include "loop/touch.h"

namespace rondo {

class Loop;
class LoopInternals;

class Request {
 public:
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  Loop& loop() const { return loop_; }
  bool is_pending() const { return is_pending_; }
  const char* label() const { return label_; }
  uint64_t id() const { return id_; }
  uint32_t creation_site() const { return creation_site_; }  // As Handle::creation_site().
  // For people: a path or a host name. Empty once the request is over.
  virtual std::string_view subject() const { return {}; }
  // The descriptor it reads from or writes to; -1: none.
  virtual int descriptor() const { return -1; }

  // Tries to cancel the operation. The callback still runs, in poll as always, with ECANCELED if
  // this succeeded. EBUSY: the operation is running or done, and completes normally.
  virtual Result<void> cancel() = 0;

 protected:
  Request(Loop& loop, const char* label) : loop_(loop), label_(label) {}
  // Aborts while the request is pending: the kernel or a worker still uses its memory.
  virtual ~Request();

  LoopInternals internals() const;  // For implementations: include loop/internals.h.
  // Pending requests keep the loop alive.
  void begin();
  void end();
  void set_label(const char* label) { label_ = label; }

 private:
  friend struct LoopState;

  Loop& loop_;
  ListLink link_;  // In the loop's list while pending.
  const char* label_;
  uint64_t id_ = 0;
  uint32_t creation_site_ = 0;
  bool is_pending_ = false;
};

// A request that a worker of the pool carries out.
// On a loop with a Choice there is no worker: the work is done on the loop's thread right before
// its callback, so that its side effects happen in the chosen order.
class PoolRequest : public Request {
 public:
  Result<void> cancel() override;

  // With a Choice: the files that the work will touch. work_now() does the work early.
  virtual Touch touches() const { return {}; }
  // Short text of the result: equal for equal results.
  virtual std::string result_text() const { return {}; }
  bool has_worked() const { return has_worked_; }
  bool is_cancelled() const { return is_cancelled_; }
  JobKind kind() const { return kind_; }
  void work_now();

  // Delays the callback by `count` more trips through the pool's queue, in which no work is done.
  // For operations that take one job here but several in Node, where each queues behind jobs
  // submitted meanwhile. Call it before submission, or in work().
  void add_trips(uint32_t count) { trips_left_ += count; }
  // Calls work() once more, in another trip through the queue, after those of add_trips(). For work
  // in steps between which other jobs run and see the partial effects. Call it in work().
  void work_again() { has_more_work_ = true; }

 protected:
  PoolRequest(Loop& loop, const char* label);
  void submit_to_pool(JobKind kind = JobKind::fast);
  // Completes without a worker: worked() is still called in poll, never from inside this call.
  void submit_finished();
  // The same, but behind the jobs that are queued if no worker is idle.
  void submit_finished_in_turn();
  bool is_on_pool() const { return is_on_pool_; }

  virtual void work() = 0;  // On a worker: use only members that the loop does not touch meanwhile.
  // On the loop's thread, in poll, no longer pending; the error is ECANCELED or none.
  virtual void worked(Result<void> outcome) = 0;

 private:
  // First, to fill the rest of Request's last word: a worker that runs a tiny job spends its time
  // waiting for cache lines that the loop's processor has written.
  bool is_traced_ = false;
  bool is_on_pool_ = false;
  bool is_cancelled_ = false;

  struct Job final : PoolJob {
    PoolRequest* owner;
  };
  struct Reply final : Completion {
    PoolRequest* owner;
  };
  void begin_finished();
  void deliver();
  void make_trip();
  enum class Trip : uint8_t { first, again, empty };  // Empty: work() is not called.
  void enqueue(JobKind kind, Trip trip);

  Job job_;
  Reply reply_;
  Nanos started_at_{0};
  Nanos finished_at_{0};
  bool is_late_ = false;  // Its work is done at delivery, without a worker.
  bool has_worked_ = false;
  bool has_more_work_ = false;
  Trip trip_ : 4 = Trip::first;
  JobKind kind_ : 4 = JobKind::fast;
  uint32_t trips_left_ = 0;
};

}  // namespace rondo
