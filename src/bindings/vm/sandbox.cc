#include "bindings/vm/sandbox.h"

#include <optional>
#include <vector>

#include "runtime/engine/contexts.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Contexts;
using v8::Intercepted;
using v8::Local;
using v8::PropertyAttribute;

// The two objects that hold the global variables of a context: the program's sandbox has priority,
// the real global object has the built-in functions.
struct Globals {
  Local<v8::Context> context;
  Local<v8::Object> sandbox;
  Local<v8::Object> real;
};

// Empty while V8 creates the context: the properties that it defines belong to the real object.
template <class T>
std::optional<Globals> globals_of(const v8::PropertyCallbackInfo<T>& info) {
  Local<v8::Context> context;
  if (!info.HolderV2()->GetCreationContext(info.GetIsolate()).ToLocal(&context) ||
      !Contexts::has(context)) {
    return std::nullopt;
  }
  return Globals{context, Contexts::sandbox(context).template As<v8::Object>(), context->Global()};
}

std::optional<PropertyAttribute> real_attributes(const Globals& globals, Local<v8::Object> object,
                                                 Local<v8::Name> name) {
  const v8::Maybe<PropertyAttribute> found =
      object->GetRealNamedPropertyAttributes(globals.context, name);
  if (found.IsNothing()) return std::nullopt;
  return found.FromJust();
}

bool has(std::optional<PropertyAttribute> attributes, PropertyAttribute wanted) {
  return attributes && (*attributes & wanted) != 0;
}

Intercepted query(Local<v8::Name> name, const v8::PropertyCallbackInfo<v8::Integer>& info) {
  const std::optional<Globals> globals = globals_of(info);
  if (!globals) return Intercepted::kNo;
  bool is_own = false;
  if (!globals->sandbox->HasOwnProperty(globals->context, name).To(&is_own)) {
    return Intercepted::kNo;
  }
  PropertyAttribute attributes = v8::None;
  if (is_own) {
    if (!globals->sandbox->GetPropertyAttributes(globals->context, name).To(&attributes)) {
      return Intercepted::kNo;
    }
  } else {
    if (!globals->real->HasRealNamedProperty(globals->context, name).FromMaybe(false) ||
        !globals->real->GetRealNamedPropertyAttributes(globals->context, name).To(&attributes)) {
      return Intercepted::kNo;
    }
  }
  info.GetReturnValue().Set(static_cast<int32_t>(attributes));
  return Intercepted::kYes;
}

Intercepted get(Local<v8::Name> name, const v8::PropertyCallbackInfo<v8::Value>& info) {
  const std::optional<Globals> globals = globals_of(info);
  if (!globals) return Intercepted::kNo;
  v8::TryCatch caught(info.GetIsolate());
  Local<v8::Value> value;
  if (!globals->sandbox->GetRealNamedProperty(globals->context, name).ToLocal(&value) &&
      !globals->real->GetRealNamedProperty(globals->context, name).ToLocal(&value)) {
    if (caught.HasCaught() && !caught.HasTerminated()) caught.ReThrow();
    return Intercepted::kNo;
  }
  if (caught.HasCaught() && !caught.HasTerminated()) caught.ReThrow();
  // A program that stores the sandbox in itself gets the global object of the context.
  if (value == globals->sandbox) value = globals->real;
  info.GetReturnValue().Set(value);
  return Intercepted::kYes;
}

// True if the sandbox has its own accessor of this name, which has handled the assignment.
bool has_own_accessor(v8::Isolate* isolate, const Globals& globals, Local<v8::Name> name) {
  Local<v8::Value> found;
  if (!globals.sandbox->GetOwnPropertyDescriptor(globals.context, name).ToLocal(&found) ||
      !found->IsObject()) {
    return false;
  }
  const Local<v8::Object> descriptor = found.As<v8::Object>();
  return descriptor->HasOwnProperty(globals.context, runtime::literal(isolate, "get"))
             .FromMaybe(false) ||
         descriptor->HasOwnProperty(globals.context, runtime::literal(isolate, "set"))
             .FromMaybe(false);
}

