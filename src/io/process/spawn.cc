#include "io/process/spawn.h"

#include <fcntl.h>
#include <paths.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <string_view>

#include "base/sys.h"
#include "io/process/reopen.h"

namespace rondo {
namespace {

Error spawn_error(int code) { return Error{code, "spawn"}; }
Error last_error() { return spawn_error(errno); }

// Maps descriptors of the parent to those of the child.
class Wiring {
 public:
  Result<void> plan(const std::vector<Stdio>& stdio);

  size_t count() const { return sources_.size(); }
  // The descriptor to duplicate to the target: the target itself, or one above all targets, so that
  // no duplication overwrites a later source. -1: ignore.
  int source(size_t target) const { return sources_[target]; }
  std::vector<Fd> take_parent_ends() { return std::move(parent_ends_); }
  // A duplicate above all targets.
  Result<Fd> lift(int fd) const;

 private:
  Result<int> connect(const Stdio& stdio, size_t target);
  Result<int> open_pipe(Stdio::Direction direction, size_t target);

  std::vector<int> sources_;
  std::vector<Fd> temporary_;
  std::vector<Fd> parent_ends_;
};

Result<void> Wiring::plan(const std::vector<Stdio>& stdio) {
  const size_t count = std::max<size_t>(stdio.size(), 3);
  sources_.assign(count, -1);
  parent_ends_.resize(count);
  for (size_t target = 0; target < stdio.size(); ++target) {
    if (stdio[target].kind == Stdio::Kind::ignore) continue;
    Result<int> source = connect(stdio[target], target);
    if (!source) return source.error();
    if (*source < static_cast<int>(count) && *source != static_cast<int>(target)) {
      Result<Fd> lifted = lift(*source);
      if (!lifted) return lifted.error();
      source = lifted->get();
      temporary_.push_back(std::move(*lifted));
    }
    sources_[target] = *source;
  }
  return {};
}

Result<Fd> Wiring::lift(int fd) const {
  Fd copy(::fcntl(fd, F_DUPFD_CLOEXEC, static_cast<int>(count())));
  // EINVAL: the limit is below the requested number.
  if (!copy) return spawn_error(errno == EINVAL ? EMFILE : errno);
  return copy;
}

Result<int> Wiring::connect(const Stdio& stdio, size_t target) {
  if (stdio.kind == Stdio::Kind::pipe) return open_pipe(stdio.direction, target);
  const int flags = ::fcntl(stdio.fd, F_GETFL);
  if (flags < 0) return last_error();  // EBADF
  if (target > STDERR_FILENO || (flags & O_NONBLOCK) == 0) return stdio.fd;
  Result<Fd> twin = reopen(stdio.fd, true);
  if (!twin) {
    // The socket of a stream: Rondo's streams pass a flag with each call, so the blocking mode does
    // not affect them.
    struct stat info {};
    if (::fstat(stdio.fd, &info) == 0 && S_ISSOCK(info.st_mode)) {
      ::fcntl(stdio.fd, F_SETFL, flags & ~O_NONBLOCK);
    }
    return stdio.fd;
  }
  temporary_.push_back(std::move(*twin));
  return temporary_.back().get();
}

Result<int> Wiring::open_pipe(Stdio::Direction direction, size_t target) {
  int ends[2];  // The parent's, the child's.
  if (direction == Stdio::Direction::duplex) {
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) return last_error();
  } else {
    if (::pipe2(ends, O_CLOEXEC) < 0) return last_error();
    if (direction == Stdio::Direction::child_reads) std::swap(ends[0], ends[1]);
  }
  parent_ends_[target] = Fd(ends[0]);
  temporary_.emplace_back(ends[1]);
  const int flags = ::fcntl(ends[0], F_GETFL);
  if (flags < 0 || ::fcntl(ends[0], F_SETFL, flags | O_NONBLOCK) < 0) return last_error();
  return ends[1];
}

// All arguments of execve(2), prepared while allocation is still allowed.
class Image {
 public:
  explicit Image(const ProcessOptions& options);

  const std::vector<std::string>& candidates() const { return candidates_; }
  char* const* argv() const { return argv_.data(); }
  char* const* shell_argv(const std::string& script) const {
    shell_argv_[1] = const_cast<char*>(script.c_str());
    return shell_argv_.data();
  }
  char* const* env() const { return inherits_env_ ? environ : env_.data(); }

