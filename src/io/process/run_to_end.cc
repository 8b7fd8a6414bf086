#include "io/process/run_to_end.h"

#include <poll.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/sys.h"

namespace rondo {
namespace {

// Size of one read(2), and first size of a buffer.
constexpr size_t kChunk = 65536;
// The interval of checks for a child without a pidfd.
constexpr int kLookMs = 5;

int64_t now_ns() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

class Run {
 public:
  explicit Run(const RunOptions& options) : options_(options), rest_(options.input) {}

  RunResult run() {
    Result<Spawned> spawned = spawn(options_.process);
    if (!spawned) {
      result_.error = spawned.error().code;
      return std::move(result_);
    }
    result_.pid = spawned->pid;
    pidfd_ = std::move(spawned->pidfd);
    if (options_.timeout > Nanos{0}) deadline_ = now_ns() + options_.timeout.count();
    open_pipes(std::move(spawned->stdio));
    while (is_running_ || has_pipes()) wait();
    if (result_.error == 0) result_.error = pipe_error_;
    return std::move(result_);
  }

 private:
  void open_pipes(std::vector<Fd> ends) {
    result_.outputs.resize(ends.size());
    if (ends[0]) {
      input_ = std::move(ends[0]);
      write();
    }
    outputs_ = std::move(ends);
  }
  bool has_pipes() const {
    return is_writing_ || std::any_of(outputs_.begin(), outputs_.end(),
                                      [](const Fd& fd) { return static_cast<bool>(fd); });
  }

  void wait() {
    watched_.clear();
    if (is_running_ && pidfd_) watched_.push_back({pidfd_.get(), POLLIN, 0});
    if (is_writing_) watched_.push_back({input_.get(), POLLOUT, 0});
    for (const Fd& fd : outputs_) {
      if (fd) watched_.push_back({fd.get(), POLLIN, 0});
    }
    if (::ppoll(watched_.data(), watched_.size(), time_left(), nullptr) < 0) {
      if (errno == EINTR) return;
      fail(errno);
      stop();
    }
    size_t next = 0;
    if (is_running_ && (!pidfd_ || watched_[next++].revents != 0)) reap();
    if (is_writing_ && watched_[next++].revents != 0) write();
    for (size_t i = 0; i < outputs_.size() && next < watched_.size(); ++i) {
      if (outputs_[i] && watched_[next++].revents != 0) read(outputs_[i], result_.outputs[i]);
    }
    const bool is_over = !is_running_ && !has_pipes();
    if (!is_over && deadline_ != 0 && now_ns() >= deadline_) {
      fail(ETIMEDOUT);
      stop();
    }
  }

  // Null: no limit.
  const timespec* time_left() {
    int64_t left = deadline_ == 0 ? -1 : std::max<int64_t>(deadline_ - now_ns(), 0);
    if (is_running_ && !pidfd_) {
      constexpr int64_t kLook = int64_t{kLookMs} * 1'000'000;
      left = left < 0 ? kLook : std::min(left, kLook);
    }
    if (left < 0) return nullptr;
    wait_time_ = {left / 1'000'000'000, left % 1'000'000'000};
    return &wait_time_;
  }

  // Writes as much as fits, then shuts down. The parent's end stays open for children that write to
  // it, too; that data is not read.
  void write() {
    is_writing_ = true;
    while (!rest_.empty()) {
      const ssize_t sent = sys::send(input_.get(), rest_.data(), rest_.size(), MSG_NOSIGNAL);
      if (sent < 0 && errno == EAGAIN) return;
      if (sent < 0) {
        fail_pipe(errno);
        break;
      }
      rest_ = rest_.subspan(static_cast<size_t>(sent));
    }
    is_writing_ = false;
    // A child that does not see the end of its input would wait for more.
    if (::shutdown(input_.get(), SHUT_WR) < 0) input_.reset();
  }

  void read(Fd& pipe, ByteBuffer& output) {
    uint8_t* const room = output.make_room(kChunk);
    if (room == nullptr) {
      fail(ENOMEM);
      stop();
      return;
    }
    const ssize_t received = sys::read(pipe.get(), room, kChunk);
    if (received < 0 && errno == EAGAIN) return;
    if (received <= 0) {
      if (received < 0) fail_pipe(errno);
      pipe.reset();
      return;
    }
    output.grow(static_cast<size_t>(received));
    output_size_ += static_cast<size_t>(received);
    if (options_.most_output > 0 && output_size_ > options_.most_output) {
      fail(ENOBUFS);
      stop();
    }
  }

  void fail(int code) {
    if (result_.error == 0) result_.error = code;
  }
  void fail_pipe(int code) {
    if (pipe_error_ == 0) pipe_error_ = code;
  }

  // Called when a limit was exceeded. A child that ignores the signal is still waited for.
  void stop() {
    deadline_ = 0;
    // Killed before its pipes are closed, which would end it with SIGPIPE. The pid cannot have been
    // reused: the child stays a zombie until reap() has waited for it.
    if (is_running_ && ::kill(result_.pid, options_.kill_signal) < 0 && errno != ESRCH) {
      fail(errno);
      ::kill(result_.pid, SIGKILL);
    }
    input_.reset();
    is_writing_ = false;
    for (Fd& fd : outputs_) fd.reset();
  }

  void reap() {
    siginfo_t info{};
    int waited;
    do {
      waited = ::waitid(P_PID, static_cast<id_t>(result_.pid), &info, WEXITED | WNOHANG);
    } while (waited < 0 && errno == EINTR);
    if (waited == 0 && info.si_pid == 0) return;
    is_running_ = false;
    if (waited < 0) return;
    ProcessExit exit;
    (info.si_code == CLD_EXITED ? exit.status : exit.signal) = info.si_status;
    result_.exit = exit;
  }

  const RunOptions& options_;
  RunResult result_;
  Fd pidfd_;
  Fd input_;
  std::span<const uint8_t> rest_;
  std::vector<Fd> outputs_;
  std::vector<pollfd> watched_;
  timespec wait_time_{};
  int64_t deadline_ = 0;  // 0: none.
  size_t output_size_ = 0;
  int pipe_error_ = 0;
  bool is_running_ = true;
  bool is_writing_ = false;
};

}  // namespace

uint8_t* ByteBuffer::make_room(size_t size) {
  if (capacity_ - size_ < size) {
    const size_t capacity = std::max(capacity_ * 2, size_ + size);
    auto* const data = static_cast<uint8_t*>(std::realloc(data_.get(), capacity));
    if (data == nullptr) return nullptr;
    static_cast<void>(data_.release());
    data_.reset(data);
    capacity_ = capacity;
  }
  return data_.get() + size_;
}

RunResult run_to_end(const RunOptions& options) { return Run(options).run(); }

}  // namespace rondo
