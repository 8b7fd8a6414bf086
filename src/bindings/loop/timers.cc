// internalBinding('timers'): one loop timer and one check handle for all of JavaScript's timers and
// immediates. Their queues are in lib, so that starting or running one does not cross into C++.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "loop/internals.h"
#include "loop/trace/file.h"
#include "runtime/engine/js_entry.h"
#include "runtime/engine/native_immediates.h"
#include "runtime/values/binding.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::Hook;
using runtime::JsEntry;
using runtime::Realm;
using runtime::Shared;

// Whole milliseconds. Updates the loop's time, as every start of a timer does in Node.
int64_t read_clock(Realm& realm) {
  realm.loop().update_time();
  return realm.timer_ms(realm.loop().now());
}

class TimerState {
 public:
  explicit TimerState(Realm& realm)
      : realm_(realm),
        native_immediates_(realm.state<runtime::NativeImmediates>()),
        timer_(make_hidden<Timer>(realm)),
        check_(make_hidden<Check>(realm)) {
    // lib counts the timers that keep the loop alive, starting with none.
    timer_->unref();
    check_->unref();
    check_->start([this](auto&) { run_immediates(); });
    realm_.loop().internals().check().count_outside(&realm_.shared(Shared::refd_immediates),
                                                    &realm_.shared(Shared::immediates));
  }
  ~TimerState() { realm_.loop().internals().check().count_outside(nullptr); }
  TimerState(const TimerState&) = delete;
  TimerState& operator=(const TimerState&) = delete;

  // The delay counts from the loop's time; lib has just read it with now().
  void schedule(double delay_ms) {
    if (Choice* const choice = realm_.loop().internals().choice(); choice != nullptr) [[unlikely]]
      choice->scheduled(timer_->id(), "timer", {}, false);
    start_timer(delay_ms);
  }

  void set_ref(bool has_ref) {
    if (has_ref) {
      timer_->ref();
    } else {
      timer_->unref();
    }
  }

 private:
  // Traces show JavaScript's timers, not the handles that run them.
  template <class T>
  static Owned<T> make_hidden(Realm& realm) {
    TraceFile* const trace = realm.options().trace;
    if (trace != nullptr) trace->hide_new_handles(true);
    Owned<T> handle = realm.loop().make<T>();
    if (trace != nullptr) trace->hide_new_handles(false);
    return handle;
  }

  void start_timer(double delay_ms) {
    timer_->start(realm_.from_ms(delay_ms) - realm_.from_ms(0), [this](Timer&) { run_timers(); });
  }

  void run_timers() {
    v8::Isolate* const isolate = realm_.isolate();
    const v8::HandleScope handles(isolate);
    v8::Local<v8::Value> next;
    const v8::Local<v8::Value> now =
        v8::Number::New(isolate, static_cast<double>(read_clock(realm_)));
    // After a handled exception the remaining timers still run. As in Node, ticks that the callback
    // queued before it threw wait until the next timer has run.
    while (!JsEntry::call_undrained(realm_, Hook::process_timers, {now}).ToLocal(&next)) {
      if (realm_.is_exiting()) return;
    }
    const double expiry = next->IsNumber() ? next.As<v8::Number>()->Value() : 0;
    if (expiry != 0) {
      // Relative to the loop's time as callbacks left it: a timer that became due while they ran
      // fires in the next turn if none of them read the clock, and a millisecond later otherwise.
      // Both as in Node.
      const auto now_ms = static_cast<double>(realm_.timer_ms(realm_.loop().now()));
      start_timer(std::max(std::fabs(expiry) - now_ms, 1.0));
    }
    set_ref(expiry > 0);
    // Last: a tick may start a timer that expires earlier.
    JsEntry::drain(realm_);
  }

  void run_immediates() {
    if (realm_.shared(Shared::immediates) == 0) return;
    const v8::HandleScope handles(realm_.isolate());
    native_immediates_.run();
    if (realm_.shared(Shared::immediates) == 0) return;
    // As with timers: after an exception lib continues where it was (CHK-04).
    while (!realm_.is_exiting() &&
           JsEntry::call_undrained(realm_, Hook::process_immediates, {}).IsEmpty()) {
    }
    JsEntry::drain(realm_);
  }

  Realm& realm_;
  runtime::NativeImmediates& native_immediates_;
  Owned<Timer> timer_;
  Owned<Check> check_;
};

TimerState& state_of(const Arguments& info) {
  return Realm::of(info.GetIsolate()).state<TimerState>();
}

// Makes the handles; lib calls it once at start, when the shared memory is in place.
void start(const Arguments& info) { static_cast<void>(state_of(info)); }

// schedule(delay): call processTimers after this many milliseconds.
void schedule(const Arguments& info) {
  RONDO_EXPECT(info, info[0]->IsNumber());
  state_of(info).schedule(info[0].As<v8::Number>()->Value());
}

// Called whenever the first timer with a ref starts and the last one ends: optimised code calls
// fast_set_ref() directly.
void set_ref(const Arguments& info) { state_of(info).set_ref(info[0]->IsTrue()); }

void fast_set_ref(v8::Local<v8::Object>, bool has_ref) {
  Realm::of(v8::Isolate::GetCurrent()).state<TimerState>().set_ref(has_ref);
}

const runtime::FastFunction kFastSetRef = runtime::make_fast(fast_set_ref);

void now(const Arguments& info) {
  info.GetReturnValue().Set(static_cast<double>(read_clock(Realm::of(info.GetIsolate()))));
}

// As an integer that V8 holds without memory, or -1 after the first 24 days.
int32_t small_time(v8::Isolate* isolate) {
  const int64_t time = read_clock(Realm::of(isolate));
  return time <= INT32_MAX ? static_cast<int32_t>(time) : -1;
}

// Optimised code calls fast_small_now() directly.
void small_now(const Arguments& info) { info.GetReturnValue().Set(small_time(info.GetIsolate())); }

// The only argument V8 passes is the receiver, and the realm is one per thread.
int32_t fast_small_now(v8::Local<v8::Object>) { return small_time(v8::Isolate::GetCurrent()); }

const runtime::FastFunction kFastSmallNow = runtime::make_fast(fast_small_now);

const runtime::Method kMethods[] = {
    {"start", start},
    {"now", now},
    {"smallNow", small_now, &kFastSmallNow},
    {"schedule", schedule},
    {"setRef", set_ref, &kFastSetRef},
};

}  // namespace

extern const runtime::Binding timers;
const runtime::Binding timers{"timers", kMethods};

}  // namespace rondo::bindings
