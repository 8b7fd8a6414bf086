#include "io/process/signal.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <memory>
#include <mutex>
#include <thread>

#include "base/fd.h"
#include "loop/internals.h"

namespace rondo {
namespace {

constexpr int kSignalLimit = 65;  // Signals are numbered from 1 to 64.
// The most signals per poll; the rest stays in the pipe for the next poll (TURN-10).
constexpr size_t kMostPerPoll = 1024;

constexpr uint64_t bit_of(int signum) { return uint64_t{1} << (signum - 1); }

// Start counts wrap around.
constexpr bool is_newer(uint32_t left, uint32_t right) {
  return static_cast<int32_t>(left - right) > 0;
}

// The message that the handler writes for one signal. `starts` is the number of handles that the
// loop had started by then: handles that are started later do not get the signal.
struct Caught {
  int32_t signum;
  uint32_t starts;
};

// The pipe through which the handler passes signals to one loop, in order of arrival. Never freed,
// only reused by the next loop, because handlers on other threads traverse the list.
struct Slot {
  Slot* next = nullptr;  // Fixed once the slot is in the hub's list.
  int read_fd = -1;
  int write_fd = -1;
  bool is_taken = true;               // Under the hub's mutex.
  std::atomic<uint64_t> interest{0};  // A bit per signal.
  std::atomic<uint32_t> starts{0};
  // Counts signals that found the pipe full, which holds about 8,000. They are delivered after the
  // others, without their order.
  std::array<std::atomic<uint32_t>, kSignalLimit> overflow{};
  std::atomic<bool> has_overflow{false};

  // Async-signal-safe.
  void put(int signum) {
    const Caught caught{signum, starts.load()};
    ssize_t written;
    do {
      written = ::write(write_fd, &caught, sizeof caught);
    } while (written < 0 && errno == EINTR);
    if (written == ssize_t{sizeof caught}) return;
    overflow[static_cast<size_t>(signum)].fetch_add(1);
    has_overflow.store(true);
    wake_up();  // The loop may have drained the pipe just before, without seeing the flag.
  }
  // Makes the pipe readable by writing number 0, which no signal has. Not needed if the pipe is
  // full.
  void wake_up() const {
    const Caught nothing{0, 0};
    (void)!::write(write_fd, &nothing, sizeof nothing);
  }
  // Takes up to `most` signals, oldest first.
  size_t take(Caught* caught, size_t most) const {
    ssize_t got;
    do {
      got = ::read(read_fd, caught, most * sizeof *caught);
    } while (got < 0 && errno == EINTR);
    return got > 0 ? static_cast<size_t>(got) / sizeof *caught : 0;
  }
  // Replaces the pipe, but keeps the descriptor numbers, because a handler may be using them.
  void reopen_in_child() const {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0) return;  // Stays shared with the parent.
    replace(read_fd, ends[0]);
    replace(write_fd, ends[1]);
  }
  // EBUSY: dup3(2) raced with another thread's open(2). Retry, since replacing half of the pipe
  // would be worse than waiting.
  static void replace(int number, int fd) {
    while (::dup3(fd, number, O_CLOEXEC) < 0 && (errno == EINTR || errno == EBUSY)) {
    }
    ::close(fd);
  }
  Result<void> open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0) return Error::last("pipe2");
    read_fd = ends[0];
    write_fd = ends[1];
    return {};
  }
  void close() {
    ::close(read_fd);
    ::close(write_fd);
    for (std::atomic<uint32_t>& count : overflow) count.store(0);
    has_overflow.store(false);
  }
};

struct Disposition {
  struct sigaction previous {};  // Written before installation: the handler may read it.
  size_t regular = 0;            // Started handles of all loops.
  size_t oneshot = 0;
  bool is_installed = false;
};

void handle_signal(int signum, siginfo_t* info, void* context);

// One per process, because signal dispositions belong to the process.
class SignalHub {
 public:
  Result<Slot*> take_slot();
  void give_slot_back(Slot& slot);

  // Adds or removes one started handle, and updates the process's handler.
  Result<void> add(int signum, bool is_oneshot);
  void remove(int signum, bool is_oneshot);

