#include "runtime/watchdog.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "runtime/values.h"

namespace rondo::runtime {

namespace {

using std::chrono::milliseconds;

// A drain that takes longer than this starves the loop.
constexpr milliseconds kStarved{1000};
constexpr milliseconds kCalmInterval{250};
// While it waits for an answer, or for the end of a callback that it will report.
constexpr milliseconds kBusyInterval{1};
// An interruption may find our own JavaScript between two of the user's functions. Asking again is
// cheap, and this often it will not miss them all.
constexpr int kMostQuestions = 200;
constexpr int kMostFrames = 64;

void say(const std::string& text) {
  const std::string line = "rondo: " + text + "\n";
  const ssize_t ignored = ::write(STDERR_FILENO, line.data(), line.size());
  static_cast<void>(ignored);
}

long long in_ms(Watchdog::Clock::duration duration) {
  return std::chrono::duration_cast<milliseconds>(duration).count();
}

}  // namespace

Watchdog::Watchdog(v8::Isolate* isolate, WatchdogOptions options)
    : isolate_(isolate), options_(options) {}

Watchdog::~Watchdog() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(nap_mutex_);
    is_ending_.store(true);
  }
  nap_.notify_one();
  wake();
  thread_.join();
}

void Watchdog::watch(const volatile uint32_t* callbacks, const volatile uint32_t* drains) {
  callbacks_ = callbacks;
  drains_ = drains;
  if (options_.warns || options_.limit.count() > 0) {
    thread_ = std::thread([this] { run(); });
  }
}

Watchdog::Task Watchdog::look() const {
  return {entries_.load(std::memory_order_relaxed), __atomic_load_n(callbacks_, __ATOMIC_RELAXED),
          __atomic_load_n(drains_, __ATOMIC_RELAXED)};
}

void Watchdog::run() {
  milliseconds interval = kCalmInterval;
  if (options_.limit.count() > 0)
    interval = std::clamp(options_.limit / 8, milliseconds{1}, kCalmInterval);
  Task last;
  Clock::time_point since = Clock::now();
  Clock::time_point before = since;
  bool is_last = false;  // One more look when it ends, for the sake of what has just ended.
  while (!is_last) {
    is_last = is_ending_.load();
    const bool is_curious = answer_.load(std::memory_order_acquire) != Answer::none;
    const milliseconds pause = is_curious ? kBusyInterval : interval;
    const uint32_t bell = bell_.load();
    if (bell == 0 && !is_last) {
      std::unique_lock lock(nap_mutex_);
      nap_.wait_for(lock, pause, [this] { return is_ending_.load(); });
    }
    const Clock::time_point now = Clock::now();
    // A process that was stopped for a while did not hold the loop.
    if (now - before > pause * 4 + milliseconds{500}) since += now - before;
    before = now;
    const Task task = look();
    if (task == last) {
      if (task.is_running()) {
        judge(task, now - since);
      } else if (!is_last && can_sleep()) {
        sleep_until_entry(task);
        since = before = Clock::now();
      }
      continue;
    }
    finish(last, now - since);
    last = task;
    since = now;
    if (const Clock::time_point began{Clock::duration(began_.load(std::memory_order_relaxed))};
        options_.limit.count() > 0 && began < now) {
      since = began;
    }
  }
}

void Watchdog::judge(const Task& task, Clock::duration age) {
  const bool is_starving = options_.warns && !has_warned_ && task.is_drain() && age >= kStarved;
  const bool is_blocking = options_.limit.count() > 0 && age >= options_.limit;
  if (!is_starving && !is_blocking) return;
  const Answer answer = answer_.load(std::memory_order_acquire);
  if (answer == Answer::none) ask_where();
  if (!is_starving || (answer != Answer::given && answer != Answer::nowhere)) return;
  has_warned_ = true;
  say("ticks or microtasks keep queueing more of themselves: the loop has stood still for over a "
      "second" +
      place() + ". No timer and no I/O can run until they stop (--no-warnings hides this).");
}

// The task is over; if it was slow, its story is complete now.
void Watchdog::finish(const Task& task, Clock::duration age) {
  const Answer answer = answer_.exchange(Answer::none, std::memory_order_acq_rel);
  if (!task.is_running() || options_.limit.count() == 0 || age < options_.limit) return;
  if (answer != Answer::given) place_[0] = '\0';
  say(std::string(task.is_drain() ? "ticks and microtasks" : "a callback") + " held the loop for " +
      std::to_string(in_ms(age)) + " ms" + place());
}

