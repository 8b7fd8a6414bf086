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
  // Takes all letters, each as its index in `letters_`.
  std::string take() {
    std::string out;
    for (Letter* letter = box_.take_newest_first(); letter != nullptr;) {
      out += static_cast<char>('a' + (letter - letters_.data()));
      letter = static_cast<Letter*>(letter->next);
    }
    return {out.rbegin(), out.rend()};
  }

  Mailbox box_;
  std::array<Letter, 4> letters_;
};

TEST_F(MailboxTest, ResultsAreTakenOldestFirst) {
  EXPECT_FALSE(box_.is_rung());
  EXPECT_EQ(take(), "");
  for (Letter& letter : letters_) box_.post(letter);
  EXPECT_TRUE(box_.is_rung());
  box_.begin_delivery(false);
  EXPECT_FALSE(box_.is_rung());
  EXPECT_EQ(take(), "abcd");
  box_.post(letters_[1]);  // A letter that was taken may be posted again.
  EXPECT_EQ(take(), "b");
}

TEST_F(MailboxTest, TheFirstPostSinceADeliveryWritesToTheEventfd) {
  for (int i = 0; i < 3; ++i) {
    box_.post(letters_[0]);
    box_.post(letters_[1]);
    box_.ring();
    EXPECT_EQ(writes(), 1u);
    box_.begin_delivery(false);
    EXPECT_EQ(take(), "ab");
  }
}

TEST_F(MailboxTest, ADeliveryEmptiesTheEventfd) {
  box_.post(letters_[0]);
  box_.begin_delivery(false);
  EXPECT_EQ(writes(), 0u);
}

TEST_F(MailboxTest, AReportedEventfdIsDrainedEvenIfNoWriteIsRecorded) {
  // A poster may be preempted between the ring and its write: the letter is delivered before.
  const uint64_t one = 1;
  ASSERT_EQ(::write(box_.fd(), &one, sizeof one), ssize_t{sizeof one});
  box_.begin_delivery(true);
  EXPECT_EQ(writes(), 0u);
}

TEST_F(MailboxTest, TheEventfdIsNotReadWithoutAWrite) {
  box_.begin_looking();
  box_.post(letters_[0]);
  const uint64_t one = 1;  // Not by a poster: it is still there afterwards if nothing was read.
  ASSERT_EQ(::write(box_.fd(), &one, sizeof one), ssize_t{sizeof one});
  box_.begin_delivery(false);
  EXPECT_EQ(take(), "a");
  EXPECT_EQ(writes(), 1u);
}

TEST_F(MailboxTest, WhileTheLoopLooksNoPosterWrites) {
  box_.begin_looking();
  box_.post(letters_[0]);
  EXPECT_TRUE(box_.is_rung());
  EXPECT_EQ(writes(), 0u);
  box_.end_looking();
  box_.begin_delivery(false);
  EXPECT_EQ(take(), "a");
  box_.post(letters_[0]);
  EXPECT_EQ(writes(), 1u);
}

TEST_F(MailboxTest, TakingItsPlaceWritesForWhatWasPostedWhileTheLoopLooked) {
  box_.take_place();
  box_.begin_looking();
  box_.take_place();
  EXPECT_EQ(writes(), 0u);
  box_.begin_looking();
  box_.post(letters_[0]);
  box_.take_place();
  box_.take_place();
  EXPECT_EQ(writes(), 1u);
  box_.begin_delivery(false);
  box_.post(letters_[1]);
  EXPECT_EQ(writes(), 1u);
}

TEST_F(MailboxTest, ARingWithoutAResultWakesTheLoop) {
  box_.ring();
  EXPECT_TRUE(box_.is_rung());
  EXPECT_EQ(writes(), 1u);
  box_.begin_delivery(false);
  EXPECT_EQ(take(), "");
}

TEST_F(MailboxTest, AFullCounterIsReadableAllTheSame) {
  const uint64_t nearly_full = UINT64_MAX - 1;
  ASSERT_EQ(::write(box_.fd(), &nearly_full, sizeof nearly_full), ssize_t{sizeof nearly_full});
  box_.post(letters_[0]);
  EXPECT_EQ(writes(), nearly_full);
  EXPECT_EQ(take(), "a");
}

TEST_F(MailboxTest, OpeningAgainLeavesTheOldDescriptor) {
  // As the child of a fork, which shares the eventfd with its parent until then.
  const Fd parents(::dup(box_.fd()));
  ASSERT_TRUE(box_.open());
  box_.post(letters_[0]);
  EXPECT_EQ(writes(), 1u);
  uint64_t count = 0;
  EXPECT_EQ(::read(parents.get(), &count, sizeof count), -1);
}

TEST_F(MailboxTest, NoResultOfManyThreadsIsLostHoweverTheLoopWaits) {
  constexpr size_t kPosters = 3;
  constexpr size_t kRounds = 2000;
  // A letter per post: the threads determine which are in the box together.
  std::vector<std::vector<Letter>> posts(kPosters);
  for (auto& letters : posts) letters = std::vector<Letter>(kRounds);
  std::vector<std::thread> threads;
  for (auto& letters : posts) {
    threads.emplace_back([this, &letters] {
      for (Letter& letter : letters) box_.post(letter);
    });
  }
  size_t taken = 0;
  while (taken < kPosters * kRounds) {
    // In turns: look for a moment, or sleep without limit. A lost wake-up would make the test hang.
    box_.begin_looking();
    for (int looks = 0; looks < 10 && !box_.is_rung(); ++looks) std::this_thread::yield();
    box_.end_looking();
    const bool has_slept = !box_.is_rung();
    if (has_slept) {
      pollfd sleep{box_.fd(), POLLIN, 0};
      ASSERT_EQ(::poll(&sleep, 1, -1), 1);
    }
    box_.begin_delivery(has_slept);
    for (MpscLink* letter = box_.take_newest_first(); letter != nullptr; letter = letter->next) {
      ++taken;
    }
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(taken, kPosters * kRounds);
}

}  // namespace
}  // namespace rondo
