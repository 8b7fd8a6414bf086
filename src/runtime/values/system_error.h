// System errors in Node's form: "ENOENT: no such file or directory, open '/a'", with errno, code,
// syscall, path and dest.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "runtime/values/v8.h"

namespace rondo::runtime {

// The name that programs compare, "ENOENT", and the text for messages.
struct SystemErrorText {
  std::string name;
  std::string words;
};
SystemErrorText system_error_text(int code);

// A null path is not mentioned; an empty one is. The stack is that of the JavaScript that runs now,
// if any.
v8::Local<v8::Object> system_error(v8::Isolate* isolate, const Error& error,
                                   std::string_view path = {}, std::string_view dest = {});

}  // namespace rondo::runtime
