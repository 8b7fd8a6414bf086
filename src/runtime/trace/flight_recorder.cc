#include "runtime/trace/flight_recorder.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>

#include "loop/trace/ring.h"

namespace rondo::runtime {

namespace {

// Limits the files of automatic triggers: a server whose callbacks are always slow must not fill
// the disk.
constexpr unsigned kMostUnrequested = 10;

// Posted by the signal handler, which has no argument: there is one recorder in a process.
std::atomic<sem_t*> signal_semaphore{nullptr};

void on_signal(int) {
  const int saved = errno;
  if (sem_t* const semaphore = signal_semaphore.load(); semaphore != nullptr) ::sem_post(semaphore);
  errno = saved;
}

}  // namespace

FlightRecorder::FlightRecorder(FlightOptions options) : options_(std::move(options)) {
  if (!options_.on_signal) return;
  ::sem_init(&semaphore_, 0, 0);
  signal_semaphore.store(&semaphore_);
  if (!thread_.start([this] { serve_signals(); })) {
    fatal("cannot start a thread for --trace-on=SIGUSR2: raise the limit of processes (ulimit -u)");
  }
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGUSR2, &action, nullptr);
}

FlightRecorder::~FlightRecorder() {
  if (!options_.on_signal) return;
  std::signal(SIGUSR2, SIG_DFL);
  signal_semaphore.store(nullptr);
  is_ending_.store(true);
  ::sem_post(&semaphore_);
  thread_.join();
  ::sem_destroy(&semaphore_);
}

void FlightRecorder::serve_signals() {
  for (;;) {
    while (::sem_wait(&semaphore_) != 0) {
    }
    if (is_ending_.load()) return;
    write("SIGUSR2", true);
  }
}

void FlightRecorder::add(const TraceRing& ring, uint32_t thread_id) {
  const std::lock_guard lock(mutex_);
  rings_.emplace_back(&ring, thread_id);
}

void FlightRecorder::remove(const TraceRing& ring) {
  const std::lock_guard lock(mutex_);
  std::erase_if(rings_, [&ring](const auto& entry) { return entry.first == &ring; });
}

void FlightRecorder::write(const std::string& what, bool is_requested) {
  const std::lock_guard lock(mutex_);
  if (!is_requested && ++unrequested_ > kMostUnrequested) return;
  const std::string name =
      "rondo-" + std::to_string(::getpid()) + "-" + std::to_string(++written_) + ".rtrace";
  const std::string path = options_.folder.empty() ? name : options_.folder + "/" + name;
  std::string trouble;
  for (const auto& [ring, thread_id] : rings_) {
    const std::string own = thread_id == 0 ? path : path + ".w" + std::to_string(thread_id);
    if (Result<void> wrote = ring->write_copy(own); !wrote) {
      trouble = "cannot write '" + own + "': " + wrote.error().message();
      break;
    }
  }
  std::string line = "rondo: " + what + ": ";
  if (!trouble.empty()) {
    line += trouble;
  } else {
    line += "the events before it are in " + path + "; to see it: rondo trace " + path;
    if (!is_requested && unrequested_ == kMostUnrequested)
      line += " (no more of these are written)";
  }
  line += "\n";
  const ssize_t ignored = ::write(STDERR_FILENO, line.data(), line.size());
  static_cast<void>(ignored);
}

}  // namespace rondo::runtime
