#include "runtime/engine/snapshot.h"

#include <memory>

#include "runtime/control/report.h"
#include "runtime/engine/builtins.h"
#include "runtime/engine/sources.h"
#include "runtime/values/values.h"

namespace rondo::runtime {

namespace {

// The file that runs first: creates the loader from the bindings and the compiled files.
constexpr const char* kLoader = "internal/bootstrap/realm";

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

// Returns the function that starts a program, or an empty handle and a message.
v8::MaybeLocal<v8::Function> bootstrap(v8::Isolate* isolate, v8::Local<v8::Context> context,
                                       const Package& package, Bindings bindings,
                                       std::string& problem) {
  const v8::TryCatch caught(isolate);
  const std::optional<size_t> number = package.find(kLoader);
  if (!number) {
    problem = std::string("there is no ") + kLoader;
    return {};
  }
  v8::Local<v8::Function> loader;
  if (!Builtins::compile(isolate, context, *number).ToLocal(&loader)) {
    problem = describe(isolate, caught, kLoader);
    return {};
  }
  std::vector<v8::Local<v8::Value>> ids;
  for (const PackedFile& file : package.files) {
    ids.push_back(to_js(isolate, file.id).ToLocalChecked());
  }
  const v8::Local<v8::Object> module = v8::Object::New(isolate);
  v8::Local<v8::Value> arguments[] = {v8::Array::New(isolate, ids.data(), ids.size()),
                                      Builtins::compile_function(isolate, context), module,
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

// Creates the code caches of all files of lib, in an isolate of the new snapshot, because a cache
// is valid only for that snapshot. Fails if a file does not compile.
bool make_caches(Package& package, Bindings bindings, const v8::StartupData& blob,
                 std::vector<std::string>& caches, std::string& problem) {
  const std::vector<intptr_t> references = external_references(bindings, package.texts);
  const std::unique_ptr<v8::ArrayBuffer::Allocator> allocator(
      v8::ArrayBuffer::Allocator::NewDefaultAllocator());
  v8::Isolate::CreateParams params;
  params.array_buffer_allocator = allocator.get();
  params.snapshot_blob = &blob;
  params.external_references = references.data();
  v8::Isolate* const isolate = v8::Isolate::New(params);
  Builtins::attach(isolate, package);
  bool is_good = true;
  {
    const v8::Isolate::Scope entered(isolate);
    const v8::HandleScope handles(isolate);
    const v8::Local<v8::Context> context = v8::Context::New(isolate);
    const v8::Context::Scope scope(context);
    for (size_t i = 0; i < package.files.size() && is_good; ++i) {
      const v8::HandleScope inner(isolate);
      const v8::TryCatch caught(isolate);
      v8::Local<v8::Function> function;
      is_good = Builtins::compile(isolate, context, i).ToLocal(&function);
      if (!is_good) {
        problem = describe(isolate, caught, std::string(package.files[i].id));
        break;
      }
      const std::unique_ptr<v8::ScriptCompiler::CachedData> cache(
          v8::ScriptCompiler::CreateCodeCacheForFunction(function));
      caches.emplace_back(reinterpret_cast<const char*>(cache->data),
                          static_cast<size_t>(cache->length));
    }
  }
  isolate->Dispose();
  return is_good;
}

}  // namespace

SnapshotResult make_snapshot(const std::vector<SourceFile>& files, Bindings bindings) {
  SnapshotResult result;
  std::vector<std::string> texts;
  texts.reserve(files.size());  // The package points into this vector.
  Package package;
  for (const SourceFile& file : files) {
    std::optional<std::string> latin1 = to_latin1(file.text);
    const bool fits = latin1.has_value();
    texts.push_back(fits ? std::move(*latin1) : file.text);
    package.files.push_back({file.id, texts.back(), fits, {}});
  }
  package.texts = make_texts(package.files);
  const std::vector<intptr_t> references = external_references(bindings, package.texts);
  v8::SnapshotCreator creator(references.data());
  v8::Isolate* const isolate = creator.GetIsolate();
  Builtins::attach(isolate, package);
  isolate->SetMicrotasksPolicy(v8::MicrotasksPolicy::kExplicit);
  bool is_good = false;
  {
    const v8::HandleScope handles(isolate);
    creator.SetDefaultContext(v8::Context::New(isolate));
    const v8::Local<v8::Context> context = v8::Context::New(isolate);
    {
      const v8::Context::Scope scope(context);
      v8::Local<v8::Function> start;
      is_good = bootstrap(isolate, context, package, bindings, result.message).ToLocal(&start);
      if (is_good) creator.AddData(context, start);
    }
    creator.AddContext(context);
  }
  // A SnapshotCreator requires a call of CreateBlob(), even if the blob is not used.
  const v8::StartupData blob = creator.CreateBlob(v8::SnapshotCreator::FunctionCodeHandling::kKeep);
  std::vector<std::string> caches;
  if (is_good && make_caches(package, bindings, blob, caches, result.message)) {
    for (size_t i = 0; i < caches.size(); ++i) package.files[i].cache = caches[i];
    result.blob = pack({v8::V8::GetVersion(), references.size()}, package.files,
                       {blob.data, static_cast<size_t>(blob.raw_size)});
  }
  delete[] blob.data;
  return result;
}

OpenSnapshot open_snapshot(std::string_view blob, Bindings bindings) {
  std::optional<Package> package = unpack(blob);
  // V8 reads its own version at a fixed offset, and aborts if the blob is shorter.
  constexpr size_t kLeastBytes = 1024;
  if (!package || package->blob.size() < kLeastBytes) {
    return {{}, {}, "the start-up snapshot is damaged"};
  }
  std::vector<intptr_t> references = external_references(bindings, package->texts);
  OpenSnapshot opened{std::move(*package), std::move(references), ""};
  const Origin& origin = opened.package.origin;
  const std::string version = v8::V8::GetVersion();
  const std::string_view bytes = opened.package.blob;
  const v8::StartupData data{bytes.data(), static_cast<int>(bytes.size())};
  if (origin.engine != version) {
    opened.problem =
        "the start-up snapshot is for V8 " + origin.engine + ", but this is V8 " + version;
  } else if (!data.IsValid()) {
    opened.problem = "the start-up snapshot is for another build of V8";
  } else if (origin.references != opened.references.size()) {
    opened.problem = "the start-up snapshot is for another version of rondo";
  }
  return opened;
}

}  // namespace rondo::runtime
