#include "runtime/control/explored_program.h"

#include "loop/handle.h"
#include "runtime/control/places.h"
#include "runtime/engine/commons.h"
#include "runtime/engine/realm.h"
#include "runtime/values/values.h"

namespace rondo::runtime {

namespace {

constexpr int kMostFrames = 32;

std::string place_text(const std::string& file, int line, int column) {
  return file + ":" + std::to_string(line) + ":" + std::to_string(column);
}

}  // namespace

std::string ExploredProgram::here() const {
  v8::Isolate* const isolate = realm_.isolate();
  if (!isolate->InContext()) return "";
  const v8::HandleScope handles(isolate);
  const v8::Local<v8::StackTrace> stack = v8::StackTrace::CurrentStackTrace(isolate, kMostFrames);
  for (int i = 0; i < stack->GetFrameCount(); ++i) {
    const v8::Local<v8::StackFrame> frame = stack->GetFrame(isolate, static_cast<uint32_t>(i));
    const std::string script = to_std(isolate, frame->GetScriptName());
    if (script.empty() || script.starts_with("node:") || script.starts_with("internal/")) continue;
    return place_text(script, frame->GetLineNumber(), frame->GetColumn());
  }
  return "";
}

std::string ExploredProgram::maker_of(const Handle& handle) const {
  const Place* const made = realm_.creation_sites().find(handle.creation_site());
  return made == nullptr ? "" : place_text(made->file, made->line, made->column);
}

void note_outside(Realm& realm, Outside what) {
  if (realm.commons() == nullptr || realm.commons()->explored_run == nullptr) return;
  realm.commons()->explored_run->note_outside(what);
}

void note_seen_port(Realm& realm, uint16_t port) {
  if (realm.commons() == nullptr || realm.commons()->explored_run == nullptr) return;
  realm.commons()->explored_run->note_port(port);
}

}  // namespace rondo::runtime
