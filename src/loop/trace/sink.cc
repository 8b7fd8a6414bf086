#include "loop/trace/sink.h"

#include "base/hash.h"

namespace rondo {

const char* trace_kind_name(TraceKind kind) {
  constexpr const char* kNames[] = {"turn",         "phase_begin", "phase_end",    "callback_begin",
                                    "callback_end", "schedule",    "handle_open",  "handle_close",
                                    "job_queued",   "job_started", "job_finished", "poll_blocked",
                                    "poll_woke"};
  return kNames[static_cast<size_t>(kind)];
}

size_t RecordingTrace::count(TraceKind kind) const {
  size_t n = 0;
  for (const TraceEvent& event : events_) n += event.kind == kind;
  return n;
}

std::string RecordingTrace::order() const {
  std::string out;
  for (const TraceEvent& event : events_) {
    if (event.kind != TraceKind::callback_begin) continue;
    if (!out.empty()) out += ' ';
    out += std::string(phase_name(event.phase)) + ":" + event.label;
  }
  return out;
}

uint64_t RecordingTrace::order_hash() const {
  Fnv1a hash;
  for (const TraceEvent& event : events_) {
    if (event.kind == TraceKind::poll_blocked || event.kind == TraceKind::poll_woke) continue;
    hash.add(static_cast<uint8_t>(event.kind));
    hash.add(static_cast<uint8_t>(event.phase));
    hash.add(std::string_view(event.label));
    for (int shift = 0; shift < 64; shift += 8) hash.add(static_cast<uint8_t>(event.id >> shift));
  }
  return hash.value();
}

std::string RecordingTrace::first_nesting_error() const {
  Phase phase = Phase::none;
  uint64_t callback = 0;
  for (size_t i = 0; i < events_.size(); ++i) {
    const TraceEvent& event = events_[i];
    bool good = true;
    switch (event.kind) {
      case TraceKind::turn: good = phase == Phase::none; break;
      case TraceKind::phase_begin:
        good = phase == Phase::none && callback == 0;
        phase = event.phase;
        break;
      case TraceKind::phase_end:
        good = phase == event.phase && callback == 0;
        phase = Phase::none;
        break;
      case TraceKind::callback_begin:
        good = callback == 0 && event.phase == phase;
        callback = event.id;
        break;
      case TraceKind::callback_end:
        good = callback == event.id;
        callback = 0;
        break;
      case TraceKind::schedule: good = event.cause == callback; break;
      default: break;
    }
    if (!good) return "event " + std::to_string(i) + ": " + trace_kind_name(event.kind);
  }
  return "";
}

}  // namespace rondo
