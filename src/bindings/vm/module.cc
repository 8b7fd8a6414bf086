// internalBinding('vm_modules'): ES modules that a program compiles and links with vm. In contrast
// to those of the module loader, in ModuleTable, they are freed when nothing refers to them.
#include <memory>
#include <string>
#include <unordered_map>
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
using runtime::ErrorClass;
using runtime::ModuleTable;
using runtime::Realm;
using runtime::throw_coded;
using runtime::to_std;

constexpr CodeBox::Kind kModule = CodeBox::Kind::module;

// Of a box: the identifier of the module.
constexpr CodeBox::Extra kName = CodeBox::Extra::name;
// Of a box: the list of boxes that the module's requests are linked to, or the function that
// evaluates a module without a source.
constexpr CodeBox::Extra kLinks = CodeBox::Extra::links;

// Finds the box of a module, for V8's callbacks.
class VmModules {
 public:
  explicit VmModules(Realm& realm) : realm_(realm) {
    realm.state<ModuleTable>().set_other_import_meta(init_import_meta);
  }
  ~VmModules() {
    for (const auto& [hash, entry] : by_hash_) delete entry;
  }
  VmModules(const VmModules&) = delete;
  VmModules& operator=(const VmModules&) = delete;

  static VmModules& of(v8::Isolate* isolate) { return Realm::of(isolate).state<VmModules>(); }

  void add(v8::Local<v8::Object> box) {
    const int hash = module_of(box)->GetIdentityHash();
    auto* const entry = new Entry{*this, {realm_.isolate(), box}, hash};
    by_hash_.emplace(hash, entry);
    entry->box.SetWeak(
        entry,
        [](const v8::WeakCallbackInfo<Entry>& info) {
          Entry* const dead = info.GetParameter();
          dead->box.Reset();
          dead->modules.remove(dead);
        },
        v8::WeakCallbackType::kParameter);
  }

  v8::MaybeLocal<v8::Object> box_of(v8::Local<v8::Module> module) const {
    const auto [first, last] = by_hash_.equal_range(module->GetIdentityHash());
    for (auto found = first; found != last; ++found) {
      const v8::Local<v8::Object> box = found->second->box.Get(realm_.isolate());
      if (module_of(box) == module) return box;
    }
    return {};
  }

  void set_meta_function(v8::Local<v8::Function> function) {
    init_meta_.Reset(realm_.isolate(), function);
  }

  static v8::Local<v8::Module> module_of(v8::Local<v8::Value> box) {
    return CodeBox::data(box).As<v8::Module>();
  }

 private:
  struct Entry {
    VmModules& modules;
    v8::Global<v8::Object> box;  // Weak.
    int hash;
  };

  void remove(Entry* entry) {
    const auto [first, last] = by_hash_.equal_range(entry->hash);
    for (auto found = first; found != last; ++found) {
      if (found->second != entry) continue;
      by_hash_.erase(found);
      break;
    }
    delete entry;
  }

  // An exception of the program's function is pending when this returns, and import.meta throws it.
  static void init_import_meta(v8::Local<v8::Context> context, v8::Local<v8::Module> module,
                               v8::Local<v8::Object> meta) {
    v8::Isolate* const isolate = v8::Isolate::GetCurrent();
    const VmModules& modules = of(isolate);
    v8::Local<v8::Object> box;
    if (!modules.box_of(module).ToLocal(&box)) return;
    v8::Local<v8::Value> arguments[] = {box, meta};
    [[maybe_unused]] const v8::MaybeLocal<v8::Value> result =
        modules.init_meta_.Get(isolate)->Call(context, v8::Undefined(isolate), 2, arguments);
  }

  Realm& realm_;
  v8::Global<v8::Function> init_meta_;
  std::unordered_multimap<int, Entry*> by_hash_;
};

v8::Local<v8::Module> module_of(const Arguments& args) { return VmModules::module_of(args[0]); }

// The context of the object, or the current one for undefined.
v8::Local<v8::Context> context_or_current(v8::Isolate* isolate, v8::Local<v8::Value> holder) {
  v8::Local<v8::Context> context;
  return context_of(isolate, holder).ToLocal(&context) ? context : isolate->GetCurrentContext();
}

