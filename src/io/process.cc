#include "io/process.h"

#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <memory>
#include <optional>

#include "base/list.h"
#include "base/mpsc_stack.h"
#include "io/signal.h"
#include "loop/loop.h"

namespace rondo {

class Reaper;

// A child that has not been waited for.
struct Child : MpscLink {
  struct ExitWatch final : Watch {
    Child* child;
  };

  // None while it runs; else how it ended, and it is a zombie no more.
  std::optional<Result<ProcessExit>> reap() const;

  pid_t pid = -1;
  Fd pidfd;  // None: SIGCHLD tells.
  Process* owner = nullptr;
  Reaper* reaper = nullptr;
  ExitWatch watch;
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

// Children whose loops have ended. One per process, because children are the process's; lock-free,
// so that a fork at any moment leaves it in order.
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

// Waits for all children of one loop, also those whose handle is closed.
class Reaper final : public Service {
 public:
  explicit Reaper(Loop& loop);
  ~Reaper() override;

  Result<std::vector<Fd>> spawn(const ProcessOptions& options, Process& owner);

 private:
  struct Later final : Deferred {
    using Deferred::Deferred;
    Reaper* owner;
  };
  void has_ended(Child& child);
  Result<void> watch(Child& child);
  Result<void> watch_sigchld();
  void check(Child& child);
  void check_all();
  void finish(Child& child, Result<ProcessExit> exit);

  Loop& loop_;
  List<Child, &Child::link> children_;
  List<Child, &Child::link> ended_;  // Those whose pidfd says so,
  List<Child, &Child::link> ripe_;   // and a turn later.
  size_t without_pidfd_ = 0;
  Owned<Signal> sigchld_;  // Started while there are children without a pidfd.
  Later check_later_;
};

Reaper::Reaper(Loop& loop)
    : loop_(loop),
      check_later_([](Deferred& self) { static_cast<Later&>(self).owner->check_all(); }) {
  check_later_.owner = this;
}

Reaper::~Reaper() {
  children_.splice_front(ended_);
  children_.splice_front(ripe_);
  while (Child* left = children_.pop_front()) {
    std::unique_ptr<Child> child(left);
    loop_.unwatch(child->watch);
    // The loop has yet to complain about a handle that is active, or to close it.
    if (child->owner != nullptr) child->owner->lose_child();
    child->owner = nullptr;
    if (!child->reap()) orphans.adopt(std::move(child));
  }
  orphans.sweep();
}

Result<std::vector<Fd>> Reaper::spawn(const ProcessOptions& options, Process& owner) {
  orphans.sweep();
  Result<Spawned> spawned = rondo::spawn(options);
  if (!spawned) return spawned.error();
  auto child = std::make_unique<Child>();
  child->pid = spawned->pid;
  child->pidfd = std::move(spawned->pidfd);
  child->owner = &owner;
  child->reaper = this;
  if (Result<void> watched = watch(*child); !watched) {
    ::kill(child->pid, SIGKILL);  // Better than one that nobody would ever hear of again.
    while (::waitpid(child->pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    return watched.error();
  }
  owner.child_ = child.get();
  owner.pid_ = child->pid;
  children_.push_back(*child.release());
  return std::move(spawned->stdio);
}

Result<void> Reaper::watch(Child& child) {
  if (!child.pidfd) return watch_sigchld();
  child.watch.child = &child;
  child.watch.source = &child;
  child.watch.fd = child.pidfd.get();
  child.watch.fn = [](Target& target, int32_t, uint32_t) {
    Child& ready = *static_cast<Child::ExitWatch&>(target).child;
    ready.reaper->has_ended(ready);
  };
  return loop_.poller().watch(child.watch, EPOLLIN);
}

Result<void> Reaper::watch_sigchld() {
  if (sigchld_ == nullptr) {
    sigchld_ = loop_.make<Signal>();
    sigchld_->unref();
  }
  if (!sigchld_->is_active()) {
    // Not from inside the signal's callback: on_exit is one itself (TURN-03).
    const auto on_signal = [this](Signal&, int) { loop_.pending().defer(check_later_); };
    if (Result<void> started = sigchld_->start(SIGCHLD, on_signal); !started) return started;
  }
  ++without_pidfd_;
  loop_.pending().defer(check_later_);  // It may have ended before the signal was listened to.
  return {};
}

// Its last words may be behind this event in the batch, and the end of its streams in the next one:
// both come first, so that who is told of the end has heard all.
void Reaper::has_ended(Child& child) {
  loop_.unwatch(child.watch);
  child.link.unlink();
  ended_.push_back(child);
  loop_.pending().defer(check_later_);
}

void Reaper::check(Child& child) {
  if (std::optional<Result<ProcessExit>> exit = child.reap()) finish(child, *exit);
}

void Reaper::check_all() {
  // Detach first: a callback may spawn.
  auto ripe = ripe_.take();
  ripe_.splice_back(ended_);
  if (!ripe_.is_empty()) loop_.pending().defer(check_later_);
  while (Child* child = ripe.pop_front()) {
    children_.push_back(*child);
    check(*child);
  }
  if (without_pidfd_ == 0) return;
  auto turn = children_.take();
  List<Child, &Child::link> checked;
  while (Child* child = turn.pop_front()) {
    checked.push_back(*child);
    if (!child->pidfd) check(*child);
  }
  children_.splice_front(checked);
}

void Reaper::finish(Child& child, Result<ProcessExit> exit) {
  const std::unique_ptr<Child> ended(&child);
  child.link.unlink();
  loop_.unwatch(child.watch);
  if (!child.pidfd && --without_pidfd_ == 0) sigchld_->stop();
  if (child.owner != nullptr) child.owner->ended(std::move(exit));
}

Process::Process(Loop& loop) : Handle(loop, "process") {}

Process::~Process() = default;

Result<void> Process::spawn(const ProcessOptions& options, OnExit on_exit) {
  RONDO_ASSERT(!is_closing());
  if (child_ != nullptr) return Error{EALREADY, "spawn"};
  Result<std::vector<Fd>> stdio = loop().services().get<Reaper>(loop()).spawn(options, *this);
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
  const int pidfd = child_->pidfd.get();
  const long sent = pidfd >= 0 ? ::syscall(SYS_pidfd_send_signal, pidfd, signum, nullptr, 0)
                               : ::kill(child_->pid, signum);
  if (sent < 0) return Error::last("kill");
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
