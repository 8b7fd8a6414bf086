// Compiles the files of lib: some while the snapshot is made, all others on first use. Thread: the
// isolate's.
#pragma once

#include "runtime/engine/sources.h"
#include "runtime/values/v8.h"

namespace rondo::runtime {

class Builtins {
 public:
  // The package must outlive the isolate.
  static void attach(v8::Isolate* isolate, const Package& package);

  // Compiles a file as the body of a function. Stack traces show the name of Node's file.
  static v8::MaybeLocal<v8::Function> compile(v8::Isolate* isolate, v8::Local<v8::Context> context,
                                              size_t number);
  // The JavaScript function compileFile(id) for lib's loader; it returns undefined if there is no
  // such file.
  static v8::Local<v8::Function> compile_function(v8::Isolate* isolate,
                                                  v8::Local<v8::Context> context);
  // The native function behind compile_function(), as an external reference of the snapshot.
  static intptr_t reference();
};

}  // namespace rondo::runtime