 private:
  std::string_view path() const;
  void find_candidates(const std::string& file);

  bool inherits_env_;
  std::vector<char*> argv_;
  mutable std::vector<char*> shell_argv_;
  std::vector<char*> env_;
  std::vector<std::string> candidates_;  // In the order in which they are tried.
};

Image::Image(const ProcessOptions& options) : inherits_env_(!options.env) {
  const auto append = [](std::vector<char*>& list, const std::string& text) {
    list.push_back(const_cast<char*>(text.c_str()));  // execve(2) does not write to them.
  };
  for (const std::string& arg : options.args) append(argv_, arg);
  if (argv_.empty()) append(argv_, options.file);
  shell_argv_ = {const_cast<char*>(_PATH_BSHELL), nullptr};
  shell_argv_.insert(shell_argv_.end(), argv_.begin() + 1, argv_.end());
  argv_.push_back(nullptr);
  shell_argv_.push_back(nullptr);
  if (options.env) {
    for (const std::string& variable : *options.env) append(env_, variable);
    env_.push_back(nullptr);
  }
  find_candidates(options.file);
}

std::string_view Image::path() const {
  constexpr std::string_view kName = "PATH=";
  for (char* const* variable = env(); variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    if (text.substr(0, kName.size()) == kName) return text.substr(kName.size());
  }
  return "/usr/bin:/bin";
}

void Image::find_candidates(const std::string& file) {
  if (file.empty()) return;
  if (file.find('/') != std::string::npos) {
    candidates_.push_back(file);
    return;
  }
  std::string_view rest = path();
  while (true) {
    const size_t colon = rest.find(':');
    const std::string_view folder = rest.substr(0, colon);
    // An empty entry means the working directory.
    candidates_.push_back(folder.empty() ? "./" + file : std::string(folder) + "/" + file);
    if (colon == std::string_view::npos) break;
    rest.remove_prefix(colon + 1);
  }
}

// True if the search continues after this error, as in execvp(3). Any other error means that a file
// was found and failed.
bool is_not_here(int code) {
  return code == ENOENT || code == ENOTDIR || code == EACCES || code == ESTALE || code == ENODEV ||
         code == ETIMEDOUT;
}

// The error of a failed search: a file without execute permission takes precedence over a missing
// one. With only one candidate, the error of that candidate.
class SearchError {
 public:
  explicit SearchError(const Image& image) : is_single_(image.candidates().size() == 1) {}
  void add(int code) {
    if (is_single_ || code == EACCES) code_ = code;
  }
  int code() const { return code_; }

 private:
  bool is_single_;
  int code_ = ENOENT;
};

// Returns 0 if the process may run the file, from `cwd`. Only avoids attempts that must fail.
int check_program(const std::string& file, const std::string& cwd) {
  const std::string path = file.front() == '/' || cwd.empty() ? file : cwd + "/" + file;
  struct stat info {};
  if (::stat(path.c_str(), &info) < 0) return errno;
  if (!S_ISREG(info.st_mode)) return EACCES;
  return ::faccessat(AT_FDCWD, path.c_str(), X_OK, AT_EACCESS) == 0 ? 0 : errno;
}

// Returns 0 if the process may enter the folder, or if `path` is empty.
int check_folder(const std::string& path) {
  if (path.empty()) return 0;
  struct stat info {};
  if (::stat(path.c_str(), &info) < 0) return errno;
  if (!S_ISDIR(info.st_mode)) return ENOTDIR;
  return ::faccessat(AT_FDCWD, path.c_str(), X_OK, AT_EACCESS) == 0 ? 0 : errno;
}

// Starts with posix_spawn(3): the child shares the parent's memory until it runs the program, so
// the cost does not depend on the parent's size.
class QuickSpawn {
 public:
  QuickSpawn(const ProcessOptions& options, const Wiring& wiring) : options_(options) {
    // These fail only if memory is exhausted, which ends the program elsewhere, too.
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
    set_attributes();
    for (size_t i = 0; i < wiring.count(); ++i) {
      const int target = static_cast<int>(i);
      if (const int source = wiring.source(i); source >= 0) {
        // Also needed if both are equal: dup2 then clears close-on-exec.
        error_ = first(error_, ::posix_spawn_file_actions_adddup2(&actions_, source, target));
      } else if (target <= STDERR_FILENO) {
        error_ = first(error_, ::posix_spawn_file_actions_addopen(&actions_, target, _PATH_DEVNULL,
                                                                  O_RDWR, 0));
      } else {
        error_ = first(error_, ::posix_spawn_file_actions_addclose(&actions_, target));
      }
    }
    if (!options.cwd.empty()) {
      error_ =
          first(error_, ::posix_spawn_file_actions_addchdir_np(&actions_, options.cwd.c_str()));
    }
  }
  ~QuickSpawn() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  QuickSpawn(const QuickSpawn&) = delete;
  QuickSpawn& operator=(const QuickSpawn&) = delete;

