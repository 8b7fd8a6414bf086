#include "runtime/engine/contexts.h"

#include <utility>

namespace rondo::runtime {

namespace {

// Embedder data of a context. V8's inspector uses index 0. The realm's own context has none.
constexpr int kEntry = 1;
constexpr int kSandbox = 2;
constexpr int kImportOption = 3;
constexpr v8::EmbedderDataTypeTag kTag = v8::kEmbedderDataTypeTagDefault;

}  // namespace

Contexts::~Contexts() {
  const v8::HandleScope handles(realm_.isolate());
  while (Entry* const entry = entries_.pop_front()) {
    if (!entry->context.IsEmpty()) {
      entry->context.Get(realm_.isolate())->SetAlignedPointerInEmbedderData(kEntry, nullptr, kTag);
    }
    delete entry;
  }
}

Contexts::Entry* Contexts::entry_of(v8::Local<v8::Context> context) {
  if (context->GetNumberOfEmbedderDataFields() <= kEntry) return nullptr;
  return static_cast<Entry*>(context->GetAlignedPointerFromEmbedderData(kEntry, kTag));
}

void Contexts::add(v8::Local<v8::Context> context, Options options) {
  v8::Isolate* const isolate = realm_.isolate();
  if (entries_.is_empty()) {
    isolate->SetAllowWasmCodeGenerationCallback(
        [](v8::Local<v8::Context> caller, v8::Local<v8::String>) {
          const Entry* const entry = entry_of(caller);
          return entry == nullptr || entry->allows_wasm;
        });
  }
  context->AllowCodeGenerationFromStrings(options.allows_strings);
  context->SetEmbedderData(kImportOption, options.import_option);
  context->SetEmbedderData(kSandbox, options.sandbox.IsEmpty()
                                         ? v8::Undefined(isolate).As<v8::Value>()
                                         : options.sandbox.As<v8::Value>());
  if (has_hooks_) {
    context->SetPromiseHooks(hooks_[0].Get(isolate), hooks_[1].Get(isolate), hooks_[2].Get(isolate),
                             hooks_[3].Get(isolate));
  }
  auto* const entry =
      new Entry{{isolate, context}, std::move(options.queue), options.allows_wasm, {}};
  entries_.push_back(*entry);
  entry->context.SetWeak(
      entry,
      [](const v8::WeakCallbackInfo<Entry>& info) {
        info.GetParameter()->context.Reset();
        info.SetSecondPassCallback([](const v8::WeakCallbackInfo<Entry>& again) {
          again.GetParameter()->link.unlink();
          delete again.GetParameter();
        });
      },
      v8::WeakCallbackType::kParameter);
  context->SetAlignedPointerInEmbedderData(kEntry, entry, kTag);
}

v8::Local<v8::Value> Contexts::sandbox(v8::Local<v8::Context> context) {
  return context->GetEmbedderData(kSandbox);
}

v8::Local<v8::Value> Contexts::import_option(v8::Local<v8::Context> context) {
  return context->GetEmbedderData(kImportOption);
}

v8::MicrotaskQueue* Contexts::own_queue(v8::Local<v8::Context> context) {
  return entry_of(context)->queue.get();
}

void Contexts::set_promise_hooks(const PromiseHooks& hooks) {
  v8::Isolate* const isolate = realm_.isolate();
  has_hooks_ = false;
  for (size_t i = 0; i < hooks.size(); ++i) {
    hooks_[i].Reset(isolate, hooks[i]);
    has_hooks_ = has_hooks_ || !hooks[i].IsEmpty();
  }
  realm_.context()->SetPromiseHooks(hooks[0], hooks[1], hooks[2], hooks[3]);
  entries_.for_each([&](Entry& entry) {
    if (entry.context.IsEmpty()) return;  // Collected, and about to be removed.
    entry.context.Get(isolate)->SetPromiseHooks(hooks[0], hooks[1], hooks[2], hooks[3]);
  });
}

}  // namespace rondo::runtime
