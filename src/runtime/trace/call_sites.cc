#include "runtime/trace/call_sites.h"

#include <pthread.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace rondo::runtime {

namespace {

constexpr uint64_t kSeed = 0x9E3779B97F4A7C15u;
// Marks the end of a complete stack, so that it does not match the beginning of a longer one.
constexpr uint64_t kEndMark = 0xD1B54A32D192ED03u;

uint64_t mixed(uint64_t hash, uint64_t word) { return (std::rotl(hash, 29) ^ word) * kSeed; }
// Never zero, which marks an empty slot.
uint64_t finished(uint64_t hash) { return (hash ^ hash >> 32) | 1; }

// The upper end of this thread's stack.
uintptr_t end_of_stack() {
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return 0;
  void* from = nullptr;
  size_t size = 0;
  ::pthread_attr_getstack(&attributes, &from, &size);
  ::pthread_attr_destroy(&attributes);
  return reinterpret_cast<uintptr_t>(from) + size;
}

// True if a word of a frame is a small integer (Smi) of V8.
bool is_small_number(uintptr_t word) { return (word & 0xFFFFFFFFu) == 0; }
bool is_object(uintptr_t word) { return (word & 3) == 1; }

}  // namespace

CallSites::CallSites(v8::Isolate* isolate)
    : isolate_(isolate), stack_end_(end_of_stack()), entries_(kSlots) {
  const void* from = nullptr;
  size_t size = 0;
  isolate->GetEmbeddedCodeRange(&from, &size);
  builtins_ = {reinterpret_cast<uintptr_t>(from), size};
  const v8::JSEntryStubs stubs = isolate->GetJSEntryStubs();
  entry_ = range_of(stubs.js_entry_stub.code);
  construct_entry_ = range_of(stubs.js_construct_entry_stub.code);
  microtasks_entry_ = range_of(stubs.js_run_microtasks_entry_stub.code);
  is_entry_elsewhere_ = !builtins_.holds(entry_.from) || !builtins_.holds(construct_entry_.from) ||
                        !builtins_.holds(microtasks_entry_.from);
  isolate->AddGCEpilogueCallback(on_collected, this, v8::kGCTypeMarkSweepCompact);
}

CallSites::~CallSites() { isolate_->RemoveGCEpilogueCallback(on_collected, this); }

void CallSites::on_collected(v8::Isolate*, v8::GCType, v8::GCCallbackFlags, void* self) {
  static_cast<CallSites*>(self)->forget_all();
}

void CallSites::forget_all() {
  if (used_ == 0) return;
  std::fill(entries_.begin(), entries_.end(), Entry{});
  used_ = 0;
  paths_ = {};
  is_pending_ = false;
}

// True if `pc` is in the code that enters JavaScript, which is in the range of builtins, unlike the
// code of most frames.
inline bool CallSites::is_entry(uintptr_t pc) const {
  return (builtins_.holds(pc) || is_entry_elsewhere_) &&
         (entry_.holds(pc) || microtasks_entry_.holds(pc) || construct_entry_.holds(pc));
}

inline bool CallSites::step(uintptr_t** frame, uintptr_t* pc) const {
  uintptr_t* const own = *frame;
  const auto outer = own[0];
  *pc = own[1];
  if (is_entry(*pc)) return false;
  // Native frames may not maintain the frame pointer: treat it as untrusted.
  if (outer <= reinterpret_cast<uintptr_t>(own) || outer + 64 > stack_end_ || outer % 8 != 0) {
    return false;
  }
  *frame = reinterpret_cast<uintptr_t*>(outer);
  return true;
}

// True for a frame of an interpreted function: all of these return to the same few addresses of the
// interpreter.
inline bool CallSites::is_interpreted(const uintptr_t* frame, uintptr_t pc) const {
  return builtins_.holds(pc) && is_object(frame[-4]) && is_small_number(frame[-5]);
}

