// V8's part of the two module systems of lib: functions compiled from the text of a file, and ES
// modules by number.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/control/report.h"
#include "runtime/engine/module_table.h"
#include "runtime/values/binding.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::literal;
using runtime::ModuleTable;
using runtime::Realm;
using runtime::throw_type_error;
using runtime::to_std;

// Errors that only a module's syntax causes when its text is read as a script.
constexpr std::array<std::string_view, 3> kSyntaxOfModules = {
    "Cannot use import statement outside a module",
    "Unexpected token 'export'",
    "Cannot use 'import.meta' outside a module",
};
// Errors that modules do not have, but that do not prove that the text is one: names that the
// CommonJS wrapper declares, and await outside of functions.
constexpr std::array<std::string_view, 7> kSyntaxOfScripts = {
    "Identifier '__filename' has already been declared",
    "Identifier '__dirname' has already been declared",
    "Identifier 'exports' has already been declared",
    "Identifier 'module' has already been declared",
    "Identifier 'require' has already been declared",
    "await is only valid in async functions and the top level bodies of modules",
    "missing ) after argument list",  // call(await 1)
};
// Among others `if (await 1)`, where await is parsed as a name.
constexpr std::string_view kUnexpected = "SyntaxError: Unexpected";

template <size_t kCount>
bool ends_with_one_of(const std::string& message,
                      const std::array<std::string_view, kCount>& endings) {
  for (const std::string_view ending : endings) {
    if (message.ends_with(ending)) return true;
  }
  return false;
}

bool compiles_as_module(v8::Isolate* isolate, v8::Local<v8::String> name,
                        v8::Local<v8::String> source) {
  const ModuleTable::Probe probe(isolate);
  const v8::TryCatch ignored(isolate);
  const v8::ScriptOrigin origin(name, 0, 0, false, -1, v8::Local<v8::Value>(), false, false,
                                /*is_module=*/true);
  v8::ScriptCompiler::Source unit(source, origin);
  return !v8::ScriptCompiler::CompileModule(isolate, &unit).IsEmpty();
}

// True if text that failed as a script was written as a module.
bool is_module_syntax(v8::Isolate* isolate, v8::Local<v8::String> name,
                      v8::Local<v8::String> source, v8::Local<v8::Message> message) {
  const std::string text = to_std(isolate, message->Get());
  if (ends_with_one_of(text, kSyntaxOfModules)) return true;
  const bool may_be_module =
      text.find(kUnexpected) != std::string::npos || ends_with_one_of(text, kSyntaxOfScripts);
  return may_be_module && compiles_as_module(isolate, name, source);
}

// The bytes of `data` in an entry of the compile cache, owned by V8; null if it has none.
v8::ScriptCompiler::CachedData* cached_data(v8::Isolate* isolate, v8::Local<v8::Value> entry) {
  v8::Local<v8::Value> data;
  if (!entry->IsObject() || !entry.As<v8::Object>()
                                 ->Get(isolate->GetCurrentContext(), literal(isolate, "data"))
                                 .ToLocal(&data)) {
    return nullptr;
  }
  if (!data->IsArrayBufferView() || data.As<v8::ArrayBufferView>()->ByteLength() == 0)
    return nullptr;
  const v8::Local<v8::ArrayBufferView> view = data.As<v8::ArrayBufferView>();
  auto* const bytes = new uint8_t[view->ByteLength()];
  view->CopyContents(bytes, view->ByteLength());
  return new v8::ScriptCompiler::CachedData(bytes, static_cast<int>(view->ByteLength()),
                                            v8::ScriptCompiler::CachedData::BufferOwned);
}

void set_rejected(v8::Isolate* isolate, v8::Local<v8::Value> entry, bool is_rejected) {
  runtime::set(isolate, entry.As<v8::Object>(), "isRejected",
               v8::Boolean::New(isolate, is_rejected));
}

