// The mailbox by itself; how a loop uses it is tested with Async and Work. "The loop" is this
// thread, and whether it was rung is read from the eventfd, which the loop itself never reads.
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
  // How often the eventfd was written since the last time this was asked.
  uint64_t rings() {
    uint64_t count = 0;
    return ::read(box_.fd(), &count, sizeof count) == ssize_t{sizeof count} ? count : 0;
  }
  // As many letters as are in the box, each as its place in `letters_`.
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

TEST_F(MailboxTest, LettersComeOutOldestFirst) {
  EXPECT_TRUE(box_.is_empty());
  EXPECT_EQ(take(), "");
  for (Letter& letter : letters_) box_.post(letter);
  EXPECT_FALSE(box_.is_empty());
  EXPECT_EQ(take(), "abcd");
  EXPECT_TRUE(box_.is_empty());
  box_.post(letters_[1]);  // A letter that was taken may be posted again.
  EXPECT_EQ(take(), "b");
}

TEST_F(MailboxTest, PostingToALoopThatIsAwakeCostsNoSystemCall) {
  box_.post(letters_[0]);
  box_.nudge();
  EXPECT_EQ(rings(), 0u);
}

TEST_F(MailboxTest, OfManyPostersDuringOneSleepOneRings) {
  ASSERT_TRUE(box_.prepare_to_sleep());
  box_.post(letters_[0]);
  box_.post(letters_[1]);
  box_.nudge();
  EXPECT_EQ(rings(), 1u);
  box_.woke();
  EXPECT_EQ(take(), "ab");
}

TEST_F(MailboxTest, EverySleepIsRungAfresh) {
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(box_.prepare_to_sleep());
    box_.post(letters_[0]);
    EXPECT_EQ(rings(), 1u);
    box_.woke();
    EXPECT_EQ(take(), "a");
  }
}

TEST_F(MailboxTest, AfterASleepThatEndedByItselfNobodyRings) {
  ASSERT_TRUE(box_.prepare_to_sleep());
  box_.woke();
  box_.post(letters_[0]);
  EXPECT_EQ(rings(), 0u);
}

TEST_F(MailboxTest, WithMailInTheBoxTheLoopMustNotSleep) {
  box_.post(letters_[0]);
  EXPECT_FALSE(box_.prepare_to_sleep());
  // It said so and stayed awake: whoever posts now need not ring.
  box_.post(letters_[1]);
  EXPECT_EQ(rings(), 0u);
  EXPECT_EQ(take(), "ab");
  EXPECT_TRUE(box_.prepare_to_sleep());
}

TEST_F(MailboxTest, ANudgeKeepsTheLoopFromSleepingOnce) {
  box_.nudge();
  box_.nudge();
  EXPECT_FALSE(box_.prepare_to_sleep());
  EXPECT_TRUE(box_.prepare_to_sleep());
}

TEST_F(MailboxTest, ANudgeEndsASleepWithNothingToDeliver) {
  ASSERT_TRUE(box_.prepare_to_sleep());
  box_.nudge();
  EXPECT_EQ(rings(), 1u);
  EXPECT_TRUE(box_.is_empty());
}

TEST_F(MailboxTest, AFullCounterIsAsGoodAsARing) {
  // Nobody reads the eventfd, so in principle it can fill up; the edge is there all the same.
  const uint64_t nearly_full = UINT64_MAX - 1;
  ASSERT_EQ(::write(box_.fd(), &nearly_full, sizeof nearly_full), ssize_t{sizeof nearly_full});
  ASSERT_TRUE(box_.prepare_to_sleep());
  box_.post(letters_[0]);
  EXPECT_EQ(rings(), nearly_full);
  EXPECT_EQ(take(), "a");
}

TEST_F(MailboxTest, OpeningAgainLeavesTheOldDescriptor) {
  // As the child of a fork does, which shares the eventfd with its parent until then.
  const Fd parents(::dup(box_.fd()));
  ASSERT_TRUE(box_.open());
  ASSERT_TRUE(box_.prepare_to_sleep());
  box_.post(letters_[0]);
  EXPECT_EQ(rings(), 1u);
  uint64_t count = 0;
  EXPECT_EQ(::read(parents.get(), &count, sizeof count), -1);
}

TEST_F(MailboxTest, NoLetterOfManyThreadsIsLostHoweverTheySleepAndRing) {
  constexpr size_t kPosters = 3;
  constexpr size_t kRounds = 2000;
  // A letter per post: which of them lie in the box together depends on the threads.
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
    if (box_.prepare_to_sleep()) {
      // Without limit: a wake-up that is lost shows as a test that does not end.
      pollfd sleep{box_.fd(), POLLIN, 0};
      ASSERT_EQ(::poll(&sleep, 1, -1), 1);
      rings();
      box_.woke();
    }
    for (MpscLink* letter = box_.take_newest_first(); letter != nullptr; letter = letter->next) {
      ++taken;
    }
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(taken, kPosters * kRounds);
  EXPECT_TRUE(box_.is_empty());
}

}  // namespace
}  // namespace rondo
