// internalBinding('worker'): threads with their own engine.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "loop/async.h"
#include "runtime/control/explored_program.h"
#include "runtime/engine/commons.h"
#include "runtime/engine/js_entry.h"
#include "runtime/message/port.h"
#include "runtime/values/binding.h"
#include "runtime/values/contract.h"
#include "runtime/values/handle_wrap.h"
#include "runtime/values/values.h"
#include "runtime/worker/threadsafe_calls.h"
#include "runtime/worker/worker.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::Commons;
using runtime::JsEntry;
using runtime::MessagePort;
using runtime::Realm;
using runtime::RealmOptions;
using runtime::ResourceLimits;
using runtime::ThreadsafeCalls;
using runtime::Worker;
using runtime::WorkerOptions;
using runtime::Wrap;

// The creator's object for a worker. It ends with the thread or with the realm.
class WorkerHandle final : public runtime::HandleWrap<Async> {
 public:
  WorkerHandle(Realm& realm, WorkerOptions options, v8::Local<v8::Function> on_exit)
      // The handle keeps the loop alive while the worker runs.
      : HandleWrap(realm, kind_of<WorkerHandle>(), realm.loop().make<Async>([](Async&) {})),
        on_exit_(realm.isolate(), on_exit),
        has_ended_(*this),
        worker_(*realm.commons(), std::move(options),
                {[](void* ended) { static_cast<HasEnded*>(ended)->post(); }, &has_ended_}) {
    handle().set_kind(HandleKind::worker);
    realm.threadsafe_calls()->expect_one_more();
  }

  Worker& worker() { return worker_; }

 private:
  struct HasEnded final : ThreadsafeCalls::Call {
    explicit HasEnded(WorkerHandle& handle)
        : owner(handle), calls(*handle.realm().threadsafe_calls()) {
      run = [](Call& self) { static_cast<HasEnded&>(self).owner.end(); };
    }
    void post() { calls.post(*this); }
    WorkerHandle& owner;
    ThreadsafeCalls& calls;
  };
  ~WorkerHandle() override { has_ended_.calls.expect_one_less(); }

  // onExit(code, failure)
  void end() {
    v8::Isolate* const isolate = realm().isolate();
    const v8::HandleScope handles(isolate);
    worker_.join();
    const v8::Local<v8::Function> on_exit = on_exit_.Get(isolate);
    const v8::Local<v8::Value> code = v8::Integer::New(isolate, worker_.exit_code());
    const v8::Local<v8::Value> failure =
        v8::Integer::New(isolate, static_cast<int>(worker_.failure()));
    Realm& home = realm();
    destroy();
    // The queues are drained when all ended workers have been reported.
    JsEntry::call_undrained(home, on_exit, v8::Undefined(isolate), {code, failure});
  }

  v8::Global<v8::Function> on_exit_;
  HasEnded has_ended_;
  Worker worker_;  // Last: its thread has ended before the members that it uses are destroyed.
};

std::vector<std::string> strings_of(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  std::vector<std::string> result;
  const v8::Local<v8::Array> list = value.As<v8::Array>();
  for (uint32_t i = 0; i < list->Length(); ++i) {
    v8::Local<v8::Value> item;
    if (!list->Get(isolate->GetCurrentContext(), i).ToLocal(&item)) break;
    result.push_back(runtime::to_std(isolate, item));
  }
  return result;
}

void set_limit(double* limit, v8::Local<v8::Float64Array> array, uint32_t index) {
  double values[4] = {};
  array->CopyContents(values, sizeof values);
  if (values[index] > 0) *limit = values[index];
}

v8::Local<v8::Array> to_array(v8::Isolate* isolate, const std::vector<std::string>& texts) {
  std::vector<v8::Local<v8::Value>> values;
  for (const std::string& text : texts) {
    values.push_back(runtime::to_js(isolate, text).ToLocalChecked());
  }
  return v8::Array::New(isolate, values.data(), values.size());
}

// checkExecArgv([argument...]): those that a worker does not support.
void check_exec_argv(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[0]->IsArray());
  const Commons& commons = *Realm::of(isolate).commons();
  info.GetReturnValue().Set(
      to_array(isolate, commons.parse_exec_args(strings_of(isolate, info[0])).refused));
}

// checkNodeOptions(text): error messages.
void check_node_options(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[0]->IsString());
  const Commons& commons = *Realm::of(isolate).commons();
  info.GetReturnValue().Set(
      to_array(isolate, commons.parse_node_options(runtime::to_std(isolate, info[0])).refused));
}

