#include "runtime/engine/builtins.h"

#include <algorithm>

#include "runtime/values/values.h"

namespace rondo::runtime {

namespace {

constexpr const char* kParameters[] = {"exports",         "require",     "module",
                                       "internalBinding", "primordials", "process"};

// Functions of these files run at every start, but not while the snapshot is made, so they are
// compiled explicitly into it. `rondo --log-function-events` lists functions that are still
// compiled at start.
constexpr std::string_view kStartFiles[] = {
    "internal/async_hooks",       "internal/bootstrap/start", "internal/main/run_main",
    "internal/modules/run_main",  "internal/options",         "internal/process/env",
    "internal/process/execution", "internal/process/exit",    "internal/process/pre_execution",
    "internal/process/warnings",  "internal/util/debuglog",
};

v8::ScriptCompiler::CompileOptions options_for(const PackedFile& file) {
  if (!file.cache.empty()) return v8::ScriptCompiler::kConsumeCodeCache;
  const bool is_start =
      std::find(std::begin(kStartFiles), std::end(kStartFiles), file.id) != std::end(kStartFiles);
  return is_start ? v8::ScriptCompiler::kEagerCompile : v8::ScriptCompiler::kNoCompileOptions;
}

constexpr uint32_t kIsolateSlot = 1;  // Realm has slot 0.

const Package& package_of(v8::Isolate* isolate) {
  return *static_cast<const Package*>(isolate->GetData(kIsolateSlot));
}

v8::MaybeLocal<v8::String> text_of(v8::Isolate* isolate, const Package& package, size_t number) {
  if (SourceText* const outside = package.texts[number].get()) {
    return v8::String::NewExternalOneByte(isolate, outside);
  }
  return to_js(isolate, package.files[number].text);
}

}  // namespace

void Builtins::attach(v8::Isolate* isolate, const Package& package) {
  isolate->SetData(kIsolateSlot, const_cast<Package*>(&package));
}

v8::MaybeLocal<v8::Function> Builtins::compile(v8::Isolate* isolate, v8::Local<v8::Context> context,
                                               size_t number) {
  const Package& package = package_of(isolate);
  const PackedFile& file = package.files[number];
  v8::Local<v8::String> text;
  if (!text_of(isolate, package, number).ToLocal(&text)) return {};
  const v8::ScriptOrigin origin(to_js(isolate, "node:" + std::string(file.id)).ToLocalChecked());
  // V8 frees the CachedData object, not the bytes. V8 ignores a cache that does not match, for
  // example because the program has other flags.
  auto* const cache = file.cache.empty() ? nullptr
                                         : new v8::ScriptCompiler::CachedData(
                                               reinterpret_cast<const uint8_t*>(file.cache.data()),
                                               static_cast<int>(file.cache.size()));
  v8::ScriptCompiler::Source source(text, origin, cache);
  v8::Local<v8::String> parameters[std::size(kParameters)];
  for (size_t i = 0; i < std::size(kParameters); ++i) {
    parameters[i] = literal(isolate, kParameters[i]);
  }
  return v8::ScriptCompiler::CompileFunction(context, &source, std::size(kParameters), parameters,
                                             0, nullptr, options_for(file));
}

namespace {

void compile_file(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  if (!info[0]->IsString()) return;
  const std::optional<size_t> number = package_of(isolate).find(to_std(isolate, info[0]));
  v8::Local<v8::Function> function;
  if (number &&
      Builtins::compile(isolate, isolate->GetCurrentContext(), *number).ToLocal(&function)) {
    info.GetReturnValue().Set(function);
  }
}

}  // namespace

v8::Local<v8::Function> Builtins::compile_function(v8::Isolate* isolate,
                                                   v8::Local<v8::Context> context) {
  return v8::FunctionTemplate::New(isolate, compile_file, {}, {}, 1,
                                   v8::ConstructorBehavior::kThrow)
      ->GetFunction(context)
      .ToLocalChecked();
}

intptr_t Builtins::reference() { return reinterpret_cast<intptr_t>(compile_file); }

}  // namespace rondo::runtime
