// Scenarios for sockets and pipes.
#include <sys/socket.h>
#include <unistd.h>

#include <memory>
#include <optional>

#include "base/co/when.h"
#include "base/time/clock.h"
#include "io/net/awaiters.h"
#include "io/poll.h"
#include "io/process/ipc_channel.h"
#include "loop/co/awaiters.h"
#include "scenario.h"
#include "support/pipes.h"

namespace rondo::faults {
namespace {

using Bytes = std::span<std::byte>;

// An echo server, and a client that sends, reads to the end, and closes both. Either may fail at
// any step: everything that has begun is then closed, so the other side ends, too.
template <class Server, class Client>
class Talk {
 public:
  Talk(Loop& loop, Context& context, size_t size)
      : loop_(loop), context_(context), message_(size, 'm') {}

  void start(const SocketAddress& address) {
    server_ = loop_.make<Server>();
    if (!server_->bind(address)) return server_.reset();
    const Result<SocketAddress> bound = server_->address();
    if (!bound || !server_->listen([this](Listener&, Result<Fd> connection) {
          accepted(std::move(connection));
        })) {
      return server_.reset();
    }
    client_ = loop_.make<Client>();
    const uint32_t entry = context_.account.open("connect");
    client_->connect(*bound, [this, entry](Socket&, Result<void> connected) {
      context_.account.settle(entry);
      if (!connected) return finish();
      speak();
    });
  }

 private:
  void accepted(Result<Fd> connection) {
    if (!connection) {  // The client gets the error, or is accepted later.
      has_failed_ = true;
      return;
    }
    auto peer = loop_.make<Client>();
    if (!peer->open(std::move(*connection))) {
      has_failed_ = true;
      return;
    }
    const auto echo = [this](Stream& self, Result<Bytes> data) {
      if (data && !data->empty()) {
        const uint32_t entry = context_.account.open("write of the server");
        const std::string text(reinterpret_cast<const char*>(data->data()), data->size());
        self.write(text, [this, entry](Stream&, Result<void> written) {
          context_.account.settle(entry);
          if (!written) has_failed_ = true;
        });
        return;
      }
      if (!data) has_failed_ = true;
      const uint32_t entry = context_.account.open("shutdown of the server");
      self.shutdown([this, entry](Stream& stream, Result<void>) {
        context_.account.settle(entry);
        stream.close_then_free();
      });
    };
    if (peer->read_start(echo)) {
      (void)peer.release();  // Freed by echo.
    } else {
      has_failed_ = true;
    }
  }

  void speak() {
    Account& account = context_.account;
    for (int i = 0; i < 2; ++i) {
      client_->write(message_, [this, entry = account.open("write of the client")](
                                   Stream&, Result<void> written) {
        context_.account.settle(entry);
        if (!written) finish();
      });
    }
    const Result<void> reading = client_->read_start([this](Stream&, Result<Bytes> data) {
      if (!data || data->empty()) {
        const bool is_all = data && received_ == 2 * message_.size();
        context_.expect(!data || has_failed_ || is_all, "a connection lost bytes without an error");
        return finish();
      }
      received_ += data->size();
    });
    if (!reading) return finish();
    client_->shutdown(
        [this, entry = account.open("shutdown of the client")](Stream&, Result<void> shut) {
          context_.account.settle(entry);
          if (!shut) finish();
        });
  }

  void finish() {
    server_.reset();
    client_.reset();
  }