v8::MaybeLocal<v8::Object> make_box(v8::Isolate* isolate, v8::Local<v8::Module> module,
                                    v8::Local<v8::Value> name) {
  v8::Local<v8::Object> box;
  if (!CodeBox::make(isolate, kModule, module).ToLocal(&box)) return {};
  CodeBox::set_extra(box, kName, name);
  VmModules::of(isolate).add(box);
  return box;
}

// compile(source, identifier, line, column, cachedData, object of the context, import option) =>
// box
void compile(const Arguments& args) {
  v8::Isolate* const isolate = args.GetIsolate();
  RONDO_EXPECT(args, args[0]->IsString() && args[1]->IsString());
  RONDO_EXPECT(args, args[2]->IsInt32() && args[3]->IsInt32() && args[6]->IsSymbol());
  const Origin origin{args[1], args[2].As<v8::Int32>()->Value(), args[3].As<v8::Int32>()->Value(),
                      args[6], true};
  v8::ScriptCompiler::CachedData* const cache = cached_data(args[4]);
  v8::ScriptCompiler::Source unit(args[0].As<v8::String>(), make_origin(isolate, origin), cache);
  v8::Local<v8::Module> module;
  {
    const ModuleTable::Probe probe(isolate);
    const v8::Context::Scope scope(context_or_current(isolate, args[5]));
    v8::TryCatch caught(isolate);
    if (!v8::ScriptCompiler::CompileModule(isolate, &unit,
                                           cache == nullptr ? v8::ScriptCompiler::kNoCompileOptions
                                                            : v8::ScriptCompiler::kConsumeCodeCache)
             .ToLocal(&module)) {
      if (!caught.HasTerminated()) caught.ReThrow();
      return;
    }
  }
  if (cache != nullptr && unit.GetCachedData()->rejected) {
    return throw_coded(isolate, ErrorClass::error, "ERR_VM_MODULE_CACHED_DATA_REJECTED",
                       "cachedData buffer was rejected");
  }
  v8::Local<v8::Object> box;
  if (make_box(isolate, module, args[1]).ToLocal(&box)) args.GetReturnValue().Set(box);
}

v8::MaybeLocal<v8::Value> evaluate_synthetic(v8::Local<v8::Context> context,
                                             v8::Local<v8::Module> module) {
  v8::Isolate* const isolate = v8::Isolate::GetCurrent();
  v8::Local<v8::Object> box;
  v8::Local<v8::Promise::Resolver> resolver;
  if (!VmModules::of(isolate).box_of(module).ToLocal(&box)) return {};
  const v8::Local<v8::Function> steps = CodeBox::extra(box, kLinks).As<v8::Function>();
  CodeBox::set_extra(box, kLinks, v8::Undefined(isolate));  // A module is evaluated once.
  if (steps->Call(context, v8::Undefined(isolate), 0, nullptr).IsEmpty() ||
      !v8::Promise::Resolver::New(context).ToLocal(&resolver) ||
      resolver->Resolve(context, v8::Undefined(isolate)).IsNothing()) {
    return {};
  }
  return resolver->GetPromise();
}

// createSynthetic(names of exports, identifier, evaluate, object of the context) => box
void create_synthetic(const Arguments& args) {
  v8::Isolate* const isolate = args.GetIsolate();
  RONDO_EXPECT(args, args[0]->IsArray() && args[1]->IsString() && args[2]->IsFunction());
  const v8::Local<v8::Array> list = args[0].As<v8::Array>();
  std::vector<v8::Local<v8::String>> names;
  for (uint32_t i = 0; i < list->Length(); ++i) {
    v8::Local<v8::Value> name;
    if (!list->Get(isolate->GetCurrentContext(), i).ToLocal(&name)) return;
    RONDO_EXPECT(args, name->IsString());
    names.push_back(name.As<v8::String>());
  }
  v8::Local<v8::Object> box;
  {
    const v8::Context::Scope scope(context_or_current(isolate, args[3]));
    const v8::Local<v8::Module> module = v8::Module::CreateSyntheticModule(
        isolate, args[1].As<v8::String>(), {names.data(), names.size()}, evaluate_synthetic);
    if (!make_box(isolate, module, args[1]).ToLocal(&box)) return;
  }
  CodeBox::set_extra(box, kLinks, args[2]);
  args.GetReturnValue().Set(box);
}

