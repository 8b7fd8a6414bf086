// Tests the choices that the poll phase requests from a Choice.
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "explore/search.h"
#include "loop/async.h"
#include "loop/loop.h"
#include "loop/work.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

// Records the requested choices, and takes the default order.
class Listening final : public Choice {
 public:
  size_t pick(ChoicePoint point, size_t) override {
    points += "tcbe"[static_cast<size_t>(point)];
    return 0;
  }
  std::string points;
};

// A pool job that reads or writes a file.
class Touching final : public PoolRequest {
 public:
  Touching(Loop& loop, std::string path, bool writes, std::string& world, std::string& finished,
           char name)
      : PoolRequest(loop, "touching"),
        path_(std::move(path)),
        writes_(writes),
        world_(world),
        finished_(finished),
        name_(name) {}
  void start() { submit_to_pool(); }
  Touch touches() const override { return {path_, "", writes_}; }

 private:
  void work() override { world_ += name_; }
  void worked(Result<void>) override { finished_ += name_; }

  std::string path_;
  bool writes_;
  std::string& world_;
  std::string& finished_;
  char name_;
};

TEST(PollChosen, MakesNoChoiceIfThereIsOneOrder) {
  VirtualClock clock;
  Listening choice;
  Loop loop({.backend = Backend::epoll, .clock = &clock, .choice = &choice});
  Work work(loop);
  work.submit([] {}, nullptr);
  loop.run();
  auto timer = loop.make<Timer>();
  timer->start(1ms, [](Timer&) {});
  loop.run();
  EXPECT_EQ(choice.points, "");
}

TEST(PollChosen, ChoosesLateCompletionsOnlyIfSomethingElseCanRun) {
  VirtualClock clock;
  Listening choice;
  Loop loop({.backend = Backend::epoll, .clock = &clock, .choice = &choice});
  Work work(loop);
  Immediate immediate(loop);
  immediate.set([] {});
  work.submit([] {}, nullptr);
  loop.run();
  EXPECT_EQ(choice.points, "b");
}

TEST(PollChosen, DoesNotOrderTheEnginesInternalTasks) {
  VirtualClock clock;
  Listening choice;
  Loop loop({.backend = Backend::epoll, .clock = &clock, .choice = &choice});
  int calls = 0;
  Owned<Async> async = loop.make<Async>([&calls](Async&) { ++calls; });
  async->set_internal();
  async->unref();
  Work work(loop);
  work.submit([] {}, nullptr);
  async->send();
  loop.run();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(choice.points, "");
}

std::set<std::string> effects(const std::string& first, bool first_writes,
                              const std::string& second, bool second_writes) {
  const ExploreResult result = explore([&](Loop& loop) {
    std::string world, finished;
    Touching a(loop, first, first_writes, world, finished, 'a');
    Touching b(loop, second, second_writes, world, finished, 'b');
    a.start();
    b.start();
    loop.run();
    return world + " " + finished;
  });
  EXPECT_TRUE(result.complete);
  std::set<std::string> out;
  for (const ExploredOutcome& outcome : result.outcomes) out.insert(outcome.text);
  return out;
}

TEST(PollChosen, EffectsOnTheSameThingHaveAnOrderOfTheirOwn) {
  const std::set<std::string> all{"ab ab", "ba ab", "ba ba", "ab ba"};
  EXPECT_EQ(effects("/x", true, "/x", true), all);
  EXPECT_EQ(effects("/x", true, "/x", false), all);
  EXPECT_EQ(effects("/x/y", true, "/x", false), all);  // A folder and its contents.
}

TEST(PollChosen, IndependentEffectsCauseNoQuestions) {
  const std::set<std::string> two{"ab ab", "ba ba"};
  EXPECT_EQ(effects("/x", false, "/x", false), two);
  EXPECT_EQ(effects("/x", true, "/y", true), two);
  EXPECT_EQ(effects("/x", true, "/xy", true), two);
  EXPECT_EQ(effects("", true, "", true), two);
}

TEST(PollChosen, BeingLateHasALimit) {
  // Immediates that wait for a job, one after the other.
  const auto spin = [](Loop& loop) {
    int turns = 0;
    bool is_done = false;
    Work work(loop);
    work.submit([] {}, [&is_done](Work&, Result<void>) { is_done = true; });
    Immediate immediate(loop);
    std::function<void()> again = [&] {
      ++turns;
      if (!is_done) immediate.set([&again] { again(); });
    };
    immediate.set([&again] { again(); });
    loop.run();
    return std::to_string(turns);
  };
  const ExploreResult result = explore(spin, {.limits = {.late = 3}});
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.outcomes.size(), 4u);
  EXPECT_EQ(explore(spin, {.limits = {.late = 0}}).outcomes.size(), 1u);
}

TEST(PollChosen, AnOperationIsNotSlowerThanItsLimit) {
  const auto race = [](Loop& loop) {
    std::string order;
    Work work(loop);
    auto timer = loop.make<Timer>();
    timer->start(2s, [&order](Timer&) { order += 't'; });
    work.submit([] {}, [&order](Work&, Result<void>) { order += 'w'; });
    loop.run();
    return order;
  };
  EXPECT_EQ(explore(race).outcomes.size(), 1u);
  EXPECT_EQ(explore(race, {.limits = {.slow = 2s}}).outcomes.size(), 2u);
}

}  // namespace
}  // namespace rondo
