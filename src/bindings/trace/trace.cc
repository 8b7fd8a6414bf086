// internalBinding('trace'): JavaScript's records in the trace of its loop (docs/TRACE-FORMAT.md).
// Names are indexes of the table of names, 0 if there is none.
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstring>

#include "base/fd.h"
#include "loop/trace/file.h"
#include "runtime/engine/commons.h"
#include "runtime/engine/realm.h"
#include "runtime/export/otlp_exporter.h"
#include "runtime/trace/places.h"
#include "runtime/values/binding.h"
#include "runtime/values/contract.h"
#include "runtime/values/text.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::Realm;
using runtime::TracePlaces;

// Counters in JavaScript memory, kept alive as long as the trace reads them.
class Counts {
 public:
  explicit Counts(Realm&) {}
  void watch(Realm& realm, v8::Local<v8::Uint32Array> array) {
    if (array->Length() == 0 || store_ != nullptr) return;
    store_ = array->Buffer()->GetBackingStore();
    TraceFile& trace = *realm.options().trace;
    const char* const bytes = static_cast<const char*>(store_->Data()) + array->ByteOffset();
    trace.watch_number("timers", reinterpret_cast<const volatile uint32_t*>(bytes));
    trace.watch_number("immediates", &realm.shared(runtime::Shared::immediates));
  }

 private:
  std::shared_ptr<v8::BackingStore> store_;
};

// Of the realm on this thread. Optimised code passes only its arguments, and getting the isolate
// from V8 costs as much as a record.
thread_local TraceFile* current_trace = nullptr;
thread_local TracePlaces* current_places = nullptr;

double number(v8::Local<v8::Value> value) {
  return value->IsNumber() ? value.As<v8::Number>()->Value() : 0;
}

uint32_t whole(v8::Local<v8::Value> value) {
  return value->IsUint32() ? value.As<v8::Uint32>()->Value() : 0;
}

// The word that JavaScript passes: kind in the lowest byte, detail in the upper half.
TraceCode code_of(uint32_t word) { return static_cast<TraceCode>(word & 0xFF); }
uint32_t detail_of(uint32_t word) { return word >> 16; }

// start(): whether there is a trace; call it before anything else here.
void start(const Arguments& info) {
  Realm& realm = Realm::of(info.GetIsolate());
  current_trace = realm.options().trace;
  if (current_trace != nullptr) {
    current_places = &realm.state<TracePlaces>();
    current_trace->watch_end(&realm.shared(runtime::Shared::has_ended));
  }
  info.GetReturnValue().Set(current_trace != nullptr);
}

// begin(word, name, id, value)
void begin(const Arguments& info) {
  if (current_trace == nullptr) return;
  const uint32_t word = whole(info[0]);
  current_trace->begin(code_of(word), detail_of(word), whole(info[1]), number(info[2]),
                       number(info[3]));
}

void fast_begin(v8::Local<v8::Object>, uint32_t word, uint32_t name, double id, double value) {
  current_trace->begin(code_of(word), detail_of(word), name, id, value);
}

// beginImmediate(name, id)
void begin_immediate(const Arguments& info) {
  if (current_trace != nullptr) current_trace->begin_immediate(whole(info[0]), number(info[1]));
}

void fast_begin_immediate(v8::Local<v8::Object>, uint32_t name, double id) {
  current_trace->begin_immediate(name, id);
}

// end(id)
void end(const Arguments& info) {
  if (current_trace != nullptr) current_trace->end(number(info[0]));
}

void fast_end(v8::Local<v8::Object>, double id) { current_trace->end(id); }

// note(word, name, id, value)
void note(const Arguments& info) {
  if (current_trace == nullptr) return;
  const uint32_t word = whole(info[0]);
  current_trace->note(code_of(word), detail_of(word), whole(info[1]), number(info[2]),
                      number(info[3]));
}

void fast_note(v8::Local<v8::Object>, uint32_t word, uint32_t name, double id, double value) {
  current_trace->note(code_of(word), detail_of(word), name, id, value);
}