// requests(box) => as ModuleTable::requests()
void requests(const Arguments& args) {
  RONDO_EXPECT(args, CodeBox::is(args[0], kModule));
  args.GetReturnValue().Set(ModuleTable::requests(args.GetIsolate(), module_of(args)));
}

// link(box, boxes of the modules that its requests resolve to)
void link(const Arguments& args) {
  RONDO_EXPECT(args, CodeBox::is(args[0], kModule) && args[1]->IsArray());
  CodeBox::set_extra(args[0].As<v8::Object>(), kLinks, args[1]);
}

v8::MaybeLocal<v8::Module> resolve(v8::Local<v8::Context>, size_t request,
                                   v8::Local<v8::Module> referrer) {
  v8::Isolate* const isolate = v8::Isolate::GetCurrent();
  const v8::Local<v8::Context> current = isolate->GetCurrentContext();
  v8::Local<v8::Object> box;
  v8::Local<v8::Value> target;
  const auto index = static_cast<uint32_t>(request);
  if (VmModules::of(isolate).box_of(referrer).ToLocal(&box) &&
      CodeBox::extra(box, kLinks)->IsArray()) {
    const v8::Local<v8::Array> targets = CodeBox::extra(box, kLinks).As<v8::Array>();
    if (targets->Get(current, index).ToLocal(&target) && CodeBox::is(target, kModule)) {
      return VmModules::module_of(target);
    }
  }
  const v8::Local<v8::ModuleRequest> wanted =
      referrer->GetModuleRequests()->Get(static_cast<int>(index)).As<v8::ModuleRequest>();
  const std::string name = box.IsEmpty() ? "" : to_std(isolate, CodeBox::extra(box, kName));
  throw_coded(isolate, ErrorClass::error, "ERR_VM_MODULE_LINK_FAILURE",
              "request for '" + to_std(isolate, wanted->GetSpecifier()) +
                  "' can not be resolved on module '" + name + "' that is not linked");
  return {};
}

v8::MaybeLocal<v8::Object> resolve_source(v8::Local<v8::Context>, size_t, v8::Local<v8::Module>) {
  throw_coded(v8::Isolate::GetCurrent(), ErrorClass::error, "ERR_SOURCE_PHASE_NOT_DEFINED",
              "Source phase import object is not defined for modules of vm");
  return {};
}

// instantiate(box, object of the context)
void instantiate(const Arguments& args) {
  v8::Isolate* const isolate = args.GetIsolate();
  RONDO_EXPECT(args, CodeBox::is(args[0], kModule));
  [[maybe_unused]] const v8::Maybe<bool> done = module_of(args)->InstantiateModule(
      context_or_current(isolate, args[1]), resolve, resolve_source);
}

// A module in a context with its own queue returns a promise of the caller's context: handlers of a
// promise of that context would wait in a queue that nothing drains any more.
v8::MaybeLocal<v8::Value> settle_outside(v8::Isolate* isolate, v8::Local<v8::Value> inner,
                                         v8::MicrotaskQueue& queue) {
  const v8::Local<v8::Context> outside = isolate->GetCurrentContext();
  v8::Local<v8::Promise::Resolver> resolver;
  if (!v8::Promise::Resolver::New(outside).ToLocal(&resolver) ||
      resolver->Resolve(outside, inner).IsNothing()) {
    return {};
  }
  queue.PerformCheckpoint(isolate);
  return resolver->GetPromise();
}

// evaluate(box, object of the context, timeout in ms or -1, end on SIGINT) => promise
void evaluate(const Arguments& args) {
  v8::Isolate* const isolate = args.GetIsolate();
  RONDO_EXPECT(args, CodeBox::is(args[0], kModule) && args[2]->IsNumber());
  const v8::Local<v8::Context> context = context_or_current(isolate, args[1]);
  const auto timeout = static_cast<int64_t>(args[2].As<v8::Number>()->Value());
  v8::MicrotaskQueue* const queue =
      runtime::Contexts::has(context) ? runtime::Contexts::own_queue(context) : nullptr;
  v8::TryCatch caught(isolate);
  ExecutionLimits limits(Realm::of(isolate), timeout, args[3]->IsTrue());
  v8::MaybeLocal<v8::Value> result;
  if (limits.start()) {
    result = module_of(args)->Evaluate(context);
    v8::Local<v8::Value> promise;
    if (queue != nullptr && result.ToLocal(&promise)) {
      result = settle_outside(isolate, promise, *queue);
    }
    const ExecutionLimits::Outcome outcome = limits.stop();
    if (outcome != ExecutionLimits::Outcome::none) limits.throw_reached(outcome);
  } else {
    runtime::throw_error(isolate, Error{EAGAIN, "pthread_create"});
  }
  if (caught.HasCaught()) {
    if (!caught.HasTerminated()) caught.ReThrow();
    return;
  }
  v8::Local<v8::Value> promise;
  if (result.ToLocal(&promise)) args.GetReturnValue().Set(promise);
}

