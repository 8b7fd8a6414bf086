#include "io/tty/tty.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <string>

#include "loop/loop.h"
#include "support/temp_dir.h"

namespace rondo {
namespace {

// A pseudo-terminal: the test presses its keys and reads its screen.
class Terminal {
 public:
  Terminal() {
    int master = -1, slave = -1;
    EXPECT_EQ(::openpty(&master, &slave, nullptr, nullptr, nullptr), 0);
    master_ = Fd(master);
    slave_ = Fd(slave);
    for (int fd : {master, slave}) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  }
  int fd() const { return slave_.get(); }
  int master() const { return master_.get(); }
  void hang_up() {
    slave_.reset();
    master_.reset();
  }

  void press(std::string_view keys) const {
    ASSERT_EQ(::write(master(), keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
  }
  // Waits for this many bytes on the screen.
  std::string screen(size_t size) const {
    std::string text;
    char buffer[4096];
    while (text.size() < size) {
      const ssize_t count = ::read(master(), buffer, std::min(sizeof buffer, size - text.size()));
      if (count <= 0) break;
      text.append(buffer, static_cast<size_t>(count));
    }
    return text;
  }
  bool has_more_on_screen() const {
    pollfd ready{master(), POLLIN, 0};
    return ::poll(&ready, 1, 0) == 1;
  }
  termios attributes() const {
    termios now{};
    EXPECT_EQ(::tcgetattr(fd(), &now), 0);
    return now;
  }
  bool is_as(const termios& before) const {
    const termios now = attributes();
    return now.c_iflag == before.c_iflag && now.c_oflag == before.c_oflag &&
           now.c_cflag == before.c_cflag && now.c_lflag == before.c_lflag &&
           std::memcmp(now.c_cc, before.c_cc, sizeof now.c_cc) == 0;
  }
  void resize(int columns, int rows) const {
    winsize size{};
    size.ws_col = static_cast<unsigned short>(columns);
    size.ws_row = static_cast<unsigned short>(rows);
    ASSERT_EQ(::ioctl(master(), TIOCSWINSZ, &size), 0);
  }

 private:
  Fd master_, slave_;
};

bool is_nonblocking(int fd) { return (::fcntl(fd, F_GETFL) & O_NONBLOCK) != 0; }

// Reads until this many bytes have arrived, or the end.
std::string read_some(Loop& loop, Tty& tty, size_t size) {
  std::string text;
  bool is_over = false;
  EXPECT_TRUE(tty.read_start([&](Stream& self, Result<std::span<std::byte>> data) {
    is_over = !data || data->empty();
    if (is_over) return;
    text.append(reinterpret_cast<const char*>(data->data()), data->size());
    if (text.size() >= size) self.read_stop();
  }));
  while (!is_over && tty.is_reading()) loop.run_once();
  return text;
}

TEST(GuessHandle, DetectsTheKindOfADescriptor) {
  TempDir dir;
  Terminal terminal;
  const auto kind_of = [](int fd) {
    const Fd owned(fd);
    return guess_handle(owned.get());
  };
  EXPECT_EQ(kind_of(::open(dir.write("file", "").c_str(), O_RDONLY | O_CLOEXEC)), FdKind::file);
  EXPECT_EQ(kind_of(::open("/dev/null", O_RDONLY | O_CLOEXEC)), FdKind::file);
  EXPECT_EQ(kind_of(::open(dir.path().c_str(), O_RDONLY | O_CLOEXEC)), FdKind::unknown);
  EXPECT_EQ(kind_of(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)), FdKind::tcp);
  EXPECT_EQ(kind_of(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)), FdKind::udp);
  EXPECT_EQ(kind_of(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)), FdKind::pipe);
  EXPECT_EQ(kind_of(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)), FdKind::unknown);
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  EXPECT_EQ(kind_of(ends[0]), FdKind::pipe);
  EXPECT_EQ(kind_of(ends[1]), FdKind::pipe);
  EXPECT_EQ(guess_handle(terminal.fd()), FdKind::tty);
  EXPECT_EQ(guess_handle(-1), FdKind::unknown);
  EXPECT_EQ(guess_handle(987), FdKind::unknown);
  EXPECT_TRUE(Tty::is_tty(terminal.fd()));
  EXPECT_FALSE(Tty::is_tty(987));
}

