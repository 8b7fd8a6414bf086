// The kernel refuses to watch one of the library's own descriptors, as when
// fs.epoll.max_user_watches is reached: every affected handle must report an error, none may hang.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "io/fs/watch.h"
#include "io/process/ipc_channel.h"
#include "io/process/process.h"
#include "io/process/signal.h"
#include "loop/loop.h"
#include "support/faults.h"
#include "support/pipes.h"
#include "support/temp_dir.h"

namespace rondo {
namespace {

TEST(RefusedWatch, ALoopWithoutItsMailboxIsNotMade) {
  FaultPlan faults;
  faults.fail("epoll_ctl", ENOSPC, {.times = FaultPlan::kAlways});
  const Result<std::unique_ptr<Loop>> loop = Loop::create();
  ASSERT_FALSE(loop);
  EXPECT_EQ(loop.error().code, ENOSPC);
}

TEST(RefusedWatch, ASignalIsNotStarted) {
  Loop loop;
  auto signal = loop.make<Signal>();
  FaultPlan faults;
  faults.fail("epoll_ctl", ENOSPC);
  const Result<void> started = signal->start(SIGUSR1, [](Signal&, int) {});
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, ENOSPC);
  EXPECT_FALSE(signal->is_active());
  // It may succeed later.
  int calls = 0;
  ASSERT_TRUE(signal->start(SIGUSR1, [&calls](Signal& self, int) {
    ++calls;
    self.stop();
  }));
  ::raise(SIGUSR1);
  loop.run();
  EXPECT_EQ(calls, 1);
}

TEST(RefusedWatch, AChildWhoseEndCouldNotBeReportedIsNotStarted) {
  Loop loop;
  auto process = loop.make<Process>();
  FaultPlan faults;
  faults.fail("epoll_ctl", ENOMEM);
  ProcessOptions options;
  options.file = "true";
  const Result<void> spawned =
      process->spawn(options, [](Process&, Result<ProcessExit>) { ADD_FAILURE(); });
  ASSERT_FALSE(spawned);
  EXPECT_EQ(spawned.error().code, ENOMEM);
  loop.run();
}

TEST(RefusedWatch, FileWatchersGetAnErrorAndStop) {
  Loop loop;
  TempDir dir;
  auto first = loop.make<FsWatch>();
  auto second = loop.make<FsWatch>();
  std::string events;
  const auto on_change = [&events](FsWatch& self, Result<FsWatch::Change> change) {
    events += change ? "change " : std::string(change.error().name()) + ' ';
    EXPECT_EQ(self.is_active(), change.has_value());
    if (change) self.stop();
  };
  ASSERT_TRUE(first->start(dir.path(), on_change));
  ASSERT_TRUE(second->start(dir.path(), on_change));
  {
    FaultPlan faults;
    faults.fail("epoll_ctl", ENOSPC);
    loop.run();  // Returns.
  }
  EXPECT_EQ(events, "ENOSPC ENOSPC ");
  ASSERT_TRUE(first->start(dir.path(), on_change));
  dir.write("new", "");
  loop.run();
  EXPECT_EQ(events, "ENOSPC ENOSPC change ");
}

// The two ends of a channel, and what each received.
struct Ends {
  Ends() {
    const auto on_written = [this](size_t count, Result<void> outcome) {
      events += std::to_string(count) + (outcome ? " written " : " lost ");
    };
    EXPECT_TRUE(left->start([this](std::span<const char> text) { note(text); }, on_written));
    EXPECT_TRUE(right->start([this](std::span<const char> text) { note(text); }, nullptr));
  }
  void note(std::span<const char> text) {
    events += text.empty() ? "end " : "text ";
    if (text.empty() && !left->is_closing()) left->close();
    if (text.empty() && !right->is_closing()) right->close();
  }

  Loop loop;
  SocketPair pair;
  Owned<IpcChannel> left = loop.make<IpcChannel>(std::move(pair.left), IpcChannel::Framing::lines);
  Owned<IpcChannel> right =
      loop.make<IpcChannel>(std::move(pair.right), IpcChannel::Framing::lines);
  std::string events;
};

TEST(RefusedWatch, AChannelEnds) {
  Ends ends;
  FaultPlan faults;
  faults.fail("epoll_ctl", ENOSPC);
  ends.loop.run();  // Returns.
  EXPECT_EQ(ends.events, "end ");
}

TEST(RefusedWatch, QueuedMessagesOfAChannelAreReportedAsLost) {
  Ends ends;
  ends.right->set_ref(false);
  ends.loop.run_nowait();
  const Result<IpcChannel::Sent> sent = ends.left->write(std::string(1 << 20, 'x') + "\n");
  ASSERT_TRUE(sent);
  EXPECT_EQ(*sent, IpcChannel::Sent::queued);
  FaultPlan faults;
  faults.fail("epoll_ctl", ENOSPC);
  ends.loop.run();  // Returns.
  EXPECT_EQ(ends.events, "1 lost end ");
}

// Otherwise the other end would take the next message for the rest of this one.
TEST(IpcChannel, AMessageThatFailsInTheMiddleEndsTheChannelForTheOtherSide) {
  Ends ends;
  ends.loop.run_nowait();
  ASSERT_TRUE(ends.left->write(std::string(1 << 20, 'x') + "\n"));
  {
    FaultPlan faults;
    faults.fail("sendmsg", ENOMEM);
    while (ends.events.empty()) ends.loop.run_once();
  }
  EXPECT_FALSE(ends.left->write("next\n"));
  ends.loop.run();
  EXPECT_EQ(ends.events, "1 lost end ");
}

}  // namespace
}  // namespace rondo
