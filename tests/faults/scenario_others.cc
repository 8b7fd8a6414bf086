// Scenarios for timers, the pool, watchers, terminals, names and traces.
#include <fcntl.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <optional>

#include "base/threads/thread.h"
#include "io/dns/dns.h"
#include "io/fs/watch.h"
#include "io/tty/tty.h"
#include "loop/async.h"
#include "loop/trace/file.h"
#include "loop/work.h"
#include "scenario.h"

namespace rondo::faults {
namespace {

using Bytes = std::span<std::byte>;
using namespace std::chrono_literals;

}  // namespace

void run_timers_and_pool(Context& context) {
  context.with_loop([&](Loop& loop) {
    constexpr size_t kJobs = 20;
    Account& account = context.account;
    std::vector<std::unique_ptr<Work>> jobs;
    for (size_t i = 0; i < kJobs; ++i) {
      jobs.push_back(std::make_unique<Work>(loop));
      jobs.back()->submit(
          [] {},
          [&account, entry = account.open("work")](Work&, Result<void>) { account.settle(entry); },
          i % 4 == 0 ? JobKind::slow : JobKind::fast);
    }
    (void)jobs[3]->cancel();
    auto timer = loop.make<Timer>();
    timer->start(2ms, [&account, entry = account.open("timer")](Timer&) { account.settle(entry); });
    auto async = loop.make<Async>([&account, entry = account.open("async")](Async& self) {
      account.settle(entry);
      self.close();
    });
    loop.run_nowait();
    Thread sender;
    const bool is_started = sender.start([&async] { async->send(); });
    if (!is_started) async->send();
    loop.run();
    sender.join();
    // After a pause: sleeping workers are woken.
    Work late(loop);
    auto pause = loop.make<Timer>();
    pause->start(3ms, [&account, &late](Timer&) {
      late.submit([] {}, [&account, entry = account.open("late work")](
                             Work&, Result<void>) { account.settle(entry); });
    });
    loop.run();
  });
}

void run_watchers(Context& context) {
  context.with_loop([&](Loop& loop) {
    Account& account = context.account;
    auto watch = loop.make<FsWatch>();
    const uint32_t entry = account.open("change of a directory");
    const Result<void> started =
        watch->start(context.dir, [&account, entry](FsWatch& self, Result<FsWatch::Change>) {
          account.settle(entry);
          self.close();
        });
    if (!started) account.settle(entry);
    if (started) context.write(context.path("new"), "new");
    auto missing = loop.make<FsWatch>();
    (void)missing->start(context.path("missing"), [](FsWatch&, Result<FsWatch::Change>) {});
    missing.reset();
    loop.run();
    // The descriptor exists already.
    auto second = loop.make<FsWatch>();
    const uint32_t later = account.open("second change");
    const Result<void> again =
        second->start(context.dir, [&account, later](FsWatch& self, Result<FsWatch::Change>) {
          account.settle(later);
          self.close();
        });
    if (!again) account.settle(later);
    if (again) context.write(context.path("newer"), "newer");
    loop.run();
  });
}

void run_terminal(Context& context) {
  int master = -1, slave = -1;
  {
    const Quietly quietly;
    if (::openpty(&master, &slave, nullptr, nullptr, nullptr) != 0) return;
  }
  Fd screen(master), terminal(slave);
  context.with_loop([&](Loop& loop) {
    Account& account = context.account;
    auto tty = loop.make<Tty>();
    if (tty->open(terminal.get())) {
      (void)tty->set_mode(Tty::Mode::raw);
      (void)tty->window_size();
      (void)tty->watch_size([](Tty&, Tty::Size) {});
      tty->write("text", [&account, entry = account.open("write to a terminal")](
                             Stream&, Result<void>) { account.settle(entry); });
      const uint32_t key = account.open("key");
      const Result<void> reading = tty->read_start([&account, key](Stream& self, Result<Bytes>) {
        account.settle(key);
        self.read_stop();
      });
      if (!reading) account.settle(key);
      {
        const Quietly quietly;
        (void)!::write(screen.get(), "k\n", 2);
      }
      loop.run();
      (void)Tty::reset_mode();
      (void)tty->set_mode(Tty::Mode::normal);
    }
    tty.reset();
    loop.run();
    // The master cannot be opened a second time, so it is shared.
    auto shared = loop.make<Tty>();
    (void)shared->open(screen.get());
    shared.reset();
    loop.run();
    context.expect(guess_handle(-1) == FdKind::unknown,
                   "a descriptor that is not open was recognised");
  });
}

void run_names(Context& context) {
  context.with_loop([&](Loop& loop) {
    Account& account = context.account;
    GetAddrInfo forward(loop);
    GetNameInfo backward(loop);
    forward.submit("localhost", "80", {.family = AF_INET, .flags = AI_NUMERICSERV},
                   [&account, entry = account.open("getaddrinfo")](
                       GetAddrInfo&, Result<GetAddrInfo::Addresses> found) {
                     account.settle(entry);
                     account.expect(!found || !found->empty(),
                                    "getaddrinfo() succeeded without addresses");
                   });
    backward.submit(
        SocketAddress::loopback(80), NI_NUMERICHOST | NI_NUMERICSERV,
        [&account, entry = account.open("getnameinfo")](GetNameInfo&, Result<NameInfo> found) {
          account.settle(entry);
          account.expect(!found || found->service == "80", "getnameinfo() gave another service");
        });
    loop.run();
  });
}

void run_traces(Context& context) {
  for (const bool has_file : {true, false}) {
    TraceRingOptions settings;
    settings.bytes = TraceRing::kLeastBytes;
    if (has_file) settings.path = context.path("trace");
    Result<std::unique_ptr<TraceFile>> trace = TraceFile::create(settings);
    LoopOptions options;
    if (trace) options.trace = trace->get();
    context.with_loop(
        [&](Loop& loop) {
          if (trace) (*trace)->attach(loop);
          constexpr size_t kMany = 3000;  // More records than are allocated at once.
          auto timer = loop.make<Timer>();
          struct {
            Account& account;
            uint32_t entry;
            size_t calls = 0;
          } state{context.account, context.account.open("traced timer")};
          timer->start(
              Nanos{1},
              [&state](Timer& self) {
                if (++state.calls < kMany) return;
                state.account.settle(state.entry);
                self.stop();
              },
              Nanos{1});
          loop.run();
          if (trace) (*trace)->finish(0);
        },
        std::move(options));
    if (trace && !has_file) (void)(*trace)->ring().write_copy(context.path("copy"));
  }
}

}  // namespace rondo::faults
