#include "uv/run/js_place.h"

#include <dlfcn.h>

#include <cstdint>
#include <string_view>

namespace rondo::uv {

namespace {

// V8's Local<T> is a pointer in a register, and Location two numbers in one.
using Isolate = void*;
using Handle = void*;

constexpr int kMostFrames = 32;
// Of StackTrace::StackTraceOptions: line, column, name of the script.
constexpr int kDetails = 1 | 2 | 4;

template <class F>
bool find(F*& function, const char* name) {
  function = reinterpret_cast<F*>(::dlsym(RTLD_DEFAULT, name));
  return function != nullptr;
}

struct V8 {
  Isolate (*try_get_current)();
  bool (*in_context)(Isolate isolate);
  Handle (*current_stack_trace)(Isolate isolate, int most, int options);
  int (*frame_count)(Handle trace);
  Handle (*frame)(Handle trace, Isolate isolate, uint32_t index);
  Handle (*script_name)(Handle frame);
  uint64_t (*location)(Handle frame);
  void (*make_text)(void* text, Isolate isolate, Handle value);
  void (*free_text)(void* text);
  bool is_complete = false;

  V8() {
    is_complete =
        find(try_get_current, "_ZN2v87Isolate13TryGetCurrentEv") &&
        find(in_context, "_ZN2v87Isolate9InContextEv") &&
        find(current_stack_trace,
             "_ZN2v810StackTrace17CurrentStackTraceEPNS_7IsolateEiNS0_17StackTraceOptionsE") &&
        find(frame_count, "_ZNK2v810StackTrace13GetFrameCountEv") &&
        find(frame, "_ZNK2v810StackTrace8GetFrameEPNS_7IsolateEj") &&
        find(script_name, "_ZNK2v810StackFrame13GetScriptNameEv") &&
        find(location, "_ZNK2v810StackFrame11GetLocationEv") &&
        find(make_text, "_ZN2v86String9Utf8ValueC1EPNS_7IsolateENS_5LocalINS_5ValueEEE") &&
        find(free_text, "_ZN2v86String9Utf8ValueD1Ev");
  }

  std::string text_of(Isolate isolate, Handle value) const {
    // String::Utf8Value: a pointer to the text, its length, and room for a short one.
    alignas(16) char text[4096] = {};
    make_text(text, isolate, value);
    const char* const begin = *reinterpret_cast<char**>(text);
    std::string copy = begin == nullptr ? "" : begin;
    free_text(text);
    return copy;
  }
};

}  // namespace

std::string javascript_place() {
  static const V8 v8;
  if (!v8.is_complete) return "";
  Isolate const isolate = v8.try_get_current();
  // In a context there is a scope for the handles made here.
  if (isolate == nullptr || !v8.in_context(isolate)) return "";
  Handle const trace = v8.current_stack_trace(isolate, kMostFrames, kDetails);
  if (trace == nullptr) return "";
  const int count = v8.frame_count(trace);
  for (int i = 0; i < count; ++i) {
    Handle const frame = v8.frame(trace, isolate, static_cast<uint32_t>(i));
    Handle const name = v8.script_name(frame);
    if (name == nullptr) continue;
    std::string file = v8.text_of(isolate, name);
    constexpr std::string_view kUrl = "file://";
    if (file.starts_with(kUrl)) file.erase(0, kUrl.size());
    if (file.empty() || file[0] != '/') continue;  // "node:fs", or code without a file.
    const uint64_t location = v8.location(frame);
    const auto line = static_cast<uint32_t>(location) + 1;
    const auto column = static_cast<uint32_t>(location >> 32) + 1;
    return file + ":" + std::to_string(line) + ":" + std::to_string(column);
  }
  return "";
}

}  // namespace rondo::uv