// Sets the variable on the sandbox. V8 then also sets it on the real object, unless kYes is
// returned: the real object must have it so that declarations in later scripts find it.
Intercepted set(Local<v8::Name> name, Local<v8::Value> value,
                const v8::PropertyCallbackInfo<void>& info) {
  const std::optional<Globals> globals = globals_of(info);
  if (!globals) return Intercepted::kNo;
  const auto on_real = real_attributes(*globals, globals->real, name);
  const auto on_sandbox = real_attributes(*globals, globals->sandbox, name);
  if (has(on_real, v8::ReadOnly) || has(on_sandbox, v8::ReadOnly)) return Intercepted::kNo;
  if (!on_real && !on_sandbox && name->IsSymbol()) return Intercepted::kNo;
  if (globals->sandbox->Set(globals->context, name, value).IsNothing()) return Intercepted::kNo;
  if (on_sandbox && has_own_accessor(info.GetIsolate(), *globals, name)) return Intercepted::kYes;
  return Intercepted::kNo;
}

Intercepted describe(Local<v8::Name> name, const v8::PropertyCallbackInfo<v8::Value>& info) {
  const std::optional<Globals> globals = globals_of(info);
  if (!globals) return Intercepted::kNo;
  Local<v8::Value> descriptor;
  if (!globals->sandbox->HasOwnProperty(globals->context, name).FromMaybe(false) ||
      !globals->sandbox->GetOwnPropertyDescriptor(globals->context, name).ToLocal(&descriptor)) {
    return Intercepted::kNo;
  }
  info.GetReturnValue().Set(descriptor);
  return Intercepted::kYes;
}

bool define_on(const Globals& globals, Local<v8::Name> name, v8::PropertyDescriptor& copy,
               const v8::PropertyDescriptor& original) {
  if (original.has_enumerable()) copy.set_enumerable(original.enumerable());
  if (original.has_configurable()) copy.set_configurable(original.configurable());
  return globals.sandbox->DefineProperty(globals.context, name, copy).FromMaybe(false);
}

Intercepted define(Local<v8::Name> name, const v8::PropertyDescriptor& descriptor,
                   const v8::PropertyCallbackInfo<void>& info) {
  const std::optional<Globals> globals = globals_of(info);
  if (!globals) return Intercepted::kNo;
  // A fixed property, such as undefined or NaN, cannot be redefined on either object.
  const auto on_real = real_attributes(*globals, globals->real, name);
  if (has(on_real, v8::ReadOnly) && has(on_real, v8::DontDelete)) return Intercepted::kNo;
  bool is_defined = false;
  if (descriptor.has_get() || descriptor.has_set()) {
    const Local<v8::Value> none = v8::Undefined(info.GetIsolate());
    v8::PropertyDescriptor copy(descriptor.has_get() ? descriptor.get() : none,
                                descriptor.has_set() ? descriptor.set() : none);
    is_defined = define_on(*globals, name, copy, descriptor);
  } else if (descriptor.has_value() && descriptor.has_writable()) {
    v8::PropertyDescriptor copy(descriptor.value(), descriptor.writable());
    is_defined = define_on(*globals, name, copy, descriptor);
  } else if (descriptor.has_value()) {
    v8::PropertyDescriptor copy(descriptor.value());
    is_defined = define_on(*globals, name, copy, descriptor);
  } else {
    v8::PropertyDescriptor copy;
    is_defined = define_on(*globals, name, copy, descriptor);
  }
  return is_defined ? Intercepted::kYes : Intercepted::kNo;
}

// Deletes from the sandbox, and V8 from the real object, unless the sandbox refuses.
template <class Key>
Intercepted remove_key(Key key, const v8::PropertyCallbackInfo<v8::Boolean>& info) {
  const std::optional<Globals> globals = globals_of(info);
  if (!globals || globals->sandbox->Delete(globals->context, key).FromMaybe(false)) {
    return Intercepted::kNo;
  }
  info.GetReturnValue().Set(false);
  return Intercepted::kYes;
}

