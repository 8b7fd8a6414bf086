#include "base/control/socket.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <tuple>

namespace rondo {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// Clients are started by hand, so a few are enough.
constexpr size_t kMostClients = 8;
constexpr size_t kMostQuery = 64;
// Clients that send no query for this long are disconnected.
constexpr milliseconds kIdleClientLimit{10'000};
// Time for a client to read the whole answer.
constexpr milliseconds kForReading{2000};
constexpr size_t kStackSize = 128 * 1024;
constexpr milliseconds kOutOfDescriptors{100};
// Limits the rate of queries, regardless of how fast clients send them.
constexpr milliseconds kBetweenQueries{5};
// The most sockets of dead processes that one sweep removes.
constexpr int kMostSwept = 64;

constexpr std::string_view kEnding = ".sock";

// Moves the descriptor to a number from 200 on, if possible.
Fd high_descriptor(Fd fd) {
  Fd high(::fcntl(fd.get(), F_DUPFD_CLOEXEC, 200));
  return high ? std::move(high) : std::move(fd);
}

void pause_for(milliseconds duration) { std::this_thread::sleep_for(duration); }

// An existing directory is trusted only if it is a real directory, belongs to this user, and no
// other user has access.
bool is_private_directory(const std::string& path, uid_t owner) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == owner &&
         (status.st_mode & 077) == 0;
}

bool set_address(const std::string& path, sockaddr_un* address) {
  *address = {};
  address->sun_family = AF_UNIX;
  if (path.size() >= sizeof address->sun_path) return false;
  std::memcpy(address->sun_path, path.data(), path.size());
  return true;
}

// Removes the sockets of processes that ended without removing them. A process whose pid is not
// visible may run in another container, so only a socket without a listener is removed.
void sweep(const std::string& directory) {
  DIR* const entries = ::opendir(directory.c_str());
  if (entries == nullptr) return;
  int left = kMostSwept;
  while (const dirent* const entry = ::readdir(entries)) {
    const std::string_view name = entry->d_name;
    if (!name.ends_with(kEnding)) continue;
    const long pid = std::strtol(entry->d_name, nullptr, 10);
    if (pid <= 0 || ::kill(static_cast<pid_t>(pid), 0) == 0 || errno != ESRCH) continue;
    if (left-- == 0) break;
    const std::string path = directory + "/" + entry->d_name;
    sockaddr_un address{};
    const Fd probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!probe || !set_address(path, &address)) continue;
    if (::connect(probe.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 &&
        errno == ECONNREFUSED) {
      ::unlink(path.c_str());
    }
  }
  ::closedir(entries);
}

bool is_user(int fd, uid_t user) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return ::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == user;
}

}  // namespace

ControlSocket::ControlSocket(ControlService& service) : service_(service) {
  const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
  parent_ = runtime != nullptr && runtime[0] == '/' ? runtime : "/tmp";
  // Opened now, so that a program that counts its descriptors does not find one more later; with a
  // high number, because programs expect to get the lowest free ones.
  listener_ = high_descriptor(Fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)));
  struct stat status {};
  if (::fstat(listener_.get(), &status) == 0) inode_ = status.st_ino;
}

bool ControlSocket::make_socket() {
  owner_ = ::geteuid();
  const std::string directory = parent_ + "/rondo-" + std::to_string(owner_);
  if (::mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) return false;
  if (!is_private_directory(directory, owner_)) return false;
  sweep(directory);
  const std::string stem = directory + "/" + std::to_string(::getpid());
  // The socket gets its final name after listen(): another process would take a socket without a
  // listener for that of a dead process, and remove it.
  const std::string made = stem + ".new" + std::string(kEnding);
  const std::string path = stem + std::string(kEnding);
  sockaddr_un address{};
  if (!set_address(made, &address)) return false;
  ::unlink(made.c_str());  // Left by an earlier process with the same pid.
  if (::bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    return false;
  if (::listen(listener_.get(), static_cast<int>(kMostClients)) != 0 ||
      ::rename(made.c_str(), path.c_str()) != 0) {
    ::unlink(made.c_str());
    return false;
  }
  path_ = path;
  return true;
}

bool ControlSocket::has_listener() const {
  struct stat status {};
  return ::fstat(listener_.get(), &status) == 0 && status.st_ino == inode_;
}

void ControlSocket::open(milliseconds delay) {
  const std::lock_guard lock(mutex_);
  if (is_closed_ || thread_.is_started()) return;
  delay_ = delay;
  if (delay == milliseconds::zero() && !make_socket()) return;
  const BlockedSignals blocked;
  // Best effort: without the thread, clients are not answered.
  std::ignore = thread_.start([this] { run(); }, kStackSize);
}

void ControlSocket::close() {
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    if (!path_.empty()) ::unlink(path_.c_str());
    path_.clear();
    if (has_listener()) ::shutdown(listener_.get(), SHUT_RDWR);  // Wakes the thread.
  }
  closing_.notify_all();
  if (!thread_.is_started()) return;
  service_.end_answer();  // The thread must not wait for a loop that has ended.
  thread_.join();
}

