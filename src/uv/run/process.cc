#include "uv/run/process.h"

#include <dlfcn.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <climits>
#include <memory>

#include "base/fd.h"
#include "uv/interpose/clock_hooks.h"
#include "uv/preload/settings.h"
#include "uv/run/clock.h"
#include "uv/run/orders.h"

namespace rondo::uv {

namespace {

// Once per process, like its clock; never freed, because other threads may read it at the end.
ProgramClock* virtual_clock = nullptr;
std::atomic<bool> has_begun{false};  // Threads that are started from now on are the program's.
thread_local bool uses_loop = false;
thread_local ThreadPart* part_of_thread = nullptr;
thread_local bool is_machinery = false;

bool is_main_thread() { return ::gettid() == ::getpid(); }

// A thread without a loop that sleeps in virtual time.
class Sleeper final : public ClockUser {
 public:
  Sleeper() : wake_(::eventfd(0, EFD_CLOEXEC)) { virtual_clock->join(*this); }
  ~Sleeper() override { virtual_clock->leave(*this); }
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;

  void sleep_until(Nanos instant) {
    for (;;) {
      const Nanos left = instant - virtual_clock->now();
      if (left <= Nanos::zero()) return;
      if (virtual_clock->jump(*this, instant) == Clock::Jump::done) return;
      // Another thread is busy: time passes as the real time does.
      pollfd waiting{wake_.get(), POLLIN, 0};
      const int64_t millis = std::chrono::ceil<Millis>(left).count();
      const int woken = ::poll(&waiting, 1, static_cast<int>(std::min<int64_t>(millis, INT_MAX)));
      if (woken == 0 && millis <= INT_MAX) virtual_clock->advance_to(instant);
      eventfd_t ignored = 0;
      if (woken > 0) ::eventfd_read(wake_.get(), &ignored);
    }
  }

 private:
  bool has_news() const override { return false; }
  void wake() override { ::eventfd_write(wake_.get(), 1); }

  Fd wake_;
};

// Does nothing if librondo-clock.so is not loaded.
void install_clock() {
  auto* const install =
      reinterpret_cast<RondoInstallClock*>(::dlsym(RTLD_DEFAULT, kRondoInstallClock));
  if (install == nullptr) return;
  RondoClockHooks hooks{};
  hooks.now = [] { return int64_t{virtual_clock->now().count()}; };
  hooks.wall = [] { return int64_t{virtual_clock->wall().count()}; };
  hooks.sleep = [](int64_t nanoseconds) { sleep(Nanos(nanoseconds)); };
  hooks.timed_out = [](int64_t now) {
    if (uses_loop || is_main_thread()) virtual_clock->advance_to(Nanos(now));
  };
  install(hooks);
}

}  // namespace

void start_process() {
  if (const std::optional<Nanos> start = settings().clock; start) {
    virtual_clock = new ProgramClock(*start);
    install_clock();
  }
  start_orders();
}

Clock& program_clock() {
  if (virtual_clock != nullptr) return *virtual_clock;
  return RealClock::instance();
}

void sleep(Nanos duration) {
  if (virtual_clock == nullptr) {
    timespec left{duration.count() / 1'000'000'000, duration.count() % 1'000'000'000};
    while (::nanosleep(&left, &left) < 0 && errno == EINTR) {
    }
    return;
  }
  if (is_machinery) {
    const timespec real{duration.count() / 1'000'000'000, duration.count() % 1'000'000'000};
    ::ppoll(nullptr, 0, &real, nullptr);
    return;
  }
  const Nanos until = saturating_add(virtual_clock->now(), duration);
  if (uses_loop || is_main_thread()) {
    virtual_clock->advance_to(until);
    return;
  }
  const BlockedScope blocked;
  Sleeper().sleep_until(until);
}

// A thread that has no loop: the clock does not jump while it runs.
class ThreadPart::User final : public ClockUser {
 public:
  bool has_news() const override { return false; }
  void wake() override {}
};

ThreadPart::ThreadPart() : is_machinery_(!has_begun) {
  if (virtual_clock == nullptr || is_machinery_) return;
  user_ = std::make_unique<User>();
  virtual_clock->join_other_thread(*user_);
}

ThreadPart::~ThreadPart() { end(); }

void ThreadPart::begin() {
  part_of_thread = this;
  is_machinery = is_machinery_;
}

void ThreadPart::end() {
  if (part_of_thread == this) part_of_thread = nullptr;
  if (user_ != nullptr) virtual_clock->leave(*user_);
  user_.reset();
}

BlockedScope::BlockedScope() {
  ThreadPart* const part = part_of_thread;
  user_ = part == nullptr ? nullptr : part->user_.get();
  if (user_ != nullptr) virtual_clock->jump(*user_, kForever);
}

BlockedScope::~BlockedScope() {
  if (user_ != nullptr) virtual_clock->resume(*user_);
}

LoopPlace place_of_new_loop(bool is_default) {
  uses_loop = true;
  if (part_of_thread != nullptr) part_of_thread->end();
  const bool is_main = is_main_thread();
  if (is_default) has_begun = true;
  // The thread may come to this point after the program has begun.
  if (is_machinery) return {&RealClock::instance(), nullptr};
  return {&program_clock(), is_main ? choice_of_process() : nullptr};
}

void loop_opened(uv_loop_t* loop) {
  if (choice_of_process() != nullptr && is_main_thread()) enter_loop(loop);
}

void loop_runs(uv_loop_t* loop) {
  uses_loop = true;
  if (virtual_clock != nullptr && is_main_thread()) has_begun = true;
  loop_opened(loop);
}

void loop_closes(uv_loop_t* loop) {
  if (choice_of_process() != nullptr && is_main_thread()) leave_loop(loop);
}

}  // namespace rondo::uv
