#include "io/net/pipe.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "loop/loop.h"

namespace rondo {

Result<void> PipeSocket::open(Fd fd) {
  struct stat info {};
  if (::fstat(fd.get(), &info) < 0) return Error::last("open");
  if (S_ISSOCK(info.st_mode)) return Socket::open(std::move(fd));
  if (!S_ISFIFO(info.st_mode)) return Error{EINVAL, "open"};
  if (is_open() || is_connecting()) return Error{EISCONN, "open"};
  if (is_closing()) return Error{EINVAL, "open"};
  const int flags = ::fcntl(fd.get(), F_GETFL);
  if (flags < 0 || ::fcntl(fd.get(), F_SETFL, flags | O_NONBLOCK) < 0) return Error::last("fcntl");
  attach(std::move(fd), Channel::file);
  return {};
}

Result<void> PipeServer::bind(const SocketAddress& address) {
  if (address.family() != AF_UNIX) return Error{EINVAL, "bind"};
  Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return Error::last("socket");
  if (Result<void> bound = bind_socket(std::move(fd), address); !bound) return bound;
  const auto* name = reinterpret_cast<const sockaddr_un*>(address.data());
  if (name->sun_path[0] != '\0') path_ = name->sun_path;  // Abstract names have no file.
  return {};
}

void PipeServer::on_closing() {
  if (!path_.empty()) ::unlink(path_.c_str());
  Listener::on_closing();
}

}  // namespace rondo
