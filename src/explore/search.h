// explore() runs a function on a fresh loop under every legal order of callbacks, in virtual time,
// and groups the runs by the text that the function returned. A test can then check all orders at
// once.
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
// The function must depend only on the loop that is passed to it; all other data that it reads must
// be the same in every run. Pool jobs run on the loop's thread, one at a time. Thread: any; all
// runs are on the caller's thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "explore/schedule.h"
#include "loop/poller/poller.h"

namespace rondo {

class Loop;
class ThreadPool;

struct ExploreOptions {
  size_t bound = SIZE_MAX;          // Most deviations from the default order.
  size_t most_schedules = 100'000;  // Schedules beyond this number are not tried.
  bool reduces = true;              // Skip schedules that reach a state already explored.
  ChoiceLimits limits = {};
  Backend backend = Backend::epoll;
  ThreadPool* pool =
      nullptr;  // Null: the shared pool. Only its size matters: the number of concurrent jobs.
};

struct ExploredOutcome {
  std::string text;      // The text the function returned.
  size_t schedules = 0;  // Number of schedules with this outcome.
  Schedule schedule;     // The schedule with the fewest deviations, for a ReplayChoice.
};

struct ExploreResult {
  std::vector<ExploredOutcome> outcomes;  // The outcome of the default order comes first.
  size_t schedules = 0;
  bool complete = false;  // All orders within the limits were tried.

  // The outcome with this text; null if no run had it.
  const ExploredOutcome* find(std::string_view text) const;
};

ExploreResult explore(const std::function<std::string(Loop&)>& run,
                      const ExploreOptions& options = {});

}  // namespace rondo
