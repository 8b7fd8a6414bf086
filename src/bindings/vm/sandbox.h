// The global object of a context with a sandbox: reads and writes of global variables go to the
// sandbox, an object of the program. Thread: the loop's only.
#pragma once

#include "runtime/values/v8.h"

namespace rondo::bindings {

// The template for Context::New(). The context must be registered with Contexts::add().
v8::Local<v8::ObjectTemplate> sandboxed_global(v8::Isolate* isolate);

}  // namespace rondo::bindings
