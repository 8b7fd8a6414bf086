#include "loop/trace/loop_trace.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "loop/internals.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

// Writes down the kind and the label of each event.
class Log : public TraceSink {
 public:
  void record(const TraceEvent& event) override {
    text += std::string(trace_kind_name(event.kind)) + ":" + event.label + " ";
  }
  bool hides_new_handles() const override { return is_hiding; }

  std::string text;
  bool is_hiding = false;
};

class LogWithOwnTime final : public Log {
 public:
  bool keeps_own_time() const override { return true; }
  void begin_callback(uint64_t, const char* label) override { text += std::string("<") + label; }
  void end_callback(uint64_t) override { text += "> "; }
};

TEST(LoopTrace, AHandleThatIsHiddenCausesNoEvents) {
  Log log;
  log.is_hiding = true;
  Loop loop({.trace = &log});
  std::array<Owned<Timer>, 8> timers;
  int calls = 0;
  for (auto& timer : timers) {
    timer = loop.make<Timer>();
    EXPECT_TRUE(timer->is_hidden());
    timer->start(0ms, [&calls](Timer& self) {
      if (++calls <= 8) self.start(0ms, [](Timer& again) { again.close(); });
    });
  }
  loop.run();
  EXPECT_EQ(calls, 8);
  for (const char* kind : {"handle_open", "schedule", "callback", "handle_close"}) {
    EXPECT_EQ(log.text.find(kind), std::string::npos) << log.text;
  }
}

TEST(LoopTrace, OnlyHandlesCreatedMeanwhileAreHidden) {
  Log log;
  Loop loop({.trace = &log});
  auto before = loop.make<Timer>();
  log.is_hiding = true;
  auto meanwhile = loop.make<Timer>();
  log.is_hiding = false;
  auto after = loop.make<Timer>();
  EXPECT_FALSE(before->is_hidden());
  EXPECT_TRUE(meanwhile->is_hidden());
  EXPECT_FALSE(after->is_hidden());
  EXPECT_EQ(log.text, "handle_open:timer handle_open:timer ");
}

TEST(LoopTrace, ASinkWithItsOwnTimeGetsNoPhases) {
  LogWithOwnTime log;
  Loop loop({.trace = &log});
  LoopState& state = LoopState::of(loop);
  EXPECT_TRUE(state.trace.is_on());
  EXPECT_FALSE(state.trace.wants_phases());
  EXPECT_FALSE(state.is_observed);
  Immediate immediate(loop);
  immediate.set([] {});
  loop.run();
  EXPECT_EQ(log.text, "schedule:immediate <immediate> ");
}

TEST(LoopTrace, WithoutASinkNothingIsOn) {
  Loop loop;
  const LoopState& state = LoopState::of(loop);
  EXPECT_FALSE(state.trace.is_on());
  EXPECT_FALSE(state.trace.wants_phases());
  EXPECT_FALSE(loop.make<Timer>()->is_hidden());
}

}  // namespace
}  // namespace rondo
