// A Binding is what one file of src/bindings offers to lib: named functions and constants, which
// JavaScript reaches as internalBinding(name). The same list of functions gives V8 the external
// references that a snapshot needs, so a function cannot be in one and missing in the other.
#pragma once

#include <span>
#include <vector>

#include "runtime/fast_call.h"
#include "runtime/sources.h"
#include "runtime/v8.h"

namespace rondo::runtime {

struct Method {
  const char* name;
  v8::FunctionCallback call;
  // What optimised code may call without leaving machine code; null for most.
  const FastFunction* fast = nullptr;
};

struct Binding {
  const char* name;
  std::span<const Method> methods;
  // Adds constants. Runs while the snapshot is made, so nothing of the environment belongs here.
  void (*add_constants)(v8::Isolate* isolate, v8::Local<v8::Object> target) = nullptr;
  // Addresses of callbacks that are installed in other ways (accessors, templates).
  std::span<const intptr_t> more_references = {};
};

using Bindings = std::span<const Binding* const>;

// The table that CreateParams and SnapshotCreator want, with its closing zero.
std::vector<intptr_t> external_references(Bindings bindings, const SourceTexts& texts = {});
// {timers: {...}, buffer: {...}, ...}
v8::Local<v8::Object> make_bindings(v8::Isolate* isolate, v8::Local<v8::Context> context,
                                    Bindings bindings);

}  // namespace rondo::runtime
