// A Realm is one JavaScript environment on one loop: an isolate, its context, and the functions of
// lib that native code calls. Bindings find it through the isolate. Thread: the loop's only.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/threads/port.h"
#include "loop/loop.h"
#include "runtime/control/places.h"
#include "runtime/control/watchdog.h"
#include "runtime/engine/allocator.h"
#include "runtime/values/v8.h"
#include "runtime/worker/owned_descriptors.h"

namespace rondo {
class TraceFile;
}

namespace rondo::runtime {

// The functions that lib passes once at start, in the order of lib/internal/bootstrap/start.js.
enum class Hook : uint8_t {
  process_ticks,       // Drains ticks, microtasks and rejections.
  process_timers,      // (now) => the next expiry; negative if no timer keeps the loop alive.
  process_immediates,  //
  uncaught_exception,  // (error, from_promise) => true if it was handled.
  promise_reject,      // (type, promise, value)
  compile_wasm,        // (stream, source): for WebAssembly.compileStreaming()
  prepare_stack,       // (error, frames, global object of a context of vm) => error.stack
  emit_before_exit,    //
  emit_exit,           // => the exit code
  import_dynamically,  // (specifier, referrer, attributes, option...) => promise
  init_import_meta,    // (meta, module id)
  format_exception,    // (error) => the text for the uncaught report
  on_signal,           // (name, number)
  emit_warning,        // (text): process.emitWarning()
  describe_loop,  // (query) => text for `rondo why` and `rondo top`; see runtime/control/control.h.
  count,
};

// Memory that lib and native code share, to avoid calls between them (about 100 ns each): lib
// creates the Uint32Array and passes it at start.
enum class Shared : uint8_t {
  has_ticks,        // Ticks are pending.
  has_rejections,   // There are unhandled rejections.
  immediates,       // Number of pending immediates,
  refd_immediates,  // and of those with a ref.
  ticks_per_phase,  // --ticks=per-phase: drain between phases only.
  drains,           // Counts begins and ends of drains: odd while ticks or microtasks run.
  callbacks,        // Counts timers and immediates that were run.
  has_limit,        // --blocked: lib reports when each callback begins.
  has_ended,        // In a traced program: a callback has ended, see TraceFile::watch_end().
  waiting_queues,   // An exception has left ticks or microtasks to the next callback.
  count,
};

// Memory limits of a worker; zero: V8's default.
struct ResourceLimits {
  double young_mb = 0;
  double old_mb = 0;
  double code_mb = 0;
  double stack_mb = 4;
};

// Options of a realm on a worker's thread.
struct WorkerRealm {
  uint32_t thread_id = 0;
  // Connected to the parent thread's port; lib takes it at start.
  std::shared_ptr<Port> port;
  bool tracks_descriptors = true;  // The worker's option trackUnmanagedFds.
  // Receives messages that any thread posts to this thread's id, even before it has started.
  std::shared_ptr<Port> thread_port = nullptr;
};

// The times at which the process, the runtime and V8 started, on the loop's clock.
struct StartTimes {
  Nanos process;
  Nanos node;
  Nanos v8;
  // The start of the process in milliseconds since 1970. Set for workers, whose
  // performance.timeOrigin must equal that of the main thread.
  std::optional<double> wall_ms = std::nullopt;
};

struct RealmOptions {
  std::vector<std::string> args;       // process.argv, starting with the script.
  std::vector<std::string> exec_args;  // process.execArgv
  std::string exec_path;
  std::string argv0;
  std::string source;  // The code of -e and -p.
  // The program's options for lib, by name without leading dashes.
  std::vector<std::pair<std::string, std::string>> flags;
  bool ticks_per_phase = false;
  WatchdogOptions watchdog;
  TraceFile* trace = nullptr;  // Records JavaScript's events; outlives the realm.
  std::optional<WorkerRealm> worker;
  // The realm's time begins with the process, also in workers; if not set, when the realm is
  // created.
  std::optional<StartTimes> started;
};

struct Commons;
class ThreadsafeCalls;

class Realm {
 public:
  Realm(v8::Isolate* isolate, v8::Local<v8::Context> context, Loop& loop, RealmOptions options);
  ~Realm();
  Realm(const Realm&) = delete;
  Realm& operator=(const Realm&) = delete;

