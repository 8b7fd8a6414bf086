#include "explore/fork_server.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/fd.h"
#include "support/temp_dir.h"

namespace rondo {
namespace {

// The beginning of an answer; lib/internal/explore/server.js reads the same layout.
struct AnswerHead {
  uint32_t how;
  int32_t code;
  uint32_t decisions;
  uint32_t diverged_at;
  uint32_t outside;
  uint32_t text_size;
  uint32_t kept[2];
};

class ForkServerTest : public testing::Test {
 protected:
  // Starts a server whose runs call `program`, which must not return.
  void start(void (*program)(ExploredRun&, const ExploredRun::Request&), std::string folder = "") {
    int ends[2];
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    channel_ = Fd(ends[0]);
    server_ = ::fork();
    ASSERT_GE(server_, 0);
    if (server_ == 0) {
      ::close(ends[0]);
      ExploredRun run;
      const ExploredRun::Request request = ForkServer(run, ends[1], std::move(folder)).serve();
      program(run, request);
      ::_exit(99);
    }
    ::close(ends[1]);
  }
  ~ForkServerTest() override {
    channel_.reset();
    if (server_ > 0) ::waitpid(server_, nullptr, 0);
  }

  void send(const std::string& text) {
    const auto size = static_cast<uint32_t>(text.size());
    std::string frame(reinterpret_cast<const char*>(&size), sizeof size);
    frame += text;
    ASSERT_EQ(::send(channel_.get(), frame.data(), frame.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(frame.size()));
  }
  // Receives a frame; empty at the end of the channel.
  std::string receive() {
    uint32_t size = 0;
    if (::recv(channel_.get(), &size, sizeof size, MSG_WAITALL) != sizeof size) return "";
    std::string text(size, '\0');
    EXPECT_EQ(::recv(channel_.get(), text.data(), size, MSG_WAITALL), static_cast<ssize_t>(size));
    return text;
  }
  AnswerHead ask(const std::string& question) {
    send(question);
    AnswerHead head{};
    text_ = receive();
    EXPECT_GE(text_.size(), sizeof head);
    if (text_.size() >= sizeof head) std::memcpy(&head, text_.data(), sizeof head);
    return head;
  }

  Fd channel_;
  pid_t server_ = -1;
  std::string text_;
};

void write_text(int fd, const std::string& text) {
  if (::write(fd, text.data(), text.size()) < 0) ::_exit(98);
}

TEST_F(ForkServerTest, EachRequestIsARunOfItsOwn) {
  start([](ExploredRun& run, const ExploredRun::Request& request) {
    write_text(STDOUT_FILENO, format_schedule(request.schedule));
    write_text(STDERR_FILENO, "no");
    run.note_outside(Outside::network);
    ::_exit(static_cast<int>(request.seed.value_or(7)));
  });
  AnswerHead head = ask("60000 0 - c1/2.b0/3");
  EXPECT_EQ(head.how, 0u);
  EXPECT_EQ(head.code, 7);
  EXPECT_EQ(head.outside, static_cast<uint32_t>(Outside::network));
  EXPECT_EQ(head.kept[0], 9u);
  EXPECT_EQ(head.kept[1], 2u);
  EXPECT_NE(text_.find("c1/2.b0/3no"), std::string::npos);
  head = ask("60000 0 5 ");
  EXPECT_EQ(head.code, 5);
  EXPECT_EQ(head.kept[0], 0u);
}

TEST_F(ForkServerTest, TheAnswerEndsWithThePortsThatTheProgramHasSeen) {
  start([](ExploredRun& run, const ExploredRun::Request& request) {
    for (uint64_t port = 1; port <= request.seed.value_or(0); ++port) {
      run.note_port(static_cast<uint16_t>(port));
      run.note_port(1);
    }
    ::_exit(0);
  });
  const auto last_port = [this] {
    uint16_t port = 0;
    std::memcpy(&port, text_.data() + text_.size() - sizeof port, sizeof port);
    return port;
  };
  ask("60000 0 - ");
  const size_t without = text_.size();
  ask("60000 0 3 ");
  EXPECT_EQ(text_.size(), without + 3 * sizeof(uint16_t));
  EXPECT_EQ(last_port(), 3);
  ask("60000 0 1000 ");
  EXPECT_EQ(text_.size(), without + RunRecord::kMostPorts * sizeof(uint16_t));
  EXPECT_EQ(last_port(), RunRecord::kMostPorts);
  ask("60000 0 - ");
  EXPECT_EQ(text_.size(), without);
}

TEST_F(ForkServerTest, ReportsASignalAndARunThatTakesTooLong) {
  start([](ExploredRun&, const ExploredRun::Request& request) {
    if (request.seed) ::raise(SIGKILL);
    for (;;) ::pause();
  });
  AnswerHead head = ask("60000 0 1 ");
  EXPECT_EQ(head.how, 1u);
  EXPECT_EQ(head.code, SIGKILL);
  head = ask("1 0 - ");
  EXPECT_EQ(head.how, 2u);
}

TEST_F(ForkServerTest, EachRunFindsItsFolderEmpty) {
  const TempDir temp;
  // The server removes this folder together with the folder of its runs, the last one in it.
  const std::string servers = temp / "servers";
  ASSERT_EQ(::mkdir(servers.c_str(), 0700), 0);
  start(
      [](ExploredRun&, const ExploredRun::Request&) {
        const std::string path = std::string(::getenv("TMPDIR")) + "/file";
        const bool is_there = ::access(path.c_str(), F_OK) == 0;
        std::fclose(std::fopen(path.c_str(), "we"));
        ::_exit(is_there ? 1 : 0);
      },
      servers + "/runs");
  EXPECT_EQ(ask("60000 0 - ").code, 0);
  EXPECT_EQ(ask("60000 0 - ").code, 0);
}

TEST_F(ForkServerTest, EndsAfterARequestThatItCannotRead) {
  start([](ExploredRun&, const ExploredRun::Request&) {});
  send("soon 0 - ");
  EXPECT_EQ(receive(), "");
  int status = -1;
  ASSERT_EQ(::waitpid(server_, &status, 0), server_);
  EXPECT_EQ(status, 0);
  server_ = -1;
}

}  // namespace
}  // namespace rondo
