// ModuleTable holds the ES modules of a realm by number: lib keeps the numbers and resolves
// specifiers; the table keeps V8's modules and implements V8's callbacks for linking. Modules live
// as long as their realm: lib's module cache never drops them either. Thread: the loop's only.
// Callers hold a HandleScope.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "runtime/engine/realm.h"

namespace rondo::runtime {

class ModuleTable {
 public:
  explicit ModuleTable(Realm& realm) : realm_(realm) {}
  ModuleTable(const ModuleTable&) = delete;
  ModuleTable& operator=(const ModuleTable&) = delete;

  // Installs V8's callbacks for import() and import.meta. Called once per isolate.
  static void install_callbacks(v8::Isolate* isolate);

  // Compiles a module. Empty if the source is not valid; the exception is pending. V8 takes
  // ownership of `cache`, which may be null, and reports whether it was rejected.
  std::optional<uint32_t> compile(v8::Local<v8::String> url, v8::Local<v8::String> source,
                                  v8::ScriptCompiler::CachedData* cache = nullptr,
                                  bool* is_rejected = nullptr);
  // Creates a module without a source: `evaluate` is called when it is evaluated, and sets the
  // exports.
  uint32_t create(v8::Local<v8::String> url, const std::vector<v8::Local<v8::String>>& names,
                  v8::Local<v8::Function> evaluate);

  // While a Probe exists, exceptions are part of detecting whether a text is a module:
  // --abort-on-uncaught-exception does not abort for them.
  class Probe {
   public:
    explicit Probe(v8::Isolate* isolate) {
      if (Realm::exists(isolate)) table_ = &Realm::of(isolate).state<ModuleTable>();
      if (table_ != nullptr) ++table_->probes_;
    }
    ~Probe() {
      if (table_ != nullptr) --table_->probes_;
    }
    Probe(const Probe&) = delete;
    Probe& operator=(const Probe&) = delete;

   private:
    ModuleTable* table_ = nullptr;  // Null while the snapshot is made.
  };

  bool is_probing() const { return probes_ > 0; }
  bool has(uint32_t id) const { return id < entries_.size(); }
  v8::Local<v8::Module> module(uint32_t id) const {
    return entries_[id].module.Get(realm_.isolate());
  }
  // Sets the modules that the module's requests resolve to, in the order of the requests.
  void link(uint32_t id, std::vector<uint32_t> targets);
  v8::Maybe<bool> instantiate(uint32_t id);
  // V8's requests of a module: [specifier, [key, value, ...], is `import source`, ...]
  static v8::Local<v8::Array> requests(v8::Isolate* isolate, v8::Local<v8::Module> module);
  // Sets the function for import.meta of modules that are not in the table.
  using InitImportMeta = void (*)(v8::Local<v8::Context>, v8::Local<v8::Module>,
                                  v8::Local<v8::Object>);
  void set_other_import_meta(InitImportMeta init) { init_other_meta_ = init; }
  // The object for `import source` of the module, such as a WebAssembly.Module.
  void set_source(uint32_t id, v8::Local<v8::Object> source);
  bool has_source(uint32_t id) const { return !entries_[id].source.IsEmpty(); }
  v8::Local<v8::Object> source(uint32_t id) const {
    return entries_[id].source.Get(realm_.isolate());
  }

 private:
  struct Entry {
    v8::Global<v8::Module> module;
    v8::Global<v8::Function> evaluate;  // For modules without a source.
    v8::Global<v8::Object> source;      // For `import source`; empty for most modules.
    std::vector<uint32_t> targets;      // In the order of the module's requests.
  };

  static v8::MaybeLocal<v8::Module> resolve(v8::Local<v8::Context> context, size_t request,
                                            v8::Local<v8::Module> referrer);
  static v8::MaybeLocal<v8::Object> resolve_source(v8::Local<v8::Context> context, size_t request,
                                                   v8::Local<v8::Module> referrer);
  static v8::MaybeLocal<v8::Value> evaluate_synthetic(v8::Local<v8::Context> context,
                                                      v8::Local<v8::Module> module);
  static v8::MaybeLocal<v8::Promise> import_dynamically(v8::Local<v8::Context> context,
                                                        v8::Local<v8::Data> options,
                                                        v8::Local<v8::Value> referrer,
                                                        v8::Local<v8::String> specifier,
                                                        v8::Local<v8::FixedArray> attributes);
  static v8::MaybeLocal<v8::Promise> import_phase_dynamically(v8::Local<v8::Context> context,
                                                              v8::Local<v8::Data> options,
                                                              v8::Local<v8::Value> referrer,
                                                              v8::Local<v8::String> specifier,
                                                              v8::ModuleImportPhase phase,
                                                              v8::Local<v8::FixedArray> attributes);
  static v8::MaybeLocal<v8::Promise> call_import_hook(
      v8::Local<v8::Context> context, v8::Local<v8::Data> options, v8::Local<v8::Value> referrer,
      v8::Local<v8::String> specifier, v8::Local<v8::FixedArray> attributes, bool is_source);
  // The module that a request of `referrer` was linked to, or the size of the table if there is
  // none.
  uint32_t target_of(v8::Local<v8::Module> referrer, size_t request) const;
  static void init_import_meta(v8::Local<v8::Context> context, v8::Local<v8::Module> module,
                               v8::Local<v8::Object> meta);

  uint32_t add(v8::Local<v8::Module> module);
  // The number of a module of this table, or the size of the table if there is none.
  uint32_t id_of(v8::Local<v8::Module> module) const;

  Realm& realm_;
  int probes_ = 0;
  InitImportMeta init_other_meta_ = nullptr;
  std::vector<Entry> entries_;
  std::unordered_multimap<int, uint32_t> by_hash_;
};

// Marks functions that V8 compiled from a whole file: only these have a code cache.
void mark_compiled_file(v8::Isolate* isolate, v8::Local<v8::Function> function);
bool is_compiled_file(v8::Isolate* isolate, v8::Local<v8::Function> function);

}  // namespace rondo::runtime
