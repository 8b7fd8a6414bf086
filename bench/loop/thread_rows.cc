// Communication between threads: waking a loop, and pool jobs.
#include <atomic>
#include <memory>
#include <thread>

#include "loop/harness.h"
#include "loop/libuv_peer.h"
#include "rondo.h"

namespace bench {
namespace {

using namespace rondo;

// Two loops on two threads wake each other in turn; the result is half a round trip.
double wake_latency(Backend backend, int rounds) {
  Loop here({.backend = backend}), there({.backend = backend});
  int left = rounds;
  std::atomic<bool> is_over{false};
  Async* back = nullptr;
  auto pong = there.make<Async>([&](Async& self) {
    if (is_over.load()) {
      self.loop().stop();
    } else {
      back->send();
    }
  });
  auto ping = here.make<Async>([&](Async& self) {
    if (--left == 0) {
      is_over = true;
      self.loop().stop();
    }
    pong->send();
  });
  back = ping.get();
  const double from = now_seconds();
  std::thread other([&there] { there.run(); });
  pong->send();
  here.run();
  const double taken = now_seconds() - from;
  other.join();
  // The other loop belongs to its thread: this process ends here, so nothing is closed.
  return taken / rounds / 2 * 1e9;
}

// One thread sends as fast as it can; the loop merges sends into callbacks.
double wake_throughput(Backend backend, int sends) {
  Loop loop({.backend = backend});
  std::atomic<bool> is_over{false};
  auto async = loop.make<Async>([&is_over](Async& self) {
    if (is_over.load()) self.loop().stop();
  });
  const double from = now_seconds();
  std::thread sender([&] {
    for (int i = 0; i < sends; ++i) async->send();
    is_over = true;
    async->send();
  });
  loop.run();
  sender.join();
  return sends / (now_seconds() - from) / 1e6;
}

struct PoolRun {
  Loop loop;
  int to_submit;
  int to_finish;
  std::vector<std::unique_ptr<Work>> works;

  void submit(Work& work) {
    --to_submit;
    work.submit([] {},
                [this](Work& done, Result<void>) {
                  --to_finish;
                  if (to_submit > 0) submit(done);
                });
  }
};

double pool(int jobs, int window) {
  PoolRun run{.loop = Loop(), .to_submit = jobs, .to_finish = jobs, .works = {}};
  for (int i = 0; i < window; ++i) run.works.push_back(std::make_unique<Work>(run.loop));
  const double from = now_seconds();
  for (auto& work : run.works) {
    if (run.to_submit > 0) run.submit(*work);
  }
  run.loop.run();
  if (run.to_finish != 0) die("jobs were lost");
  return jobs / (now_seconds() - from);
}

}  // namespace

void add_thread_rows(Rows& rows) {
  rows.push_back(
      {"async wake latency",
       "ns",
       false,
       1,
       {{"rondo epoll", [](const Scale& s) { return wake_latency(Backend::epoll, s.of(100'000)); }},
        {"rondo uring", [](const Scale& s) { return wake_latency(Backend::uring, s.of(100'000)); }},
        RONDO_PEER(wake_latency(scale.of(100'000)))}});
  rows.push_back(
      {"async wake throughput",
       "M sends/s",
       true,
       1,
       {{"rondo epoll",
         [](const Scale& s) { return wake_throughput(Backend::epoll, s.of(3'000'000)); }},
        {"rondo uring",
         [](const Scale& s) { return wake_throughput(Backend::uring, s.of(3'000'000)); }},
        RONDO_PEER(wake_throughput(scale.of(3'000'000)))}});
  rows.push_back({"pool hand-off, 1024 in flight",
                  "M jobs/s",
                  true,
                  5,
                  {{"rondo", [](const Scale& s) { return pool(s.of(1'000'000), 1024) / 1e6; }},
                   RONDO_PEER(pool(scale.of(1'000'000), 1024) / 1e6)}});
  rows.push_back({"pool hand-off, 1 in flight",
                  "k jobs/s",
                  true,
                  1,
                  {{"rondo", [](const Scale& s) { return pool(s.of(100'000), 1) / 1e3; }},
                   RONDO_PEER(pool(scale.of(100'000), 1) / 1e3)}});
}

}  // namespace bench