  static Realm& of(v8::Isolate* isolate) {
    return *static_cast<Realm*>(isolate->GetData(kIsolateSlot));
  }
  // False while the snapshot is made: there is no realm then.
  static bool exists(v8::Isolate* isolate) { return isolate->GetData(kIsolateSlot) != nullptr; }

  v8::Isolate* isolate() const { return isolate_; }
  v8::Local<v8::Context> context() const { return context_.Get(isolate_); }
  Loop& loop() { return loop_; }
  v8::MicrotaskQueue& microtasks() { return *microtasks_; }
  const RealmOptions& options() const { return options_; }
  bool is_worker() const { return options_.worker.has_value(); }
  // Both return null if the port was already taken.
  std::shared_ptr<Port> take_worker_port() { return std::move(options_.worker->port); }
  std::shared_ptr<Port> take_thread_port() { return std::move(options_.worker->thread_port); }
  // Null if the engine has no process-wide state, as in tests.
  Commons* commons() const { return commons_; }
  void set_commons(Commons* commons) { commons_ = commons; }
  // Runs calls that other threads post. Never null while JavaScript runs.
  ThreadsafeCalls* threadsafe_calls() const { return threadsafe_calls_; }
  void set_threadsafe_calls(ThreadsafeCalls* calls) { threadsafe_calls_ = calls; }
  // The limits in effect for the isolate of a worker.
  const ResourceLimits& limits() const { return limits_; }
  void set_limits(const ResourceLimits& limits) { limits_ = limits; }

  void set_hook(Hook hook, v8::Local<v8::Function> function);
  v8::Local<v8::Function> hook(Hook hook) const {
    return hooks_[static_cast<size_t>(hook)].Get(isolate_);
  }
  // The function that the outermost entry into JavaScript called; empty between entries and in
  // nested entries.
  v8::Local<v8::Value> entered() const { return depth_ == 1 ? entered_ : v8::Local<v8::Value>(); }
  bool has_hooks() const { return !hooks_[0].IsEmpty(); }
  void set_shared(v8::Local<v8::Uint32Array> array);
  volatile uint32_t& shared(Shared slot) { return shared_[static_cast<size_t>(slot)]; }

  // Milliseconds since the realm's time began, on the loop's clock: the base of performance.now().
  double now_ms() const;
  double to_ms(Nanos instant) const;
  Nanos from_ms(double ms) const;
  // The start of the realm's time, rounded down to a whole millisecond. Timers count from here, in
  // whole milliseconds of the clock, as in libuv.
  Nanos timer_base() const { return std::chrono::floor<std::chrono::milliseconds>(origin_); }
  int64_t timer_ms(Nanos instant) const {
    return std::chrono::floor<std::chrono::milliseconds>(instant - timer_base()).count();
  }
  // The start of the realm's time in milliseconds since 1970.
  double time_origin_ms() const { return wall_origin_ms_; }
  const std::optional<StartTimes>& started() const { return options_.started; }
  Nanos made_at() const { return made_at_; }

  OwnedDescriptors& descriptors() { return descriptors_; }
  Watchdog& watchdog() { return watchdog_; }
  CreationSites& creation_sites() { return creation_sites_; }
  // True if JavaScript is on the stack.
  bool is_in_javascript() const { return depth_ > 0; }
  void set_array_buffer_memory(const CountingAllocator* allocator) { allocator_ = allocator; }
  size_t array_buffer_bytes() const { return allocator_ != nullptr ? allocator_->bytes() : 0; }
  // For code that creates ArrayBuffers from other memory; null before the engine has started.
  MemoryCount* array_buffer_count() const {
    return allocator_ != nullptr ? &allocator_->count() : nullptr;
  }

