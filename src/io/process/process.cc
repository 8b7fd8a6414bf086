#include "io/process/process.h"

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <memory>
#include <optional>
#include <vector>

#include "base/list.h"
#include "base/sys.h"
#include "base/threads/mpsc_stack.h"
#include "io/process/signal.h"
#include "loop/internals.h"

namespace rondo {

// A child that has not been reaped.
struct Child : MpscLink {
  // Empty while the child runs; otherwise its exit, and the child is no longer a zombie.
  std::optional<Result<ProcessExit>> reap() const;

  pid_t pid = -1;
  Fd pidfd;  // Empty before Linux 5.4.
  Process* owner = nullptr;
  ListLink link;
};

std::optional<Result<ProcessExit>> Child::reap() const {
  siginfo_t info{};
  const idtype_t kind = pidfd ? P_PIDFD : P_PID;
  const auto id = static_cast<id_t>(pidfd ? pidfd.get() : pid);
  int waited;
  do {
    waited = ::waitid(kind, id, &info, WEXITED | WNOHANG);
  } while (waited < 0 && errno == EINTR);
  if (waited < 0) return Error::last("waitid");
  if (info.si_pid == 0) return std::nullopt;
  ProcessExit exit;
  (info.si_code == CLD_EXITED ? exit.status : exit.signal) = info.si_status;
  return exit;
}

namespace {

// Children whose loops have ended. One per process, because children belong to the process;
// lock-free, so that it is consistent after a fork at any moment.
class Orphans {
 public:
  void adopt(std::unique_ptr<Child> child) { children_.push(*child.release()); }

  void sweep() {
    if (children_.is_empty() || is_sweeping_.exchange(true)) return;
    for (MpscLink* link = children_.take_all(); link != nullptr;) {
      std::unique_ptr<Child> child(static_cast<Child*>(link));
      link = link->next;
      if (!child->reap()) adopt(std::move(child));
    }
    is_sweeping_.store(false);
  }

 private:
  MpscStack children_;
  std::atomic<bool> is_sweeping_{false};
};

constinit Orphans orphans;

}  // namespace

// Reaps all children of one loop, also those whose handle is closed. SIGCHLD triggers it, so the
// end of a child is ordered among the signals, as in libuv (PRC-01).
class Reaper final : public Service {
 public:
  explicit Reaper(Loop& loop) : loop_(loop) {}
  ~Reaper() override;

  Result<std::vector<Fd>> spawn(const ProcessOptions& options, Process& owner);

 private:
  Result<void> listen();
  void reap_all();

  Loop& loop_;
  List<Child, &Child::link> children_;  // In the order in which they were spawned.
  Owned<Signal> sigchld_;               // Started while there are children.
};

Reaper::~Reaper() {
  while (Child* left = children_.pop_front()) {
    std::unique_ptr<Child> child(left);
    // The loop reports or closes an active handle later.
    if (child->owner != nullptr) child->owner->lose_child();
    child->owner = nullptr;
    if (!child->reap()) orphans.adopt(std::move(child));
  }
  orphans.sweep();
}

Result<std::vector<Fd>> Reaper::spawn(const ProcessOptions& options, Process& owner) {
  orphans.sweep();
  // Started before the child, which may end at once.
  if (Result<void> listening = listen(); !listening) return listening.error();
  Result<Spawned> spawned = rondo::spawn(options);
  // As in libuv, the handle for SIGCHLD stays started until the next signal, which a failed start
  // raises, too. Otherwise that signal would be attributed to the next child.
  if (!spawned) return spawned.error();
  auto child = std::make_unique<Child>();
  child->pid = spawned->pid;
  child->pidfd = std::move(spawned->pidfd);
  child->owner = &owner;
  owner.child_ = child.get();
  owner.pid_ = child->pid;
  children_.push_back(*child.release());
  return std::move(spawned->stdio);
}

Result<void> Reaper::listen() {
  if (sigchld_ == nullptr) {
    sigchld_ = loop_.make<Signal>();
    sigchld_->unref();
    sigchld_->set_internal();
  }
  if (sigchld_->is_active()) return {};
  return sigchld_->start(SIGCHLD, [this](Signal&, int) { reap_all(); });
}

// Reaps all children that have ended before the first callback runs, because one signal may stand
// for several children.
void Reaper::reap_all() {
  struct Ended {
    std::unique_ptr<Child> child;
    Result<ProcessExit> exit;
  };
  std::vector<Ended> ended;
  children_.for_each([&ended](Child& child) {
    std::optional<Result<ProcessExit>> exit = child.reap();
    if (!exit) return;
    child.link.unlink();
    ended.push_back({std::unique_ptr<Child>(&child), *exit});
  });
  if (children_.is_empty()) sigchld_->stop();
  for (Ended& one : ended) {
    // An earlier callback may have closed the handle.
    if (one.child->owner != nullptr) one.child->owner->ended(std::move(one.exit));
  }
}

Process::Process(Loop& loop) : Handle(loop, HandleKind::process) {}

Process::~Process() = default;

Result<void> Process::spawn(const ProcessOptions& options, OnExit on_exit) {
  RONDO_ASSERT(!is_closing());
  if (child_ != nullptr) return Error{EALREADY, "spawn"};
  Result<std::vector<Fd>> stdio = internals().service<Reaper>().spawn(options, *this);
  if (!stdio) return stdio.error();
  stdio_ = std::move(*stdio);
  on_exit_ = std::move(on_exit);
  activate();
  return {};
}

Fd Process::take_stdio(size_t descriptor) {
  return descriptor < stdio_.size() ? std::move(stdio_[descriptor]) : Fd();
}

Result<void> Process::kill(int signum) {
  if (child_ == nullptr) return Error{ESRCH, "kill"};
  if (child_->pidfd) {
    const int pidfd = child_->pidfd.get();
    const long sent = sys::guarded("pidfd_send_signal", pidfd, [&]() -> long {
      return ::syscall(SYS_pidfd_send_signal, pidfd, signum, nullptr, 0);
    });
    if (sent == 0) return {};
    // A sandbox may allow only the older call. The pid still belongs to the child, because it has
    // not been reaped.
    if (errno != ENOSYS && errno != EPERM) return Error::last("kill");
  }
  if (::kill(child_->pid, signum) < 0) return Error::last("kill");
  return {};
}

void Process::on_closing() {
  if (child_ != nullptr) child_->owner = nullptr;
  child_ = nullptr;
  stdio_.clear();
}

void Process::lose_child() {
  child_ = nullptr;
  deactivate();
}

void Process::ended(Result<ProcessExit> exit) {
  lose_child();
  OnExit on_exit = std::move(on_exit_);
  if (!on_exit) return;
  CallbackScope scope(loop(), *this);
  on_exit(*this, std::move(exit));
}

}  // namespace rondo
