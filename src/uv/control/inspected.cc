#include "uv/control/inspected.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <vector>

#include "base/control/blocked_call.h"
#include "base/control/socket.h"
#include "base/encoding/json.h"
#include "base/fd.h"
#include "uv/core/loop.h"
#include "uv/preload/settings.h"

namespace rondo::uv {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

namespace {

// As in Rondo's own runtime: the time before the socket is opened, the time for a loop to answer,
// and the least duration of callbacks that `top` lists.
constexpr milliseconds kBeforeOpening{100};
constexpr milliseconds kForTheLoop{150};
constexpr milliseconds kSlow{5};

std::string first_line(const std::string& path) {
  char text[128];
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const ssize_t size = file ? ::read(file.get(), text, sizeof text) : 0;
  if (size <= 0) return {};
  const std::string_view line(text, static_cast<size_t>(size));
  return std::string(line.substr(0, line.find('\n')));
}

uint64_t resident_bytes() {
  const std::string sizes = first_line("/proc/self/statm");
  const size_t blank = sizes.find(' ');
  if (blank == std::string::npos) return 0;
  return std::strtoull(sizes.c_str() + blank, nullptr, 10) *
         static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

// The answers of a process: asks its loops, and answers for those that cannot. Once per process,
// and never freed: loops may be closed while the process ends.
class Inspection final : public ControlService {
 public:
  Inspection() : process_(::getpid()), socket_(*this) {}

  // Null with --no-control, and in a child made by fork(), which has no thread that answers.
  static Inspection* of_process();
  static Inspection* existing() {
    return instance_ != nullptr && instance_->process_ == ::getpid() ? instance_ : nullptr;
  }

  void add(Inspected& loop);
  void remove(Inspected& loop);
  void loop_runs();
  void take_answer(Inspected& loop);
  void end() { socket_.close(); }

 private:
  // A loop, as the control thread sees it.
  struct Part {
    pid_t thread;
    bool has_answered;
    Report report;
    uintptr_t running;
    Nanos since;
    std::vector<Observer::Slow> slow;
  };

  std::string answer(const std::string& query) override;
  void watch(bool is_watched) override;
  void end_answer() override;
  // Empty if the process ends. The main loop is the first: that of the main thread, or the oldest.
  std::vector<Part> ask(const std::string& query);
  void ask_running(const std::string& query);
  bool has_every_answer() const;
  static std::string blocked_json(const Part& part);
  std::string why(const std::vector<Part>& parts) const;
  static std::string top(const std::vector<Part>& parts);

  static Inspection* instance_;
  const pid_t process_;
  ControlSocket socket_;
  std::once_flag opened_;

  std::mutex mutex_;  // Guards the members below and the answers of the loops.
  std::condition_variable answered_;
  std::vector<Inspected*> loops_;  // In the order of their creation.
  uint64_t number_ = 0;            // Of the last query.
  bool is_ending_ = false;
};

Inspection* Inspection::instance_ = nullptr;

Inspection* Inspection::of_process() {
  if (!settings().has_control) return nullptr;
  static std::mutex mutex;  // Loops may be created by several threads.
  const std::lock_guard lock(mutex);
  if (instance_ == nullptr) instance_ = new Inspection();
  return existing();
}

void Inspection::add(Inspected& loop) {
  const std::lock_guard lock(mutex_);
  loops_.push_back(&loop);
}

void Inspection::remove(Inspected& loop) {
  {
    const std::lock_guard lock(mutex_);
    std::erase(loops_, &loop);
  }
  answered_.notify_all();
}

void Inspection::loop_runs() {
  std::call_once(opened_, [this] { socket_.open(kBeforeOpening); });
}

void Inspection::take_answer(Inspected& loop) {
  loop.is_posted_.store(false);
  std::string query;
  uint64_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    if (loop.answered_ == loop.number_) return;
    query = loop.query_;
    number = loop.number_;
  }
  Report report;
  if (query == "why") report.reasons = reasons_of(loop.loop_);
  if (query == "top") read_figures(loop.loop_, &report);
  if (query == "watch") loop_of(loop.loop_).measure_phases(true);
  if (query == "unwatch") loop_of(loop.loop_).measure_phases(false);
  {
    const std::lock_guard lock(mutex_);
    if (loop.number_ != number) return;
    loop.report_ = std::move(report);
    loop.answered_ = number;
  }
  answered_.notify_all();
}

bool Inspection::has_every_answer() const {
  return std::all_of(loops_.begin(), loops_.end(), [this](const Inspected* loop) {
    return loop->number_ != number_ || loop->answered_ == number_;
  });
}

void Inspection::ask_running(const std::string& query) {
  ++number_;
  for (Inspected* const loop : loops_) {
    if (loop->thread_.load(std::memory_order_relaxed) == 0) continue;
    loop->query_ = query;
    loop->number_ = number_;
    // A message that a loop has not taken yet asks for this query, too.
    if (!loop->is_posted_.exchange(true))
      loop_of(loop->loop_).internals().mailbox().post(loop->wake_);
  }
}

std::vector<Inspection::Part> Inspection::ask(const std::string& query) {
  std::unique_lock lock(mutex_);
  ask_running(query);
  answered_.wait_for(lock, kForTheLoop, [this] { return is_ending_ || has_every_answer(); });
  std::vector<Part> parts;
  for (Inspected* const loop : loops_) {
    if (loop->number_ != number_) continue;
    Observer& observer = *data_of(loop->loop_).observer;
    parts.push_back({loop->thread_.load(std::memory_order_relaxed), loop->answered_ == number_,
                     std::exchange(loop->report_, {}), observer.running(), observer.running_since(),
                     observer.take_slow()});
  }
  std::stable_partition(parts.begin(), parts.end(),
                        [this](const Part& part) { return part.thread == process_; });
  return parts;
}

std::string Inspection::answer(const std::string& query) {
  const steady_clock::time_point received = steady_clock::now();
  const std::vector<Part> parts = ask(query);
  {
    const std::lock_guard lock(mutex_);
    if (is_ending_) return {};
  }
  const std::string text = query == "why" ? why(parts) : top(parts);
  return "{\"waited\":" + ms_json(steady_clock::now() - received) + "," + text + "}";
}

void Inspection::watch(bool is_watched) {
  {
    const std::lock_guard lock(mutex_);
    for (Inspected* const loop : loops_) {
      data_of(loop->loop_).observer->collect(is_watched ? Nanos(kSlow) : Nanos::zero());
    }
  }
  ask(is_watched ? "watch" : "unwatch");
}

void Inspection::end_answer() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  answered_.notify_all();
}

// Of a loop that does not answer.
std::string Inspection::blocked_json(const Part& part) {
  const std::string call = blocked_call_json(part.thread);
  if (part.running == 0) return "\"stuck\":{" + call + "}";
  const Nanos age = std::max(RealClock::instance().now() - part.since, Nanos::zero());
  return "\"blocked\":{\"isNative\":true,\"age\":" + ms_json(age) +
         ",\"stack\":" + stack_json(part.running) + (call.empty() ? "" : "," + call) + "}";
}

std::string Inspection::why(const std::vector<Part>& parts) const {
  if (parts.empty()) return "\"stuck\":{" + blocked_call_json(process_) + "},\"alive\":[]";
  std::string blocked;
  std::string alive;
  for (const Part& part : parts) {
    const bool is_main = &part == &parts.front();
    const std::string thread = std::to_string(part.thread);
    const std::string prefix = is_main
                                   ? ""
                                   : "loop of thread " + thread + " (" +
                                         first_line("/proc/self/task/" + thread + "/comm") + "): ";
    if (!part.has_answered && is_main) {
      blocked = blocked_json(part) + ",";
      continue;
    }
    std::vector<Reason> busy;
    if (!part.has_answered) {
      busy.push_back({"callback", part.running == 0 ? "native code that is running" : "running", "",
                      part.running, ""});
    }
    const std::string text = json_of(part.has_answered ? part.report.reasons : busy, prefix);
    if (!alive.empty() && !text.empty()) alive += ',';
    alive += text;
  }
  return blocked + "\"alive\":[" + alive + "]";
}

std::string Inspection::top(const std::vector<Part>& parts) {
  if (parts.empty()) return "\"stuck\":{" + blocked_call_json(::getpid()) + "}";
  const Part& main = parts.front();
  std::string slow;
  for (const Observer::Slow& each : main.slow) {
    if (!slow.empty()) slow += ',';
    slow += "{\"duration\":" + ms_json(each.took) +
            ",\"isDrain\":false,\"stack\":" + stack_json(each.function) + "}";
  }
  const std::string text = "\"slow\":[" + slow + "],";
  if (!main.has_answered) return text + blocked_json(main);
  return text + "\"figures\":" + json_of_figures(main.report) +
         ",\"lag\":" + json_of_lag(main.report.metrics) + ",\"memory\":[" +
         std::to_string(resident_bytes()) + "]";
}

std::unique_ptr<Inspected> Inspected::make(uv_loop_t* loop) {
  Inspection* const inspection = Inspection::of_process();
  if (inspection == nullptr) return nullptr;
  std::unique_ptr<Inspected> made(new Inspected(loop));
  inspection->add(*made);
  return made;
}

Inspected::Inspected(uv_loop_t* loop) : loop_(loop) {
  wake_.owner = this;
  wake_.fn = [](Target& self, int32_t, uint32_t) { static_cast<Wake&>(self).owner->answer(); };
}

Inspected::~Inspected() {
  if (Inspection* const inspection = Inspection::existing(); inspection != nullptr)
    inspection->remove(*this);
}

void Inspected::run_begins() {
  thread_.store(::gettid(), std::memory_order_relaxed);
  if (Inspection* const inspection = Inspection::existing(); inspection != nullptr)
    inspection->loop_runs();
}

void Inspected::answer() {
  if (Inspection* const inspection = Inspection::existing(); inspection != nullptr)
    inspection->take_answer(*this);
}

void end_inspection() {
  if (Inspection* const inspection = Inspection::existing(); inspection != nullptr)
    inspection->end();
}

}  // namespace rondo::uv
