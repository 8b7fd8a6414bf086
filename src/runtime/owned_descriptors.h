// The file descriptors that a worker's program has opened and not closed yet. They are closed with
// the worker: its thread ends, but the process, which has them, does not.
// Thread: the realm's only.
#pragma once

#include <unistd.h>

#include <unordered_set>

namespace rondo::runtime {

class OwnedDescriptors {
 public:
  // Without tracking nothing is noted or closed: the main thread's end with the process.
  explicit OwnedDescriptors(bool is_tracking) : is_tracking_(is_tracking) {}
  ~OwnedDescriptors() {
    for (const int fd : fds_) ::close(fd);
  }
  OwnedDescriptors(const OwnedDescriptors&) = delete;
  OwnedDescriptors& operator=(const OwnedDescriptors&) = delete;

  void add(int fd) {
    if (is_tracking_ && fd >= 0) fds_.insert(fd);
  }
  // It is closed, or somebody else's now.
  void remove(int fd) {
    if (is_tracking_) fds_.erase(fd);
  }

 private:
  bool is_tracking_;
  std::unordered_set<int> fds_;
};

}  // namespace rondo::runtime
