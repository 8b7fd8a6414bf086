// internalBinding('uv'): the numbers, names and messages of system errors, for all of lib. As in
// Node, errors are negative numbers here and wherever a binding returns one: UV_ENOENT is -2.
#include <string>
#include <vector>

#include "runtime/values/binding.h"
#include "runtime/values/system_error.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

// UV_NAME for each error, and errorRows: [number, name, message, number, name, ...].
void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  std::vector<v8::Local<v8::Value>> rows;
  for (const runtime::SystemErrorRow& row : runtime::system_error_rows()) {
    runtime::set(isolate, target, std::string("UV_") + row.name, row.number);
    rows.push_back(v8::Integer::New(isolate, row.number));
    rows.push_back(runtime::literal(isolate, row.name));
    rows.push_back(runtime::literal(isolate, row.words));
  }
  runtime::set(isolate, target, "errorRows",
               v8::Array::New(isolate, rows.data(), rows.size()).As<v8::Value>());
}

}  // namespace

extern const runtime::Binding errors;
const runtime::Binding errors{"uv", {}, add_constants};

}  // namespace rondo::bindings
