#include "loop/trace/file.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <regex>
#include <string>
#include <thread>

#include "loop/async.h"
#include "loop/phases/timers.h"
#include "loop/work.h"
#include "support/sleeping_loop.h"

namespace rondo {
namespace {

using namespace std::chrono_literals;

class TraceFileTest : public ::testing::Test {
 protected:
  TraceFileTest() {
    TraceRingOptions options;
    options.bytes = TraceRing::kLeastBytes;
    file_ = std::move(*TraceFile::create(options));
    LoopOptions loop_options;
    loop_options.trace = file_.get();
    loop_ = std::move(*Loop::create(std::move(loop_options)));
    file_->attach(*loop_);
  }

  // The kinds so far, with phases where they begin: "1 2timers 4 5 3".
  std::string kinds() const {
    std::string text;
    const TraceRing& ring = file_->ring();
    for (uint64_t n = 0; n < ring.written(); ++n) {
      const uint32_t word = ring.record(n).word;
      const uint32_t kind = word & 0xFF;
      if (kind == static_cast<uint32_t>(TraceCode::number)) continue;
      if (!text.empty()) text += ' ';
      text += std::to_string(kind);
      if (kind == 2) text += phase_name(static_cast<Phase>((word >> 8 & 0xFF) - 1));
    }
    return text;
  }
  const TraceRecord& first(TraceCode code) const {
    const TraceRing& ring = file_->ring();
    for (uint64_t n = 0; n < ring.written(); ++n) {
      if ((ring.record(n).word & 0xFF) == static_cast<uint32_t>(code)) return ring.record(n);
    }
    ADD_FAILURE() << "no record of kind " << static_cast<int>(code);
    return ring.record(0);
  }

  // Runs this many turns with only immediates, as a runtime runs them.
  void run_immediates(int turns, const std::function<void(int turn)>& in_check) {
    file_->watch_end(&has_ended_);
    file_->hide_new_handles(true);
    Owned<Idle> idle = loop_->make<Idle>();  // Keeps poll from sleeping.
    Owned<Check> check = loop_->make<Check>();
    file_->hide_new_handles(false);
    idle->start([](Hook&) {});
    int turn = 0;
    const std::function<void()> on_check = [&] {
      in_check(++turn);
      if (turn < turns) return;
      idle->stop();
      check->stop();
    };
    check->start([&on_check](Hook&) { on_check(); });
    loop_->run();
  }

