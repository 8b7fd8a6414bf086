#include "runtime/control/watchdog.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

#include "runtime/values/values.h"

namespace rondo::runtime {

namespace {

using std::chrono::milliseconds;

// A drain that takes longer than this starves the loop.
constexpr milliseconds kStarved{1000};
// It must also take this much processor time: on a busy machine a short drain can take a second.
constexpr milliseconds kLeastProcessorTime{500};
constexpr milliseconds kCalmInterval{250};
// Used while an interrupt is pending, or until the end of a callback that will be reported.
constexpr milliseconds kBusyInterval{1};
// Most programs have ended by then, and do not need on_settled().
constexpr milliseconds kSettled{100};
// An interrupt may hit a function of lib between two user functions. Trying again is cheap, and it
// is unlikely that this many tries all miss user code.
constexpr int kMostAttempts = 200;
constexpr size_t kMostFrames = 10;
// The most callbacks that take_slow() returns: as many as a reader may want to see at a time.
constexpr size_t kMostSlow = 16;

void say(const std::string& text) {
  const std::string all = "rondo: " + text + "\n";
  const ssize_t ignored = ::write(STDERR_FILENO, all.data(), all.size());
  static_cast<void>(ignored);
}

long long in_ms(Watchdog::Clock::duration duration) {
  return std::chrono::duration_cast<milliseconds>(duration).count();
}

// The innermost frame: the code that takes the time.
std::string innermost(const std::vector<Place>& stack) {
  if (stack.empty()) return ", at an unknown place";
  return ", in " + stack.front().text();
}

// The callers of the innermost frame, a line each.
std::string callers(const std::vector<Place>& stack) {
  std::string lines;
  for (size_t i = 1; i < stack.size(); ++i) lines += "\n    called by " + stack[i].text();
  return lines;
}

}  // namespace

Watchdog::Watchdog(v8::Isolate* isolate, WatchdogOptions options)
    : isolate_(isolate), options_(options) {
  set_least();
}

Watchdog::~Watchdog() {
  if (!thread_.is_started()) return;
  {
    const std::lock_guard lock(nap_mutex_);
    is_ending_.store(true);
  }
  nap_.notify_one();
  wake();
  thread_.join();
}

void Watchdog::watch(const volatile uint32_t* callbacks, const volatile uint32_t* drains,
                     volatile uint32_t* has_limit) {
  callbacks_ = callbacks;
  drains_ = drains;
  has_limit_ = has_limit;
  set_least();
  ::pthread_getcpuclockid(::pthread_self(), &processor_clock_);
  if (options_.warns || options_.always_runs || least_ms_.load() > 0) {
    // If no thread can be started, the program runs without a watchdog.
    static_cast<void>(thread_.start([this] { run(); }));
  }
}

void Watchdog::on_blocked(Limit limit, Callback<void(const Blocked&)> on_blocked) {
  blocked_limit_ = limit;
  on_blocked_ = std::move(on_blocked);
  set_least();
}

void Watchdog::collect(Limit limit) {
  // With the first limit, the running callback is measured from now on.
  if (least_ms_.load() == 0)
    began_.store(Clock::now().time_since_epoch().count(), std::memory_order_relaxed);
  collect_ms_.store(limit.count());
  set_least();
  {
    const std::lock_guard lock(mutex_);
    slow_.clear();
  }
  {
    const std::lock_guard lock(nap_mutex_);
    is_nudged_ = true;
  }
  nap_.notify_one();
}

std::vector<Blocked> Watchdog::take_slow() {
  const std::lock_guard lock(mutex_);
  return std::exchange(slow_, {});
}

Watchdog::Current Watchdog::current() {
  Current current;
  current.is_running = look().is_running();
  const Clock::time_point since{Clock::duration(since_.load(std::memory_order_relaxed))};
  if (current.is_running) current.age = std::max(Clock::now() - since, Clock::duration::zero());
  return current;
}

void Watchdog::set_least() {
  Limit::rep least = 0;
  for (const Limit::rep limit :
       {options_.limit.count(), blocked_limit_.count(), collect_ms_.load()}) {
    if (limit > 0 && (least == 0 || limit < least)) least = limit;
  }
  least_ms_.store(least);
  if (has_limit_ != nullptr) __atomic_store_n(has_limit_, least > 0 ? 1 : 0, __ATOMIC_RELAXED);
}

Watchdog::Clock::duration Watchdog::processor_time() const {
  timespec time{};
  ::clock_gettime(processor_clock_, &time);
  return std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec};
}

