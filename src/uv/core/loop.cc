#include "uv/core/loop.h"

#include <atomic>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstring>

#include "uv/core/handle.h"
#include "uv/core/memory.h"
#include "uv/preload/settings.h"
#include "uv/run/process.h"

namespace rondo::uv {
namespace {

// uv_default_loop() returns the same loop for the whole process.
uv_loop_t default_loop;
uv_loop_t* default_loop_if_open = nullptr;
std::atomic<bool> is_any_created{false};

RunMode mode_of(uv_run_mode mode) {
  if (mode == UV_RUN_ONCE) return RunMode::once;
  return mode == UV_RUN_NOWAIT ? RunMode::nowait : RunMode::until_done;
}

// The public counts, which programs may have increased for work of their own.
bool counts_work(const uv_loop_t* loop) {
  return loop->active_handles > 0 || loop->active_reqs.count > 0;
}

Nanos idle_time(const uv_loop_t* loop) {
  return loop_of(loop).idle_time(RealClock::instance().now());
}

}  // namespace

bool has_created_a_loop() { return is_any_created.load(std::memory_order_relaxed); }

}  // namespace rondo::uv

using namespace rondo;
using namespace rondo::uv;

extern "C" {

int uv_loop_init(uv_loop_t* loop) {
  LoopOptions options;
  Result<std::unique_ptr<Poller>> poller = make_poller(settings().backend);
  if (!poller) return -poller.error().code;
  options.poller = std::move(*poller);
  void* const data = loop->data;
  std::memset(loop, 0, sizeof *loop);
  loop->data = data;
  queue_init(loop->handle_queue);
  loop->backend_fd = loop->async_wfd = loop->emfile_fd = -1;
  loop->signal_pipefd[0] = loop->signal_pipefd[1] = -1;
  auto parts = std::make_unique<LoopData>();
  const LoopPlace place = place_of_new_loop(loop == &default_loop);
  options.clock = place.clock;
  options.choice = place.choice;
  options.choice_limits = settings().limits;
  parts->observer = Observer::make(loop == &default_loop);
  if (parts->recording() != nullptr) options.trace = &parts->recording()->file();
  Result<std::unique_ptr<Loop>> made = Loop::create(std::move(options));
  if (!made) return -made.error().code;
  parts->loop = std::move(*made);
  if (parts->recording() != nullptr) parts->recording()->file().attach(*parts->loop);
  if (place.choice != nullptr) {
    static constexpr uint32_t kNoImmediates = 0;
    parts->loop->internals().check().count_outside(&kNoImmediates, &parts->counted_hooks);
  }
  loop->internal_fields = parts.release();
  is_any_created.store(true, std::memory_order_relaxed);
  data_of(loop).inspected = Inspected::make(loop);
  loop->backend_fd = loop_of(loop).internals().poller().descriptor();
  loop->time = now_ms(loop_of(loop));
  loop_opened(loop);
  return 0;
}

int uv_loop_close(uv_loop_t* loop) {
  if (loop->active_reqs.count > 0 || !queue_is_empty(loop->handle_queue)) return UV_EBUSY;
  LoopData& data = data_of(loop);
  if (data.recording() != nullptr) data.recording()->file().finish(0);
  loop_closes(loop);
  delete &data;
  void* const own = loop->data;
  std::memset(loop, 0, sizeof *loop);
  loop->data = own;
  loop->backend_fd = -1;
  if (loop == default_loop_if_open) default_loop_if_open = nullptr;
  return 0;
}

uv_loop_t* uv_default_loop(void) {
  if (default_loop_if_open != nullptr) return default_loop_if_open;
  if (uv_loop_init(&default_loop) != 0) return nullptr;
  return default_loop_if_open = &default_loop;
}

uv_loop_t* uv_loop_new(void) {
  auto* const loop = static_cast<uv_loop_t*>(allocate_zeroed(1, sizeof(uv_loop_t)));
  if (loop == nullptr) return nullptr;
  if (uv_loop_init(loop) == 0) return loop;
  release(loop);
  return nullptr;
}

void uv_loop_delete(uv_loop_t* loop) {
  const bool is_default = loop == &default_loop;
  const int closed = uv_loop_close(loop);
  RONDO_ASSERT(closed == 0);
  if (!is_default) release(loop);
}

void uv_library_shutdown(void) {
  // The pool and the signal handlers need no orderly end, and other loops may still use them.
}

size_t uv_loop_size(void) { return sizeof(uv_loop_t); }
void* uv_loop_get_data(const uv_loop_t* loop) { return loop->data; }
void uv_loop_set_data(uv_loop_t* loop, void* data) { loop->data = data; }

int uv_loop_alive(const uv_loop_t* loop) {
  Loop& own = loop_of(loop);
  const bool is_alive = own.is_alive() || own.internals().has_pending();
  return is_alive || counts_work(loop) ? 1 : 0;
}

int uv_run(uv_loop_t* loop, uv_run_mode mode) {
  if (Recording* const recording = data_of(loop).recording(); recording != nullptr) {
    recording->loop_runs();
  }
  loop_runs(loop);
  const bool has_foreign_work = loop->active_handles != data_of(loop).counted_handles;
  if (has_foreign_work) loop_of(loop).internals().begin_request();
  Inspected* const inspected = data_of(loop).inspected.get();
  if (inspected != nullptr) inspected->run_begins();
  const bool is_alive = loop_of(loop).run(mode_of(mode));
  if (inspected != nullptr) inspected->run_ends();
  if (has_foreign_work) loop_of(loop).internals().end_request();
  loop->stop_flag = 0;
  loop->time = now_ms(loop_of(loop));
  return is_alive ? 1 : 0;
}

void uv_stop(uv_loop_t* loop) {
  loop->stop_flag = 1;
  loop_of(loop).stop();
}

void uv_update_time(uv_loop_t* loop) {
  loop_of(loop).update_time();
  loop->time = now_ms(loop_of(loop));
}

uint64_t uv_now(const uv_loop_t* loop) { return now_ms(loop_of(loop)); }

int uv_backend_fd(const uv_loop_t* loop) { return loop_of(loop).internals().backend_fd(); }

int uv_backend_timeout(const uv_loop_t* loop) {
  LoopInternals internals = loop_of(loop).internals();
  Nanos budget = internals.sleep_budget();
  if (budget == Nanos::zero() && counts_work(loop) && !loop_of(loop).is_alive()) {
    budget = kForever;
  }
  if (budget == kForever) return -1;
  // Rounded up: a sleep that ends before the timer is due would be repeated.
  const Millis millis = std::chrono::ceil<Millis>(budget);
  return static_cast<int>(std::min<int64_t>(millis.count(), INT_MAX));
}

int uv_loop_fork(uv_loop_t* loop) {
  const Result<void> reopened = loop_of(loop).reopen_after_fork();
  if (!reopened) return -reopened.error().code;
  loop->backend_fd = loop_of(loop).internals().poller().descriptor();
  return 0;
}

int uv_loop_configure(uv_loop_t* loop, uv_loop_option option, ...) {
  if (option == UV_METRICS_IDLE_TIME) {
    LoopData& data = data_of(loop);
    if (!data.measures_idle) data.idle_before_measuring = idle_time(loop);
    data.measures_idle = true;
    return 0;
  }
  if (option == UV_LOOP_USE_IO_URING_SQPOLL) return 0;  // A hint: files are the pool's work.
  if (option != UV_LOOP_BLOCK_SIGNAL) return UV_ENOSYS;
  va_list arguments;
// The header declares the parameter as an enumeration, which C++ promotes to a wider type.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wvarargs"
  va_start(arguments, option);
#pragma GCC diagnostic pop
  const int signum = va_arg(arguments, int);
  va_end(arguments);
  if (signum != SIGPROF) return UV_EINVAL;
  loop_of(loop).internals().poller().block_signal(signum);
  return 0;
}

int uv_metrics_info(uv_loop_t* loop, uv_metrics_t* metrics) {
  const LoopMetrics& counters = loop_of(loop).metrics();
  std::memset(metrics, 0, sizeof *metrics);
  // A turn counts from its poll on.
  const Phase phase = loop_of(loop).phase();
  const bool is_before_poll = phase == Phase::idle || phase == Phase::prepare;
  metrics->loop_count = counters.turns - (is_before_poll ? 1 : 0);
  metrics->events = counters.events;
  metrics->events_waiting = counters.events_waiting;
  return 0;
}

uint64_t uv_metrics_idle_time(uv_loop_t* loop) {
  const rondo::uv::LoopData& data = data_of(loop);
  if (!data.measures_idle) return 0;
  return static_cast<uint64_t>((idle_time(loop) - data.idle_before_measuring).count());
}

}  // extern "C"
