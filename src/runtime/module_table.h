// The ES modules of a realm, by number: lib keeps the numbers, and decides what a specifier means;
// this table keeps V8's modules and answers V8 when it links them.
// Modules live as long as their realm: lib's cache of them has no end either.
// Thread: the loop's only. Callers hold a HandleScope.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "runtime/realm.h"

namespace rondo::runtime {

class ModuleTable {
 public:
  explicit ModuleTable(Realm& realm) : realm_(realm) {}
  ModuleTable(const ModuleTable&) = delete;
  ModuleTable& operator=(const ModuleTable&) = delete;

  // V8 asks the table what import() and import.meta mean. Once per isolate.
  static void install_callbacks(v8::Isolate* isolate);

  // Empty if the source is no module; the exception is pending.
  std::optional<uint32_t> compile(v8::Local<v8::String> url, v8::Local<v8::String> source);
  // A module without a source: `evaluate` is called when its turn comes, and sets the exports.
  uint32_t create(v8::Local<v8::String> url, const std::vector<v8::Local<v8::String>>& names,
                  v8::Local<v8::Function> evaluate);

  bool has(uint32_t id) const { return id < entries_.size(); }
  v8::Local<v8::Module> module(uint32_t id) const {
    return entries_[id].module.Get(realm_.isolate());
  }
  // What the requests of the module lead to, in their order.
  void link(uint32_t id, std::vector<uint32_t> targets);
  v8::Maybe<bool> instantiate(uint32_t id);

 private:
  struct Entry {
    v8::Global<v8::Module> module;
    v8::Global<v8::Function> evaluate;  // Of modules without a source.
    std::vector<uint32_t> targets;
    size_t next = 0;  // Where the search for the next request begins: V8 asks in order.
  };

  static v8::MaybeLocal<v8::Module> resolve(v8::Local<v8::Context> context,
                                            v8::Local<v8::String> specifier,
                                            v8::Local<v8::FixedArray> assertions,
                                            v8::Local<v8::Module> referrer);
  static v8::MaybeLocal<v8::Value> evaluate_synthetic(v8::Local<v8::Context> context,
                                                      v8::Local<v8::Module> module);
  static v8::MaybeLocal<v8::Promise> import_dynamically(v8::Local<v8::Context> context,
                                                        v8::Local<v8::Data> options,
                                                        v8::Local<v8::Value> referrer,
                                                        v8::Local<v8::String> specifier,
                                                        v8::Local<v8::FixedArray> assertions);
  static void init_import_meta(v8::Local<v8::Context> context, v8::Local<v8::Module> module,
                               v8::Local<v8::Object> meta);

  uint32_t add(v8::Local<v8::Module> module);
  // The number of a module of this table, or the size of the table.
  uint32_t id_of(v8::Local<v8::Module> module) const;

  Realm& realm_;
  std::vector<Entry> entries_;
  std::unordered_multimap<int, uint32_t> by_hash_;
};

}  // namespace rondo::runtime
