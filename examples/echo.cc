// An echo server. Connect with: nc 127.0.0.1 PORT
//   ./dev run examples/echo.cc [PORT]         serves until stopped
//   ./dev run examples/echo.cc 0 --greet      sends itself one message, and ends
#include <rondo.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using rondo::Loop, rondo::Owned, rondo::Result, rondo::SocketAddress, rondo::Task, rondo::TcpServer,
    rondo::TcpSocket;

Task<void> echo(Owned<TcpSocket> client) {
  std::array<std::byte, 4096> buffer;
  for (;;) {
    Result<size_t> size = co_await client->read(buffer);
    if (!size || *size == 0) co_return;
    Result<void> sent = co_await client->write(std::span<const std::byte>(buffer).first(*size));
    if (!sent) co_return;
  }
}

Task<void> serve(TcpServer& server) {
  for (;;) {
    Result<Owned<TcpSocket>> client = co_await server.accept();
    if (!client) co_return;
    server.loop().spawn(echo(std::move(*client)));
  }
}

Task<int> greet(Loop& loop, SocketAddress address) {
  Owned<TcpSocket> socket = loop.make<TcpSocket>();
  Result<void> connected = co_await socket->connect(address);
  if (!connected) co_return 1;
  Result<void> sent = co_await socket->write(rondo::bytes("hello"));
  std::array<std::byte, 64> buffer;
  Result<size_t> size = co_await socket->read(buffer);
  if (!sent || !size) co_return 1;
  std::printf("echoed: %.*s\n", static_cast<int>(*size), reinterpret_cast<char*>(buffer.data()));
  co_return 0;
}

int main(int argc, char** argv) {
  Loop loop;
  Owned<TcpServer> server = loop.make<TcpServer>();
  const auto port = static_cast<uint16_t>(argc > 1 ? std::atoi(argv[1]) : 0);
  Result<void> ready = server->bind(SocketAddress::loopback(port));
  if (ready) ready = server->listen();
  if (!ready) {
    std::fprintf(stderr, "echo: %s\n", ready.error().message().c_str());
    return 1;
  }
  std::printf("listening on %s\n", server->address()->to_string().c_str());
  std::fflush(stdout);
  loop.spawn(serve(*server));
  if (argc <= 2 || std::strcmp(argv[2], "--greet") != 0) return loop.run(), 0;
  const int code = loop.run_task(greet(loop, *server->address()));
  server->close();  // Ends serve(), and so the loop.
  loop.run();
  return code;
}
