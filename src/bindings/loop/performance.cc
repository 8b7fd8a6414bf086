// internalBinding('performance'): milestones of the runtime and its loop in milliseconds since the
// realm began (-1 if not reached), and counters of the loop.
#include <vector>

#include "loop/async.h"
#include "loop/loop.h"
#include "runtime/engine/js_entry.h"
#include "runtime/engine/realm.h"
#include "runtime/values/binding.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::JsEntry;
using runtime::Realm;

struct Milestones {
  explicit Milestones(Realm&) {}
  double bootstrap_complete = -1;
  double loop_exit = -1;
};

// Records garbage collections and reports them to lib in a callback of the loop: during a
// collection no JavaScript can run.
class GarbageWatch {
 public:
  explicit GarbageWatch(Realm& realm) : realm_(realm) {}
  ~GarbageWatch() { stop(); }
  GarbageWatch(const GarbageWatch&) = delete;
  GarbageWatch& operator=(const GarbageWatch&) = delete;

  void start(v8::Local<v8::Function> callback) {
    stop();
    callback_.Reset(realm_.isolate(), callback);
    async_ = realm_.loop().make<Async>([this](Async&) { report(); });
    async_->unref();
    realm_.isolate()->AddGCPrologueCallback(on_begin, this);
    realm_.isolate()->AddGCEpilogueCallback(on_end, this);
  }

  void stop() {
    if (!async_) return;
    realm_.isolate()->RemoveGCPrologueCallback(on_begin, this);
    realm_.isolate()->RemoveGCEpilogueCallback(on_end, this);
    async_.reset();
    callback_.Reset();
    seen_.clear();
  }

 private:
  struct Collection {
    double start_ms;
    double duration_ms;
    int kind;
    int flags;
  };

  static void on_begin(v8::Isolate*, v8::GCType, v8::GCCallbackFlags, void* data) {
    auto* const self = static_cast<GarbageWatch*>(data);
    self->began_ms_ = self->realm_.now_ms();
  }

  static void on_end(v8::Isolate*, v8::GCType type, v8::GCCallbackFlags flags, void* data) {
    auto* const self = static_cast<GarbageWatch*>(data);
    // A program that blocks the loop does not read them either.
    if (self->seen_.size() >= kMostUnread) return;
    self->seen_.push_back({self->began_ms_, self->realm_.now_ms() - self->began_ms_, type, flags});
    self->async_->send();
  }

  // One call for all: [start, duration, kind, flags, start, ...].
  void report() {
    v8::Isolate* const isolate = realm_.isolate();
    const v8::HandleScope handles(isolate);
    std::vector<v8::Local<v8::Value>> values;
    const std::vector<Collection> seen = std::move(seen_);
    seen_.clear();
    for (const Collection& one : seen) {
      values.push_back(v8::Number::New(isolate, one.start_ms));
      values.push_back(v8::Number::New(isolate, one.duration_ms));
      values.push_back(v8::Integer::New(isolate, one.kind));
      values.push_back(v8::Integer::New(isolate, one.flags));
    }
    if (values.empty()) return;
    JsEntry::call(realm_, callback_.Get(isolate),
                  {v8::Array::New(isolate, values.data(), values.size())});
  }

  static constexpr size_t kMostUnread = 10'000;

  Realm& realm_;
  v8::Global<v8::Function> callback_;
  Owned<Async> async_;
  double began_ms_ = 0;
  std::vector<Collection> seen_;
};

// watchGarbage(callback), unwatchGarbage()
void watch_garbage(const Arguments& info) {
  RONDO_EXPECT(info, info[0]->IsFunction());
  Realm::of(info.GetIsolate()).state<GarbageWatch>().start(info[0].As<v8::Function>());
}

void unwatch_garbage(const Arguments& info) {
  Realm::of(info.GetIsolate()).state<GarbageWatch>().stop();
}

double to_ms(Nanos duration) { return static_cast<double>(duration.count()) / 1e6; }

// A milestone of the process, the same in workers.
template <Nanos runtime::StartTimes::*kTime>
void start_time(const Arguments& info) {
  const Realm& realm = Realm::of(info.GetIsolate());
  info.GetReturnValue().Set(realm.started() ? realm.to_ms((*realm.started()).*kTime) : 0.0);
}

void environment(const Arguments& info) {
  const Realm& realm = Realm::of(info.GetIsolate());
  info.GetReturnValue().Set(realm.to_ms(realm.made_at()));
}

void mark_bootstrap_complete(const Arguments& info) {
  Realm& realm = Realm::of(info.GetIsolate());
  realm.state<Milestones>().bootstrap_complete = realm.now_ms();
}

void bootstrap_complete(const Arguments& info) {
  info.GetReturnValue().Set(Realm::of(info.GetIsolate()).state<Milestones>().bootstrap_complete);
}

void loop_start(const Arguments& info) {
  Realm& realm = Realm::of(info.GetIsolate());
  const Nanos started = realm.loop().metrics().started;
  info.GetReturnValue().Set(started < Nanos::zero() ? -1.0 : realm.to_ms(started));
}

void mark_loop_exit(const Arguments& info) {
  Realm& realm = Realm::of(info.GetIsolate());
  realm.state<Milestones>().loop_exit = realm.now_ms();
}

void loop_exit(const Arguments& info) {
  info.GetReturnValue().Set(Realm::of(info.GetIsolate()).state<Milestones>().loop_exit);
}

void loop_idle_time(const Arguments& info) {
  info.GetReturnValue().Set(to_ms(Realm::of(info.GetIsolate()).loop().metrics().idle));
}

// loopMetrics(): [turns, events, events waiting].
void loop_metrics(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const LoopMetrics& metrics = Realm::of(isolate).loop().metrics();
  v8::Local<v8::Value> values[] = {
      v8::Number::New(isolate, static_cast<double>(metrics.turns)),
      v8::Number::New(isolate, static_cast<double>(metrics.events)),
      v8::Number::New(isolate, 0),
  };
  info.GetReturnValue().Set(v8::Array::New(isolate, values, std::size(values)));
}

const runtime::Method kMethods[] = {
    {"nodeStart", start_time<&runtime::StartTimes::node>},
    {"v8Start", start_time<&runtime::StartTimes::v8>},
    {"environment", environment},
    {"markBootstrapComplete", mark_bootstrap_complete},
    {"bootstrapComplete", bootstrap_complete},
    {"loopStart", loop_start},
    {"markLoopExit", mark_loop_exit},
    {"loopExit", loop_exit},
    {"loopIdleTime", loop_idle_time},
    {"loopMetrics", loop_metrics},
    {"watchGarbage", watch_garbage},
    {"unwatchGarbage", unwatch_garbage},
};

}  // namespace

extern const runtime::Binding performance;
const runtime::Binding performance{"performance", kMethods};

}  // namespace rondo::bindings
