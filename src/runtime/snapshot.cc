#include "runtime/snapshot.h"

#include <memory>

#include "runtime/report.h"
#include "runtime/sources.h"
#include "runtime/values.h"

namespace rondo::runtime {

namespace {

constexpr const char* kParameters[] = {"exports",         "require",     "module",
                                       "internalBinding", "primordials", "process"};
// Runs first: makes the loader from the bindings and the compiled files.
constexpr const char* kLoader = "internal/bootstrap/realm";

// Each file is the body of a function; what a stack trace calls it is what Node's would be called.
v8::MaybeLocal<v8::Function> compile(v8::Isolate* isolate, v8::Local<v8::Context> context,
                                     const SourceFile& file, SourceText* outside) {
  v8::Local<v8::String> text;
  const v8::MaybeLocal<v8::String> made = outside != nullptr
                                              ? v8::String::NewExternalOneByte(isolate, outside)
                                              : to_js(isolate, file.text);
  if (!made.ToLocal(&text)) return {};
  const v8::ScriptOrigin origin(isolate, to_js(isolate, "node:" + file.id).ToLocalChecked());
  v8::ScriptCompiler::Source source(text, origin);
  v8::Local<v8::String> parameters[std::size(kParameters)];
  for (size_t i = 0; i < std::size(kParameters); ++i) {
    parameters[i] = literal(isolate, kParameters[i]);
  }
  return v8::ScriptCompiler::CompileFunctionInContext(context, &source, std::size(kParameters),
                                                      parameters, 0, nullptr);
}

std::string describe(v8::Isolate* isolate, const v8::TryCatch& caught, const std::string& what) {
  std::string text = "the built-in JavaScript does not run: " + what + "\n";
  if (!caught.HasCaught()) return text;
  const v8::Local<v8::Message> message = caught.Message();
  if (!message.IsEmpty()) {
    text += to_std(isolate, message->GetScriptOrigin().ResourceName()) + ":" +
            std::to_string(message->GetLineNumber(isolate->GetCurrentContext()).FromMaybe(0)) +
            "\n" + to_std(isolate, message->Get()) + "\n";
  }
  v8::Local<v8::Value> stack;
  if (caught.StackTrace(isolate->GetCurrentContext()).ToLocal(&stack) && stack->IsString()) {
    return text + to_std(isolate, stack) + "\n";
  }
  return text + to_std(isolate, caught.Exception()) + "\n";
}

// The function that starts a program, or an empty handle and a message.
v8::MaybeLocal<v8::Function> bootstrap(v8::Isolate* isolate, v8::Local<v8::Context> context,
                                       const std::vector<SourceFile>& files,
                                       const std::vector<SourceText*>& texts, Bindings bindings,
                                       std::string& problem) {
  const v8::TryCatch caught(isolate);
  const v8::Local<v8::Object> compiled =
      v8::Object::New(isolate, v8::Null(isolate), nullptr, nullptr, 0);
  v8::Local<v8::Function> loader;
  for (size_t i = 0; i < files.size(); ++i) {
    const SourceFile& file = files[i];
    v8::Local<v8::Function> function;
    if (!compile(isolate, context, file, texts[i]).ToLocal(&function)) {
      problem = describe(isolate, caught, file.id);
      return {};
    }
    if (file.id == kLoader) loader = function;
    compiled->Set(context, to_js(isolate, file.id).ToLocalChecked(), function).Check();
  }
  if (loader.IsEmpty()) {
    problem = std::string("there is no ") + kLoader;
    return {};
  }
  const v8::Local<v8::Object> module = v8::Object::New(isolate);
  v8::Local<v8::Value> arguments[] = {compiled, v8::Undefined(isolate), module,
                                      make_bindings(isolate, context, bindings)};
  v8::Local<v8::Value> start;
  if (!loader->Call(context, v8::Undefined(isolate), 4, arguments).ToLocal(&start)) {
    problem = describe(isolate, caught, kLoader);
    return {};
  }
  isolate->PerformMicrotaskCheckpoint();
  if (!start->IsFunction()) {
    problem = std::string(kLoader) + " does not return the start function";
    return {};
  }
  return start.As<v8::Function>();
}

}  // namespace

SnapshotResult make_snapshot(const std::vector<SourceFile>& files, Bindings bindings) {
  SnapshotResult result;
  // Texts of one byte per character stay outside the heap; the few others are part of it.
  std::vector<std::string> packed;
  packed.reserve(files.size());  // The resources point into it.
  SourceTexts owned;
  std::vector<SourceText*> texts;
  for (const SourceFile& file : files) {
    std::optional<std::string> latin1 = to_latin1(file.text);
    texts.push_back(nullptr);
    // V8 keeps empty strings in its heap whatever one does.
    if (!latin1 || latin1->empty()) continue;
    packed.push_back(std::move(*latin1));
    owned.push_back(std::make_unique<SourceText>(packed.back()));
    texts.back() = owned.back().get();
  }
  const std::vector<intptr_t> references = external_references(bindings, owned);
  v8::SnapshotCreator creator(references.data());
  v8::Isolate* const isolate = creator.GetIsolate();
  isolate->SetMicrotasksPolicy(v8::MicrotasksPolicy::kExplicit);
  bool is_good = false;
  {
    const v8::HandleScope handles(isolate);
    creator.SetDefaultContext(v8::Context::New(isolate));
    const v8::Local<v8::Context> context = v8::Context::New(isolate);
    {
      const v8::Context::Scope scope(context);
      v8::Local<v8::Function> start;
      is_good = bootstrap(isolate, context, files, texts, bindings, result.message).ToLocal(&start);
      if (is_good) creator.AddData(context, start);
    }
    creator.AddContext(context);
  }
  // Creating is the only way to end a SnapshotCreator, even if nobody wants the blob.
  const v8::StartupData blob = creator.CreateBlob(v8::SnapshotCreator::FunctionCodeHandling::kKeep);
  if (is_good) {
    result.blob = pack(packed, {blob.data, static_cast<size_t>(blob.raw_size)});
  }
  delete[] blob.data;
  return result;
}

}  // namespace rondo::runtime
