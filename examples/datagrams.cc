// A question over UDP, which may lose datagrams: the client asks again until there is an answer.
//   ./dev run examples/datagrams.cc               in real time
//   ./dev run examples/datagrams.cc --virtual     at once, and the same on every run
#include <rondo.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <string>

using namespace std::chrono_literals;
using rondo::Datagram, rondo::Loop, rondo::Owned, rondo::Result, rondo::SocketAddress, rondo::Task,
    rondo::Udp;

std::string text_of(const Datagram& datagram) {
  return {reinterpret_cast<const char*>(datagram.data.data()), datagram.data.size()};
}

// Ignores the first question, and answers the second.
Task<void> serve(Udp& socket) {
  std::array<std::byte, 512> buffer;
  for (int count = 1; count <= 2; ++count) {
    const Result<Datagram> question = co_await socket.receive(buffer);
    if (!question) co_return;
    const std::string answer = "you said " + text_of(*question);
    if (count == 2) (void)co_await socket.send(rondo::bytes(answer), question->from);
  }
}

Task<Result<std::string>> ask_once(Udp& socket, std::string question) {
  const Result<size_t> sent = co_await socket.send(rondo::bytes(question));
  if (!sent) co_return sent.error();
  std::array<std::byte, 512> buffer;
  const Result<Datagram> answer = co_await socket.receive(buffer);
  if (!answer) co_return answer.error();
  co_return text_of(*answer);
}

Task<int> ask(Loop& loop, SocketAddress server) {
  const Owned<Udp> socket = loop.make<Udp>();
  if (!socket->connect(server)) co_return 1;
  for (int attempt = 1; attempt <= 5; ++attempt) {
    const Result<std::string> answer =
        co_await rondo::with_timeout(100ms, ask_once(*socket, "hello"));
    if (answer) {
      std::printf("%s\n", answer->c_str());
      co_return 0;
    }
    std::printf("attempt %d: %s\n", attempt, answer.error().name());
  }
  co_return 1;
}

int main(int argc, char** argv) {
  rondo::VirtualClock still;  // Jumps to the next due time when nothing is left to do.
  const bool is_virtual = argc > 1 && std::strcmp(argv[1], "--virtual") == 0;
  Loop loop({.clock = is_virtual ? &still : nullptr});
  const Owned<Udp> server = loop.make<Udp>();
  if (const Result<void> bound = server->bind(SocketAddress::loopback()); !bound) {
    std::fprintf(stderr, "datagrams: %s\n", bound.error().message().c_str());
    return 1;
  }
  loop.spawn(serve(*server));
  return loop.run_task(ask(loop, *server->local_address()));
}
