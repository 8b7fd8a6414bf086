// Descriptors that JavaScript has as mere numbers, on their way from who made them to who takes
// them over. A worker may be stopped between the two calls: what is left here is closed with its
// realm.
#pragma once

#include <utility>
#include <vector>

#include "base/fd.h"
#include "runtime/realm.h"

namespace rondo::runtime {

// Realm::state() of the realm whose thread this is for.
class LooseEnds {
 public:
  explicit LooseEnds(Realm&) {}

  // Its number, or -1 if it is none.
  int give(Fd fd) {
    const int number = fd.get();
    if (number >= 0) ends_.push_back(std::move(fd));
    return number;
  }

  // The caller's from here on, also if it was never given: then it was somebody's before.
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

  // Closes it if nobody has taken it.
  void drop(int number) {
    std::erase_if(ends_, [number](const Fd& end) { return end.get() == number; });
  }

 private:
  std::vector<Fd> ends_;
};

}  // namespace rondo::runtime
