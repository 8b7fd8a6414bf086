#include "base/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace rondo {
namespace {

using namespace std::chrono_literals;

TEST(Histogram, IsEmptyAtFirst) {
  const Histogram histogram;
  EXPECT_EQ(histogram.count(), 0u);
  EXPECT_EQ(histogram.max(), 0ns);
  EXPECT_EQ(histogram.percentile(50), 0ns);
}

TEST(Histogram, SmallDurationsAreExact) {
  for (int64_t value = 0; value < 8; ++value) {
    Histogram histogram;
    histogram.record(Nanos{value});
    EXPECT_EQ(histogram.percentile(50), Nanos{value});
    EXPECT_EQ(histogram.max(), Nanos{value});
  }
}

TEST(Histogram, NegativeDurationsCountAsZero) {
  Histogram histogram;
  histogram.record(-5ns);
  EXPECT_EQ(histogram.count(), 1u);
  EXPECT_EQ(histogram.percentile(100), 0ns);
  EXPECT_EQ(histogram.max(), 0ns);
}

TEST(Histogram, ABucketIsNeverMoreThanAQuarterWide) {
  // A second, longer value keeps max() from hiding the edge of the first one's bucket.
  for (int64_t value = 1; value < INT64_MAX / 4; value += 1 + value / 7) {
    Histogram histogram;
    histogram.record(Nanos{value});
    histogram.record(Nanos::max());
    const Nanos edge = histogram.percentile(0);
    EXPECT_GE(edge.count(), value);
    EXPECT_LE(edge.count() - value, value / 4) << value;
  }
}

TEST(Histogram, TheLongestDurationFits) {
  Histogram histogram;
  histogram.record(Nanos::max());
  EXPECT_EQ(histogram.percentile(50), Nanos::max());
  EXPECT_EQ(histogram.max(), Nanos::max());
}

TEST(Histogram, TheSumStopsAtTheLongestDuration) {
  Histogram histogram;
  histogram.record(Nanos{3});
  histogram.record(Nanos{-1});
  histogram.record(Nanos{4});
  EXPECT_EQ(histogram.sum(), Nanos{7});
  histogram.record(Nanos::max());
  EXPECT_EQ(histogram.sum(), Nanos::max());
}

TEST(Histogram, PercentilesComeNearTheTruth) {
  Histogram histogram;
  std::vector<int64_t> values;
  uint64_t state = 1;
  for (int i = 0; i < 10'000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    values.push_back(static_cast<int64_t>(state >> 40));
    histogram.record(Nanos{values.back()});
  }
  std::sort(values.begin(), values.end());
  EXPECT_EQ(histogram.count(), 10'000u);
  for (const double percent : {1.0, 10.0, 50.0, 90.0, 99.0, 99.9, 100.0}) {
    const auto rank = static_cast<size_t>(percent / 100.0 * 9'999.0);
    const int64_t truth = values[rank];
    const int64_t reported = histogram.percentile(percent).count();
    EXPECT_GE(reported, truth) << percent;
    EXPECT_LE(reported, truth + truth / 4) << percent;
  }
  EXPECT_EQ(histogram.percentile(100), histogram.max());
}

TEST(Histogram, ResetForgetsAll) {
  Histogram histogram;
  histogram.record(5ms);
  histogram.reset();
  EXPECT_EQ(histogram.count(), 0u);
  EXPECT_EQ(histogram.max(), 0ns);
  EXPECT_EQ(histogram.percentile(99), 0ns);
}

}  // namespace
}  // namespace rondo
