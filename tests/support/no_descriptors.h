// NoDescriptors leaves the process without free descriptors while it lives or until some are freed.
#pragma once

#include <fcntl.h>
#include <sys/resource.h>

#include <vector>

#include "base/fd.h"

namespace rondo {

class NoDescriptors {
 public:
  NoDescriptors() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const int next_free = Fd(::open("/dev/null", O_RDONLY | O_CLOEXEC)).get();
    rlimit few = before_;
    few.rlim_cur = static_cast<rlim_t>(next_free) + 16;
    ::setrlimit(RLIMIT_NOFILE, &few);
    for (;;) {
      Fd next(::open("/dev/null", O_RDONLY | O_CLOEXEC));
      if (!next) break;
      fill_.push_back(std::move(next));
    }
  }
  ~NoDescriptors() {
    fill_.clear();
    ::setrlimit(RLIMIT_NOFILE, &before_);
  }
  void free_some() { fill_.clear(); }
  void free_one() { fill_.pop_back(); }

 private:
  rlimit before_{};
  std::vector<Fd> fill_;
};

}  // namespace rondo
