// Helpers to convert between C++ and V8 values. Those that may fail have a Maybe type.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "runtime/values/v8.h"

namespace rondo::runtime {

using Arguments = v8::FunctionCallbackInfo<v8::Value>;

// Converts a name used by Rondo itself: short, ASCII, internalized by V8.
inline v8::Local<v8::String> literal(v8::Isolate* isolate, std::string_view text) {
  return v8::String::NewFromOneByte(isolate, reinterpret_cast<const uint8_t*>(text.data()),
                                    v8::NewStringType::kInternalized, static_cast<int>(text.size()))
      .ToLocalChecked();
}

// Reads a small integer (Smi), which nearly all sizes and offsets are. Returns false for any other
// value.
inline bool small_integer(v8::Local<v8::Value> value, int32_t* number) {
  const v8::internal::Address bits = v8::internal::ValueHelper::ValueAsAddress(*value);
  if (v8::internal::Internals::HasHeapObjectTag(bits)) return false;
  *number = v8::internal::Internals::SmiValue(bits);
  return true;
}

// Converts external text: UTF-8 of any length; empty if it is longer than V8 supports.
v8::MaybeLocal<v8::String> to_js(v8::Isolate* isolate, std::string_view text);
std::string to_std(v8::Isolate* isolate, v8::Local<v8::Value> value);

// target[name] = value, for objects that Rondo created.
void set(v8::Isolate* isolate, v8::Local<v8::Object> target, std::string_view name,
         v8::Local<v8::Value> value);
void set(v8::Isolate* isolate, v8::Local<v8::Object> target, std::string_view name, double value);
void set(v8::Isolate* isolate, v8::Local<v8::Object> target, std::string_view name,
         std::string_view value);

// Throws Node's error for a failed system call: an Error with errno, code and syscall.
void throw_error(v8::Isolate* isolate, const Error& error);
void throw_type_error(v8::Isolate* isolate, std::string_view message);
// Used by RONDO_EXPECT.
void throw_misuse(v8::Isolate* isolate, const char* condition, const char* file, int line);

}  // namespace rondo::runtime

// Checks lib's arguments in functions of bindings. If the condition does not hold, lib has a bug,
// and the program gets an exception with the source place instead of a crash.
#define RONDO_EXPECT(info, condition)                                                      \
  do {                                                                                     \
    if (!(condition)) [[unlikely]] {                                                       \
      ::rondo::runtime::throw_misuse((info).GetIsolate(), #condition, __FILE__, __LINE__); \
      return;                                                                              \
    }                                                                                      \
  } while (false)
