#include "loop/trace/ring.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

namespace rondo {
namespace {

class TraceRingTest : public ::testing::Test {
 protected:
  TraceRingTest() {
    char folder[] = "/tmp/trace-ring-XXXXXX";
    folder_ = ::mkdtemp(folder);
  }
  ~TraceRingTest() override {
    const std::string command = "rm -rf '" + folder_ + "'";
    if (std::system(command.c_str()) != 0) ADD_FAILURE() << "cannot remove " << folder_;
  }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  static std::string read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  static TraceRingOptions small(std::string path) {
    TraceRingOptions options;
    options.path = std::move(path);
    options.bytes = TraceRing::kLeastBytes;
    return options;
  }

  std::string folder_;
};

template <class T>
T at(const std::string& bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

TEST_F(TraceRingTest, TheHeaderHasTheDocumentedLayout) {
  TraceRingOptions options = small(path("a"));
  options.thread_id = 7;
  options.command = R"(["rondo","a.js"])";
  options.began_ms = 12;
  options.began_ns = 34;
  options.is_virtual = true;
  auto ring = TraceRing::create(options);
  ASSERT_TRUE(ring);
  (*ring)->put(1.5, 6, 3, 4, 5);
  const std::string bytes = read(path("a"));
  EXPECT_EQ(bytes.substr(0, 8), "RONDOTR1");
  EXPECT_EQ(at<uint32_t>(bytes, 8), 4u);
  EXPECT_EQ(at<uint32_t>(bytes, 12), static_cast<uint32_t>(::getpid()));
  EXPECT_EQ(at<uint32_t>(bytes, 16), 7u);
  EXPECT_EQ(at<uint32_t>(bytes, 20), TraceRing::kVirtualClock);
  const auto room = static_cast<size_t>(at<double>(bytes, 24));
  EXPECT_EQ(at<double>(bytes, 32), 32768);
  EXPECT_EQ(at<double>(bytes, 40), 1);
  EXPECT_EQ(at<double>(bytes, 64), 12);
  EXPECT_EQ(at<double>(bytes, 72), 34);
  EXPECT_EQ(at<double>(bytes, 80), -1);
  EXPECT_EQ(bytes.substr(96, at<uint32_t>(bytes, 88)), options.command);
  EXPECT_EQ(bytes.size(), 4096 + room + 32768 * 32);
  const size_t record = 4096 + room;
  EXPECT_EQ(at<double>(bytes, record), 1.5);
  EXPECT_EQ(at<uint8_t>(bytes, record + 8), 6);
  EXPECT_EQ(at<uint32_t>(bytes, record + 12), 3u);
  EXPECT_EQ(at<double>(bytes, record + 16), 4);
  EXPECT_EQ(at<double>(bytes, record + 24), 5);
  (*ring)->finish(3);
  const std::string ended = read(path("a"));
  EXPECT_EQ(at<uint32_t>(ended, 20), TraceRing::kVirtualClock | TraceRing::kFinished);
  EXPECT_EQ(at<double>(ended, 80), 3);
}

TEST_F(TraceRingTest, ACommandLineThatIsTooLongIsLeftOut) {
  TraceRingOptions options = small("");
  options.command = std::string(4000, 'x');
  auto ring = TraceRing::create(options);
  ASSERT_TRUE(ring);
  EXPECT_EQ((*ring)->header().command_size, 0u);
}

TEST_F(TraceRingTest, TheRingKeepsTheLastRecords) {
  auto ring = TraceRing::create(small(""));
  ASSERT_TRUE(ring);
  const uint64_t capacity = (*ring)->capacity();
  for (uint64_t n = 0; n < capacity + 10; ++n) (*ring)->put(static_cast<double>(n), 0, 0, 0, 0);
  EXPECT_EQ((*ring)->header().written, static_cast<double>(capacity + 10));
  for (uint64_t n = 10; n < capacity + 10; ++n) {
    ASSERT_EQ((*ring)->record(n).time, static_cast<double>(n));
  }
}

TEST_F(TraceRingTest, UnusedRoomTakesNoSpace) {
  TraceRingOptions options = small(path("a"));
  options.bytes = size_t{1} << 30;
  auto ring = TraceRing::create(options);
  ASSERT_TRUE(ring);
  (*ring)->put(1, 1, 0, 0, 0);
  struct stat about = {};
  ASSERT_EQ(::stat(path("a").c_str(), &about), 0);
  EXPECT_GT(about.st_size, off_t{1} << 30);
  EXPECT_LT(about.st_blocks * 512, off_t{1} << 20);
}

TEST_F(TraceRingTest, NamesAreNumberedFromOneAndKeptOnce) {
  auto ring = TraceRing::create(small(""));
  ASSERT_TRUE(ring);
  EXPECT_EQ((*ring)->text("abc"), 1u);
  EXPECT_EQ((*ring)->text("/a.js"), 2u);
  EXPECT_EQ((*ring)->text("abc"), 1u);
  EXPECT_EQ((*ring)->place(1, 2, 10, 20), 3u);
  EXPECT_EQ((*ring)->place(1, 2, 10, 20), 3u);
  EXPECT_EQ((*ring)->place(1, 2, 10, 21), 4u);
  const uint32_t places[] = {3, 4};
  EXPECT_EQ((*ring)->stack(places), 5u);
  EXPECT_EQ((*ring)->header().names_count, 5);
  const std::string names((*ring)->names());
  EXPECT_EQ(at<uint32_t>(names, 0), 3u);
  EXPECT_EQ(at<uint32_t>(names, 4), 0u);
  EXPECT_EQ(names.substr(8, 4), std::string("abc\0", 4));
  EXPECT_EQ(at<uint32_t>(names, 12), 5u);
  EXPECT_EQ(names.size(), 12 + 16 + 24 + 24 + 16u);
}

TEST_F(TraceRingTest, WhenTheRoomForNamesIsUsedUpThereAreNoMore) {
  auto ring = TraceRing::create(small(""));
  ASSERT_TRUE(ring);
  uint32_t last = 1;
  for (int i = 0; last != 0 && i < 2000; ++i)
    last = (*ring)->text(std::to_string(i) + std::string(4000, 'x'));
  EXPECT_EQ(last, 0u);
  EXPECT_EQ((*ring)->header().flags, TraceRing::kNamesFull);
  EXPECT_EQ((*ring)->text("0" + std::string(4000, 'x')), 1u);
}

TEST_F(TraceRingTest, BadPathsAreErrors) {
  EXPECT_EQ(TraceRing::create(small(path("none/a"))).error().code, ENOENT);
  EXPECT_EQ(TraceRing::create(small(folder_)).error().code, EISDIR);
  EXPECT_FALSE(TraceRing::create(small("/dev/null")));
}

TEST_F(TraceRingTest, AFileThatIsBeingWrittenIsLeftAlone) {
  auto first = TraceRing::create(small(path("a")));
  ASSERT_TRUE(first);
  auto second = TraceRing::create(small(path("a")));
  ASSERT_TRUE(second);
  (*first)->put(1, 1, 0, 0, 0);
  EXPECT_EQ(at<double>(read(path("a")), 40), 1);
  EXPECT_EQ(at<double>(read(path("a." + std::to_string(::getpid()))), 40), 0);
}

TEST_F(TraceRingTest, AFileThatAnotherProcessTruncatesEndsTheRecordingOnly) {
#if defined(RONDO_TSAN)
  GTEST_SKIP() << "TSan holds a lock in its atomic operations, in which the fault happens";
#endif
  for (const off_t size : {0, 5000}) {
    auto ring = TraceRing::create(small(path("a")));
    ASSERT_TRUE(ring);
    (*ring)->put(1, 1, 0, 0, 0);
    EXPECT_EQ((*ring)->damage(), TraceRing::Damage::none);
    ASSERT_EQ(::truncate(path("a").c_str(), size), 0);
    for (int n = 0; n < 20000; ++n) (*ring)->put(n, 1, 0, 0, 0);
    (*ring)->text("abc");
    (*ring)->finish(0);
    EXPECT_EQ((*ring)->damage(), TraceRing::Damage::truncated);
    EXPECT_EQ(read(path("a")).size(), static_cast<size_t>(size));  // It does not grow again.
  }
}

TEST_F(TraceRingTest, AFileThatIsRemovedIsNoticed) {
  auto ring = TraceRing::create(small(path("a")));
  ASSERT_TRUE(ring);
  ASSERT_EQ(::unlink(path("a").c_str()), 0);
  (*ring)->put(1, 1, 0, 0, 0);
  EXPECT_EQ((*ring)->damage(), TraceRing::Damage::removed);
  EXPECT_EQ((*TraceRing::create(small("")))->damage(), TraceRing::Damage::none);
}

TEST_F(TraceRingTest, ACopyHoldsTheRecordsOfItsTime) {
  auto ring = TraceRing::create(small(""));
  ASSERT_TRUE(ring);
  (*ring)->text("abc");
  (*ring)->put(1, 6, 1, 2, 3);
  ASSERT_TRUE((*ring)->write_copy(path("copy")));
  (*ring)->put(2, 6, 1, 2, 3);
  const std::string bytes = read(path("copy"));
  EXPECT_EQ(at<double>(bytes, 40), 1);
  EXPECT_EQ(bytes.substr(4096 + 8, 3), "abc");
  EXPECT_EQ(at<double>(bytes, 4096 + static_cast<size_t>(at<double>(bytes, 24))), 1);
}

TEST_F(TraceRingTest, ACopyLeavesOutTheRecordThatIsBeingOverwritten) {
  auto ring = TraceRing::create(small(""));
  ASSERT_TRUE(ring);
  const uint64_t capacity = (*ring)->capacity();
  for (uint64_t n = 0; n < capacity + 10; ++n) (*ring)->put(static_cast<double>(n), 1, 0, 0, 0);
  ASSERT_TRUE((*ring)->write_copy(path("copy")));
  const std::string bytes = read(path("copy"));
  const size_t records = 4096 + static_cast<size_t>(at<double>(bytes, 24));
  EXPECT_EQ(at<uint8_t>(bytes, records + 10 * 32 + 8), 0);
  EXPECT_EQ(at<double>(bytes, records + 11 * 32), 11);
}

TEST_F(TraceRingTest, ACopyThatCannotBeWrittenIsAnError) {
  auto ring = TraceRing::create(small(""));
  ASSERT_TRUE(ring);
  EXPECT_EQ((*ring)->write_copy(path("none/a")).error().code, ENOENT);
}

}  // namespace
}  // namespace rondo
