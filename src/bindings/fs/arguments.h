// The arguments of the functions of internalBinding('fs').
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/values/values.h"

namespace rondo::bindings::fs {

using runtime::Arguments;

// A path is a string or bytes. lib has checked that it contains no NUL byte.
class PathArg {
 public:
  PathArg(v8::Isolate* isolate, v8::Local<v8::Value> value);
  PathArg(const PathArg&) = delete;
  PathArg& operator=(const PathArg&) = delete;

  const char* c_str() const { return view_.data(); }
  std::string_view view() const { return view_; }

 private:
  // Paths up to this size need no allocation.
  static constexpr size_t kInline = 512;
  char inline_[kInline];
  std::string long_;
  std::string_view view_;
};

// Convert any value to a number: to 0, or the given default, if it is not one.
int int_arg(v8::Local<v8::Value> value);
uint32_t uint_arg(v8::Local<v8::Value> value);
int64_t int64_arg(v8::Local<v8::Value> value, int64_t otherwise);

// The index of the callback, and whether it settles a promise.
struct CallbackArg {
  int index = -1;  // -1: the call is synchronous.
  bool settles_promise = false;

  explicit CallbackArg(const Arguments& info) {
    const int last = info.Length() - 1;
    if (last >= 0 && info[last]->IsFunction()) {
      index = last;
    } else if (last >= 1 && info[last]->IsSymbol() && info[last - 1]->IsFunction()) {
      index = last - 1;
      settles_promise = true;
    }
  }
  explicit operator bool() const { return index >= 0; }
};

}  // namespace rondo::bindings::fs
