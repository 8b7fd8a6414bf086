#include "runtime/values/binding.h"

#include "runtime/engine/builtins.h"
#include "runtime/values/values.h"

namespace rondo::runtime {

std::vector<intptr_t> external_references(Bindings bindings, const SourceTexts& texts) {
  std::vector<intptr_t> references;
  for (const Binding* binding : bindings) {
    for (const Method& method : binding->methods) {
      references.push_back(reinterpret_cast<intptr_t>(method.call));
      if (method.fast == nullptr) continue;
      references.push_back(reinterpret_cast<intptr_t>(method.fast->address));
      references.push_back(reinterpret_cast<intptr_t>(method.fast->signature));
    }
    references.insert(references.end(), binding->more_references.begin(),
                      binding->more_references.end());
  }
  references.push_back(Builtins::reference());
  for (const std::unique_ptr<SourceText>& text : texts) {
    if (!text) continue;
    // V8 refers to the text by a pointer to the base class.
    const v8::String::ExternalOneByteStringResource* const resource = text.get();
    references.push_back(reinterpret_cast<intptr_t>(resource));
  }
  references.push_back(0);
  return references;
}

v8::Local<v8::Object> make_bindings(v8::Isolate* isolate, v8::Local<v8::Context> context,
                                    Bindings bindings) {
  const v8::Local<v8::Object> all =
      v8::Object::New(isolate, v8::Null(isolate), nullptr, nullptr, 0);
  for (const Binding* binding : bindings) {
    const v8::Local<v8::Object> target = v8::Object::New(isolate);
    for (const Method& method : binding->methods) {
      const v8::Local<v8::FunctionTemplate> made = v8::FunctionTemplate::New(
          isolate, method.call, v8::Local<v8::Value>(), v8::Local<v8::Signature>(), 0,
          v8::ConstructorBehavior::kThrow, v8::SideEffectType::kHasSideEffect,
          reinterpret_cast<const v8::CFunction*>(method.fast));
      const v8::Local<v8::String> name = literal(isolate, method.name);
      const v8::Local<v8::Function> function = made->GetFunction(context).ToLocalChecked();
      function->SetName(name);
      target->Set(context, name, function).Check();
    }
    if (binding->add_constants != nullptr) binding->add_constants(isolate, target);
    all->Set(context, literal(isolate, binding->name), target).Check();
  }
  return all;
}

}  // namespace rondo::runtime