// compileFunction(source, filename, may_be_module, entry) => the CommonJS function, or null if the
// text is a module and may be. The entry of the compile cache is optional; its `data` is used, and
// `isRejected` set.
void compile_function(const Arguments& args) {
  v8::Isolate* const isolate = args.GetIsolate();
  if (!args[0]->IsString() || !args[1]->IsString()) {
    return throw_type_error(isolate, "compileFunction takes a source and a file name");
  }
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  const v8::Local<v8::String> source = args[0].As<v8::String>();
  const v8::Local<v8::String> filename = args[1].As<v8::String>();
  v8::ScriptCompiler::CachedData* const cache = cached_data(isolate, args[3]);
  v8::ScriptCompiler::Source unit(source, v8::ScriptOrigin(filename), cache);
  v8::Local<v8::String> parameters[] = {literal(isolate, "exports"), literal(isolate, "require"),
                                        literal(isolate, "module"), literal(isolate, "__filename"),
                                        literal(isolate, "__dirname")};
  const ModuleTable::Probe probe(isolate);
  v8::TryCatch caught(isolate);
  v8::Local<v8::Function> function;
  if (v8::ScriptCompiler::CompileFunction(context, &unit, std::size(parameters), parameters, 0,
                                          nullptr,
                                          cache == nullptr ? v8::ScriptCompiler::kNoCompileOptions
                                                           : v8::ScriptCompiler::kConsumeCodeCache)
          .ToLocal(&function)) {
    if (cache != nullptr) set_rejected(isolate, args[3], unit.GetCachedData()->rejected);
    if (args[3]->IsObject()) runtime::mark_compiled_file(isolate, function);
    return args.GetReturnValue().Set(function);
  }
  if (!caught.CanContinue()) return;
  if (args[2]->IsTrue() && is_module_syntax(isolate, filename, source, caught.Message())) {
    return args.GetReturnValue().SetNull();
  }
  runtime::put_source_line_before_stack(isolate, caught);
  caught.ReThrow();
}

// hasModuleSyntax(source, filename) => true if text without a declared type is a module
void has_module_syntax(const Arguments& args) {
  v8::Isolate* const isolate = args.GetIsolate();
  if (!args[0]->IsString() || !args[1]->IsString()) {
    return throw_type_error(isolate, "hasModuleSyntax takes a source and a file name");
  }
  const v8::Local<v8::String> source = args[0].As<v8::String>();
  const v8::Local<v8::String> filename = args[1].As<v8::String>();
  v8::ScriptCompiler::Source unit(source, v8::ScriptOrigin(filename));
  v8::Local<v8::String> parameters[] = {literal(isolate, "exports"), literal(isolate, "require"),
                                        literal(isolate, "module"), literal(isolate, "__filename"),
                                        literal(isolate, "__dirname")};
  const ModuleTable::Probe probe(isolate);
  v8::TryCatch caught(isolate);
  const bool failed =
      v8::ScriptCompiler::CompileFunction(isolate->GetCurrentContext(), &unit,
                                          std::size(parameters), parameters, 0, nullptr)
          .IsEmpty();
  args.GetReturnValue().Set(failed && caught.CanContinue() &&
                            is_module_syntax(isolate, filename, source, caught.Message()));
}

// runScript(source, filename) => its completion value
void run_script(const Arguments& args) {
  v8::Isolate* const isolate = args.GetIsolate();
  if (!args[0]->IsString() || !args[1]->IsString()) {
    return throw_type_error(isolate, "runScript takes a source and a file name");
  }
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  v8::ScriptCompiler::Source unit(args[0].As<v8::String>(), v8::ScriptOrigin(args[1]));
  v8::Local<v8::Script> script;
  {
    v8::TryCatch caught(isolate);
    if (!v8::ScriptCompiler::Compile(context, &unit).ToLocal(&script)) {
      if (!caught.CanContinue()) return;
      runtime::put_source_line_before_stack(isolate, caught);
      caught.ReThrow();
      return;
    }
  }
  v8::Local<v8::Value> value;
  if (script->Run(context).ToLocal(&value)) args.GetReturnValue().Set(value);
}

// The table, and the number in the first argument; throws if it is invalid.
ModuleTable* table_of(const Arguments& args, uint32_t* id) {
  ModuleTable& table = Realm::of(args.GetIsolate()).state<ModuleTable>();
  if (args[0]->IsUint32()) *id = args[0].As<v8::Uint32>()->Value();
  if (args[0]->IsUint32() && table.has(*id)) return &table;
  throw_type_error(args.GetIsolate(), "there is no module with this number");
  return nullptr;
}