TEST(Tty, OnlyTerminalsCanBeOpened) {
  Loop loop;
  auto tty = loop.make<Tty>();
  const Fd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  EXPECT_EQ(tty->open(null.get()).error().code, ENOTTY);
  EXPECT_EQ(tty->open(987).error().code, EBADF);
  EXPECT_FALSE(tty->is_open());
  EXPECT_FALSE(tty->set_mode(Tty::Mode::raw));
  EXPECT_FALSE(tty->window_size());
  EXPECT_FALSE(tty->watch_size([](Tty&, Tty::Size) {}));
  Terminal terminal;
  ASSERT_TRUE(tty->open(terminal.fd()));
  EXPECT_EQ(tty->open(terminal.fd()).error().code, EISCONN);
}

TEST(Tty, ReadsLinesAndWritesThem) {
  Loop loop;
  Terminal terminal;
  auto tty = loop.make<Tty>();
  ASSERT_TRUE(tty->open(terminal.fd()));
  terminal.press("hello\n");
  EXPECT_EQ(read_some(loop, *tty, 6), "hello\n");
  EXPECT_EQ(terminal.screen(7), "hello\r\n");  // The echo.
  tty->write("world\n");
  loop.run();
  EXPECT_EQ(terminal.screen(7), "world\r\n");
}

TEST(Tty, LeavesTheDescriptionOfOthersBlocking) {
  Loop loop;
  Terminal terminal;
  auto tty = loop.make<Tty>();
  ASSERT_TRUE(tty->open(terminal.fd()));
  EXPECT_NE(tty->fd(), terminal.fd());
  EXPECT_TRUE(is_nonblocking(tty->fd()));
  EXPECT_FALSE(is_nonblocking(terminal.fd()));
  EXPECT_NE(::fcntl(tty->fd(), F_GETFD) & FD_CLOEXEC, 0);
}

