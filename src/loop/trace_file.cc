#include "loop/trace_file.h"

#include <algorithm>

namespace rondo {

namespace {

double id_of(uint64_t loop_id) { return -static_cast<double>(loop_id); }

bool is_drain(TraceCode code) {
  return code == TraceCode::tick_drain || code == TraceCode::microtask_drain;
}

}  // namespace

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

uint32_t TraceFile::label(const char* literal) {
  const auto found = labels_.find(literal);
  if (found != labels_.end()) return found->second;
  const uint32_t name = ring_->text(literal);
  labels_.emplace(literal, name);
  return name;
}

double TraceFile::current() const {
  for (size_t i = depth_; i > 0; --i) {
    const Open& open = open_[i - 1];
    if (open.code == TraceCode::callback || open.code == TraceCode::tick ||
        open.code == TraceCode::microtask) {
      return open.id;
    }
  }
  return 0;
}

void TraceFile::push(double now, TraceCode code, uint32_t detail, uint32_t name, double id,
                     double value) {
  if (depth_ == kDeepest) {  // Its end is not recorded, either.
    ++too_deep_;
    return;
  }
  open_[depth_++] = {code, id};
  put(now, code, detail, name, id, value);
}

void TraceFile::pop(double now) {
  const Open& open = open_[--depth_];
  put(now, static_cast<TraceCode>(static_cast<uint8_t>(open.code) + 1), 0, 0, open.id, 0);
}

// A drain ends with the last thing in it.
void TraceFile::pop_drains() {
  while (depth_ > 0 && is_drain(open_[depth_ - 1].code)) pop(last_);
}

void TraceFile::change_phase(Phase phase, double now) {
  // Nothing of JavaScript is left open between phases, unless it was left by an exception.
  while (depth_ > 0) pop(last_);
  too_deep_ = 0;
  if (phase_ != Phase::none) {
    put(last_, static_cast<TraceCode>(static_cast<uint8_t>(TraceCode::phase) + 1), 0, 0, 0, 0);
  }
  phase_ = Phase::none;
  if (phase == Phase::none) return;
  if (const uint64_t turn = turn_of(phase); turn != turn_) {
    turn_ = turn;
    clock_.adjust();
    put(now, TraceCode::turn, 0, 0, static_cast<double>(turn),
        static_cast<double>(loop_->now().count()));
    note_numbers(now);
  }
  phase_ = phase;
  put(now, TraceCode::phase, 0, 0, 0, 0);
}

void TraceFile::note_numbers(double now) {
  const std::array<double, 2> numbers = {static_cast<double>(loop_->active_handles()),
                                         static_cast<double>(loop_->active_requests())};
  constexpr const char* kNames[] = {"handles", "requests"};
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] == numbers_[i]) continue;
    numbers_[i] = numbers[i];
    put(now, TraceCode::number, 0, label(kNames[i]), 0, numbers[i]);
  }
}

void TraceFile::begin(TraceCode code, uint32_t detail, uint32_t name, double id, double value) {
  const double now = enter();
  asked_ = 0;
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
  size_t at = depth_;
  while (at > 0 && (open_[at - 1].id != id || is_drain(open_[at - 1].code))) --at;
  if (at == 0) return;
  const double now = enter();
  asked_ = 0;
  while (depth_ >= at && depth_ > 0) pop(now);
}

void TraceFile::schedule(uint32_t name, double id, uint32_t where, uint32_t function,
                         bool is_native) {
  put(enter(), TraceCode::schedule, 0, name, id, trace_pair(where, function));
  asked_ = is_native ? id : 0;
}

void TraceFile::serve_last_handle(double id) {
  if (last_handle_ == 0) return;
  put(enter(), TraceCode::serves, 0, 0, id, id_of(last_handle_));
  last_handle_ = 0;
}

bool TraceFile::is_hidden(uint64_t id) const {
  return std::find(hidden_.begin(), hidden_.begin() + static_cast<ptrdiff_t>(hidden_count_), id) !=
         hidden_.begin() + static_cast<ptrdiff_t>(hidden_count_);
}

void TraceFile::end_loop_callback(uint64_t id) {
  const double own = id_of(id);
  size_t at = depth_;
  while (at > 0 && (open_[at - 1].code != TraceCode::loop_callback || open_[at - 1].id != own))
    --at;
  if (at == 0) return;
  // Where JavaScript ran, it ended a moment ago: the clock need not be asked again.
  const bool is_fresh = (static_cast<uint8_t>(last_code_) & 1) == 1 &&
                        last_code_ < TraceCode::schedule && last_code_ > TraceCode::loop_callback;
  const double now = is_fresh ? last_ : enter();
  while (depth_ >= at && depth_ > 0) pop(now);
}

void TraceFile::record(const TraceEvent& event) {
  if (loop_ == nullptr) return;
  if (event.kind == TraceKind::handle_open && is_quiet_ && hidden_count_ < kHidden) {
    hidden_[hidden_count_++] = event.id;
  }
  if (event.id != 0 && is_hidden(event.id)) return;
  const double id = id_of(event.id);
  switch (event.kind) {
    case TraceKind::turn:
    case TraceKind::phase_begin:
    case TraceKind::phase_end: break;
    case TraceKind::callback_begin: {
      const double now = enter();
      pop_drains();
      push(now, TraceCode::loop_callback, 0, label(event.label), id, 0);
      break;
    }
    case TraceKind::callback_end: end_loop_callback(event.id); break;
    case TraceKind::schedule: {
      const double now = enter();
      put(now, TraceCode::schedule, 0, label(event.label), id, 0);
      if (asked_ != 0) put(now, TraceCode::serves, 0, 0, asked_, id);
      asked_ = 0;
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
           static_cast<double>(loop_->pool().queued()));
      break;
    case TraceKind::job_started:
    case TraceKind::job_finished: {
      enter();
      // Of the worker's clock, which is the kernel's.
      const auto at = static_cast<double>(event.at.count() - clock_.origin());
      const double last = last_;
      put(std::max(at, 0.0),
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
  const double now = clock_.now();
  while (depth_ > 0) pop(now);
  change_phase(Phase::none, now);
  put(now, TraceCode::exit, 0, 0, 0, code);
  ring_->finish(code);
}

}  // namespace rondo