  Result<pid_t> run(const Image& image) {
    if (error_ != 0) return spawn_error(error_);
    // posix_spawn() reports a missing working directory as a missing program.
    if (const int code = check_folder(options_.cwd); code != 0) return failed_to_start(code);
    SearchError failed(image);
    for (const std::string& file : image.candidates()) {
      int code = check_program(file, options_.cwd);
      pid_t pid = -1;
      if (code == 0) code = run_one(file.c_str(), image.argv(), image, pid);
      if (code == ENOEXEC) code = run_one(_PATH_BSHELL, image.shell_argv(file), image, pid);
      if (code == 0) return pid;
      if (!is_not_here(code)) return failed_to_start(code);
      failed.add(code);
    }
    return failed_to_start(failed.code());
  }

 private:
  // Raises SIGCHLD if there was no child: libuv detects the failure in a child, whose end raises
  // it, and programs that listen for it must see the same here.
  Error failed_to_start(int code) const {
    if (!had_child_) ::kill(::getpid(), SIGCHLD);
    return spawn_error(code);
  }
  static int first(int before, int now) { return before != 0 ? before : now; }
  void set_attributes() {
    sigset_t signals;
    ::sigemptyset(&signals);
    ::posix_spawnattr_setsigmask(&attributes_, &signals);
    ::sigfillset(&signals);
    ::posix_spawnattr_setsigdefault(&attributes_, &signals);
    int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    if (options_.detached) flags |= POSIX_SPAWN_SETSID;
    ::posix_spawnattr_setflags(&attributes_, static_cast<short>(flags));
  }
  int run_one(const char* file, char* const* argv, const Image& image, pid_t& pid) {
    had_child_ = true;
    return ::posix_spawn(&pid, file, &actions_, &attributes_, argv, image.env());
  }

  const ProcessOptions& options_;
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
  bool had_child_ = false;  // posix_spawn() created a process, which may have failed.
  int error_ = 0;
};

// Starts with fork(2) and exec(2), for features that posix_spawn(3) lacks: changing the user, and
// ending with the parent. The child may call only async-signal-safe functions, and sends its errno
// through a pipe that exec closes.
class ForkSpawn {
 public:
  ForkSpawn(const ProcessOptions& options, const Wiring& wiring)
      : options_(options), wiring_(wiring) {}

  Result<pid_t> run(const Image& image) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) < 0) return last_error();
    const Fd reader(ends[0]);
    Fd writer(ends[1]);
    Result<Fd> report = wiring_.lift(writer.get());
    if (!report) return report.error();
    writer.reset();
    // Blocks all signals: no handler of the parent may run in the child, where it would act on
    // copies of the parent's data.
    sigset_t all, before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = ::fork();
    const int fork_errno = errno;
    if (pid == 0) run_child(image, report->get());
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (pid < 0) return spawn_error(fork_errno);
    report->reset();
    int code = 0;
    // The program runs.
    if (sys::read(reader.get(), &code, sizeof code) != sizeof code) return pid;
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    return spawn_error(code);
  }

 private:
  [[noreturn]] void run_child(const Image& image, int report) const {
    int code = prepare() ? 0 : errno;
    if (code == 0) code = execute(image);
    while (::write(report, &code, sizeof code) < 0 && errno == EINTR) {
    }
    ::_exit(127);
  }
  bool prepare() const;
  bool connect_stdio() const;
  bool change_user() const;
  bool bind_to_parent() const;
  static int execute(const Image& image);

  const ProcessOptions& options_;
  const Wiring& wiring_;
  const pid_t parent_ = ::getpid();
};