  // Called in the signal handler.
  void caught(int signum);
  void let_fault_happen(int signum) const;

 private:
  Result<void> install(int signum, Disposition& disposition);
  void restore(int signum, Disposition& disposition);
  void guard_forks();

  std::mutex mutex_;  // Never taken by the handler.
  bool guards_forks_ = false;
  std::atomic<Slot*> slots_{nullptr};
  std::atomic<int> running_handlers_{0};
  std::array<Disposition, kSignalLimit> dispositions_;
};

constinit SignalHub hub;

Result<Slot*> SignalHub::take_slot() {
  std::lock_guard lock(mutex_);
  guard_forks();
  for (Slot* slot = slots_.load(); slot != nullptr; slot = slot->next) {
    if (slot->is_taken) continue;
    if (Result<void> opened = slot->open(); !opened) return opened.error();
    slot->is_taken = true;
    return slot;
  }
  auto slot = std::make_unique<Slot>();
  if (Result<void> opened = slot->open(); !opened) return opened.error();
  slot->next = slots_.load();
  slots_.store(slot.get(), std::memory_order_release);
  return slot.release();
}

void SignalHub::give_slot_back(Slot& slot) {
  std::lock_guard lock(mutex_);
  slot.interest.store(0);
  // A handler that began earlier may still write to the pipe; this takes microseconds.
  while (running_handlers_.load() > 0) std::this_thread::yield();
  slot.close();
  slot.is_taken = false;
}

// Registers fork handlers. The child must not find the mutex held by a thread that it does not
// have, and must not take the parent's signals from the pipes that both share.
void SignalHub::guard_forks() {
  if (guards_forks_) return;
  guards_forks_ = true;
  ::pthread_atfork([] { hub.mutex_.lock(); }, [] { hub.mutex_.unlock(); },
                   [] {
                     hub.running_handlers_.store(0);
                     for (Slot* slot = hub.slots_.load(); slot != nullptr; slot = slot->next) {
                       if (slot->is_taken) slot->reopen_in_child();
                     }
                     hub.mutex_.unlock();
                   });
}

Result<void> SignalHub::add(int signum, bool is_oneshot) {
  std::lock_guard lock(mutex_);
  Disposition& disposition = dispositions_[static_cast<size_t>(signum)];
  size_t& count = is_oneshot ? disposition.oneshot : disposition.regular;
  ++count;
  Result<void> installed = install(signum, disposition);
  if (!installed) --count;
  return installed;
}

void SignalHub::remove(int signum, bool is_oneshot) {
  std::lock_guard lock(mutex_);
  Disposition& disposition = dispositions_[static_cast<size_t>(signum)];
  --(is_oneshot ? disposition.oneshot : disposition.regular);
  if (disposition.regular + disposition.oneshot == 0) {
    restore(signum, disposition);
  } else if (!is_oneshot && disposition.regular == 0) {
    // Only one-shot handles are left. Installing succeeded before, so it does now.
    if (Result<void> installed = install(signum, disposition); !installed) {
      fatal(installed.error().message().c_str());
    }
  }
}

// Also called if the handler is already installed: the flags may differ now, and the kernel may
// have reset a one-shot handler.
Result<void> SignalHub::install(int signum, Disposition& disposition) {
  struct sigaction ours {};
  ours.sa_sigaction = handle_signal;
  // Uses the alternate stack if the thread has one, because threads of other runtimes may have
  // small stacks.
  ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  if (disposition.regular == 0) ours.sa_flags |= SA_RESETHAND;
  ::sigfillset(&ours.sa_mask);
  if (!disposition.is_installed) {
    if (::sigaction(signum, nullptr, &disposition.previous) < 0) return Error::last("sigaction");
  }
  if (::sigaction(signum, &ours, nullptr) < 0) return Error::last("sigaction");
  disposition.is_installed = true;
  return {};
}

void SignalHub::restore(int signum, Disposition& disposition) {
  disposition.is_installed = false;
  struct sigaction current {};
  ::sigaction(signum, nullptr, &current);
  // The kernel sets SIG_DFL after a one-shot, including flags. Any other handler was installed by
  // other code since, and stays.
  const bool is_ours = current.sa_sigaction == handle_signal;
  const bool is_reset = current.sa_handler == SIG_DFL;
  if (is_ours || is_reset) ::sigaction(signum, &disposition.previous, nullptr);
}

