// internalBinding('async_context'): the value that V8 propagates through promise reactions, and
// V8's promise hooks for async_hooks.createHook().
#include "runtime/engine/async_tracking.h"
#include "runtime/engine/contexts.h"
#include "runtime/engine/realm.h"
#include "runtime/values/binding.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;

void get_frame(const Arguments& info) {
  info.GetReturnValue().Set(
      info.GetIsolate()->GetContinuationPreservedEmbedderDataV2().As<v8::Value>());
}

void set_frame(const Arguments& info) {
  info.GetIsolate()->SetContinuationPreservedEmbedderDataV2(info[0]);
}

// setTopFrame(value): the frame for calls from native code; once.
void set_top_frame(const Arguments& info) {
  runtime::Realm::of(info.GetIsolate()).set_top_frame(info[0]);
}

// setHooked(boolean): whether callbacks must be reported to hooks of the program.
void set_hooked(const Arguments& info) {
  runtime::Realm::of(info.GetIsolate()).state<runtime::AsyncTracking>().has_hooks =
      info[0]->IsTrue();
}

v8::Local<v8::Function> function_or_none(v8::Local<v8::Value> value) {
  return value->IsFunction() ? value.As<v8::Function>() : v8::Local<v8::Function>();
}

// setPromiseHooks(init, before, after, resolve): undefined for unused ones.
void set_promise_hooks(const Arguments& info) {
  runtime::Realm::of(info.GetIsolate())
      .state<runtime::Contexts>()
      .set_promise_hooks({function_or_none(info[0]), function_or_none(info[1]),
                          function_or_none(info[2]), function_or_none(info[3])});
}

constexpr runtime::Method kMethods[] = {
    {"getFrame", get_frame},
    {"setFrame", set_frame},
    {"setTopFrame", set_top_frame},
    {"setHooked", set_hooked},
    {"setPromiseHooks", set_promise_hooks},
};

}  // namespace

extern const runtime::Binding async_context;
const runtime::Binding async_context{"async_context", kMethods};

}  // namespace rondo::bindings