void ControlSocket::run() {
  ::prctl(PR_SET_NAME, "rondo control");
  if (delay_ == milliseconds::zero() || open_late()) serve();
}

bool ControlSocket::open_late() {
  std::unique_lock lock(mutex_);
  if (closing_.wait_for(lock, delay_, [this] { return is_closed_; })) return false;
  return has_listener() && make_socket();
}

void ControlSocket::serve() {
  std::vector<Client> clients;
  std::vector<pollfd> wanted;
  const int door = listener_.get();
  for (;;) {
    wanted.assign(1, pollfd{door, POLLIN, 0});
    for (const Client& client : clients) wanted.push_back({client.fd.get(), POLLIN, 0});
    // Without clients the wait has no timeout.
    ::poll(wanted.data(), wanted.size(),
           clients.empty() ? -1 : static_cast<int>(kIdleClientLimit.count()));
    {
      const std::lock_guard lock(mutex_);
      if (is_closed_ || !has_listener()) return;
    }
    const steady_clock::time_point now = steady_clock::now();
    for (size_t i = clients.size(); i-- > 0;) {
      Client& client = clients[i];
      bool stays = now - client.since < kIdleClientLimit;
      if (wanted[i + 1].revents != 0) stays = read(&client);
      if (stays) continue;
      if (client.is_watching && --watchers_ == 0) service_.watch(false);
      clients.erase(clients.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if ((wanted[0].revents & POLLIN) != 0) let_in(&clients);
  }
}

void ControlSocket::let_in(std::vector<Client>* clients) {
  Fd fd(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!fd) {
    // The process may be out of descriptors: the clients wait in the backlog.
    if (errno != EAGAIN && errno != ECONNABORTED) pause_for(kOutOfDescriptors);
    return;
  }
  fd = high_descriptor(std::move(fd));
  if (!is_user(fd.get(), owner_) || clients->size() >= kMostClients) return;
  clients->push_back({std::move(fd), {}, false, steady_clock::now()});
}

bool ControlSocket::read(Client* client) {
  char text[kMostQuery];
  const ssize_t size = ::recv(client->fd.get(), text, sizeof text, 0);
  if (size < 0) return errno == EAGAIN || errno == EINTR;
  if (size == 0) return false;
  client->received.append(text, static_cast<size_t>(size));
  for (;;) {
    const size_t end = client->received.find('\n');
    if (end == std::string::npos) return client->received.size() < kMostQuery;
    const std::string query = client->received.substr(0, end);
    client->received.erase(0, end + 1);
    client->since = steady_clock::now();
    if (!handle(client, query)) return false;
  }
}

bool ControlSocket::send_all(int fd, std::string_view text) const {
  const steady_clock::time_point deadline = steady_clock::now() + kForReading;
  while (!text.empty()) {
    const ssize_t sent = ::send(fd, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent >= 0) {
      text.remove_prefix(static_cast<size_t>(sent));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return false;
    const auto left = std::chrono::ceil<milliseconds>(deadline - steady_clock::now());
    if (left.count() <= 0) return false;
    // Also waits for close(), which shuts the listening socket down: the program's end must not
    // wait for a slow client.
    pollfd wanted[2] = {{fd, POLLOUT, 0}, {listener_.get(), 0, 0}};
    ::poll(wanted, 2, static_cast<int>(left.count()));
    if (wanted[1].revents != 0) return false;
  }
  return true;
}

bool ControlSocket::handle(Client* client, const std::string& query) {
  if (query != "why" && query != "top") {
    send_all(client->fd.get(), "{\"error\":\"unknown query: use why or top\"}\n");
    return false;
  }
  if (query == "top" && !client->is_watching) {
    client->is_watching = true;
    if (++watchers_ == 1) service_.watch(true);
  }
  pause_for(kBetweenQueries);
  const std::string answer = service_.answer(query);
  return !answer.empty() && send_all(client->fd.get(), answer + "\n");
}

}  // namespace rondo
