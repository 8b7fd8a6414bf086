// internalBinding('locks'): the locks that all threads of the process share. lib keeps the requests
// of its own thread by number.
#include <string>
#include <utility>
#include <vector>

#include "base/threads/lock_table.h"
#include "loop/async.h"
#include "runtime/engine/commons.h"
#include "runtime/engine/js_entry.h"
#include "runtime/engine/realm.h"
#include "runtime/values/binding.h"
#include "runtime/values/contract.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::JsEntry;
using runtime::Realm;

// The thread as a client of the table. Ends with the realm.
class LockClient {
 public:
  explicit LockClient(Realm& realm)
      : realm_(realm),
        async_(realm.loop().make<Async>([this](Async&) { on_wake(); })),
        client_(realm.commons()->locks,
                {[](void* async) { static_cast<Async*>(async)->send(); }, async_.get()}) {
    // As in Node, waiting for a lock does not keep a thread alive.
    async_->unref();
    async_->set_kind(HandleKind::locks);
  }

  LockTable::Client& client() { return client_; }
  void set_on_events(v8::Local<v8::Function> on_events) {
    on_events_.Reset(realm_.isolate(), on_events);
  }

 private:
  void on_wake() {
    if (on_events_.IsEmpty()) return;
    const v8::HandleScope handles(realm_.isolate());
    JsEntry::call(realm_, on_events_.Get(realm_.isolate()), {});
  }

  Realm& realm_;
  v8::Global<v8::Function> on_events_;
  Owned<Async> async_;
  LockTable::Client client_;  // Last: other threads wake the Async until it has left the table.
};

LockTable::Client& client_of(const Arguments& info) {
  return Realm::of(info.GetIsolate()).state<LockClient>().client();
}

// onEvents(callback): called without arguments when another thread has caused an event for take().
void on_events(const Arguments& info) {
  Realm& realm = Realm::of(info.GetIsolate());
  RONDO_EXPECT(info, info[0]->IsFunction());
  RONDO_EXPECT(info, realm.commons() != nullptr);
  realm.state<LockClient>().set_on_events(info[0].As<v8::Function>());
}

// request(name, isShared, steals, ifAvailable): its number.
void request(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[0]->IsString());
  RONDO_EXPECT(info, Realm::of(isolate).commons() != nullptr);
  const v8::String::Value name(isolate, info[0]);
  LockTable::Request request;
  request.name.assign(reinterpret_cast<const char16_t*>(*name), name.length());
  request.mode = info[1]->IsTrue() ? LockTable::Mode::shared : LockTable::Mode::exclusive;
  request.steals = info[2]->IsTrue();
  request.if_available = info[3]->IsTrue();
  info.GetReturnValue().Set(static_cast<double>(client_of(info).request(std::move(request))));
}

// release(number)
void release(const Arguments& info) {
  RONDO_EXPECT(info, info[0]->IsNumber());
  RONDO_EXPECT(info, Realm::of(info.GetIsolate()).commons() != nullptr);
  const double id = info[0].As<v8::Number>()->Value();
  RONDO_EXPECT(info, id >= 0 && id <= 9007199254740991.0);
  client_of(info).release(static_cast<uint64_t>(id));
}

// take(): [outcome, number, outcome, number, ...]: events of this thread's requests.
void take(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, Realm::of(isolate).commons() != nullptr);
  std::vector<v8::Local<v8::Value>> values;
  for (const LockTable::Event& event : client_of(info).take()) {
    values.push_back(v8::Integer::New(isolate, static_cast<int>(event.outcome)));
    values.push_back(v8::Number::New(isolate, static_cast<double>(event.id)));
  }
  info.GetReturnValue().Set(v8::Array::New(isolate, values.data(), values.size()));
}

constexpr runtime::Method kMethods[] = {
    {"onEvents", on_events},
    {"request", request},
    {"release", release},
    {"take", take},
};

constexpr runtime::Constant kOutcomes[] = {
    {"kGranted", LockTable::Outcome::granted},
    {"kMissed", LockTable::Outcome::missed},
    {"kStolen", LockTable::Outcome::stolen},
};

void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  runtime::set_constants(isolate, target, kOutcomes);
}

}  // namespace

extern const runtime::Binding locks;
const runtime::Binding locks{"locks", kMethods, add_constants};

}  // namespace rondo::bindings
