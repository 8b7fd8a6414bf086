// Owns descriptors that JavaScript holds as plain numbers between the binding that creates them and
// the binding that takes them over. A worker may be stopped between the two calls: descriptors left
// here are closed with its realm.
#pragma once

#include <utility>
#include <vector>

#include "base/fd.h"
#include "runtime/engine/realm.h"

namespace rondo::runtime {

// Realm::state() of the realm of this thread.
class UnclaimedFds {
 public:
  explicit UnclaimedFds(Realm&) {}

  // Stores the descriptor and returns its number, or -1 if it is invalid.
  int give(Fd fd) {
    const int number = fd.get();
    if (number >= 0) fds_.push_back(std::move(fd));
    return number;
  }

  // Passes ownership to the caller, even if give() was never called for this number.
  Fd take(int number) {
    for (Fd& fd : fds_) {
      if (fd.get() != number) continue;
      static_cast<void>(fd.release());
      std::swap(fd, fds_.back());
      fds_.pop_back();
      break;
    }
    return Fd(number);
  }

  // Closes the descriptor if it was not taken.
  void drop(int number) {
    std::erase_if(fds_, [number](const Fd& fd) { return fd.get() == number; });
  }

 private:
  std::vector<Fd> fds_;
};

}  // namespace rondo::runtime
