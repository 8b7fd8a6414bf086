// internalBinding('v8_profile'): CPU, heap and garbage collector profiles for node:v8, and queries
// about objects and strings.
#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/engine/realm.h"
#include "runtime/values/binding.h"
#include "runtime/values/values.h"

#include <v8-profiler.h>

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::Realm;

class TextStream final : public v8::OutputStream {
 public:
  void EndOfStream() override {}
  WriteResult WriteAsciiChunk(char* data, int size) override {
    text_.append(data, static_cast<size_t>(size));
    return kContinue;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// The profiler of an isolate: created for the first profile, freed after the last.
class CpuProfiles {
 public:
  explicit CpuProfiles(Realm& realm) : realm_(realm) {}
  // The thread of a profiler that is disposed of while it records would use freed memory.
  ~CpuProfiles() {
    const v8::HandleScope handles(realm_.isolate());
    for (const v8::ProfilerId id : active_) {
      if (v8::CpuProfile* const profile = profiler_->Stop(id)) profile->Delete();
    }
    if (profiler_ != nullptr) profiler_->Dispose();
  }
  CpuProfiles(const CpuProfiles&) = delete;
  CpuProfiles& operator=(const CpuProfiles&) = delete;

  v8::CpuProfilingResult start(int interval_us, unsigned max_samples) {
    if (profiler_ == nullptr) profiler_ = v8::CpuProfiler::New(realm_.isolate());
    v8::CpuProfilingOptions options(v8::kLeafNodeLineNumbers, max_samples, interval_us);
    const v8::CpuProfilingResult result = profiler_->Start(std::move(options));
    if (result.status == v8::CpuProfilingStatus::kStarted) active_.push_back(result.id);
    dispose_if_idle();
    return result;
  }

  // False if there is no such profile.
  bool stop(v8::ProfilerId id, TextStream& stream) {
    const auto found = std::find(active_.begin(), active_.end(), id);
    if (found == active_.end()) return false;
    active_.erase(found);
    v8::CpuProfile* const profile = profiler_->Stop(id);
    if (profile != nullptr) {
      profile->Serialize(&stream);
      profile->Delete();
    }
    dispose_if_idle();
    return profile != nullptr;
  }

 private:
  void dispose_if_idle() {
    if (!active_.empty()) return;
    profiler_->Dispose();
    profiler_ = nullptr;
  }

  Realm& realm_;
  v8::CpuProfiler* profiler_ = nullptr;
  std::vector<v8::ProfilerId> active_;
};

// startCpuProfile(microseconds, most samples): its number, or undefined if there are too many.
void start_cpu_profile(const Arguments& info) {
  RONDO_EXPECT(info, info[0]->IsInt32() && info[0].As<v8::Int32>()->Value() >= 0);
  RONDO_EXPECT(info, info[1]->IsUint32() && info[1].As<v8::Uint32>()->Value() > 0);
  const v8::CpuProfilingResult result =
      Realm::of(info.GetIsolate())
          .state<CpuProfiles>()
          .start(info[0].As<v8::Int32>()->Value(), info[1].As<v8::Uint32>()->Value());
  if (result.status != v8::CpuProfilingStatus::kStarted) return;
  info.GetReturnValue().Set(static_cast<double>(result.id));
}

void return_text(const Arguments& info, const std::string& text) {
  v8::Local<v8::String> result;
  if (v8::String::NewFromUtf8(info.GetIsolate(), text.data(), v8::NewStringType::kNormal,
                              static_cast<int>(text.size()))
          .ToLocal(&result)) {
    info.GetReturnValue().Set(result);
  }
}

// stopCpuProfile(number): JSON, or undefined.
void stop_cpu_profile(const Arguments& info) {
  RONDO_EXPECT(info, info[0]->IsUint32());
  TextStream stream;
  if (!Realm::of(info.GetIsolate())
           .state<CpuProfiles>()
           .stop(info[0].As<v8::Uint32>()->Value(), stream)) {
    return;
  }
  return_text(info, stream.text());
}

// startHeapProfile(bytes, depth, flags): false if one is running.
void start_heap_profile(const Arguments& info) {
  RONDO_EXPECT(info, info[0]->IsNumber() && info[0].As<v8::Number>()->Value() >= 1 &&
                         info[0].As<v8::Number>()->Value() <= 9007199254740991.0);
  RONDO_EXPECT(info, info[1]->IsInt32() && info[1].As<v8::Int32>()->Value() >= 0);
  RONDO_EXPECT(info, info[2]->IsUint32() && info[2].As<v8::Uint32>()->Value() <= 7);
  info.GetReturnValue().Set(info.GetIsolate()->GetHeapProfiler()->StartSamplingHeapProfiler(
      static_cast<uint64_t>(info[0].As<v8::Number>()->Value()), info[1].As<v8::Int32>()->Value(),
      static_cast<v8::HeapProfiler::SamplingFlags>(info[2].As<v8::Int32>()->Value())));
}

v8::Local<v8::Object> to_object(v8::Isolate* isolate, const v8::AllocationProfile::Node& node) {
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  const v8::Local<v8::Object> frame = v8::Object::New(isolate);
  runtime::set(isolate, frame, "scriptId", static_cast<double>(node.script_id));
  runtime::set(isolate, frame, "lineNumber", static_cast<double>(node.line_number - 1));
  runtime::set(isolate, frame, "columnNumber", static_cast<double>(node.column_number - 1));
  runtime::set(isolate, frame, "functionName", node.name.As<v8::Value>());
  runtime::set(isolate, frame, "url", node.script_name.As<v8::Value>());
  double size = 0;
  for (const auto& one : node.allocations) size += static_cast<double>(one.size) * one.count;
  const v8::Local<v8::Object> result = v8::Object::New(isolate);
  runtime::set(isolate, result, "selfSize", size);
  runtime::set(isolate, result, "id", static_cast<double>(node.node_id));
  runtime::set(isolate, result, "callFrame", frame.As<v8::Value>());
  const v8::Local<v8::Array> children =
      v8::Array::New(isolate, static_cast<int>(node.children.size()));
  for (size_t i = 0; i < node.children.size(); ++i) {
    const v8::HandleScope handles(isolate);
    children->Set(context, static_cast<uint32_t>(i), to_object(isolate, *node.children[i])).Check();
  }
  runtime::set(isolate, result, "children", children.As<v8::Value>());
  return result;
}

// stopHeapProfile(): { samples, head }, or undefined if none is running.
void stop_heap_profile(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  v8::HeapProfiler* const profiler = isolate->GetHeapProfiler();
  const std::unique_ptr<v8::AllocationProfile> profile(profiler->GetAllocationProfile());
  if (profile == nullptr) return;
  std::vector<v8::Local<v8::Value>> samples;
  for (const auto& sample : profile->GetSamples()) {
    const v8::Local<v8::Object> entry = v8::Object::New(isolate);
    runtime::set(isolate, entry, "size", static_cast<double>(sample.size) * sample.count);
    runtime::set(isolate, entry, "nodeId", static_cast<double>(sample.node_id));
    runtime::set(isolate, entry, "ordinal", static_cast<double>(sample.sample_id));
    samples.push_back(entry);
  }
  const v8::Local<v8::Object> result = v8::Object::New(isolate);
  runtime::set(isolate, result, "samples",
               v8::Array::New(isolate, samples.data(), samples.size()).As<v8::Value>());
  runtime::set(isolate, result, "head",
               to_object(isolate, *profile->GetRootNode()).As<v8::Value>());
  profiler->StopSamplingHeapProfiler();
  info.GetReturnValue().Set(result);
}

// Records heap statistics before and after each garbage collection. The JavaScript objects are
// created when the profile stops, because none can be allocated during a collection.
class GarbageProfile {
 public:
  explicit GarbageProfile(Realm& realm) : isolate_(realm.isolate()) {}
  ~GarbageProfile() { stop(); }
  GarbageProfile(const GarbageProfile&) = delete;
  GarbageProfile& operator=(const GarbageProfile&) = delete;

  struct Heap {
    v8::HeapStatistics heap;
    std::vector<v8::HeapSpaceStatistics> spaces;
  };
  struct Collection {
    v8::GCType type = v8::kGCTypeScavenge;
    double cost_us = 0;
    Heap before;
    Heap after;
  };

  void start() {
    if (is_active_) return;
    is_active_ = true;
    isolate_->AddGCPrologueCallback(on_begin, this);
    isolate_->AddGCEpilogueCallback(on_end, this);
  }

  std::vector<Collection> stop() {
    if (is_active_) {
      isolate_->RemoveGCPrologueCallback(on_begin, this);
      isolate_->RemoveGCEpilogueCallback(on_end, this);
    }
    is_active_ = false;
    return std::exchange(seen_, {});
  }

 private:
  // A program that never stops its profile must not run out of memory.
  static constexpr size_t kMostCollections = 100'000;

  static Heap take(v8::Isolate* isolate) {
    Heap result;
    isolate->GetHeapStatistics(&result.heap);
    for (size_t i = 0; i < isolate->NumberOfHeapSpaces(); ++i) {
      v8::HeapSpaceStatistics space;
      if (isolate->GetHeapSpaceStatistics(&space, i)) result.spaces.push_back(space);
    }
    return result;
  }

  static void on_begin(v8::Isolate* isolate, v8::GCType type, v8::GCCallbackFlags, void* data) {
    auto* const self = static_cast<GarbageProfile*>(data);
    self->current_ = {type, 0, take(isolate), {}};
    self->began_ = std::chrono::steady_clock::now();
  }

  static void on_end(v8::Isolate* isolate, v8::GCType type, v8::GCCallbackFlags, void* data) {
    auto* const self = static_cast<GarbageProfile*>(data);
    if (self->current_.type != type || self->seen_.size() >= kMostCollections) return;
    const std::chrono::duration<double, std::micro> cost =
        std::chrono::steady_clock::now() - self->began_;
    self->current_.cost_us = cost.count();
    self->current_.after = take(isolate);
    self->seen_.push_back(std::move(self->current_));
  }

  v8::Isolate* isolate_;
  bool is_active_ = false;
  std::chrono::steady_clock::time_point began_;
  Collection current_;
  std::vector<Collection> seen_;
};

void start_garbage_profile(const Arguments& info) {
  Realm::of(info.GetIsolate()).state<GarbageProfile>().start();
}

const char* name_of(v8::GCType type) {
  switch (type) {
    case v8::kGCTypeScavenge: return "Scavenge";
    case v8::kGCTypeMinorMarkSweep: return "MinorMarkSweep";
    case v8::kGCTypeMarkSweepCompact: return "MarkSweepCompact";
    case v8::kGCTypeIncrementalMarking: return "IncrementalMarking";
    case v8::kGCTypeProcessWeakCallbacks: return "ProcessWeakCallbacks";
    default: return "Unknown";
  }
}

v8::Local<v8::Object> to_object(v8::Isolate* isolate, GarbageProfile::Heap& taken) {
  v8::HeapStatistics& heap = taken.heap;
  const v8::Local<v8::Object> total = v8::Object::New(isolate);
  const auto add = [&](const v8::Local<v8::Object>& target, const char* name, size_t value) {
    runtime::set(isolate, target, name, static_cast<double>(value));
  };
  add(total, "totalHeapSize", heap.total_heap_size());
  add(total, "totalHeapSizeExecutable", heap.total_heap_size_executable());
  add(total, "totalPhysicalSize", heap.total_physical_size());
  add(total, "totalAvailableSize", heap.total_available_size());
  add(total, "totalGlobalHandlesSize", heap.total_global_handles_size());
  add(total, "usedGlobalHandlesSize", heap.used_global_handles_size());
  add(total, "usedHeapSize", heap.used_heap_size());
  add(total, "heapSizeLimit", heap.heap_size_limit());
  add(total, "mallocedMemory", heap.malloced_memory());
  add(total, "externalMemory", heap.external_memory());
  add(total, "peakMallocedMemory", heap.peak_malloced_memory());
  std::vector<v8::Local<v8::Value>> spaces;
  for (v8::HeapSpaceStatistics& space : taken.spaces) {
    const v8::Local<v8::Object> entry = v8::Object::New(isolate);
    runtime::set(isolate, entry, "spaceName", std::string_view(space.space_name()));
    add(entry, "spaceSize", space.space_size());
    add(entry, "spaceUsedSize", space.space_used_size());
    add(entry, "spaceAvailableSize", space.space_available_size());
    add(entry, "physicalSpaceSize", space.physical_space_size());
    spaces.push_back(entry);
  }
  const v8::Local<v8::Object> result = v8::Object::New(isolate);
  runtime::set(isolate, result, "heapStatistics", total.As<v8::Value>());
  runtime::set(isolate, result, "heapSpaceStatistics",
               v8::Array::New(isolate, spaces.data(), spaces.size()).As<v8::Value>());
  return result;
}

// stopGarbageProfile(): an object for each collection.
void stop_garbage_profile(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  std::vector<v8::Local<v8::Value>> result;
  for (GarbageProfile::Collection& one : Realm::of(isolate).state<GarbageProfile>().stop()) {
    const v8::Local<v8::Object> entry = v8::Object::New(isolate);
    runtime::set(isolate, entry, "gcType", std::string_view(name_of(one.type)));
    runtime::set(isolate, entry, "beforeGC", to_object(isolate, one.before).As<v8::Value>());
    runtime::set(isolate, entry, "cost", one.cost_us);
    runtime::set(isolate, entry, "afterGC", to_object(isolate, one.after).As<v8::Value>());
    result.push_back(entry);
  }
  info.GetReturnValue().Set(v8::Array::New(isolate, result.data(), result.size()));
}

class HasPrototype final : public v8::QueryObjectPredicate {
 public:
  explicit HasPrototype(v8::Local<v8::Value> prototype) : prototype_(prototype) {}
  bool Filter(v8::Local<v8::Object> object) override {
    v8::Local<v8::Value> next = object->GetPrototypeV2();
    for (; next->IsObject(); next = next.As<v8::Object>()->GetPrototypeV2()) {
      if (next->IsProxy()) return false;  // Its traps must not run here.
      if (next->StrictEquals(prototype_)) return true;
    }
    return false;
  }

 private:
  v8::Local<v8::Value> prototype_;
};

// queryObjects(prototype): all objects that inherit from it.
void query_objects(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  HasPrototype predicate(info[0]);
  std::vector<v8::Global<v8::Object>> found;
  isolate->GetHeapProfiler()->QueryObjects(context, &predicate, &found);
  std::vector<v8::Local<v8::Value>> result;
  for (const v8::Global<v8::Object>& object : found) result.push_back(object.Get(isolate));
  info.GetReturnValue().Set(v8::Array::New(isolate, result.data(), result.size()));
}

void is_one_byte(const Arguments& info) {
  RONDO_EXPECT(info, info[0]->IsString());
  info.GetReturnValue().Set(info[0].As<v8::String>()->IsOneByte());
}

constexpr runtime::Method kMethods[] = {
    {"startCpuProfile", start_cpu_profile},
    {"stopCpuProfile", stop_cpu_profile},
    {"startHeapProfile", start_heap_profile},
    {"stopHeapProfile", stop_heap_profile},
    {"startGarbageProfile", start_garbage_profile},
    {"stopGarbageProfile", stop_garbage_profile},
    {"queryObjects", query_objects},
    {"isOneByte", is_one_byte},
};

}  // namespace

extern const runtime::Binding v8_profile;
const runtime::Binding v8_profile{"v8_profile", kMethods};

}  // namespace rondo::bindings