// compileModule(url, source, entry) => number; the entry is as for compileFunction()
void compile_module(const Arguments& args) {
  v8::Isolate* const isolate = args.GetIsolate();
  if (!args[0]->IsString() || !args[1]->IsString()) {
    return throw_type_error(isolate, "compileModule takes an address and a source");
  }
  ModuleTable& table = Realm::of(isolate).state<ModuleTable>();
  v8::ScriptCompiler::CachedData* const cache = cached_data(isolate, args[2]);
  bool is_rejected = false;
  const std::optional<uint32_t> id =
      table.compile(args[0].As<v8::String>(), args[1].As<v8::String>(), cache, &is_rejected);
  if (!id) return;
  if (cache != nullptr) set_rejected(isolate, args[2], is_rejected);
  args.GetReturnValue().Set(*id);
}

// createModule(url, names of exports, evaluate) => number
void create_module(const Arguments& args) {
  v8::Isolate* const isolate = args.GetIsolate();
  if (!args[0]->IsString() || !args[1]->IsArray() || !args[2]->IsFunction()) {
    return throw_type_error(isolate, "createModule takes an address, names and a function");
  }
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  const v8::Local<v8::Array> list = args[1].As<v8::Array>();
  std::vector<v8::Local<v8::String>> names;
  names.reserve(list->Length());
  for (uint32_t i = 0; i < list->Length(); ++i) {
    v8::Local<v8::Value> name;
    if (!list->Get(context, i).ToLocal(&name)) return;
    if (!name->IsString()) return throw_type_error(isolate, "names of exports are strings");
    names.push_back(name.As<v8::String>());
  }
  ModuleTable& table = Realm::of(isolate).state<ModuleTable>();
  args.GetReturnValue().Set(
      table.create(args[0].As<v8::String>(), names, args[2].As<v8::Function>()));
}

// requests(number) => as ModuleTable::requests()
void requests(const Arguments& args) {
  uint32_t id = 0;
  const ModuleTable* const table = table_of(args, &id);
  if (table == nullptr) return;
  args.GetReturnValue().Set(ModuleTable::requests(args.GetIsolate(), table->module(id)));
}

// link(number, numbers of the modules that its requests resolve to)
void link(const Arguments& args) {
  uint32_t id = 0;
  ModuleTable* const table = table_of(args, &id);
  if (table == nullptr) return;
  v8::Isolate* const isolate = args.GetIsolate();
  if (!args[1]->IsArray()) return throw_type_error(isolate, "link takes a list of numbers");
  const v8::Local<v8::Array> list = args[1].As<v8::Array>();
  std::vector<uint32_t> targets;
  targets.reserve(list->Length());
  for (uint32_t i = 0; i < list->Length(); ++i) {
    v8::Local<v8::Value> target;
    if (!list->Get(isolate->GetCurrentContext(), i).ToLocal(&target)) return;
    if (!target->IsUint32() || !table->has(target.As<v8::Uint32>()->Value())) {
      return throw_type_error(isolate, "a module can be linked only with modules");
    }
    targets.push_back(target.As<v8::Uint32>()->Value());
  }
  table->link(id, std::move(targets));
}

// setSource(number, object): the result of `import source` of the module.
void set_source(const Arguments& args) {
  uint32_t id = 0;
  ModuleTable* const table = table_of(args, &id);
  if (table == nullptr) return;
  if (!args[1]->IsObject()) {
    return throw_type_error(args.GetIsolate(), "setSource takes an object");
  }
  table->set_source(id, args[1].As<v8::Object>());
}

void instantiate(const Arguments& args) {
  uint32_t id = 0;
  ModuleTable* const table = table_of(args, &id);
  if (table == nullptr) return;
  v8::Isolate* const isolate = args.GetIsolate();
  v8::TryCatch caught(isolate);
  if (table->instantiate(id).IsJust() || !caught.CanContinue()) return;
  runtime::put_source_line_before_stack(isolate, caught, "");
  caught.ReThrow();
}