void SignalHub::caught(int signum) {
  running_handlers_.fetch_add(1);
  for (Slot* slot = slots_.load(std::memory_order_acquire); slot != nullptr; slot = slot->next) {
    if ((slot->interest.load() & bit_of(signum)) != 0) slot->put(signum);
  }
  running_handlers_.fetch_sub(1);
}

void SignalHub::let_fault_happen(int signum) const {
  ::sigaction(signum, &dispositions_[static_cast<size_t>(signum)].previous, nullptr);
}

bool is_fault(int signum, const siginfo_t& info) {
  const bool can_be = signum == SIGSEGV || signum == SIGBUS || signum == SIGFPE || signum == SIGILL;
  return can_be && info.si_code > 0;  // A process sent it if the code is at most 0.
}

void handle_signal(int signum, siginfo_t* info, void*) {
  const int saved_errno = errno;
  if (is_fault(signum, *info)) {
    // Returning repeats the failed instruction, so with our handler in place it would fail forever.
    hub.let_fault_happen(signum);
  } else {
    hub.caught(signum);
  }
  errno = saved_errno;
}

}  // namespace

// A loop's part of the hub: its slot, and its handles by signal.
class SignalService final : public Service {
 public:
  explicit SignalService(Loop& loop);
  ~SignalService() override;

  Result<void> add(Signal& signal, int signum, bool is_oneshot);
  void remove(Signal& signal);
  Result<void> reopen_after_fork() override;

 private:
  struct SlotWatch final : Watch {
    SignalService* owner;
  };
  struct Listeners {
    List<Signal, &Signal::link_> list;
    size_t count = 0;  // Includes handles detached during a delivery.
  };
  Result<void> open();
  Listeners& listeners(int signum) { return listeners_[static_cast<size_t>(signum)]; }
  void join(Signal& signal, int signum, bool is_oneshot);
  void drop_interest_if_unheard(int signum);
  void deliver();
  void deliver_overflow();
  void deliver_one(const Caught& caught);

  Loop& loop_;
  Slot* slot_ = nullptr;
  SlotWatch watch_;
  std::array<Listeners, kSignalLimit> listeners_;
};

SignalService::SignalService(Loop& loop) : loop_(loop) {
  watch_.owner = this;
  watch_.source = this;
  watch_.is_last = true;
  watch_.fn = [](Target& target, int32_t, uint32_t) {
    static_cast<SlotWatch&>(target).owner->deliver();
  };
}

SignalService::~SignalService() {
  // Stops the remaining handles: the loop reports or closes them later.
  for (Listeners& of_one : listeners_) {
    while (Signal* signal = of_one.list.front()) signal->stop();
  }
  if (slot_ == nullptr) return;
  loop_.internals().unwatch(watch_);
  hub.give_slot_back(*slot_);
}

// As in libuv, the pipe stays watched when the last handle is stopped: a signal that was caught
// before is read by the next poll and does not wait for the next handle.
Result<void> SignalService::open() {
  if (slot_ == nullptr) {
    Result<Slot*> slot = hub.take_slot();
    if (!slot) return slot.error();
    slot_ = *slot;
    watch_.fd = slot_->read_fd;
  }
  return loop_.internals().poller().watch_now(watch_, EPOLLIN);
}

Result<void> SignalService::add(Signal& signal, int signum, bool is_oneshot) {
  if (Result<void> opened = open(); !opened) return opened;
  // Sets the interest first: a signal that arrives right after the handler is installed must be
  // recorded.
  const uint32_t start = slot_->starts.fetch_add(1) + 1;
  ++listeners(signum).count;
  slot_->interest.fetch_or(bit_of(signum));
  if (Result<void> added = hub.add(signum, is_oneshot); !added) {
    --listeners(signum).count;
    drop_interest_if_unheard(signum);
    return added;
  }
  if (signal.service_ != nullptr) remove(signal);
  signal.service_ = this;
  signal.signum_ = signum;
  signal.is_oneshot_ = is_oneshot;
  // As in libuv, signals that were caught before the library's own handle was stopped still count
  // when it is started again: a child that a callback spawns may have ended already.
  if (!signal.is_internal_ || signal.start_ == 0) signal.start_ = start;
  // The library's own handle is first: 'exit' of a child is emitted before a listener for SIGCHLD
  // runs.
  if (signal.is_internal_) {
    listeners(signum).list.push_front(signal);
  } else {
    listeners(signum).list.push_back(signal);
  }
  return {};
}

