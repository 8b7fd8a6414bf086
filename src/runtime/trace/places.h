// TracePlaces converts places in JavaScript to indexes of a trace's table of names: the definition
// of a function, or the place where the program scheduled an operation. Thread: the loop's only.
#pragma once

#include <string>
#include <unordered_map>

#include "loop/trace/file.h"
#include "runtime/engine/realm.h"
#include "runtime/trace/call_sites.h"
#include "runtime/values/v8.h"

namespace rondo::runtime {

class TracePlaces {
 public:
  explicit TracePlaces(Realm& realm)
      : isolate_(realm.isolate()), trace_(*realm.options().trace), sites_(isolate_) {}

  // The current place: the innermost frame outside lib, and the function of lib that it called,
  // such as `fs.readFile`, if any. Zero if there is none.
  using Origin = CallSites::Site;
  Origin here();
  // here() for optimised code, from the cache only: null if the caller must take the slow path with
  // here() this time.
  const Origin* known_here(void* frame) { return sites_.find(frame); }
  // The same for a function with FunctionCallbackInfo.
  const Origin* known_in_callback(void* frame) { return sites_.find_in_callback(frame); }
  // The whole stack without lib's frames; 0 if there are no others.
  uint32_t stack();
  // The place of a function's definition; 0 if it is not JavaScript.
  uint32_t of(v8::Local<v8::Function> function);

 private:
  struct Script {
    uint32_t file = 0;
    bool is_lib = false;
    std::string module;  // The public name, such as `fs`, of a file of lib.
  };
  const Script& script(int id, v8::Local<v8::Value> name);
  uint32_t frame_place(const Script& script, v8::Local<v8::StackFrame> frame);
  uint32_t function_name(v8::Local<v8::Value> name);
  Origin look(int most_frames, bool* is_complete);

  v8::Isolate* isolate_;
  TraceFile& trace_;
  CallSites sites_;
  std::unordered_map<int, Script> scripts_;  // By V8's script id.
  struct Spot {
    int script;
    int line;
    int column;
    friend bool operator==(const Spot&, const Spot&) = default;
  };
  struct SpotHash {
    size_t operator()(const Spot& spot) const {
      size_t hash = static_cast<size_t>(spot.script) * 0x9E3779B97F4A7C15u;
      hash = (hash ^ static_cast<size_t>(spot.line)) * 0x9E3779B97F4A7C15u;
      return hash ^ static_cast<size_t>(spot.column);
    }
  };
  std::unordered_map<Spot, uint32_t, SpotHash> functions_;
  std::unordered_map<Spot, uint32_t, SpotHash> calls_;
};

}  // namespace rondo::runtime
