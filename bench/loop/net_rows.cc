// Sockets. The measured server is a separate process. The client is the same for all and uses plain
// system calls. The result is the server's CPU time per message, so the client's speed does not
// matter.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "loop/harness.h"
#include "loop/libuv_peer.h"
#include "loop/servers.h"

namespace bench {
namespace {

struct ServerProcess {
  pid_t pid;
  int port;
  int control;  // To query its memory: sends one byte, receives a long.
};

void report(int port, void* context) {
  const int fd = *static_cast<int*>(context);
  if (::write(fd, &port, sizeof port) != sizeof port) die("report");
}

ServerProcess start(Serve serve, unsigned cpu) {
  int channel[2];
  if (::pipe(channel) < 0) die("pipe");
  const pid_t pid = ::fork();
  if (pid < 0) die("fork");
  if (pid == 0) {
    ::close(channel[0]);
    pin_to_cpu(cpu);
    serve(report, &channel[1]);
    std::_Exit(0);
  }
  ::close(channel[1]);
  int port = 0;
  if (::read(channel[0], &port, sizeof port) != sizeof port) die("the server did not start");
  return {pid, port, channel[0]};
}

// Total CPU seconds of the server.
double stop(const ServerProcess& server) {
  ::kill(server.pid, SIGKILL);
  rusage usage{};
  ::wait4(server.pid, nullptr, 0, &usage);
  ::close(server.control);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double cpu_so_far(const ServerProcess& server) {
  clockid_t clock{};
  if (::clock_getcpuclockid(server.pid, &clock) != 0) die("clock_getcpuclockid");
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

long resident_of(const ServerProcess& server) {
  const std::string path = "/proc/" + std::to_string(server.pid) + "/statm";
  std::FILE* file = std::fopen(path.c_str(), "r");
  if (file == nullptr) die("statm");
  long total = 0, resident = 0;
  if (std::fscanf(file, "%ld %ld", &total, &resident) != 2) die("statm");
  std::fclose(file);
  return resident * ::sysconf(_SC_PAGESIZE);
}

int connect_to(int port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) die("socket");
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(port));
  if (::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) < 0) die("connect");
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return fd;
}

void exchange(int fd, std::vector<char>& message) {
  if (::send(fd, message.data(), message.size(), MSG_NOSIGNAL) !=
      static_cast<ssize_t>(message.size())) {
    die("send");
  }
  if (::recv(fd, message.data(), message.size(), MSG_WAITALL) !=
      static_cast<ssize_t>(message.size())) {
    die("recv");
  }
}

double ping_pong(Serve serve, int rounds, bool one_cpu) {
  const ServerProcess server = start(serve, 0);
  pin_to_cpu(one_cpu ? 0 : 1);
  const int fd = connect_to(server.port);
  std::vector<char> message(64, 'x');
  for (int i = 0; i < rounds / 10; ++i) exchange(fd, message);
  const double from = now_seconds();
  for (int i = 0; i < rounds; ++i) exchange(fd, message);
  const double taken = now_seconds() - from;
  stop(server);
  return rounds / taken / 1e3;
}

// Every connection has one message in flight; all answers are awaited before the next round, so the
// server always finds a full batch, independent of its speed.
double echo(Serve serve, int connections, int size, int messages) {
  const ServerProcess server = start(serve, 0);
  pin_to_cpu(1);
  std::vector<int> fds;
  for (int i = 0; i < connections; ++i) fds.push_back(connect_to(server.port));
  std::vector<char> message(static_cast<size_t>(size), 'x');
  const auto round = [&] {
    for (const int fd : fds) {
      if (::send(fd, message.data(), message.size(), MSG_NOSIGNAL) < size) die("send");
    }
    for (const int fd : fds) {
      if (::recv(fd, message.data(), message.size(), MSG_WAITALL) != size) die("recv");
    }
  };
  round();
  const int rounds = messages / connections + 1;
  const double before = cpu_so_far(server);
  for (int i = 0; i < rounds; ++i) round();
  const double taken = cpu_so_far(server) - before;
  stop(server);
  return taken / rounds / connections * 1e6;
}

double accept_rate(Serve serve, int connections) {
  const ServerProcess server = start(serve, 0);
  pin_to_cpu(1);
  const double before = cpu_so_far(server);
  const linger reset{1, 0};
  for (int done = 0; done < connections;) {
    int fds[64];
    const int batch = std::min(64, connections - done);
    for (int i = 0; i < batch; ++i) fds[i] = connect_to(server.port);
    for (int i = 0; i < batch; ++i) {
      char byte;
      if (::recv(fds[i], &byte, 1, 0) != 0) die("the server did not close");
      ::setsockopt(fds[i], SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
      ::close(fds[i]);
    }
    done += batch;
  }
  const double taken = cpu_so_far(server) - before;
  stop(server);
  return taken / connections * 1e6;
}

double idle_memory(Serve serve, int connections) {
  const ServerProcess server = start(serve, 0);
  std::vector<char> message(1, 'x');
  std::vector<int> fds;
  // The first few include one-time costs.
  for (int i = 0; i < 64; ++i) fds.push_back(connect_to(server.port));
  for (const int fd : fds) exchange(fd, message);
  const long before = resident_of(server);
  for (int i = 0; i < connections; ++i) fds.push_back(connect_to(server.port));
  exchange(fds.back(), message);
  const long after = resident_of(server);
  stop(server);
  return static_cast<double>(after - before) / connections;
}

using Measure = std::function<double(Serve serve, const Scale& scale)>;

void add(Rows& rows, std::string name, const char* unit, bool more_is_better, double goal,
         const Servers& servers, const Measure& measure) {
  Row row{std::move(name), unit, more_is_better, goal, {}};
  for (const auto& [contestant, serve] : servers) {
    row.contestants.push_back({contestant, [serve = serve, measure](const Scale& scale) {
                                 return measure(serve, scale);
                               }});
  }
  rows.push_back(std::move(row));
}

}  // namespace

void add_net_rows(Rows& rows) {
  const Servers echoes = echo_servers();
  add(rows, "TCP ping-pong, one cpu", "k rtt/s", true, 1, echoes,
      [](Serve serve, const Scale& s) { return ping_pong(serve, s.of(50'000, 20), true); });
  add(rows, "TCP ping-pong, two cpus", "k rtt/s", true, 1, echoes,
      [](Serve serve, const Scale& s) { return ping_pong(serve, s.of(50'000, 20), false); });
  for (const int connections : {64, 1000}) {
    for (const int size : {64, 16 * 1024}) {
      const std::string name = "TCP echo, " + std::to_string(connections) + " connections x " +
                               (size == 64 ? "64 B" : "16 KiB");
      add(rows, name, "CPU us/msg", false, 1.3, echoes, [=](Serve serve, const Scale& s) {
        return echo(serve, s.factor < 0.1 ? 8 : connections, size,
                    s.of(size == 64 ? 300'000 : 100'000));
      });
    }
  }
  add(rows, "TCP accept and close", "CPU us/conn", false, 1, accept_servers(),
      [](Serve serve, const Scale& s) { return accept_rate(serve, s.of(30'000, 16)); });
  add(rows, "memory of an idle connection", "user bytes", false, 1, echoes,
      [](Serve serve, const Scale& s) { return idle_memory(serve, s.of(8'000, 16)); });
}

}  // namespace bench
