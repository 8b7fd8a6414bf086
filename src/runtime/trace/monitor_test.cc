#include "runtime/trace/monitor.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "runtime/trace/testing.h"

namespace rondo::runtime {
namespace {

using namespace std::chrono_literals;

// isSampled(): true once the monitor has sampled the running callback; the program spins until
// then.
size_t wanted = 1;
void is_sampled(const Arguments& info) {
  const TraceFile& trace = *Realm::of(info.GetIsolate()).options().trace;
  const TraceRing& ring = const_cast<TraceFile&>(trace).ring();
  info.GetReturnValue().Set(testing::records_of(ring, TraceCode::blocked).size() >= wanted);
}

class TraceMonitorTest : public testing::TracedTest {
 protected:
  TraceMonitorTest() {
    wanted = 1;
    expose("isSampled", is_sampled);
    evaluate(
        "function spin() {\n"
        "  const end = Date.now() + 20000;\n"
        "  while (!isSampled() && Date.now() < end);\n"
        "}");
  }
  void spin_in_callback(double id) {
    trace().begin(TraceCode::callback, 0, 0, id, 0);
    evaluate("spin();", "/main.js");
    trace().end(id);
  }
  std::vector<TraceRecord> blocked() {
    return testing::records_of(trace().ring(), TraceCode::blocked);
  }
};

TEST_F(TraceMonitorTest, SamplesTheStackOfACallbackThatTakesLong) {
  const TraceMonitor monitor(realm(), trace(), 20ms, nullptr);
  // If the machine stalls before the program spins, the sample is of that place: try again.
  std::string place;
  size_t before = 0;
  for (int i = 0; i < 50 && place.find("spin (/app.js:3:") != 0; ++i) {
    before = blocked().size();
    wanted = before + 1;
    spin_in_callback(42);
    ASSERT_GT(blocked().size(), before);
    place = describe(blocked()[before].name);
  }
  EXPECT_EQ(blocked()[before].id, 42);
  EXPECT_GE(blocked()[before].value, 20e6);
  EXPECT_EQ(place.find("spin (/app.js:3:"), 0u) << place;
}

TEST_F(TraceMonitorTest, SamplesAgainWhenTwiceAsMuchHasPassed) {
  wanted = 3;
  const TraceMonitor monitor(realm(), trace(), 10ms, nullptr);
  spin_in_callback(1);
  ASSERT_GE(blocked().size(), 3u);
  EXPECT_GE(blocked()[0].value, 10e6);
  EXPECT_GE(blocked()[1].value, 20e6);
  EXPECT_GE(blocked()[2].value, 40e6);
}

TEST_F(TraceMonitorTest, EachCallbackIsMeasuredByItself) {
  const TraceMonitor monitor(realm(), trace(), 20ms, nullptr);
  spin_in_callback(1);
  const size_t before = blocked().size();
  wanted = before + 1;
  spin_in_callback(2);
  ASSERT_GT(blocked().size(), before);
  EXPECT_EQ(blocked()[before - 1].id, 1);
  EXPECT_EQ(blocked()[before].id, 2);
}

TEST_F(TraceMonitorTest, NothingIsSampledWhileNoCallbackRuns) {
  {
    const TraceMonitor monitor(realm(), trace(), 4ms, nullptr);
    evaluate("{ const end = Date.now() + 60; while (Date.now() < end); }");
  }
  EXPECT_EQ(blocked().size(), 0u);
}

TEST_F(TraceMonitorTest, TheFlightRecorderWritesOnceForEachThatIsBlocked) {
  char name[] = "/tmp/rondo-monitor-XXXXXX";
  FlightOptions options;
  options.folder = ::mkdtemp(name);
  options.blocked = 20ms;
  FlightRecorder flight(options);
  flight.add(trace().ring(), 0);
  const std::string path = options.folder + "/rondo-" + std::to_string(::getpid()) + "-";
  const auto exists = [&](int number) {
    return ::access((path + std::to_string(number) + ".rtrace").c_str(), F_OK) == 0;
  };
  ::testing::internal::CaptureStderr();
  {
    // The monitor's limit is the lower of the two.
    const TraceMonitor monitor(realm(), trace(), 10s, &flight);
    wanted = 3;
    spin_in_callback(1);
    for (int i = 0; i < 2000 && !exists(1); ++i) ::usleep(10'000);
  }
  flight.remove(trace().ring());
  EXPECT_EQ(::testing::internal::GetCapturedStderr().find("rondo: the loop has been blocked for "),
            0u);
  EXPECT_TRUE(exists(1));
  EXPECT_FALSE(exists(2));
  ::unlink((path + "1.rtrace").c_str());
  ::rmdir(options.folder.c_str());
}

}  // namespace
}  // namespace rondo::runtime
