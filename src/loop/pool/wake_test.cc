// The mailbox alone; how a loop uses it is tested with Async and Work. This thread acts as the
// loop.
#include "loop/pool/wake.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <string>
#include <thread>
#include <vector>

#include "base/sys.h"

namespace rondo {
namespace {

class MailboxTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(box_.open()); }
  // Number of writes to the eventfd since the last call.
  uint64_t writes() {
    uint64_t count = 0;
    return ::read(box_.fd(), &count, sizeof count) == ssize_t{sizeof count} ? count : 0;
  }
  // Takes all completions, each as its index in `completions_`.
  std::string take() {
    std::string out;
    for (Completion* completion = box_.take_newest_first(); completion != nullptr;) {
      out += static_cast<char>('a' + (completion - completions_.data()));
      completion = static_cast<Completion*>(completion->next);
    }
    return {out.rbegin(), out.rend()};
  }

  Mailbox box_;
  std::array<Completion, 4> completions_;
};

TEST_F(MailboxTest, ResultsAreTakenOldestFirst) {
  EXPECT_FALSE(box_.is_notified());
  EXPECT_EQ(take(), "");
  for (Completion& completion : completions_) box_.post(completion);
  EXPECT_TRUE(box_.is_notified());
  box_.begin_delivery(false);
  EXPECT_FALSE(box_.is_notified());
  EXPECT_EQ(take(), "abcd");
  box_.post(completions_[1]);  // A completion that was taken may be posted again.
  EXPECT_EQ(take(), "b");
}

TEST_F(MailboxTest, TheFirstPostSinceADeliveryWritesToTheEventfd) {
  for (int i = 0; i < 3; ++i) {
    box_.post(completions_[0]);
    box_.post(completions_[1]);
    box_.notify();
    EXPECT_EQ(writes(), 1u);
    box_.begin_delivery(false);
    EXPECT_EQ(take(), "ab");
  }
}

TEST_F(MailboxTest, ADeliveryEmptiesTheEventfd) {
  box_.post(completions_[0]);
  box_.begin_delivery(false);
  EXPECT_EQ(writes(), 0u);
}

TEST_F(MailboxTest, AReportedEventfdIsDrainedEvenIfNoWriteIsRecorded) {
  // A poster may be preempted between setting the flag and its write: the completion is delivered
  // before.
  const uint64_t one = 1;
  ASSERT_EQ(::write(box_.fd(), &one, sizeof one), ssize_t{sizeof one});
  box_.begin_delivery(true);
  EXPECT_EQ(writes(), 0u);
}

TEST_F(MailboxTest, TheEventfdIsNotReadWithoutAWrite) {
  box_.pause_writes();
  box_.post(completions_[0]);
  const uint64_t one = 1;  // Not by a poster: it is still there afterwards if nothing was read.
  ASSERT_EQ(::write(box_.fd(), &one, sizeof one), ssize_t{sizeof one});
  box_.begin_delivery(false);
  EXPECT_EQ(take(), "a");
  EXPECT_EQ(writes(), 1u);
}

TEST_F(MailboxTest, WhileTheLoopLooksNoPosterWrites) {
  box_.pause_writes();
  box_.post(completions_[0]);
  EXPECT_TRUE(box_.is_notified());
  EXPECT_EQ(writes(), 0u);
  box_.resume_writes();
  box_.begin_delivery(false);
  EXPECT_EQ(take(), "a");
  box_.post(completions_[0]);
  EXPECT_EQ(writes(), 1u);
}

TEST_F(MailboxTest, FlushingWakesForJobsPostedDuringThePause) {
  box_.flush_writes();
  box_.pause_writes();
  box_.flush_writes();
  EXPECT_EQ(writes(), 0u);
  box_.pause_writes();
  box_.post(completions_[0]);
  box_.flush_writes();
  box_.flush_writes();
  EXPECT_EQ(writes(), 1u);
  box_.begin_delivery(false);
  box_.post(completions_[1]);
  EXPECT_EQ(writes(), 1u);
}

TEST_F(MailboxTest, ARingWithoutAResultWakesTheLoop) {
  box_.notify();
  EXPECT_TRUE(box_.is_notified());
  EXPECT_EQ(writes(), 1u);
  box_.begin_delivery(false);
  EXPECT_EQ(take(), "");
}

TEST_F(MailboxTest, AFullCounterIsReadableAllTheSame) {
  const uint64_t nearly_full = UINT64_MAX - 1;
  ASSERT_EQ(::write(box_.fd(), &nearly_full, sizeof nearly_full), ssize_t{sizeof nearly_full});
  box_.post(completions_[0]);
  EXPECT_EQ(writes(), nearly_full);
  EXPECT_EQ(take(), "a");
}

TEST_F(MailboxTest, OpeningAgainLeavesTheOldDescriptor) {
  // As the child of a fork, which shares the eventfd with its parent until then.
  const Fd parents(::dup(box_.fd()));
  ASSERT_TRUE(box_.open());
  box_.post(completions_[0]);
  EXPECT_EQ(writes(), 1u);
  uint64_t count = 0;
  EXPECT_EQ(::read(parents.get(), &count, sizeof count), -1);
}

TEST_F(MailboxTest, NoResultOfManyThreadsIsLostHoweverTheLoopWaits) {
  constexpr size_t kPosters = 3;
  constexpr size_t kRounds = 2000;
  // A completion per post: the threads determine which are in the box together.
  std::vector<std::vector<Completion>> posts(kPosters);
  for (auto& completions : posts) completions = std::vector<Completion>(kRounds);
  std::vector<std::thread> threads;
  for (auto& completions : posts) {
    threads.emplace_back([this, &completions] {
      for (Completion& completion : completions) box_.post(completion);
    });
  }
  size_t taken = 0;
  while (taken < kPosters * kRounds) {
    // In turns: look for a moment, or sleep without limit. A lost wake-up would make the test hang.
    box_.pause_writes();
    for (int looks = 0; looks < 10 && !box_.is_notified(); ++looks) std::this_thread::yield();
    box_.resume_writes();
    const bool has_slept = !box_.is_notified();
    if (has_slept) {
      pollfd sleep{box_.fd(), POLLIN, 0};
      ASSERT_EQ(::poll(&sleep, 1, -1), 1);
    }
    box_.begin_delivery(has_slept);
    for (MpscLink* completion = box_.take_newest_first(); completion != nullptr;
         completion = completion->next) {
      ++taken;
    }
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(taken, kPosters * kRounds);
}

}  // namespace
}  // namespace rondo