Watchdog::Task Watchdog::look() const {
  return {entries_.load(std::memory_order_relaxed), __atomic_load_n(callbacks_, __ATOMIC_RELAXED),
          __atomic_load_n(drains_, __ATOMIC_RELAXED)};
}

Watchdog::Limit Watchdog::interval() const {
  if (is_near_limit_) return kBusyInterval;
  const Limit least{least_ms_.load(std::memory_order_relaxed)};
  if (least.count() == 0) return kCalmInterval;
  return std::clamp(least / 8, kBusyInterval, kCalmInterval);
}

void Watchdog::run() {
  Task last;
  const Clock::time_point start = Clock::now();
  Clock::time_point since = start;
  Clock::time_point before = start;
  while (!is_ending_.load()) {
    milliseconds pause = interval();
    if (on_settled_ || on_idle_) pause = std::min(pause, kSettled);
    if (wake_ups_.load() == 0) {
      std::unique_lock lock(nap_mutex_);
      nap_.wait_for(lock, pause, [this] { return is_ending_.load() || is_nudged_; });
      is_nudged_ = false;
    }
    const Clock::time_point now = Clock::now();
    if (on_settled_ && now - start >= kSettled && !is_ending_.load()) {
      on_settled_();
      on_settled_ = nullptr;
    }
    // The process was stopped for a while (SIGSTOP, suspend): this time does not count as blocked.
    if (now - before > pause * 4 + milliseconds{500}) since += now - before;
    before = now;
    const Task task = look();
    if (task == last) {
      if (task.is_running()) {
        judge(task, now - since);
      } else if (on_idle_ && !on_settled_) {
        on_idle_();
        on_idle_ = nullptr;
      } else if (!on_settled_ && can_sleep()) {
        sleep_until_entry(task);
        since = before = Clock::now();
      }
    } else {
      answer_.store(Answer::none, std::memory_order_release);
      is_sampled_late_ = is_near_limit_ = false;
      last = task;
      since = now;
      processor_time_before_ = processor_time();
      if (const Clock::time_point began{Clock::duration(began_.load(std::memory_order_relaxed))};
          least_ms_.load(std::memory_order_relaxed) > 0 && began < now) {
        since = began;
      }
    }
    since_.store(since.time_since_epoch().count(), std::memory_order_relaxed);
  }
}

// Samples the stack half way to the limit, because a callback that ends just above the limit would
// be over before the interrupt runs; and once more when all limits are exceeded.
void Watchdog::judge(const Task& task, Clock::duration age) {
  const Limit least{least_ms_.load(std::memory_order_relaxed)};
  const bool is_starving = options_.warns && !has_warned_ && task.is_drain() && age >= kStarved &&
                           processor_time() - processor_time_before_ >= kLeastProcessorTime;
  const bool is_slow = least.count() > 0 && age >= Clock::duration(least) / 2;
  if (!is_starving && !is_slow) return;
  is_near_limit_ = true;
  const Answer answer = answer_.load(std::memory_order_acquire);
  const bool is_given = answer == Answer::given || answer == Answer::nowhere;
  if (is_given && is_starving) warn();
  const Limit latest = std::max(
      {options_.limit, blocked_limit_, Limit{collect_ms_.load(std::memory_order_relaxed)}});
  const bool is_late = is_slow && age >= latest;
  if (answer == Answer::none || (is_given && is_late && !is_sampled_late_)) {
    is_sampled_late_ = is_late;
    request_stack(age);
  }
}

void Watchdog::warn() {
  has_warned_ = true;
  std::vector<Place> stack;
  {
    const std::lock_guard lock(mutex_);
    stack = stack_;
  }
  say("ticks or microtasks keep queueing more of themselves: the loop has been blocked for over a "
      "second" +
      innermost(stack) +
      ". No timer and no I/O can run until they stop (--no-warnings hides this)." + callers(stack));
}

// Called when JavaScript is entered and none ran before.
void Watchdog::note_entry() {
  began_.store(cheap_now(), std::memory_order_relaxed);
  callbacks_at_begin_ = *callbacks_;
  drains_at_begin_ = *drains_;
}

