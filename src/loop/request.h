// A request is one operation in flight: a file read, a name look-up, a job on the pool. It is owned
// by whoever asked, stays pinned until its callback has begun, and may be used again from then on.
// Thread: the loop's only; what a worker touches of it is said there.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/list.h"
#include "base/result.h"
#include "base/time.h"
#include "loop/pool/thread_pool.h"
#include "loop/pool/wake.h"
#include "loop/touch.h"

namespace rondo {

class Loop;

class Request {
 public:
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  Loop& loop() const { return loop_; }
  bool is_pending() const { return is_pending_; }
  const char* label() const { return label_; }
  uint64_t id() const { return id_; }
  uint32_t birth() const { return birth_; }  // As Handle::birth().
  // What it is about, for people: a path, the name of a host. Gone when the request is over.
  virtual std::string_view subject() const { return {}; }
  virtual int descriptor() const { return -1; }  // What it moves data from or to, if that is one.

  // Asks to give the operation up. The callback still comes, in poll as always: with ECANCELED if
  // this succeeded. EBUSY: it is running or done already, and completes as if nothing was asked.
  virtual Result<void> cancel() = 0;

 protected:
  Request(Loop& loop, const char* label) : loop_(loop), label_(label) {}
  // Aborts while the request is pending: the kernel or a worker still uses its memory.
  virtual ~Request();

  // Pending requests keep the loop alive.
  void begin();
  void end();
  void set_label(const char* label) { label_ = label; }

 private:
  friend class Loop;

  Loop& loop_;
  ListLink link_;  // Among the loop's, while it is pending.
  const char* label_;
  uint64_t id_ = 0;
  uint32_t birth_ = 0;
  bool is_pending_ = false;
};

// A request that a worker of the pool carries out.
// On a loop with a Choice there is no worker: the work is done late, on the loop's thread, right
// before its callback. So what it does to the world happens in the order that was chosen.
class PoolRequest : public Request {
 public:
  Result<void> cancel() override;

  // With a Choice. What the work will touch; work_now() does it before its time has come.
  virtual Touch touches() const { return {}; }
  // What it has brought, in a few words: equal if it is equal.
  virtual std::string result_text() const { return {}; }
  bool has_worked() const { return has_worked_; }
  bool is_cancelled() const { return is_cancelled_; }
  JobKind kind() const { return kind_; }
  void work_now();

  // Delays the callback by `count` more trips through the pool's queue, in which no work is done.
  // For work that is done in one job and that Node does in several, each of them behind what was
  // submitted meanwhile. Call it before submission, or in work().
  void add_trips(uint32_t count) { trips_left_ += count; }
  // Has work() called once more, in another trip through the queue, after those of add_trips(). For
  // work in steps between which other jobs run and see what was done so far. Call it in work().
  void work_again() { has_more_work_ = true; }

 protected:
  PoolRequest(Loop& loop, const char* label);
  void submit_to_pool(JobKind kind = JobKind::fast);
  // It is done without a worker: worked() comes all the same, in poll, never from inside this call.
  void submit_finished();
  bool is_on_pool() const { return is_on_pool_; }

  virtual void work() = 0;  // On a worker: only members that the loop leaves alone meanwhile.
  // On the loop's thread, in poll, no longer pending: with an error only if it was cancelled.
  virtual void worked(Result<void> outcome) = 0;

 private:
  // First, since they fit into what Request leaves of its last word: a worker that runs a tiny job
  // spends its time on waiting for the lines that the loop's processor has written.
  bool is_traced_ = false;
  bool is_on_pool_ = false;
  bool is_cancelled_ = false;

  struct Job final : PoolJob {
    PoolRequest* owner;
  };
  struct Reply final : Letter {
    PoolRequest* owner;
  };
  void deliver();
  void make_trip();
  enum class Trip : uint8_t { first, again, empty };  // Empty: work() is not called.
  void enqueue(JobKind kind, Trip trip);

  Job job_;
  Reply reply_;
  Nanos started_at_{0};
  Nanos finished_at_{0};
  bool is_late_ = false;  // It waits for its delivery, and for nobody.
  bool has_worked_ = false;
  bool has_more_work_ = false;
  Trip trip_ : 4 = Trip::first;
  JobKind kind_ : 4 = JobKind::fast;
  uint32_t trips_left_ = 0;
};

}  // namespace rondo
