// Creates system errors in Node's form: "ENOENT: no such file or directory, open '/a'", with errno,
// code, syscall, path and dest.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "runtime/values/v8.h"

namespace rondo::runtime {

// One error, with the negative number that bindings report and programs see as `errno`.
struct SystemErrorRow {
  int number;
  const char* name;
  const char* words;
};
std::span<const SystemErrorRow> system_error_rows();
int system_error_number(std::string_view name);  // Aborts if there is no such name.

// The name that programs compare, "ENOENT", and the text for messages.
struct SystemErrorText {
  std::string name;
  std::string words;
};
SystemErrorText system_error_text(int code);

// Creates an error with the stack of the running JavaScript, if any. A null path is not mentioned
// in the message; an empty one is.
v8::Local<v8::Object> system_error(v8::Isolate* isolate, const Error& error,
                                   std::string_view path = {}, std::string_view dest = {});

}  // namespace rondo::runtime
