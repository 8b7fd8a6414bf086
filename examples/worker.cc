// Pool work while the loop continues: counts primes on the workers, and ticks meanwhile.
//   ./dev run examples/worker.cc
#include <rondo.h>

#include <cstdio>

using namespace std::chrono_literals;
using rondo::Loop, rondo::Result, rondo::Task;

int count_primes(int from, int to) {
  int count = 0;
  for (int number = from; number < to; ++number) {
    bool is_prime = number > 1;
    for (int divisor = 2; divisor * divisor <= number && is_prime; ++divisor) {
      is_prime = number % divisor != 0;
    }
    count += is_prime;
  }
  return count;
}

Task<int> count_on_worker(Loop& loop, int from, int to) {
  Result<int> count = co_await loop.work([from, to] { return count_primes(from, to); });
  co_return count.value_or(0);  // An error only if the task was cancelled before the work began.
}

Task<int> count_all(Loop& loop) {
  auto [low, high] = co_await rondo::when_all(count_on_worker(loop, 0, 150'000),
                                              count_on_worker(loop, 150'000, 300'000));
  co_return low + high;
}

int main() {
  Loop loop;
  int ticks = 0;
  auto tick = loop.make<rondo::Timer>();
  tick->start(
      1ms, [&ticks](rondo::Timer&) { ++ticks; }, 1ms);
  const int primes = loop.run_task(count_all(loop));
  std::printf("%d primes below 300000\n", primes);
  std::printf("the loop %s meanwhile\n", ticks > 0 ? "went on" : "was done before it could tick");
}
