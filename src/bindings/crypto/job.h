// A computation that runs synchronously or on the pool: the same code does both, so that fooSync()
// and foo() cannot differ.
#pragma once

#include <tuple>
#include <utility>
#include <vector>

#include "base/list.h"
#include "bindings/crypto/openssl.h"
#include "loop/internals.h"
#include "loop/request.h"
#include "runtime/engine/js_entry.h"

namespace rondo::bindings::crypto {

// The result: bytes, or OpenSSL's errors.
struct Outcome {
  bool is_ok = false;
  std::vector<unsigned long> errors;
};

// The jobs in flight of a realm. When it ends, jobs that no worker has begun are cancelled.
class JobBase : public PoolRequest {
 public:
  ListLink link_;

 protected:
  using PoolRequest::PoolRequest;
};

class JobsOfRealm {
 public:
  explicit JobsOfRealm(runtime::Realm&) {}
  ~JobsOfRealm() {
    while (JobBase* job = jobs_.pop_front()) std::ignore = job->cancel();
  }
  JobsOfRealm(const JobsOfRealm&) = delete;
  JobsOfRealm& operator=(const JobsOfRealm&) = delete;
  void add(JobBase& job) { jobs_.push_back(job); }

 private:
  List<JobBase, &JobBase::link_> jobs_;
};

// An error that is not OpenSSL's.
struct Refused {
  const char* code = nullptr;
  const char* message = nullptr;
};
v8::Local<v8::Value> make_coded(v8::Isolate* isolate, const Refused& refused);

// A Task has `bool run()`, which any thread may call and which uses only its own members, and
// `v8::Local<v8::Value> result(isolate)`. kFailed is the message of its errors; with kShowsCause
// OpenSSL's message replaces it, if there is one. `Refused refusal()` returns an error that the
// task has found itself; its code is null if there is none.
template <class Task>
class Job final : public JobBase {
 public:
  Job(runtime::Realm& realm, Task task, v8::Local<v8::Function> callback)
      : JobBase(realm.loop(), Task::kLabel),
        realm_(realm),
        task_(std::move(task)),
        callback_(realm.isolate(), callback) {}

  // Deletes itself after the callback.
  void submit() {
    realm_.state<JobsOfRealm>().add(*this);
    submit_to_pool();
  }

 private:
  void work() override { outcome_ = attempt(task_); }

  void worked(Result<void> done) override {
    runtime::Realm& realm = realm_;
    if (link_.is_linked()) link_.unlink();
    const CallbackScope scope(loop(), id(), label());
    const v8::HandleScope handles(realm.isolate());
    if (!done) outcome_.is_ok = false;
    const v8::Local<v8::Function> callback = callback_.Get(realm.isolate());
    const v8::Local<v8::Value> result = result_of(realm.isolate(), task_, outcome_);
    const bool is_ok = outcome_.is_ok;
    delete this;
    runtime::JsEntry::call(realm, callback, {v8::Boolean::New(realm.isolate(), is_ok), result});
  }

 public:
  static Outcome attempt(Task& task) {
    take_errors();
    Outcome outcome;
    outcome.is_ok = task.run();
    outcome.errors = take_errors();
    return outcome;
  }
  static v8::Local<v8::Value> result_of(v8::Isolate* isolate, Task& task, const Outcome& outcome) {
    if (outcome.is_ok) return task.result(isolate);
    if constexpr (requires { task.refusal(); }) {
      if (const Refused refused = task.refusal(); refused.code != nullptr) {
        return make_coded(isolate, refused);
      }
    }
    if constexpr (requires { Task::kShowsCause; }) {
      return make_error(isolate, outcome.errors, Task::kFailed);
    }
    return make_failure(isolate, outcome.errors, Task::kFailed);
  }

 private:
  ~Job() override = default;

  runtime::Realm& realm_;
  Task task_;
  Outcome outcome_;
  v8::Global<v8::Function> callback_;
};

// With a callback, callback(isOk, result or error) is called in poll. Without one, the result is
// returned, or the error thrown.
template <class Task>
void run_or_submit(const runtime::Arguments& info, Task task, v8::Local<v8::Value> callback) {
  v8::Isolate* const isolate = info.GetIsolate();
  if (callback->IsFunction()) {
    auto* const job =
        new Job<Task>(runtime::Realm::of(isolate), std::move(task), callback.As<v8::Function>());
    job->submit();
    return;
  }
  const Outcome outcome = Job<Task>::attempt(task);
  const v8::Local<v8::Value> result = Job<Task>::result_of(isolate, task, outcome);
  if (outcome.is_ok) {
    info.GetReturnValue().Set(result);
  } else {
    isolate->ThrowException(result);
  }
}

}  // namespace rondo::bindings::crypto
