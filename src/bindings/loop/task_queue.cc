// internalBinding('task_queue'): microtasks, and the functions that lib passes to native code at
// start.
#include "runtime/engine/js_entry.h"
#include "runtime/values/binding.h"
#include "runtime/values/contract.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::FastCallOptions;
using runtime::Hook;
using runtime::JsEntry;
using runtime::Realm;

using runtime::Constant;
using runtime::Shared;

constexpr Constant kHooks[] = {
    {"processTicks", Hook::process_ticks},
    {"processTimers", Hook::process_timers},
    {"processImmediates", Hook::process_immediates},
    {"uncaughtException", Hook::uncaught_exception},
    {"promiseReject", Hook::promise_reject},
    {"compileWasm", Hook::compile_wasm},
    {"prepareStack", Hook::prepare_stack},
    {"emitBeforeExit", Hook::emit_before_exit},
    {"emitExit", Hook::emit_exit},
    {"importDynamically", Hook::import_dynamically},
    {"initImportMeta", Hook::init_import_meta},
    {"formatException", Hook::format_exception},
    {"onSignal", Hook::on_signal},
    {"emitWarning", Hook::emit_warning},
    {"describeLoop", Hook::describe_loop},
};
static_assert(runtime::names_all(kHooks, Hook::count));

constexpr Constant kSharedSlots[] = {
    {"kHasTicks", Shared::has_ticks},
    {"kHasRejections", Shared::has_rejections},
    {"kImmediates", Shared::immediates},
    {"kRefdImmediates", Shared::refd_immediates},
    {"kTicksPerPhase", Shared::ticks_per_phase},
    {"kDrains", Shared::drains},
    {"kCallbacks", Shared::callbacks},
    {"kHasLimit", Shared::has_limit},
    {"kHasEnded", Shared::has_ended},
    {"kWaitingQueues", Shared::waiting_queues},
};
static_assert(runtime::names_all(kSharedSlots, Shared::count));

// setHooks({name: function...}, Uint32Array, lastTick): the names are those of kHooks, the slots of
// the array those of kSharedSlots.
void set_hooks(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  Realm& realm = Realm::of(isolate);
  RONDO_EXPECT(info, info[1]->IsUint32Array());
  RONDO_EXPECT(info, info[2]->IsArray());
  const bool is_complete = runtime::take_functions(
      isolate, info[0], kHooks, [&realm](size_t number, v8::Local<v8::Function> function) {
        realm.set_hook(static_cast<Hook>(number), function);
      });
  if (!is_complete) return;
  realm.watchdog().watch_tick(info[2].As<v8::Array>());
  realm.set_shared(info[1].As<v8::Uint32Array>());
}

void run_microtasks(const Arguments& info) { info.GetIsolate()->PerformMicrotaskCheckpoint(); }

void enqueue(v8::Isolate* isolate, v8::Local<v8::Value> function) {
  if (!function->IsFunction()) [[unlikely]] {
    return runtime::throw_misuse(isolate, "function->IsFunction()", __FILE__, __LINE__);
  }
  // Isolate::EnqueueMicrotask() would look up the context of the function first, which is always
  // that of the realm.
  Realm::of(isolate).microtasks().EnqueueMicrotask(isolate, function.As<v8::Function>());
}

// enqueueMicrotask(function). Optimised code calls fast_enqueue() directly.
void enqueue_microtask(const Arguments& info) { enqueue(info.GetIsolate(), info[0]); }

void fast_enqueue(v8::Local<v8::Object>, v8::Local<v8::Value> function, FastCallOptions& options) {
  const v8::HandleScope scope(options.isolate);
  enqueue(options.isolate, function);
}
const runtime::FastFunction kFastEnqueue = runtime::make_fast(fast_enqueue);

// triggerUncaughtException(error, fromPromise)
void trigger_uncaught_exception(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const v8::Local<v8::Message> message = v8::Exception::CreateMessage(isolate, info[0]);
  JsEntry::uncaught(Realm::of(isolate), info[0], message, info[1]->IsTrue());
}

// setAbortOnUncaught(aborts): false while a handler catches all uncaught exceptions.
void set_abort_on_uncaught(const Arguments& info) {
  Realm::of(info.GetIsolate()).set_aborts_on_uncaught(info[0]->IsTrue());
}

// noteCallback(): a timer or immediate begins, for --blocked.
void note_callback(const Arguments& info) { Realm::of(info.GetIsolate()).watchdog().note_begin(); }

constexpr runtime::Method kMethods[] = {
    {"setHooks", set_hooks},
    {"runMicrotasks", run_microtasks},
    {"enqueueMicrotask", enqueue_microtask, &kFastEnqueue},
    {"noteCallback", note_callback},
    {"setAbortOnUncaught", set_abort_on_uncaught},
    {"triggerUncaughtException", trigger_uncaught_exception},
};

void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  runtime::set(isolate, target, "kPromiseRejectWithNoHandler", v8::kPromiseRejectWithNoHandler);
  runtime::set(isolate, target, "kPromiseHandlerAddedAfterReject",
               v8::kPromiseHandlerAddedAfterReject);
  runtime::set(isolate, target, "sharedLength", static_cast<double>(Shared::count));
  runtime::set_constants(isolate, target, "sharedSlots", kSharedSlots);
}

}  // namespace

extern const runtime::Binding task_queue;
const runtime::Binding task_queue{"task_queue", kMethods, add_constants};

}  // namespace rondo::bindings
