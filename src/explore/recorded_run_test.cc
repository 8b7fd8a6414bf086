#include "explore/recorded_run.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

namespace rondo {
namespace {

class RecordedRunTest : public testing::Test {
 protected:
  RecordedRunTest() {
    char name[] = "/tmp/rondo-record-XXXXXX";
    const int fd = ::mkstemp(name);
    EXPECT_GE(fd, 0);
    ::close(fd);
    path_ = name;
  }
  ~RecordedRunTest() override { ::unlink(path_.c_str()); }

  // A run of two decisions and a result between them.
  static int run(RecordedRun& recorded, const std::string& result, size_t options = 3) {
    picked_ = recorded.pick(ChoicePoint::timer_reached, 2);
    recorded.completed("fs.read_file", "/a b", result);
    picked_ = 10 * picked_ + recorded.pick(ChoicePoint::completion_order, options);
    return recorded.finish(7);
  }

  std::string path_;
  inline static size_t picked_ = 0;
};

TEST_F(RecordedRunTest, AWrittenRecordIsFollowed) {
  {
    RecordedRun writing({}, std::make_unique<SeededChoice>(3));
    OrderRecord head;
    head.seed = 3;
    head.date = Nanos(5);
    ASSERT_TRUE(writing.write_to(path_, head));
    EXPECT_EQ(run(writing, "5 bytes"), 7);
  }
  const size_t picked = picked_;
  OrderRecord record;
  ASSERT_EQ(read_record(path_, record), "");
  EXPECT_EQ(record.seed, 3u);
  EXPECT_EQ(record.date, Nanos(5));
  EXPECT_EQ(record.limits.slow, Millis(1000));
  EXPECT_TRUE(record.has_end);
  RecordedRun following(record, nullptr);
  EXPECT_EQ(run(following, "5 bytes"), 7);
  EXPECT_EQ(picked_, picked);

  testing::internal::CaptureStderr();
  RecordedRun other_world(record, nullptr);
  EXPECT_EQ(run(other_world, "6 bytes"), RecordedRun::kOtherRun);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("recorded: fs.read_file /a b 5 bytes"), std::string::npos) << said;
  EXPECT_NE(said.find("now:      fs.read_file /a b 6 bytes"), std::string::npos) << said;

  testing::internal::CaptureStderr();
  RecordedRun other_program(record, nullptr);
  EXPECT_EQ(run(other_program, "5 bytes", 4), RecordedRun::kOtherRun);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("after 1 decisions and 1 results"),
            std::string::npos);
}

TEST_F(RecordedRunTest, AFullDiskIsAnErrorAtTheStartAndAtTheEnd) {
  RecordedRun writing({}, nullptr);
  EXPECT_EQ(writing.write_to("/dev/full", {}).error().code, ENOSPC);
  testing::internal::CaptureStderr();
  EXPECT_EQ(writing.finish(0), RecordedRun::kNotWritten);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("'/dev/full' is not complete"),
            std::string::npos);
  testing::internal::CaptureStderr();
  EXPECT_EQ(writing.finish(7), 7);  // The program's own failure takes precedence.
  testing::internal::GetCapturedStderr();
}

TEST(OrderRecord, RejectsTextThatItDidNotWrite) {
  OrderRecord record;
  EXPECT_NE(parse_record("", record), "");
  EXPECT_NE(parse_record("#!/bin/sh\n", record), "");
  EXPECT_NE(parse_record("rondo record 2\n", record), "");
  for (const char* line : {"t", "t2/2", "seed x", "limits 1,2", "limits 1,2,3,4,5", "what 1",
                           "t1/2.t1/2", "date 99999999999999999999"}) {
    OrderRecord damaged;
    EXPECT_NE(parse_record(std::string("rondo record 1\n") + line + "\n", damaged), "") << line;
  }
}

TEST(OrderRecord, ARecordThatIsCutShortIsFollowedSoFar) {
  const std::string whole = "rondo record 1\nseed 1\nt1/2\n= a\tb\tc\nc2/3\nend 0\n";
  for (size_t size = 15; size < whole.size(); ++size) {
    OrderRecord record;
    EXPECT_EQ(parse_record(whole.substr(0, size), record), "") << size;
    EXPECT_FALSE(record.has_end);
  }
}

}  // namespace
}  // namespace rondo
