// Places of a program: a function, its file, line and column, as a person finds them. Our own
// JavaScript is left out everywhere.
// Thread: the isolate's only; a Place is a value.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/time.h"
#include "runtime/v8.h"

namespace rondo {
class Loop;
}

namespace rondo::runtime {

struct Place {
  std::string function;  // Empty if it has no name.
  std::string file;
  int line = 0;  // From 1, as the column.
  int column = 0;

  bool is_known() const { return !file.empty(); }
  // "name (file:line:column)"
  std::string text() const;
  friend bool operator==(const Place&, const Place&) = default;
};

// Of the JavaScript that is running, innermost first, at most so many, without our own.
std::vector<Place> stack_now(v8::Isolate* isolate, size_t most);
// Where a function begins; unknown if it is our own, or native.
Place place_of(v8::Isolate* isolate, v8::Local<v8::Function> function);

// Where the handles and requests of a loop were made. To look costs microseconds, so it is done for
// as many as cost a program little, and not while sockets are opened by the thousand.
class Births {
 public:
  // `depth` is how many entries into JavaScript are on the stack.
  Births(v8::Isolate* isolate, Loop& loop, const int& depth);
  ~Births();
  Births(const Births&) = delete;
  Births& operator=(const Births&) = delete;

  // Null for what no place is known of. Takes what Handle::birth() gives.
  const Place* find(uint32_t birth) const;

  // The number of the place that is running, as a handle made now would get it.
  uint32_t here() { return note(); }
  // What is made from now on is made on behalf of that place, until 0: for handles that are made in
  // a callback, after a look-up.
  void assume(uint32_t birth) { assumed_ = birth; }

 private:
  static uint32_t note(void* self);
  uint32_t note();
  uint32_t number_of(Place place);

  v8::Isolate* isolate_;
  Loop& loop_;
  const int& depth_;
  std::vector<Place> places_;                                             // Number 1 is the first.
  std::map<std::pair<int, std::string>, std::vector<uint32_t>> numbers_;  // By line and file.
  Nanos window_{0};  // Since when `left_` is counted down.
  int left_;
  uint32_t assumed_ = 0;
};

}  // namespace rondo::runtime
