#include "io/signal.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <mutex>

#include "base/fd.h"
#include "loop/loop.h"

namespace rondo {
namespace {

constexpr int kSignalLimit = 65;  // Signals are numbered from 1 to 64.
// What a storm of one signal may run in one poll; the rest waits for the next (TURN-10).
constexpr uint32_t kMostPerPoll = 1024;

constexpr uint64_t bit_of(int signum) { return uint64_t{1} << (signum - 1); }

// Where the handler leaves word for one loop. Never freed, and its descriptor never closed, only
// handed on to the next loop: a handler on another thread may be about to write to it for as long
// as it likes, and a late write wakes the next owner for nothing, which does no harm.
struct Slot {
  Slot* next = nullptr;  // Fixed once the slot is in the hub's list.
  int event_fd = -1;     // Never read: it is watched edge-triggered, so only its edges matter.
  bool is_taken = true;  // Under the hub's mutex.
  std::atomic<uint64_t> interest{0};  // A bit per signal.
  std::array<std::atomic<uint32_t>, kSignalLimit> caught{};

  // Async-signal-safe. A full counter (EAGAIN) is an edge that the loop has yet to see.
  void ring() const {
    const uint64_t one = 1;
    while (::write(event_fd, &one, sizeof one) < 0 && errno == EINTR) {
    }
  }
  void forget(int signum) { caught[static_cast<size_t>(signum)].store(0); }
};

struct Disposition {
  struct sigaction previous {};  // Written before ours is installed: the handler may read it.
  size_t regular = 0;            // Started handles of all loops.
  size_t oneshot = 0;
  bool is_installed = false;
};

void handle_signal(int signum, siginfo_t* info, void* context);

// One per process, because what a signal does is the process's.
class SignalHub {
 public:
  Result<Slot*> take_slot();
  void give_slot_back(Slot& slot);

  // Count one started handle in or out, and make the process's handler fit.
  Result<void> add(int signum, bool is_oneshot);
  void remove(int signum, bool is_oneshot);

  // In the handler.
  void caught(int signum) const;
  void let_fault_happen(int signum) const;

 private:
  Result<void> install(int signum, Disposition& disposition);
  void restore(int signum, Disposition& disposition);
  void guard_forks();

  std::mutex mutex_;  // Never taken by the handler.
  bool guards_forks_ = false;
  std::atomic<Slot*> slots_{nullptr};
  std::array<Disposition, kSignalLimit> dispositions_;
};

constinit SignalHub hub;

Result<Slot*> SignalHub::take_slot() {
  std::lock_guard lock(mutex_);
  guard_forks();
  for (Slot* slot = slots_.load(); slot != nullptr; slot = slot->next) {
    if (slot->is_taken) continue;
    slot->is_taken = true;
    return slot;
  }
  const int event_fd = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (event_fd < 0) return Error::last("eventfd");
  auto* slot = new Slot;
  slot->event_fd = event_fd;
  slot->next = slots_.load();
  slots_.store(slot, std::memory_order_release);
  return slot;
}

void SignalHub::give_slot_back(Slot& slot) {
  std::lock_guard lock(mutex_);
  slot.interest.store(0);
  for (int signum = 1; signum < kSignalLimit; ++signum) slot.forget(signum);
  slot.is_taken = false;
}

// A child must not find the mutex held by a thread it does not have, and owes nobody an answer to
// the signals of its parent.
void SignalHub::guard_forks() {
  if (guards_forks_) return;
  guards_forks_ = true;
  ::pthread_atfork([] { hub.mutex_.lock(); }, [] { hub.mutex_.unlock(); },
                   [] {
                     for (Slot* slot = hub.slots_.load(); slot != nullptr; slot = slot->next) {
                       for (int signum = 1; signum < kSignalLimit; ++signum) slot->forget(signum);
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
    // Only one-shot ones are left. It was possible before, so it is now.
    if (Result<void> installed = install(signum, disposition); !installed) {
      fatal(installed.error().message().c_str());
    }
  }
}

// Also where it is installed already: the flags may differ now, and a one-shot handler may have
// been reset by the kernel.
Result<void> SignalHub::install(int signum, Disposition& disposition) {
  struct sigaction ours {};
  ours.sa_sigaction = handle_signal;
  // On the alternate stack where the thread has one: other runtimes' threads have small stacks.
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
  // SIG_DFL is what the kernel leaves behind after a one-shot, flags and all. Anything else
  // somebody has installed since, and it stays.
  const bool is_ours = current.sa_sigaction == handle_signal;
  const bool is_reset = current.sa_handler == SIG_DFL;
  if (is_ours || is_reset) ::sigaction(signum, &disposition.previous, nullptr);
}

void SignalHub::caught(int signum) const {
  for (Slot* slot = slots_.load(std::memory_order_acquire); slot != nullptr; slot = slot->next) {
    if ((slot->interest.load() & bit_of(signum)) == 0) continue;
    // Whoever made it one rings for all that come until the loop takes them.
    if (slot->caught[static_cast<size_t>(signum)].fetch_add(1) == 0) slot->ring();
  }
}

void SignalHub::let_fault_happen(int signum) const {
  ::sigaction(signum, &dispositions_[static_cast<size_t>(signum)].previous, nullptr);
}

bool is_fault(int signum, const siginfo_t& info) {
  const bool can_be = signum == SIGSEGV || signum == SIGBUS || signum == SIGFPE || signum == SIGILL;
  return can_be && info.si_code > 0;  // Up to 0 it was sent by a process.
}

void handle_signal(int signum, siginfo_t* info, void*) {
  const int saved_errno = errno;
  if (is_fault(signum, *info)) {
    // Returning repeats the instruction that failed: with our handler in place, for ever.
    hub.let_fault_happen(signum);
  } else {
    hub.caught(signum);
  }
  errno = saved_errno;
}

}  // namespace

// A loop's share of the hub: its slot, and which handle listens to what.
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
    size_t count = 0;  // Also of those that are out of the list for the length of a delivery.
  };
  Result<void> open();
  void close_if_unused();
  Listeners& listeners(int signum) { return listeners_[static_cast<size_t>(signum)]; }
  void join(Signal& signal, int signum, bool is_oneshot);
  void drop_interest_if_unheard(int signum);
  void deliver();
  void deliver_one(int signum, uint64_t epoch);

