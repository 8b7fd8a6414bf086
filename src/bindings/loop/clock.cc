// internalBinding('clock'): the Clock for lib.
#include <cstring>

#include "runtime/engine/realm.h"
#include "runtime/values/binding.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::Realm;

// Milliseconds since the realm began. Optimised code calls it directly, through fast_now().
void now(const Arguments& info) {
  info.GetReturnValue().Set(Realm::of(info.GetIsolate()).now_ms());
}

// The only argument V8 passes is the receiver, and the realm is one per thread.
double fast_now(v8::Local<v8::Object>) { return Realm::of(v8::Isolate::GetCurrent()).now_ms(); }

void loop_now(const Arguments& info) {
  Realm& realm = Realm::of(info.GetIsolate());
  info.GetReturnValue().Set(realm.to_ms(realm.loop().now()));
}

// Milliseconds since 1970, with a fraction.
void wall(const Arguments& info) {
  const Nanos wall = Realm::of(info.GetIsolate()).loop().clock().wall();
  info.GetReturnValue().Set(static_cast<double>(wall.count()) / 1e6);
}

void time_origin(const Arguments& info) {
  info.GetReturnValue().Set(Realm::of(info.GetIsolate()).time_origin_ms());
}

bool write_time(Realm& realm, v8::Local<v8::Value> to) {
  if (!to->IsBigUint64Array()) return false;
  const v8::Local<v8::BigUint64Array> out = to.As<v8::BigUint64Array>();
  if (out->Length() < 1) return false;
  const auto nanos = static_cast<uint64_t>(realm.loop().clock().now().count());
  std::memcpy(static_cast<char*>(out->Buffer()->Data()) + out->ByteOffset(), &nanos, sizeof nanos);
  return true;
}

// hrtime(BigUint64Array of one): nanoseconds of the monotonic clock, which a double cannot hold.
// Optimised code calls fast_hrtime() directly.
void hrtime(const Arguments& info) {
  const bool is_written = write_time(Realm::of(info.GetIsolate()), info[0]);
  RONDO_EXPECT(info, is_written);
}

// lib passes its own array, so there is nothing to throw.
void fast_hrtime(v8::Local<v8::Object>, v8::Local<v8::Value> out,
                 runtime::FastCallOptions& options) {
  const v8::HandleScope scope(options.isolate);
  write_time(Realm::of(options.isolate), out);
}

const runtime::FastFunction kFastNow = runtime::make_fast(fast_now);
const runtime::FastFunction kFastHrtime = runtime::make_fast(fast_hrtime);

const runtime::Method kMethods[] = {
    {"now", now, &kFastNow},
    {"loopNow", loop_now},
    {"wall", wall},
    {"timeOrigin", time_origin},
    {"hrtime", hrtime, &kFastHrtime},
};

}  // namespace

extern const runtime::Binding clock;
const runtime::Binding clock{"clock", kMethods};

}  // namespace rondo::bindings
