#include "runtime/engine.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "runtime/js_entry.h"
#include "runtime/module_table.h"
#include "runtime/report.h"
#include "runtime/snapshot.h"
#include "runtime/values.h"

namespace rondo::runtime {

namespace {

// Rejections come from inside V8, in the middle of someone's JavaScript; lib only takes notes.
void on_promise_reject(v8::PromiseRejectMessage message) {
  v8::Isolate* const isolate = v8::Isolate::GetCurrent();
  if (!Realm::exists(isolate) || !Realm::of(isolate).has_hooks()) return;
  Realm& realm = Realm::of(isolate);
  if (realm.is_exiting()) return;
  v8::Local<v8::Value> value = message.GetValue();
  if (value.IsEmpty()) value = v8::Undefined(isolate);
  v8::Local<v8::Value> arguments[] = {v8::Integer::New(isolate, message.GetEvent()),
                                      message.GetPromise(), value};
  const v8::TryCatch ignored(isolate);  // Out of stack, at the worst.
  if (realm.hook(Hook::promise_reject)
          ->Call(realm.context(), v8::Undefined(isolate), 3, arguments)
          .IsEmpty()) {
    return;
  }
}

// Exceptions that leave a microtask: V8 goes on with the next one, and tells nobody else. All other
// calls into JavaScript are inside a TryCatch of JsEntry.
void on_message(v8::Local<v8::Message> message, v8::Local<v8::Value> exception) {
  v8::Isolate* const isolate = v8::Isolate::GetCurrent();
  if (!Realm::exists(isolate)) return;
  JsEntry::uncaught(Realm::of(isolate), exception, message, false);
}

v8::MaybeLocal<v8::Value> prepare_stack(v8::Local<v8::Context> context, v8::Local<v8::Value> error,
                                        v8::Local<v8::Array> frames) {
  v8::Isolate* const isolate = context->GetIsolate();
  if (!Realm::exists(isolate) || !Realm::of(isolate).has_hooks()) {
    return v8::String::Empty(isolate);
  }
  v8::Local<v8::Value> arguments[] = {error, frames};
  return Realm::of(isolate)
      .hook(Hook::prepare_stack)
      ->Call(context, v8::Undefined(isolate), 2, arguments);
}

// Bursts of timers, ticks and promises live just long enough to be copied twice by V8's default of
// 16 MB; with room for them a burst costs half (bench/RESULTS.md). Small machines keep the default.
size_t young_generation_limit() {
  constexpr size_t kMegabyte = size_t{1} << 20;
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page_size = ::sysconf(_SC_PAGESIZE);
  const size_t memory =
      pages > 0 && page_size > 0 ? static_cast<size_t>(pages) * static_cast<size_t>(page_size) : 0;
  const size_t semi_space = std::clamp(memory / 64, 16 * kMegabyte, 64 * kMegabyte);
  return 3 * semi_space;  // V8 counts both halves, and large objects as a third.
}

Package unpack_or_die(std::string_view packed) {
  std::optional<Package> package = unpack(packed);
  if (!package) fatal("the start-up snapshot is damaged; build it anew");
  return std::move(*package);
}

void on_fatal_error(const char* where, const char* what) {
  std::fprintf(stderr, "FATAL ERROR: %s %s\n", where == nullptr ? "" : where, what);
  std::fflush(stderr);
  std::abort();
}

}  // namespace

Engine::Engine(Platform& platform, Loop& loop, EngineOptions options)
    : platform_(platform),
      package_(unpack_or_die(options.snapshot)),
      references_(external_references(options.bindings, package_.texts)),
      blob_{package_.blob.data(), static_cast<int>(package_.blob.size())} {
  v8::Isolate::CreateParams params;
  params.array_buffer_allocator = &allocator_;
  params.snapshot_blob = &blob_;
  params.external_references = references_.data();
  params.constraints.set_max_young_generation_size_in_bytes(young_generation_limit());
  isolate_ = v8::Isolate::New(params);
  isolate_->SetMicrotasksPolicy(v8::MicrotasksPolicy::kExplicit);
  isolate_->SetFatalErrorHandler(on_fatal_error);
  isolate_->SetCaptureStackTraceForUncaughtExceptions(false);
  isolate_->Enter();
  const v8::HandleScope handles(isolate_);
  const v8::Local<v8::Context> context = v8::Context::FromSnapshot(isolate_, 0).ToLocalChecked();
  context->Enter();
  isolate_->InstallConditionalFeatures(context);  // Shared memory, which no snapshot holds.
  realm_ = std::make_unique<Realm>(isolate_, context, loop, std::move(options.realm));
  if (realm_->options().ticks_per_phase) {
    loop.on_phase_end([this] {
      const v8::HandleScope scope(isolate_);
      JsEntry::drain(*realm_);
    });
  }
  tasks_ = loop.make<Async>([this](Async&) { run_tasks(); });
  tasks_->unref();
  bell_ = {[](void* async) { static_cast<Async*>(async)->send(); }, tasks_.get()};
  platform_.set_bell(isolate_, &bell_);
  realm_->set_array_buffer_memory(&allocator_);
  isolate_->SetPromiseRejectCallback(on_promise_reject);
  isolate_->AddMessageListener(on_message);
  isolate_->SetPrepareStackTraceCallback(prepare_stack);
  ModuleTable::install_callbacks(isolate_);
}

Engine::~Engine() {
  platform_.set_bell(isolate_, nullptr);
  tasks_.reset();
  realm_->drop_states();
  // What the bindings owned closes in the loop, and may not call JavaScript any more.
  while (realm_->loop().run_nowait()) {
  }
  {
    const v8::HandleScope handles(isolate_);
    realm_->context()->Exit();
  }
  realm_.reset();
  isolate_->Exit();
  isolate_->Dispose();
}

int Engine::run(std::string_view mode) {
  const v8::HandleScope handles(isolate_);
  Realm& realm = *realm_;
  v8::Local<v8::Function> start;
  if (!realm.context()
           ->GetDataFromSnapshotOnce<v8::Function>(static_cast<size_t>(SnapshotData::start))
           .ToLocal(&start)) {
    fatal("the start-up snapshot does not belong to this program; build it anew");
  }
  JsEntry::call(realm, start, {literal(isolate_, mode)});
  spin();
  return realm.exit_code();
}

void Engine::run_tasks() {
  const v8::HandleScope handles(isolate_);
  platform_.run_tasks(isolate_);
  JsEntry::drain(*realm_);
}

void Engine::spin() {
  Realm& realm = *realm_;
  while (!realm.is_exiting()) {
    const v8::HandleScope handles(isolate_);
    realm.loop().run();
    // V8's own tasks can lead to more JavaScript (finalization callbacks).
    if (!realm.is_exiting() && platform_.run_tasks(isolate_)) {
      JsEntry::drain(realm);
      if (realm.loop().is_alive()) continue;
    }
    if (realm.is_exiting()) break;
    JsEntry::call(realm, Hook::emit_before_exit, {});
    if (!realm.is_exiting() && !realm.loop().is_alive()) break;
  }
  if (realm.is_exiting()) return;
  const v8::HandleScope handles(isolate_);
  v8::Local<v8::Value> code;
  if (JsEntry::call_undrained(realm, realm.hook(Hook::emit_exit), v8::Undefined(isolate_), {})
          .ToLocal(&code) &&
      code->IsInt32()) {
    realm.exit(code.As<v8::Int32>()->Value());
  }
}

}  // namespace rondo::runtime
