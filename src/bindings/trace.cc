// internalBinding('trace'): what JavaScript adds to the trace of its loop (docs/TRACE.md). Names
// are numbers of the table of names, 0 where there is none.
#include "loop/trace_file.h"
#include "runtime/binding.h"
#include "runtime/realm.h"
#include "runtime/text.h"
#include "runtime/trace_places.h"
#include "runtime/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::Realm;
using runtime::TracePlaces;

class TraceState {
 public:
  explicit TraceState(Realm& realm) : places_(realm.isolate(), *realm.options().trace) {}
  TracePlaces& places() { return places_; }

 private:
  TracePlaces places_;
};

// Of the realm on this thread. Optimised code has nothing but its arguments, and asking V8 for the
// isolate costs as much as a record.
thread_local TraceFile* current_trace = nullptr;

TracePlaces& places_of(const Arguments& info) {
  return Realm::of(info.GetIsolate()).state<TraceState>().places();
}

double number(v8::Local<v8::Value> value) {
  return value->IsNumber() ? value.As<v8::Number>()->Value() : 0;
}

uint32_t whole(v8::Local<v8::Value> value) {
  return value->IsUint32() ? value.As<v8::Uint32>()->Value() : 0;
}

// Of the numbers that JavaScript passes: kind in the lowest byte, detail in the upper half.
TraceCode code_of(uint32_t word) { return static_cast<TraceCode>(word & 0xFF); }
uint32_t detail_of(uint32_t word) { return word >> 16; }

// start(): whether there is a trace; before anything else here.
void start(const Arguments& info) {
  current_trace = Realm::of(info.GetIsolate()).options().trace;
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

// schedule(name, id, function, isNative): without a name it is what the program called.
void schedule(const Arguments& info) {
  if (current_trace == nullptr) return;
  const TracePlaces::Origin origin = places_of(info).here();
  uint32_t name = whole(info[0]);
  if (origin.called != 0 && info[3]->IsTrue()) name = origin.called;
  current_trace->schedule(name, number(info[1]), origin.place, whole(info[2]), info[3]->IsTrue());
}

// promise(id, parent)
void promise(const Arguments& info) {
  if (current_trace == nullptr) return;
  const TracePlaces::Origin origin = places_of(info).here();
  current_trace->note(TraceCode::promise, 0, origin.place, number(info[0]), number(info[1]));
}

// serveHandle(id): the handle that was made last is this one's.
void serve_handle(const Arguments& info) {
  if (current_trace != nullptr) current_trace->serve_last_handle(number(info[0]));
}

// text(string): its number.
void text(const Arguments& info) {
  if (current_trace == nullptr || !info[0]->IsString()) return;
  info.GetReturnValue().Set(
      current_trace->ring().text(runtime::to_std(info.GetIsolate(), info[0])));
}

// placeOf(function): the number of its place.
void place_of(const Arguments& info) {
  if (current_trace == nullptr || !info[0]->IsFunction()) return;
  info.GetReturnValue().Set(places_of(info).of(info[0].As<v8::Function>()));
}

// origin(): when the realm began, in nanoseconds of the trace's time; undefined if they do not
// share a clock.
void origin(const Arguments& info) {
  Realm& realm = Realm::of(info.GetIsolate());
  if (current_trace == nullptr || realm.loop().clock().is_virtual()) return;
  const double since =
      static_cast<double>(realm.from_ms(0).count()) - current_trace->ring().header().began_ns;
  info.GetReturnValue().Set(since);
}

const v8::CFunction kFastBegin = v8::CFunction::Make(fast_begin);
const v8::CFunction kFastEnd = v8::CFunction::Make(fast_end);
const v8::CFunction kFastNote = v8::CFunction::Make(fast_note);

const runtime::Method kMethods[] = {
    {"start", start},
    {"begin", begin, &kFastBegin},
    {"end", end, &kFastEnd},
    {"note", note, &kFastNote},
    {"schedule", schedule},
    {"promise", promise},
    {"serveHandle", serve_handle},
    {"text", text},
    {"placeOf", place_of},
    {"origin", origin},
};

}  // namespace

extern const runtime::Binding trace;
const runtime::Binding trace{"trace", kMethods};

}  // namespace rondo::bindings
