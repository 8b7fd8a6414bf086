// MetricsServer answers `GET /metrics` with figures of the process and its loop, in the text format
// of Prometheus. It serves HTTP/1 on a thread of its own, so it keeps no loop alive, is not one of
// the handles of the program, and answers even if the loop is blocked: then without the loop's
// figures.
// Thread: the loop's, except what the functions say.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/threads/thread.h"
#include "runtime/control/loop_query.h"

namespace rondo::runtime {

class MetricsServer {
 public:
  // `listener` is a listening TCP socket that does not block. Starts to serve.
  MetricsServer(LoopQuery& queries, Fd listener);
  ~MetricsServer() { close(); }
  MetricsServer(const MetricsServer&) = delete;
  MetricsServer& operator=(const MetricsServer&) = delete;

  // Serves no more requests. Call close() of the queries before. Idempotent.
  void close();

 private:
  struct Client {
    Fd fd;
    std::string received;
    std::chrono::steady_clock::time_point deadline;
  };

  void serve();
  void let_in(std::vector<Client>* clients);
  // Returns false once the client is to be disconnected.
  bool read(Client* client);
  std::string respond_to(std::string_view head);
  std::string figures();
  void send_all(int fd, std::string_view text) const;

  LoopQuery& queries_;
  Fd listener_;
  bool is_loopback_ = false;
  Thread thread_;
};

}  // namespace rondo::runtime
