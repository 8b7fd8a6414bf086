// Compiles the files of lib: those that the snapshot runs while it is made, all others on first
// use.
// Thread: the isolate's.
#pragma once

#include "runtime/engine/sources.h"
#include "runtime/values/v8.h"

namespace rondo::runtime {

class Builtins {
 public:
  // The package must outlive the isolate.
  static void attach(v8::Isolate* isolate, const Package& package);

  // Each file is the body of a function; stack traces show the name of Node's file.
  static v8::MaybeLocal<v8::Function> compile(v8::Isolate* isolate, v8::Local<v8::Context> context,
                                              size_t number);
  // The function compileFile(id) for lib's loader: undefined if there is no such file.
  static v8::Local<v8::Function> compile_function(v8::Isolate* isolate,
                                                  v8::Local<v8::Context> context);
  // The native function behind compile_function(), as an external reference of the snapshot.
  static intptr_t reference();
};

}  // namespace rondo::runtime
