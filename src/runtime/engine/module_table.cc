#include "runtime/engine/module_table.h"

#include <iterator>
#include <utility>

#include "runtime/engine/contexts.h"
#include "runtime/values/values.h"

namespace rondo::runtime {

namespace {

// V8 lists the attributes of import() as pairs of key and value.
constexpr int kStrideOfImport = 2;

v8::Local<v8::Private> compiled_file_key(v8::Isolate* isolate) {
  return v8::Private::ForApi(isolate, v8::String::NewFromUtf8Literal(isolate, "rondo:compiled"));
}

}  // namespace

void mark_compiled_file(v8::Isolate* isolate, v8::Local<v8::Function> function) {
  [[maybe_unused]] const v8::Maybe<bool> done = function->SetPrivate(
      isolate->GetCurrentContext(), compiled_file_key(isolate), v8::True(isolate));
}

bool is_compiled_file(v8::Isolate* isolate, v8::Local<v8::Function> function) {
  return function->HasPrivate(isolate->GetCurrentContext(), compiled_file_key(isolate))
      .FromMaybe(false);
}

void ModuleTable::install_callbacks(v8::Isolate* isolate) {
  isolate->SetHostImportModuleDynamicallyCallback(import_dynamically);
  isolate->SetHostImportModuleWithPhaseDynamicallyCallback(import_phase_dynamically);
  isolate->SetHostInitializeImportMetaObjectCallback(init_import_meta);
}

uint32_t ModuleTable::add(v8::Local<v8::Module> module) {
  const auto id = static_cast<uint32_t>(entries_.size());
  entries_.emplace_back();
  entries_.back().module.Reset(realm_.isolate(), module);
  by_hash_.emplace(module->GetIdentityHash(), id);
  return id;
}

uint32_t ModuleTable::id_of(v8::Local<v8::Module> module) const {
  const auto [first, last] = by_hash_.equal_range(module->GetIdentityHash());
  for (auto found = first; found != last; ++found) {
    if (entries_[found->second].module == module) return found->second;
  }
  return static_cast<uint32_t>(entries_.size());
}

std::optional<uint32_t> ModuleTable::compile(v8::Local<v8::String> url,
                                             v8::Local<v8::String> source,
                                             v8::ScriptCompiler::CachedData* cache,
                                             bool* is_rejected) {
  v8::Isolate* const isolate = realm_.isolate();
  const v8::ScriptOrigin origin(url, 0, 0, false, -1, v8::Local<v8::Value>(), false, false,
                                /*is_module=*/true);
  v8::ScriptCompiler::Source unit(source, origin, cache);
  const auto options = cache == nullptr ? v8::ScriptCompiler::kNoCompileOptions
                                        : v8::ScriptCompiler::kConsumeCodeCache;
  v8::Local<v8::Module> module;
  if (!v8::ScriptCompiler::CompileModule(isolate, &unit, options).ToLocal(&module)) {
    return std::nullopt;
  }
  if (cache != nullptr && is_rejected != nullptr) *is_rejected = unit.GetCachedData()->rejected;
  return add(module);
}

uint32_t ModuleTable::create(v8::Local<v8::String> url,
                             const std::vector<v8::Local<v8::String>>& names,
                             v8::Local<v8::Function> evaluate) {
  v8::Isolate* const isolate = realm_.isolate();
  const uint32_t id = add(v8::Module::CreateSyntheticModule(
      isolate, url, {names.data(), names.size()}, evaluate_synthetic));
  entries_[id].evaluate.Reset(isolate, evaluate);
  return id;
}

void ModuleTable::link(uint32_t id, std::vector<uint32_t> targets) {
  entries_[id].targets = std::move(targets);
}

v8::Maybe<bool> ModuleTable::instantiate(uint32_t id) {
  return module(id)->InstantiateModule(realm_.context(), resolve, resolve_source);
}

void ModuleTable::set_source(uint32_t id, v8::Local<v8::Object> source) {
  entries_[id].source.Reset(realm_.isolate(), source);
}

v8::Local<v8::Array> ModuleTable::requests(v8::Isolate* isolate, v8::Local<v8::Module> module) {
  const v8::Local<v8::FixedArray> list = module->GetModuleRequests();
  std::vector<v8::Local<v8::Value>> flat;
  flat.reserve(static_cast<size_t>(list->Length()) * 3);
  for (int i = 0; i < list->Length(); ++i) {
    const v8::Local<v8::ModuleRequest> request = list->Get(i).As<v8::ModuleRequest>();
    const v8::Local<v8::FixedArray> attributes = request->GetImportAttributes();
    std::vector<v8::Local<v8::Value>> pairs;
    for (int j = 0; j + 2 < attributes->Length(); j += 3) {  // Key, value and place.
      pairs.push_back(attributes->Get(j).As<v8::Value>());
      pairs.push_back(attributes->Get(j + 1).As<v8::Value>());
    }
    flat.push_back(request->GetSpecifier());
    flat.push_back(v8::Array::New(isolate, pairs.data(), pairs.size()));
    flat.push_back(
        v8::Boolean::New(isolate, request->GetPhase() == v8::ModuleImportPhase::kSource));
  }
  return v8::Array::New(isolate, flat.data(), flat.size());
}

uint32_t ModuleTable::target_of(v8::Local<v8::Module> referrer, size_t request) const {
  const uint32_t id = id_of(referrer);
  if (!has(id) || request >= entries_[id].targets.size()) {
    return static_cast<uint32_t>(entries_.size());
  }
  return entries_[id].targets[request];
}

v8::MaybeLocal<v8::Module> ModuleTable::resolve(v8::Local<v8::Context>, size_t request,
                                                v8::Local<v8::Module> referrer) {
  v8::Isolate* const isolate = v8::Isolate::GetCurrent();
  const ModuleTable& table = Realm::of(isolate).state<ModuleTable>();
  const uint32_t target = table.target_of(referrer, request);
  if (table.has(target)) return table.module(target);
  throw_type_error(isolate, "a module was to be instantiated before it was linked");
  return {};
}

v8::MaybeLocal<v8::Object> ModuleTable::resolve_source(v8::Local<v8::Context>, size_t request,
                                                       v8::Local<v8::Module> referrer) {
  v8::Isolate* const isolate = v8::Isolate::GetCurrent();
  const ModuleTable& table = Realm::of(isolate).state<ModuleTable>();
  const uint32_t target = table.target_of(referrer, request);
  if (table.has(target) && table.has_source(target)) return table.source(target);
  throw_type_error(isolate, "the module has no source object");
  return {};
}

v8::MaybeLocal<v8::Value> ModuleTable::evaluate_synthetic(v8::Local<v8::Context> context,
                                                          v8::Local<v8::Module> module) {
  v8::Isolate* const isolate = v8::Isolate::GetCurrent();
  ModuleTable& table = Realm::of(isolate).state<ModuleTable>();
  const uint32_t id = table.id_of(module);
  RONDO_ASSERT(table.has(id));
  // Removed first: the module is evaluated once, and then the objects that `evaluate` refers to can
  // be freed.
  const v8::Local<v8::Function> evaluate = table.entries_[id].evaluate.Get(isolate);
  table.entries_[id].evaluate.Reset();
  v8::Local<v8::Promise::Resolver> resolver;
  if (evaluate->Call(context, v8::Undefined(isolate), 0, nullptr).IsEmpty() ||
      !v8::Promise::Resolver::New(context).ToLocal(&resolver) ||
      resolver->Resolve(context, v8::Undefined(isolate)).IsNothing()) {
    return {};
  }
  return resolver->GetPromise();
}

v8::MaybeLocal<v8::Promise> ModuleTable::import_dynamically(v8::Local<v8::Context> context,
                                                            v8::Local<v8::Data> options,
                                                            v8::Local<v8::Value> referrer,
                                                            v8::Local<v8::String> specifier,
                                                            v8::Local<v8::FixedArray> attributes) {
  return call_import_hook(context, options, referrer, specifier, attributes, false);
}

v8::MaybeLocal<v8::Promise> ModuleTable::import_phase_dynamically(
    v8::Local<v8::Context> context, v8::Local<v8::Data> options, v8::Local<v8::Value> referrer,
    v8::Local<v8::String> specifier, v8::ModuleImportPhase phase,
    v8::Local<v8::FixedArray> attributes) {
  return call_import_hook(context, options, referrer, specifier, attributes,
                          phase == v8::ModuleImportPhase::kSource);
}

v8::MaybeLocal<v8::Promise> ModuleTable::call_import_hook(
    v8::Local<v8::Context> context, v8::Local<v8::Data> options, v8::Local<v8::Value> referrer,
    v8::Local<v8::String> specifier, v8::Local<v8::FixedArray> attributes, bool is_source) {
  v8::Isolate* const isolate = v8::Isolate::GetCurrent();
  Realm& realm = Realm::of(isolate);
  v8::EscapableHandleScope handles(isolate);
  std::vector<v8::Local<v8::Value>> pairs;
  for (int i = 0; i + 1 < attributes->Length(); i += kStrideOfImport) {
    pairs.push_back(attributes->Get(i).As<v8::Value>());
    pairs.push_back(attributes->Get(i + 1).As<v8::Value>());
  }
  // The option that the code was compiled with decides on the handling of its import().
  v8::Local<v8::Value> compiler = v8::Undefined(isolate);
  if (!options.IsEmpty() && options->IsFixedArray() && options.As<v8::FixedArray>()->Length() > 0) {
    compiler = options.As<v8::PrimitiveArray>()->Get(isolate, 0);
  } else if (Contexts::has(context)) {
    compiler = Contexts::import_option(context);
  }
  v8::Local<v8::Value> arguments[] = {specifier,
                                      referrer,
                                      v8::Array::New(isolate, pairs.data(), pairs.size()),
                                      compiler,
                                      v8::Boolean::New(isolate, is_source),
                                      v8::Boolean::New(isolate, Contexts::has(context))};
  v8::Local<v8::Value> result;
  if (!realm.hook(Hook::import_dynamically)
           ->Call(context, v8::Undefined(isolate), std::size(arguments), arguments)
           .ToLocal(&result)) {
    return {};
  }
  RONDO_ASSERT(result->IsPromise());
  if (!Contexts::has(context)) return handles.Escape(result.As<v8::Promise>());
  // lib's promise belongs to the realm's context.
  v8::Local<v8::Promise::Resolver> resolver;
  if (!v8::Promise::Resolver::New(context).ToLocal(&resolver) ||
      resolver->Resolve(context, result).IsNothing()) {
    return {};
  }
  return handles.Escape(resolver->GetPromise());
}

void ModuleTable::init_import_meta(v8::Local<v8::Context> context, v8::Local<v8::Module> module,
                                   v8::Local<v8::Object> meta) {
  v8::Isolate* const isolate = v8::Isolate::GetCurrent();
  Realm& realm = Realm::of(isolate);
  ModuleTable& table = realm.state<ModuleTable>();
  const uint32_t id = table.id_of(module);
  if (!table.has(id)) {
    if (table.init_other_meta_ != nullptr) table.init_other_meta_(context, module, meta);
    return;
  }
  v8::Local<v8::Value> arguments[] = {meta, v8::Integer::NewFromUnsigned(isolate, id)};
  // V8 cannot propagate an exception from here; lib's function throws only on stack overflow.
  const v8::TryCatch ignored(isolate);
  [[maybe_unused]] const v8::MaybeLocal<v8::Value> result =
      realm.hook(Hook::init_import_meta)->Call(context, v8::Undefined(isolate), 2, arguments);
}

}  // namespace rondo::runtime
