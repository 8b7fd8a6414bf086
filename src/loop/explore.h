// explore() runs a function on a fresh loop under every legal order of callbacks, in virtual time,
// and groups the runs by what the function returned: a test that holds for one order, held for all.
//
//   auto result = rondo::explore([](rondo::Loop& loop) {
//     std::string order;
//     ...                       // Make handles and requests, let their callbacks add to `order`.
//     loop.run();
//     return order;
//   });
//   EXPECT_TRUE(result.complete);
//   EXPECT_EQ(result.outcomes.size(), 1u);
//
// The function must depend on nothing but the loop that it is given: what it finds elsewhere it
// must find in every run. Jobs of the pool run on the loop's thread, one at a time. Thread: any;
// all runs are on the caller's.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/choice.h"
#include "loop/poller/poller.h"

namespace rondo {

class Loop;
class ThreadPool;

struct ExploreOptions {
  size_t bound = SIZE_MAX;          // Of deviations from the plain order.
  size_t most_schedules = 100'000;  // What is left then is not tried.
  bool reduces = true;              // Leave out what cannot make a difference.
  ChoiceLimits limits = {};
  Backend backend = Backend::epoll;
  ThreadPool* pool =
      nullptr;  // Null: the shared one. Only its size matters: jobs that run at once.
};

struct ExploredOutcome {
  std::string text;      // What the function returned.
  size_t schedules = 0;  // How many led to it.
  Schedule schedule;     // The one with the fewest deviations: for a ReplayChoice.
};

struct ExploreResult {
  std::vector<ExploredOutcome> outcomes;  // The one of the plain order first.
  size_t schedules = 0;
  bool complete = false;  // Every order that the limits allow was tried.

  // Null if no run came to it.
  const ExploredOutcome* find(std::string_view text) const;
};

ExploreResult explore(const std::function<std::string(Loop&)>& run,
                      const ExploreOptions& options = {});

}  // namespace rondo
