// Between C++ values and V8's, briefly. What may fail says so in its type.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "runtime/v8.h"

namespace rondo::runtime {

using Arguments = v8::FunctionCallbackInfo<v8::Value>;

// For names that we wrote: short, ASCII, and shared by V8.
inline v8::Local<v8::String> literal(v8::Isolate* isolate, std::string_view text) {
  return v8::String::NewFromOneByte(isolate, reinterpret_cast<const uint8_t*>(text.data()),
                                    v8::NewStringType::kInternalized, static_cast<int>(text.size()))
      .ToLocalChecked();
}

// For text from outside: UTF-8, any length V8 can hold; empty where it is longer.
v8::MaybeLocal<v8::String> to_js(v8::Isolate* isolate, std::string_view text);
std::string to_std(v8::Isolate* isolate, v8::Local<v8::Value> value);

// target[name] = value, for objects that are ours.
void set(v8::Isolate* isolate, v8::Local<v8::Object> target, std::string_view name,
         v8::Local<v8::Value> value);
void set(v8::Isolate* isolate, v8::Local<v8::Object> target, std::string_view name, double value);
void set(v8::Isolate* isolate, v8::Local<v8::Object> target, std::string_view name,
         std::string_view value);

// Throws what lib turns into, or already is, Node's error for a failed system call: an Error whose
// errno, code and syscall are set.
void throw_error(v8::Isolate* isolate, const Error& error);
void throw_type_error(v8::Isolate* isolate, std::string_view message);
// For RONDO_EXPECT.
void throw_misuse(v8::Isolate* isolate, const char* condition, const char* file, int line);

}  // namespace rondo::runtime

// For what lib promises of its arguments, in functions of bindings: where it does not hold, lib has
// a mistake, and the program gets an exception that says where, in place of a crash.
#define RONDO_EXPECT(info, condition)                                                      \
  do {                                                                                     \
    if (!(condition)) [[unlikely]] {                                                       \
      ::rondo::runtime::throw_misuse((info).GetIsolate(), #condition, __FILE__, __LINE__); \
      return;                                                                              \
    }                                                                                      \
  } while (false)
