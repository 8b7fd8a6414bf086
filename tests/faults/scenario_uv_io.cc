// Scenarios for uv.h: streams, datagrams, polled descriptors, terminals, processes and signals.
#include <pty.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

#include "scenario_uv.h"

namespace rondo::faults {
namespace {

uv_stream_t* stream_of(void* handle) { return static_cast<uv_stream_t*>(handle); }

// A client sends to a server, which echoes, shuts down, and closes. Whatever fails, all handles are
// closed.
template <class Handle>
struct Talk {
  static constexpr size_t kSize = 100'000;
  Handle server{}, peer{}, client{};
  Counted<uv_connect_t> connection;
  Counted<uv_write_t> question[2], answers[256];
  Counted<uv_shutdown_t> end;
  std::string message = std::string(kLent, 'm');  // The longest echo.
  size_t answered = 0, received = 0;
  bool has_peer = false, has_failed = false;
  int (*init)(uv_loop_t*, Handle*) = nullptr;

  static Talk& of(const void* handle) {
    return *static_cast<Talk*>(static_cast<const uv_handle_t*>(handle)->data);
  }
  Account& account() { return context_of(server.loop).account; }

  void finish() {
    for (Handle* handle : {&server, &client}) close(handle);
    if (has_peer) close(&peer);
  }
  void prepare(uv_loop_t* loop) {
    for (Handle* handle : {&server, &client}) {
      (void)init(loop, handle);
      handle->data = this;
    }
  }
  bool listen() {
    const auto accept = [](uv_stream_t* listener, int status) {
      Talk& self = of(listener);
      if (status != 0 || self.has_peer) return;
      if (self.init(listener->loop, &self.peer) != 0) return self.finish();
      self.peer.data = &self;
      self.has_peer = true;
      if (uv_accept(listener, stream_of(&self.peer)) != 0 ||
          uv_read_start(stream_of(&self.peer), lend, echo) != 0) {
        self.has_failed = true;
        self.finish();
      }
    };
    return uv_listen(stream_of(&server), 8, accept) == 0;
  }
  static void echo(uv_stream_t* stream, ssize_t size, const uv_buf_t*) {
    Talk& self = of(stream);
    if (size == 0) return;
    if (size < 0) return self.answer_end(size);
    if (self.answered == std::size(self.answers)) return self.fail();
    uv_buf_t part = uv_buf_init(self.message.data(), static_cast<unsigned>(size));
    const int failed = self.answers[self.answered++].begin(
        self_context(stream), "write of the server", [&](uv_write_t* request) {
          return uv_write(request, stream, &part, 1, [](uv_write_t* done, int status) {
            Talk& talk = of(done->handle);
            Counted<uv_write_t>::finish(done, talk.account());
            if (status != 0) talk.fail();
          });
        });
    if (failed != 0) self.fail();
  }
  static Context& self_context(const uv_stream_t* stream) { return context_of(stream->loop); }
  void fail() {
    has_failed = true;
    finish();
  }
  void answer_end(ssize_t why) {
    if (why != UV_EOF) return fail();
    const int failed = end.begin(self_context(stream_of(&peer)), "shutdown of the server",
                                 [&](uv_shutdown_t* request) {
                                   return uv_shutdown(request, stream_of(&peer), on_shutdown);
                                 });
    if (failed != 0) fail();
  }
  static void on_shutdown(uv_shutdown_t* done, int) {
    Talk& self = of(done->handle);
    Counted<uv_shutdown_t>::finish(done, self.account());
    close(&self.peer);
  }
  // The client's side, once it is connected.
  Counted<uv_shutdown_t> client_end;
  void speak() {
    for (auto& write : question) {
      uv_buf_t parts[] = {uv_buf_init(message.data(), 10), uv_buf_init(message.data(), kSize - 10)};
      const int failed = write.begin(
          self_context(stream_of(&client)), "write of the client", [&](uv_write_t* request) {
            return uv_write(request, stream_of(&client), parts, 2,
                            [](uv_write_t* done, int status) {
                              Talk& self = of(done->handle);
                              Counted<uv_write_t>::finish(done, self.account());
                              if (status != 0) self.fail();
                            });
          });
      if (failed != 0) return fail();
    }
    const int failed = client_end.begin(
        self_context(stream_of(&client)), "shutdown of the client", [&](uv_shutdown_t* request) {
          return uv_shutdown(request, stream_of(&client), [](uv_shutdown_t* done, int status) {
            Talk& self = of(done->handle);
            Counted<uv_shutdown_t>::finish(done, self.account());
            if (status != 0) self.fail();
          });
        });
    if (failed != 0 || uv_read_start(stream_of(&client), lend, hear) != 0) fail();
  }
  static void hear(uv_stream_t* stream, ssize_t size, const uv_buf_t*) {
    Talk& self = of(stream);
    if (size > 0) self.received += static_cast<size_t>(size);
    if (size >= 0) return;
    const bool is_all = size == UV_EOF && self.received == 2 * kSize;
    self_context(stream).expect(size != UV_EOF || self.has_failed || is_all,
                                "a connection lost bytes without an error");
    self.finish();
  }
  static void on_connected(uv_connect_t* done, int status) {
    Talk& self = of(done->handle);
    Counted<uv_connect_t>::finish(done, self.account());
    if (status != 0) return self.fail();
    self.speak();
  }
};

void talk_by_tcp(UvLoop& loop, const char* host) {
  Talk<uv_tcp_t> talk;
  talk.init = uv_tcp_init;
  talk.prepare(loop.get());
  sockaddr_storage address{};
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (uv_ip4_addr(host, 0, reinterpret_cast<sockaddr_in*>(&address)) != 0) {
    (void)uv_ip6_addr(host, 0, reinterpret_cast<sockaddr_in6*>(&address));
  }
  int size = sizeof address;
  const bool is_ready = uv_tcp_bind(&talk.server, any, 0) == 0 && talk.listen() &&
                        uv_tcp_getsockname(&talk.server, any, &size) == 0;
  if (is_ready) {
    const int failed = talk.connection.begin(loop.context(), "connect", [&](uv_connect_t* request) {
      return uv_tcp_connect(request, &talk.client, any, Talk<uv_tcp_t>::on_connected);
    });
    if (failed != 0) talk.fail();
    (void)uv_tcp_nodelay(&talk.client, 1);
    (void)uv_tcp_keepalive(&talk.client, 1, 60);
    size = sizeof address;
    (void)uv_tcp_getpeername(&talk.client, any, &size);
    int value = 0;
    (void)uv_send_buffer_size(reinterpret_cast<uv_handle_t*>(&talk.client), &value);
  } else {
    talk.finish();
  }
  loop.run();
  talk.finish();
  loop.run();
}

void talk_by_pipe(UvLoop& loop) {
  Talk<uv_pipe_t> talk;
  talk.init = [](uv_loop_t* uv, uv_pipe_t* pipe) { return uv_pipe_init(uv, pipe, 0); };
  talk.prepare(loop.get());
  const std::string path = loop.context().path("socket");
  if (uv_pipe_bind(&talk.server, path.c_str()) == 0 && talk.listen()) {
    (void)uv_pipe_chmod(&talk.server, UV_READABLE | UV_WRITABLE);
    (void)talk.connection.begin(loop.context(), "connect", [&](uv_connect_t* request) {
      uv_pipe_connect(request, &talk.client, path.c_str(), Talk<uv_pipe_t>::on_connected);
      return 0;
    });
    char name[108];
    size_t size = sizeof name;
    (void)uv_pipe_getsockname(&talk.server, name, &size);
    size = sizeof name;
    (void)uv_pipe_getpeername(&talk.client, name, &size);
  } else {
    talk.finish();
  }
  loop.run();
  talk.finish();
  loop.run();
}

// A descriptor travels through a pair of sockets.
void pass_descriptor(UvLoop& loop) {
  uv_os_sock_t ends[2];
  if (uv_socketpair(SOCK_STREAM, 0, ends, 0, 0) != 0) return;
  static uv_pipe_t from, to;
  static uv_tcp_t shared, received;
  (void)uv_pipe_init(loop.get(), &from, 1);
  (void)uv_pipe_init(loop.get(), &to, 1);
  const bool has_socket = uv_tcp_init_ex(loop.get(), &shared, AF_INET) == 0;
  const bool is_from_open = uv_pipe_open(&from, ends[0]) == 0;
  const bool is_to_open = uv_pipe_open(&to, ends[1]) == 0;
  {
    const Quietly quietly;
    if (!is_from_open) ::close(ends[0]);
    if (!is_to_open) ::close(ends[1]);
  }
  static Counted<uv_write_t> write;
  const auto take = [](uv_stream_t* stream, ssize_t size, const uv_buf_t*) {
    if (size == 0) return;
    if (size > 0 && uv_pipe_pending_count(&to) > 0 && uv_pipe_pending_type(&to) == UV_TCP &&
        uv_tcp_init(stream->loop, &received) == 0) {
      (void)uv_accept(stream, stream_of(&received));
      close(&received);
    }
    close(stream);
  };
  if (has_socket && is_from_open && is_to_open && uv_read_start(stream_of(&to), lend, take) == 0) {
    uv_buf_t byte = uv_buf_init(const_cast<char*>("x"), 1);
    const int failed = write.begin(loop.context(), "write2", [&](uv_write_t* request) {
      return uv_write2(request, stream_of(&from), &byte, 1, stream_of(&shared),
                       [](uv_write_t* done, int status) {
                         Counted<uv_write_t>::finish(done, context_of(done->handle->loop).account);
                         if (status != 0) close(&to);
                       });
    });
    if (failed != 0) close(&to);
  }
  if (!is_to_open || !is_from_open || !has_socket) close(&to);
  loop.run();
  loop.close_all();
}

struct Datagrams {
  uv_udp_t receiver, sender;
  uv_timer_t limit;
  Counted<uv_udp_send_t> sends[5];
  int received = 0;