// Records that the callback that ran since began_ has ended and was slow.
void Watchdog::note_slow(Clock::duration age) {
  const Limit collected{collect_ms_.load(std::memory_order_relaxed)};
  const bool is_said = options_.limit.count() > 0 && age >= options_.limit;
  const bool is_collected = collected.count() > 0 && age >= collected;
  if (!is_said && !is_collected) return;
  Blocked blocked{{}, age, *drains_ != drains_at_begin_ && *callbacks_ == callbacks_at_begin_};
  const std::lock_guard lock(mutex_);
  if (sampled_at_ > began_.load(std::memory_order_relaxed)) {
    blocked.stack = stack_;
    blocked.is_drain = stack_task_.is_drain();
  }
  if (is_said) {
    say(std::string(blocked.is_drain ? "ticks and microtasks" : "a callback") +
        " blocked the loop for " + std::to_string(in_ms(age)) + " ms" + innermost(blocked.stack) +
        callers(blocked.stack));
  }
  if (!is_collected) return;
  slow_.push_back(std::move(blocked));
  std::sort(slow_.begin(), slow_.end(),
            [](const Blocked& a, const Blocked& b) { return a.age > b.age; });
  if (slow_.size() > kMostSlow) slow_.pop_back();
}

// Registers for membarrier(2). Without this support of the kernel the thread could fall asleep just
// as an entry begins, so it never sleeps. Registered late: the call takes ten milliseconds, which a
// short program should not have to wait for at exit.
bool Watchdog::can_sleep() {
  if (!has_requested_barriers_) {
    has_requested_barriers_ = true;
    has_barriers_ = ::syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
  }
  return has_barriers_;
}

void Watchdog::sleep_until_entry(const Task& task) {
  is_asleep_.store(true);
  // The loop's thread writes entries_ and then reads is_asleep_ without a fence; membarrier(2) acts
  // as its fence.
  ::syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
  while (!is_ending_.load() && look() == task && wake_ups_.load() == 0) wake_ups_.wait(0);
  is_asleep_.store(false);
  wake_ups_.store(0);
}

void Watchdog::wake() {
  wake_ups_.store(1);
  wake_ups_.notify_one();
}

void Watchdog::request_stack(Clock::duration age) {
  requested_since_.store((Clock::now() - age).time_since_epoch().count(),
                         std::memory_order_relaxed);
  answer_.store(Answer::requested, std::memory_order_release);
  isolate_->RequestInterrupt(on_interrupt, this);
}

// Runs on the loop's thread, in an interrupt of JavaScript.
void Watchdog::on_interrupt(v8::Isolate*, void* self) {
  Watchdog& watchdog = *static_cast<Watchdog*>(self);
  if (watchdog.answer_.load(std::memory_order_acquire) != Answer::requested) return;
  const Clock::time_point since{
      Clock::duration(watchdog.requested_since_.load(std::memory_order_relaxed))};
  watchdog.answer(Clock::now() - since);
}

void Watchdog::answer(Clock::duration age) {
  const Task task = look();
  std::vector<Place> stack = stack_now(isolate_, kMostFrames);
  if (stack.empty()) {
    if (Place place = place_of_tick(); place.is_known()) stack.push_back(std::move(place));
  }
  if (stack.empty() && ++attempts_ < kMostAttempts) {
    answer_.store(Answer::none, std::memory_order_release);
    return;
  }
  attempts_ = 0;
  const Answer answer = stack.empty() ? Answer::nowhere : Answer::given;
  if (on_blocked_ && age >= blocked_limit_ && !(reported_task_ == task)) {
    reported_task_ = task;
    on_blocked_({stack, age, task.is_drain()});
  }
  {
    const std::lock_guard lock(mutex_);
    stack_ = std::move(stack);
    stack_task_ = task;
  }
  sampled_at_ = cheap_now();
  answer_.store(answer, std::memory_order_release);
}

// The function of the running tick: an optimised drain may have inlined it, so that it has no
// frame.
Place Watchdog::place_of_tick() const {
  const v8::HandleScope handles(isolate_);
  const v8::Local<v8::Context> context = isolate_->GetCurrentContext();
  v8::Local<v8::Value> tick;
  if (tick_.IsEmpty() || !tick_.Get(isolate_)->Get(context, 0).ToLocal(&tick)) return {};
  if (tick->IsArray()) {
    v8::Local<v8::Value> index;
    if (!tick_.Get(isolate_)->Get(context, 1).ToLocal(&index) || !index->IsUint32() ||
        !tick.As<v8::Array>()->Get(context, index.As<v8::Uint32>()->Value()).ToLocal(&tick)) {
      return {};
    }
  }
  if (!tick->IsFunction()) {
    return {};
  }
  return place_of(isolate_, tick.As<v8::Function>());
}

}  // namespace rondo::runtime