void status(const Arguments& args) {
  RONDO_EXPECT(args, CodeBox::is(args[0], kModule));
  args.GetReturnValue().Set(static_cast<int32_t>(module_of(args)->GetStatus()));
}

void error(const Arguments& args) {
  RONDO_EXPECT(args, CodeBox::is(args[0], kModule));
  RONDO_EXPECT(args, module_of(args)->GetStatus() == v8::Module::kErrored);
  args.GetReturnValue().Set(module_of(args)->GetException());
}

// The next two require an instantiated module.
void namespace_of(const Arguments& args) {
  RONDO_EXPECT(args, CodeBox::is(args[0], kModule));
  RONDO_EXPECT(args, module_of(args)->GetStatus() >= v8::Module::kInstantiated);
  args.GetReturnValue().Set(module_of(args)->GetModuleNamespace());
}

void is_graph_async(const Arguments& args) {
  RONDO_EXPECT(args, CodeBox::is(args[0], kModule));
  RONDO_EXPECT(args, module_of(args)->GetStatus() >= v8::Module::kInstantiated);
  args.GetReturnValue().Set(module_of(args)->IsGraphAsync());
}

void has_top_level_await(const Arguments& args) {
  RONDO_EXPECT(args, CodeBox::is(args[0], kModule) && module_of(args)->IsSourceTextModule());
  args.GetReturnValue().Set(module_of(args)->HasTopLevelAwait());
}

// createCachedData(box) => ArrayBuffer; the module has not been evaluated.
void create_cached_data(const Arguments& args) {
  RONDO_EXPECT(args, CodeBox::is(args[0], kModule) && module_of(args)->IsSourceTextModule());
  RONDO_EXPECT(args, module_of(args)->GetStatus() < v8::Module::kEvaluating);
  const std::unique_ptr<v8::ScriptCompiler::CachedData> made(
      v8::ScriptCompiler::CreateCodeCache(module_of(args)->GetUnboundModuleScript()));
  args.GetReturnValue().Set(to_buffer(args.GetIsolate(), made.get()));
}

// setExport(box, name, value), of modules without a source.
void set_export(const Arguments& args) {
  RONDO_EXPECT(args, CodeBox::is(args[0], kModule) && args[1]->IsString());
  RONDO_EXPECT(args, module_of(args)->IsSyntheticModule());
  [[maybe_unused]] const v8::Maybe<bool> done = module_of(args)->SetSyntheticModuleExport(
      args.GetIsolate(), args[1].As<v8::String>(), args[2]);
}

// setImportMeta(function (box, meta)): called when code of a module first uses import.meta.
void set_import_meta(const Arguments& args) {
  RONDO_EXPECT(args, args[0]->IsFunction());
  VmModules::of(args.GetIsolate()).set_meta_function(args[0].As<v8::Function>());
}

constexpr runtime::Method kMethods[] = {
    {"compile", compile},
    {"createSynthetic", create_synthetic},
    {"requests", requests},
    {"link", link},
    {"instantiate", instantiate},
    {"evaluate", evaluate},
    {"status", status},
    {"error", error},
    {"namespaceOf", namespace_of},
    {"isGraphAsync", is_graph_async},
    {"hasTopLevelAwait", has_top_level_await},
    {"createCachedData", create_cached_data},
    {"setExport", set_export},
    {"setImportMeta", set_import_meta},
};

}  // namespace

extern const runtime::Binding vm_modules;
const runtime::Binding vm_modules{"vm_modules", kMethods};

}  // namespace rondo::bindings
