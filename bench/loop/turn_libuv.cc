#include <uv.h>

#include <memory>
#include <random>

#include "loop/libuv_peer.h"

namespace bench::libuv {
namespace {

struct UvLoop {
  UvLoop() { uv_loop_init(&loop); }
  uv_loop_t loop;  // Never closed: the process ends with the measurement.
};

std::vector<uint64_t> random_delays(int count) {
  std::mt19937 random(1);
  std::vector<uint64_t> delays;
  for (int i = 0; i < count; ++i) delays.push_back(1 + random() % 60000);
  return delays;
}

// Separate allocations, as in a program.
using Timers = std::vector<std::unique_ptr<uv_timer_t>>;

Timers started(UvLoop& uv, const std::vector<uint64_t>& delays) {
  Timers timers;
  for (const uint64_t delay : delays) {
    timers.push_back(std::make_unique<uv_timer_t>());
    uv_timer_init(&uv.loop, timers.back().get());
    uv_timer_start(
        timers.back().get(), [](uv_timer_t*) {}, delay, 0);
  }
  return timers;
}

}  // namespace

double empty_turn(int turns) {
  auto& uv = *new UvLoop;
  uv_idle_t idle;
  uv_idle_init(&uv.loop, &idle);
  int left = turns;
  idle.data = &left;
  uv_idle_start(&idle, [](uv_idle_t* handle) {
    if (--*static_cast<int*>(handle->data) == 0) uv_idle_stop(handle);
  });
  const double from = now_seconds();
  uv_run(&uv.loop, UV_RUN_DEFAULT);
  return (now_seconds() - from) / turns * 1e9;
}

double check_callbacks(int turns, int handles) {
  auto& uv = *new UvLoop;
  static std::vector<uv_check_t> checks(static_cast<size_t>(handles));
  for (uv_check_t& check : checks) {
    uv_check_init(&uv.loop, &check);
    uv_check_start(&check, [](uv_check_t*) {});
  }
  uv_idle_t idle;
  uv_idle_init(&uv.loop, &idle);
  int left = turns;
  idle.data = &left;
  uv_idle_start(&idle, [](uv_idle_t* handle) {
    if (--*static_cast<int*>(handle->data) > 0) return;
    uv_idle_stop(handle);
    for (uv_check_t& check : checks) uv_check_stop(&check);
  });
  const double from = now_seconds();
  uv_run(&uv.loop, UV_RUN_DEFAULT);
  return (now_seconds() - from) / turns / handles * 1e9;
}

double timer_start_stop(int alive, int pairs) {
  auto& uv = *new UvLoop;
  const std::vector<uint64_t> delays = random_delays(alive);
  Timers timers = started(uv, delays);
  uv_timer_t timer;
  uv_timer_init(&uv.loop, &timer);
  const double from = cpu_seconds();
  size_t next = 0;
  for (int i = 0; i < pairs; ++i) {
    uv_timer_start(
        &timer, [](uv_timer_t*) {}, delays[next], 0);
    uv_timer_stop(&timer);
    if (++next == delays.size()) next = 0;
  }
  const double taken = cpu_seconds() - from;
  for (auto& each : timers) (void)each.release();
  return taken / pairs * 1e9;
}

double timer_rearm(int alive, int rounds) {
  auto& uv = *new UvLoop;
  const std::vector<uint64_t> delays = random_delays(alive);
  Timers timers = started(uv, delays);
  const double from = cpu_seconds();
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < timers.size(); ++i) {
      uv_timer_start(
          timers[i].get(), [](uv_timer_t*) {}, delays[i], 0);
    }
  }
  const double taken = cpu_seconds() - from;
  for (auto& each : timers) (void)each.release();
  return taken / rounds / alive * 1e9;
}

double timers_fired(int count) {
  auto& uv = *new UvLoop;
  std::mt19937 random(1);
  Timers timers;
  for (int i = 0; i < count; ++i) {
    timers.push_back(std::make_unique<uv_timer_t>());
    uv_timer_init(&uv.loop, timers.back().get());
  }
  static int fired = 0;
  const double from = cpu_seconds();
  for (auto& timer : timers) {
    uv_timer_start(
        timer.get(), [](uv_timer_t*) { ++fired; }, 1 + random() % 1000, 0);
  }
  uv_run(&uv.loop, UV_RUN_DEFAULT);
  if (fired != count) die("timers were lost");
  const double taken = cpu_seconds() - from;
  for (auto& each : timers) (void)each.release();
  return taken / count * 1e9;
}

}  // namespace bench::libuv
