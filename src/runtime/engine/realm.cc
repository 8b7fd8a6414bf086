#include "runtime/engine/realm.h"

#include <cmath>

namespace rondo::runtime {

Realm::Realm(v8::Isolate* isolate, v8::Local<v8::Context> context, Loop& loop, RealmOptions options)
    : isolate_(isolate),
      context_(isolate, context),
      microtasks_(context->GetMicrotaskQueue()),
      loop_(loop),
      options_(std::move(options)),
      shared_(shared_before_start_.data()),
      made_at_(loop.clock().now()),
      origin_(options_.started ? options_.started->process : made_at_),
      wall_origin_ms_(wall_origin_ms()),
      descriptors_(options_.worker && options_.worker->tracks_descriptors),
      watchdog_(isolate, options_.watchdog),
      creation_sites_(isolate, loop, depth_) {
  isolate_->SetData(kIsolateSlot, this);
}

double Realm::wall_origin_ms() const {
  if (options_.started && options_.started->wall_ms) return *options_.started->wall_ms;
  return static_cast<double>((loop_.clock().wall() - (made_at_ - origin_)).count()) / 1e6;
}

Realm::~Realm() {
  drop_states();
  isolate_->SetData(kIsolateSlot, nullptr);
}

void Realm::set_hook(Hook hook, v8::Local<v8::Function> function) {
  hooks_[static_cast<size_t>(hook)].Reset(isolate_, function);
}

void Realm::set_shared(v8::Local<v8::Uint32Array> array) {
  RONDO_ASSERT(array->Length() >= static_cast<size_t>(Shared::count));
  shared_array_.Reset(isolate_, array);
  char* const bytes = static_cast<char*>(array->Buffer()->GetBackingStore()->Data());
  shared_ = reinterpret_cast<volatile uint32_t*>(bytes + array->ByteOffset());
  watchdog_.watch(&shared(Shared::callbacks), &shared(Shared::drains), &shared(Shared::has_limit));
}

double Realm::now_ms() const { return to_ms(loop_.clock().now()); }

double Realm::to_ms(Nanos instant) const {
  return static_cast<double>((instant - origin_).count()) / 1e6;
}

Nanos Realm::from_ms(double ms) const {
  // Clamped to the range of the clock.
  constexpr double kFar = 9.0e12;
  if (!(ms < kFar)) ms = kFar;
  // Rounded up: a timer must not be a nanosecond early.
  return origin_ + Nanos(static_cast<int64_t>(std::ceil(ms * 1e6)));
}

void Realm::exit(int code) {
  if (!is_exiting_) exit_code_ = code;
  is_exiting_ = true;
  loop_.stop();
  // Unwinds all JavaScript on the stack; JavaScript cannot catch this.
  if (depth_ > 0) isolate_->TerminateExecution();
}

void Realm::request_exit(int code) {
  requested_code_.store(code, std::memory_order_relaxed);
  is_exit_requested_.store(true, std::memory_order_relaxed);
  isolate_->TerminateExecution();
}

void Realm::drop_states() {
  while (!states_.empty()) states_.pop_back();
}

}  // namespace rondo::runtime