  void finish() {
    close(&receiver);
    close(&sender);
    close(&limit);
  }
};

// Datagrams may be lost, so a timer ends it.
void exchange_datagrams(UvLoop& loop, unsigned flags) {
  static Datagrams run;
  run = {};
  sockaddr_storage address{};
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  (void)uv_ip4_addr("127.0.0.1", 0, reinterpret_cast<sockaddr_in*>(&address));
  (void)uv_udp_init_ex(loop.get(), &run.sender, 0);
  (void)uv_timer_init(loop.get(), &run.limit);
  if (uv_udp_init_ex(loop.get(), &run.receiver, AF_INET | flags) != 0) return loop.close_all();
  const auto receive = [](uv_udp_t*, ssize_t size, const uv_buf_t*, const sockaddr* from,
                          unsigned) {
    if (size > 0 && from != nullptr && ++run.received == 5) run.finish();
  };
  int size = sizeof address;
  const bool is_ready = uv_udp_bind(&run.receiver, any, UV_UDP_REUSEADDR) == 0 &&
                        uv_udp_getsockname(&run.receiver, any, &size) == 0 &&
                        uv_udp_recv_start(&run.receiver, lend, receive) == 0;
  (void)uv_timer_start(
      &run.limit, [](uv_timer_t*) { run.finish(); }, is_ready ? 50 : 1, 0);
  for (auto& send : run.sends) {
    if (!is_ready) break;
    uv_buf_t text = uv_buf_init(const_cast<char*>("datagram"), 8);
    (void)send.begin(loop.context(), "send", [&](uv_udp_send_t* request) {
      return uv_udp_send(request, &run.sender, &text, 1, any, [](uv_udp_send_t* done, int) {
        Counted<uv_udp_send_t>::finish(done, context_of(done->handle->loop).account);
      });
    });
  }
  (void)uv_udp_set_ttl(&run.sender, 2);
  (void)uv_udp_set_broadcast(&run.sender, 1);
  (void)uv_udp_set_membership(&run.sender, "239.1.2.3", nullptr, UV_JOIN_GROUP);
  loop.run();
}

void use_connected_datagrams(UvLoop& loop) {
  uv_udp_t udp;
  (void)uv_udp_init(loop.get(), &udp);
  sockaddr_in address{};
  (void)uv_ip4_addr("127.0.0.1", 9, &address);
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  uv_buf_t text = uv_buf_init(const_cast<char*>("datagram"), 8);
  (void)uv_udp_try_send(&udp, &text, 1, any);
  if (uv_udp_connect(&udp, any) == 0) {
    int size = sizeof address;
    (void)uv_udp_getpeername(&udp, any, &size);
    (void)uv_udp_try_send(&udp, &text, 1, nullptr);
    (void)uv_udp_connect(&udp, nullptr);
  }
  loop.close_all();
}

void poll_pipe(UvLoop& loop) {
  uv_file ends[2];
  if (uv_pipe(ends, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE) != 0) return;
  static uv_poll_t poll;
  if (uv_poll_init(loop.get(), &poll, ends[1]) == 0) {
    const int started =
        uv_poll_start(&poll, UV_WRITABLE, [](uv_poll_t* self, int, int) { close(self); });
    if (started != 0) close(&poll);
    loop.run();
  }
  const Quietly quietly;
  ::close(ends[0]);
  ::close(ends[1]);
}

// A child copies its input to its output.
void spawn_child(UvLoop& loop, unsigned flags) {
  static uv_process_t process;
  static uv_pipe_t input, output;
  static uint32_t exit;
  static Counted<uv_write_t> write;
  char* args[] = {const_cast<char*>("cat"), nullptr};
  uv_stdio_container_t stdio[3] = {};
  (void)uv_pipe_init(loop.get(), &input, 0);
  (void)uv_pipe_init(loop.get(), &output, 0);
  stdio[0].flags = static_cast<uv_stdio_flags>(UV_CREATE_PIPE | UV_READABLE_PIPE);
  stdio[0].data.stream = stream_of(&input);
  stdio[1].flags = static_cast<uv_stdio_flags>(UV_CREATE_PIPE | UV_WRITABLE_PIPE);
  stdio[1].data.stream = stream_of(&output);
  stdio[2].flags = UV_IGNORE;
  uv_process_options_t options{};
  options.file = "cat";
  options.args = args;
  options.stdio = stdio;
  options.stdio_count = 3;
  options.flags = flags;
  options.uid = ::geteuid();
  options.gid = ::getegid();
  options.exit_cb = [](uv_process_t* self, int64_t, int) {
    context_of(self->loop).account.settle(exit);
    close(self);
  };
  exit = loop.context().account.open("end of cat");
  const int spawned = uv_spawn(loop.get(), &process, &options);
  // A child that runs is always reported, even if the call has failed.
  if (spawned != 0 && process.pid == 0) loop.context().account.settle(exit);
  if (spawned != 0) {
    close(&input);
    close(&output);
    loop.run();
    return loop.close_all();
  }
  const int reads = uv_read_start(stream_of(&output), lend,
                                  [](uv_stream_t* stream, ssize_t size, const uv_buf_t*) {
                                    if (size < 0) close(stream);
                                  });
  if (reads != 0) close(&output);
  uv_buf_t text = uv_buf_init(const_cast<char*>("text"), 4);
  const int written = write.begin(loop.context(), "write to cat", [&](uv_write_t* request) {
    return uv_write(request, stream_of(&input), &text, 1, [](uv_write_t* done, int) {
      Counted<uv_write_t>::finish(done, context_of(done->handle->loop).account);
      close(done->handle);
    });
  });
  if (written != 0) close(&input);
  loop.run();
}

void receive_signal(UvLoop& loop) {
  static uv_signal_t signal;
  (void)uv_signal_init(loop.get(), &signal);
  const int started = uv_signal_start_oneshot(
      &signal, [](uv_signal_t* self, int) { close(self); }, SIGUSR2);
  if (started == 0) {
    (void)::raise(SIGUSR2);
  } else {
    close(&signal);
  }
  loop.run();
}

}  // namespace

void run_uv_streams(Context& context) {
  UvLoop loop(context);
  if (!loop.is_open()) return;
  talk_by_tcp(loop, "127.0.0.1");
  talk_by_tcp(loop, "::1");
  talk_by_pipe(loop);
  pass_descriptor(loop);
}

void run_uv_datagrams(Context& context) {
  UvLoop loop(context);
  if (!loop.is_open()) return;
  exchange_datagrams(loop, 0);
  exchange_datagrams(loop, UV_UDP_RECVMMSG);
  use_connected_datagrams(loop);
  poll_pipe(loop);
}

void run_uv_processes(Context& context) {
  UvLoop loop(context);
  if (!loop.is_open()) return;
  spawn_child(loop, 0);
  spawn_child(loop, UV_PROCESS_DETACHED | UV_PROCESS_SETUID | UV_PROCESS_SETGID);
  receive_signal(loop);
}

void run_uv_terminal(Context& context) {
  int master = -1, slave = -1;
  {
    const Quietly quietly;
    if (::openpty(&master, &slave, nullptr, nullptr, nullptr) != 0) return;
  }
  {
    UvLoop loop(context);
    static uv_tty_t terminal;
    static Counted<uv_write_t> write;
    if (loop.is_open() && uv_tty_init(loop.get(), &terminal, slave, 1) == 0) {
      int width = 0, height = 0;
      (void)uv_tty_get_winsize(&terminal, &width, &height);
      (void)uv_tty_set_mode(&terminal, UV_TTY_MODE_RAW);
      uv_buf_t text = uv_buf_init(const_cast<char*>("text"), 4);
      (void)write.begin(context, "write to a terminal", [&](uv_write_t* request) {
        return uv_write(request, stream_of(&terminal), &text, 1, [](uv_write_t* done, int) {
          Counted<uv_write_t>::finish(done, context_of(done->handle->loop).account);
        });
      });
      loop.run();
      (void)uv_tty_reset_mode();
      slave = -1;  // Closed with the handle.
    }
  }
  const Quietly quietly;
  if (slave >= 0) ::close(slave);
  ::close(master);
}

}  // namespace rondo::faults
