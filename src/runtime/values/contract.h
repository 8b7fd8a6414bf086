// Helpers for the contract between C++ and lib (docs/RUNTIME.md): numbers and functions cross the
// border under names, never by position, and C++ owns the numbers.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "runtime/values/values.h"

namespace rondo::runtime {

// A number under the name that lib uses for it.
struct Constant {
  template <class T>
  constexpr Constant(const char* its_name, T its_value)
      : name(its_name), value(static_cast<double>(its_value)) {}

  const char* name;
  double value;
};

// For static_assert: the table has each number from 0 to `count` - 1 once, in order, so that an
// enumerator without a name does not compile.
template <class T>
consteval bool names_all(std::span<const Constant> table, T count) {
  size_t index = 0;
  for (const Constant& row : table) {
    if (row.value != static_cast<double>(index++)) return false;
  }
  return index == static_cast<size_t>(count);
}

// target[name] = {name: value, ...}, an object without a prototype.
void set_constants(v8::Isolate* isolate, v8::Local<v8::Object> target, std::string_view name,
                   std::span<const Constant> table);
// target[name] = value for each row.
void set_constants(v8::Isolate* isolate, v8::Local<v8::Object> target,
                   std::span<const Constant> table);
// target[name] = [text, ...]
void set_texts(v8::Isolate* isolate, v8::Local<v8::Object> target, std::string_view name,
               std::span<const char* const> texts);

// Calls `take(number, function)` with the function that lib passes under each name. Throws and
// returns false if one is missing, or if the object has others.
bool take_functions(v8::Isolate* isolate, v8::Local<v8::Value> functions,
                    std::span<const Constant> names,
                    void (*take)(void* context, size_t number, v8::Local<v8::Function> function),
                    void* context);

template <class Take>
bool take_functions(v8::Isolate* isolate, v8::Local<v8::Value> functions,
                    std::span<const Constant> names, Take take) {
  return take_functions(
      isolate, functions, names,
      [](void* context, size_t number, v8::Local<v8::Function> function) {
        (*static_cast<Take*>(context))(number, function);
      },
      &take);
}

}  // namespace rondo::runtime
