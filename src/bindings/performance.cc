// internalBinding('performance'): when the runtime and its loop started, and what the loop has done
// since, in milliseconds since the realm began (-1 for what has not happened).
#include "runtime/binding.h"
#include "runtime/realm.h"
#include "runtime/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::Realm;

struct Milestones {
  explicit Milestones(Realm&) {}
  double bootstrap_complete = -1;
};

double to_ms(Nanos duration) { return static_cast<double>(duration.count()) / 1e6; }

// The realm's time begins when the engine is there: whatever lies before counts as its start.
void at_start(const Arguments& info) { info.GetReturnValue().Set(0); }

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

// A program that could ask is still running.
void loop_exit(const Arguments& info) { info.GetReturnValue().Set(-1); }

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
    {"nodeStart", at_start},
    {"v8Start", at_start},
    {"environment", at_start},
    {"markBootstrapComplete", mark_bootstrap_complete},
    {"bootstrapComplete", bootstrap_complete},
    {"loopStart", loop_start},
    {"loopExit", loop_exit},
    {"loopIdleTime", loop_idle_time},
    {"loopMetrics", loop_metrics},
};

}  // namespace

extern const runtime::Binding performance;
const runtime::Binding performance{"performance", kMethods};

}  // namespace rondo::bindings
