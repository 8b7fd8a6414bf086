#include "io/process/ipc_channel.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <vector>

#include "loop/loop.h"
#include "support/faults.h"

namespace rondo {
namespace {

using Framing = IpcChannel::Framing;

// Two connected channels, and the messages that each received, then "<end>".
class Pair {
 public:
  explicit Pair(Framing framing = Framing::lines) {
    int ends[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    left = loop.make<IpcChannel>(Fd(ends[0]), framing);
    right = loop.make<IpcChannel>(Fd(ends[1]), framing);
    EXPECT_TRUE(left->start([this](std::span<const char> text) { note(heard_left, text); },
                            [this](size_t count, Result<void> outcome) {
                              written += count;
                              if (!outcome) error = outcome.error().code;
                            }));
    EXPECT_TRUE(right->start(
        [this](std::span<const char> text) {
          note(heard_right, text);
          if (on_right) on_right();
        },
        nullptr));
  }
  void run_until(const std::string& heard) {
    for (int i = 0; i < 10000 && heard_right.find(heard) == std::string::npos; ++i) loop.run_once();
  }

  Loop loop;
  Owned<IpcChannel> left;
  Owned<IpcChannel> right;
  std::string heard_left;
  std::string heard_right;
  size_t written = 0;
  int error = 0;
  std::function<void()> on_right;

 private:
  static void note(std::string& heard, std::span<const char> text) {
    heard += text.empty() ? "<end>" : std::string(text.begin(), text.end());
  }
};

TEST(IpcChannel, MessagesArriveWholeAndInOrder) {
  Pair pair;
  ASSERT_TRUE(pair.left->write("one\ntwo\nthr"));
  pair.run_until("two\n");
  EXPECT_EQ(pair.heard_right, "one\ntwo\n");
  ASSERT_TRUE(pair.left->write("ee\n"));
  pair.run_until("three\n");
  EXPECT_EQ(pair.heard_right, "one\ntwo\nthree\n");
  pair.left->close();
  pair.run_until("<end>");
  EXPECT_EQ(pair.heard_right, "one\ntwo\nthree\n<end>");
}

TEST(IpcChannel, SizesFrameMessages) {
  Pair pair(Framing::sized);
  const std::string first("\0\0\0\3abc", 7);
  const std::string second("\0\0\0\0", 4);
  ASSERT_TRUE(pair.left->write(first + second + std::string("\0\0\0", 3)));
  pair.run_until(first + second);
  EXPECT_EQ(pair.heard_right, first + second);
  ASSERT_TRUE(pair.left->write(std::string("\1x", 2)));
  pair.run_until("x");
  EXPECT_EQ(pair.heard_right, first + second + std::string("\0\0\0\1x", 5));
}

TEST(IpcChannel, LargeWritesWaitForTheReaderAndReportTheirEnd) {
  Pair pair;
  const std::string message = std::string(2 << 20, 'x') + "\n";
  Result<IpcChannel::Sent> sent = pair.left->write(message);
  ASSERT_TRUE(sent);
  EXPECT_EQ(*sent, IpcChannel::Sent::queued);
  EXPECT_GT(pair.left->queued_bytes(), 0U);
  ASSERT_TRUE(pair.left->write("last\n"));
  pair.run_until("last\n");
  EXPECT_EQ(pair.heard_right, message + "last\n");
  EXPECT_EQ(pair.written, 2U);
  EXPECT_EQ(pair.left->queued_bytes(), 0U);
}

TEST(IpcChannel, ShortWritesLoseNothing) {
  FaultPlan faults;
  faults.shorten("sendmsg", 1);
  Pair pair;
  ASSERT_TRUE(pair.left->write("a message\n"));
  pair.run_until("message\n");
  EXPECT_EQ(pair.heard_right, "a message\n");
}

TEST(IpcChannel, DescriptorsArriveInOrder) {
  Pair pair;
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const Fd reader(ends[0]);
  Fd writer(ends[1]);
  // The first message is queued, so that both ways of sending are tested.
  ASSERT_TRUE(pair.left->write(std::string(2 << 20, 'x') + "\n"));
  ASSERT_TRUE(pair.left->write("writer\n", writer.get()));
  writer.reset();  // The channel has its own duplicate.
  pair.run_until("writer\n");
  ASSERT_TRUE(pair.left->write("reader\n", reader.get()));
  pair.run_until("reader\n");
  const Fd first(pair.right->take_descriptor());
  const Fd second(pair.right->take_descriptor());
  ASSERT_TRUE(first);
  ASSERT_TRUE(second);
  EXPECT_EQ(pair.right->take_descriptor(), -1);
  ASSERT_EQ(::write(first.get(), "hi", 2), 2);
  char text[2];
  ASSERT_EQ(::read(second.get(), text, sizeof text), 2);
  EXPECT_EQ(::fcntl(first.get(), F_GETFD), FD_CLOEXEC);
}

TEST(IpcChannel, WritingWithoutAReceiverFails) {
  Pair pair;
  pair.right->close();
  const Result<IpcChannel::Sent> sent = pair.left->write("x\n");
  ASSERT_FALSE(sent);
  EXPECT_EQ(sent.error().code, EPIPE);
}

TEST(IpcChannel, QueuedMessagesAreLostWithTheReader) {
  Pair pair;
  ASSERT_TRUE(pair.left->write(std::string(2 << 20, 'x') + "\n"));
  pair.right->close();
  for (int i = 0; i < 100 && pair.written == 0; ++i) pair.loop.run_once();
  EXPECT_EQ(pair.written, 1U);
  EXPECT_EQ(pair.error, EPIPE);
}

TEST(IpcChannel, ClosingInsideTheCallbackIsTheEnd) {
  Pair pair;
  pair.on_right = [&] { pair.right->close(); };
  ASSERT_TRUE(pair.left->write("one\n"));
  pair.run_until("one\n");
  static_cast<void>(pair.left->write("two\n"));
  pair.loop.run_nowait();
  EXPECT_EQ(pair.heard_right, "one\n");
  EXPECT_EQ(pair.heard_left, "<end>");
  EXPECT_FALSE(pair.right->is_open());
}

TEST(IpcChannel, WithoutARefItDoesNotKeepTheLoopAliveButItsWritesDo) {
  Pair pair;
  pair.left->set_ref(false);
  pair.right->set_ref(false);
  pair.loop.run();  // Returns.
  ASSERT_TRUE(pair.left->write(std::string(1 << 20, 'x') + "\n"));
  pair.loop.run();
  EXPECT_EQ(pair.written, 1U);
}

}  // namespace
}  // namespace rondo
