// Turns, check callbacks, timers.
#include <sys/epoll.h>

#include <memory>
#include <random>

#include "loop/harness.h"
#include "loop/libuv_peer.h"
#include "loop/raw_uring.h"
#include "rondo.h"

namespace bench {
namespace {

using namespace rondo;
using namespace std::chrono_literals;

double empty_turn(Backend backend, int turns) {
  Loop loop({.backend = backend});
  auto idle = loop.make<Idle>();
  int left = turns;
  idle->start([&left](Hook& hook) {
    if (--left == 0) hook.stop();
  });
  const double from = now_seconds();
  loop.run();
  return (now_seconds() - from) / turns * 1e9;
}

// The lower bound for a loop with epoll that watches anything: one system call, one read of the
// clock.
double raw_turn(int turns) {
  const int epoll = ::epoll_create1(0);
  epoll_event event{};
  const double from = now_seconds();
  for (int i = 0; i < turns; ++i) {
    if (::epoll_wait(epoll, &event, 1, 0) < 0) die("epoll_wait");
    (void)RealClock::instance().now();
  }
  const double taken = now_seconds() - from;
  ::close(epoll);
  return taken / turns * 1e9;
}

double check_callbacks(int turns, int handles) {
  Loop loop;
  std::vector<Owned<Check>> checks;
  for (int i = 0; i < handles; ++i) {
    checks.push_back(loop.make<Check>());
    checks.back()->start([](Hook&) {});
  }
  auto idle = loop.make<Idle>();
  int left = turns;
  idle->start([&](Hook& hook) {
    if (--left > 0) return;
    hook.stop();
    for (auto& check : checks) check->stop();
  });
  const double from = now_seconds();
  loop.run();
  return (now_seconds() - from) / turns / handles * 1e9;
}

double immediates(int rounds, int window) {
  Loop loop;
  std::vector<std::unique_ptr<Immediate>> all;
  for (int i = 0; i < window; ++i) all.push_back(std::make_unique<Immediate>(loop));
  const double from = now_seconds();
  for (int round = 0; round < rounds; ++round) {
    for (auto& immediate : all) immediate->set([] {});
    loop.run_nowait();
  }
  return (now_seconds() - from) / rounds / window * 1e9;
}

std::vector<Nanos> random_delays(int count) {
  std::mt19937 random(1);
  std::vector<Nanos> delays;
  for (int i = 0; i < count; ++i) delays.push_back(Millis{1 + random() % 60000});
  return delays;
}

double timer_start_stop(int alive, int pairs) {
  Loop loop;
  std::vector<Owned<Timer>> timers;
  const std::vector<Nanos> delays = random_delays(alive);
  for (const Nanos delay : delays) {
    timers.push_back(loop.make<Timer>());
    timers.back()->start(delay, [](Timer&) {});
  }
  auto timer = loop.make<Timer>();
  const double from = cpu_seconds();
  size_t next = 0;  // Without `%`: the division could take longer than the measured operation.
  for (int i = 0; i < pairs; ++i) {
    timer->start(delays[next], [](Timer&) {});
    timer->stop();
    if (++next == delays.size()) next = 0;
  }
  return (cpu_seconds() - from) / pairs * 1e9;
}

double timer_rearm(int alive, int rounds) {
  Loop loop;
  std::vector<Owned<Timer>> timers;
  for (const Nanos delay : random_delays(alive)) {
    timers.push_back(loop.make<Timer>());
    timers.back()->start(delay, [](Timer&) {});
  }
  const double from = cpu_seconds();
  for (int round = 0; round < rounds; ++round) {
    for (auto& timer : timers) (void)timer->restart();
  }
  return (cpu_seconds() - from) / rounds / alive * 1e9;
}

double timers_fired(int count) {
  Loop loop;
  std::mt19937 random(1);
  std::vector<std::unique_ptr<Timer>> timers;
  for (int i = 0; i < count; ++i) timers.push_back(std::make_unique<Timer>(loop));
  int fired = 0;
  const double from = cpu_seconds();
  for (auto& timer : timers) {
    timer->start(Millis{1 + random() % 1000}, [&fired](Timer&) { ++fired; });
  }
  loop.run();
  if (fired != count) die("timers were lost");
  return (cpu_seconds() - from) / count * 1e9;
}

}  // namespace

void add_loop_rows(Rows& rows) {
  rows.push_back(
      {"empty turn",
       "ns",
       false,
       1,
       {{"rondo epoll", [](const Scale& s) { return empty_turn(Backend::epoll, s.of(2'000'000)); }},
        {"rondo uring", [](const Scale& s) { return empty_turn(Backend::uring, s.of(2'000'000)); }},
        RONDO_PEER(empty_turn(scale.of(2'000'000))){
            "raw epoll", [](const Scale& s) { return raw_turn(s.of(2'000'000)); }},
        {"raw uring", [](const Scale& s) {
           return raw_uring_turn(s.of(2'000'000), [] { (void)RealClock::instance().now(); });
         }}}});
  rows.push_back({"check callback, 100 handles",
                  "ns",
                  false,
                  1,
                  {{"rondo", [](const Scale& s) { return check_callbacks(s.of(50'000), 100); }},
                   RONDO_PEER(check_callbacks(scale.of(50'000), 100))}});
  rows.push_back({"immediate, one-shot", "ns", false, 0, {{"rondo", [](const Scale& s) {
                                                             return immediates(s.of(20'000), 100);
                                                           }}}});
  for (const int alive : {100, 10'000, 1'000'000}) {
    const auto live = [alive](const Scale& s) { return alive > 10'000 ? s.of(alive) : alive; };
    rows.push_back(
        {"timer start+stop, " + std::to_string(alive) + " alive",
         "CPU ns",
         false,
         4,
         {{"rondo", [=](const Scale& s) { return timer_start_stop(live(s), s.of(2'000'000)); }},
          RONDO_PEER(timer_start_stop(live(scale), scale.of(2'000'000)))}});
  }
  rows.push_back({"timer re-arm, 10000 alive",
                  "CPU ns",
                  false,
                  4,
                  {{"rondo", [](const Scale& s) { return timer_rearm(10'000, s.of(200)); }},
                   RONDO_PEER(timer_rearm(10'000, scale.of(200)))}});
  rows.push_back({"1000000 timers fired",
                  "CPU ns",
                  false,
                  4,
                  {{"rondo", [](const Scale& s) { return timers_fired(s.of(1'000'000)); }},
                   RONDO_PEER(timers_fired(scale.of(1'000'000)))}});
}

}  // namespace bench
