// Wrappers for system calls whose failures a kernel does not produce on demand, with a hook for
// tests to inject faults. Without a fault plan each costs one predictable branch. All return the
// kernel's result, with errno set; EINTR is retried where stated.
#pragma once

#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>

namespace rondo::sys {

// A test's plan, consulted before each system call. To replace the kernel's result, the plan sets
// `result` (and errno, if the result is -1) and returns true. May be called from several threads.
class Faults {
 public:
  virtual ~Faults() = default;
  virtual bool inject(const char* call, int fd, long& result) = 0;
  // The most bytes that a call without a fault may transfer, at least one: causes short reads and
  // writes.
  virtual size_t most_bytes(const char*, int) { return SIZE_MAX; }
};

// One per process, because system calls have no other context; null except in tests of faults.
inline std::atomic<Faults*> fault_plan{nullptr};

template <class Call>
inline long guarded(const char* name, int fd, Call&& call) {
  if (Faults* plan = fault_plan.load(std::memory_order_acquire); plan != nullptr) [[unlikely]] {
    long result = 0;
    if (plan->inject(name, fd, result)) return result;
  }
  return call();
}

// As guarded(), repeated after EINTR.
template <class Call>
inline long unbroken(const char* name, int fd, Call&& call) {
  long result;
  do {
    result = guarded(name, fd, call);
  } while (result < 0 && errno == EINTR);
  return result;
}

// `size`, or less if the plan shortens it.
inline size_t shortened(const char* call, int fd, size_t size) {
  Faults* plan = fault_plan.load(std::memory_order_acquire);
  if (plan == nullptr) [[likely]]
    return size;
  return std::min(size, plan->most_bytes(call, fd));
}

// shortened() for a list of buffers: all of them, or the beginning of the first that is not empty.
class ShortenedParts {
 public:
  ShortenedParts(const char* call, int fd, const iovec* parts, size_t count)
      : parts_(parts), count_(count) {
    const size_t most = shortened(call, fd, SIZE_MAX);
    if (most == SIZE_MAX) [[likely]]
      return;
    while (count_ > 1 && parts_->iov_len == 0) ++parts_, --count_;
    if (count_ == 0) return;
    first_ = {parts_->iov_base, std::min(parts_->iov_len, most)};
    parts_ = &first_;
    count_ = 1;
  }
  ShortenedParts(const ShortenedParts&) = delete;
  ShortenedParts& operator=(const ShortenedParts&) = delete;
  const iovec* data() const { return parts_; }
  size_t size() const { return count_; }

 private:
  const iovec* parts_;
  size_t count_;
  iovec first_;
};

inline ssize_t read(int fd, void* data, size_t size) {
  return unbroken("read", fd,
                  [=]() -> long { return ::read(fd, data, shortened("read", fd, size)); });
}
inline ssize_t write(int fd, const void* data, size_t size) {
  return unbroken("write", fd,
                  [=]() -> long { return ::write(fd, data, shortened("write", fd, size)); });
}
inline ssize_t writev(int fd, const iovec* parts, int count) {
  return unbroken("writev", fd, [=]() -> long {
    const ShortenedParts some("writev", fd, parts, static_cast<size_t>(count));
    return ::writev(fd, some.data(), static_cast<int>(some.size()));
  });
}
inline ssize_t recv(int fd, void* data, size_t size, int flags) {
  return unbroken("recv", fd,
                  [=]() -> long { return ::recv(fd, data, shortened("recv", fd, size), flags); });
}
inline ssize_t send(int fd, const void* data, size_t size, int flags) {
  return unbroken("send", fd,
                  [=]() -> long { return ::send(fd, data, shortened("send", fd, size), flags); });
}
inline ssize_t sendmsg(int fd, const msghdr* message, int flags) {
  return unbroken("sendmsg", fd, [=]() -> long {
    const ShortenedParts some("sendmsg", fd, message->msg_iov, message->msg_iovlen);
    msghdr copy = *message;
    copy.msg_iov = const_cast<iovec*>(some.data());
    copy.msg_iovlen = some.size();
    return ::sendmsg(fd, &copy, flags);
  });
}
inline ssize_t recvmsg(int fd, msghdr* message, int flags) {
  return unbroken("recvmsg", fd, [=]() -> long { return ::recvmsg(fd, message, flags); });
}
// Several datagrams at once. Both return how many messages were transferred.
inline int recvmmsg(int fd, mmsghdr* messages, unsigned count, int flags) {
  return static_cast<int>(unbroken(
      "recvmmsg", fd, [=]() -> long { return ::recvmmsg(fd, messages, count, flags, nullptr); }));
}
inline int sendmmsg(int fd, mmsghdr* messages, unsigned count, int flags) {
  return static_cast<int>(
      unbroken("sendmmsg", fd, [=]() -> long { return ::sendmmsg(fd, messages, count, flags); }));
}
inline int accept(int fd, int flags) {
  return static_cast<int>(
      unbroken("accept", fd, [=]() -> long { return ::accept4(fd, nullptr, nullptr, flags); }));
}
// Not retried: an interrupted connect(2) continues, and its completion is reported as writability.
inline int connect(int fd, const sockaddr* address, socklen_t size) {
  return static_cast<int>(
      guarded("connect", fd, [=]() -> long { return ::connect(fd, address, size); }));
}
inline int epoll_ctl(int epoll, int operation, int fd, epoll_event* event) {
  return static_cast<int>(
      guarded("epoll_ctl", fd, [=]() -> long { return ::epoll_ctl(epoll, operation, fd, event); }));
}
// The waits are not retried after EINTR: the caller must first compute the remaining time.
inline int epoll_wait(int epoll, epoll_event* events, int capacity, int timeout_ms) {
  return static_cast<int>(guarded("epoll_wait", epoll, [=]() -> long {
    return ::epoll_wait(epoll, events, capacity, timeout_ms);
  }));
}
inline int epoll_pwait2(int epoll, epoll_event* events, int capacity, const timespec* timeout) {
  return static_cast<int>(guarded("epoll_pwait2", epoll, [=]() -> long {
    return ::syscall(SYS_epoll_pwait2, epoll, events, capacity, timeout, nullptr, 0);
  }));
}
inline int io_uring_enter(int ring, unsigned submit, unsigned wait, unsigned flags, const void* arg,
                          size_t size) {
  return static_cast<int>(guarded("io_uring_enter", ring, [=]() -> long {
    return ::syscall(SYS_io_uring_enter, ring, submit, wait, flags, arg, size);
  }));
}

// The result of an io_uring operation, negative if it failed; a fault plan may replace it.
inline int32_t completed(const char* operation, int32_t result) {
  const long seen = guarded(operation, -1, [=]() -> long { return result; });
  return seen == -1 && result >= 0 ? -errno : static_cast<int32_t>(seen);
}

}  // namespace rondo::sys
