#include "io/dns/dns.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loop/loop.h"
#include "loop/pool/test_job.h"
#include "loop/work.h"
#include "support/faults.h"

namespace rondo {
namespace {

using namespace std::string_view_literals;
using Addresses = GetAddrInfo::Addresses;

Result<Addresses> look_up(Loop& loop, std::string_view host, std::string_view service = "",
                          const GetAddrInfo::Options& options = {}) {
  GetAddrInfo request(loop);
  std::optional<Result<Addresses>> outcome;
  request.submit(host, service, options, [&](GetAddrInfo&, Result<Addresses> result) {
    EXPECT_EQ(loop.phase(), Phase::poll);
    outcome.emplace(std::move(result));
  });
  EXPECT_FALSE(outcome.has_value()) << "called back from inside the call";
  loop.run();
  return std::move(*outcome);
}

TEST(GetAddrInfo, FindsThisMachine) {
  Loop loop;
  const Result<Addresses> found = look_up(loop, "localhost", "80", {.family = AF_INET});
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->front(), SocketAddress::loopback(80));
}

TEST(GetAddrInfo, TakesServicesByName) {
  Loop loop;
  const Result<Addresses> found = look_up(loop, "localhost", "https", {.family = AF_INET});
  if (!found && found.error().code == EAI_SERVICE) GTEST_SKIP() << "no /etc/services here";
  ASSERT_TRUE(found);
  EXPECT_EQ(found->front().port(), 443);
}

TEST(GetAddrInfo, AnEmptyHostIsThisMachineOrAnyAddress) {
  Loop loop;
  EXPECT_EQ(look_up(loop, "", "7", {.family = AF_INET})->front(), SocketAddress::loopback(7));
  const GetAddrInfo::Options passive{.family = AF_INET, .flags = AI_PASSIVE};
  EXPECT_EQ(look_up(loop, "", "7", passive)->front(), SocketAddress::any(7));
}

TEST(GetAddrInfo, NumbersNeedNoLookUp) {
  Loop loop;
  FaultPlan faults;
  faults.answer("getaddrinfo", EAI_FAIL, {.times = FaultPlan::kAlways});
  EXPECT_EQ(*look_up(loop, "127.0.0.1", "80"), Addresses{SocketAddress::loopback(80)});
  EXPECT_EQ(*look_up(loop, "::1", "65535"), Addresses{SocketAddress::loopback6(65535)});
  EXPECT_EQ(*look_up(loop, "::1", "", {.family = AF_INET6}), Addresses{SocketAddress::loopback6()});
  EXPECT_EQ(faults.calls("getaddrinfo"), 0u);
  EXPECT_FALSE(look_up(loop, "127.0.0.1", "65536"));
  EXPECT_FALSE(look_up(loop, "127.0.0.1", "http"));
  EXPECT_FALSE(look_up(loop, "127.0.0.1", "", {.family = AF_INET6}));
  EXPECT_EQ(faults.calls("getaddrinfo"), 3u);
}

TEST(GetAddrInfo, ReportsTheResolversCodes) {
  Loop loop;
  for (int code : {EAI_NONAME, EAI_AGAIN, EAI_FAIL, EAI_MEMORY}) {
    FaultPlan faults;
    faults.answer("getaddrinfo", code);
    const Result<Addresses> found = look_up(loop, "host.example");
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, code);
    EXPECT_STREQ(found.error().syscall, "getaddrinfo");
  }
  const Result<Addresses> nothing = look_up(loop, "", "");
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().code, EAI_NONAME);
  EXPECT_EQ(look_up(loop, "localhost", "", {.family = 99}).error().code, EAI_FAMILY);
  EXPECT_STREQ(nothing.error().name(), "EAI_NONAME");
}

TEST(GetAddrInfo, NamesWithANulByteAreRefused) {
  Loop loop;
  EXPECT_EQ(look_up(loop, "local\0host"sv).error().code, EINVAL);
  EXPECT_EQ(look_up(loop, "localhost", "8\0000"sv).error().code, EINVAL);
}

TEST(GetAddrInfo, ReturnsTheCanonicalName) {
  Loop loop;
  GetAddrInfo request(loop);
  request.submit("localhost", "", {.family = AF_INET, .flags = AI_CANONNAME}, nullptr);
  loop.run();
  ASSERT_TRUE(request.result());
  EXPECT_FALSE(request.canonical_name().empty());
  request.submit("127.0.0.1", "", {}, nullptr);
  loop.run();
  EXPECT_EQ(request.canonical_name(), "");
}