void SignalService::remove(Signal& signal) {
  const int signum = signal.signum_;
  signal.link_.unlink();
  signal.service_ = nullptr;
  signal.signum_ = 0;
  // Restores the previous handler first: from now on a signal has its previous effect and is not
  // lost.
  hub.remove(signum, signal.is_oneshot_);
  --listeners(signum).count;
  drop_interest_if_unheard(signum);
}

void SignalService::drop_interest_if_unheard(int signum) {
  if (listeners(signum).count > 0) return;
  slot_->interest.fetch_and(~bit_of(signum));
}

Result<void> SignalService::reopen_after_fork() {
  if (slot_ == nullptr || watch_.interest == 0) return {};
  // The descriptor number now refers to another pipe than the one registered with the poller: see
  // reopen_in_child().
  loop_.internals().unwatch(watch_);
  return open();
}

void SignalService::deliver() {
  std::array<Caught, kMostPerPoll> caught;
  const size_t count = slot_->take(caught.data(), caught.size());
  for (size_t i = 0; i < count; ++i) deliver_one(caught[i]);
  if (count == kMostPerPoll) {
    if (slot_->has_overflow.load()) slot_->wake_up();  // The pipe may be empty now.
  } else if (slot_->has_overflow.exchange(false)) {
    deliver_overflow();
  }
}

void SignalService::deliver_overflow() {
  const uint32_t starts = slot_->starts.load();
  for (int signum = 1; signum < kSignalLimit; ++signum) {
    uint32_t count = slot_->overflow[static_cast<size_t>(signum)].exchange(0);
    for (; count > 0; --count) deliver_one({signum, starts});
  }
}

void SignalService::deliver_one(const Caught& caught) {
  if (caught.signum < 1 || caught.signum >= kSignalLimit) return;
  // Detached first: a callback may start, stop or close any handle, including itself. Handles it
  // starts go behind the existing ones.
  auto turn = listeners(caught.signum).list.take();
  List<Signal, &Signal::link_> reported;
  while (Signal* signal = turn.pop_front()) {
    reported.push_back(*signal);
    if (is_newer(signal->start_, caught.starts)) continue;
    if (signal->is_oneshot_) signal->stop();
    if (signal->is_internal_) {
      signal->on_signal_.call_replaceable(*signal, caught.signum);
      continue;
    }
    CallbackScope scope(loop_, *signal);
    signal->on_signal_.call_replaceable(*signal, caught.signum);
  }
  auto& list = listeners(caught.signum).list;
  list.splice_front(reported);
  // The library's own handle may have been stopped and started again: it stays first.
  list.for_each([&list](Signal& signal) {
    if (!signal.is_internal_ || &signal == list.front()) return;
    list.remove(signal);
    list.push_front(signal);
  });
}

Signal::Signal(Loop& loop) : Handle(loop, HandleKind::signal) {}

Result<void> Signal::start(int signum, OnSignal on_signal) {
  return start_as(signum, false, std::move(on_signal));
}

Result<void> Signal::start_oneshot(int signum, OnSignal on_signal) {
  return start_as(signum, true, std::move(on_signal));
}

Result<void> Signal::start_as(int signum, bool is_oneshot, OnSignal on_signal) {
  RONDO_ASSERT(!is_closing());
  if (signum < 1 || signum >= kSignalLimit || signum == SIGKILL || signum == SIGSTOP) {
    return Error{EINVAL, "sigaction"};
  }
  auto& service = internals().service<SignalService>();
  if (Result<void> added = service.add(*this, signum, is_oneshot); !added) return added;
  on_signal_ = std::move(on_signal);
  activate();
  return {};
}

void Signal::stop() {
  if (service_ != nullptr) service_->remove(*this);
  deactivate();
}

}  // namespace rondo