bool is_instantiated(v8::Local<v8::Module> module) {
  const v8::Module::Status status = module->GetStatus();
  return status != v8::Module::kUninstantiated && status != v8::Module::kInstantiating;
}

// evaluate(number) => promise
void evaluate(const Arguments& args) {
  uint32_t id = 0;
  const ModuleTable* const table = table_of(args, &id);
  if (table == nullptr) return;
  v8::Isolate* const isolate = args.GetIsolate();
  const v8::Local<v8::Module> module = table->module(id);
  if (!is_instantiated(module) || module->GetStatus() == v8::Module::kEvaluating) {
    return throw_type_error(isolate, "the module cannot be evaluated now");
  }
  v8::Local<v8::Value> promise;
  if (module->Evaluate(isolate->GetCurrentContext()).ToLocal(&promise)) {
    args.GetReturnValue().Set(promise);
  }
}

void namespace_of(const Arguments& args) {
  uint32_t id = 0;
  const ModuleTable* const table = table_of(args, &id);
  if (table == nullptr) return;
  const v8::Local<v8::Module> module = table->module(id);
  if (!is_instantiated(module)) {
    return throw_type_error(args.GetIsolate(), "the module is not instantiated");
  }
  args.GetReturnValue().Set(module->GetModuleNamespace());
}

void status(const Arguments& args) {
  uint32_t id = 0;
  const ModuleTable* const table = table_of(args, &id);
  if (table != nullptr) {
    args.GetReturnValue().Set(static_cast<int32_t>(table->module(id)->GetStatus()));
  }
}

void error(const Arguments& args) {
  uint32_t id = 0;
  const ModuleTable* const table = table_of(args, &id);
  if (table == nullptr) return;
  const v8::Local<v8::Module> module = table->module(id);
  if (module->GetStatus() != v8::Module::kErrored) return;
  runtime::keep_source_line(args.GetIsolate(), module->GetException());
  args.GetReturnValue().Set(module->GetException());
}

// True if the module, or one that it imports, has a top-level await.
void is_async(const Arguments& args) {
  uint32_t id = 0;
  const ModuleTable* const table = table_of(args, &id);
  if (table == nullptr) return;
  const v8::Local<v8::Module> module = table->module(id);
  args.GetReturnValue().Set(is_instantiated(module) && module->IsGraphAsync());
}

// hasAwait(number) => true if the module itself, not only a dependency, has a top-level await.
void has_await(const Arguments& args) {
  uint32_t id = 0;
  const ModuleTable* const table = table_of(args, &id);
  if (table == nullptr) return;
  const v8::Local<v8::Module> module = table->module(id);
  args.GetReturnValue().Set(module->IsSourceTextModule() && module->HasTopLevelAwait());
}

// stalledAwaits(number) => the source lines at which modules of the graph still wait.
void stalled_awaits(const Arguments& args) {
  uint32_t id = 0;
  const ModuleTable* const table = table_of(args, &id);
  if (table == nullptr) return;
  v8::Isolate* const isolate = args.GetIsolate();
  const v8::Local<v8::Module> module = table->module(id);
  std::vector<v8::Local<v8::Value>> lines;
  if (module->IsSourceTextModule() && is_instantiated(module) &&
      module->GetStatus() != v8::Module::kErrored && module->IsGraphAsync()) {
    const auto [modules, messages] = module->GetStalledTopLevelAwaitMessages(isolate);
    for (const v8::Local<v8::Message> message : messages) {
      v8::Local<v8::String> line;
      if (!runtime::to_js(isolate, runtime::source_line(isolate, message)).ToLocal(&line)) return;
      lines.push_back(line);
    }
  }
  args.GetReturnValue().Set(v8::Array::New(isolate, lines.data(), lines.size()));
}