// Without the kernel's help the thread could fall asleep just as an entry begins; then it does not
// sleep at all. Asked for late: it takes the kernel ten milliseconds, which a short program, whose
// exit waits for it, should not pay.
bool Watchdog::can_sleep() {
  if (!has_asked_for_barriers_) {
    has_asked_for_barriers_ = true;
    has_barriers_ = ::syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
  }
  return has_barriers_;
}

void Watchdog::sleep_until_entry(const Task& task) {
  is_asleep_.store(true);
  // The loop's thread writes entries_, then reads is_asleep_, without a fence: this is its fence.
  ::syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
  while (!is_ending_.load() && look() == task && bell_.load() == 0) bell_.wait(0);
  is_asleep_.store(false);
  bell_.store(0);
}

void Watchdog::wake() {
  bell_.store(1);
  bell_.notify_one();
}

void Watchdog::ask_where() {
  place_[0] = '\0';
  answer_.store(Answer::asked, std::memory_order_release);
  isolate_->RequestInterrupt(on_interrupt, this);
}

// On the loop's thread, between two instructions of JavaScript: the innermost frame that is the
// user's says where the program is.
void Watchdog::on_interrupt(v8::Isolate* isolate, void* self) {
  Watchdog& watchdog = *static_cast<Watchdog*>(self);
  if (watchdog.answer_.load(std::memory_order_acquire) != Answer::asked) return;
  const v8::HandleScope handles(isolate);
  const v8::Local<v8::StackTrace> stack =
      v8::StackTrace::CurrentStackTrace(isolate, kMostFrames, v8::StackTrace::kDetailed);
  std::string innermost;
  std::string outermost;
  for (int i = 0; i < stack->GetFrameCount(); ++i) {
    const std::string frame = describe(isolate, stack->GetFrame(isolate, i));
    if (frame.empty()) continue;
    if (innermost.empty()) innermost = frame;
    outermost = frame;
  }
  if (innermost.empty()) innermost = outermost = watchdog.describe_tick();
  if (!innermost.empty()) {
    // The innermost says where time goes, the outermost whose callback it is.
    if (outermost != innermost) innermost += ", called by " + outermost;
    std::snprintf(watchdog.place_, sizeof watchdog.place_, "%s", innermost.c_str());
    watchdog.questions_ = 0;
    watchdog.answer_.store(Answer::given, std::memory_order_release);
    return;
  }
  watchdog.answer_.store(++watchdog.questions_ < kMostQuestions ? Answer::none : Answer::nowhere,
                         std::memory_order_release);
}

// "name (file:line:column)", empty for our own code.
std::string Watchdog::describe(v8::Isolate* isolate, v8::Local<v8::StackFrame> frame) {
  const v8::Local<v8::String> script = frame->GetScriptNameOrSourceURL();
  if (script.IsEmpty()) return {};
  const std::string file = to_std(isolate, script);
  if (file.empty() || file.starts_with("node:")) return {};
  std::string name;
  if (const v8::Local<v8::String> function = frame->GetFunctionName(); !function.IsEmpty()) {
    name = to_std(isolate, function);
  }
  if (name.empty()) name = "<anonymous>";
  return name + " (" + file + ":" + std::to_string(frame->GetLineNumber()) + ":" +
         std::to_string(frame->GetColumn()) + ")";
}

// An optimised drain may hold the user's function without a frame of its own.
std::string Watchdog::describe_tick() const {
  const v8::Local<v8::Context> context = isolate_->GetCurrentContext();
  v8::Local<v8::Value> tick;
  if (tick_.IsEmpty() || !tick_.Get(isolate_)->Get(context, 0).ToLocal(&tick) ||
      !tick->IsFunction()) {
    return {};
  }
  const v8::Local<v8::Function> function = tick.As<v8::Function>();
  const std::string file = to_std(isolate_, function->GetScriptOrigin().ResourceName());
  if (file.starts_with("node:")) return {};
  std::string name = to_std(isolate_, function->GetDebugName());
  if (name.empty()) name = "<anonymous>";
  return name + " (" + file + ":" + std::to_string(function->GetScriptLineNumber() + 1) + ":" +
         std::to_string(function->GetScriptColumnNumber() + 1) + ")";
}

std::string Watchdog::place() const {
  if (place_[0] == '\0') return ", at a place that could not be found out";
  return std::string(", in ") + place_;
}

}  // namespace rondo::runtime
