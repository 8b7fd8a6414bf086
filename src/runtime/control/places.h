// Source places of a program: a function, its file, line and column. Frames of lib are always left
// out. Thread: the isolate's only; a Place is a value.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/time/time.h"
#include "runtime/values/v8.h"

namespace rondo {
class Loop;
}

namespace rondo::runtime {

struct Place {
  std::string function;  // Empty if anonymous.
  std::string file;
  int line = 0;  // Starts at 1, like the column.
  int column = 0;

  bool is_known() const { return !file.empty(); }
  // "name (file:line:column)"
  std::string text() const;
  friend bool operator==(const Place&, const Place&) = default;
};

// The JavaScript stack without frames of lib, innermost first, at most `most` frames.
std::vector<Place> stack_now(v8::Isolate* isolate, size_t most);
// The place of a function's definition; unknown if the function is native or belongs to lib.
Place place_of(v8::Isolate* isolate, v8::Local<v8::Function> function);

// Records where the handles and requests of a loop were created. A look-up takes microseconds, so
// their rate is limited, for example while sockets are opened by the thousand.
class CreationSites {
 public:
  // `depth` is the number of entries into JavaScript on the stack.
  CreationSites(v8::Isolate* isolate, Loop& loop, const int& depth);
  ~CreationSites();
  CreationSites(const CreationSites&) = delete;
  CreationSites& operator=(const CreationSites&) = delete;

  // Null if the place is unknown. `site` is a result of Handle::creation_site().
  const Place* find(uint32_t site) const;

  // The number of the current place, the same that a handle created now would get.
  uint32_t here() { return note(); }
  // Handles created from now on are attributed to that place, until 0: for handles created in a
  // callback after a look-up.
  void assume(uint32_t site) { assumed_ = site; }

 private:
  static uint32_t note(void* self);
  uint32_t note();
  uint32_t number_of(Place place);

  v8::Isolate* isolate_;
  Loop& loop_;
  const int& depth_;
  std::vector<Place> places_;                                             // Number 1 is the first.
  std::map<std::pair<int, std::string>, std::vector<uint32_t>> numbers_;  // By line and file.
  Nanos window_{0};  // The time of the last refill of `left_`.
  int left_;
  uint32_t assumed_ = 0;
};

}  // namespace rondo::runtime
