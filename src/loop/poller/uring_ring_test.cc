#include "loop/poller/uring_ring.h"

#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <thread>

#include "base/time/clock.h"
#include "support/faults.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

class UringRingTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (Result<void> opened = ring_.open(8, 32); !opened) {
      GTEST_SKIP() << "SKIPPED: this system refuses io_uring: " << opened.error().message();
    }
  }
  bool claim_nop(uint64_t user_data) {
    io_uring_sqe* entry = ring_.claim();
    if (entry == nullptr) return false;
    entry->opcode = IORING_OP_NOP;
    entry->user_data = user_data;
    return true;
  }
  std::set<uint64_t> reap() {
    std::set<uint64_t> seen;
    while (const io_uring_cqe* completion = ring_.next()) {
      seen.insert(completion->user_data);
      ring_.advance();
    }
    return seen;
  }
  UringRing ring_;
};

TEST_F(UringRingTest, ClaimedEntriesComplete) {
  EXPECT_EQ(ring_.next(), nullptr);
  for (uint64_t i = 0; i < 8; ++i) EXPECT_TRUE(claim_nop(i));
  EXPECT_EQ(ring_.waiting(), 8u);
  EXPECT_EQ(ring_.enter(10s), UringRing::Entered::done);
  EXPECT_EQ(ring_.waiting(), 0u);
  EXPECT_EQ(reap().size(), 8u);
}

TEST_F(UringRingTest, AFullRingGivesNoMoreUntilItIsEntered) {
  for (uint64_t i = 0; i < 8; ++i) EXPECT_TRUE(claim_nop(i));
  EXPECT_FALSE(claim_nop(8));
  EXPECT_EQ(ring_.enter(Nanos::zero()), UringRing::Entered::done);
  EXPECT_TRUE(claim_nop(8));
}

TEST_F(UringRingTest, UnsubmittedEntriesAreFoundBySequence) {
  EXPECT_EQ(ring_.unsubmitted(0), nullptr);
  const uint32_t first = ring_.claimed();
  ASSERT_TRUE(claim_nop(70));
  ASSERT_TRUE(claim_nop(71));
  ASSERT_NE(ring_.unsubmitted(first + 1), nullptr);
  EXPECT_EQ(ring_.unsubmitted(first + 1)->user_data, 71u);
  EXPECT_EQ(ring_.unsubmitted(first + 2), nullptr);
  ring_.enter(Nanos::zero());
  EXPECT_EQ(ring_.unsubmitted(first), nullptr);
  EXPECT_EQ(ring_.unsubmitted(first + 1), nullptr);
}

TEST_F(UringRingTest, MoreCompletionsThanTheRingHoldsAreKeptByTheKernel) {
  std::set<uint64_t> seen;
  uint64_t next = 0;
  for (int round = 0; round < 20; ++round) {
    while (next < 8u * static_cast<uint64_t>(round + 1) && claim_nop(next)) ++next;
    ring_.enter(Nanos::zero());
  }
  EXPECT_GT(next, 32u);
  for (int i = 0; i < 20 && seen.size() < next; ++i) {
    seen.merge(reap());
    if (ring_.needs_enter() || ring_.waiting() > 0) ring_.enter(Nanos::zero());
  }
  EXPECT_EQ(seen.size(), next);
}

TEST_F(UringRingTest, WaitsForUpToTheTimeGiven) {
  const Nanos began = RealClock::instance().now();
  while (RealClock::instance().now() - began < 2ms) {
    EXPECT_EQ(ring_.enter(2ms), UringRing::Entered::done);
  }
  EXPECT_EQ(ring_.next(), nullptr);
}

TEST_F(UringRingTest, ErrorsThatOnlyMeanTryAgainLoseNothing) {
  FaultPlan faults;
  for (const int error : {EINTR, ETIME, EAGAIN, EBUSY}) {
    ASSERT_TRUE(claim_nop(static_cast<uint64_t>(error)));
    faults.fail("io_uring_enter", error);
    const UringRing::Entered entered = ring_.enter(Nanos::zero());
    EXPECT_EQ(entered, error == EAGAIN || error == EBUSY ? UringRing::Entered::full
                                                         : UringRing::Entered::done);
    EXPECT_GE(ring_.waiting(), 1u);
  }
  ring_.enter(Nanos::zero());
  EXPECT_EQ(reap(), (std::set<uint64_t>{EINTR, ETIME, EAGAIN, EBUSY}));
}

TEST_F(UringRingTest, CanBeClosedAndOpenedAgain) {
  ASSERT_TRUE(claim_nop(1));
  ring_.close();
  ring_.close();
  ASSERT_TRUE(ring_.open(8, 32));
  EXPECT_EQ(ring_.waiting(), 0u);
  ASSERT_TRUE(claim_nop(2));
  ring_.enter(10s);
  EXPECT_EQ(reap(), std::set<uint64_t>{2});
}

}  // namespace
}  // namespace rondo
