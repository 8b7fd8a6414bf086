// OwnedDescriptors records file descriptors that a worker's program has opened and not closed. They
// are closed with the worker, because the process continues. Thread: the realm's only.
#pragma once

#include <unistd.h>

#include <unordered_set>

namespace rondo::runtime {

class OwnedDescriptors {
 public:
  // Without tracking, nothing is recorded or closed: on the main thread, whose descriptors are
  // closed by the end of the process, and in workers with trackUnmanagedFds: false.
  explicit OwnedDescriptors(bool is_tracking) : is_tracking_(is_tracking) {}
  ~OwnedDescriptors() {
    for (const int fd : fds_) ::close(fd);
  }
  OwnedDescriptors(const OwnedDescriptors&) = delete;
  OwnedDescriptors& operator=(const OwnedDescriptors&) = delete;

  // Returns false if the descriptor was recorded before: other code has closed it.
  bool add(int fd) { return !is_tracking_ || fd < 0 || fds_.insert(fd).second; }
  // Called when the descriptor was closed, or has a new owner. Returns false if it was not
  // recorded.
  bool remove(int fd) { return !is_tracking_ || fds_.erase(fd) > 0; }

 private:
  bool is_tracking_;
  std::unordered_set<int> fds_;
};

}  // namespace rondo::runtime