TEST(GetAddrInfo, IsUsedAgainOrFreedInItsCallback) {
  Loop loop;
  auto request = std::make_unique<GetAddrInfo>(loop);
  int calls = 0;
  request->submit("localhost", "", {}, [&](GetAddrInfo& again) {
    ++calls;
    again.submit("localhost", "", {}, [&](GetAddrInfo&, Result<Addresses>) {
      ++calls;
      request.reset();
    });
  });
  loop.run();
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(request, nullptr);
}

TEST(GetNameInfo, ReturnsNumbersAndNames) {
  Loop loop;
  GetNameInfo request(loop);
  std::optional<Result<NameInfo>> outcome;
  const auto note = [&](GetNameInfo&, Result<NameInfo> result) {
    outcome.emplace(std::move(result));
  };
  request.submit(SocketAddress::loopback(9), NI_NUMERICHOST | NI_NUMERICSERV, note);
  EXPECT_FALSE(outcome.has_value());
  loop.run();
  EXPECT_EQ((*outcome)->host, "127.0.0.1");
  EXPECT_EQ((*outcome)->service, "9");
  request.submit(SocketAddress::loopback(9), NI_NUMERICSERV, note);
  loop.run();
  ASSERT_TRUE(*outcome);
  EXPECT_FALSE((*outcome)->host.empty());
}

TEST(GetNameInfo, ReportsTheResolversCodes) {
  Loop loop;
  GetNameInfo request(loop);
  request.submit(SocketAddress(), 0, nullptr);
  loop.run();
  ASSERT_FALSE(request.result());
  EXPECT_EQ(request.result().error().code, EAI_FAMILY);
  FaultPlan faults;
  faults.answer("getnameinfo", EAI_AGAIN);
  request.submit(SocketAddress::loopback(), 0, nullptr);
  loop.run();
  EXPECT_EQ(request.result().error().code, EAI_AGAIN);
  EXPECT_STREQ(request.result().error().syscall, "getnameinfo");
}

// A resolver that answers when the gate opens, like a slow server.
class SlowResolver final : public sys::Faults {
 public:
  SlowResolver() { sys::fault_plan.store(this); }
  ~SlowResolver() override { sys::fault_plan.store(nullptr); }
  bool inject(const char* call, int, long& result) override {
    if (call != "getaddrinfo"sv) return false;
    gate.wait();
    result = EAI_AGAIN;
    return true;
  }
  Gate gate;
};

TEST(GetAddrInfo, POOL_04_SlowLookUpsLeaveWorkersForOthers) {
  ThreadPool pool(4);
  LoopOptions options;
  options.pool = &pool;
  Loop loop(std::move(options));
  SlowResolver resolver;
  std::vector<std::unique_ptr<GetAddrInfo>> look_ups;
  int answers = 0;
  for (int i = 0; i < 20; ++i) {
    look_ups.push_back(std::make_unique<GetAddrInfo>(loop));
    look_ups.back()->submit("host.example", "", {}, [&](GetAddrInfo&, Result<Addresses> found) {
      answers += found.error().code == EAI_AGAIN;
    });
  }
  resolver.gate.wait_until_blocked(static_cast<int>(pool.slow_limit()));
  // The look-ups do not block other work: a hundred jobs in sequence, and a numeric host.
  struct Flow {
    Work work;
    SlowResolver& resolver;
    int done = 0;
    void next() {
      work.submit([] {},
                  [this](Work&, Result<void>) {
                    if (++done < 100) {
                      next();
                    } else {
                      resolver.gate.open();
                    }
                  });
    }
  } flow{Work(loop), resolver};
  bool is_number_found = false;
  GetAddrInfo number(loop);
  number.submit("127.0.0.1", "", {}, [&](GetAddrInfo&) {
    is_number_found = true;
    EXPECT_EQ(answers, 0);
    flow.next();
  });
  loop.run();
  EXPECT_TRUE(is_number_found);
  EXPECT_EQ(flow.done, 100);
  EXPECT_EQ(answers, 20);
}

TEST(GetAddrInfo, QueuedOperationsCanBeCancelled) {
  ThreadPool pool(1);
  LoopOptions options;
  options.pool = &pool;
  Loop loop(std::move(options));
  SlowResolver resolver;
  GetAddrInfo running(loop), waiting(loop);
  running.submit("host.example", "", {}, nullptr);
  resolver.gate.wait_until_blocked(1);
  waiting.submit("host.example", "", {}, nullptr);
  EXPECT_TRUE(waiting.cancel());
  EXPECT_EQ(running.cancel().error().code, EBUSY);
  resolver.gate.open();
  loop.run();
  EXPECT_EQ(waiting.result().error().code, ECANCELED);
  EXPECT_EQ(running.result().error().code, EAI_AGAIN);
}

}  // namespace
}  // namespace rondo