  // True if V8's option is set and the realm is not exiting: for V8, termination is an exception,
  // too.
  bool aborts_on_uncaught() const {
    return aborts_on_uncaught_ && !is_exiting_ &&
           !is_exit_requested_.load(std::memory_order_relaxed);
  }
  void set_aborts_on_uncaught(bool aborts) { aborts_on_uncaught_ = aborts; }
  // Sets the async context frame for calls from native code, once AsyncLocalStorage is used: see
  // internal/async_hooks.
  void set_top_frame(v8::Local<v8::Value> frame) { top_frame_.Reset(isolate_, frame); }

  // Ends the run: JavaScript is not entered any more, and run() of the program returns `code`.
  void exit(int code);
  bool is_exiting() const { return is_exiting_; }
  // True if an exception has left ticks or microtasks in the queues for the next callback.
  bool has_waiting_queues() { return shared(Shared::waiting_queues) != 0; }
  // Calls exit(code) as soon as the realm's thread can. Terminates running JavaScript; the caller
  // must wake the loop. Thread: any.
  void request_exit(int code);
  // Executes a request of request_exit().
  void exit_if_requested() {
    if (is_exit_requested_.load(std::memory_order_relaxed)) [[unlikely]]
      exit(requested_code_.load(std::memory_order_relaxed));
  }
  int exit_code() const { return exit_code_; }

  // Per-realm state of bindings, created on first use, freed in reverse order.
  template <class T>
  T& state() {
    const void* key = &key_<T>;
    for (const State& entry : states_) {
      if (entry.key == key) return *static_cast<T*>(entry.object.get());
    }
    states_.push_back({key, {new T(*this), [](void* object) { delete static_cast<T*>(object); }}});
    return *static_cast<T*>(states_.back().object.get());
  }
  // Frees the states while the loop still runs, because their handles must close.
  void drop_states();

 private:
  friend class JsEntry;
  double wall_origin_ms() const;
  static constexpr uint32_t kIsolateSlot = 0;
  template <class T>
  inline static char key_ = 0;
  struct State {
    const void* key;
    std::unique_ptr<void, void (*)(void*)> object;
  };

  // Resets the async context: that of one callback must not leak into the next.
  void reset_frame() {
    if (top_frame_.IsEmpty()) return;
    isolate_->SetContinuationPreservedEmbedderDataV2(top_frame_.Get(isolate_));
  }

  v8::Isolate* isolate_;
  v8::Global<v8::Context> context_;
  v8::MicrotaskQueue* microtasks_;  // The isolate's own.
  Loop& loop_;
  RealmOptions options_;
  std::array<v8::Global<v8::Function>, static_cast<size_t>(Hook::count)> hooks_;
  v8::Global<v8::Uint32Array> shared_array_;  // Keeps the memory below alive.
  std::array<uint32_t, static_cast<size_t>(Shared::count)> shared_before_start_{};
  volatile uint32_t* shared_;
  Nanos made_at_;
  Nanos origin_;
  const double wall_origin_ms_;
  const CountingAllocator* allocator_ = nullptr;
  OwnedDescriptors descriptors_;
  Watchdog watchdog_;
  v8::Global<v8::Value> top_frame_;
  v8::Local<v8::Value> entered_;  // Valid while depth_ is 1.
  int depth_ = 0;                 // Number of entries into JavaScript on the stack.
  CreationSites creation_sites_;
  bool is_exiting_ = false;
  bool aborts_on_uncaught_ = true;
  int exit_code_ = 0;
  std::atomic<int> requested_code_{0};
  std::atomic<bool> is_exit_requested_{false};
  Commons* commons_ = nullptr;
  ThreadsafeCalls* threadsafe_calls_ = nullptr;
  ResourceLimits limits_;
  std::vector<State> states_;
};

}  // namespace rondo::runtime
