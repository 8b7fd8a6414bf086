#include "runtime/values/values.h"

namespace rondo::runtime {

v8::MaybeLocal<v8::String> to_js(v8::Isolate* isolate, std::string_view text) {
  if (text.size() > static_cast<size_t>(v8::String::kMaxLength)) return {};
  return v8::String::NewFromUtf8(isolate, text.data(), v8::NewStringType::kNormal,
                                 static_cast<int>(text.size()));
}

std::string to_std(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  const v8::String::Utf8Value text(isolate, value);
  if (*text == nullptr) return {};  // toString() of the value threw.
  return {*text, static_cast<size_t>(text.length())};
}

void set(v8::Isolate* isolate, v8::Local<v8::Object> target, std::string_view name,
         v8::Local<v8::Value> value) {
  // Not Set(): a setter that a program has defined on Object.prototype must not run.
  target->CreateDataProperty(isolate->GetCurrentContext(), literal(isolate, name), value).Check();
}

void set(v8::Isolate* isolate, v8::Local<v8::Object> target, std::string_view name, double value) {
  set(isolate, target, name, v8::Number::New(isolate, value));
}

void set(v8::Isolate* isolate, v8::Local<v8::Object> target, std::string_view name,
         std::string_view value) {
  set(isolate, target, name, to_js(isolate, value).ToLocalChecked());
}

void throw_error(v8::Isolate* isolate, const Error& error) {
  const v8::Local<v8::Value> exception = v8::Exception::Error(
      to_js(isolate, std::string(error.name()) + ": " + error.message()).ToLocalChecked());
  const v8::Local<v8::Object> object = exception.As<v8::Object>();
  set(isolate, object, "errno", -error.code);
  set(isolate, object, "code", std::string_view(error.name()));
  set(isolate, object, "syscall", std::string_view(error.syscall));
  isolate->ThrowException(exception);
}

void throw_type_error(v8::Isolate* isolate, std::string_view message) {
  isolate->ThrowException(v8::Exception::TypeError(to_js(isolate, message).ToLocalChecked()));
}

void throw_misuse(v8::Isolate* isolate, const char* condition, const char* file, int line) {
  const std::string_view path(file);
  const size_t slash = path.find_last_of('/');
  std::string message = "A binding was misused: ";
  message.append(condition).append(" does not hold (");
  message.append(path.substr(slash == path.npos ? 0 : slash + 1));
  message.append(":").append(std::to_string(line)).append(")");
  const v8::Local<v8::Value> exception =
      v8::Exception::Error(to_js(isolate, message).ToLocalChecked());
  set(isolate, exception.As<v8::Object>(), "code", std::string_view("ERR_INTERNAL_ASSERTION"));
  isolate->ThrowException(exception);
}

}  // namespace rondo::runtime
