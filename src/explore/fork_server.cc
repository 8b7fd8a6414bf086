#include "explore/fork_server.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "base/assert.h"
#include "base/fd.h"
#include "base/hash.h"

namespace rondo {

namespace {

using SteadyClock = std::chrono::steady_clock;

// The most bytes of a program's output that are kept; the rest is only counted and hashed.
constexpr size_t kMostOutput = size_t{1} << 20;
constexpr uint32_t kMostRequest = uint32_t{64} << 20;

// Blocks, even if the descriptor is non-blocking. Returns false at the end of the data.
bool read_all(int fd, char* data, size_t size) {
  while (size > 0) {
    const ssize_t count = ::read(fd, data, size);
    if (count > 0) {
      data += count;
      size -= static_cast<size_t>(count);
    } else if (count < 0 && errno == EAGAIN) {
      pollfd waiting{fd, POLLIN, 0};
      ::poll(&waiting, 1, -1);
    } else if (count == 0 || errno != EINTR) {
      return false;
    }
  }
  return true;
}

bool write_all(int fd, const char* data, size_t size) {
  while (size > 0) {
    const ssize_t count = ::write(fd, data, size);
    if (count >= 0) {
      data += count;
      size -= static_cast<size_t>(count);
    } else if (errno == EAGAIN) {
      pollfd waiting{fd, POLLOUT, 0};
      ::poll(&waiting, 1, -1);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

std::optional<std::string> read_frame(int fd) {
  uint32_t size = 0;
  if (!read_all(fd, reinterpret_cast<char*>(&size), sizeof size)) return std::nullopt;
  if (size > kMostRequest) return std::nullopt;
  std::string text(size, '\0');
  if (!read_all(fd, text.data(), size)) return std::nullopt;
  return text;
}

// V8, as built for Node, excludes its heap from fork(), to make children that only call exec()
// cheap. The runs of the server continue with the heap, so it must be copied.
void let_memory_be_forked() {
  std::FILE* const maps = std::fopen("/proc/self/maps", "re");
  if (maps == nullptr) fatal("rondo explore needs /proc");
  char line[4096 + 128];
  while (std::fgets(line, sizeof line, maps) != nullptr) {
    uintptr_t begin = 0, end = 0;
    char rights[5] = {};
    if (std::sscanf(line, "%lx-%lx %4s", &begin, &end, rights) != 3 || rights[3] != 'p') continue;
    // Fails for the kernel's own mappings, which are not needed in the child.
    ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DOFORK);
  }
  std::fclose(maps);
}

}  // namespace

struct ForkServer::RunRequest {
  ExploredRun::Request run;
  int limit_ms = 0;

  static std::optional<RunRequest> parse(std::string_view text);
};

std::optional<ForkServer::RunRequest> ForkServer::RunRequest::parse(std::string_view text) {
  RunRequest request;
  const std::string_view limit = text.substr(0, text.find(' '));
  if (std::from_chars(limit.data(), limit.data() + limit.size(), request.limit_ms).ec !=
      std::errc{})
    return std::nullopt;
  text.remove_prefix(std::min(limit.size() + 1, text.size()));
  std::optional<ExploredRun::Request> run = ExploredRun::Request::parse(text);
  if (!run) return std::nullopt;
  request.run = std::move(*run);
  return request;
}

// One output stream of a run.
struct ForkServer::Output {
  Fd read_end;
  Fd write_end;
  std::string kept;
  uint64_t total = 0;
  Fnv1a hash;

  bool open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    read_end = Fd(ends[0]);
    write_end = Fd(ends[1]);
    return ::fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
  }
  // Returns false at the end of the output.
  bool drain() {
    char bytes[1 << 16];
    for (;;) {
      const ssize_t count = ::read(read_end.get(), bytes, sizeof bytes);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return errno == EAGAIN;
      if (count == 0) return false;
      take({bytes, static_cast<size_t>(count)});
    }
  }
  void take(std::string_view bytes) {
    total += bytes.size();
    hash.add(bytes);
    kept.append(bytes.substr(0, kMostOutput - std::min(kept.size(), kMostOutput)));
  }
};

ExploredRun::Request ForkServer::serve() {
  let_memory_be_forked();
  while (std::optional<std::string> text = read_frame(channel_)) {
    std::optional<RunRequest> request = RunRequest::parse(*text);
    if (!request) break;
    if (start(*request)) return std::move(request->run);
  }
  leave();
}

void ForkServer::leave() {
  clear_folder();
  // Removes the common folder, too, if this is the last server: if rondo explore was killed, no
  // other process removes it.
  std::error_code ignored;
  if (!folder_.empty())
    std::filesystem::remove(std::filesystem::path(folder_).parent_path(), ignored);
  ::_exit(0);
}

void ForkServer::clear_folder() {
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

bool ForkServer::start(const RunRequest& request) {
  RunRecord& record = run_.record();
  record.decisions = 0;
  record.diverged_at = UINT32_MAX;
  record.outside = 0;
  record.text_size = 0;
  record.ports = 0;
  // Every run begins with the same, empty folder.
  clear_folder();
  if (!folder_.empty()) ::mkdir(folder_.c_str(), 0700);
  Output outputs[2];
  if (!outputs[0].open() || !outputs[1].open()) fatal("rondo explore: no descriptors are left");
  const auto began = SteadyClock::now();
  const pid_t pid = ::fork();
  if (pid < 0) fatal("rondo explore: no process can be made");
  if (pid == 0) {
    become_run(outputs);
    return true;
  }
  RunAnswer answer;
  watch(pid, outputs, request.limit_ms, answer);
  answer.took_ms = std::chrono::duration<double, std::milli>(SteadyClock::now() - began).count();
  reply(answer, outputs);
  return false;
}

void ForkServer::become_run(Output (&outputs)[2]) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != server_) ::_exit(1);  // The server ended before prctl() took effect.
  ::setpgid(0, 0);
  ::dup2(outputs[0].write_end.get(), STDOUT_FILENO);
  ::dup2(outputs[1].write_end.get(), STDERR_FILENO);
  for (Output& output : outputs) {
    output.read_end.reset();
    output.write_end.reset();
  }
  ::close(channel_);
  if (!folder_.empty()) ::setenv("TMPDIR", folder_.c_str(), 1);
}

void ForkServer::watch(pid_t pid, Output (&outputs)[2], int limit_ms, RunAnswer& answer) {
  ::setpgid(pid, pid);  // Also done by the child: the process group must exist before it is killed.
  for (Output& output : outputs) output.write_end.reset();
  const Fd ended(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  const auto deadline = SteadyClock::now() + std::chrono::milliseconds(limit_ms);
  pollfd waiting[4] = {{outputs[0].read_end.get(), POLLIN, 0},
                       {outputs[1].read_end.get(), POLLIN, 0},
                       {ended.get(), POLLIN, 0},
                       {channel_, POLLRDHUP, 0}};
  while (waiting[2].revents == 0) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - SteadyClock::now());
    if (left.count() <= 0) {
      answer.how = RunEnd::timeout;
      break;
    }
    if (::poll(waiting, 4, static_cast<int>(left.count())) < 0) continue;
    for (int i = 0; i < 2; ++i) {
      if (waiting[i].revents != 0 && !outputs[i].drain()) waiting[i].fd = -1;
    }
    if (waiting[3].revents != 0) {  // The client has disconnected.
      ::kill(-pid, SIGKILL);
      while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
      }
      leave();
    }
  }
  if (answer.how == RunEnd::timeout) ::kill(pid, SIGKILL);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  ::kill(-pid, SIGKILL);  // Kills the children of the run as well.
  for (Output& output : outputs) output.drain();
  if (answer.how == RunEnd::timeout) return;
  answer.how = WIFSIGNALED(status) ? RunEnd::signal : RunEnd::exit;
  answer.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

