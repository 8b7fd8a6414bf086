// The HTTP server and client of the library, for library.py:
//   peer serve [PATH]     serves on a free port, which it prints, or on a Unix socket; ends with
//   its standard input peer fetch URL [PUT]  prints status and body; with PUT the body of the
//   request is the standard input
#include <rondo.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

using namespace rondo;  // NOLINT(google-build-using-namespace): a small program

Task<void> echo(HttpExchange& exchange) {
  const bool has_length = exchange.request().has_length();
  if (has_length) {
    exchange.begin(200, exchange.request().length());
  } else {
    exchange.begin(200);
  }
  std::array<std::byte, 16 * 1024> buffer;
  for (;;) {
    Result<size_t> size = co_await exchange.read(buffer);
    if (!size || *size == 0) co_return;
    const std::string_view piece(reinterpret_cast<const char*>(buffer.data()), *size);
    Result<void> sent = co_await exchange.send(piece);
    if (!sent) co_return;
  }
}

Task<void> answer(HttpExchange& exchange) {
  const std::string_view path = exchange.request().path();
  if (path == "/echo") {
    co_await echo(exchange);
  } else if (path == "/length") {
    Result<std::string> body = co_await exchange.read_whole();
    if (body) exchange.respond(200, "text/plain", std::to_string(body->size()));
  } else if (path == "/big") {
    size_t left = std::strtoull(std::string(exchange.request().query()).c_str(), nullptr, 10);
    exchange.begin(200);
    const std::string piece(64 * 1024, 'x');
    while (left > 0) {
      const size_t size = std::min(left, piece.size());
      Result<void> sent = co_await exchange.send(std::string_view(piece).substr(0, size));
      if (!sent) co_return;
      left -= size;
    }
  } else if (path == "/hello") {
    exchange.respond(200, "text/plain", "hello\n");
  } else {
    exchange.respond(404);
  }
}

int serve(const char* path) {
  Loop loop;
  auto server = loop.make<HttpServer>();
  server->serve(&answer);
  SocketAddress address = SocketAddress::loopback();
  if (path != nullptr) address = *SocketAddress::unix_path(path);
  if (!server->listen(address)) return 1;
  std::printf("%d\n", server->address()->port());
  std::fflush(stdout);
  auto input = loop.make<Poll>(STDIN_FILENO);
  const Result<void> watching = input->start(1, [&](Poll& self, Result<uint32_t>) {
    self.close();
    server->close();
  });
  if (!watching) return 1;
  loop.run();
  return 0;
}

Task<int> fetch(HttpClient& client, HttpRequest request, std::string body) {
  HttpCall call(client);
  request.streams_body = !body.empty();
  Result<void> opened = co_await call.open(std::move(request));
  if (opened && !body.empty()) {
    opened = co_await call.send(body);
    call.end();
    if (opened) opened = co_await call.wait_for_head();
  }
  if (!opened) co_return std::puts(opened.error().message().c_str()), 1;
  std::printf("%d\n", call.status());
  std::array<std::byte, 16 * 1024> buffer;
  for (;;) {
    Result<size_t> size = co_await call.read(buffer);
    if (!size) co_return std::puts(size.error().message().c_str()), 1;
    if (*size == 0) co_return 0;
    std::fwrite(buffer.data(), 1, *size, stdout);
  }
}

int main(int argc, char** argv) {
  const std::string kind = argc > 1 ? argv[1] : "";
  if (kind == "serve") return serve(argc > 2 ? argv[2] : nullptr);
  if (kind != "fetch" || argc < 3) return 2;
  HttpRequest request(argv[2]);
  std::string body;
  if (argc > 3) {
    request.method = argv[3];
    for (int c; (c = std::getchar()) != EOF;) body.push_back(static_cast<char>(c));
  }
  Loop loop;
  auto client = loop.make<HttpClient>();
  const int code = loop.run_task(fetch(*client, std::move(request), std::move(body)));
  client.reset();
  loop.run();
  return code;
}
