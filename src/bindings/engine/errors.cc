// internalBinding('errno'): the names, numbers and messages of system errors.
#include <cerrno>
#include <cstring>

#include "base/result.h"
#include "runtime/values/binding.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;

// Linux has no errors above this one.
constexpr int kLast = 133;

// errname(errno): "ENOENT" for -2; "Unknown system error N" if it has no name.
void error_name(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[0]->IsInt32());
  const int number = info[0].As<v8::Int32>()->Value();
  std::string name = Error{-number, ""}.name();
  if (name == "UNKNOWN") name = "Unknown system error " + std::to_string(number);
  info.GetReturnValue().Set(runtime::to_js(isolate, name).ToLocalChecked());
}

// entries(): [[number, name, message]...] of all errors, negative as in Node.
void entries(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  const v8::Local<v8::Array> list = v8::Array::New(isolate);
  uint32_t count = 0;
  for (int number = 1; number <= kLast; ++number) {
    const std::string name = Error{number, ""}.name();
    if (name == "UNKNOWN") continue;
    std::string text = Error{number, ""}.message();  // ": no such file or directory (ENOENT)"
    const size_t start = text.find_first_not_of(": ");
    const size_t end = text.rfind(" (");
    text = text.substr(start == std::string::npos ? 0 : start,
                       end == std::string::npos ? end : end - start);
    v8::Local<v8::Value> entry[] = {v8::Integer::New(isolate, -number),
                                    runtime::to_js(isolate, name).ToLocalChecked(),
                                    runtime::to_js(isolate, text).ToLocalChecked()};
    list->Set(context, count++, v8::Array::New(isolate, entry, std::size(entry))).Check();
  }
  info.GetReturnValue().Set(list);
}

constexpr runtime::Method kMethods[] = {
    {"errname", error_name},
    {"entries", entries},
};

}  // namespace

extern const runtime::Binding errors;
const runtime::Binding errors{"errno", kMethods};

}  // namespace rondo::bindings