void note_schedule(const TracePlaces::Origin& origin, uint32_t name, double id, uint32_t function,
                   bool is_native) {
  if (is_native && origin.called != 0) name = origin.called;
  current_trace->schedule(name, id, origin.place, function, is_native);
}

// schedule(name, id, function, isNative): without a name, the name of the called API.
void schedule(const Arguments& info) {
  if (current_trace == nullptr) return;
  const TracePlaces::Origin* const known =
      current_places->known_in_callback(__builtin_frame_address(0));
  const TracePlaces::Origin origin = known != nullptr ? *known : current_places->here();
  note_schedule(origin, whole(info[0]), number(info[1]), whole(info[2]), info[3]->IsTrue());
}

void fast_schedule(v8::Local<v8::Object>, uint32_t name, double id, uint32_t function,
                   bool is_native, runtime::FastCallOptions& options) {
  const TracePlaces::Origin* const origin = current_places->known_here(__builtin_frame_address(0));
  if (origin != nullptr) return note_schedule(*origin, name, id, function, is_native);
  const v8::HandleScope scope(options.isolate);
  note_schedule(current_places->here(), name, id, function, is_native);
}

// promise(id, parent)
void promise(const Arguments& info) {
  if (current_trace == nullptr) return;
  const TracePlaces::Origin* const known =
      current_places->known_in_callback(__builtin_frame_address(0));
  const TracePlaces::Origin origin = known != nullptr ? *known : current_places->here();
  current_trace->note(TraceCode::promise, 0, origin.place, number(info[0]), number(info[1]));
}

void fast_promise(v8::Local<v8::Object>, double id, double parent,
                  runtime::FastCallOptions& options) {
  const TracePlaces::Origin* const origin = current_places->known_here(__builtin_frame_address(0));
  if (origin != nullptr) {
    return current_trace->note(TraceCode::promise, 0, origin->place, id, parent);
  }
  const v8::HandleScope scope(options.isolate);
  current_trace->note(TraceCode::promise, 0, current_places->here().place, id, parent);
}

// serveHandle(id): links the handle that was created last to this id.
void serve_handle(const Arguments& info) {
  if (current_trace != nullptr) current_trace->serve_last_handle(number(info[0]));
}

// keepsAlive(id): at the end, this still kept the loop alive.
void keeps_alive(const Arguments& info) {
  if (current_trace != nullptr) current_trace->keeps_alive(number(info[0]));
}

// watchCounts(Uint32Array of one): the number of timers.
void watch_counts(const Arguments& info) {
  if (current_trace == nullptr || !info[0]->IsUint32Array()) return;
  Realm& realm = Realm::of(info.GetIsolate());
  realm.state<Counts>().watch(realm, info[0].As<v8::Uint32Array>());
}

// text(string): its index.
void text(const Arguments& info) {
  if (current_trace == nullptr || !info[0]->IsString()) return;
  info.GetReturnValue().Set(
      current_trace->ring().text(runtime::to_std(info.GetIsolate(), info[0])));
}

// placeOf(function): the index of its place.
void place_of(const Arguments& info) {
  if (current_trace == nullptr || !info[0]->IsFunction()) return;
  info.GetReturnValue().Set(current_places->of(info[0].As<v8::Function>()));
}

// origin(): the zero of timers in nanoseconds of the trace's time; undefined if they do not share a
// clock.
void origin(const Arguments& info) {
  Realm& realm = Realm::of(info.GetIsolate());
  if (current_trace == nullptr || realm.loop().clock().is_virtual()) return;
  const double since =
      static_cast<double>(realm.timer_base().count()) - current_trace->ring().header().began_ns;
  info.GetReturnValue().Set(since);
}

// exportsSpans(): whether spans are sent to a collector.
void exports_spans(const Arguments& info) {
  const runtime::Commons* const commons = Realm::of(info.GetIsolate()).commons();
  info.GetReturnValue().Set(commons != nullptr && commons->otlp != nullptr);
}

