// internalBinding('vm_scripts'): scripts and functions that a program compiles with vm, and running
// scripts in a context.
#include <memory>
#include <vector>

#include "bindings/vm/code.h"
#include "bindings/vm/limits.h"
#include "runtime/control/report.h"
#include "runtime/engine/contexts.h"
#include "runtime/engine/module_table.h"
#include "runtime/values/binding.h"
#include "runtime/values/text.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::ModuleTable;
using runtime::Realm;

// The arguments with which all code begins: (source, filename, line, column, cachedData, produces
// a code cache, object of the context or undefined, import option).
struct Unit {
  v8::Local<v8::String> source;
  Origin origin;
  v8::ScriptCompiler::CachedData* cache;  // Owned by V8's Source.
  bool produces_cache;
  v8::Local<v8::Context> context;

  v8::ScriptCompiler::CompileOptions options() const {
    return cache == nullptr ? v8::ScriptCompiler::kNoCompileOptions
                            : v8::ScriptCompiler::kConsumeCodeCache;
  }
};
constexpr int kUnitArguments = 8;

bool is_unit(const Arguments& args) {
  return args[0]->IsString() && args[1]->IsString() && args[2]->IsInt32() && args[3]->IsInt32() &&
         (args[6]->IsUndefined() || !context_of(args.GetIsolate(), args[6]).IsEmpty()) &&
         args[7]->IsSymbol();
}

Unit unit_of(const Arguments& args) {
  v8::Isolate* const isolate = args.GetIsolate();
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  if (!args[6]->IsUndefined()) context = context_of(isolate, args[6]).ToLocalChecked();
  return {args[0].As<v8::String>(),
          {args[1], args[2].As<v8::Int32>()->Value(), args[3].As<v8::Int32>()->Value(), args[7]},
          cached_data(args[4]),
          args[5]->IsTrue(),
          context};
}

// [code, was the cache rejected, new code cache, source URL, source map URL], undefined where there
// is none.
v8::Local<v8::Array> answer(v8::Isolate* isolate, const Unit& unit,
                            const v8::ScriptCompiler::Source& source, v8::Local<v8::Value> code,
                            const v8::ScriptCompiler::CachedData* made,
                            v8::Local<v8::Value> source_url, v8::Local<v8::Value> map_url) {
  const v8::Local<v8::Value> none = v8::Undefined(isolate);
  v8::Local<v8::Value> parts[] = {code, none, none, source_url, map_url};
  if (unit.cache != nullptr) parts[1] = v8::Boolean::New(isolate, source.GetCachedData()->rejected);
  if (unit.produces_cache) parts[2] = to_buffer(isolate, made);
  return v8::Array::New(isolate, parts, std::size(parts));
}

// compileScript(...unit) => see answer(); the code is a box for the functions below.
void compile_script(const Arguments& args) {
  v8::Isolate* const isolate = args.GetIsolate();
  RONDO_EXPECT(args, is_unit(args));
  const Unit unit = unit_of(args);
  v8::ScriptCompiler::Source source(unit.source, make_origin(isolate, unit.origin), unit.cache);
  v8::Local<v8::UnboundScript> script;
  {
    const ModuleTable::Probe probe(isolate);
    v8::TryCatch caught(isolate);
    const v8::Context::Scope scope(unit.context);
    if (!v8::ScriptCompiler::CompileUnboundScript(isolate, &source, unit.options())
             .ToLocal(&script)) {
      if (caught.HasTerminated()) return;
      runtime::put_source_line_before_stack(isolate, caught);
      caught.ReThrow();
      return;
    }
  }
  std::unique_ptr<v8::ScriptCompiler::CachedData> made;
  if (unit.produces_cache) made.reset(v8::ScriptCompiler::CreateCodeCache(script));
  v8::Local<v8::Object> box;
  if (!CodeBox::make(isolate, CodeBox::Kind::script, script).ToLocal(&box)) return;
  args.GetReturnValue().Set(answer(isolate, unit, source, box, made.get(), script->GetSourceURL(),
                                   script->GetSourceMappingURL()));
}

// createCachedData(box) => ArrayBuffer
void create_cached_data(const Arguments& args) {
  RONDO_EXPECT(args, CodeBox::is(args[0], CodeBox::Kind::script));
  const std::unique_ptr<v8::ScriptCompiler::CachedData> made(
      v8::ScriptCompiler::CreateCodeCache(CodeBox::data(args[0]).As<v8::UnboundScript>()));
  args.GetReturnValue().Set(to_buffer(args.GetIsolate(), made.get()));
}

