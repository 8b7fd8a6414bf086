#include "base/control/socket.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>

namespace rondo {
namespace {

class Echo final : public ControlService {
 public:
  std::string answer(const std::string& query) override {
    return is_ending_ ? "" : "{\"query\":\"" + query + "\"}";
  }
  void watch(bool is_watched) override { watched_ += is_watched ? 1 : -1; }
  void end_answer() override { is_ending_ = true; }

  std::atomic<bool> is_ending_{false};
  std::atomic<int> watched_{0};
};

// A directory for the socket of each test.
class ControlSocketTest : public ::testing::Test {
 protected:
  ControlSocketTest() {
    char name[] = "/tmp/rondo-socket-XXXXXX";
    parent_ = ::mkdtemp(name);
    ::setenv("XDG_RUNTIME_DIR", parent_.c_str(), 1);
    socket_ = std::make_unique<ControlSocket>(service_);
    ::unsetenv("XDG_RUNTIME_DIR");
    folder_ = parent_ + "/rondo-" + std::to_string(::geteuid());
    path_ = folder_ + "/" + std::to_string(::getpid()) + ".sock";
  }
  ~ControlSocketTest() override {
    socket_.reset();
    ::rmdir(folder_.c_str());
    ::rmdir(parent_.c_str());
  }

  Fd connect() const {
    Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path_.copy(address.sun_path, sizeof address.sun_path - 1);
    if (::connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) fd.reset();
    return fd;
  }
  static std::string ask(const Fd& fd, const std::string& query) {
    EXPECT_EQ(::send(fd.get(), query.data(), query.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(query.size()));
    char text[256];
    const ssize_t size = ::recv(fd.get(), text, sizeof text, 0);
    return size > 0 ? std::string(text, static_cast<size_t>(size)) : std::string();
  }

  Echo service_;
  std::string parent_;
  std::string folder_;
  std::string path_;
  std::unique_ptr<ControlSocket> socket_;
};

TEST_F(ControlSocketTest, AnswersLinesUntilItIsClosed) {
  EXPECT_FALSE(connect());
  socket_->open();
  const Fd fd = connect();
  ASSERT_TRUE(fd);
  EXPECT_EQ(ask(fd, "why\n"), "{\"query\":\"why\"}\n");
  EXPECT_EQ(service_.watched_, 0);
  EXPECT_EQ(ask(fd, "top\n"), "{\"query\":\"top\"}\n");
  EXPECT_EQ(service_.watched_, 1);
  socket_->close();
  EXPECT_TRUE(service_.is_ending_);
  EXPECT_NE(::access(path_.c_str(), F_OK), 0);
}

TEST_F(ControlSocketTest, DisconnectsAClientWithAnotherQuery) {
  socket_->open();
  const Fd fd = connect();
  EXPECT_NE(ask(fd, "watch\n").find("unknown query"), std::string::npos);
  char byte = 0;
  EXPECT_EQ(::recv(fd.get(), &byte, 1, 0), 0);
}

TEST_F(ControlSocketTest, DisconnectsIfThereIsNoAnswer) {
  socket_->open();
  service_.is_ending_ = true;
  EXPECT_EQ(ask(connect(), "why\n"), "");
}

}  // namespace
}  // namespace rondo
