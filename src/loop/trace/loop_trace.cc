#include "loop/trace/loop_trace.h"

#include "loop/internals.h"

namespace rondo {

Nanos LoopTrace::time() const { return keeps_own_time_ ? Nanos::zero() : loop_.clock.now(); }

void LoopTrace::record_schedule(uint64_t id, const char* label) {
  TraceEvent event{TraceKind::schedule};
  event.phase = loop_.phase;
  event.label = label;
  event.id = id;
  event.cause = current_callback_;
  event.at = loop_.now;
  sink_->record(event);
}

void LoopTrace::record_open(Handle& handle) {
  if (sink_->hides_new_handles()) {
    handle.hide_from_trace();
    return;
  }
  TraceEvent event{TraceKind::handle_open};
  event.label = handle.label();
  event.id = handle.id();
  event.cause = current_callback_;
  event.at = time();
  sink_->record(event);
}

void LoopTrace::record_close(const Handle& handle) {
  if (handle.is_hidden()) return;
  TraceEvent event{TraceKind::handle_close};
  event.phase = loop_.phase;
  event.label = handle.label();
  event.id = handle.id();
  event.at = loop_.now;
  sink_->record(event);
}

void LoopTrace::job(TraceKind kind, uint64_t id, const char* label, int64_t worker, Nanos at) {
  if (sink_ == nullptr) return;
  TraceEvent event{kind};
  event.phase = loop_.phase;
  event.label = label;
  event.id = id;
  event.value = worker;
  event.at = at;
  sink_->record(event);
}

void LoopTrace::poll_blocks(Nanos at, Nanos timeout) {
  if (sink_ == nullptr) return;
  TraceEvent event{TraceKind::poll_blocked};
  event.phase = loop_.phase;
  event.value = timeout == kForever ? -1 : timeout.count();
  event.at = at;
  sink_->record(event);
}

void LoopTrace::poll_woke(Nanos at, size_t events) {
  if (sink_ == nullptr) return;
  TraceEvent event{TraceKind::poll_woke};
  event.phase = loop_.phase;
  event.value = static_cast<int64_t>(events);
  event.at = at;
  sink_->record(event);
}

void LoopTrace::turn() {
  TraceEvent event{TraceKind::turn};
  event.id = loop_.metrics.turns;
  event.at = loop_.now;
  sink_->record(event);
}

void LoopTrace::phase(TraceKind kind, Nanos at) {
  if (!wants_phases()) return;
  TraceEvent event{kind};
  event.phase = loop_.phase;
  event.at = at;
  sink_->record(event);
}

void LoopTrace::callback_begins(uint64_t id, const char* label) {
  current_callback_ = id;
  if (keeps_own_time_) {
    sink_->begin_callback(id, label);
    return;
  }
  TraceEvent event{TraceKind::callback_begin};
  event.phase = loop_.phase;
  event.label = label;
  event.id = id;
  event.at = time();
  sink_->record(event);
}

void LoopTrace::callback_ended(const char* label) {
  const uint64_t id = current_callback_;
  current_callback_ = 0;
  if (keeps_own_time_) {
    sink_->end_callback(id);
    return;
  }
  TraceEvent event{TraceKind::callback_end};
  event.phase = loop_.phase;
  event.label = label;
  event.id = id;
  event.at = time();
  sink_->record(event);
}

}  // namespace rondo
