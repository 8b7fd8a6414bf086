// Tests the three extension points of a loop together: virtual time, chosen orders and the trace;
// and the metrics.
#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "base/time/clock.h"
#include "explore/schedule.h"
#include "loop/internals.h"
#include "loop/trace/sink.h"
#include "loop/work.h"
#include "support/sleeping_loop.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

TEST(VirtualTime, TenChainedHoursTakeNoTimeAndMeasureExactly) {
  VirtualClock clock;
  Loop loop({.clock = &clock});
  auto timer = loop.make<Timer>();
  int left = 10;
  timer->start(1h, [&left](Timer& self) {
    if (--left > 0) (void)self.restart();
  });
  loop.run();
  EXPECT_EQ(left, 0);
  EXPECT_EQ(std::chrono::duration_cast<Millis>(clock.now()).count(), 36'000'000);
}

TEST(VirtualTime, StandsStillWhileAJobIsInFlight) {
  VirtualClock clock;
  Loop loop({.clock = &clock});
  auto timer = loop.make<Timer>();
  std::string order;
  timer->start(1h, [&order](Timer&) { order += "timer"; });
  Work work(loop);
  work.submit([] { std::this_thread::sleep_for(20ms); },
              [&](Work&, Result<void>) {
                EXPECT_EQ(clock.now(), 0ns);
                order += "job ";
              });
  loop.run();
  EXPECT_EQ(order, "job timer");
  EXPECT_EQ(clock.now(), 1h);
}

// Three jobs on the pool, and the order of their callbacks.
struct Race {
  std::string order;
  uint64_t hash = 0;
  Schedule schedule;
};

Race race(Choice& choice) {
  Race result;
  VirtualClock clock;
  RecordingTrace trace;
  RecordingChoice recording(choice);
  {
    Loop loop({.clock = &clock, .choice = &recording, .trace = &trace});
    Work a(loop), b(loop), c(loop);
    a.submit([] {}, [&result](Work&, Result<void>) { result.order += 'a'; });
    b.submit([] {}, [&result](Work&, Result<void>) { result.order += 'b'; });
    c.submit([] {}, [&result](Work&, Result<void>) { result.order += 'c'; });
    loop.run();
  }
  EXPECT_EQ(trace.first_nesting_error(), "");
  result.hash = trace.order_hash();
  result.schedule = recording.schedule();
  return result;
}

TEST(Seeds, TheSameSeedGivesTheSameOrderEveryTime) {
  for (const uint64_t seed : {1u, 2u, 3u}) {
    SeededChoice first_choice(seed);
    const Race first = race(first_choice);
    for (int i = 0; i < 100; ++i) {
      SeededChoice choice(seed);
      const Race again = race(choice);
      ASSERT_EQ(again.order, first.order) << "seed " << seed << ", run " << i;
      ASSERT_EQ(again.hash, first.hash) << "seed " << seed << ", run " << i;
    }
  }
}

TEST(Seeds, DifferentSeedsReachEveryOrderOfThreeJobs) {
  std::set<std::string> orders;
  for (uint64_t seed = 0; seed < 200 && orders.size() < 6; ++seed) {
    SeededChoice choice(seed);
    orders.insert(race(choice).order);
  }
  EXPECT_EQ(orders, (std::set<std::string>{"abc", "acb", "bac", "bca", "cab", "cba"}));
}

TEST(Replay, ARecordedScheduleGivesTheSameOrderAgain) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    SeededChoice seeded(seed);
    const Race recorded = race(seeded);
    Result<Schedule> parsed = parse_schedule(format_schedule(recorded.schedule));
    ASSERT_TRUE(parsed);
    ReplayChoice replay(std::move(*parsed));
    EXPECT_EQ(race(replay).order, recorded.order);
    EXPECT_FALSE(replay.has_diverged());
  }
}

// A timer of a millisecond and an immediate, both set outside the loop: their order depends on the
// time that the code before took.
std::string timer_against_immediate(uint64_t seed) {
  VirtualClock clock;
  SeededChoice choice(seed);
  Loop loop({.clock = &clock, .choice = &choice});
  std::string order;
  auto timer = loop.make<Timer>();
  timer->start(1ms, [&order](Timer&) { order += 't'; });
  Immediate immediate(loop);
  immediate.set([&order] { order += 'i'; });
  loop.run();
  return order;
}