  Loop& loop_;
  Slot* slot_ = nullptr;
  SlotWatch watch_;
  std::array<Listeners, kSignalLimit> listeners_;
  size_t started_ = 0;
  uint64_t epoch_ = 0;  // Counts deliveries.
};

SignalService::SignalService(Loop& loop) : loop_(loop) {
  watch_.owner = this;
  watch_.source = this;
  watch_.fn = [](Target& target, int32_t, uint32_t) {
    static_cast<SlotWatch&>(target).owner->deliver();
  };
}

SignalService::~SignalService() {
  // The loop has yet to complain about handles that are left, or to close them.
  for (Listeners& of_one : listeners_) {
    while (Signal* signal = of_one.list.front()) signal->stop();
  }
  if (slot_ != nullptr) hub.give_slot_back(*slot_);
}

Result<void> SignalService::open() {
  if (slot_ == nullptr) {
    Result<Slot*> slot = hub.take_slot();
    if (!slot) return slot.error();
    slot_ = *slot;
    watch_.fd = slot_->event_fd;
  }
  return loop_.poller().watch(watch_, EPOLLIN | EPOLLET);
}

void SignalService::close_if_unused() {
  if (started_ == 0) loop_.unwatch(watch_);
}

Result<void> SignalService::add(Signal& signal, int signum, bool is_oneshot) {
  if (Result<void> opened = open(); !opened) return opened;
  // Interest first: a signal that comes as soon as the handler is in place has somewhere to go.
  if (listeners(signum).count == 0) slot_->forget(signum);
  ++listeners(signum).count;
  ++started_;
  slot_->interest.fetch_or(bit_of(signum));
  if (Result<void> added = hub.add(signum, is_oneshot); !added) {
    --listeners(signum).count;
    --started_;
    drop_interest_if_unheard(signum);
    close_if_unused();
    return added;
  }
  if (signal.service_ != nullptr) remove(signal);
  signal.service_ = this;
  signal.signum_ = signum;
  signal.is_oneshot_ = is_oneshot;
  signal.epoch_ = epoch_;
  listeners(signum).list.push_back(signal);
  return {};
}

void SignalService::remove(Signal& signal) {
  const int signum = signal.signum_;
  signal.link_.unlink();
  signal.service_ = nullptr;
  signal.signum_ = 0;
  // The former handler first: from now on a signal does what it did before, and is not swallowed.
  hub.remove(signum, signal.is_oneshot_);
  --listeners(signum).count;
  --started_;
  drop_interest_if_unheard(signum);
  close_if_unused();
}

void SignalService::drop_interest_if_unheard(int signum) {
  if (listeners(signum).count > 0) return;
  slot_->interest.fetch_and(~bit_of(signum));
  slot_->forget(signum);
}

// Parent and child would wake each other for nothing. The number stays: the handler knows it.
Result<void> SignalService::reopen_after_fork() {
  if (slot_ == nullptr) return {};
  const bool is_watched = watch_.interest != 0;
  loop_.unwatch(watch_);
  const Fd fresh(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!fresh) return Error::last("eventfd");
  if (::dup3(fresh.get(), slot_->event_fd, O_CLOEXEC) < 0) return Error::last("dup3");
  slot_->ring();  // What was caught meanwhile has rung elsewhere.
  return is_watched ? open() : Result<void>();
}

void SignalService::deliver() {
  const uint64_t interest = slot_->interest.load();
  for (int signum = 1; signum < kSignalLimit; ++signum) {
    if ((interest & bit_of(signum)) == 0) continue;
    std::atomic<uint32_t>& caught = slot_->caught[static_cast<size_t>(signum)];
    uint32_t count = caught.exchange(0);
    if (count > kMostPerPoll) {
      caught.fetch_add(count - kMostPerPoll);
      slot_->ring();
      count = kMostPerPoll;
    }
    if (count == 0) continue;
    // Handles that a callback starts were not there when these signals came.
    const uint64_t epoch = ++epoch_;
    for (; count > 0; --count) deliver_one(signum, epoch);
  }
}

void SignalService::deliver_one(int signum, uint64_t epoch) {
  // Detach first: a callback may start, stop or close any handle, itself included. What it starts
  // goes behind those that were there.
  auto turn = listeners(signum).list.take();
  List<Signal, &Signal::link_> told;
  while (Signal* signal = turn.pop_front()) {
    told.push_back(*signal);
    if (signal->epoch_ >= epoch) continue;
    if (signal->is_oneshot_) signal->stop();
    CallbackScope scope(loop_, *signal);
    signal->on_signal_.call_replaceable(*signal, signum);
  }
  listeners(signum).list.splice_front(told);
}

Signal::Signal(Loop& loop) : Handle(loop, "signal") {}

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
  auto& service = loop().services().get<SignalService>(loop());
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