TEST(Tty, WhereTheDescriptionMustBeSharedItBlocksAgainAfterClose) {
  Loop loop;
  Terminal terminal;
  auto master = loop.make<Tty>();
  ASSERT_TRUE(master->open(terminal.master()));
  EXPECT_TRUE(is_nonblocking(terminal.master()));
  ASSERT_EQ(::write(terminal.fd(), "out", 3), 3);
  EXPECT_EQ(read_some(loop, *master, 3), "out");
  master.reset();
  loop.run();
  EXPECT_FALSE(is_nonblocking(terminal.master()));
  EXPECT_EQ(::fcntl(terminal.master(), F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);  // Still open.
}

TEST(Tty, RawModeGivesKeysAsTheyArePressed) {
  Loop loop;
  Terminal terminal;
  auto tty = loop.make<Tty>();
  ASSERT_TRUE(tty->open(terminal.fd()));
  ASSERT_TRUE(tty->set_mode(Tty::Mode::raw));
  EXPECT_EQ(tty->mode(), Tty::Mode::raw);
  terminal.press("a\r\x03\x04");
  EXPECT_EQ(read_some(loop, *tty, 4), "a\r\x03\x04");
  EXPECT_FALSE(terminal.has_more_on_screen());  // No echo.
  tty->write("x\n");
  loop.run();
  EXPECT_EQ(terminal.screen(3), "x\r\n");
}

TEST(Tty, IoModeChangesNoByte) {
  Loop loop;
  Terminal terminal;
  auto tty = loop.make<Tty>();
  ASSERT_TRUE(tty->open(terminal.fd()));
  ASSERT_TRUE(tty->set_mode(Tty::Mode::io));
  tty->write("x\ny");
  loop.run();
  EXPECT_EQ(terminal.screen(3), "x\ny");
  ASSERT_TRUE(tty->set_mode(Tty::Mode::raw));  // From one to the other.
  tty->write("\n");
  loop.run();
  EXPECT_EQ(terminal.screen(2), "\r\n");
}

TEST(Tty, NormalModeAndCloseBothRestoreTheOriginalMode) {
  Loop loop;
  Terminal terminal;
  termios peculiar = terminal.attributes();
  peculiar.c_cc[VINTR] = 7;
  peculiar.c_lflag &= ~static_cast<tcflag_t>(ECHO);
  ASSERT_EQ(::tcsetattr(terminal.fd(), TCSANOW, &peculiar), 0);
  auto tty = loop.make<Tty>();
  ASSERT_TRUE(tty->open(terminal.fd()));
  for (Tty::Mode mode : {Tty::Mode::raw, Tty::Mode::io}) {
    ASSERT_TRUE(tty->set_mode(mode));
    EXPECT_FALSE(terminal.is_as(peculiar));
    ASSERT_TRUE(tty->set_mode(Tty::Mode::normal));
    EXPECT_TRUE(terminal.is_as(peculiar));
  }
  ASSERT_TRUE(tty->set_mode(Tty::Mode::io));
  tty.reset();
  EXPECT_TRUE(terminal.is_as(peculiar));
}

TEST(Tty, TheLastOfSeveralHandlesPutsBackTheMode) {
  Loop loop;
  Terminal terminal;
  const termios before = terminal.attributes();
  for (bool first_goes_first : {true, false}) {
    auto first = loop.make<Tty>(), second = loop.make<Tty>();
    ASSERT_TRUE(first->open(terminal.fd()));
    ASSERT_TRUE(second->open(terminal.fd()));
    ASSERT_TRUE(first->set_mode(Tty::Mode::raw));
    ASSERT_TRUE(second->set_mode(Tty::Mode::raw));
    (first_goes_first ? first : second).reset();
    EXPECT_FALSE(terminal.is_as(before));
    first.reset();
    second.reset();
    EXPECT_TRUE(terminal.is_as(before));
  }
}

TEST(Tty, ResetModePutsBackEveryTerminalEvenInASignalHandler) {
  Loop loop;
  Terminal one, two;
  const termios before_one = one.attributes(), before_two = two.attributes();
  auto first = loop.make<Tty>(), second = loop.make<Tty>();
  ASSERT_TRUE(first->open(one.fd()));
  ASSERT_TRUE(second->open(two.fd()));
  EXPECT_TRUE(Tty::reset_mode());  // Nothing to do.
  ASSERT_TRUE(first->set_mode(Tty::Mode::raw));
  ASSERT_TRUE(second->set_mode(Tty::Mode::io));
  struct sigaction action {
  }, saved{};
  action.sa_handler = [](int) { (void)Tty::reset_mode(); };
  ::sigaction(SIGUSR1, &action, &saved);
  ::raise(SIGUSR1);
  ::sigaction(SIGUSR1, &saved, nullptr);
  EXPECT_TRUE(one.is_as(before_one));
  EXPECT_TRUE(two.is_as(before_two));
  ASSERT_TRUE(first->set_mode(Tty::Mode::raw));  // Again, as after a stop and a continuation.
  EXPECT_FALSE(one.is_as(before_one));
  first.reset();
  second.reset();
  loop.run();
  EXPECT_TRUE(one.is_as(before_one));
}

TEST(Tty, AProgramInTheBackgroundLeavesTheTerminalAloneAndIsNotStopped) {
  Terminal terminal;
  const pid_t pid = ::fork();
  if (pid == 0) {
    // A session on this terminal, with another process group in the foreground.
    if (::setsid() < 0 || ::ioctl(terminal.fd(), TIOCSCTTY, 0) < 0) ::_exit(1);
    Loop loop;
    auto tty = loop.make<Tty>();
    if (!tty->open(terminal.fd()) || !tty->set_mode(Tty::Mode::raw)) ::_exit(2);
    const termios raw = terminal.attributes();
    const pid_t other = ::fork();
    if (other == 0) {
      ::setpgid(0, 0);
      while (true) ::pause();
    }
    ::setpgid(other, other);
    ::signal(SIGTTOU, SIG_IGN);
    if (::tcsetpgrp(terminal.fd(), other) < 0) ::_exit(3);
    ::signal(SIGTTOU, SIG_DFL);
    const bool is_reset = static_cast<bool>(Tty::reset_mode());
    tty.reset();
    const bool is_untouched = terminal.is_as(raw);
    ::kill(other, SIGKILL);
    ::_exit(is_reset && is_untouched ? 0 : 4);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(pid, &status, WUNTRACED), pid);
  if (WIFSTOPPED(status)) {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
  }
  EXPECT_EQ(status, 0);
}

TEST(Tty, ReportsTheSizeAndItsChanges) {
  Loop loop;
  Terminal terminal, other;
  terminal.resize(80, 24);
  auto tty = loop.make<Tty>();
  ASSERT_TRUE(tty->open(terminal.fd()));
  EXPECT_EQ(*tty->window_size(), (Tty::Size{80, 24}));
  std::string order;
  ASSERT_TRUE(tty->watch_size([&](Tty&, Tty::Size size) {
    EXPECT_EQ(loop.phase(), Phase::poll);
    order += std::to_string(size.columns) + "x" + std::to_string(size.rows) + " ";
  }));
  EXPECT_FALSE(loop.is_alive());
  // The kernel signals the foreground processes of the terminal, which the test is not.
  ::raise(SIGWINCH);  // Could be for another terminal.
  loop.run_nowait();
  auto timer = loop.make<Timer>();
  timer->start(Millis{0}, [&](Timer&) {
    terminal.resize(100, 40);
    ::raise(SIGWINCH);
    ::raise(SIGWINCH);
  });
  loop.run();
  // Keeps the loop alive until the resize is reported.
  const auto until_reported = [&order](Timer& self) {
    if (!order.empty()) self.stop();
  };
  timer->start(Millis{0}, until_reported, Millis{1});
  loop.run();
  EXPECT_EQ(order, "100x40 ");
  ASSERT_TRUE(tty->watch_size(nullptr));
  terminal.resize(10, 10);
  ::raise(SIGWINCH);
  loop.run_nowait();
  EXPECT_EQ(order, "100x40 ");
}

TEST(Tty, MayBeClosedInTheResizeCallback) {
  Loop loop;
  Terminal terminal;
  auto tty = loop.make<Tty>();
  auto timer = loop.make<Timer>();
  ASSERT_TRUE(tty->open(terminal.fd()));
  ASSERT_TRUE(tty->watch_size([&](Tty&, Tty::Size) {
    tty.reset();
    timer.reset();
  }));
  terminal.resize(33, 22);
  ::raise(SIGWINCH);
  timer->start(
      Millis{1}, [](Timer&) {}, Millis{1});
  loop.run();  // Ends only if the resize is reported.
  EXPECT_EQ(tty, nullptr);
}

TEST(Tty, TheEndOfTheOtherSideIsTheEndOfTheStream) {
  Loop loop;
  Terminal terminal;
  auto tty = loop.make<Tty>();
  ASSERT_TRUE(tty->open(terminal.fd()));
  bool is_over = false;
  ASSERT_TRUE(tty->read_start([&](Stream&, Result<std::span<std::byte>> data) {
    EXPECT_TRUE(data);
    is_over = data && data->empty();
  }));
  ASSERT_TRUE(tty->set_mode(Tty::Mode::raw));
  terminal.hang_up();
  loop.run();
  EXPECT_TRUE(is_over);
  tty.reset();  // There is no mode to restore any more.
  loop.run();
}

TEST(Tty, WritesWaitForATerminalThatDoesNotRead) {
  Loop loop;
  Terminal terminal;
  auto tty = loop.make<Tty>();
  ASSERT_TRUE(tty->open(terminal.fd()));
  ASSERT_TRUE(tty->set_mode(Tty::Mode::io));
  constexpr size_t kSize = 300'000;
  bool is_written = false;
  tty->write(std::string(kSize, 'x'),
             [&](Stream&, Result<void> outcome) { is_written = outcome.has_value(); });
  EXPECT_GT(tty->queued_bytes(), 0U);
  EXPECT_FALSE(is_nonblocking(terminal.fd()));
  size_t seen = 0;
  auto idle = loop.make<Idle>();
  idle->start([&](Hook& self) {
    while (seen < kSize && terminal.has_more_on_screen()) {
      char buffer[4096];
      const ssize_t count = ::read(terminal.master(), buffer, sizeof buffer);
      if (count > 0) seen += static_cast<size_t>(count);
    }
    if (seen == kSize) self.close();
  });
  loop.run();
  EXPECT_TRUE(is_written);
  EXPECT_EQ(seen, kSize);
}

}  // namespace
}  // namespace rondo
