#include "runtime/control/control.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <thread>

#include "runtime/engine/js_entry.h"
#include "runtime/engine/testing.h"

namespace rondo::runtime {

namespace {

// A directory for the sockets of each test.
class ControlTest : public ::testing::Test {
 protected:
  ControlTest() {
    char name[] = "/tmp/rondo-control-XXXXXX";
    parent_ = ::mkdtemp(name);
    ::setenv("XDG_RUNTIME_DIR", parent_.c_str(), 1);
    directory_ = parent_ + "/rondo-" + std::to_string(::geteuid());
    path_ = directory_ + "/" + std::to_string(::getpid()) + ".sock";
    testing::platform();
    made_ =
        make_snapshot({{"internal/bootstrap/realm", testing::mini_lib("")}}, testing::kBindings);
    EngineOptions options;
    options.snapshot = made_.blob;
    options.bindings = testing::kBindings;
    options.realm.watchdog.warns = false;
    engine_ = std::make_unique<Engine>(testing::platform(), loop_, std::move(options));
    start();
    make_control();
  }
  ~ControlTest() override {
    control_.reset();
    ::unsetenv("XDG_RUNTIME_DIR");
    ::unlink(directory_.c_str());
    ::rmdir(directory_.c_str());
    ::rmdir(parent_.c_str());
  }

  void make_control() {
    control_.reset();
    queries_ = std::make_unique<LoopQuery>(engine_->realm(), [this] { is_wanted_ = true; });
    control_ = std::make_unique<Control>(engine_->realm(), *queries_);
  }

  // Starts the program like Engine::run(), without its end.
  void start() {
    Realm& realm = engine_->realm();
    const v8::HandleScope handles(realm.isolate());
    const v8::Local<v8::Function> start =
        realm.context()
            ->GetDataFromSnapshotOnce<v8::Function>(static_cast<size_t>(SnapshotData::start))
            .ToLocalChecked();
    JsEntry::call(realm, start, {literal(realm.isolate(), "test")});
  }

  Fd connect() {
    Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path_.copy(address.sun_path, sizeof address.sun_path - 1);
    if (::connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) fd.reset();
    return fd;
  }

  // Sends a query and returns the answer, while this thread acts as the loop; empty if there is
  // none.
  std::string ask(const Fd& fd, const std::string& question, bool is_loop_alive = true) {
    if (!question.empty()) {
      EXPECT_EQ(::send(fd.get(), question.data(), question.size(), MSG_NOSIGNAL),
                static_cast<ssize_t>(question.size()));
    }
    std::atomic<bool> is_over{false};
    std::string answer;
    std::thread reader([&] {
      char text[1024];
      const ssize_t size = ::recv(fd.get(), text, sizeof text, 0);
      if (size > 0) answer.assign(text, static_cast<size_t>(size));
      is_over = true;
    });
    while (!is_over) {
      const v8::HandleScope handles(engine_->realm().isolate());
      if (is_loop_alive && is_wanted_.exchange(false)) queries_->answer();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    reader.join();
    return answer;
  }

  bool exists() const { return ::access(path_.c_str(), F_OK) == 0; }

  std::string parent_;
  std::string directory_;
  std::string path_;
  Loop loop_;
  SnapshotResult made_;
  std::unique_ptr<Engine> engine_;
  std::atomic<bool> is_wanted_{false};
  std::unique_ptr<LoopQuery> queries_;
  std::unique_ptr<Control> control_;
};

TEST_F(ControlTest, AnswersThroughASocketThatIsTheUsersAlone) {
  EXPECT_FALSE(exists());
  control_->open();
  struct stat status {};
  ASSERT_EQ(::stat(directory_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  const Fd fd = connect();
  ASSERT_TRUE(fd);
  const std::string answer = ask(fd, "why\n");
  EXPECT_NE(answer.find("\"why\":true}\n"), std::string::npos) << answer;
  EXPECT_NE(ask(fd, "top\n").find("\"slow\":[],\"top\":true}"), std::string::npos);
  control_->close();
  EXPECT_FALSE(exists());
  control_->close();  // Idempotent.
  control_->open();   // Has no effect.
  EXPECT_FALSE(exists());
}

TEST_F(ControlTest, AClientThatFindsTheSocketIsAlwaysAccepted) {
  for (int i = 0; i < 200; ++i) {
    std::atomic<bool> is_watching{false};
    std::atomic<int> refused{0};
    std::thread visitor([&] {
      for (Fd fd; !fd; fd = connect()) {
        refused += errno == ECONNREFUSED && is_watching;
        is_watching = true;
        errno = 0;
      }
    });
    while (!is_watching) std::this_thread::yield();
    control_->open();
    visitor.join();
    ASSERT_EQ(refused, 0);
    control_.reset();
    EXPECT_FALSE(exists());
    make_control();
  }
}

TEST_F(ControlTest, ReportsThatTheLoopDoesNotAnswer) {
  control_->open();
  const Fd fd = connect();
  const std::string answer = ask(fd, "why\n", false);
  EXPECT_NE(answer.find("\"stuck\":{"), std::string::npos) << answer;
}

TEST_F(ControlTest, DisconnectsClientsWithInvalidQueries) {
  control_->open();
  const Fd fd = connect();
  EXPECT_NE(ask(fd, "what?\n").find("error"), std::string::npos);
  EXPECT_EQ(ask(fd, ""), "");
  EXPECT_EQ(ask(connect(), std::string(1000, 'x')), "");
}

TEST_F(ControlTest, DoesNotTrustADirectoryThatOthersCanEnter) {
  ASSERT_EQ(::mkdir(directory_.c_str(), 0755), 0);
  control_->open();
  EXPECT_FALSE(exists());
}

TEST_F(ControlTest, DoesNotFollowALink) {
  const std::string elsewhere = parent_ + "/elsewhere";
  ASSERT_EQ(::mkdir(elsewhere.c_str(), 0700), 0);
  ASSERT_EQ(::symlink(elsewhere.c_str(), directory_.c_str()), 0);
  control_->open();
  EXPECT_FALSE(exists());
  ::rmdir(elsewhere.c_str());
}

TEST_F(ControlTest, RemovesTheSocketOfADeadProcess) {
  ASSERT_EQ(::mkdir(directory_.c_str(), 0700), 0);
  const std::string dead = directory_ + "/4194304.sock";  // Above the highest possible pid.
  const std::string other = directory_ + "/notes.txt";
  {
    const Fd left(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    dead.copy(address.sun_path, sizeof address.sun_path - 1);
    ASSERT_EQ(::bind(left.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    const Fd file(::open(other.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
  }
  control_->open();
  EXPECT_NE(::access(dead.c_str(), F_OK), 0);
  EXPECT_EQ(::access(other.c_str(), F_OK), 0);
  ::unlink(other.c_str());
}

}  // namespace

}  // namespace rondo::runtime
