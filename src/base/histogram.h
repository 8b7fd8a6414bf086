// A histogram of durations in logarithmic buckets: four per doubling, so a percentile is accurate
// to about 20 %. Fixed size, O(1) to record.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "base/time/time.h"

namespace rondo {

class Histogram {
 public:
  void record(Nanos duration) {
    const auto value = duration.count() > 0 ? static_cast<uint64_t>(duration.count()) : 0;
    ++buckets_[bucket_of(value)];
    ++count_;
    sum_ = saturating_add(sum_, Nanos{static_cast<Nanos::rep>(value)});
    if (duration > max_) max_ = duration;
  }
  uint64_t count() const { return count_; }
  Nanos max() const { return max_; }
  Nanos sum() const { return sum_; }  // Negative durations count as zero.
  // The upper edge of the bucket that holds this percentile (0 to 100), never above max().
  Nanos percentile(double percent) const {
    if (count_ == 0) return Nanos::zero();
    const auto rank = static_cast<uint64_t>(percent / 100.0 * static_cast<double>(count_ - 1));
    uint64_t seen = 0;
    for (size_t i = 0; i < buckets_.size(); ++i) {
      seen += buckets_[i];
      if (seen > rank) return std::min(max_, Nanos{static_cast<int64_t>(upper_edge(i))});
    }
    return max_;
  }
  void reset() { *this = Histogram(); }

  // Access to the buckets, for subtracting an earlier state from a later one.
  static constexpr size_t kBuckets = 64 * 4;
  uint64_t bucket(size_t index) const { return buckets_[index]; }
  static Nanos edge(size_t index) { return Nanos{static_cast<int64_t>(upper_edge(index))}; }

 private:
  static size_t bucket_of(uint64_t value) {
    if (value < 4) return value;
    const auto octave = static_cast<size_t>(std::bit_width(value)) - 1;
    return (octave - 1) * 4 + (value >> (octave - 2) & 3);
  }
  static uint64_t upper_edge(size_t bucket) {
    if (bucket < 4) return bucket;
    const size_t octave = bucket / 4 + 1;
    return ((bucket % 4 + 5) << (octave - 2)) - 1;
  }

  std::array<uint64_t, kBuckets> buckets_{};
  uint64_t count_ = 0;
  Nanos max_{0};
  Nanos sum_{0};
};

}  // namespace rondo