// spanSeed(Uint32Array of four): fills it with random numbers, also with --seed: ids of spans must
// differ between runs.
void span_seed(const Arguments& info) {
  RONDO_EXPECT(info, info[0]->IsUint32Array() && info[0].As<v8::Uint32Array>()->Length() == 4);
  uint32_t seed[4] = {static_cast<uint32_t>(::getpid()), 0, 0, 1};
  const Fd file(::open("/dev/urandom", O_RDONLY | O_CLOEXEC));
  if (!file || ::read(file.get(), seed, sizeof seed) != sizeof seed) {
    // Without /dev: the time and the process have to do.
    const int64_t time = std::chrono::system_clock::now().time_since_epoch().count();
    seed[1] = static_cast<uint32_t>(time);
    seed[2] = static_cast<uint32_t>(time >> 32);
  }
  const v8::Local<v8::Uint32Array> array = info[0].As<v8::Uint32Array>();
  auto* const bytes = static_cast<char*>(array->Buffer()->GetBackingStore()->Data());
  std::memcpy(bytes + array->ByteOffset(), seed, sizeof seed);
}

// exportSpan(text): sends a span, an object of JSON.
void export_span(const Arguments& info) {
  const runtime::Commons* const commons = Realm::of(info.GetIsolate()).commons();
  if (commons == nullptr || commons->otlp == nullptr || !info[0]->IsString()) return;
  commons->otlp->add(runtime::to_std(info.GetIsolate(), info[0]));
}

constexpr int end_of(TraceCode begin) { return static_cast<int>(begin) + 1; }

// lib/internal/trace/format.js repeats these numbers, because the viewer's page runs where there
// are no bindings; format.test.js compares the two.
constexpr runtime::Constant kKinds[] = {
    {"turn", TraceCode::turn},
    {"phaseBegin", TraceCode::phase},
    {"phaseEnd", end_of(TraceCode::phase)},
    {"loopCallbackBegin", TraceCode::loop_callback},
    {"loopCallbackEnd", end_of(TraceCode::loop_callback)},
    {"callbackBegin", TraceCode::callback},
    {"callbackEnd", end_of(TraceCode::callback)},
    {"tickDrainBegin", TraceCode::tick_drain},
    {"tickDrainEnd", end_of(TraceCode::tick_drain)},
    {"tickBegin", TraceCode::tick},
    {"tickEnd", end_of(TraceCode::tick)},
    {"microtaskDrainBegin", TraceCode::microtask_drain},
    {"microtaskDrainEnd", end_of(TraceCode::microtask_drain)},
    {"microtaskBegin", TraceCode::microtask},
    {"microtaskEnd", end_of(TraceCode::microtask)},
    {"schedule", TraceCode::schedule},
    {"promiseMade", TraceCode::promise},
    {"promiseSettled", TraceCode::settled},
    {"over", TraceCode::over},
    {"handleOpened", TraceCode::handle_open},
    {"handleClosed", TraceCode::handle_close},
    {"serves", TraceCode::serves},
    {"jobQueued", TraceCode::job_queued},
    {"jobStarted", TraceCode::job_started},
    {"jobFinished", TraceCode::job_finished},
    {"pollWaits", TraceCode::poll_blocked},
    {"pollWoke", TraceCode::poll_woke},
    {"gauge", TraceCode::number},
    {"blocked", TraceCode::blocked},
    {"uncaught", TraceCode::uncaught},
    {"exit", TraceCode::exit},
    {"refd", TraceCode::refd},
    {"touches", TraceCode::touches},
    {"turnCallbackBegin", TraceCode::turn_callback},
    {"nextCallbackBegin", TraceCode::next_callback},
    {"innerCallbackBegin", TraceCode::inner_callback},
    {"innerCallbackEnd", TraceCode::inner_callback_end},
    {"requestBegin", TraceCode::request_begin},
    {"requestPart", TraceCode::request_part},
    {"requestEnd", TraceCode::request_end},
};

constexpr runtime::Constant kTouches[] = {
    {"reads", TraceTouch::reads},
    {"writes", TraceTouch::writes},
    {"closes", TraceTouch::closes},
};

