// ControlSocket answers queries of `rondo why` and `rondo top` about a running program. It listens
// on a Unix socket in a directory that only the user of the process can enter; clients are
// authenticated with SO_PEERCRED. Its thread sleeps in the kernel while there are no clients.
//
// A query is a line, `why` or `top`; the answer is a line of JSON, which the ControlService makes.
//
// Thread: as each function says.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/threads/thread.h"

namespace rondo {

// Makes the answers. The socket's thread calls it.
class ControlService {
 public:
  // An object of JSON; empty if the program is ending: the client is disconnected. `query` is `why`
  // or `top`.
  virtual std::string answer(const std::string& query) = 0;
  // The first client of `top` has come, or the last one has gone.
  virtual void watch(bool is_watched) = 0;
  // Makes a running answer() return soon. Thread: that of ControlSocket::close().
  virtual void end_answer() = 0;

 protected:
  ~ControlService() = default;
};

class ControlSocket {
 public:
  explicit ControlSocket(ControlService& service);
  ~ControlSocket() { close(); }
  ControlSocket(const ControlSocket&) = delete;
  ControlSocket& operator=(const ControlSocket&) = delete;

  // Called once, from any thread. With a delay the socket's thread opens it later: a program that
  // ends earlier never has one. Best effort: if it fails, the program runs without a socket.
  void open(std::chrono::milliseconds delay = {});
  // Accepts no more clients and removes the socket. Idempotent. Thread: any but the socket's.
  void close();

 private:
  struct Client {
    Fd fd;
    std::string received;  // The query line received so far.
    bool is_watching = false;
    std::chrono::steady_clock::time_point since;  // The time of the client's last query.
  };

  bool make_socket();
  // False if the program has closed the descriptor, or uses its number for another file.
  bool has_listener() const;
  void run();
  bool open_late();
  void serve();
  void let_in(std::vector<Client>* clients);
  // Returns false if the client must be disconnected.
  bool read(Client* client);
  bool handle(Client* client, const std::string& query);
  // Returns false if the client does not read in time, has disconnected, or close() was called
  // meanwhile.
  bool send_all(int fd, std::string_view text) const;

  ControlService& service_;
  // The directory rondo-UID, with the sockets of all the user's processes.
  std::string parent_;
  uid_t owner_ = 0;

  uint64_t inode_ = 0;  // Of the listener.
  std::chrono::milliseconds delay_{};

  std::mutex mutex_;  // Guards the members below.
  std::condition_variable closing_;
  bool is_closed_ = false;
  std::string path_;  // Empty while there is no socket.
  Fd listener_;
  Thread thread_;

  int watchers_ = 0;  // Used by the control thread.
};

}  // namespace rondo
