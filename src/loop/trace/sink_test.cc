// RecordingTrace and its queries. The loop's events are tested with their sources, and as a whole
// in seams_test.cc.
#include "loop/trace/sink.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <set>
#include <string>

namespace rondo {
namespace {

using enum TraceKind;

RecordingTrace recorded(std::initializer_list<TraceEvent> events) {
  RecordingTrace trace;
  for (const TraceEvent& event : events) trace.record(event);
  return trace;
}

TraceEvent begin(uint64_t id, const char* label, Phase phase = Phase::timers) {
  return {.kind = callback_begin, .phase = phase, .label = label, .id = id};
}
TraceEvent end(uint64_t id) { return {.kind = callback_end, .phase = Phase::timers, .id = id}; }
TraceEvent enter(Phase phase) { return {.kind = phase_begin, .phase = phase}; }
TraceEvent leave(Phase phase) { return {.kind = phase_end, .phase = phase}; }

TEST(Trace, EveryKindHasANameOfItsOwn) {
  std::set<std::string> names;
  for (int kind = 0; kind <= static_cast<int>(poll_woke); ++kind) {
    names.insert(trace_kind_name(static_cast<TraceKind>(kind)));
  }
  EXPECT_EQ(names.size(), static_cast<size_t>(poll_woke) + 1);
  EXPECT_STREQ(trace_kind_name(turn), "turn");
  EXPECT_STREQ(trace_kind_name(job_started), "job_started");
  EXPECT_STREQ(trace_kind_name(poll_woke), "poll_woke");
}

TEST(RecordingTrace, CountsByKindUntilCleared) {
  RecordingTrace trace = recorded({begin(1, "a"), end(1), begin(2, "b"), end(2), {.kind = turn}});
  EXPECT_EQ(trace.count(callback_begin), 2u);
  EXPECT_EQ(trace.count(turn), 1u);
  EXPECT_EQ(trace.count(schedule), 0u);
  EXPECT_EQ(trace.events().size(), 5u);
  trace.clear();
  EXPECT_EQ(trace.count(callback_begin), 0u);
  EXPECT_EQ(trace.order(), "");
}

TEST(RecordingTrace, OrderIsOneWordPerCallback) {
  EXPECT_EQ(recorded({{.kind = turn, .id = 1},
                      begin(1, "timer"),
                      end(1),
                      {.kind = schedule, .id = 2},
                      begin(2, "immediate", Phase::check),
                      end(2)})
                .order(),
            "timers:timer check:immediate");
}

TEST(RecordingTrace, TheHashDependsOnKindsPhasesLabelsIdsAndTheirOrder) {
  const std::set<uint64_t> hashes = {
      recorded({}).order_hash(),
      recorded({begin(1, "a")}).order_hash(),
      recorded({begin(2, "a")}).order_hash(),
      recorded({begin(uint64_t{1} << 56, "a")}).order_hash(),
      recorded({begin(1, "b")}).order_hash(),
      recorded({begin(1, "a", Phase::check)}).order_hash(),
      recorded({{.kind = schedule, .phase = Phase::timers, .label = "a", .id = 1}}).order_hash(),
      recorded({begin(1, "a"), begin(2, "b")}).order_hash(),
      recorded({begin(2, "b"), begin(1, "a")}).order_hash(),
  };
  EXPECT_EQ(hashes.size(), 9u);
}

TEST(RecordingTrace, TheHashDoesNotKnowTimesAndSleeps) {
  TraceEvent late = begin(1, "a");
  late.at = Millis{5};
  late.value = 7;
  EXPECT_EQ(recorded({{.kind = poll_blocked, .value = -1}, {.kind = poll_woke, .value = 3}, late})
                .order_hash(),
            recorded({begin(1, "a")}).order_hash());
}

TEST(RecordingTrace, AcceptsProperlyNestedEvents) {
  EXPECT_EQ(recorded({}).first_nesting_error(), "");
  EXPECT_EQ(recorded({{.kind = schedule, .id = 1},  // Outside any callback.
                      {.kind = turn, .id = 1},
                      enter(Phase::timers),
                      begin(1, "a"),
                      {.kind = schedule, .id = 2, .cause = 1},
                      end(1),
                      begin(2, "b"),
                      end(2),
                      leave(Phase::timers),
                      enter(Phase::poll),
                      {.kind = poll_blocked},
                      {.kind = poll_woke},
                      leave(Phase::poll),
                      {.kind = turn, .id = 2}})
                .first_nesting_error(),
            "");
}

TEST(RecordingTrace, NamesTheFirstEventThatIsNot) {
  const Phase timers = Phase::timers;
  // A turn, or another phase, inside a phase.
  EXPECT_EQ(recorded({enter(timers), {.kind = turn}}).first_nesting_error(), "event 1: turn");
  EXPECT_EQ(recorded({enter(timers), enter(Phase::poll)}).first_nesting_error(),
            "event 1: phase_begin");
  // The end of another phase, or of one with a callback running.
  EXPECT_EQ(recorded({enter(timers), leave(Phase::poll)}).first_nesting_error(),
            "event 1: phase_end");
  EXPECT_EQ(recorded({enter(timers), begin(1, "a"), leave(timers)}).first_nesting_error(),
            "event 2: phase_end");
  // A callback inside another, in another phase, or with the end of another one.
  EXPECT_EQ(recorded({enter(timers), begin(1, "a"), begin(2, "b")}).first_nesting_error(),
            "event 2: callback_begin");
  EXPECT_EQ(recorded({enter(timers), begin(1, "a", Phase::check)}).first_nesting_error(),
            "event 1: callback_begin");
  EXPECT_EQ(recorded({enter(timers), begin(1, "a"), end(2)}).first_nesting_error(),
            "event 2: callback_end");
  // A cause other than the running callback.
  EXPECT_EQ(recorded({{.kind = schedule, .id = 2, .cause = 1}}).first_nesting_error(),
            "event 0: schedule");
}

}  // namespace
}  // namespace rondo
