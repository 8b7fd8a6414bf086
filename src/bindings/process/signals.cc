// internalBinding('signals'): process.on('SIGINT', ...).
#include <map>
#include <string>

#include "io/process/signal.h"
#include "loop/loop.h"
#include "runtime/control/sigint_trace.h"
#include "runtime/engine/js_entry.h"
#include "runtime/values/binding.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::Hook;
using runtime::JsEntry;
using runtime::Realm;

class SignalState {
 public:
  explicit SignalState(Realm& realm) : realm_(realm) {}

  // 0 or a negative errno. Listening to a signal does not keep the program alive, as in Node.
  int start(int number, std::string name) {
    Owned<Signal> signal = realm_.loop().make<Signal>();
    signal->unref();
    Result<void> started = signal->start(number, [this](Signal&, int signum) { deliver(signum); });
    if (!started) return -started.error().code;
    names_[number] = std::move(name);
    signals_[number] = std::move(signal);
    return 0;
  }

  void stop(int number) { signals_.erase(number); }

 private:
  void deliver(int number) {
    v8::Isolate* const isolate = realm_.isolate();
    const v8::HandleScope handles(isolate);
    JsEntry::call(realm_, Hook::on_signal,
                  {runtime::literal(isolate, names_[number]), v8::Integer::New(isolate, number)});
  }

  Realm& realm_;
  std::map<int, Owned<Signal>> signals_;
  std::map<int, std::string> names_;
};

// start(number, name)
void start(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[0]->IsInt32());
  info.GetReturnValue().Set(Realm::of(isolate).state<SignalState>().start(
      info[0].As<v8::Int32>()->Value(), runtime::to_std(isolate, info[1])));
}

void stop(const Arguments& info) {
  RONDO_EXPECT(info, info[0]->IsInt32());
  Realm::of(info.GetIsolate()).state<SignalState>().stop(info[0].As<v8::Int32>()->Value());
}

// traceInterrupts(isWanted): false if no thread can be started.
void trace_interrupts(const Arguments& info) {
  auto& trace = Realm::of(info.GetIsolate()).state<runtime::SigintTrace>();
  bool is_done = true;
  if (info[0]->IsTrue()) {
    is_done = trace.start();
  } else {
    trace.stop();
  }
  info.GetReturnValue().Set(is_done);
}

constexpr runtime::Method kMethods[] = {
    {"start", start},
    {"stop", stop},
    {"traceInterrupts", trace_interrupts},
};

}  // namespace

extern const runtime::Binding signals;
const runtime::Binding signals{"signals", kMethods};

}  // namespace rondo::bindings