Intercepted remove(Local<v8::Name> name, const v8::PropertyCallbackInfo<v8::Boolean>& info) {
  return remove_key(name, info);
}

void list_names(const v8::PropertyCallbackInfo<v8::Array>& info) {
  const std::optional<Globals> globals = globals_of(info);
  if (!globals) return;
  Local<v8::Array> names;
  if (globals->sandbox
          ->GetPropertyNames(globals->context, v8::KeyCollectionMode::kOwnOnly, v8::ALL_PROPERTIES,
                             v8::IndexFilter::kSkipIndices)
          .ToLocal(&names)) {
    info.GetReturnValue().Set(names);
  }
}

void list_indexes(const v8::PropertyCallbackInfo<v8::Array>& info) {
  const std::optional<Globals> globals = globals_of(info);
  if (!globals) return;
  Local<v8::Array> names;
  if (!globals->sandbox
           ->GetPropertyNames(globals->context, v8::KeyCollectionMode::kOwnOnly, v8::SKIP_SYMBOLS,
                              v8::IndexFilter::kIncludeIndices)
           .ToLocal(&names)) {
    return;
  }
  std::vector<Local<v8::Value>> indexes;
  for (uint32_t i = 0; i < names->Length(); ++i) {
    Local<v8::Value> name;
    if (!names->Get(globals->context, i).ToLocal(&name)) return;
    if (name->IsNumber()) indexes.push_back(name);
  }
  info.GetReturnValue().Set(v8::Array::New(info.GetIsolate(), indexes.data(), indexes.size()));
}

// ---- Indexes: the same, under the index as a name.

template <class T>
Local<v8::Name> name_of(uint32_t index, const v8::PropertyCallbackInfo<T>& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  return v8::Integer::NewFromUnsigned(isolate, index)
      ->ToString(isolate->GetCurrentContext())
      .ToLocalChecked();
}

Intercepted query_index(uint32_t index, const v8::PropertyCallbackInfo<v8::Integer>& info) {
  return globals_of(info) ? query(name_of(index, info), info) : Intercepted::kNo;
}

Intercepted get_index(uint32_t index, const v8::PropertyCallbackInfo<v8::Value>& info) {
  return globals_of(info) ? get(name_of(index, info), info) : Intercepted::kNo;
}

Intercepted set_index(uint32_t index, Local<v8::Value> value,
                      const v8::PropertyCallbackInfo<void>& info) {
  return globals_of(info) ? set(name_of(index, info), value, info) : Intercepted::kNo;
}

Intercepted describe_index(uint32_t index, const v8::PropertyCallbackInfo<v8::Value>& info) {
  return globals_of(info) ? describe(name_of(index, info), info) : Intercepted::kNo;
}

Intercepted define_index(uint32_t index, const v8::PropertyDescriptor& descriptor,
                         const v8::PropertyCallbackInfo<void>& info) {
  return globals_of(info) ? define(name_of(index, info), descriptor, info) : Intercepted::kNo;
}

Intercepted remove_index(uint32_t index, const v8::PropertyCallbackInfo<v8::Boolean>& info) {
  return remove_key(index, info);
}

}  // namespace

v8::Local<v8::ObjectTemplate> sandboxed_global(v8::Isolate* isolate) {
  const Local<v8::ObjectTemplate> shape = v8::FunctionTemplate::New(isolate)->InstanceTemplate();
  const auto flags = static_cast<v8::PropertyHandlerFlags>(
      static_cast<int>(v8::PropertyHandlerFlags::kHasNoSideEffect) |
      static_cast<int>(v8::PropertyHandlerFlags::kHasDontDeleteProperty));
  shape->SetHandler(v8::NamedPropertyHandlerConfiguration(get, set, query, remove, list_names,
                                                          define, describe, {}, flags));
  shape->SetHandler(v8::IndexedPropertyHandlerConfiguration(
      get_index, set_index, query_index, remove_index, list_indexes, define_index, describe_index,
      {}, flags));
  return shape;
}

}  // namespace rondo::bindings
