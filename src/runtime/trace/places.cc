#include "runtime/trace/places.h"

#include "runtime/engine/realm.h"
#include "runtime/values/values.h"

namespace rondo::runtime {

namespace {

// Enough to reach user code in nearly all cases, and cheap.
constexpr int kFewFrames = 10;
constexpr int kMostFrames = 100;

// Converts a file of lib to the public name of its module: `node:internal/fs/promises` is
// `fs.promises`.
std::string public_name(std::string_view file) {
  file.remove_prefix(5);  // Removes "node:".
  std::string_view name = file;
  if (name.starts_with("internal/")) name.remove_prefix(9);
  if (name == "fs/promises" || name == "fs/file_handle") return "fs.promises";
  if (name == "dns/promise_resolver") return "dns.promises";
  if (name == "timers/promises") return "timers.promises";
  if (name.starts_with("webstreams")) return "stream/web";
  if (name.starts_with("streams")) return "stream";
  const size_t slash = name.find('/');
  name = name.substr(0, slash);
  for (const std::string_view known :
       {"fs", "net", "dns", "crypto", "child_process", "timers", "stream", "process", "readline",
        "worker_threads", "events"}) {
    if (name == known) return std::string(known);
  }
  if (name == "worker") return "worker_threads";
  return {};
}

}  // namespace

const TracePlaces::Script& TracePlaces::script(int id, v8::Local<v8::Value> name) {
  const auto found = scripts_.find(id);
  if (found != scripts_.end()) return found->second;
  Script script;
  std::string file = name.IsEmpty() || !name->IsString() ? std::string() : to_std(isolate_, name);
  script.is_lib = file.empty() || file.starts_with("node:");
  if (file.starts_with("node:")) script.module = public_name(file);
  // The same notation for CommonJS and ES modules.
  if (file.starts_with("file://")) file = file.substr(7);
  if (!file.empty()) script.file = trace_.ring().text(file);
  return scripts_.emplace(id, std::move(script)).first->second;
}

uint32_t TracePlaces::function_name(v8::Local<v8::Value> name) {
  if (name.IsEmpty() || !name->IsString() || name.As<v8::String>()->Length() == 0) return 0;
  return trace_.ring().text(to_std(isolate_, name));
}

uint32_t TracePlaces::frame_place(const Script& script, v8::Local<v8::StackFrame> frame) {
  const Spot spot{frame->GetScriptId(), frame->GetLineNumber(), frame->GetColumn()};
  const auto found = calls_.find(spot);
  if (found != calls_.end()) return found->second;
  const uint32_t place =
      trace_.ring().place(function_name(frame->GetFunctionName()), script.file,
                          static_cast<uint32_t>(spot.line), static_cast<uint32_t>(spot.column));
  calls_.emplace(spot, place);
  return place;
}

TracePlaces::Origin TracePlaces::look(int most_frames, bool* is_complete) {
  const v8::HandleScope handles(isolate_);
  const v8::Local<v8::StackTrace> stack =
      v8::StackTrace::CurrentStackTrace(isolate_, most_frames, v8::StackTrace::kDetailed);
  const int count = stack->GetFrameCount();
  Origin origin;
  v8::Local<v8::StackFrame> called;
  const Script* called_script = nullptr;
  for (int i = 0; i < count; ++i) {
    const v8::Local<v8::StackFrame> frame = stack->GetFrame(isolate_, static_cast<uint32_t>(i));
    const Script& of_frame = script(frame->GetScriptId(), frame->GetScriptName());
    if (of_frame.is_lib) {
      if (!of_frame.module.empty()) {
        called = frame;
        called_script = &of_frame;
      }
      continue;
    }
    origin.place = frame_place(of_frame, frame);
    break;
  }
  if (called_script != nullptr && origin.place != 0) {
    const v8::Local<v8::String> name = called->GetFunctionName();
    if (!name.IsEmpty() && name->Length() > 0) {
      origin.called = trace_.ring().text(called_script->module + "." + to_std(isolate_, name));
    }
  }
  *is_complete = origin.place != 0 || count < most_frames;
  return origin;
}

TracePlaces::Origin TracePlaces::here() {
  bool is_complete = false;
  Origin origin = look(kFewFrames, &is_complete);
  if (!is_complete) origin = look(kMostFrames, &is_complete);
  const v8::HandleScope handles(isolate_);
  Realm& realm = Realm::of(isolate_);
  sites_.learn(origin, realm.entered(), [this](v8::Local<v8::Function> function) {
    const int id = function->ScriptId();
    return id != v8::UnboundScript::kNoScriptId &&
           !script(id, function->GetScriptOrigin().ResourceName()).is_lib;
  });
  return origin;
}

uint32_t TracePlaces::stack() {
  const v8::HandleScope handles(isolate_);
  const v8::Local<v8::StackTrace> stack =
      v8::StackTrace::CurrentStackTrace(isolate_, kMostFrames, v8::StackTrace::kDetailed);
  std::vector<uint32_t> places;
  for (int i = 0; i < stack->GetFrameCount(); ++i) {
    const v8::Local<v8::StackFrame> frame = stack->GetFrame(isolate_, static_cast<uint32_t>(i));
    const Script& of_frame = script(frame->GetScriptId(), frame->GetScriptName());
    if (!of_frame.is_lib) places.push_back(frame_place(of_frame, frame));
  }
  return places.empty() ? 0 : trace_.ring().stack(places);
}

uint32_t TracePlaces::of(v8::Local<v8::Function> function) {
  for (v8::Local<v8::Value> bound = function->GetBoundFunction(); bound->IsFunction();
       bound = function->GetBoundFunction()) {
    function = bound.As<v8::Function>();
  }
  const Spot spot{function->ScriptId(), function->GetScriptLineNumber(),
                  function->GetScriptColumnNumber()};
  if (spot.script == v8::UnboundScript::kNoScriptId) return 0;
  const auto found = functions_.find(spot);
  if (found != functions_.end()) return found->second;
  const Script& own = script(spot.script, function->GetScriptOrigin().ResourceName());
  uint32_t name = function_name(function->GetDebugName());
  if (name == 0) name = function_name(function->GetInferredName());
  const uint32_t place = trace_.ring().place(name, own.file, static_cast<uint32_t>(spot.line + 1),
                                             static_cast<uint32_t>(spot.column + 1));
  functions_.emplace(spot, place);
  return place;
}

}  // namespace rondo::runtime
