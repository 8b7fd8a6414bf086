#include "runtime/values/wrap.h"

namespace rondo::runtime {

// All Wraps of a realm, and the object that is cloned for each Wrap: cloning cannot fail, but
// instantiating a template fails while JavaScript is being terminated.
class Wraps {
 public:
  explicit Wraps(Realm& realm) {
    v8::Isolate* const isolate = realm.isolate();
    const v8::HandleScope handles(isolate);
    const v8::Local<v8::ObjectTemplate> shape = v8::ObjectTemplate::New(isolate);
    shape->SetInternalFieldCount(Wrap::kFields);
    const v8::Local<v8::Object> pattern = shape->NewInstance(realm.context()).ToLocalChecked();
    for (int i = 0; i < Wrap::kFields; ++i) {
      pattern->SetAlignedPointerInInternalField(i, nullptr, Wrap::kTag);
    }
    pattern_.Reset(isolate, pattern);
  }
  ~Wraps() {
    while (Wrap* wrap = all_.back()) wrap->destroy();
  }
  Wraps(const Wraps&) = delete;
  Wraps& operator=(const Wraps&) = delete;

  void add(Wrap& wrap) { all_.push_back(wrap); }
  v8::Local<v8::Object> pattern(v8::Isolate* isolate) const { return pattern_.Get(isolate); }
  template <class Visit>
  void for_each(Visit&& visit) const {
    all_.for_each(visit);
  }

 private:
  v8::Global<v8::Object> pattern_;
  List<Wrap, &Wrap::link_> all_;
};

Wrap::Wrap(Realm& realm, void* kind, v8::Local<v8::Object> pattern) : realm_(realm) {
  auto& wraps = realm.state<Wraps>();
  wraps.add(*this);
  if (pattern.IsEmpty()) pattern = wraps.pattern(realm.isolate());
  const v8::Local<v8::Object> object = pattern->Clone(realm.isolate());
  object->SetAlignedPointerInInternalField(kWrapField, this, kTag);
  object->SetAlignedPointerInInternalField(kKindField, kind, kTag);
  object_.Reset(realm.isolate(), object);
}

void Wrap::prepare(Realm& realm) { realm.state<Wraps>(); }

v8::Local<v8::Object> Wrap::make_pattern(Realm& realm, v8::Local<v8::Value> prototype) {
  v8::Isolate* const isolate = realm.isolate();
  const v8::Local<v8::Object> pattern = realm.state<Wraps>().pattern(isolate)->Clone(isolate);
  // Fails only while JavaScript is being terminated: then nothing uses the prototype.
  static_cast<void>(pattern->SetPrototypeV2(realm.context(), prototype).IsNothing());
  return pattern;
}

std::vector<Wrap*> Wrap::all(Realm& realm) {
  std::vector<Wrap*> list;
  realm.state<Wraps>().for_each([&](Wrap& wrap) { list.push_back(&wrap); });
  return list;
}

Wrap::~Wrap() { detach(); }

void Wrap::detach() {
  if (link_.is_linked()) link_.unlink();
  // Empty once the JavaScript object has been collected.
  if (object_.IsEmpty()) return;
  const v8::HandleScope handles(realm_.isolate());
  object()->SetAlignedPointerInInternalField(kWrapField, nullptr, kTag);
  object_.Reset();
}

void Wrap::release() {
  // The first pass may only reset handles; V8 calls the second pass when JavaScript objects may be
  // accessed again.
  object_.SetWeak(
      this,
      [](const v8::WeakCallbackInfo<Wrap>& info) {
        info.GetParameter()->object_.Reset();
        info.SetSecondPassCallback(
            [](const v8::WeakCallbackInfo<Wrap>& again) { again.GetParameter()->destroy(); });
      },
      v8::WeakCallbackType::kParameter);
}

}  // namespace rondo::runtime
