// The possible orders of a program: two deposits change one balance, each with a job that reads it
// and a job that stores the sum. explore() finds the orders in which one of the two is lost.
//   ./dev run examples/explore.cc
#include <rondo.h>

#include <cstdio>
#include <string>

namespace {

// Reads the balance, computes on the pool, and stores the result.
class Deposit {
 public:
  Deposit(rondo::Loop& loop, int& balance, int amount)
      : read_(loop), store_(loop), balance_(balance), amount_(amount) {}

  void start() {
    read_.submit([this] { seen_ = balance_; },
                 [this](rondo::Work&, rondo::Result<void>) {
                   store_.submit([this] { balance_ = seen_ + amount_; }, nullptr);
                 });
  }

 private:
  rondo::Work read_;
  rondo::Work store_;
  int& balance_;
  int amount_;
  int seen_ = 0;
};

}  // namespace

int main() {
  const rondo::ExploreResult result = rondo::explore([](rondo::Loop& loop) {
    int balance = 100;
    Deposit rent(loop, balance, 10);
    Deposit wage(loop, balance, 20);
    rent.start();
    wage.start();
    loop.run();
    return std::to_string(balance);
  });
  std::printf("%zu outcomes in %zu schedules, %s\n", result.outcomes.size(), result.schedules,
              result.complete ? "complete" : "and there may be more");
  for (const rondo::ExploredOutcome& outcome : result.outcomes) {
    std::printf("%s: schedule %s\n", outcome.text.c_str(),
                rondo::format_deviations(outcome.schedule).c_str());
  }
}