  Loop& loop_;
  Context& context_;
  std::string message_;
  Owned<Server> server_;
  Owned<Client> client_;
  size_t received_ = 0;
  bool has_failed_ = false;  // On the server's side.
};

Task<void> talk_on_demand(Loop& loop, Context& context, std::string path) {
  const Result<SocketAddress> address = SocketAddress::unix_path(path);
  auto server = loop.make<PipeServer>();
  if (!server->bind(*address) || !server->listen()) co_return;
  auto client = loop.make<PipeSocket>();
  auto ask = [](PipeSocket& socket, const SocketAddress& to) -> Task<std::string> {
    if (!co_await socket.connect(to)) co_return "";
    if (!co_await socket.write(bytes("question"))) co_return "";
    std::byte buffer[32] = {};
    const Result<size_t> size = co_await socket.read(buffer);
    co_return std::string(reinterpret_cast<const char*>(buffer), size.value_or(0));
  };
  auto answer = [](PipeServer& from) -> Task<std::string> {
    Result<Owned<PipeSocket>> peer = co_await from.accept();
    if (!peer) {
      from.close();  // The client may be waiting in the backlog.
      co_return "";
    }
    std::byte buffer[32] = {};
    const Result<size_t> size = co_await (*peer)->read(buffer);
    if (size) (void)co_await (*peer)->write(std::span(buffer).first(*size));
    co_return std::string(reinterpret_cast<const char*>(buffer), size.value_or(0));
  };
  // If the client fails, nothing connects to the server: a plain connection ends its wait.
  auto then_connect = [](PipeSocket& socket, Task<std::string> task,
                         const SocketAddress& to) -> Task<std::string> {
    std::string text = co_await std::move(task);
    socket.close();
    const Quietly quietly;
    const Fd last(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    (void)!::connect(last.get(), to.data(), to.size());
    co_return text;
  };
  auto [reply, seen] =
      co_await when_all(then_connect(*client, ask(*client, *address), *address), answer(*server));
  context.expect(reply.empty() || reply == seen, "the client got other bytes than the server sent");
}

// Reads a pipe to its end.
class PipeReader {
 public:
  PipeReader(Loop& loop, Account& account) : stream_(loop.make<PipeSocket>()), account_(account) {}

  void start(Fd fd) {
    if (!stream_->open(std::move(fd))) return stream_.reset();
    entry_ = account_.open("end of a pipe");
    const Result<void> started = stream_->read_start([this](Stream&, Result<Bytes> data) {
      if (data && !data->empty()) {
        text_.append(reinterpret_cast<const char*>(data->data()), data->size());
      } else {
        has_ended_ = data.has_value();
        finish();
      }
    });
    if (!started) finish();
  }
  bool has_ended() const { return has_ended_; }
  const std::string& text() const { return text_; }

 private:
  void finish() {
    account_.settle(entry_);
    stream_.reset();
  }

  Owned<PipeSocket> stream_;
  Account& account_;
  uint32_t entry_ = 0;
  std::string text_;
  bool has_ended_ = false;
};

// Sends through one end of a channel, and counts at the other.
class ChannelTalk {
 public:
  ChannelTalk(Loop& loop, Account& account, SocketPair pair)
      : account_(account),
        left_(loop.make<IpcChannel>(std::move(pair.left), IpcChannel::Framing::lines)),
        right_(loop.make<IpcChannel>(std::move(pair.right), IpcChannel::Framing::lines)) {}

  void start(int descriptor) {
    const Result<void> writing = left_->start([](std::span<const char>) {},
                                              [this](size_t count, Result<void> outcome) {
                                                reported_ += count;
                                                if (!outcome) fail();
                                              });
    const Result<void> reading = right_->start(
        [this](std::span<const char> messages) { heard(messages); }, [](size_t, Result<void>) {});
    if (!writing || !reading) return stop();
    end_ = account_.open("end of the channel");
    is_waiting_ = true;
    const std::string message = std::string(size_t{200} << 10, 'i') + '\n';
    for (int i = 0; i < 3 && left_->is_open(); ++i) {
      const Result<IpcChannel::Sent> outcome = left_->write(message, i != 1 ? descriptor : -1);
      if (!outcome) return fail();
      ++sent_;
      if (*outcome == IpcChannel::Sent::queued) ++queued_;
    }
  }
  void check() {
    if (!has_failed_)
      account_.expect(received_ == sent_, "the channel lost messages without an error");
    if (!has_failed_)
      account_.expect(reported_ == queued_, "the channel did not report every queued message");
  }

 private:
  void heard(std::span<const char> messages) {
    for (const char each : messages) received_ += each == '\n' ? 1 : 0;
    for (int fd; (fd = right_->take_descriptor()) >= 0;) Fd(fd).reset();
    if (messages.empty()) has_failed_ = true;  // Closed without a close() by the test.
    if (messages.empty() || received_ == 3) stop();
  }
  void fail() {
    has_failed_ = true;
    stop();
  }
  void stop() {
    if (std::exchange(is_waiting_, false)) account_.settle(end_);
    if (!left_->is_closing()) left_->close();
    if (!right_->is_closing()) right_->close();
  }

  Account& account_;
  Owned<IpcChannel> left_;
  Owned<IpcChannel> right_;
  size_t sent_ = 0, queued_ = 0, reported_ = 0, received_ = 0;
  uint32_t end_ = 0;
  bool is_waiting_ = false;
  bool has_failed_ = false;
};

}  // namespace

void run_tcp(Context& context) {
  context.with_loop([&](Loop& loop) {
    constexpr size_t kSize = size_t{600} << 10;
    Talk<TcpServer, TcpSocket> talk(loop, context, kSize);
    talk.start(SocketAddress::loopback());
    loop.run();
    Talk<TcpServer, TcpSocket> again(loop, context, 100);
    again.start(SocketAddress::loopback6());
    loop.run();

    // A port without a listener.
    auto refused = loop.make<TcpSocket>();
    const SocketAddress nobody = SocketAddress::loopback(1);
    Account& account = context.account;
    const uint32_t entry = account.open("refused connect");
    const SocketAddress from = SocketAddress::loopback();
    const Result<void> tried = refused->try_connect(
        nobody, [&account, entry](Socket&, Result<void>) { account.settle(entry); }, &from);
    if (!tried) account.settle(entry);
    loop.run();

    // With options, over an existing socket.
    std::optional<SocketPair> pair;
    Fd listening;
    {
      const Quietly quietly;
      pair.emplace();
      listening = Fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    }
    auto given = loop.make<TcpServer>();
    if (given->open(listening.get())) (void)listening.release();
    given.reset();
    auto socket = loop.make<TcpSocket>();
    (void)socket->set_no_delay(true);
    (void)socket->set_keep_alive(true);
    const uint32_t second = account.open("connect with options");
    socket->connect(nobody, [&account, second](Socket&, Result<void>) { account.settle(second); });
    loop.run();
    auto reset = loop.make<PipeSocket>();
    if (reset->open(std::move(pair->left)) && !reset->close_reset()) reset->close();
    loop.run();
    const Result<SocketAddress> scoped = SocketAddress::ip("fe80::1%1", 1);
    if (scoped) (void)scoped->to_string();
  });
}

void run_unix_sockets(Context& context) {
  context.with_loop([&](Loop& loop) {
    Talk<PipeServer, PipeSocket> talk(loop, context, size_t{300} << 10);
    talk.start(*SocketAddress::unix_path(context.path("socket")));
    loop.run();
    loop.run_task(talk_on_demand(loop, context, context.path("demand")));
  });
}

void run_pipes(Context& context) {
  context.with_loop([&](Loop& loop) {
    Account& account = context.account;
    std::optional<Pipe> pipe;
    {
      const Quietly quietly;
      pipe.emplace();
    }
    auto in = loop.make<PipeSocket>();
    PipeReader reader(loop, account);
    bool was_written = false;
    const std::string message(size_t{100} << 10, 'p');
    reader.start(std::move(pipe->out));
    if (in->open(std::move(pipe->in))) {
      in->set_high_water(1000, [](Stream&) {});
      in->write(message, [&account, &was_written, entry = account.open("write to a pipe")](
                             Stream&, Result<void> done) {
        account.settle(entry);
        was_written = done.has_value();
      });
      in->shutdown(
          [&in, &account, entry = account.open("shutdown of a pipe")](Stream&, Result<void>) {
            account.settle(entry);
            in.reset();
          });
    }
    loop.run();
    if (was_written && reader.has_ended())
      context.expect(reader.text() == message, "a pipe lost bytes without an error");

    // A handle that watches a foreign descriptor.
    std::optional<Pipe> watched;
    {
      const Quietly quietly;
      watched.emplace();
      (void)!::write(watched->in.get(), "x", 1);
    }
    auto poll = loop.make<Poll>(watched->out.get());
    const uint32_t entry = account.open("poll");
    const Result<void> started =
        poll->start(Poll::kReadable, [&account, entry](Poll& self, Result<uint32_t>) {
          account.settle(entry);
          self.stop();
        });
    if (!started) account.settle(entry);
    loop.run();
  });
}

// The loop tracks connections with both ends in it.
void run_virtual_time(Context& context) {
  VirtualClock clock;
  LoopOptions options;
  options.clock = &clock;
  context.with_loop(
      [&](Loop& loop) {
        auto timer = loop.make<Timer>();
        const uint32_t entry = context.account.open("timer of an hour");
        timer->start(std::chrono::hours{1},
                     [&context, entry](Timer&) { context.account.settle(entry); });
        Talk<TcpServer, TcpSocket> talk(loop, context, 1000);
        talk.start(SocketAddress::loopback());
        Talk<PipeServer, PipeSocket> local(loop, context, 1000);
        local.start(*SocketAddress::unix_path(context.path("socket")));
        loop.run();
      },
      std::move(options));
}

void run_channel(Context& context) {
  context.with_loop([&](Loop& loop) {
    std::optional<SocketPair> pair;
    std::optional<Pipe> passed;
    {
      const Quietly quietly;
      pair.emplace();
      passed.emplace();
    }
    ChannelTalk talk(loop, context.account, std::move(*pair));
    talk.start(passed->in.get());
    loop.run();
    talk.check();
  });
}

}  // namespace rondo::faults
