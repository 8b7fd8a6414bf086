// CallSites is a cache from JavaScript stacks to their source places. Querying V8 for the place
// takes microseconds, and a trace needs it for every timer and promise. But a program creates them
// in few places, and the return addresses on the stack, down to the first function of user code,
// identify the place. Code moves or is freed only when V8 compacts its heap: then the cache is
// cleared.
//
// This relies on V8's frame layout on x86-64, as V8's own profiler does: frames are linked by their
// frame pointers, the JavaScript function is in the second slot below, and an interpreted function
// has its bytecode and position in the two slots after the number of arguments. On other
// architectures the cache never finds a place. Thread: the loop's only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/values/v8.h"

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

  // Returns the site of the current stack; null if it is unknown: then take the slow path and call
  // learn() there. Call this in a function that optimised code calls directly, with its
  // __builtin_frame_address(0).
  const Site* find(void* frame) {
#if defined(__x86_64__)
    // Usually the path is the same as the last time.
    const auto* own = static_cast<const uintptr_t*>(frame);
    const Path& path = paths_[path_at(own[1])];
    for (size_t i = 0; i < path.count && own[1] == path.pcs[i];
         own = reinterpret_cast<const uintptr_t*>(own[0])) {
      if (++i == path.count) return &path.site;
    }
#endif
    return search(frame);
  }
  // The same for a function with FunctionCallbackInfo, unless native code of V8 is between it and
  // JavaScript.
  const Site* find_in_callback(void* frame) {
    const auto* const own = static_cast<const uintptr_t*>(frame);
    if (!builtins_.holds(own[1])) return nullptr;
    // The frame of the builtin is as that of a function that optimised code calls.
    return find(reinterpret_cast<void*>(own[0]));
  }
  // Stores the site of the stack of the last find(), which must still be on the stack. `is_own`
  // returns true for functions of user code, `entered` is the function that native code called
  // first.
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
  // For calls that return to one address: the number of frames needed to distinguish them, and the
  // return addresses of the last call if these are sufficient. They are compared without further
  // checks, since a return address in JavaScript code implies its frame.
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
  // Goes to the next outer frame. Returns false where JavaScript ends.
  bool step(uintptr_t** frame, uintptr_t* pc) const;
  // Hashes the data that distinguishes this frame from others of the same code.
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
    // There is no function of user code, unless it was inlined into a function of lib. If the stack
    // has no other frames, and is not a call from V8's own code inside user code, it is still
    // sufficient.
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

  // State of the last find() that failed.
  bool is_pending_ = false;
  End end_ = End::unknown;
  size_t count_ = 0;
  std::array<uintptr_t*, kMostFrames> frames_{};
  std::array<uintptr_t, kMostFrames> pcs_{};
  uintptr_t* first_frame_ = nullptr;
  uintptr_t first_pc_ = 0;
};

}  // namespace rondo::runtime
