// internalBinding('timers'): one loop timer and one check handle for all of JavaScript's timers and
// immediates. Their queues are in lib, so that starting or running one does not cross into C++.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "loop/loop.h"
#include "loop/trace_file.h"
#include "runtime/binding.h"
#include "runtime/js_entry.h"
#include "runtime/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::Hook;
using runtime::JsEntry;
using runtime::Realm;
using runtime::Shared;

// A wake-up costs as much as some twenty timers. Where many are due at one time or another within
// each millisecond, all day long, the loop lets them gather for a while; a few that happen to be
// due close together are still run each at its time. Measured with "100,000 timers fired" of
// bench/js.
constexpr Nanos kDense = std::chrono::milliseconds(1);
constexpr Nanos kGather = std::chrono::microseconds(500);
constexpr int kDenseRuns = 8;

class TimerState {
 public:
  explicit TimerState(Realm& realm)
      : realm_(realm), timer_(make_quietly<Timer>(realm)), check_(make_quietly<Check>(realm)) {
    // lib counts the timers that keep the loop alive, and begins at none.
    timer_->unref();
    check_->unref();
    check_->start([this](auto&) { run_immediates(); });
    realm_.loop().check().count_outside(&realm_.shared(Shared::refd_immediates),
                                        &realm_.shared(Shared::immediates));
  }
  ~TimerState() { realm_.loop().check().count_outside(nullptr); }
  TimerState(const TimerState&) = delete;
  TimerState& operator=(const TimerState&) = delete;

  void schedule(double due_ms) {
    if (Choice* const choice = realm_.loop().choice(); choice != nullptr) [[unlikely]]
      choice->scheduled(timer_->id(), "timer", {}, false);
    schedule_at(realm_.from_ms(due_ms));
  }

  void set_ref(bool has_ref) {
    if (has_ref) {
      timer_->ref();
    } else {
      timer_->unref();
    }
  }

 private:
  // Traces show what JavaScript runs, not what it is run by.
  template <class T>
  static Owned<T> make_quietly(Realm& realm) {
    TraceFile* const trace = realm.options().trace;
    if (trace != nullptr) trace->set_quiet(true);
    Owned<T> handle = realm.loop().make<T>();
    if (trace != nullptr) trace->set_quiet(false);
    return handle;
  }

  void schedule_at(Nanos due) {
    const Nanos now = realm_.loop().now();
    timer_->start(due > now ? due - now : Nanos::zero(), [this](Timer&) { run_timers(); });
  }

  // The earliest time for the next run, seen from one that began at `now`. Virtual time costs
  // nothing, and is exact.
  Nanos earliest_after(Nanos now) {
    if (realm_.loop().clock().is_virtual()) return now;
    dense_runs_ = now - last_run_ < kDense ? dense_runs_ + 1 : 0;
    last_run_ = now;
    if (dense_runs_ < kDenseRuns) return now;
    dense_runs_ = kDenseRuns;
    return now + kGather;
  }

  void run_timers() {
    v8::Isolate* const isolate = realm_.isolate();
    const v8::HandleScope handles(isolate);
    const Nanos earliest = earliest_after(realm_.loop().now());
    v8::Local<v8::Value> next;
    const v8::Local<v8::Value> now = v8::Number::New(isolate, realm_.to_ms(realm_.loop().now()));
    // An exception that was handled does not cost the timers behind it their turn. As in Node, what
    // the callback queued before it threw waits until the next timer has run.
    while (!JsEntry::call_undrained(realm_, Hook::process_timers, {now}).ToLocal(&next)) {
      if (realm_.is_exiting()) return;
    }
    const double due = next->IsNumber() ? next.As<v8::Number>()->Value() : 0;
    if (due != 0) {
      schedule_at(std::max(realm_.from_ms(std::fabs(due)), earliest));
      set_ref(due > 0);
    }
    // Last: a tick may start a timer that is due before that.
    JsEntry::drain(realm_);
  }

  void run_immediates() {
    if (realm_.shared(Shared::immediates) == 0) return;
    const v8::HandleScope handles(realm_.isolate());
    // As with timers: lib keeps what is left after an exception (CHK-04).
    while (!realm_.is_exiting() &&
           JsEntry::call_undrained(realm_, Hook::process_immediates, {}).IsEmpty()) {
    }
    JsEntry::drain(realm_);
  }

  Realm& realm_;
  Owned<Timer> timer_;
  Owned<Check> check_;
  Nanos last_run_{0};
  int dense_runs_ = 0;
};

TimerState& state_of(const Arguments& info) {
  return Realm::of(info.GetIsolate()).state<TimerState>();
}

// Makes the handles; lib calls it once at start, when the shared memory is in place.
void start(const Arguments& info) { static_cast<void>(state_of(info)); }

// schedule(due): run processTimers when the clock has reached this many milliseconds.
void schedule(const Arguments& info) {
  RONDO_EXPECT(info, info[0]->IsNumber());
  state_of(info).schedule(info[0].As<v8::Number>()->Value());
}

void set_ref(const Arguments& info) { state_of(info).set_ref(info[0]->IsTrue()); }

constexpr runtime::Method kMethods[] = {
    {"start", start},
    {"schedule", schedule},
    {"setRef", set_ref},
};

}  // namespace

extern const runtime::Binding timers;
const runtime::Binding timers{"timers", kMethods};

}  // namespace rondo::bindings
