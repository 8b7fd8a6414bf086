// internalBinding('vm_contexts'): the contexts of vm, and the memory that they use.
#include "runtime/engine/contexts.h"

#include <optional>

#include "bindings/vm/code.h"
#include "bindings/vm/sandbox.h"
#include "runtime/values/binding.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::Contexts;
using runtime::literal;
using runtime::Realm;

struct Template {
  explicit Template(Realm& realm) {
    const v8::HandleScope handles(realm.isolate());
    sandboxed.Reset(realm.isolate(), sandboxed_global(realm.isolate()));
  }
  v8::Global<v8::ObjectTemplate> sandboxed;
};

// Removes names that Node removes from every context.
void remove_old_names(v8::Isolate* isolate, v8::Local<v8::Context> context) {
  v8::Local<v8::Value> intl;
  if (!context->Global()->Get(context, literal(isolate, "Intl")).ToLocal(&intl)) return;
  if (!intl->IsObject()) return;
  [[maybe_unused]] const v8::Maybe<bool> done =
      intl.As<v8::Object>()->Delete(context, literal(isolate, "v8BreakIterator"));
}

// The global object gets the name of the sandbox's class, for Object.prototype.toString().
bool copy_class_name(v8::Isolate* isolate, v8::Local<v8::Context> context,
                     v8::Local<v8::Object> sandbox) {
  const v8::Local<v8::String> name = sandbox->GetConstructorName();
  if (name->StringEquals(literal(isolate, "Object"))) return true;
  return context->Global()
      ->DefineOwnProperty(context, v8::Symbol::GetToStringTag(isolate), name, v8::DontEnum)
      .IsJust();
}

// makeContext(sandbox or undefined, allow strings, allow wasm, has its own microtask queue, import
// option) => sandbox or the global object
void make_context(const Arguments& args) {
  v8::Isolate* const isolate = args.GetIsolate();
  RONDO_EXPECT(args, args[0]->IsObject() || args[0]->IsUndefined());
  RONDO_EXPECT(args, args[4]->IsSymbol());
  Realm& realm = Realm::of(isolate);
  Contexts::Options options;
  options.allows_strings = args[1]->IsTrue();
  options.allows_wasm = args[2]->IsTrue();
  options.import_option = args[4].As<v8::Symbol>();
  if (args[3]->IsTrue()) {
    options.queue = v8::MicrotaskQueue::New(isolate, v8::MicrotasksPolicy::kExplicit);
  }
  v8::Local<v8::ObjectTemplate> global;
  if (args[0]->IsObject()) {
    options.sandbox = args[0].As<v8::Object>();
    global = realm.state<Template>().sandboxed.Get(isolate);
  }
  const v8::Local<v8::Context> context =
      v8::Context::New(isolate, nullptr, global, {}, v8::DeserializeInternalFieldsCallback(),
                       options.queue ? options.queue.get() : &realm.microtasks());
  if (context.IsEmpty()) return;  // The stack has overflowed, or the program ends.
  isolate->InstallConditionalFeatures(context);
  remove_old_names(isolate, context);
  context->SetSecurityToken(realm.context()->GetSecurityToken());
  const v8::Local<v8::Object> holder =
      args[0]->IsObject() ? args[0].As<v8::Object>() : context->Global();
  if (args[0]->IsObject()) {
    const v8::Context::Scope scope(context);
    if (!copy_class_name(isolate, context, holder)) return;
  }
  realm.state<Contexts>().add(context, std::move(options));
  if (set_context_of(isolate, holder, context)) args.GetReturnValue().Set(holder);
}

void is_context(const Arguments& args) {
  args.GetReturnValue().Set(!context_of(args.GetIsolate(), args[0]).IsEmpty());
}

// measureMemory(mode, execution) => promise
void measure_memory(const Arguments& args) {
  v8::Isolate* const isolate = args.GetIsolate();
  RONDO_EXPECT(args, args[0]->IsInt32() && args[1]->IsInt32());
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  v8::Local<v8::Promise::Resolver> resolver;
  if (!v8::Promise::Resolver::New(context).ToLocal(&resolver)) return;
  isolate->MeasureMemory(v8::MeasureMemoryDelegate::Default(
                             isolate, context, resolver,
                             static_cast<v8::MeasureMemoryMode>(args[0].As<v8::Int32>()->Value())),
                         static_cast<v8::MeasureMemoryExecution>(args[1].As<v8::Int32>()->Value()));
  args.GetReturnValue().Set(resolver->GetPromise());
}

void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  const auto number = [](auto value) { return static_cast<double>(value); };
  runtime::set(isolate, target, "kSummary", number(v8::MeasureMemoryMode::kSummary));
  runtime::set(isolate, target, "kDetailed", number(v8::MeasureMemoryMode::kDetailed));
  runtime::set(isolate, target, "kDefault", number(v8::MeasureMemoryExecution::kDefault));
  runtime::set(isolate, target, "kEager", number(v8::MeasureMemoryExecution::kEager));
}

constexpr runtime::Method kMethods[] = {
    {"makeContext", make_context},
    {"isContext", is_context},
    {"measureMemory", measure_memory},
};

}  // namespace

extern const runtime::Binding vm_contexts;
const runtime::Binding vm_contexts{"vm_contexts", kMethods, add_constants};

}  // namespace rondo::bindings
