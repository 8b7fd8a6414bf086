// The contexts that the module vm creates in the isolate of a realm, besides the realm's own. A
// context lives as long as its global object, or a function of it, is referenced. Thread: the
// loop's only. Callers hold a HandleScope.
#pragma once

#include <array>
#include <memory>

#include "base/list.h"
#include "runtime/engine/realm.h"
#include "runtime/values/v8.h"

namespace rondo::runtime {

class Contexts {
 public:
  explicit Contexts(Realm& realm) : realm_(realm) {}
  ~Contexts();
  Contexts(const Contexts&) = delete;
  Contexts& operator=(const Contexts&) = delete;

  struct Options {
    // The object that holds the global variables; empty: the global object itself.
    v8::Local<v8::Object> sandbox;
    // Selects the handling of import() in code without an option of its own.
    v8::Local<v8::Symbol> import_option;
    bool allows_strings = true;                 // eval() and the constructor Function
    bool allows_wasm = true;                    //
    std::unique_ptr<v8::MicrotaskQueue> queue;  // Null: the context uses that of the realm.
  };
  // Registers a new context. Until then its sandbox() is empty.
  void add(v8::Local<v8::Context> context, Options options);

  static bool has(v8::Local<v8::Context> context) { return entry_of(context) != nullptr; }
  // These require has(context); sandbox() is undefined if the context has none.
  static v8::Local<v8::Value> sandbox(v8::Local<v8::Context> context);
  static v8::Local<v8::Value> import_option(v8::Local<v8::Context> context);
  // Null if the context uses the queue of the realm.
  static v8::MicrotaskQueue* own_queue(v8::Local<v8::Context> context);

  // Sets V8's promise hooks in the realm's context and in all others, including later ones.
  using PromiseHooks = std::array<v8::Local<v8::Function>, 4>;  // init, before, after, resolve
  void set_promise_hooks(const PromiseHooks& hooks);

 private:
  struct Entry {
    v8::Global<v8::Context> context;  // Weak.
    std::unique_ptr<v8::MicrotaskQueue> queue;
    bool allows_wasm;
    ListLink link;
  };
  static Entry* entry_of(v8::Local<v8::Context> context);

  Realm& realm_;
  bool has_hooks_ = false;
  std::array<v8::Global<v8::Function>, 4> hooks_;
  List<Entry, &Entry::link> entries_;
};

}  // namespace rondo::runtime
