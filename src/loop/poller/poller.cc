#include "loop/poller/poller.h"

#include <cstdlib>
#include <string_view>

#include "loop/poller/epoll.h"
#include "loop/poller/uring.h"

namespace rondo {

const char* backend_name(Backend backend) {
  switch (backend) {
    case Backend::automatic: return "automatic";
    case Backend::epoll: return "epoll";
    case Backend::uring: return "uring";
    case Backend::scripted: return "scripted";
  }
  return "unknown";
}

Result<Backend> parse_backend(const char* name) {
  const std::string_view text = name;
  if (text == "epoll") return Backend::epoll;
  if (text == "uring" || text == "io_uring") return Backend::uring;
  return Error{EINVAL, "backend"};
}

void Poller::submit(Op&, const OpArgs&) { fatal("this poller has no operations"); }
void Poller::cancel(Op&) { fatal("this poller has no operations"); }

Result<std::unique_ptr<Poller>> make_poller(Backend backend) {
  if (backend == Backend::automatic) {
    if (const char* forced = std::getenv("RONDO_BACKEND"); forced != nullptr && *forced != '\0') {
      Result<Backend> parsed = parse_backend(forced);
      if (!parsed) return parsed.error();
      backend = *parsed;
    }
  }
  if (backend != Backend::epoll) {
    Result<std::unique_ptr<Poller>> uring = UringPoller::open();
    // Containers and hardened systems often refuse io_uring, so fall back without a warning.
    if (uring || backend == Backend::uring) return uring;
  }
  Result<std::unique_ptr<EpollPoller>> epoll = EpollPoller::open();
  if (!epoll) return epoll.error();
  return std::unique_ptr<Poller>(std::move(*epoll));
}

}  // namespace rondo
