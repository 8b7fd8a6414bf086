#include "explore/run.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loop/loop.h"

namespace rondo {
namespace {

class Places final : public ProgramPlaces {
 public:
  std::string here() const override { return "a.js:1:2"; }
  std::string maker_of(const Handle& handle) const override { return handle.label(); }
};

class ExploredRunTest : public testing::Test {
 protected:
  ExploredRunTest() { run_.record().diverged_at = UINT32_MAX; }

  void begin(const char* schedule, std::optional<uint64_t> seed = {}, bool describes = false) {
    ExploredRun::Request request;
    request.schedule = *parse_schedule(schedule);
    request.seed = seed;
    request.describes = describes;
    run_.begin(std::move(request), loop_, std::make_unique<Places>());
  }
  std::string text() { return {run_.record().text, run_.record().text_size}; }

  Loop loop_;
  ExploredRun run_;
};

TEST_F(ExploredRunTest, FollowsItsScheduleThenTakesTheKernelsOrder) {
  begin("t1/2.c2/3");
  EXPECT_EQ(run_.pick(ChoicePoint::timer_reached, 2), 1u);
  EXPECT_EQ(run_.choose({ChoicePoint::completion_order, 3, 77}), 2u);
  EXPECT_EQ(run_.pick(ChoicePoint::completion_order, 5), 0u);
  const RunRecord& record = run_.record();
  EXPECT_EQ(record.decisions, 3u);
  EXPECT_EQ(record.diverged_at, UINT32_MAX);
  EXPECT_EQ(record.entries[1].state, 77u);
  EXPECT_EQ(record.entries[1].options, 3u);
  EXPECT_EQ(record.entries[1].picked, 2u);
  EXPECT_EQ(record.entries[1].point, static_cast<uint32_t>(ChoicePoint::completion_order));
  EXPECT_EQ(record.entries[2].picked, 0u);
}

TEST_F(ExploredRunTest, ContinuesByItsSeed) {
  begin("t1/2", 9);
  EXPECT_EQ(run_.pick(ChoicePoint::timer_reached, 2), 1u);
  SeededChoice seeded(9);
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(run_.pick(ChoicePoint::completion_order, 1000),
              seeded.pick(ChoicePoint::completion_order, 1000));
  }
}

TEST_F(ExploredRunTest, NotesTheFirstDecisionThatIsNotTheSchedules) {
  begin("t1/2.c2/3.c2/3.c2/3");
  run_.pick(ChoicePoint::timer_reached, 2);
  EXPECT_EQ(run_.pick(ChoicePoint::completion_order, 4), 0u);
  EXPECT_EQ(run_.pick(ChoicePoint::batch_end, 3), 0u);
  EXPECT_EQ(run_.pick(ChoicePoint::completion_order, 3), 2u);
  EXPECT_EQ(run_.record().diverged_at, 1u);
}

TEST_F(ExploredRunTest, AGapOfAScheduleIsTheKernelsOrder) {
  begin("1c2/3");
  EXPECT_EQ(run_.pick(ChoicePoint::batch_end, 2), 0u);
  EXPECT_EQ(run_.pick(ChoicePoint::completion_order, 3), 2u);
  EXPECT_EQ(run_.record().diverged_at, UINT32_MAX);
}

TEST_F(ExploredRunTest, CountsMoreDecisionsThanItKeeps) {
  begin("");
  for (size_t i = 0; i < RunRecord::kMostDecisions + 10; ++i) {
    run_.choose({ChoicePoint::completion_order, 2, i});
  }
  EXPECT_EQ(run_.record().decisions, RunRecord::kMostDecisions + 10);
  EXPECT_EQ(run_.record().entries[RunRecord::kMostDecisions - 1].state,
            RunRecord::kMostDecisions - 1);
  EXPECT_EQ(run_.record().text_size, 0u);
}

TEST_F(ExploredRunTest, DescribesWhatHappensAsLinesOfJson) {
  begin("c1/2", {}, true);
  const Candidate candidates[] = {{4, "fs.\"read\"", -1}, {0, "socket", 9}};
  run_.choose({ChoicePoint::completion_order, 2, 1, Nanos(5), candidates});
  run_.scheduled(4, "timer", "a\nb", true);
  run_.delivered(4, "timer", Nanos(6));
  EXPECT_EQ(text(),
            "{\"pid\":" + std::to_string(::getpid()) +
                "}\n"
                R"({"step":0,"point":")" +
                choice_point_name(ChoicePoint::completion_order) +
                R"(","picked":1,"at":5,"candidates":[{"id":4,"label":"fs.\"read\"","fd":-1},)"
                R"({"id":0,"label":"socket","fd":9}]})"
                "\n"
                R"({"scheduled":4,"label":"timer","about":"a b","place":"a.js:1:2","writes":true})"
                "\n"
                R"({"delivered":4,"label":"timer","at":6})"
                "\n");
}

TEST_F(ExploredRunTest, IntroducesAHandleOnce) {
  begin("", {}, true);
  const size_t before = text().size();
  auto timer = loop_.make<Timer>();
  run_.delivered(timer->id(), "timer", Nanos(6));
  run_.delivered(timer->id(), "timer", Nanos(7));
  const std::string id = std::to_string(timer->id());
  const std::string label = timer->label();
  EXPECT_EQ(text().substr(before), "{\"handle\":" + id + ",\"label\":\"" + label +
                                       "\",\"place\":\"" + label + "\",\"accepted\":false}\n" +
                                       "{\"delivered\":" + id + R"(,"label":"timer","at":6})" +
                                       "\n" + "{\"delivered\":" + id +
                                       R"(,"label":"timer","at":7})" + "\n");
}

TEST_F(ExploredRunTest, TextBeyondItsRoomIsLeftOut) {
  begin("", {}, true);
  const std::string about(1 << 20, 'x');
  for (int i = 0; i < 6; ++i) run_.scheduled(1, "timer", about, false);
  EXPECT_LE(run_.record().text_size, RunRecord::kMostText);
  EXPECT_GT(run_.record().text_size, 3u << 20);
  run_.delivered(1, "timer", Nanos(1));  // Short events still fit.
  EXPECT_NE(text().find("delivered"), std::string::npos);
}

TEST_F(ExploredRunTest, WritesOfAnotherProcessAreVisible) {
  const pid_t child = ::fork();
  if (child == 0) {
    run_.note_outside(Outside::network);
    run_.note_outside(Outside::worker);
    run_.pick(ChoicePoint::timer_reached, 2);
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(run_.record().outside, 5u);
  EXPECT_EQ(run_.record().decisions, 1u);
}

}  // namespace
}  // namespace rondo