TEST(Seeds, ChooseWhetherTheClockHasReachedATimer) {
  std::set<std::string> orders;
  for (uint64_t seed = 0; seed < 50; ++seed) orders.insert(timer_against_immediate(seed));
  EXPECT_EQ(orders, (std::set<std::string>{"ti", "it"}));
}

TEST(Trace, RecordsCausesOfCallbacksAndNestsProperly) {
  RecordingTrace trace;
  uint64_t outer_id = 0, inner_id = 0;
  {
    Loop loop({.trace = &trace});
    auto outer = loop.make<Timer>();
    auto inner = loop.make<Timer>();
    outer_id = outer->id();
    inner_id = inner->id();
    outer->start(0ms, [&inner](Timer&) { inner->start(0ms, [](Timer&) {}); });
    Work work(loop);
    work.submit([] {}, nullptr);
    loop.run();
  }
  EXPECT_EQ(trace.first_nesting_error(), "");
  EXPECT_EQ(trace.count(TraceKind::callback_begin), trace.count(TraceKind::callback_end));
  EXPECT_EQ(trace.count(TraceKind::job_queued), 1u);
  EXPECT_EQ(trace.count(TraceKind::job_started), 1u);
  EXPECT_EQ(trace.count(TraceKind::job_finished), 1u);
  EXPECT_EQ(trace.count(TraceKind::handle_open), 2u);
  EXPECT_EQ(trace.count(TraceKind::handle_close), 2u);
  bool is_caused = false;
  for (const TraceEvent& event : trace.events()) {
    if (event.kind == TraceKind::schedule && event.id == inner_id) {
      is_caused = event.cause == outer_id;
    }
  }
  EXPECT_TRUE(is_caused);
}

TEST(Metrics, PhasesAreMeasuredOnDemand) {
  Loop loop;
  const auto poll_time = [&loop] {
    return loop.metrics().phase_time[static_cast<size_t>(Phase::poll)];
  };
  auto timer = loop.make<Timer>();
  timer->start(
      1ms, [](Timer&) {}, 1ms);
  loop.run_once();
  EXPECT_EQ(poll_time(), 0ns);
  // Enabled in the middle of a phase, which is then not counted as measured.
  Work work(loop);
  work.submit([] {}, [&loop](Work&, Result<void>) { loop.measure_phases(true); });
  while (!loop.measures_phases()) loop.run_once();
  EXPECT_LT(poll_time(), 1h);
  loop.run_once();
  loop.run_once();
  const Nanos measured = poll_time();
  EXPECT_GT(measured, 0ns);
  loop.measure_phases(false);
  loop.run_once();
  EXPECT_EQ(poll_time(), measured);
}

TEST(CreationSites, EachHandleAndRequestKeepsItsNumber) {
  Loop loop;
  EXPECT_EQ(loop.make<Timer>()->creation_site(), 0u);
  uint32_t next = 6;
  loop.internals().note_creation_sites(
      [](void* number) { return ++*static_cast<uint32_t*>(number); }, &next);
  auto timer = loop.make<Timer>();
  EXPECT_EQ(timer->creation_site(), 7u);
  Work work(loop);
  work.submit([] {}, nullptr);
  EXPECT_EQ(work.creation_site(), 8u);
  int requests = 0;
  loop.for_each_request([&](Request& request) {
    EXPECT_EQ(&request, &work);
    ++requests;
  });
  EXPECT_EQ(requests, 1);
  loop.run();
  loop.for_each_request([](Request&) { FAIL() << "it is over"; });
}

TEST(Metrics, CountTurnsEventsIdleTimePhasesAndLag) {
  Loop loop({.measure_phases = true});
  auto timer = loop.make<Timer>();
  uint64_t runs = 0;
  // At least three times, and until the loop has slept: it does not sleep for a timer that is
  // already due.
  timer->start(
      2ms,
      [&runs](Timer& self) {
        if (++runs >= 3 && self.loop().metrics().idle > 0ns) self.stop();
      },
      2ms);
  Work work(loop);
  work.submit([&loop] { await_idle(loop); }, nullptr);
  loop.run();
  const LoopMetrics& metrics = loop.metrics();
  EXPECT_GE(metrics.turns, runs - 1);  // Timers that are already due run before the first turn.
  EXPECT_GE(metrics.events, 1u);
  EXPECT_EQ(metrics.callbacks, runs + 1);
  EXPECT_GT(metrics.idle, 0ns);
  EXPECT_GT(metrics.phase_time[static_cast<size_t>(Phase::poll)], 0ns);
  EXPECT_EQ(metrics.lag.count(), runs);
}

}  // namespace
}  // namespace rondo