// textHasAwait(source) => the same for the text of a module, undefined if it does not compile.
void text_has_await(const Arguments& args) {
  v8::Isolate* const isolate = args.GetIsolate();
  if (!args[0]->IsString()) return throw_type_error(isolate, "textHasAwait takes a source");
  const ModuleTable::Probe probe(isolate);
  const v8::TryCatch ignored(isolate);
  const v8::ScriptOrigin origin(literal(isolate, "text"), 0, 0, false, -1, v8::Local<v8::Value>(),
                                false, false, /*is_module=*/true);
  v8::ScriptCompiler::Source unit(args[0].As<v8::String>(), origin);
  v8::Local<v8::Module> module;
  if (v8::ScriptCompiler::CompileModule(isolate, &unit).ToLocal(&module)) {
    args.GetReturnValue().Set(module->HasTopLevelAwait());
  }
}

// sourceMapURL(function of a file, or number of a module that has not run) => text or undefined
void source_map_url(const Arguments& args) {
  v8::Local<v8::Value> url;
  if (args[0]->IsFunction()) {
    url = args[0].As<v8::Function>()->GetScriptOrigin().SourceMapUrl();
  } else {
    uint32_t id = 0;
    const ModuleTable* const table = table_of(args, &id);
    if (table == nullptr) return;
    const v8::Local<v8::Module> module = table->module(id);
    if (!module->IsSourceTextModule() || module->GetStatus() >= v8::Module::kEvaluating) return;
    url = module->GetUnboundModuleScript()->GetSourceMappingURL();
  }
  if (!url.IsEmpty() && url->IsString()) args.GetReturnValue().Set(url);
}

// setExport(number, name, value), of modules without a source.
void set_export(const Arguments& args) {
  uint32_t id = 0;
  const ModuleTable* const table = table_of(args, &id);
  if (table == nullptr) return;
  v8::Isolate* const isolate = args.GetIsolate();
  const v8::Local<v8::Module> module = table->module(id);
  if (!module->IsSyntheticModule() || !args[1]->IsString()) {
    return throw_type_error(isolate, "only exports of modules without a source can be set");
  }
  [[maybe_unused]] const v8::Maybe<bool> done =
      module->SetSyntheticModuleExport(isolate, args[1].As<v8::String>(), args[2]);
}

// promiseState(promise) => [0 pending, 1 fulfilled, 2 rejected; the result]
void promise_state(const Arguments& args) {
  v8::Isolate* const isolate = args.GetIsolate();
  if (!args[0]->IsPromise()) return throw_type_error(isolate, "promiseState takes a promise");
  const v8::Local<v8::Promise> promise = args[0].As<v8::Promise>();
  const v8::Promise::PromiseState state = promise->State();
  v8::Local<v8::Value> pair[] = {v8::Integer::New(isolate, state), v8::Undefined(isolate)};
  if (state != v8::Promise::kPending) pair[1] = promise->Result();
  args.GetReturnValue().Set(v8::Array::New(isolate, pair, std::size(pair)));
}

void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  runtime::set(isolate, target, "kUninstantiated", double{v8::Module::kUninstantiated});
  runtime::set(isolate, target, "kInstantiating", double{v8::Module::kInstantiating});
  runtime::set(isolate, target, "kInstantiated", double{v8::Module::kInstantiated});
  runtime::set(isolate, target, "kEvaluating", double{v8::Module::kEvaluating});
  runtime::set(isolate, target, "kEvaluated", double{v8::Module::kEvaluated});
  runtime::set(isolate, target, "kErrored", double{v8::Module::kErrored});
}

constexpr runtime::Method kMethods[] = {
    {"compileFunction", compile_function},
    {"hasModuleSyntax", has_module_syntax},
    {"runScript", run_script},
    {"compileModule", compile_module},
    {"createModule", create_module},
    {"requests", requests},
    {"link", link},
    {"setSource", set_source},
    {"instantiate", instantiate},
    {"evaluate", evaluate},
    {"namespaceOf", namespace_of},
    {"status", status},
    {"error", error},
    {"isAsync", is_async},
    {"hasAwait", has_await},
    {"textHasAwait", text_has_await},
    {"stalledAwaits", stalled_awaits},
    {"sourceMapURL", source_map_url},
    {"setExport", set_export},
    {"promiseState", promise_state},
};

}  // namespace

extern const runtime::Binding modules;
const runtime::Binding modules{"modules", kMethods, add_constants};

}  // namespace rondo::bindings
