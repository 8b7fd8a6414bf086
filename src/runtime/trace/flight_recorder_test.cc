#include "runtime/trace/flight_recorder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>

#include "loop/trace/ring.h"

namespace rondo::runtime {
namespace {

class FlightRecorderTest : public ::testing::Test {
 protected:
  FlightRecorderTest() {
    char name[] = "/tmp/rondo-flight-XXXXXX";
    options_.folder = ::mkdtemp(name);
  }
  ~FlightRecorderTest() override {
    for (unsigned n = 1; n < 20; ++n) {
      ::unlink(path(n).c_str());
      ::unlink((path(n) + ".w3").c_str());
    }
    ::rmdir(options_.folder.c_str());
  }

  static std::unique_ptr<TraceRing> make_ring(uint32_t thread_id) {
    TraceRingOptions options;
    options.bytes = TraceRing::kLeastBytes;
    options.thread_id = thread_id;
    return std::move(*TraceRing::create(options));
  }
  std::string path(unsigned number) const {
    return options_.folder + "/rondo-" + std::to_string(::getpid()) + "-" + std::to_string(number) +
           ".rtrace";
  }
  static bool exists(const std::string& file) { return ::access(file.c_str(), F_OK) == 0; }
  // The number of records in the header of a file; -1 if it is not a trace.
  static double written(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    if (bytes.size() < sizeof(TraceHeader)) return -1;
    TraceHeader header;
    std::memcpy(&header, bytes.data(), sizeof header);
    return std::memcmp(header.magic, "RONDOTR1", 8) == 0 ? header.written : -1;
  }
  // Writes a file and returns the recorder's message on stderr.
  static std::string write(FlightRecorder& recorder, const std::string& what, bool is_requested) {
    ::testing::internal::CaptureStderr();
    recorder.write(what, is_requested);
    return ::testing::internal::GetCapturedStderr();
  }

  FlightOptions options_;
};

TEST_F(FlightRecorderTest, IsWantedIfAnythingIsToMakeItWrite) {
  EXPECT_FALSE(FlightOptions{}.is_wanted());
  FlightOptions signal;
  signal.on_signal = true;
  EXPECT_TRUE(signal.is_wanted());
  FlightOptions blocked;
  blocked.blocked = std::chrono::milliseconds(1);
  EXPECT_TRUE(blocked.is_wanted());
}

TEST_F(FlightRecorderTest, WritesEveryThreadAndReportsThePaths) {
  FlightRecorder recorder(options_);
  const auto main = make_ring(0);
  const auto worker = make_ring(3);
  main->put(1, 1, 0, 1, 0);
  worker->put(1, 1, 0, 1, 0);
  worker->put(2, 1, 0, 2, 0);
  recorder.add(*main, 0);
  recorder.add(*worker, 3);
  EXPECT_EQ(write(recorder, "it happened", false),
            "rondo: it happened: the events before it are in " + path(1) +
                "; to see it: rondo trace " + path(1) + "\n");
  EXPECT_EQ(written(path(1)), 1);
  EXPECT_EQ(written(path(1) + ".w3"), 2);

  // A thread that has ended is not in later files.
  recorder.remove(*worker);
  write(recorder, "again", false);
  EXPECT_TRUE(exists(path(2)));
  EXPECT_FALSE(exists(path(2) + ".w3"));
}

TEST_F(FlightRecorderTest, LimitsTheNumberOfUnrequestedFiles) {
  FlightRecorder recorder(options_);
  const auto ring = make_ring(0);
  recorder.add(*ring, 0);
  for (int i = 1; i < 10; ++i) {
    EXPECT_EQ(write(recorder, "slow", false).find("no more"), std::string::npos) << i;
  }
  EXPECT_NE(write(recorder, "slow", false).find("(no more of these are written)\n"),
            std::string::npos);
  EXPECT_EQ(write(recorder, "slow", false), "");
  EXPECT_FALSE(exists(path(11)));
  EXPECT_NE(write(recorder, "asked", true), "");
  EXPECT_TRUE(exists(path(11)));
}

TEST_F(FlightRecorderTest, AFileThatCannotBeWrittenIsSaid) {
  FlightOptions options = options_;
  options.folder += "/missing";
  FlightRecorder recorder(options);
  const auto ring = make_ring(0);
  recorder.add(*ring, 0);
  const std::string said = write(recorder, "it happened", true);
  EXPECT_EQ(said.find("rondo: it happened: cannot write '" + options.folder), 0u) << said;
  EXPECT_EQ(said.find("to see it"), std::string::npos) << said;
}

TEST_F(FlightRecorderTest, ASignalMakesItWriteAndIsOrdinaryAfterwards) {
  options_.on_signal = true;
  ::testing::internal::CaptureStderr();
  {
    FlightRecorder recorder(options_);
    const auto ring = make_ring(0);
    recorder.add(*ring, 0);
    ::raise(SIGUSR2);
    for (int i = 0; i < 2000 && !exists(path(1)); ++i) ::usleep(10'000);
    recorder.remove(*ring);  // Waits for a write in progress.
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr().find("rondo: SIGUSR2: "), 0u);
  EXPECT_EQ(written(path(1)), 0);
  struct sigaction now = {};
  ::sigaction(SIGUSR2, nullptr, &now);
  EXPECT_EQ(now.sa_handler, SIG_DFL);
}

}  // namespace
}  // namespace rondo::runtime
