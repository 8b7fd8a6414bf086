// Answers every HTTP request with a greeting. Try it with: curl http://127.0.0.1:8080/
//   ./dev run examples/http_hello.cc [PORT]
#include <rondo.h>

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  rondo::Loop loop;
  auto server = loop.make<rondo::HttpServer>();
  server->on_request([](rondo::HttpExchange& exchange) {
    exchange.respond(200, "text/plain", "Hello, world!\n");
  });
  const auto port = static_cast<uint16_t>(argc > 1 ? std::atoi(argv[1]) : 8080);
  const rondo::Result<void> listening = server->listen(rondo::SocketAddress::loopback(port));
  if (!listening) return std::puts(listening.error().message().c_str()), 1;
  std::printf("listening on http://%s/\n", server->address()->to_string().c_str());
  std::fflush(stdout);
  loop.run();
}