void ForkServer::reply(RunAnswer& answer, const Output (&outputs)[2]) {
  const RunRecord& record = run_.record();
  answer.decisions = record.decisions;
  answer.diverged_at = record.diverged_at;
  answer.outside = record.outside;
  // The run wrote these sizes and may have corrupted them: limit them to the size of the memory.
  answer.text_size = std::min(record.text_size, static_cast<uint32_t>(RunRecord::kMostText));
  answer.ports = std::min(record.ports, static_cast<uint32_t>(RunRecord::kMostPorts));
  for (int i = 0; i < 2; ++i) {
    answer.kept[i] = static_cast<uint32_t>(outputs[i].kept.size());
    answer.total[i] = static_cast<double>(outputs[i].total);
    answer.hash[i] = outputs[i].hash.value();
  }
  const size_t entries = std::min<size_t>(answer.decisions, RunRecord::kMostDecisions);
  std::string frame(sizeof(uint32_t), '\0');
  frame.append(reinterpret_cast<const char*>(&answer), sizeof answer);
  frame.append(reinterpret_cast<const char*>(record.entries), entries * sizeof(RunRecord::Entry));
  frame += outputs[0].kept;
  frame += outputs[1].kept;
  frame.append(record.text, answer.text_size);
  frame.append(reinterpret_cast<const char*>(record.port_list), answer.ports * sizeof(uint16_t));
  const auto size = static_cast<uint32_t>(frame.size() - sizeof(uint32_t));
  std::memcpy(frame.data(), &size, sizeof size);
  if (!write_all(channel_, frame.data(), frame.size())) leave();
}

}  // namespace rondo