constexpr runtime::Constant kNameKinds[] = {
    {"text", TraceRing::NameKind::text},
    {"place", TraceRing::NameKind::place},
    {"stack", TraceRing::NameKind::stack},
};

constexpr runtime::Constant kFormat[] = {
    {"kHeaderSize", TraceRing::kHeaderSize}, {"kRecordSize", sizeof(TraceRecord)},
    {"kVersion", TraceRing::kVersion},       {"kHasEnded", TraceRing::kFinished},
    {"kNamesUsedUp", TraceRing::kNamesFull}, {"kIsVirtual", TraceRing::kVirtualClock},
    {"kDiskFull", TraceRing::kDiskFull},
};

// The offsets of the header's fields.
constexpr runtime::Constant kHeaderFields[] = {
    {"version", offsetof(TraceHeader, version)},
    {"pid", offsetof(TraceHeader, pid)},
    {"threadId", offsetof(TraceHeader, thread_id)},
    {"flags", offsetof(TraceHeader, flags)},
    {"namesRoom", offsetof(TraceHeader, names_room)},
    {"capacity", offsetof(TraceHeader, capacity)},
    {"written", offsetof(TraceHeader, written)},
    {"namesBytes", offsetof(TraceHeader, names_size)},
    {"namesCount", offsetof(TraceHeader, names_count)},
    {"startedAt", offsetof(TraceHeader, began_ms)},
    {"startedAtMonotonic", offsetof(TraceHeader, began_ns)},
    {"exitCode", offsetof(TraceHeader, exit_code)},
    {"commandLineLength", offsetof(TraceHeader, command_size)},
    {"commandLine", offsetof(TraceHeader, command)},
};
static_assert(sizeof(TraceHeader) <= TraceRing::kHeaderSize);

// The numbers that records have for phases: none is 0.
constexpr uint32_t phase_number(Phase phase) {
  return (static_cast<uint32_t>(phase) + 1) % (kPhaseCount + 1);
}

void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  runtime::set_constants(isolate, target, "kinds", kKinds);
  runtime::set_constants(isolate, target, "touches", kTouches);
  runtime::set_constants(isolate, target, "nameKinds", kNameKinds);
  runtime::set_constants(isolate, target, "format", kFormat);
  runtime::set_constants(isolate, target, "headerFields", kHeaderFields);
  const v8::Local<v8::Object> phases =
      v8::Object::New(isolate, v8::Null(isolate), nullptr, nullptr, 0);
  for (size_t i = 0; i <= kPhaseCount; ++i) {
    const auto phase = static_cast<Phase>(i);
    runtime::set(isolate, phases, phase_name(phase), static_cast<double>(phase_number(phase)));
  }
  runtime::set(isolate, target, "phases", phases.As<v8::Value>());
}

const runtime::FastFunction kFastBegin = runtime::make_fast(fast_begin);
const runtime::FastFunction kFastBeginImmediate = runtime::make_fast(fast_begin_immediate);
const runtime::FastFunction kFastEnd = runtime::make_fast(fast_end);
const runtime::FastFunction kFastNote = runtime::make_fast(fast_note);
const runtime::FastFunction kFastSchedule = runtime::make_fast(fast_schedule);
const runtime::FastFunction kFastPromise = runtime::make_fast(fast_promise);

const runtime::Method kMethods[] = {
    {"start", start},
    {"begin", begin, &kFastBegin},
    {"beginImmediate", begin_immediate, &kFastBeginImmediate},
    {"end", end, &kFastEnd},
    {"note", note, &kFastNote},
    {"schedule", schedule, &kFastSchedule},
    {"promise", promise, &kFastPromise},
    {"serveHandle", serve_handle},
    {"text", text},
    {"keepsAlive", keeps_alive},
    {"watchCounts", watch_counts},
    {"placeOf", place_of},
    {"origin", origin},
    {"exportsSpans", exports_spans},
    {"exportSpan", export_span},
    {"spanSeed", span_seed},
};

}  // namespace

extern const runtime::Binding trace;
const runtime::Binding trace{"trace", kMethods, add_constants};

}  // namespace rondo::bindings
