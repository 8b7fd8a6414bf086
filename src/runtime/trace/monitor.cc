#include "runtime/trace/monitor.h"

#include <algorithm>

#include "runtime/trace/places.h"

namespace rondo::runtime {

namespace {

using std::chrono::milliseconds;

// The most checks for a sample from the loop's thread, one per millisecond.
constexpr int kMostLooks = 1000;

double in_ns(milliseconds duration) { return static_cast<double>(duration.count()) * 1e6; }

}  // namespace

TraceMonitor::TraceMonitor(Realm& realm, TraceFile& trace, milliseconds limit,
                           FlightRecorder* flight)
    : realm_(realm),
      isolate_(realm.isolate()),
      trace_(trace),
      limit_(flight != nullptr && flight->options().blocked.count() > 0
                 ? std::min(limit, flight->options().blocked)
                 : limit),
      flight_(flight) {
  // If no thread can be started, stacks are not sampled.
  static_cast<void>(thread_.start([this] { run(); }));
}

TraceMonitor::~TraceMonitor() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void TraceMonitor::run() {
  const milliseconds interval = std::clamp(limit_ / 4, milliseconds{1}, milliseconds{50});
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, interval, [this] { return is_ending_; })) {
    lock.unlock();
    look();
    lock.lock();
  }
}

void TraceMonitor::look() {
  const double since = trace_.busy_since();
  if (since <= 0) return;
  const auto now =
      static_cast<double>(std::chrono::steady_clock::now().time_since_epoch().count()) -
      trace_.ring().header().began_ns;
  const double age = now - since;
  if (since != seen_) {
    seen_ = since;
    next_sample_ = in_ns(limit_);
    is_written_ = false;
  }
  if (age >= next_sample_) {
    next_sample_ *= 2;
    sample(age);
  }
  const milliseconds most = flight_ != nullptr ? flight_->options().blocked : milliseconds{0};
  if (most.count() == 0 || is_written_ || age < in_ns(most)) return;
  is_written_ = true;
  // Waits for the sample of the stack first. A thread that is blocked in the kernel cannot take
  // one, and a thread without a processor takes it late.
  for (int i = 0; i < kMostLooks && is_sample_requested_.load(); ++i) {
    std::unique_lock lock(mutex_);
    if (changed_.wait_for(lock, milliseconds{1}, [this] { return is_ending_; })) return;
  }
  flight_->write(
      "the loop has been blocked for " + std::to_string(static_cast<int64_t>(age / 1e6)) + " ms",
      false);
}

void TraceMonitor::sample(double age) {
  if (is_sample_requested_.exchange(true)) return;
  age_.store(age);
  isolate_->RequestInterrupt(on_interrupt, this);
}

// Runs on the loop's thread, in an interrupt of JavaScript.
void TraceMonitor::on_interrupt(v8::Isolate*, void* self) {
  TraceMonitor& monitor = *static_cast<TraceMonitor*>(self);
  // The slow callback may have ended meanwhile.
  if (monitor.trace_.busy_since() == monitor.seen_) {
    const uint32_t stack = monitor.realm_.state<TracePlaces>().stack();
    monitor.trace_.note(TraceCode::blocked, 0, stack, monitor.trace_.current(),
                        monitor.age_.load());
  }
  monitor.is_sample_requested_.store(false);
}

}  // namespace rondo::runtime
