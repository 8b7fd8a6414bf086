#include "runtime/values/contract.h"

#include <string>

namespace rondo::runtime {

namespace {

v8::Local<v8::Object> make_object(v8::Isolate* isolate) {
  return v8::Object::New(isolate, v8::Null(isolate), nullptr, nullptr, 0);
}

}  // namespace

void set_constants(v8::Isolate* isolate, v8::Local<v8::Object> target,
                   std::span<const Constant> table) {
  for (const Constant& row : table) set(isolate, target, row.name, row.value);
}

void set_constants(v8::Isolate* isolate, v8::Local<v8::Object> target, std::string_view name,
                   std::span<const Constant> table) {
  const v8::Local<v8::Object> object = make_object(isolate);
  set_constants(isolate, object, table);
  set(isolate, target, name, object.As<v8::Value>());
}

void set_texts(v8::Isolate* isolate, v8::Local<v8::Object> target, std::string_view name,
               std::span<const char* const> texts) {
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  const v8::Local<v8::Array> list = v8::Array::New(isolate, static_cast<int>(texts.size()));
  uint32_t index = 0;
  for (const char* const text : texts) {
    list->CreateDataProperty(context, index++, literal(isolate, text)).Check();
  }
  set(isolate, target, name, list.As<v8::Value>());
}

bool take_functions(v8::Isolate* isolate, v8::Local<v8::Value> functions,
                    std::span<const Constant> names,
                    void (*take)(void* context, size_t number, v8::Local<v8::Function> function),
                    void* context) {
  const auto fail = [isolate](const std::string& condition) {
    throw_misuse(isolate, condition.c_str(), __FILE__, __LINE__);
    return false;
  };
  if (!functions->IsObject()) return fail("functions is an object");
  const v8::Local<v8::Object> object = functions.As<v8::Object>();
  const v8::Local<v8::Context> current = isolate->GetCurrentContext();
  v8::Local<v8::Array> keys;
  if (!object->GetOwnPropertyNames(current).ToLocal(&keys)) return false;
  if (keys->Length() != names.size()) return fail("functions has all hooks and nothing else");
  for (const Constant& row : names) {
    v8::Local<v8::Value> value;
    if (!object->Get(current, literal(isolate, row.name)).ToLocal(&value)) return false;
    if (!value->IsFunction()) return fail(std::string("functions.") + row.name + " is a function");
    take(context, static_cast<size_t>(row.value), value.As<v8::Function>());
  }
  return true;
}

}  // namespace rondo::runtime
