// V8's code cache of user code, for the compile cache of lib: bytecode as bytes, and a hash to
// detect changed files.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "runtime/engine/module_table.h"
#include "runtime/values/binding.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::ModuleTable;
using runtime::Realm;
using runtime::throw_type_error;

// hash(text or view) => 16 hexadecimal digits
void hash(const Arguments& args) {
  v8::Isolate* const isolate = args.GetIsolate();
  Fnv1a sum;
  if (args[0]->IsString()) {
    const v8::String::Utf8Value text(isolate, args[0]);
    sum.add(std::string_view(*text, text.length()));
  } else if (args[0]->IsArrayBufferView()) {
    const v8::Local<v8::ArrayBufferView> view = args[0].As<v8::ArrayBufferView>();
    std::string bytes(view->ByteLength(), '\0');
    view->CopyContents(bytes.data(), bytes.size());
    sum.add(bytes);
  } else {
    return throw_type_error(isolate, "hash takes a text or a view");
  }
  std::array<char, 17> digits = {};
  std::snprintf(digits.data(), digits.size(), "%016llx",
                static_cast<unsigned long long>(sum.value()));
  args.GetReturnValue().Set(runtime::literal(isolate, {digits.data(), digits.size() - 1}));
}

// serialize(function of a file, or number of a module that has not run) => ArrayBuffer or undefined
void serialize(const Arguments& args) {
  v8::Isolate* const isolate = args.GetIsolate();
  std::unique_ptr<v8::ScriptCompiler::CachedData> data;
  if (args[0]->IsFunction()) {
    // V8 aborts for a function that was not made by compileFunction().
    const v8::Local<v8::Function> function = args[0].As<v8::Function>();
    if (!runtime::is_compiled_file(isolate, function)) {
      return throw_type_error(isolate, "serialize takes functions that compileFunction has made");
    }
    data.reset(v8::ScriptCompiler::CreateCodeCacheForFunction(function));
  } else {
    const ModuleTable& table = Realm::of(isolate).state<ModuleTable>();
    if (!args[0]->IsUint32() || !table.has(args[0].As<v8::Uint32>()->Value())) {
      return throw_type_error(isolate, "serialize takes a function or the number of a module");
    }
    const v8::Local<v8::Module> module = table.module(args[0].As<v8::Uint32>()->Value());
    if (!module->IsSourceTextModule() || module->GetStatus() >= v8::Module::kEvaluating) return;
    data.reset(v8::ScriptCompiler::CreateCodeCache(module->GetUnboundModuleScript()));
  }
  if (!data || data->length <= 0) return;
  const auto size = static_cast<size_t>(data->length);
  const v8::Local<v8::ArrayBuffer> buffer = v8::ArrayBuffer::New(isolate, size);
  std::memcpy(buffer->Data(), data->data, size);
  args.GetReturnValue().Set(buffer);
}

constexpr runtime::Method kMethods[] = {
    {"hash", hash},
    {"serialize", serialize},
};

}  // namespace

extern const runtime::Binding code_cache;
const runtime::Binding code_cache{"code_cache", kMethods};

}  // namespace rondo::bindings
