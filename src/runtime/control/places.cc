#include "runtime/control/places.h"

#include <algorithm>
#include <chrono>

#include "loop/internals.h"
#include "runtime/values/values.h"

namespace rondo::runtime {

namespace {

// Frames of V8's stack: about a dozen frames of lib are between user code and the creation of a
// handle.
constexpr int kMostFrames = 64;
constexpr int kMostFramesToCreationSite = 20;
// Usually enough, and each costs half a microsecond.
constexpr int kFewFrames = 6;
// A look-up takes 2 to 30 microseconds in optimised code. After kMostAtOnce look-ups, one per 5
// milliseconds costs less than one percent of the time.
constexpr int kMostAtOnce = 500;
constexpr Nanos kForOne = std::chrono::milliseconds(5);
constexpr Nanos kWindow = std::chrono::milliseconds(50);
// Limits the memory for generated programs, which may have any number of places.
constexpr size_t kMostPlaces = 10'000;

bool is_ours(const std::string& file) { return file.empty() || file.starts_with("node:"); }

// Returns false if the frame belongs to lib.
bool read_frame(v8::Isolate* isolate, v8::Local<v8::StackFrame> frame, Place* place) {
  const v8::Local<v8::String> script = frame->GetScriptNameOrSourceURL();
  if (script.IsEmpty()) return false;
  std::string file = to_std(isolate, script);
  if (is_ours(file)) return false;
  place->file = std::move(file);
  if (const v8::Local<v8::String> function = frame->GetFunctionName(); !function.IsEmpty()) {
    place->function = to_std(isolate, function);
  }
  place->line = frame->GetLineNumber();
  place->column = frame->GetColumn();
  return true;
}

}  // namespace

std::string Place::text() const {
  return (function.empty() ? "<anonymous>" : function) + " (" + file + ":" + std::to_string(line) +
         ":" + std::to_string(column) + ")";
}

std::vector<Place> stack_now(v8::Isolate* isolate, size_t most) {
  const v8::HandleScope handles(isolate);
  const v8::Local<v8::StackTrace> stack =
      v8::StackTrace::CurrentStackTrace(isolate, kMostFrames, v8::StackTrace::kDetailed);
  std::vector<Place> places;
  for (int i = 0; i < stack->GetFrameCount() && places.size() < most; ++i) {
    Place place;
    if (read_frame(isolate, stack->GetFrame(isolate, i), &place))
      places.push_back(std::move(place));
  }
  return places;
}

Place place_of(v8::Isolate* isolate, v8::Local<v8::Function> function) {
  Place place;
  const v8::Local<v8::Value> script = function->GetScriptOrigin().ResourceName();
  if (script.IsEmpty() || !script->IsString()) return place;
  std::string file = to_std(isolate, script);
  if (is_ours(file)) return place;
  place.file = std::move(file);
  place.function = to_std(isolate, function->GetDebugName());
  place.line = function->GetScriptLineNumber() + 1;
  place.column = function->GetScriptColumnNumber() + 1;
  return place;
}

CreationSites::CreationSites(v8::Isolate* isolate, Loop& loop, const int& depth)
    // Virtual time may stay at zero for a whole run: the first look-ups need no window.
    : isolate_(isolate), loop_(loop), depth_(depth), left_(kMostAtOnce) {
  loop.internals().note_creation_sites(note, this);
}

CreationSites::~CreationSites() { loop_.internals().note_creation_sites(nullptr, nullptr); }

const Place* CreationSites::find(uint32_t site) const {
  site &= ~Handle::kInherited;
  return site == 0 || site > places_.size() ? nullptr : &places_[site - 1];
}

uint32_t CreationSites::note(void* self) { return static_cast<CreationSites*>(self)->note(); }

uint32_t CreationSites::note() {
  if (assumed_ != 0) return assumed_;
  // Without JavaScript on the stack, native code creates the handle, for example for an incoming
  // connection.
  if (depth_ == 0) return 0;
  if (left_ == 0) {
    const Nanos now = loop_.now();
    if (now - window_ < kWindow) return 0;
    left_ = static_cast<int>(std::min<int64_t>((now - window_) / kForOne, kMostAtOnce));
    window_ = now;
  }
  --left_;
  const v8::HandleScope handles(isolate_);
  int seen = 0;
  for (const int most : {kFewFrames, kMostFramesToCreationSite}) {
    const v8::Local<v8::StackTrace> stack =
        v8::StackTrace::CurrentStackTrace(isolate_, most, v8::StackTrace::kDetailed);
    const int count = stack->GetFrameCount();
    for (; seen < count; ++seen) {
      Place place;
      if (read_frame(isolate_, stack->GetFrame(isolate_, seen), &place)) {
        return number_of(std::move(place));
      }
    }
    if (count < most) break;
  }
  return 0;
}

uint32_t CreationSites::number_of(Place place) {
  std::vector<uint32_t>& same_line = numbers_[{place.line, place.file}];
  for (const uint32_t number : same_line) {
    if (places_[number - 1] == place) return number;
  }
  if (places_.size() >= kMostPlaces) return 0;
  places_.push_back(std::move(place));
  same_line.push_back(static_cast<uint32_t>(places_.size()));
  return same_line.back();
}

}  // namespace rondo::runtime