// runScript(box, object of the context or null, timeout in ms or -1, add the source line to errors,
// end on SIGINT) => the completion value
void run_script(const Arguments& args) {
  v8::Isolate* const isolate = args.GetIsolate();
  RONDO_EXPECT(args, CodeBox::is(args[0], CodeBox::Kind::script));
  RONDO_EXPECT(args, args[2]->IsNumber());
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  v8::MicrotaskQueue* queue = nullptr;
  if (!args[1]->IsNull()) {
    RONDO_EXPECT(args, context_of(isolate, args[1]).ToLocal(&context));
    queue = runtime::Contexts::own_queue(context);
  }
  const auto timeout = static_cast<int64_t>(args[2].As<v8::Number>()->Value());
  const v8::Context::Scope scope(context);
  v8::TryCatch caught(isolate);
  const v8::Local<v8::Script> script =
      CodeBox::data(args[0]).As<v8::UnboundScript>()->BindToCurrentContext();
  ExecutionLimits limits(Realm::of(isolate), timeout, args[4]->IsTrue());
  if (!limits.start()) {
    runtime::throw_error(isolate, Error{EAGAIN, "pthread_create"});
    caught.ReThrow();
    return;
  }
  v8::MaybeLocal<v8::Value> result = script->Run(context);
  if (!result.IsEmpty() && queue != nullptr) queue->PerformCheckpoint(isolate);
  const ExecutionLimits::Outcome outcome = limits.stop();
  const bool is_limited = outcome != ExecutionLimits::Outcome::none;
  if (is_limited) limits.throw_reached(outcome);
  if (caught.HasCaught()) {
    if (!is_limited && args[3]->IsTrue()) runtime::put_source_line_before_stack(isolate, caught);
    if (!caught.HasTerminated()) caught.ReThrow();
    return;
  }
  v8::Local<v8::Value> value;
  if (result.ToLocal(&value)) args.GetReturnValue().Set(value);
}

template <class T>
bool read_list(v8::Isolate* isolate, v8::Local<v8::Value> list, std::vector<v8::Local<T>>* out) {
  if (!list->IsArray()) return true;
  const v8::Local<v8::Array> array = list.As<v8::Array>();
  for (uint32_t i = 0; i < array->Length(); ++i) {
    v8::Local<v8::Value> item;
    if (!array->Get(isolate->GetCurrentContext(), i).ToLocal(&item)) return false;
    out->push_back(item.As<T>());
  }
  return true;
}

// compileFunction(...unit, objects whose properties are in scope, names of parameters) => see
// answer(); the code is the function. lib has checked the types of the items.
void compile_function(const Arguments& args) {
  v8::Isolate* const isolate = args.GetIsolate();
  RONDO_EXPECT(args, is_unit(args));
  std::vector<v8::Local<v8::Object>> extensions;
  std::vector<v8::Local<v8::String>> parameters;
  if (!read_list(isolate, args[kUnitArguments], &extensions) ||
      !read_list(isolate, args[kUnitArguments + 1], &parameters)) {
    return;
  }
  const Unit unit = unit_of(args);
  v8::ScriptCompiler::Source source(unit.source, make_origin(isolate, unit.origin), unit.cache);
  v8::Local<v8::Function> function;
  {
    v8::TryCatch caught(isolate);
    const v8::Context::Scope scope(unit.context);
    if (!v8::ScriptCompiler::CompileFunction(unit.context, &source, parameters.size(),
                                             parameters.data(), extensions.size(),
                                             extensions.data(), unit.options())
             .ToLocal(&function)) {
      if (caught.HasTerminated()) return;
      if (!caught.HasCaught()) {  // A parameter's name is not an identifier.
        isolate->ThrowException(
            v8::Exception::SyntaxError(runtime::literal(isolate, "Invalid parameter name")));
      }
      runtime::put_source_line_before_stack(isolate, caught);
      caught.ReThrow();
      return;
    }
  }
  std::unique_ptr<v8::ScriptCompiler::CachedData> made;
  if (unit.produces_cache) made.reset(v8::ScriptCompiler::CreateCodeCacheForFunction(function));
  const v8::ScriptOrigin origin = function->GetScriptOrigin();
  args.GetReturnValue().Set(answer(isolate, unit, source, function, made.get(),
                                   origin.ResourceName(), origin.SourceMapUrl()));
}

constexpr runtime::Method kMethods[] = {
    {"compileScript", compile_script},
    {"createCachedData", create_cached_data},
    {"runScript", run_script},
    {"compileFunction", compile_function},
};

}  // namespace

extern const runtime::Binding vm_scripts;
const runtime::Binding vm_scripts{"vm_scripts", kMethods};

}  // namespace rondo::bindings
