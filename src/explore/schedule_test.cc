#include "explore/schedule.h"

#include <gtest/gtest.h>

#include <set>

namespace rondo {
namespace {

TEST(SeededChoice, SameSeedSamePicks) {
  SeededChoice first(42), second(42);
  for (size_t options = 1; options < 200; ++options) {
    const size_t picked = first.pick(ChoicePoint::completion_order, options);
    EXPECT_LT(picked, options);
    EXPECT_EQ(picked, second.pick(ChoicePoint::completion_order, options));
  }
}

TEST(SeededChoice, ReachesEveryOption) {
  SeededChoice choice(1);
  std::set<size_t> seen;
  for (int i = 0; i < 200; ++i) seen.insert(choice.pick(ChoicePoint::batch_end, 5));
  EXPECT_EQ(seen.size(), 5u);
}

TEST(Schedule, RoundTripsThroughText) {
  const Schedule schedule{{ChoicePoint::timer_reached, 2, 1},
                          {ChoicePoint::completion_order, 3, 0},
                          {ChoicePoint::batch_end, 3, 2}};
  EXPECT_EQ(format_schedule(schedule), "t1/2.c0/3.b2/3");
  Result<Schedule> parsed = parse_schedule("t1/2.c0/3.b2/3");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(*parsed, schedule);
  EXPECT_TRUE(parse_schedule("")->empty());
}

TEST(Schedule, RejectsTextThatItDidNotWrite) {
  for (const char* bad : {"x1/2", "t", "t1", "t1/", "t2/2", "t1/2.", "t1/2c0/3", "t-1/2",
                          "t1/99999999999", "t0/0", ".", "t1/2..c0/3"}) {
    EXPECT_FALSE(parse_schedule(bad)) << bad;
  }
}

TEST(ReplayChoice, FollowsARecordAndNoticesWhereItNoLongerFits) {
  SeededChoice seeded(7);
  RecordingChoice recording(seeded);
  std::vector<size_t> picked;
  for (size_t options = 2; options < 8; ++options) {
    picked.push_back(recording.pick(ChoicePoint::completion_order, options));
  }
  ReplayChoice replay(recording.schedule());
  for (size_t options = 2; options < 8; ++options) {
    EXPECT_EQ(replay.pick(ChoicePoint::completion_order, options), picked[options - 2]);
  }
  EXPECT_FALSE(replay.has_diverged());
  EXPECT_EQ(replay.pick(ChoicePoint::completion_order, 2), 0u);
  EXPECT_TRUE(replay.has_diverged());
  EXPECT_EQ(replay.diverged_at(), 6u);
}

}  // namespace
}  // namespace rondo
