// internalBinding('types'): the engine's type of a value, which no property can forge.
#include "runtime/values/binding.h"
#include "runtime/values/contract.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using Test = bool (v8::Value::*)() const;

enum class Kind : int32_t {
  plain,
  proxy,
  array,
  function,
  date,
  reg_exp,
  error,
  map,
  set,
  map_iterator,
  set_iterator,
  typed_array,
  array_buffer,
  shared_array_buffer,
  data_view,
  promise,
  weak_map,
  weak_set,
  module_namespace,
  boxed_primitive,
  arguments,
  external,
  generator,
  count,
};

constexpr runtime::Constant kKindNames[] = {
    {"kPlain", Kind::plain},
    {"kProxy", Kind::proxy},
    {"kArray", Kind::array},
    {"kFunction", Kind::function},
    {"kDate", Kind::date},
    {"kRegExp", Kind::reg_exp},
    {"kError", Kind::error},
    {"kMap", Kind::map},
    {"kSet", Kind::set},
    {"kMapIterator", Kind::map_iterator},
    {"kSetIterator", Kind::set_iterator},
    {"kTypedArray", Kind::typed_array},
    {"kArrayBuffer", Kind::array_buffer},
    {"kSharedArrayBuffer", Kind::shared_array_buffer},
    {"kDataView", Kind::data_view},
    {"kPromise", Kind::promise},
    {"kWeakMap", Kind::weak_map},
    {"kWeakSet", Kind::weak_set},
    {"kModuleNamespace", Kind::module_namespace},
    {"kBoxedPrimitive", Kind::boxed_primitive},
    {"kArguments", Kind::arguments},
    {"kExternal", Kind::external},
    {"kGenerator", Kind::generator},
};
static_assert(runtime::names_all(kKindNames, Kind::count));

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

void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  runtime::set_constants(isolate, target, "kinds", kKindNames);
}

}  // namespace

extern const runtime::Binding types;
const runtime::Binding types{"types", kMethods, add_constants};

}  // namespace rondo::bindings
