// Remembers what a stack of JavaScript stood for. To ask V8 where the program is costs
// microseconds, and a trace asks for every timer and promise; but a program asks for them from few
// places, and the return addresses on the stack, down to the first function that is the program's
// own, tell them apart. Code moves or goes only when V8 compacts its heap: then all is forgotten.
//
// What is relied upon is how V8 lays out frames on x86-64, as its own profiler does: frames are
// linked by their frame pointers, a function of JavaScript is in the second slot below, and one
// that is interpreted has its bytecode and its position in the two slots after the number of
// arguments. Elsewhere nothing is ever found. Thread: the loop's only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/v8.h"

namespace rondo::runtime {

class CallSites {
 public:
  struct Site {
    uint32_t place = 0;
    uint32_t called = 0;
  };

  explicit CallSites(v8::Isolate* isolate);
  ~CallSites();
  CallSites(const CallSites&) = delete;
  CallSites& operator=(const CallSites&) = delete;

  // From a function that optimised code calls directly, with its __builtin_frame_address(0). Null:
  // not known yet; then the same call is to be made the slow way, and learn() called there.
  const Site* find(void* frame) {
#if defined(__x86_64__)
    // Mostly it is the way that led here the last time.
    const auto* own = static_cast<const uintptr_t*>(frame);
    const Path& path = paths_[path_at(own[1])];
    for (size_t i = 0; i < path.count && own[1] == path.pcs[i];
         own = reinterpret_cast<const uintptr_t*>(own[0])) {
      if (++i == path.count) return &path.site;
    }
#endif
    return search(frame);
  }
  // What the stack of the last find() stands for, while it still stands. `is_own` tells of a
  // function whether it is the program's, `entered` is the one that native code called first.
  template <class IsOwn>
  void learn(Site site, v8::Local<v8::Value> entered, IsOwn is_own) {
    const size_t needed = is_pending_ ? needed_depth(entered, is_own) : 0;
    is_pending_ = false;
    if (needed > 0) insert(site, needed);
  }
  void drop_pending() { is_pending_ = false; }

 private:
  static constexpr size_t kMostFrames = 32;
  static constexpr size_t kSlots = 4096;
  static constexpr size_t kPaths = 512;
  static constexpr size_t kLongestPath = 6;
  enum class End : uint8_t { entry, microtasks, unknown };
  struct Entry {
    uint64_t key = 0;
    Site site;
  };
  // Of the calls that return to one place: how many frames are needed to tell them apart, and the
  // return addresses of the last one, if these say all: they are followed without a look at
  // anything else, since what returns into code of JavaScript has its frame.
  struct Path {
    uintptr_t pc = 0;
    size_t depth = 0;
    Site site;
    size_t count = 0;
    std::array<uintptr_t, kLongestPath> pcs{};

    void set(const Site& of, const std::array<uintptr_t, kLongestPath>& from, size_t frames) {
      site = of;
      pcs = from;
      count = frames;
    }
  };
  struct Range {
    uintptr_t from = 0;
    uintptr_t size = 0;
    bool holds(uintptr_t pc) const { return pc - from < size; }
  };

  static Range range_of(const v8::MemoryRange& memory) {
    return {reinterpret_cast<uintptr_t>(memory.start), memory.length_in_bytes};
  }
  static size_t path_at(uintptr_t pc) { return (pc >> 2) % kPaths; }
  const Site* search(void* frame);
  bool is_interpreted(const uintptr_t* frame, uintptr_t pc) const;
  bool is_entry(uintptr_t pc) const;
  // Goes on to the next frame outwards: false where JavaScript ends.
  bool step(uintptr_t** frame, uintptr_t* pc) const;
  // What tells a frame apart from all others of the same code.
  uint64_t mix(uint64_t hash, const uintptr_t* frame, uintptr_t pc) const;
  void forget_all();
  static void on_collected(v8::Isolate* isolate, v8::GCType type, v8::GCCallbackFlags flags,
                           void* self);
  void insert(Site site, size_t needed);
  void walk_on();

  template <class IsOwn>
  size_t needed_depth(v8::Local<v8::Value> entered, IsOwn is_own) {
    walk_on();
    v8::Local<v8::Value> outermost;
    for (size_t i = 0; i < count_; ++i) {
      const v8::Local<v8::Value> function = function_of(frames_[i]);
      if (function.IsEmpty() || !function->IsFunction()) continue;
      if (is_own(function.As<v8::Function>())) return i + 1;
      outermost = function;
    }
    // None, unless it was compiled into one of lib's. If that is all there is on the stack, and not
    // a call from V8's own code in the middle of the program, it still says everything.
    if (end_ == End::microtasks) return count_;
    const bool is_all = end_ == End::entry && !outermost.IsEmpty() && outermost == entered;
    return is_all ? count_ : 0;
  }
  static v8::Local<v8::Value> function_of(uintptr_t* frame);

  v8::Isolate* isolate_;
  uintptr_t stack_end_ = 0;
  Range builtins_;
  Range entry_;
  Range construct_entry_;
  Range microtasks_entry_;
  bool is_entry_elsewhere_ = false;
  std::vector<Entry> entries_;
  std::array<Path, kPaths> paths_{};
  size_t used_ = 0;

  // Of the last find() that found nothing.
  bool is_pending_ = false;
  End end_ = End::unknown;
  size_t count_ = 0;
  std::array<uintptr_t*, kMostFrames> frames_{};
  std::array<uintptr_t, kMostFrames> pcs_{};
  uintptr_t* first_frame_ = nullptr;
  uintptr_t first_pc_ = 0;
};

}  // namespace rondo::runtime
