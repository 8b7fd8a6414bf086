#include "runtime/trace/settings.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "loop/trace/file.h"

namespace rondo::runtime {
namespace {

class TraceSettingsTest : public ::testing::Test {
 protected:
  TraceSettingsTest() {
    char name[] = "/tmp/rondo-settings-XXXXXX";
    folder_ = ::mkdtemp(name);
    settings_.path = folder_ + "/t.rtrace";
    settings_.bytes = TraceRing::kLeastBytes;
    settings_.command = R"(["rondo","app.js"])";
  }
  ~TraceSettingsTest() override {
    for (const char* name : {"/t.rtrace", "/t.rtrace.w7"}) ::unlink((folder_ + name).c_str());
    ::rmdir(folder_.c_str());
  }
  bool exists(const std::string& name) const {
    return ::access((folder_ + "/" + name).c_str(), F_OK) == 0;
  }

  std::string folder_;
  TraceSettings settings_;
};

TEST_F(TraceSettingsTest, TheMainThreadHasTheGivenFile) {
  const Result<std::unique_ptr<TraceFile>> file = open_trace(settings_, false, 0);
  ASSERT_TRUE(file);
  EXPECT_TRUE(exists("t.rtrace"));
  const TraceHeader& header = (*file)->ring().header();
  EXPECT_EQ(header.thread_id, 0u);
  EXPECT_EQ(header.flags, 0u);
  EXPECT_EQ(std::string_view(header.command, header.command_size), settings_.command);
  EXPECT_LE(static_cast<size_t>(header.capacity) * sizeof(TraceRecord), settings_.bytes);
}

TEST_F(TraceSettingsTest, AWorkerHasOneOfItsOwnWithItsNumber) {
  const Result<std::unique_ptr<TraceFile>> file = open_trace(settings_, true, 7);
  ASSERT_TRUE(file);
  EXPECT_FALSE(exists("t.rtrace"));
  EXPECT_TRUE(exists("t.rtrace.w7"));
  EXPECT_EQ((*file)->ring().header().thread_id, 7u);
  EXPECT_EQ((*file)->ring().header().flags, TraceRing::kVirtualClock);
}

TEST_F(TraceSettingsTest, WithoutAPathItStaysInMemory) {
  settings_.path.clear();
  ASSERT_TRUE(open_trace(settings_, false, 0));
  ASSERT_TRUE(open_trace(settings_, false, 7));
  EXPECT_FALSE(exists("t.rtrace"));
  EXPECT_FALSE(exists("t.rtrace.w7"));
}

TEST_F(TraceSettingsTest, AFileThatCannotBeMadeIsAnError) {
  settings_.path = folder_ + "/no/such/folder";
  const Result<std::unique_ptr<TraceFile>> file = open_trace(settings_, false, 0);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ENOENT);
}

}  // namespace
}  // namespace rondo::runtime