// make(execArgv or undefined, Float64Array of limits, tracksDescriptors, onExit, NODE_OPTIONS or
// undefined): [worker, port, threadId]. The port is ours; the worker gets its other end. Without
// NODE_OPTIONS the worker has the options of its creator.
void make(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  Realm& realm = Realm::of(isolate);
  RONDO_EXPECT(info, info[1]->IsFloat64Array());
  RONDO_EXPECT(info, info[3]->IsFunction());
  RONDO_EXPECT(info, realm.commons() != nullptr);
  const RealmOptions& parent = realm.options();
  WorkerOptions options;
  options.realm.exec_path = parent.exec_path;
  options.realm.argv0 = parent.argv0;
  options.realm.ticks_per_phase = parent.ticks_per_phase;
  if (parent.started) {
    options.realm.started = parent.started;
    options.realm.started->wall_ms = realm.time_origin_ms();
  }
  options.realm.watchdog = parent.watchdog;
  options.realm.watchdog.always_runs = false;
  options.realm.exec_args = parent.exec_args;
  options.realm.flags = parent.flags;
  if (info[0]->IsArray()) {
    options.realm.exec_args = strings_of(isolate, info[0]);
    std::erase(options.realm.exec_args, "--");
  }
  if (info[4]->IsString()) {
    const Commons& commons = *realm.commons();
    options.realm.flags = commons.parse_node_options(runtime::to_std(isolate, info[4])).flags;
    for (auto& flag : commons.parse_exec_args(options.realm.exec_args).flags) {
      options.realm.flags.push_back(std::move(flag));
    }
  }
  const v8::Local<v8::Float64Array> limits = info[1].As<v8::Float64Array>();
  set_limit(&options.limits.young_mb, limits, 0);
  set_limit(&options.limits.old_mb, limits, 1);
  set_limit(&options.limits.code_mb, limits, 2);
  set_limit(&options.limits.stack_mb, limits, 3);
  Channel channel = make_channel();
  const uint32_t thread_id = ++realm.commons()->last_thread_id;
  options.realm.worker =
      runtime::WorkerRealm{thread_id, std::move(channel.second), info[2]->IsTrue(),
                           realm.commons()->threads.enter(thread_id)};
  auto* const handle = new WorkerHandle(realm, std::move(options), info[3].As<v8::Function>());
  v8::Local<v8::Value> result[] = {handle->object(),
                                   MessagePort::make(realm, std::move(channel.first)),
                                   v8::Integer::NewFromUnsigned(isolate, thread_id)};
  info.GetReturnValue().Set(v8::Array::New(isolate, result, std::size(result)));
}

WorkerHandle* handle_of(const Arguments& info) { return Wrap::of<WorkerHandle>(info[0]); }

// start(worker): whether a thread could be started. If not, the worker is destroyed.
void start(const Arguments& info) {
  runtime::note_outside(runtime::Realm::of(info.GetIsolate()), Outside::worker);
  WorkerHandle* const handle = handle_of(info);
  RONDO_EXPECT(info, handle != nullptr);
  const bool is_started = handle->worker().start();
  if (!is_started) handle->destroy();
  info.GetReturnValue().Set(is_started);
}

// discard(worker): destroys one that was never started.
void discard(const Arguments& info) {
  WorkerHandle* const handle = handle_of(info);
  RONDO_EXPECT(info, handle != nullptr);
  handle->destroy();
}

// stop(worker): it ends with code 1, and onExit is called as usual.
void stop(const Arguments& info) {
  if (WorkerHandle* const handle = handle_of(info); handle != nullptr) handle->worker().stop(1);
}

// loopTimes(worker): [ms asleep, ms since its start]; undefined if it is not running.
void loop_times(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  WorkerHandle* const handle = handle_of(info);
  Worker::LoopTimes times;
  if (handle == nullptr || !handle->worker().read_times(&times)) return;
  v8::Local<v8::Value> pair[] = {v8::Number::New(isolate, times.idle_ms),
                                 v8::Number::New(isolate, times.now_ms)};
  info.GetReturnValue().Set(v8::Array::New(isolate, pair, 2));
}

// threadId(): 0 on the main thread.
void thread_id(const Arguments& info) {
  const Realm& realm = Realm::of(info.GetIsolate());
  info.GetReturnValue().Set(realm.is_worker() ? realm.options().worker->thread_id : 0);
}

// takePort(): a worker's end of the channel to its creator. Once.
void take_port(const Arguments& info) {
  Realm& realm = Realm::of(info.GetIsolate());
  RONDO_EXPECT(info, realm.is_worker());
  info.GetReturnValue().Set(MessagePort::make(realm, realm.take_worker_port()));
}

// makeSharedMemory(bytes): a SharedArrayBuffer. Programs may have deleted the global of that name.
void make_shared_memory(const Arguments& info) {
  constexpr uint32_t kMostBytes = 1 << 20;
  RONDO_EXPECT(info, info[0]->IsUint32() && info[0].As<v8::Uint32>()->Value() <= kMostBytes);
  info.GetReturnValue().Set(
      v8::SharedArrayBuffer::New(info.GetIsolate(), info[0].As<v8::Uint32>()->Value()));
}

// limits(): megabytes of [young, old, code, stack].
void limits(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const ResourceLimits& limits = Realm::of(isolate).limits();
  v8::Local<v8::Value> values[] = {
      v8::Number::New(isolate, limits.young_mb), v8::Number::New(isolate, limits.old_mb),
      v8::Number::New(isolate, limits.code_mb), v8::Number::New(isolate, limits.stack_mb)};
  info.GetReturnValue().Set(v8::Array::New(isolate, values, std::size(values)));
}

constexpr runtime::Method kMethods[] = {
    {"checkExecArgv", check_exec_argv},
    {"checkNodeOptions", check_node_options},
    {"make", make},
    {"start", start},
    {"discard", discard},
    {"stop", stop},
    {"loopTimes", loop_times},
    {"threadId", thread_id},
    {"takePort", take_port},
    {"limits", limits},
    {"makeSharedMemory", make_shared_memory},
};

constexpr runtime::Constant kFailures[] = {
    {"kNoThread", Worker::Failure::no_thread},
    {"kNoLoop", Worker::Failure::no_loop},
    {"kOutOfMemory", Worker::Failure::out_of_memory},
};

void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  runtime::set_constants(isolate, target, kFailures);
}

}  // namespace

extern const runtime::Binding worker;
const runtime::Binding worker{"worker", kMethods, add_constants};

}  // namespace rondo::bindings
