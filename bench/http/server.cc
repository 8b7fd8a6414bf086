// The server of ./dev bench http on librondo alone: the least that a request costs on Rondo's loop.
// On a free port, which it prints.
#include <cstdio>

#include "io/http/server.h"
#include "loop/loop.h"

int main() {
  rondo::Loop loop;
  rondo::HttpServerOptions options;
  options.idle_time = std::chrono::seconds{600};
  options.backlog = 8192;
  auto server = loop.make<rondo::HttpServer>(options);
  server->on_request(
      [](rondo::HttpExchange& exchange) { exchange.respond(200, "text/plain", "Hello, world!"); });
  if (!server->listen(rondo::SocketAddress::loopback())) return 1;
  std::printf("%d\n", server->address()->port());
  std::fflush(stdout);
  loop.run();
}