inline uint64_t CallSites::mix(uint64_t hash, const uintptr_t* frame, uintptr_t pc) const {
  hash = mixed(hash, pc);
  if (is_interpreted(frame, pc)) hash = mixed(mixed(hash, frame[-4]), frame[-5]);
  return hash;
}

const CallSites::Site* CallSites::search(void* frame_address) {
#if defined(__x86_64__)
  auto* const own = static_cast<uintptr_t*>(frame_address);
  auto* frame = reinterpret_cast<uintptr_t*>(own[0]);
  uintptr_t pc = own[1];
  Path& path = paths_[path_at(pc)];
  first_frame_ = frame;
  first_pc_ = pc;
  is_pending_ = true;
  if (path.pc != pc) return nullptr;
  std::array<uintptr_t, kLongestPath> pcs{pc};
  bool says_all = path.depth <= kLongestPath && !is_interpreted(frame, pc);
  uint64_t hash = mix(kSeed, frame, pc);
  for (size_t i = 1; i < path.depth; ++i) {
    if (!step(&frame, &pc)) {
      hash = mixed(hash, kEndMark);
      says_all = false;
      break;
    }
    hash = mix(hash, frame, pc);
    says_all = says_all && !is_interpreted(frame, pc);
    if (says_all) pcs[i] = pc;
  }
  hash = finished(hash);
  for (size_t at = hash >> 8;; ++at) {
    const Entry& entry = entries_[at % kSlots];
    if (entry.key == hash) {
      is_pending_ = false;
      path.set(entry.site, pcs, says_all ? path.depth : 0);
      return &entry.site;
    }
    if (entry.key == 0) return nullptr;
  }
#else
  static_cast<void>(frame_address);
  return nullptr;
#endif
}

// Collects all frames of the stack that find() did not know.
void CallSites::walk_on() {
  uintptr_t* frame = first_frame_;
  uintptr_t pc = first_pc_;
  count_ = 0;
  end_ = End::unknown;
  for (;;) {
    frames_[count_] = frame;
    pcs_[count_] = pc;
    ++count_;
    if (count_ == kMostFrames) return;
    if (!step(&frame, &pc)) break;
  }
  if (entry_.holds(pc)) end_ = End::entry;
  if (microtasks_entry_.holds(pc)) end_ = End::microtasks;
}

v8::Local<v8::Value> CallSites::function_of(uintptr_t* frame) {
  // The frame of a function begins with its context; other frames begin with a number for their
  // type.
  if (!is_object(frame[-1]) || !is_object(frame[-2])) return {};
  uintptr_t* const slot = frame - 2;
  v8::Local<v8::Value> value;
  static_assert(sizeof value == sizeof slot);
  std::memcpy(static_cast<void*>(&value), &slot, sizeof slot);
  return value;
}

void CallSites::insert(Site site, size_t needed) {
  if (used_ > kSlots / 2) forget_all();
  Path& path = paths_[path_at(first_pc_)];
  if (path.pc != first_pc_) path.depth = 0;
  path.pc = first_pc_;
  path.depth = std::max(path.depth, needed);
  path.count = 0;  // The number of frames needed may have changed.
  uint64_t hash = mix(kSeed, frames_[0], pcs_[0]);
  for (size_t i = 1; i < path.depth; ++i) {
    if (i >= count_) {
      // The stack is longer than the limit, so that it could not be found again.
      if (count_ == kMostFrames) return;
      hash = mixed(hash, kEndMark);
      break;
    }
    hash = mix(hash, frames_[i], pcs_[i]);
  }
  hash = finished(hash);
  size_t at = hash >> 8;
  while (entries_[at % kSlots].key != 0 && entries_[at % kSlots].key != hash) ++at;
  if (entries_[at % kSlots].key == 0) ++used_;
  entries_[at % kSlots] = {hash, site};
}

}  // namespace rondo::runtime
