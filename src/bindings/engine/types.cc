// internalBinding('types'): the engine's type of a value, which no property can forge.
#include "runtime/values/binding.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using Test = bool (v8::Value::*)() const;

// The numbers are those of lib/internal/util/inspect/kinds.js.
enum class Kind : int32_t {
  plain = 0,
  proxy = 1,
  array = 2,
  function = 3,
  date = 4,
  reg_exp = 5,
  error = 6,
  map = 7,
  set = 8,
  map_iterator = 9,
  set_iterator = 10,
  typed_array = 11,
  array_buffer = 12,
  shared_array_buffer = 13,
  data_view = 14,
  promise = 15,
  weak_map = 16,
  weak_set = 17,
  module_namespace = 18,
  boxed_primitive = 19,
  arguments = 20,
  external = 21,
  generator = 22,
};

// Proxies first: a proxy is a function, too, if its target is one.
constexpr struct {
  Test is;
  Kind kind;
} kKinds[] = {
    {&v8::Value::IsProxy, Kind::proxy},
    {&v8::Value::IsArray, Kind::array},
    {&v8::Value::IsFunction, Kind::function},
    {&v8::Value::IsNativeError, Kind::error},
    {&v8::Value::IsTypedArray, Kind::typed_array},
    {&v8::Value::IsMap, Kind::map},
    {&v8::Value::IsSet, Kind::set},
    {&v8::Value::IsDate, Kind::date},
    {&v8::Value::IsPromise, Kind::promise},
    {&v8::Value::IsRegExp, Kind::reg_exp},
    {&v8::Value::IsArrayBuffer, Kind::array_buffer},
    {&v8::Value::IsMapIterator, Kind::map_iterator},
    {&v8::Value::IsSetIterator, Kind::set_iterator},
    {&v8::Value::IsSharedArrayBuffer, Kind::shared_array_buffer},
    {&v8::Value::IsDataView, Kind::data_view},
    {&v8::Value::IsWeakMap, Kind::weak_map},
    {&v8::Value::IsWeakSet, Kind::weak_set},
    {&v8::Value::IsModuleNamespaceObject, Kind::module_namespace},
    {&v8::Value::IsNumberObject, Kind::boxed_primitive},
    {&v8::Value::IsStringObject, Kind::boxed_primitive},
    {&v8::Value::IsBooleanObject, Kind::boxed_primitive},
    {&v8::Value::IsBigIntObject, Kind::boxed_primitive},
    {&v8::Value::IsSymbolObject, Kind::boxed_primitive},
    {&v8::Value::IsArgumentsObject, Kind::arguments},
    {&v8::Value::IsExternal, Kind::external},
    {&v8::Value::IsGeneratorObject, Kind::generator},
};

int32_t find_kind(const v8::Value& value) {
  for (const auto& [is, kind] : kKinds) {
    if ((value.*is)()) return static_cast<int32_t>(kind);
  }
  return static_cast<int32_t>(Kind::plain);
}

void kind_of(const Arguments& info) { info.GetReturnValue().Set(find_kind(**info[0])); }

// Optimised code calls the fast forms directly. None of these tests allocates or runs JavaScript.
int32_t fast_kind_of(v8::Local<v8::Object>, v8::Local<v8::Value> value) {
  return find_kind(**value);
}
const runtime::FastFunction kFastKindOf = runtime::make_fast(fast_kind_of);

template <Test... kIs>
void test(const Arguments& info) {
  const v8::Value& value = **info[0];
  info.GetReturnValue().Set(((value.*kIs)() || ...));
}

template <Test... kIs>
bool fast_test(v8::Local<v8::Object>, v8::Local<v8::Value> value) {
  return (((**value).*kIs)() || ...);
}

template <Test... kIs>
const runtime::FastFunction kFast = runtime::make_fast(fast_test<kIs...>);

template <Test... kIs>
constexpr runtime::Method method(const char* name) {
  return {name, test<kIs...>, &kFast<kIs...>};
}

using V = v8::Value;

const runtime::Method kMethods[] = {
    {"kindOf", kind_of, &kFastKindOf},
    method<&V::IsExternal>("isExternal"),
    method<&V::IsDate>("isDate"),
    method<&V::IsArgumentsObject>("isArgumentsObject"),
    method<&V::IsBigIntObject>("isBigIntObject"),
    method<&V::IsBooleanObject>("isBooleanObject"),
    method<&V::IsNumberObject>("isNumberObject"),
    method<&V::IsStringObject>("isStringObject"),
    method<&V::IsSymbolObject>("isSymbolObject"),
    method<&V::IsNativeError>("isNativeError"),
    method<&V::IsRegExp>("isRegExp"),
    method<&V::IsAsyncFunction>("isAsyncFunction"),
    method<&V::IsGeneratorFunction>("isGeneratorFunction"),
    method<&V::IsGeneratorObject>("isGeneratorObject"),
    method<&V::IsPromise>("isPromise"),
    method<&V::IsMap>("isMap"),
    method<&V::IsSet>("isSet"),
    method<&V::IsMapIterator>("isMapIterator"),
    method<&V::IsSetIterator>("isSetIterator"),
    method<&V::IsWeakMap>("isWeakMap"),
    method<&V::IsWeakSet>("isWeakSet"),
    method<&V::IsArrayBuffer>("isArrayBuffer"),
    method<&V::IsDataView>("isDataView"),
    method<&V::IsSharedArrayBuffer>("isSharedArrayBuffer"),
    method<&V::IsProxy>("isProxy"),
    method<&V::IsModuleNamespaceObject>("isModuleNamespaceObject"),
    method<&V::IsArrayBuffer, &V::IsSharedArrayBuffer>("isAnyArrayBuffer"),
    method<&V::IsNumberObject, &V::IsStringObject, &V::IsBooleanObject, &V::IsBigIntObject,
           &V::IsSymbolObject>("isBoxedPrimitive"),
};

}  // namespace

extern const runtime::Binding types;
const runtime::Binding types{"types", kMethods};

}  // namespace rondo::bindings
