#include "loop/trace/file.h"

#include <algorithm>
#include <unordered_set>

#include "loop/internals.h"

namespace rondo {

namespace {

double id_of(uint64_t loop_id) { return -static_cast<double>(loop_id); }

bool is_drain(TraceCode code) {
  return code == TraceCode::tick_drain || code == TraceCode::microtask_drain;
}

}  // namespace

void TraceFile::attach(Loop& loop) {
  loop_ = &loop;
  shares_time_ = !loop.clock().is_virtual();
}

Result<std::unique_ptr<TraceFile>> TraceFile::create(TraceRingOptions options) {
  const TraceClock clock;
  options.began_ms = clock.since_1970_ms();
  options.began_ns = static_cast<double>(clock.origin());
  Result<std::unique_ptr<TraceRing>> ring = TraceRing::create(options);
  if (!ring) return ring.error();
  std::unique_ptr<TraceFile> file(new TraceFile(clock));
  file->ring_ = std::move(*ring);
  return file;
}

uint32_t TraceFile::find_label(const char* literal) {
  const auto found = labels_.find(literal);
  const uint32_t name = found != labels_.end() ? found->second : ring_->text(literal);
  if (found == labels_.end()) labels_.emplace(literal, name);
  last_literal_ = literal;
  last_label_ = name;
  return name;
}

double TraceFile::current() const {
  if (*has_ended_ != 0) return 0;
  for (size_t i = depth_; i > 0; --i) {
    const Open& open = open_[i - 1];
    if (open.code == TraceCode::callback || open.code == TraceCode::tick ||
        open.code == TraceCode::microtask) {
      return open.id;
    }
  }
  return 0;
}

void TraceFile::push(int64_t now, TraceCode code, uint32_t detail, uint32_t name, double id,
                     double value) {
  if (depth_ == kDeepest) {  // Its end is not recorded, either.
    ++too_deep_;
    return;
  }
  if (depth_ == 0) busy_since_.store(now, std::memory_order_relaxed);
  open_[depth_++] = {code, id};
  put(now, code, detail, name, id, value);
}

void TraceFile::pop(int64_t now) {
  const Open& open = open_[--depth_];
  if (depth_ == 0) busy_since_.store(0, std::memory_order_relaxed);
  put(now, static_cast<TraceCode>(static_cast<uint8_t>(open.code) + 1), 0, 0, open.id, 0);
}

// A drain ends with the last record in it.
void TraceFile::pop_drains() {
  while (depth_ > 0 && is_drain(open_[depth_ - 1].code)) pop(last_);
}

void TraceFile::write_held() {
  is_held_ = false;
  put(held_.time, TraceCode::loop_callback, 0, held_.name, id_of(held_.id), 0);
}

void TraceFile::end_late(int64_t now) {
  *has_ended_ = 0;
  too_deep_ = 0;
  scheduled_id_ = 0;
  while (depth_ > outer()) pop(now);
}

void TraceFile::change_phase(Phase phase, int64_t now) {
  if (*has_ended_ != 0) end_late(now);
  // No JavaScript record is open between phases, except after an exception.
  while (depth_ > 0) pop(last_);
  too_deep_ = 0;
  if (phase_ != Phase::none) {
    put(last_, static_cast<TraceCode>(static_cast<uint8_t>(TraceCode::phase) + 1), 0, 0, 0, 0);
  }
  phase_ = Phase::none;
  if (phase == Phase::none) return;
  if (const uint64_t turn = turn_of(phase); turn != turn_) {
    turn_ = turn;
    clock_.adjust(now);
    put(now, TraceCode::turn, 0, 0, static_cast<double>(turn),
        static_cast<double>(loop_->now().count()));
    note_numbers(now);
  }
  phase_ = phase;
  put(now, TraceCode::phase, 0, 0, 0, 0);
}

void TraceFile::watch_number(const char* name, const volatile uint32_t* number) {
  for (Number& free : numbers_) {
    if (free.name != nullptr) continue;
    free = {name, number, 0};
    return;
  }
}

void TraceFile::note_numbers(int64_t now) {
  note_number(now, "handles", loop_->active_handles(), &handles_noted_);
  note_number(now, "requests", loop_->active_requests(), &requests_noted_);
  for (Number& number : numbers_) note_number(now, number.name, *number.now, &number.noted);
}

// Records the resources that would have kept the loop alive. Earlier records say what they are and
// where they were created.
void TraceFile::note_refd(int64_t now) {
  struct About {
    uint32_t name = 0;
    uint32_t where = 0;
    double serves = 0;
  };
  std::unordered_map<double, About> about;
  for (const double id : refd_) about[id] = {};
  loop_->for_each_handle([&](const Handle& handle) {
    if (!handle.is_active() || !handle.has_ref() || handle.is_hidden()) return;
    about[id_of(handle.id())].name = label(handle.label());
  });
  const bool has_requests = loop_->active_requests() > 0;
  if (about.empty() && !has_requests) return;
  const uint64_t written = ring_->written();
  const uint64_t first = written > ring_->capacity() ? written - ring_->capacity() : 0;
  std::unordered_set<double> handles;
  for (uint64_t n = first; n < written; ++n) {
    const TraceRecord& record = ring_->record(n);
    const auto code = static_cast<TraceCode>(record.word & 0xFF);
    if (code == TraceCode::handle_open) handles.insert(record.id);
    if (code == TraceCode::schedule && record.id < 0 && has_requests &&
        !handles.contains(record.id)) {
      about[record.id].name = record.name;
    }
    // A request that has called back is over.
    double called = code == TraceCode::loop_callback ? record.id : 0;
    if (code == TraceCode::inner_callback)
      called = id_of(static_cast<uint32_t>(std::bit_cast<uint64_t>(record.value)));
    if (called != 0 && !handles.contains(called)) about.erase(called);
    if (code == TraceCode::serves) {
      if (const auto found = about.find(record.value); found != about.end())
        found->second.serves = record.id;
    }
  }
  std::unordered_map<double, About> scheduled;
  for (const auto& [id, entry] : about) scheduled[entry.serves != 0 ? entry.serves : id] = {};
  for (uint64_t n = first; n < written; ++n) {
    const TraceRecord& record = ring_->record(n);
    if (static_cast<TraceCode>(record.word & 0xFF) != TraceCode::schedule) continue;
    const auto found = scheduled.find(record.id);
    if (found == scheduled.end()) continue;
    found->second.name = record.name;
    found->second.where = static_cast<uint32_t>(std::bit_cast<uint64_t>(record.value));
  }
  std::vector<double> ids;
  ids.reserve(about.size());
  for (const auto& entry : about) ids.push_back(entry.first);
  std::sort(ids.begin(), ids.end());
  for (const double id : ids) {
    const About& own = about[id];
    const double served = own.serves != 0 ? own.serves : id;
    const About& found = scheduled[served];
    put(now, TraceCode::refd, 0, found.name != 0 ? found.name : own.name, served,
        trace_pair(found.where, 0));
  }
}

int64_t TraceFile::enter_callback() {
  const Phase phase = loop_->phase();
  const bool is_timely = phase == Phase::check || phase == Phase::timers;
  if (!is_timely || !shares_time_ || (phase == phase_ && turn_of(phase) == turn_)) return enter();
  const int64_t now = std::max(last_, loop_->now().count() - clock_.origin());
  change_phase(phase, now);
  return now;
}

bool TraceFile::begin_turn(uint32_t name, double id) {
  const uint64_t turn = loop_->metrics().turns;
  if (turn == turn_ || loop_->phase() != Phase::check || !shares_time_) return false;
  // This record also ends the callback before it, if its end is still to be written, and that
  // callback's phase.
  const bool ends_one = *has_ended_ != 0 && depth_ == 1;
  if ((depth_ > 0 || phase_ != Phase::none) && !ends_one) return false;
  if (has_new_numbers()) return false;
  const int64_t now = std::max(last_, loop_->now().count() - clock_.origin());
  clock_.adjust(now);
  *has_ended_ = 0;
  too_deep_ = 0;
  scheduled_id_ = 0;
  turn_ = turn;
  phase_ = Phase::check;
  open_[0] = {TraceCode::callback, id};
  depth_ = 1;
  busy_since_.store(now, std::memory_order_relaxed);
  put(now, TraceCode::turn_callback, 0, name, id, static_cast<double>(turn));
  return true;
}

void TraceFile::begin(TraceCode code, uint32_t detail, uint32_t name, double id, double value) {
  if (is_held_ && code == TraceCode::callback && value == 0) {  // One record for both begins.
    is_held_ = false;
    scheduled_id_ = 0;
    open_[depth_++] = {code, id};
    put(held_.time, TraceCode::inner_callback, detail, name, id, trace_pair(held_.id, held_.name));
    return;
  }
  const bool follows = code == TraceCode::callback && *has_ended_ != 0 && is_in_one_callback() &&
                       loop_->phase() == phase_ && turn_of(phase_) == turn_;
  if (follows) {  // One record for the end of one and the begin of the next.
    const int64_t now = clock_.now();
    *has_ended_ = 0;
    scheduled_id_ = 0;
    open_[depth_ - 1].id = id;
    busy_since_.store(now, std::memory_order_relaxed);
    put(now, TraceCode::next_callback, detail, name, id, value);
    return;
  }
  const int64_t now = enter_callback();
  scheduled_id_ = 0;
  if (code == TraceCode::callback) {
    pop_drains();
  } else {
    const TraceCode drain =
        code == TraceCode::tick ? TraceCode::tick_drain : TraceCode::microtask_drain;
    if (depth_ > 0 && is_drain(open_[depth_ - 1].code) && open_[depth_ - 1].code != drain)
      pop_drains();
    if (depth_ == 0 || open_[depth_ - 1].code != drain)
      push(now, drain, 0, 0, 0, code == TraceCode::tick ? value : 0);
    value = 0;
  }
  push(now, code, detail, name, id, value);
}

void TraceFile::end(double id) {
  if (too_deep_ > 0) {
    --too_deep_;
    return;
  }
  // In timers and check, and inside a loop callback, the clock is read soon afterwards by the next
  // callback or by the loop, and reading it is half the cost of a record.
  if (is_in_one_callback() && open_[depth_ - 1].id == id &&
      (depth_ == 2 || phase_ == Phase::check || phase_ == Phase::timers)) {
    *has_ended_ = 1;
    scheduled_id_ = 0;
    return;
  }
  size_t at = depth_;
  while (at > 0 && (open_[at - 1].id != id || is_drain(open_[at - 1].code))) --at;
  if (at == 0) return;
  const int64_t now = enter();
  scheduled_id_ = 0;
  while (depth_ >= at && depth_ > 0) pop(now);
}

void TraceFile::schedule(uint32_t name, double id, uint32_t where, uint32_t function,
                         bool is_native) {
  put(enter(), TraceCode::schedule, 0, name, id, trace_pair(where, function));
  scheduled_id_ = is_native ? id : 0;
}

void TraceFile::serve_last_handle(double id) {
  if (last_handle_ == 0) return;
  put(enter(), TraceCode::serves, 0, 0, id, id_of(last_handle_));
  last_handle_ = 0;
}

void TraceFile::begin_callback(uint64_t id, const char* literal) {
  if (loop_ == nullptr) return;
  const int64_t now = enter();
  const uint32_t name = label(literal);
  pop_drains();
  if (depth_ > 0 || id > UINT32_MAX) [[unlikely]] {
    push(now, TraceCode::loop_callback, 0, name, id_of(id), 0);
    return;
  }
  is_held_ = true;
  held_ = {now, static_cast<uint32_t>(id), name};
  last_ = now;
  last_code_ = TraceCode::loop_callback;
  busy_since_.store(now, std::memory_order_relaxed);
  open_[depth_++] = {TraceCode::loop_callback, id_of(id)};
}

void TraceFile::end_callback(uint64_t id) {
  if (loop_ == nullptr) return;
  const double own = id_of(id);
  if (*has_ended_ != 0 && depth_ == 2 && is_in_one_callback() && open_[0].id == own) {
    *has_ended_ = 0;
    scheduled_id_ = 0;
    too_deep_ = 0;
    depth_ = 0;
    busy_since_.store(0, std::memory_order_relaxed);
    put(clock_.now(), TraceCode::inner_callback_end, 0, 0, open_[1].id, 0);
    return;
  }
  size_t at = depth_;
  while (at > 0 && (open_[at - 1].code != TraceCode::loop_callback || open_[at - 1].id != own))
    --at;
  if (at == 0) return;
  // If JavaScript ran, it has just ended: no need to read the clock again.
  const bool is_fresh = *has_ended_ == 0 && (static_cast<uint8_t>(last_code_) & 1) == 1 &&
                        last_code_ < TraceCode::schedule && last_code_ > TraceCode::loop_callback;
  const int64_t now = is_fresh ? last_ : enter();
  while (depth_ >= at && depth_ > 0) pop(now);
}

void TraceFile::record(const TraceEvent& event) {
  if (loop_ == nullptr) return;
  const double id = id_of(event.id);
  switch (event.kind) {
    case TraceKind::turn:
    case TraceKind::phase_begin:
    case TraceKind::phase_end:
    case TraceKind::callback_begin:
    case TraceKind::callback_end: break;  // Recorded without an event: keeps_own_time().
    case TraceKind::schedule: {
      const int64_t now = enter();
      put(now, TraceCode::schedule, 0, label(event.label), id, 0);
      if (scheduled_id_ != 0) put(now, TraceCode::serves, 0, 0, scheduled_id_, id);
      scheduled_id_ = 0;
      break;
    }
    case TraceKind::handle_open:
      last_handle_ = event.id;
      note(TraceCode::handle_open, 0, label(event.label), id, 0);
      break;
    case TraceKind::handle_close:
      note(TraceCode::handle_close, 0, label(event.label), id, 0);
      break;
    case TraceKind::job_queued:
      note(TraceCode::job_queued, 0, label(event.label), id,
           static_cast<double>(loop_->internals().pool().queued()));
      break;
    case TraceKind::job_started:
    case TraceKind::job_finished: {
      enter();
      // In the worker's clock, which is the kernel's.
      const int64_t at = event.at.count() - clock_.origin();
      const int64_t last = last_;
      put(std::max(at, int64_t{0}),
          event.kind == TraceKind::job_started ? TraceCode::job_started : TraceCode::job_finished,
          0, label(event.label), id, static_cast<double>(event.value));
      last_ = last;
      break;
    }
    case TraceKind::poll_blocked:
      note(TraceCode::poll_blocked, 0, 0, 0, static_cast<double>(event.value));
      break;
    case TraceKind::poll_woke:
      note(TraceCode::poll_woke, 0, 0, 0, static_cast<double>(event.value));
      break;
  }
}

void TraceFile::finish(int code) {
  if ((ring_->header().flags & TraceRing::kFinished) != 0) return;
  const int64_t now = clock_.now();
  end_late(now);
  change_phase(Phase::none, now);
  note_refd(now);
  put(now, TraceCode::exit, 0, 0, 0, code);
  ring_->finish(code);
  // The teardown is not recorded.
  loop_ = nullptr;
  has_ended_ = &own_end_;
}

}  // namespace rondo