bool ForkSpawn::prepare() const {
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  for (int signum = 1; signum < NSIG; ++signum) ::sigaction(signum, &usual, nullptr);
  if (options_.detached && ::setsid() < 0) return false;
  if (!connect_stdio()) return false;
  // Done before changing the user, like the descriptors: the child may use a folder that only the
  // parent may enter.
  if (!options_.cwd.empty() && ::chdir(options_.cwd.c_str()) < 0) return false;
  if ((options_.uid || options_.gid) && !change_user()) return false;
  // Done last, because a change of user resets it.
  if (options_.ends_with_parent && !bind_to_parent()) return false;
  sigset_t none;
  ::sigemptyset(&none);
  return ::sigprocmask(SIG_SETMASK, &none, nullptr) == 0;
}

bool ForkSpawn::connect_stdio() const {
  for (size_t i = 0; i < wiring_.count(); ++i) {
    const int target = static_cast<int>(i);
    const int source = wiring_.source(i);
    if (source == target) {
      if (::fcntl(target, F_SETFD, 0) < 0) return false;
    } else if (source >= 0) {
      if (::dup2(source, target) < 0) return false;
    } else {
      ::close(target);
      if (target > STDERR_FILENO) continue;
      const int null = ::open(_PATH_DEVNULL, O_RDWR);
      if (null < 0) return false;
      if (null == target) continue;
      if (::dup2(null, target) < 0) return false;
      ::close(null);
    }
  }
  return true;
}

// Uses the system calls directly: the library's wrappers signal the other threads, which the child
// does not have.
bool ForkSpawn::change_user() const {
  // Only root has groups to drop, and only root may drop them.
  const bool has_groups = ::geteuid() == 0 && ::getgroups(0, nullptr) > 0;
  if (has_groups && ::syscall(SYS_setgroups, 0, nullptr) < 0) return false;
  if (options_.gid && ::syscall(SYS_setgid, *options_.gid) < 0) return false;
  return !options_.uid || ::syscall(SYS_setuid, *options_.uid) == 0;
}

bool ForkSpawn::bind_to_parent() const {
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return false;
  if (::getppid() != parent_) ::_exit(127);  // The parent ended before the call.
  return true;
}

int ForkSpawn::execute(const Image& image) {
  SearchError failed(image);
  for (const std::string& file : image.candidates()) {
    ::execve(file.c_str(), image.argv(), image.env());
    if (errno == ENOEXEC) ::execve(_PATH_BSHELL, image.shell_argv(file), image.env());
    if (!is_not_here(errno)) return errno;
    failed.add(errno);
  }
  return failed.code();
}

// True if a string contains a NUL byte: it would reach the child truncated.
bool has_zero(const ProcessOptions& options) {
  const auto is_bad = [](const std::string& text) { return text.find('\0') != std::string::npos; };
  const auto any = [&](const std::vector<std::string>& list) {
    return std::any_of(list.begin(), list.end(), is_bad);
  };
  return is_bad(options.file) || is_bad(options.cwd) || any(options.args) ||
         (options.env && any(*options.env));
}

bool is_out_of_resources(int code) { return code == EMFILE || code == ENFILE || code == ENOMEM; }

}  // namespace

Result<Spawned> spawn(const ProcessOptions& options) {
  if (has_zero(options)) return spawn_error(EINVAL);
  Wiring wiring;
  if (Result<void> planned = wiring.plan(options.stdio); !planned) return planned.error();
  // Reserves a descriptor for the pidfd: it is too late to fail once the child runs.
  Fd place(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0));
  if (!place && errno == EBADF) place = Fd(::open(_PATH_DEVNULL, O_RDONLY | O_CLOEXEC));
  if (!place) return last_error();

  const Image image(options);
  const bool forks = options.uid || options.gid || options.ends_with_parent;
  Result<pid_t> pid =
      forks ? ForkSpawn(options, wiring).run(image) : QuickSpawn(options, wiring).run(image);
  if (!pid) return pid.error();
  place.reset();
  Spawned spawned;
  spawned.pid = *pid;
  spawned.pidfd = Fd(static_cast<int>(sys::guarded(
      "pidfd_open", *pid, [&]() -> long { return ::syscall(SYS_pidfd_open, *pid, 0); })));
  if (!spawned.pidfd && is_out_of_resources(errno)) {
    const Error error = last_error();  // Another thread took the descriptor.
    ::kill(*pid, SIGKILL);
    while (::waitpid(*pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    return error;
  }
  spawned.stdio = wiring.take_parent_ends();
  return spawned;
}

}  // namespace rondo
