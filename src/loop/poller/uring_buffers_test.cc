#include "loop/poller/uring_buffers.h"

#include <gtest/gtest.h>
#include <linux/io_uring.h>
#include <unistd.h>

#include <chrono>
#include <set>
#include <string>
#include <string_view>

#include "loop/poller/uring_ring.h"
#include "support/pipes.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

class UringBuffersTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (Result<void> opened = ring_.open(8, 32); !opened) {
      GTEST_SKIP() << "SKIPPED: this system refuses io_uring: " << opened.error().message();
    }
    ASSERT_TRUE(buffers_.open(ring_));
  }
  struct Received {
    int32_t result;
    uint32_t id;
  };
  // Lets the kernel read `text` from the pipe into a buffer of its choice.
  Received receive(std::string_view text) {
    EXPECT_EQ(::write(pipe_.in.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
    io_uring_sqe* entry = ring_.claim();
    entry->opcode = IORING_OP_READ;
    entry->fd = pipe_.out.get();
    entry->len = UringBuffers::kSize;
    entry->flags = IOSQE_BUFFER_SELECT;
    entry->buf_group = UringBuffers::kGroup;
    while (ring_.next() == nullptr) ring_.enter(10s);
    const io_uring_cqe* completion = ring_.next();
    const Received received{completion->res, completion->flags >> IORING_CQE_BUFFER_SHIFT};
    ring_.advance();
    return received;
  }
  std::string text_at(const Received& received) {
    const auto bytes = buffers_.at(received.id, static_cast<size_t>(received.result));
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  // Takes every buffer that the kernel knows of, and the ids of all.
  std::set<uint32_t> take_all() {
    std::set<uint32_t> ids;
    for (;;) {
      const Received received = receive("x");
      if (received.result != 1) break;
      ids.insert(received.id);
    }
    drain(pipe_.out.get());
    return ids;
  }

  UringRing ring_;
  UringBuffers buffers_;
  Pipe pipe_;
};

TEST_F(UringBuffersTest, TheKernelPicksOneAndSaysWhich) {
  EXPECT_TRUE(buffers_.is_open());
  const Received first = receive("hello");
  const Received second = receive("world!");
  EXPECT_NE(first.id, second.id);
  EXPECT_EQ(text_at(first), "hello");
  EXPECT_EQ(text_at(second), "world!");
}

TEST_F(UringBuffersTest, ABufferTakesAllOfItsSizeAndNoByteOfItsNeighbour) {
  const std::string full(UringBuffers::kSize, 'f');
  const Received first = receive(full);
  const Received second = receive(std::string(UringBuffers::kSize, 's'));
  ASSERT_EQ(first.result, static_cast<int32_t>(UringBuffers::kSize));
  EXPECT_EQ(text_at(first), full);
  EXPECT_EQ(text_at(second).find('f'), std::string::npos);
}

TEST_F(UringBuffersTest, EachIsHandedOutOnceUntilItComesBack) {
  EXPECT_EQ(take_all().size(), size_t{UringBuffers::kAtFirst});
  EXPECT_EQ(receive("nobody has room").result, -ENOBUFS);
  drain(pipe_.out.get());
  buffers_.recycle(7);
  const Received received = receive("seven");
  EXPECT_EQ(received.id, 7u);
  EXPECT_EQ(text_at(received), "seven");
}

TEST_F(UringBuffersTest, ThereAreTwiceAsManyEachTimeTheyRanOut) {
  size_t known = UringBuffers::kAtFirst;
  std::set<uint32_t> taken = take_all();
  while (known < UringBuffers::kCount) {
    buffers_.grow();
    const std::set<uint32_t> more = take_all();
    EXPECT_EQ(more.size(), known);
    taken.insert(more.begin(), more.end());
    known *= 2;
    EXPECT_EQ(taken.size(), known);  // None was handed out twice.
  }
  buffers_.grow();
  EXPECT_EQ(receive("these were all").result, -ENOBUFS);
  drain(pipe_.out.get());
  buffers_.recycle(UringBuffers::kCount - 1);
  EXPECT_EQ(receive("x").id, UringBuffers::kCount - 1);
}

TEST_F(UringBuffersTest, NoneIsLostHoweverOftenTheRingGoesRound) {
  for (uint32_t i = 0; i < 3 * UringBuffers::kCount; ++i) {
    const Received received = receive("x");
    ASSERT_EQ(received.result, 1);
    buffers_.recycle(received.id);
  }
  EXPECT_EQ(take_all().size(), size_t{UringBuffers::kAtFirst});
}

TEST_F(UringBuffersTest, ASecondGroupOfTheSameNumberIsRefusedAndLeavesNothingBehind) {
  UringBuffers second;
  Result<void> opened = second.open(ring_);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, EEXIST);
  EXPECT_STREQ(opened.error().syscall, "io_uring_register");
  EXPECT_FALSE(second.is_open());
  EXPECT_EQ(text_at(receive("still")), "still");
}

TEST_F(UringBuffersTest, CanBeClosedAndOpenedAgainWithAnotherRing) {
  EXPECT_EQ(receive("x").result, 1);
  ring_.close();
  buffers_.close();
  buffers_.close();
  EXPECT_FALSE(buffers_.is_open());
  ASSERT_TRUE(ring_.open(8, 32));
  ASSERT_TRUE(buffers_.open(ring_));
  EXPECT_EQ(take_all().size(), size_t{UringBuffers::kAtFirst});
}

using UringBuffersDeathTest = UringBuffersTest;

TEST_F(UringBuffersDeathTest, KnowsWhichThereAre) {
  EXPECT_DEATH((void)buffers_.at(UringBuffers::kCount, 1), "id < known_");
  EXPECT_DEATH((void)buffers_.at(0, UringBuffers::kSize + 1), "size <= kSize");
  EXPECT_DEATH(buffers_.recycle(UringBuffers::kCount), "id < known_");
}

}  // namespace
}  // namespace rondo
