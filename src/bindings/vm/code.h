// Shared by the bindings of vm: contexts of program objects, code caches, and objects that refer
// to compiled code. Thread: the loop's only.
#pragma once

#include "runtime/values/v8.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

// The context of an object that vm.createContext() returned; empty for any other value.
v8::MaybeLocal<v8::Context> context_of(v8::Isolate* isolate, v8::Local<v8::Value> holder);
// Makes context_of(holder) return `context`.
bool set_context_of(v8::Isolate* isolate, v8::Local<v8::Object> holder,
                    v8::Local<v8::Context> context);

// A copy of the bytes, owned by V8; null if `bytes` is not a view.
v8::ScriptCompiler::CachedData* cached_data(v8::Local<v8::Value> bytes);
// The bytes of a new code cache, as an ArrayBuffer.
v8::Local<v8::ArrayBuffer> to_buffer(v8::Isolate* isolate,
                                     const v8::ScriptCompiler::CachedData* data);

struct Origin {
  v8::Local<v8::Value> name;
  int line;
  int column;
  v8::Local<v8::Value> import_option;  // A symbol, which import() passes to lib.
  bool is_module = false;
};
v8::ScriptOrigin make_origin(v8::Isolate* isolate, const Origin& origin);

// A CodeBox is an object of JavaScript that refers to data of V8, such as a script. The collector
// sees this reference, in contrast to a Global, so that code and its callbacks may refer to each
// other.
class CodeBox {
 public:
  enum class Kind : uint8_t { script, module };
  // Empty while JavaScript is being terminated.
  static v8::MaybeLocal<v8::Object> make(v8::Isolate* isolate, Kind kind, v8::Local<v8::Data> data);
  static bool is(v8::Local<v8::Value> value, Kind kind);
  static v8::Local<v8::Data> data(v8::Local<v8::Value> box);
  // Values that the box refers to; undefined at first.
  enum class Extra : uint8_t { name, links };
  static v8::Local<v8::Value> extra(v8::Local<v8::Object> box, Extra which);
  static void set_extra(v8::Local<v8::Object> box, Extra which, v8::Local<v8::Value> value);
};

}  // namespace rondo::bindings
