// Control answers queries of `rondo why` and `rondo top` about a running program. It listens on a
// Unix socket in a directory that only the user of the process can enter; clients are authenticated
// with SO_PEERCRED. The socket is opened when the program has run for a while, on a thread that
// sleeps in the kernel while there are no clients.
//
// A query is a line, `why` or `top`; the answer is a line of JSON. The loop's thread creates the
// answer (LoopQuery). If it cannot, because a system call blocks, the control thread answers with
// the state of the loop's thread. While a client of `top` is connected, phases are measured and
// slow callbacks recorded.
//
// Thread: as each function says.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/threads/thread.h"
#include "runtime/control/loop_query.h"
#include "runtime/engine/realm.h"

namespace rondo::runtime {

class Control {
 public:
  // Thread: the loop's.
  Control(Realm& realm, LoopQuery& queries);
  ~Control() { close(); }
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;

  // Called once, from any thread but the loop's. Best effort: if it fails, the program runs without
  // Control.
  void open();
  // Accepts no more clients and removes the socket. Idempotent. Thread: the loop's.
  void close();

 private:
  struct Client {
    Fd fd;
    std::string received;  // The query line received so far.
    bool is_watching = false;
    std::chrono::steady_clock::time_point since;  // The time of the client's last query.
  };

  bool make_socket();
  void serve();
  void let_in(std::vector<Client>* clients);
  // Returns false if the client must be disconnected.
  bool read(Client* client);
  bool handle(Client* client, const std::string& query);
  // Returns false if the client does not read in time, has disconnected, or close() was called
  // meanwhile.
  bool send_all(int fd, std::string_view text) const;
  void watch(bool is_watched);
  // The loop's answer to a query, or a substitute without the loop.
  std::string query_loop(const std::string& query);
  std::string answer_without_the_loop();

  Realm& realm_;
  LoopQuery& queries_;
  const int32_t loop_tid_;
  // The directory rondo-UID, with the sockets of all the user's processes.
  std::string parent_;
  uid_t owner_ = 0;

  std::mutex mutex_;  // Guards the members below.
  bool is_closed_ = false;
  std::string path_;  // Empty while there is no socket.
  Fd listener_;
  Thread thread_;

  int watchers_ = 0;  // Used by the control thread.
};

}  // namespace rondo::runtime