  uint32_t has_ended_ = 0;
  std::unique_ptr<TraceFile> file_;
  std::unique_ptr<Loop> loop_;
};

TEST_F(TraceFileTest, PhasesInWhichNothingRanAreLeftOut) {
  {
    Owned<Timer> timer = loop_->make<Timer>();
    timer->start(0ms, [](Timer&) {});
    loop_->run();
  }
  file_->finish(0);
  // Opened and started, outside of any turn; the timer in its turn; the end.
  EXPECT_EQ(kinds(), "20 16 1 2timers 4 5 3 31");
}

TEST_F(TraceFileTest, ATurnBeginsWithItsTimers) {
  Owned<Timer> timer = loop_->make<Timer>();
  timer->start(0ms, [](Timer&) {});
  Immediate immediate(*loop_);
  immediate.set([] {});
  loop_->run();
  EXPECT_EQ(kinds(), "20 16 16 1 2timers 4 5 3 2check 4 5");
  EXPECT_EQ(first(TraceCode::turn).id, 1);
}

TEST_F(TraceFileTest, PollIsNotedWhenItWaits) {
  file_->hide_new_handles(true);
  SleepingLoop sleeping(*loop_);
  file_->hide_new_handles(false);
  Owned<Timer> bound = loop_->make<Timer>();
  bound->start(1h, [](Timer&) {});
  bound->unref();
  Owned<Async> async = loop_->make<Async>([](Async& self) { self.close(); });
  std::thread other([&] {
    sleeping.await();
    std::this_thread::sleep_for(1ms);
    async->send();
  });
  loop_->run();
  other.join();
  // A wait may end early, and is then followed by another one.
  const std::string noted = std::regex_replace(kinds(), std::regex("(26 27 )+"), "26 27 ");
  EXPECT_EQ(noted, "20 16 20 16 1 2poll 26 27 4 5 3 2closing 21");
  EXPECT_GT(first(TraceCode::poll_blocked).value, 0);
  if (noted == kinds()) {
    EXPECT_GE(first(TraceCode::poll_woke).time - first(TraceCode::poll_blocked).time, 1e6);
  }
}

TEST_F(TraceFileTest, HiddenHandlesLeaveNoTrace) {
  file_->hide_new_handles(true);
  Owned<Timer> timer = loop_->make<Timer>();
  file_->hide_new_handles(false);
  timer->start(0ms, [this](Timer&) {
    file_->begin(TraceCode::callback, 0, 0, 7, 0);
    file_->end(7);
  });
  loop_->run();
  file_->finish(0);
  EXPECT_EQ(kinds(), "1 2timers 6 7 3 31");
}

TEST_F(TraceFileTest, DrainsAreOpenedByWhatRunsInThem) {
  file_->begin(TraceCode::callback, 0, 0, 1, 0);
  file_->end(1);
  file_->begin(TraceCode::tick, 0, 0, 2, 5);
  file_->end(2);
  file_->begin(TraceCode::tick, 0, 0, 3, 4);
  file_->end(3);
  file_->begin(TraceCode::microtask, 0, 0, 4, 0);
  file_->end(4);
  file_->begin(TraceCode::tick, 0, 0, 5, 1);
  file_->end(5);
  file_->begin(TraceCode::callback, 0, 0, 6, 0);
  EXPECT_EQ(kinds(), "6 7 8 10 11 10 11 9 12 14 15 13 8 10 11 9 6");
  EXPECT_EQ(first(TraceCode::tick_drain).value, 5);
}

TEST_F(TraceFileTest, ATurnOfOneImmediateIsOneRecord) {
  run_immediates(3, [this](int turn) {
    file_->begin_immediate(7, 10 + turn);
    file_->schedule(0, 11 + turn, 0, 0, false);
    has_ended_ = 1;
  });
  file_->finish(0);
  // The first turn has numbers to record.
  EXPECT_EQ(kinds(), "1 2check 6 16 34 16 34 16 7 3 31");
  const TraceRecord& begun = first(TraceCode::turn_callback);
  EXPECT_EQ(begun.id, 12);
  EXPECT_EQ(begun.name, 7u);
  EXPECT_EQ(begun.value, 2);
  EXPECT_EQ(begun.word >> 8 & 0xFF, static_cast<uint32_t>(Phase::check) + 1);
  EXPECT_EQ(file_->busy_since(), 0);
}

TEST_F(TraceFileTest, ATurnWithMoreRecordsWritesAllOfThem) {
  run_immediates(4, [this](int turn) {
    file_->begin_immediate(0, 10 + turn);
    // Callbacks after it in the same turn end the phase, and ending it again has no effect.
    if (turn == 2) {
      has_ended_ = 1;
      file_->begin(TraceCode::tick, 0, 0, 20, 1);
      file_->end(20);
    } else if (turn != 3) {
      has_ended_ = 1;
    }
  });
  file_->finish(0);
  EXPECT_EQ(kinds(), "1 2check 6 34 7 8 10 11 9 3 1 2check 6 7 3 1 2check 6 7 3 31");
}

TEST_F(TraceFileTest, OneRecordEndsAnImmediateAndBeginsTheNext) {
  run_immediates(2, [this](int turn) {
    for (int i = 0; i < 3; ++i) {
      file_->begin_immediate(0, 10 * turn + i);
      EXPECT_EQ(file_->current(), 10 * turn + i);
      has_ended_ = 1;
      EXPECT_EQ(file_->current(), 0);
    }
  });
  file_->finish(0);
  EXPECT_EQ(kinds(), "1 2check 6 35 35 34 35 35 7 3 31");
}

TEST_F(TraceFileTest, OneRecordBeginsACallbackAndJavaScriptInIt) {
  file_->watch_end(&has_ended_);
  Owned<Timer> timer = loop_->make<Timer>();
  timer->start(0ms, [this](Timer&) {
    EXPECT_GT(file_->busy_since(), 0);
    file_->begin(TraceCode::callback, 5, 7, 10, 0);
    EXPECT_EQ(file_->current(), 10);
    file_->schedule(0, 11, 0, 0, false);
    has_ended_ = 1;
    EXPECT_EQ(file_->current(), 0);
  });
  loop_->run();
  EXPECT_EQ(file_->busy_since(), 0);
  file_->finish(0);
  EXPECT_EQ(kinds(), "20 16 1 2timers 36 16 37 3 31");
  const TraceRecord& begun = first(TraceCode::inner_callback);
  EXPECT_EQ(begun.id, 10);
  EXPECT_EQ(begun.name, 7u);
  EXPECT_EQ(begun.word >> 16, 5u);
  EXPECT_EQ(std::bit_cast<uint64_t>(begun.value),
            std::bit_cast<uint64_t>(trace_pair(1, file_->label("timer"))));
  EXPECT_EQ(first(TraceCode::inner_callback_end).id, 10);
}

TEST_F(TraceFileTest, ACallbackWithRecordsInsideIsWrittenInFull) {
  file_->watch_end(&has_ended_);
  Owned<Timer> timer = loop_->make<Timer>();
  const auto kinds_of = [&](const std::function<void()>& in_callback) {
    const size_t before = kinds().size();
    timer->start(0ms, [&in_callback](Timer&) { in_callback(); });
    loop_->run();
    file_->note(TraceCode::over, 0, 0, 0, 0);
    return kinds().substr(before + 1);
  };
  EXPECT_EQ(kinds_of([] {}), "16 1 2timers 4 5 3 19");
  // A record comes before JavaScript, ticks after it.
  EXPECT_EQ(kinds_of([this] {
              file_->schedule(0, 9, 0, 0, false);
              file_->begin(TraceCode::callback, 0, 0, 10, 0);
              file_->end(10);
              file_->begin(TraceCode::tick, 0, 0, 11, 1);
              file_->end(11);
            }),
            "16 1 2timers 4 16 6 7 8 10 11 9 5 3 19");
  // Two, the second with one inside.
  EXPECT_EQ(kinds_of([this] {
              file_->begin(TraceCode::callback, 0, 0, 10, 0);
              file_->end(10);
              file_->begin(TraceCode::callback, 0, 0, 12, 0);
              file_->begin(TraceCode::callback, 0, 0, 13, 0);
              file_->end(13);
              has_ended_ = 1;
            }),
            "16 1 2timers 36 35 6 7 37 3 19");
  // An exception.
  EXPECT_EQ(kinds_of([this] { file_->begin(TraceCode::callback, 0, 0, 10, 0); }),
            "16 1 2timers 36 7 5 3 19");
  EXPECT_EQ(file_->busy_since(), 0);
}

TEST_F(TraceFileTest, RecordsOpenInsideAnImmediateEndWithIt) {
  run_immediates(2, [this](int turn) {
    file_->begin_immediate(0, 10 * turn);
    file_->begin(TraceCode::callback, 0, 0, 10 * turn + 1, 0);
    has_ended_ = 1;
  });
  file_->finish(0);
  EXPECT_EQ(kinds(), "1 2check 6 6 7 7 3 1 2check 6 6 7 7 3 31");
}

TEST_F(TraceFileTest, RecordsThatAnExceptionLeftOpenAreClosed) {
  file_->begin(TraceCode::callback, 0, 0, 1, 0);
  file_->begin(TraceCode::callback, 0, 0, 2, 0);
  file_->begin(TraceCode::tick, 0, 0, 3, 1);
  file_->end(1);
  file_->end(2);  // Has already ended.
  EXPECT_EQ(kinds(), "6 6 8 10 11 9 7 7");
  EXPECT_EQ(file_->busy_since(), 0);
}

TEST_F(TraceFileTest, NestingThatIsTooDeepIsLeftOut) {
  for (int i = 0; i < 1000; ++i) file_->begin(TraceCode::callback, 0, 0, i, 0);
  for (int i = 999; i >= 0; --i) file_->end(i);
  EXPECT_EQ(file_->ring().written(), 512u);
  EXPECT_EQ(file_->busy_since(), 0);
}

TEST_F(TraceFileTest, ARequestServesTheScheduledId) {
  Work work(*loop_);
  file_->schedule(0, 42, 0, 0, true);
  work.submit([] {}, [](Work&, Result<void>) {});
  loop_->run();
  const TraceRecord& serves = first(TraceCode::serves);
  EXPECT_EQ(serves.id, 42);
  EXPECT_EQ(serves.value, first(TraceCode::job_queued).id);
  EXPECT_LE(first(TraceCode::job_started).time, first(TraceCode::job_finished).time);
}

TEST_F(TraceFileTest, TheEndRecordsTheHandlesThatKeptTheLoopAlive) {
  Owned<Timer> timer = loop_->make<Timer>();
  timer->start(1h, [](Timer&) {});
  Owned<Timer> other = loop_->make<Timer>();
  other->unref();
  other->start(1h, [](Timer&) {});
  file_->schedule(file_->label("setTimeout"), 9, 77, 0, false);
  file_->keeps_alive(9);
  file_->finish(3);
  std::string refd;
  for (uint64_t n = 0; n < file_->ring().written(); ++n) {
    const TraceRecord& record = file_->ring().record(n);
    if ((record.word & 0xFF) != static_cast<uint32_t>(TraceCode::refd)) continue;
    refd += std::to_string(static_cast<int>(record.id)) + " ";
    if (record.id == 9) {
      EXPECT_EQ(record.name, file_->label("setTimeout"));
      EXPECT_EQ(static_cast<uint32_t>(std::bit_cast<uint64_t>(record.value)), 77u);
    }
  }
  EXPECT_EQ(refd, "-1 9 ");
  EXPECT_EQ(file_->ring().header().exit_code, 3);
}

TEST_F(TraceFileTest, TimesNeverGoBack) {
  int64_t last = 0;
  TraceClock clock;
  const auto until = std::chrono::steady_clock::now() + 120ms;
  while (std::chrono::steady_clock::now() < until) {
    const int64_t now = clock.now();
    ASSERT_GE(now, last);
    last = now;
    clock.adjust(now);
  }
  // Between two reads of the kernel's clock, except for the error of the counter's speed.
  const auto kernel = [&clock] {
    return std::chrono::steady_clock::now().time_since_epoch().count() - clock.origin();
  };
  const int64_t before = kernel();
  const int64_t now = clock.now();
  EXPECT_GE(now, before - 1'000'000);
  EXPECT_LE(now, kernel() + 1'000'000);
}

}  // namespace
}  // namespace rondo
