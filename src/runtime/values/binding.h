// A Binding is the interface of one file of src/bindings to lib: named functions and constants,
// which JavaScript gets with internalBinding(name). The same list of functions provides V8's
// external references for the snapshot, so that no function can be missing there.
#pragma once

#include <span>
#include <vector>

#include "runtime/engine/sources.h"
#include "runtime/values/fast_call.h"
#include "runtime/values/v8.h"

namespace rondo::runtime {

struct Method {
  const char* name;
  v8::FunctionCallback call;
  // The function that optimised code calls directly; null for most.
  const FastFunction* fast = nullptr;
};

struct Binding {
  const char* name;
  std::span<const Method> methods;
  // Adds constants. Runs while the snapshot is made, so it must not depend on the environment.
  void (*add_constants)(v8::Isolate* isolate, v8::Local<v8::Object> target) = nullptr;
  // Addresses of callbacks that are installed in other ways (accessors, templates).
  std::span<const intptr_t> more_references = {};
};

using Bindings = std::span<const Binding* const>;

// The table for CreateParams and SnapshotCreator, with its terminating zero.
std::vector<intptr_t> external_references(Bindings bindings, const SourceTexts& texts = {});
// {timers: {...}, buffer: {...}, ...}
v8::Local<v8::Object> make_bindings(v8::Isolate* isolate, v8::Local<v8::Context> context,
                                    Bindings bindings);

}  // namespace rondo::runtime
