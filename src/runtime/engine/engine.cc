#include "runtime/engine/engine.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "loop/internals.h"
#include "loop/trace/file.h"
#include "runtime/control/report.h"
#include "runtime/control/resident_pages.h"
#include "runtime/engine/builtins.h"
#include "runtime/engine/contexts.h"
#include "runtime/engine/js_entry.h"
#include "runtime/engine/module_table.h"
#include "runtime/engine/snapshot.h"
#include "runtime/engine/wasm_stream.h"
#include "runtime/trace/monitor.h"
#include "runtime/values/values.h"
#include "runtime/values/wrap.h"

namespace rondo::runtime {

namespace {

// The id of the main script in traces and async_hooks.
constexpr double kMainScript = 1;
// In a trace, the stack of callbacks that take longer than this is sampled, unless --blocked sets a
// limit.
constexpr std::chrono::milliseconds kLong{100};
// The longest delay of a delayed task, in seconds: about a hundred years, which Nanos can
// represent.
constexpr double kLongestDelay = 3e9;

// V8 calls this in the middle of running JavaScript; lib only records the rejection.
void on_promise_reject(v8::PromiseRejectMessage message) {
  v8::Isolate* const isolate = v8::Isolate::GetCurrent();
  if (!Realm::exists(isolate) || !Realm::of(isolate).has_hooks()) return;
  Realm& realm = Realm::of(isolate);
  if (realm.is_exiting()) return;
  v8::Local<v8::Value> value = message.GetValue();
  if (value.IsEmpty()) value = v8::Undefined(isolate);
  v8::Local<v8::Value> arguments[] = {v8::Integer::New(isolate, message.GetEvent()),
                                      message.GetPromise(), value};
  const v8::TryCatch caught(isolate);
  const bool is_noted = !realm.hook(Hook::promise_reject)
                             ->Call(realm.context(), v8::Undefined(isolate), 3, arguments)
                             .IsEmpty();
  // Stack overflow: 'unhandledRejection' will not be emitted for this promise, so print the
  // rejection.
  if (!is_noted && caught.HasCaught() && !caught.HasTerminated()) {
    report_dropped_exception(isolate, "Exception in PromiseRejectCallback", caught.Message());
  }
}

// Reports exceptions that leave a microtask: V8 passes them only to this function and continues
// with the next microtask. All other calls into JavaScript are inside a TryCatch of JsEntry.
void on_message(v8::Local<v8::Message> message, v8::Local<v8::Value> exception) {
  v8::Isolate* const isolate = v8::Isolate::GetCurrent();
  if (!Realm::exists(isolate)) return;
  JsEntry::uncaught(Realm::of(isolate), exception, message, false);
}

v8::MaybeLocal<v8::Value> prepare_stack(v8::Local<v8::Context> context, v8::Local<v8::Value> error,
                                        v8::Local<v8::Array> frames) {
  v8::Isolate* const isolate = v8::Isolate::GetCurrent();
  if (!Realm::exists(isolate) || !Realm::of(isolate).has_hooks()) {
    return v8::String::Empty(isolate);
  }
  // Error.prepareStackTrace is that of the error's context.
  v8::Local<v8::Value> global = v8::Undefined(isolate);
  if (Contexts::has(context)) global = context->Global();
  v8::Local<v8::Value> arguments[] = {error, frames, global};
  // V8 expects a scheduled exception if this fails. Without a TryCatch here, the exception would be
  // caught by native code that reads error.stack, and V8 would abort.
  v8::TryCatch caught(isolate);
  const v8::MaybeLocal<v8::Value> stack = Realm::of(isolate)
                                              .hook(Hook::prepare_stack)
                                              ->Call(context, v8::Undefined(isolate), 3, arguments);
  if (caught.HasCaught() && !caught.HasTerminated()) caught.ReThrow();
  return stack;
}

// The limit of the young generation, up to four times V8's default of 16 MB. With the default,
// objects of bursts of timers, ticks and promises live just long enough to be copied twice; the
// larger limit halves the cost of a burst (bench/RESULTS.md). Small machines keep the default.
size_t young_generation_limit() {
  constexpr size_t kMegabyte = size_t{1} << 20;
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page_size = ::sysconf(_SC_PAGESIZE);
  const size_t memory =
      pages > 0 && page_size > 0 ? static_cast<size_t>(pages) * static_cast<size_t>(page_size) : 0;
  const size_t semi_space = std::clamp(memory / 64, 16 * kMegabyte, 64 * kMegabyte);
  return 3 * semi_space;  // V8 counts both halves, and large objects as a third.
}

// Twice V8's default. Each collection scans some 10,000 objects of the start-up snapshot, which
// took a quarter of the time of Buffer.toString('hex'). A larger value makes Buffer.from(string)
// slower (bench/RESULTS.md).
constexpr size_t kInitialYoungGeneration = size_t{3} * 2 * (size_t{1} << 20);

size_t to_bytes(double megabytes) { return static_cast<size_t>(megabytes * (1 << 20)); }

// Fills in the limits that V8 chose where none were set.
ResourceLimits fill_in(ResourceLimits limits, v8::Isolate* isolate,
                       const v8::ResourceConstraints& constraints) {
  constexpr double kMegabyte = 1 << 20;
  if (limits.young_mb <= 0) {
    limits.young_mb =
        static_cast<double>(constraints.max_young_generation_size_in_bytes()) / kMegabyte;
  }
  if (limits.old_mb <= 0) {
    v8::HeapStatistics heap;
    isolate->GetHeapStatistics(&heap);
    limits.old_mb = static_cast<double>(heap.heap_size_limit()) / kMegabyte - limits.young_mb;
  }
  return limits;
}

OpenSnapshot open_or_die(EngineOptions& options) {
  if (options.opened) return std::move(*options.opened);
  OpenSnapshot opened = open_snapshot(options.snapshot, options.bindings);
  if (!opened.problem.empty()) fatal((opened.problem + "; build it anew").c_str());
  return opened;
}

void on_fatal_error(const char* where, const char* what) {
  std::fprintf(stderr, "FATAL ERROR: %s %s\n", where == nullptr ? "" : where, what);
  std::fflush(stderr);
  std::abort();
}

}  // namespace

Engine::Engine(Platform& platform, Loop& loop, EngineOptions options)
    : platform_(platform),
      snapshot_(open_or_die(options)),
      blob_{snapshot_.package.blob.data(), static_cast<int>(snapshot_.package.blob.size())},
      trace_(options.realm.trace) {
  v8::Isolate::CreateParams params;
  params.array_buffer_allocator_shared = allocator_;
  params.snapshot_blob = &blob_;
  params.external_references = snapshot_.references.data();
  ResourceLimits& limits = options.limits;
  params.constraints.set_max_young_generation_size_in_bytes(
      limits.young_mb > 0 ? to_bytes(limits.young_mb) : young_generation_limit());
  if (limits.young_mb <= 0) {
    params.constraints.set_initial_young_generation_size_in_bytes(kInitialYoungGeneration);
  }
  if (limits.old_mb > 0) {
    params.constraints.set_max_old_generation_size_in_bytes(to_bytes(limits.old_mb));
  }
  if (limits.code_mb > 0) {
    params.constraints.set_code_range_size_in_bytes(to_bytes(limits.code_mb));
  }
  isolate_ = v8::Isolate::New(params);
  Builtins::attach(isolate_, snapshot_.package);
  if (options.stack_limit != 0) isolate_->SetStackLimit(options.stack_limit);
  isolate_->SetMicrotasksPolicy(v8::MicrotasksPolicy::kExplicit);
  isolate_->SetFatalErrorHandler(on_fatal_error);
  isolate_->SetCaptureStackTraceForUncaughtExceptions(false);
  isolate_->Enter();
  const v8::HandleScope handles(isolate_);
  WasmStream::install(isolate_);
  const v8::Local<v8::Context> context = v8::Context::FromSnapshot(isolate_, 0).ToLocalChecked();
  context->Enter();
  // E.g. shared memory, which a snapshot cannot contain.
  isolate_->InstallConditionalFeatures(context);
  realm_ = std::make_unique<Realm>(isolate_, context, loop, std::move(options.realm));
  realm_->set_commons(options.commons);
  realm_->set_limits(fill_in(limits, isolate_, params.constraints));
  Wrap::prepare(*realm_);
  if (realm_->options().ticks_per_phase) {
    loop.internals().on_phase_end([this] {
      const v8::HandleScope scope(isolate_);
      JsEntry::drain(*realm_);
    });
  }
  if (trace_ != nullptr) trace_->hide_new_handles(true);
  tasks_ = loop.make<Async>([this](Async&) { on_async(); });
  engine_tasks_ = loop.make<Idle>();
  threadsafe_calls_ = std::make_unique<ThreadsafeCalls>(loop, [this] {
    const v8::HandleScope inner(isolate_);
    JsEntry::drain(*realm_);
  });
  if (trace_ != nullptr) trace_->hide_new_handles(false);
  realm_->set_threadsafe_calls(threadsafe_calls_.get());
  tasks_->unref();
  tasks_->set_internal();
  engine_tasks_->unref();
  notifier_ = {[](void* engine, ForegroundTasks::Cause cause) {
                 static_cast<Engine*>(engine)->on_task_posted(cause);
               },
               this};
  platform_.tasks_of(isolate_)->set_notifier(&notifier_);
  queries_ = std::make_unique<LoopQuery>(*realm_, [this] { tasks_->send(); });
  if (options.metrics) {
    metrics_ = std::make_unique<MetricsServer>(*queries_, std::move(options.metrics));
  }
  if (options.has_control) {
    control_ = std::make_unique<Control>(*realm_, *queries_);
    realm_->watchdog().on_settled([this] { control_->open(); });
    realm_->watchdog().on_idle(release_file_pages);
  }
  realm_->set_array_buffer_memory(allocator_.get());
  isolate_->SetAbortOnUncaughtExceptionCallback([](v8::Isolate* isolate) {
    if (!Realm::exists(isolate)) return true;
    Realm& realm = Realm::of(isolate);
    // process.exit() unwinds JavaScript with a termination, which is not an exception of the
    // program. The creator of a worker handles the worker's exceptions.
    return realm.aborts_on_uncaught() && !realm.is_exiting() && !realm.is_worker() &&
           !isolate->IsExecutionTerminating() && !realm.state<ModuleTable>().is_probing();
  });
  isolate_->SetPromiseRejectCallback(on_promise_reject);
  isolate_->AddMessageListener(on_message);
  isolate_->SetPrepareStackTraceCallback(prepare_stack);
  ModuleTable::install_callbacks(isolate_);
}

Engine::~Engine() {
  monitor_.reset();
  close_control();
  platform_.tasks_of(isolate_)->set_notifier(nullptr);
  tasks_.reset();
  engine_tasks_.reset();
  threadsafe_calls_->close();
  delayed_.clear();
  realm_->drop_states();
  // Closes the handles of the bindings: their close callbacks run in the loop, but no longer call
  // JavaScript.
  while (realm_->loop().run_nowait()) {
  }
  {
    const v8::HandleScope handles(isolate_);
    realm_->context()->Exit();
  }
  realm_.reset();
  isolate_->Exit();
  platform_.forget(isolate_);
  isolate_->Dispose();
  platform_.forget(isolate_);  // Dispose() may have asked for its task runner again.
}

int Engine::run(std::string_view mode) {
  const v8::HandleScope handles(isolate_);
  Realm& realm = *realm_;
  v8::Local<v8::Function> start;
  if (!realm.context()
           ->GetDataFromSnapshotOnce<v8::Function>(static_cast<size_t>(SnapshotData::start))
           .ToLocal(&start)) {
    fatal("the start-up snapshot does not belong to this program; build it again");
  }
  if (trace_ != nullptr) {
    const std::chrono::milliseconds limit = realm.options().watchdog.limit;
    FlightRecorder* const flight = realm.commons() != nullptr ? realm.commons()->flight : nullptr;
    monitor_ =
        std::make_unique<TraceMonitor>(realm, *trace_, limit.count() > 0 ? limit : kLong, flight);
    trace_->begin(TraceCode::callback, 0, 0, kMainScript, 0);
  }
  JsEntry::call_undrained(realm, start, v8::Undefined(isolate_), {literal(isolate_, mode)});
  if (trace_ != nullptr) trace_->end(kMainScript);
  JsEntry::drain(realm);
  spin();
  if (trace_ != nullptr) {
    monitor_.reset();
    trace_->finish(realm.exit_code());
  }
  return realm.exit_code();
}

void Engine::stop(int code) {
  realm_->request_exit(code);
  tasks_->send();
}

void Engine::on_async() {
  if (is_waiting_) {
    is_waiting_ = false;
    tasks_->unref();
  }
  realm_->exit_if_requested();
  if (realm_->is_exiting()) return;
  const v8::HandleScope handles(isolate_);
  queries_->answer();
  run_tasks();
}

void Engine::on_task_posted(ForegroundTasks::Cause cause) {
  Loop& loop = realm_->loop();
  // A virtual clock and a Choice schedule Asyncs themselves.
  if (cause == ForegroundTasks::Cause::program || loop.internals().tracks_local_connections() ||
      !loop.internals().is_loop_thread()) {
    tasks_->send();
    return;
  }
  engine_tasks_->start([this](rondo::Hook& idle) {
    idle.stop();  // Stopped first, because a task may post another one.
    if (realm_->is_exiting()) return;
    const v8::HandleScope handles(isolate_);
    run_tasks(true);  // The program's tasks run in the poll phase.
  });
}

bool Engine::run_tasks(bool is_engine_only) {
  ForegroundTasks& tasks = *platform_.tasks_of(isolate_);
  std::vector<ForegroundTasks::Delayed> delayed = tasks.take_delayed(is_engine_only);
  for (ForegroundTasks::Delayed& one : delayed) start_delayed(std::move(one));
  // Tasks that these tasks post wait for the next call.
  std::vector<std::unique_ptr<v8::Task>> ready = tasks.take(is_engine_only);
  for (std::unique_ptr<v8::Task>& task : ready) run_task(std::move(task));
  return !delayed.empty() || !ready.empty();
}

void Engine::run_task(std::unique_ptr<v8::Task> task) {
  if (realm_->is_exiting()) return;
  const v8::HandleScope handles(isolate_);
  // Queues that an exception has left undrained wait for the next callback of the program
  // (TICK-05): the order must not depend on when V8 posts tasks.
  const bool has_waiting_queues = realm_->has_waiting_queues();
  task->Run();
  if (!has_waiting_queues) JsEntry::drain(*realm_);
}

void Engine::start_delayed(ForegroundTasks::Delayed delayed) {
  if (trace_ != nullptr) trace_->hide_new_handles(true);
  Owned<Timer> timer = realm_->loop().make<Timer>();
  if (trace_ != nullptr) trace_->hide_new_handles(false);
  timer->unref();
  const auto entry = delayed_.insert(delayed_.end(), {std::move(timer), std::move(delayed.task)});
  // Rounded to whole milliseconds, like all timers of a program.
  const std::chrono::duration<double> seconds(std::min(delayed.delay, kLongestDelay));
  const auto delay = std::chrono::round<std::chrono::milliseconds>(seconds);
  entry->timer->start(delay, [this, entry](Timer&) {
    std::unique_ptr<v8::Task> task = std::move(entry->task);
    delayed_.erase(entry);
    run_task(std::move(task));
  });
}

void Engine::spin() {
  Realm& realm = *realm_;
  while (!realm.is_exiting()) {
    const v8::HandleScope handles(isolate_);
    realm.loop().run();
    // V8's tasks can cause more JavaScript to run (finalization callbacks, WebAssembly).
    bool is_working = false;
    do {
      is_working = platform_.notify_when_work_ends(isolate_);
    } while (!realm.is_exiting() && run_tasks());
    if (!realm.is_exiting() && realm.loop().is_alive()) continue;
    if (realm.is_exiting()) break;
    if (is_working) {
      // Keeps the loop alive until V8's threads are done; on_async() ends the wait.
      is_waiting_ = true;
      tasks_->ref();
      continue;
    }
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
