#include "loop/pool/parking.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace rondo {
namespace {

// Starts and parks all workers, in order of their number.
void start_and_park_all(Parking& parking, unsigned workers) {
  for (unsigned i = 0; i < workers; ++i) {
    ASSERT_TRUE(parking.wake_one());
    parking.stop_searching();
  }
  for (unsigned i = 0; i < workers; ++i) parking.park(i, false);
}

TEST(Parking, WorkersAreStartedOneAtATimeAndOnlyAsManyAsThereAre) {
  Parking parking(2);
  EXPECT_TRUE(parking.wake_one());
  EXPECT_FALSE(parking.wake_one()) << "the first still searches";
  parking.stop_searching();
  EXPECT_TRUE(parking.wake_one());
  parking.stop_searching();
  EXPECT_FALSE(parking.wake_one()) << "both are busy";
}

TEST(Parking, AParkedWorkerIsPreferredToStartingAnother) {
  Parking parking(2);
  ASSERT_TRUE(parking.wake_one());
  parking.park(0, true);
  EXPECT_FALSE(parking.wake_one());
  parking.sleep(0);  // Returns, since it has been picked.
}

TEST(Parking, TheLastToParkIsTheFirstToBeWoken) {
  Parking parking(3);
  start_and_park_all(parking, 3);
  for (unsigned worker : {2u, 1u, 0u}) {
    EXPECT_FALSE(parking.wake_one());
    parking.sleep(worker);
    parking.stop_searching();
  }
}

TEST(Parking, NoWorkerIsWokenWhileOneSearches) {
  Parking parking(2);
  start_and_park_all(parking, 2);
  std::atomic<bool> has_slept{false};
  std::thread other([&] {
    parking.sleep(0);
    has_slept = true;
  });
  EXPECT_FALSE(parking.wake_one());
  EXPECT_FALSE(parking.wake_one());
  parking.sleep(1);
  EXPECT_FALSE(has_slept);
  parking.stop_searching();
  EXPECT_FALSE(parking.wake_one());
  other.join();
}

TEST(Parking, AWorkerIsWokenInAnyCaseOnRequest) {
  Parking parking(2);
  ASSERT_TRUE(parking.wake_one());
  EXPECT_TRUE(parking.wake_one(true));
  EXPECT_FALSE(parking.wake_one(true)) << "both are awake";
  parking.park(1, true);
  EXPECT_FALSE(parking.wake_one());
  EXPECT_FALSE(parking.wake_one(true));
  parking.sleep(1);
}

TEST(Parking, OnlyOneWorkerGoesOnSearching) {
  Parking parking(2);
  start_and_park_all(parking, 1);
  EXPECT_FALSE(parking.wake_one());
  parking.sleep(0);
  EXPECT_FALSE(parking.start_searching()) << "the other searches";
  parking.stop_searching();
  EXPECT_TRUE(parking.start_searching());
  EXPECT_FALSE(parking.wake_one()) << "a worker was woken while another searches";
  parking.park(0, true);
  EXPECT_FALSE(parking.wake_one());
  parking.sleep(0);
}

TEST(Parking, AfterAFailedStartNoFurtherOneIsTried) {
  Parking parking(3);
  ASSERT_TRUE(parking.wake_one());
  parking.stop_searching();
  ASSERT_TRUE(parking.wake_one());
  parking.start_failed(true);
  EXPECT_FALSE(parking.wake_one());
  parking.park(0, false);
  EXPECT_FALSE(parking.wake_one());
  parking.sleep(0);
}

TEST(Parking, WakeAllWakesEveryParkedWorkerAndStartsNone) {
  Parking parking(4);
  start_and_park_all(parking, 3);
  parking.wake_all();
  for (unsigned worker : {0u, 1u, 2u}) {
    parking.sleep(worker);
    parking.stop_searching();
  }
  EXPECT_FALSE(parking.wake_one());
}

TEST(Parking, ResetMakesAllUnstarted) {
  Parking parking(1);
  start_and_park_all(parking, 1);
  parking.reset();
  EXPECT_TRUE(parking.wake_one());
}

// Each worker consumes published work; every unit of work must find a worker.
TEST(Parking, NoWakeUpIsLost) {
  constexpr unsigned kWorkers = 3, kProducers = 2, kEach = 10'000;
  Parking parking(kWorkers);
  std::atomic<int> work{0};
  std::atomic<int> left{kProducers * kEach};
  std::atomic<bool> is_over{false};
  auto wake_parked = [&] { EXPECT_FALSE(parking.wake_one()) << "all have been started"; };
  auto serve = [&](unsigned worker) {
    bool is_searching = true;
    while (!is_over) {
      int count = work.load();
      if (count > 0) {
        if (!work.compare_exchange_strong(count, count - 1)) continue;
        if (is_searching) parking.stop_searching();
        is_searching = false;
        if (work > 0) wake_parked();
        left.fetch_sub(1);
        continue;
      }
      parking.park(worker, is_searching);
      if (is_over) parking.wake_all();
      if (work > 0) wake_parked();
      parking.sleep(worker);
      is_searching = true;
    }
  };
  for (unsigned i = 0; i < kWorkers; ++i) {
    ASSERT_TRUE(parking.wake_one());
    parking.stop_searching();
  }
  for (unsigned i = 0; i < kWorkers; ++i) parking.park(i, false);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < kWorkers; ++i) {
    threads.emplace_back([&, i] {
      parking.sleep(i);
      serve(i);
    });
  }
  for (unsigned p = 0; p < kProducers; ++p) {
    threads.emplace_back([&] {
      for (unsigned n = 0; n < kEach; ++n) {
        work.fetch_add(1);
        wake_parked();
        // Lets the workers run out of work now and then, so that they park.
        if (n % 64 == 0) {
          while (work > 0) std::this_thread::yield();
        }
      }
    });
  }
  while (left > 0) std::this_thread::yield();
  is_over = true;
  parking.wake_all();
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace rondo
