#include "runtime/wrap.h"

namespace rondo::runtime {

// All of a realm, and the template that their objects are made from.
class Wraps {
 public:
  explicit Wraps(Realm& realm) {
    v8::Isolate* const isolate = realm.isolate();
    const v8::HandleScope handles(isolate);
    const v8::Local<v8::ObjectTemplate> shape = v8::ObjectTemplate::New(isolate);
    shape->SetInternalFieldCount(Wrap::kFields);
    shape_.Reset(isolate, shape);
  }
  ~Wraps() {
    while (Wrap* wrap = all_.back()) wrap->destroy();
  }
  Wraps(const Wraps&) = delete;
  Wraps& operator=(const Wraps&) = delete;

  v8::Local<v8::Object> add(Wrap& wrap, v8::Local<v8::Context> context) {
    all_.push_back(wrap);
    return shape_.Get(context->GetIsolate())->NewInstance(context).ToLocalChecked();
  }

 private:
  v8::Global<v8::ObjectTemplate> shape_;
  List<Wrap, &Wrap::link_> all_;
};

Wrap::Wrap(Realm& realm, void* kind) : realm_(realm) {
  const v8::Local<v8::Object> object = realm.state<Wraps>().add(*this, realm.context());
  object->SetAlignedPointerInInternalField(kWrapField, this);
  object->SetAlignedPointerInInternalField(kKindField, kind);
  object_.Reset(realm.isolate(), object);
}

Wrap::~Wrap() {
  link_.unlink();
  // Empty if the collector took it.
  if (object_.IsEmpty()) return;
  const v8::HandleScope handles(realm_.isolate());
  object()->SetAlignedPointerInInternalField(kWrapField, nullptr);
}

void Wrap::release() {
  // The first pass may only let go; V8 comes back when JavaScript may be touched again.
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
