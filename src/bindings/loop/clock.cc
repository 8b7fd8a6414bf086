// internalBinding('clock'): the Clock for lib.
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

// hrtime(BigUint64Array of one): nanoseconds of the monotonic clock, which a double cannot hold.
void hrtime(const Arguments& info) {
  RONDO_EXPECT(info, info[0]->IsBigUint64Array());
  const v8::Local<v8::BigUint64Array> out = info[0].As<v8::BigUint64Array>();
  RONDO_EXPECT(info, out->Length() >= 1);
  char* const data = static_cast<char*>(out->Buffer()->GetBackingStore()->Data());
  const auto nanos =
      static_cast<uint64_t>(Realm::of(info.GetIsolate()).loop().clock().now().count());
  *reinterpret_cast<uint64_t*>(data + out->ByteOffset()) = nanos;
}

const runtime::FastFunction kFastNow = runtime::make_fast(fast_now);

const runtime::Method kMethods[] = {
    {"now", now, &kFastNow},     {"loopNow", loop_now}, {"wall", wall},
    {"timeOrigin", time_origin}, {"hrtime", hrtime},
};

}  // namespace

extern const runtime::Binding clock;
const runtime::Binding clock{"clock", kMethods};

}  // namespace rondo::bindings
