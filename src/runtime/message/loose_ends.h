// Descriptors that JavaScript holds as plain numbers between the binding that creates them and the
// one that takes them over. A worker may be stopped between the two calls: descriptors left here
// are closed with its realm.
#pragma once

#include <utility>
#include <vector>

#include "base/fd.h"
#include "runtime/engine/realm.h"

namespace rondo::runtime {

// Realm::state() of the realm of this thread.
class LooseEnds {
 public:
  explicit LooseEnds(Realm&) {}

  // Its number, or -1 if it is invalid.
  int give(Fd fd) {
    const int number = fd.get();
    if (number >= 0) ends_.push_back(std::move(fd));
    return number;
  }

  // Owned by the caller from here on, even if give() was never called for it.
  Fd take(int number) {
    for (Fd& end : ends_) {
      if (end.get() != number) continue;
      static_cast<void>(end.release());
      std::swap(end, ends_.back());
      ends_.pop_back();
      break;
    }
    return Fd(number);
  }

  // Closes it if it was not taken.
  void drop(int number) {
    std::erase_if(ends_, [number](const Fd& end) { return end.get() == number; });
  }

 private:
  std::vector<Fd> ends_;
};

}  // namespace rondo::runtime
