// Scenarios for datagrams.
#include <sys/socket.h>

#include "base/time/clock.h"
#include "io/udp/awaiters.h"
#include "scenario.h"

namespace rondo::faults {
namespace {

using namespace std::chrono_literals;

// One socket sends several datagrams to another. Datagrams may be lost, so a timer ends it.
class Exchange {
 public:
  Exchange(Loop& loop, Account& account)
      : account_(account),
        receiver_(loop.make<Udp>()),
        sender_(loop.make<Udp>()),
        limit_(loop.make<Timer>()) {}

  void start(const SocketAddress& address) {
    if (!receiver_->bind(address, {.reuse_address = true})) return finish();
    const Result<SocketAddress> to = receiver_->local_address();
    if (!to) return finish();
    if (!receiver_->receive_start([this](Udp&, Result<Datagram> datagram) {
          if (datagram && ++received_ == kCount) finish();
        })) {
      return finish();
    }
    // The second and the third wait for the callback of the first, and then leave together.
    for (int i = 0; i < kCount; ++i) {
      const uint32_t entry = account_.open("send");
      sender_->send("datagram", &*to, [this, entry](Udp&, Result<size_t> sent) {
        account_.settle(entry);
        if (sent) account_.expect(*sent == 8, "a datagram was sent in parts");
      });
    }
    limit_->start(50ms, [this](Timer&) { finish(); });
  }
  void set_options() {
    (void)sender_->set_ttl(2);
    (void)sender_->set_broadcast(true);
    (void)sender_->set_receive_buffer(10000);
    (void)sender_->receive_buffer();
    const SocketAddress here = SocketAddress::loopback();
    (void)sender_->set_multicast_interface(here);
    (void)sender_->join(*SocketAddress::ip("239.1.2.3", 0), &here);
    if (!sender_->connect(SocketAddress::loopback(1))) return;
    (void)sender_->peer_address();
    (void)sender_->disconnect();
  }

 private:
  static constexpr int kCount = 5;

  void finish() {
    receiver_.reset();
    sender_.reset();
    limit_.reset();
  }

  Account& account_;
  Owned<Udp> receiver_;
  Owned<Udp> sender_;
  Owned<Timer> limit_;
  int received_ = 0;
};

}  // namespace

void run_datagrams(Context& context) {
  context.with_loop([&](Loop& loop) {
    Exchange exchange(loop, context.account);
    exchange.set_options();
    exchange.start(SocketAddress::loopback());
    loop.run();

    // A socket of the user.
    Fd fd;
    {
      const Quietly quietly;
      fd = Fd(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    }
    auto given = loop.make<Udp>();
    if (given->open(fd.get())) (void)fd.release();
    given.reset();
    loop.run();
  });
  VirtualClock clock;
  LoopOptions options;
  options.clock = &clock;
  context.with_loop(
      [&](Loop& loop) {
        Exchange exchange(loop, context.account);
        exchange.start(SocketAddress::loopback());
        loop.run();
      },
      std::move(options));
}

}  // namespace rondo::faults
