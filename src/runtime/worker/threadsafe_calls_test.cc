#include "runtime/worker/threadsafe_calls.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

#include "loop/loop.h"

namespace rondo::runtime {
namespace {

struct AppendCall final : ThreadsafeCalls::Call {
  AppendCall(std::string& to, char what) : log(to), character(what) {
    run = [](Call& self) {
      static_cast<AppendCall&>(self).log += static_cast<AppendCall&>(self).character;
    };
  }
  std::string& log;
  char character;
};

TEST(ThreadsafeCalls, RunInTheOrderOfPosting) {
  Loop loop;
  std::string log;
  ThreadsafeCalls calls(loop, [&log] { log += '.'; });  // Once, after both.
  AppendCall a(log, 'a'), b(log, 'b');
  std::thread([&] {
    calls.post(b);
    calls.post(a);
  }).join();
  EXPECT_FALSE(loop.is_alive());  // Calls do not keep the loop alive,
  auto timer = loop.make<Timer>();
  timer->start(std::chrono::hours{1}, nullptr);  // so a timer must.
  loop.run_nowait();
  EXPECT_EQ(log, "ba.");
  calls.close();
  timer.reset();
  loop.run();
}

TEST(ThreadsafeCalls, ComeBeforeLaterAsyncs) {
  Loop loop;
  ThreadsafeCalls calls(loop, nullptr);
  std::string log;
  auto later = loop.make<Async>([&log](Async& self) {
    log += "async ";
    self.close();
  });
  AppendCall call(log, '!');
  later->send();
  calls.post(call);
  loop.run();
  EXPECT_EQ(log, "!async ");
  calls.close();
  loop.run();
}

TEST(ThreadsafeCalls, RunAtTheBeginningOfCheckWhileTheyAreExpected) {
  Loop loop;
  ThreadsafeCalls calls(loop, nullptr);
  std::string log;
  AppendCall call(log, '!');
  auto check = loop.make<Check>();
  check->start([&log](rondo::Hook&) { log += "check "; });
  auto idle = loop.make<Idle>();
  idle->start([](rondo::Hook&) {});
  // Posted by a callback of poll, after the mailbox's position in the batch.
  auto async = loop.make<Async>([&](Async&) { calls.post(call); });
  calls.expect_one_more();
  async->send();
  loop.run_nowait();
  EXPECT_EQ(log, "!check ");
  calls.expect_one_less();
  async->send();
  loop.run_nowait();
  EXPECT_EQ(log, "!check check ");
  calls.close();
  for (Handle* handle : std::initializer_list<Handle*>{check.get(), idle.get(), async.get()}) {
    handle->close();
  }
  loop.run();
}

TEST(ThreadsafeCalls, NoneRunsAfterClosing) {
  Loop loop;
  ThreadsafeCalls calls(loop, nullptr);
  std::string log;
  AppendCall a(log, 'a'), b(log, 'b');
  calls.post(a);
  calls.close();
  calls.post(b);
  calls.close();
  loop.run();
  EXPECT_EQ(log, "");
}

}  // namespace
}  // namespace rondo::runtime
