// internalBinding('signals'): process.on('SIGINT', ...).
#include <string>

#include "io/process/signal.h"
#include "loop/loop.h"
#include "runtime/control/sigint_trace.h"
#include "runtime/engine/js_entry.h"
#include "runtime/values/binding.h"
#include "runtime/values/handle_wrap.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::Hook;
using runtime::JsEntry;
using runtime::Realm;

// Listening to a signal does not keep the program alive, as in Node.
class SignalWrap final : public runtime::HandleWrap<Signal> {
 public:
  SignalWrap(Realm& realm, std::string name)
      : HandleWrap(realm, kind_of<SignalWrap>(), realm.loop().make<Signal>()),
        name_(std::move(name)) {
    handle().unref();
  }

  Result<void> start(int number) {
    return handle().start(number, [this](Signal&, int signum) { deliver(signum); });
  }

 private:
  void deliver(int number) {
    const v8::HandleScope handles(isolate());
    JsEntry::call(realm(), Hook::on_signal,
                  {runtime::literal(isolate(), name_), v8::Integer::New(isolate(), number)});
  }

  std::string name_;
};

// start(number, name): a handle, or a negative errno.
void start(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[0]->IsInt32());
  auto* const signal = new SignalWrap(Realm::of(isolate), runtime::to_std(isolate, info[1]));
  if (const Result<void> started = signal->start(info[0].As<v8::Int32>()->Value()); !started) {
    signal->destroy();
    info.GetReturnValue().Set(-started.error().code);
    return;
  }
  info.GetReturnValue().Set(signal->object());
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
    {"traceInterrupts", trace_interrupts},
};

}  // namespace

extern const runtime::Binding signals;
const runtime::Binding signals{"signals", kMethods};

}  // namespace rondo::bindings
