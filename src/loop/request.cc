#include "loop/request.h"

#include "loop/internals.h"

namespace rondo {

Request::~Request() {
  if (is_pending_) fatal("a request was destroyed while its operation was in flight");
}

void Request::begin() {
  RONDO_ASSERT(!is_pending_);
  is_pending_ = true;
  LoopState& state = LoopState::of(loop_);
  id_ = state.next_id();
  creation_site_ = state.creation_site();
  state.requests.push_back(*this);
  ++state.active_requests;
  state.trace.scheduled(id_, label_);
}

void Request::end() {
  RONDO_ASSERT(is_pending_);
  is_pending_ = false;
  link_.unlink();
  --LoopState::of(loop_).active_requests;
}

PoolRequest::PoolRequest(Loop& loop, const char* label) : Request(loop, label) {
  job_.owner = this;
  job_.work = [](PoolJob& job) {
    PoolRequest& self = *static_cast<Job&>(job).owner;
    if (self.trip_ == Trip::empty) return;
    if (self.is_traced_) self.started_at_ = RealClock::instance().now();
    self.has_more_work_ = false;
    self.work();
    if (self.is_traced_) self.finished_at_ = RealClock::instance().now();
  };
  job_.finish = [](PoolJob& job) {
    PoolRequest& self = *static_cast<Job&>(job).owner;
    self.internals().mailbox().post(self.reply_);
  };
  reply_.owner = this;
  reply_.is_request = true;
  reply_.fn = [](Target& target, int32_t, uint32_t) {
    static_cast<Reply&>(target).owner->deliver();
  };
}

void PoolRequest::submit_to_pool(JobKind kind) {
  RONDO_ASSERT(!is_on_pool_);
  begin();
  is_cancelled_ = false;
  is_late_ = internals().choice() != nullptr;
  enqueue(kind, Trip::first);
}

void PoolRequest::enqueue(JobKind kind, Trip trip) {
  LoopState& state = LoopState::of(loop());
  ++state.jobs_in_flight;
  is_on_pool_ = true;
  trip_ = trip;
  is_traced_ = state.trace.is_on();
  if (is_traced_) state.trace.job(TraceKind::job_queued, id(), label(), 0, state.clock.now());
  has_worked_ = false;
  kind_ = kind;
  state.poll.operation_submitted(reply_, id(), label(), is_late_ ? this : nullptr);
  if (is_late_) {
    state.mailbox.post(reply_);
  } else {
    state.worker_pool().submit(job_, kind);
  }
}

void PoolRequest::submit_finished() {
  begin_finished();
  internals().operation_submitted(reply_, id(), label());
  internals().mailbox().post(reply_);
}

void PoolRequest::submit_finished_in_turn() {
  begin_finished();
  make_trip();
}

void PoolRequest::begin_finished() {
  RONDO_ASSERT(!is_on_pool_);
  begin();
  trip_ = Trip::first;
  has_more_work_ = false;
  is_cancelled_ = false;
  is_traced_ = false;
  is_late_ = false;
}

void PoolRequest::work_now() {
  RONDO_ASSERT(is_late_ && !has_worked_);
  has_worked_ = true;
  // All steps at once: the schedule decides when the whole operation takes effect.
  for (job_.work(job_); has_more_work_; job_.work(job_)) add_trips(1);
}

Result<void> PoolRequest::cancel() {
  if (!is_on_pool_) return Error{is_pending() ? EBUSY : EINVAL, "cancel"};
  if (is_cancelled_) return Error{EBUSY, "cancel"};
  if (trip_ != Trip::first) return Error{EBUSY, "cancel"};
  if (is_late_) {
    if (has_worked_) return Error{EBUSY, "cancel"};
    is_cancelled_ = true;  // Its completion is in the mailbox already.
    return {};
  }
  if (!internals().pool().cancel(job_)) return Error{EBUSY, "cancel"};
  is_cancelled_ = true;
  internals().mailbox().post(reply_);  // Its callback runs in poll, like any other (POOL-02).
  return {};
}

void PoolRequest::deliver() {
  LoopState& state = LoopState::of(loop());
  if (is_late_ && !is_cancelled_ && !has_worked_) {
    state.poll.settle_effects(touches(), this);
    work_now();
  }
  if (is_late_ && !is_cancelled_ && trip_ != Trip::empty && state.choice->wants_results()) {
    state.choice->completed(label(), touches().text(), result_text());
  }
  if (is_on_pool_) --state.jobs_in_flight;
  is_on_pool_ = false;
  if (is_traced_ && !is_cancelled_) {
    state.trace.job(TraceKind::job_started, id(), label(), job_.worker(), started_at_);
    state.trace.job(TraceKind::job_finished, id(), label(), job_.worker(), finished_at_);
  }
  if (trips_left_ > 0 && !is_cancelled_) {
    --trips_left_;
    make_trip();
    return;
  }
  if (has_more_work_ && !is_cancelled_) return enqueue(JobKind::fast, Trip::again);
  trips_left_ = 0;
  end();
  worked(is_cancelled_ ? Result<void>(Error{ECANCELED, label()}) : Result<void>());
}

// If a worker is idle, the job would finish at once, so the reply is delivered in the next turn
// without a worker.
void PoolRequest::make_trip() {
  trip_ = Trip::empty;
  is_traced_ = false;
  has_worked_ = true;
  kind_ = JobKind::fast;
  LoopState& state = LoopState::of(loop());
  state.poll.operation_submitted(reply_, id(), label(), is_late_ ? this : nullptr);
  if (state.choice != nullptr || state.jobs_in_flight < state.worker_pool().size()) {
    state.mailbox.post(reply_);
    return;
  }
  is_on_pool_ = true;
  ++state.jobs_in_flight;
  state.worker_pool().submit(job_);
}

}  // namespace rondo
