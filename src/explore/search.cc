#include "explore/search.h"

#include <deque>
#include <unordered_map>

#include "loop/loop.h"

namespace rondo {

namespace {

// Follows a schedule, then the default order, and records the alternatives at each step.
class ExploringChoice final : public Choice {
 public:
  struct Step {
    Decision decision;
    uint64_t state;
  };

  explicit ExploringChoice(const Schedule& schedule) : schedule_(schedule) {}

  size_t pick(ChoicePoint point, size_t options) override { return choose({point, options}); }
  size_t choose(const Question& question) override {
    const size_t step = steps_.size();
    Decision decision{question.point, static_cast<uint32_t>(question.options), 0};
    if (step < schedule_.size()) {
      const Decision& wanted = schedule_[step];
      if (wanted.point == decision.point && wanted.options == decision.options) {
        decision.picked = wanted.picked;
      } else {
        has_diverged_ = true;
      }
    }
    steps_.push_back({decision, question.state});
    return decision.picked;
  }

  const std::vector<Step>& steps() const { return steps_; }
  bool has_diverged() const { return has_diverged_; }

 private:
  const Schedule& schedule_;
  std::vector<Step> steps_;
  bool has_diverged_ = false;
};

class Search {
 public:
  Search(const std::function<std::string(Loop&)>& run, const ExploreOptions& options)
      : run_(run), options_(options) {
    levels_.push_back({Schedule()});
  }

  ExploreResult search() {
    // levels_ grows during the iteration: a run of one level adds schedules to the next.
    for (size_t deviations = 0; deviations < levels_.size(); ++deviations) {
      while (!levels_[deviations].empty()) {
        if (result_.schedules >= options_.most_schedules) return std::move(result_);
        const Schedule schedule = std::move(levels_[deviations].back());
        levels_[deviations].pop_back();
        run_once(schedule, deviations);
      }
    }
    result_.complete = !is_cut_;
    return std::move(result_);
  }

 private:
  void run_once(const Schedule& schedule, size_t deviations) {
    VirtualClock clock;
    ExploringChoice choice(schedule);
    std::string text;
    {
      LoopOptions loop_options;
      loop_options.backend = options_.backend;
      loop_options.clock = &clock;
      loop_options.choice = &choice;
      loop_options.pool = options_.pool;
      loop_options.choice_limits = options_.limits;
      loop_options.choice_limits.asks_even_if_unobservable = !options_.reduces;
      Loop loop(std::move(loop_options));
      text = run_(loop);
    }
    ++result_.schedules;
    is_cut_ = is_cut_ || choice.has_diverged();
    add(std::move(text), schedule);
    branch(choice.steps(), schedule.size(), deviations);
  }

  void add(std::string text, const Schedule& schedule) {
    for (ExploredOutcome& outcome : result_.outcomes) {
      if (outcome.text != text) continue;
      ++outcome.schedules;
      return;
    }
    result_.outcomes.push_back({std::move(text), 1, schedule});
  }

  // Every alternative after the schedule's end becomes a schedule of its own.
  void branch(const std::vector<ExploringChoice::Step>& steps, size_t from, size_t deviations) {
    if (levels_.size() == deviations + 1) levels_.emplace_back();
    for (size_t i = from; i < steps.size(); ++i) {
      if (is_known(steps[i].state, deviations)) return;
      if (deviations >= options_.bound) {
        is_cut_ = true;
        return;
      }
      for (uint32_t pick = steps[i].decision.options - 1; pick > 0; --pick) {
        Schedule next;
        next.reserve(i + 1);
        for (size_t j = 0; j <= i; ++j) next.push_back(steps[j].decision);
        next.back().picked = pick;
        levels_[deviations + 1].push_back(std::move(next));
      }
    }
  }

  // True if a run with at most as many deviations has reached this state: its continuations were
  // already tried from there.
  bool is_known(uint64_t state, size_t deviations) {
    if (!options_.reduces) return false;
    const auto [found, is_new] = known_.try_emplace(state, deviations);
    if (is_new) return false;
    if (found->second <= deviations) return true;
    found->second = deviations;
    return false;
  }

  const std::function<std::string(Loop&)>& run_;
  const ExploreOptions& options_;
  std::deque<std::vector<Schedule>> levels_;  // Schedules to run, by number of deviations.
  std::unordered_map<uint64_t, size_t> known_;
  ExploreResult result_;
  bool is_cut_ = false;
};

}  // namespace

const ExploredOutcome* ExploreResult::find(std::string_view text) const {
  for (const ExploredOutcome& outcome : outcomes) {
    if (outcome.text == text) return &outcome;
  }
  return nullptr;
}

ExploreResult explore(const std::function<std::string(Loop&)>& run, const ExploreOptions& options) {
  return Search(run, options).search();
}

}  // namespace rondo
