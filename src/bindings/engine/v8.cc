// internalBinding('v8'): statistics of the engine for node:v8, and its serializer with the hooks
// that JavaScript may override.
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "runtime/engine/realm.h"
#include "runtime/values/binding.h"
#include "runtime/values/text.h"
#include "runtime/values/values.h"
#include "runtime/values/wrap.h"

#include <v8-profiler.h>

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::Bytes;
using runtime::bytes_of;
using runtime::Realm;
using runtime::Wrap;

// Calls a method of the JavaScript object that native code works for; users may override it.
v8::MaybeLocal<v8::Value> call_method(v8::Isolate* isolate, v8::Local<v8::Object> owner,
                                      const char* name, v8::Local<v8::Value> argument,
                                      bool* is_there) {
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  // JavaScript is forbidden while reading, as scripts could see unfinished objects.
  const v8::Isolate::AllowJavascriptExecutionScope allowed(isolate);
  v8::Local<v8::Value> method;
  *is_there = false;
  if (!owner->Get(context, runtime::literal(isolate, name)).ToLocal(&method)) {
    *is_there = true;  // It threw.
    return {};
  }
  if (!method->IsFunction()) return {};
  *is_there = true;
  return method.As<v8::Function>()->Call(context, owner, 1, &argument);
}

class SerializerWrap final : public Wrap, private v8::ValueSerializer::Delegate {
 public:
  explicit SerializerWrap(Realm& realm)
      : Wrap(realm, kind_of<SerializerWrap>()), serializer_(realm.isolate(), this) {
    release();
  }

  v8::ValueSerializer& serializer() { return serializer_; }
  v8::Maybe<bool> write(v8::Local<v8::Object> owner, v8::Local<v8::Value> value) {
    const v8::Local<v8::Object> before = owner_;
    owner_ = owner;
    const v8::Maybe<bool> written = serializer_.WriteValue(isolate()->GetCurrentContext(), value);
    owner_ = before;
    return written;
  }

 private:
  void ThrowDataCloneError(v8::Local<v8::String> message) override {
    bool is_there = false;
    v8::Local<v8::Value> error;
    if (call_method(isolate(), owner_, "_getDataCloneError", message, &is_there).ToLocal(&error)) {
      isolate()->ThrowException(error);
    } else if (!is_there) {
      isolate()->ThrowException(v8::Exception::Error(message));
    }
  }
  v8::Maybe<bool> WriteHostObject(v8::Isolate*, v8::Local<v8::Object> object) override {
    bool is_there = false;
    const bool is_written =
        !call_method(isolate(), owner_, "_writeHostObject", object, &is_there).IsEmpty();
    if (!is_there) {
      ThrowDataCloneError(
          runtime::to_js(isolate(), "#<Object> could not be cloned.").ToLocalChecked());
    }
    return is_written ? v8::Just(true) : v8::Nothing<bool>();
  }
  v8::Maybe<uint32_t> GetSharedArrayBufferId(v8::Isolate* isolate,
                                             v8::Local<v8::SharedArrayBuffer> buffer) override {
    bool is_there = false;
    v8::Local<v8::Value> id;
    if (call_method(isolate, owner_, "_getSharedArrayBufferId", buffer, &is_there).ToLocal(&id)) {
      return id->Uint32Value(isolate->GetCurrentContext());
    }
    if (!is_there) return Delegate::GetSharedArrayBufferId(isolate, buffer);
    return v8::Nothing<uint32_t>();
  }

  v8::ValueSerializer serializer_;
  v8::Local<v8::Object> owner_;  // Set while write() runs.
};

class DeserializerWrap final : public Wrap, private v8::ValueDeserializer::Delegate {
 public:
  // A copy: the program may change the bytes while they are read.
  DeserializerWrap(Realm& realm, const Bytes& bytes)
      : Wrap(realm, kind_of<DeserializerWrap>()),
        bytes_(reinterpret_cast<const char*>(bytes.data), bytes.size),
        deserializer_(realm.isolate(), reinterpret_cast<const uint8_t*>(bytes_.data()),
                      bytes_.size(), this) {
    release();
  }

  v8::ValueDeserializer& deserializer() { return deserializer_; }
  const char* data() const { return bytes_.data(); }
  v8::MaybeLocal<v8::Value> read(v8::Local<v8::Object> owner) {
    const v8::Local<v8::Object> before = owner_;
    owner_ = owner;
    v8::MaybeLocal<v8::Value> value = deserializer_.ReadValue(isolate()->GetCurrentContext());
    owner_ = before;
    return value;
  }

 private:
  v8::MaybeLocal<v8::Object> ReadHostObject(v8::Isolate* isolate) override {
    bool is_there = false;
    v8::Local<v8::Value> value;
    if (call_method(isolate, owner_, "_readHostObject", v8::Undefined(isolate), &is_there)
            .ToLocal(&value)) {
      if (value->IsObject()) return value.As<v8::Object>();
      runtime::throw_type_error(isolate, "readHostObject must return an object");
      return {};
    }
    return is_there ? v8::MaybeLocal<v8::Object>() : Delegate::ReadHostObject(isolate);
  }

  std::string bytes_;
  v8::ValueDeserializer deserializer_;
  v8::Local<v8::Object> owner_;  // Set while read() runs.
};

void make_serializer(const Arguments& info) {
  info.GetReturnValue().Set((new SerializerWrap(Realm::of(info.GetIsolate())))->object());
}

void write_header(const Arguments& info) {
  auto* const wrap = Wrap::of<SerializerWrap>(info[0]);
  RONDO_EXPECT(info, wrap != nullptr);
  wrap->serializer().WriteHeader();
}

// writeValue(serializer, owner, value): true, or an exception.
void write_value(const Arguments& info) {
  auto* const wrap = Wrap::of<SerializerWrap>(info[0]);
  RONDO_EXPECT(info, wrap != nullptr);
  RONDO_EXPECT(info, info[1]->IsObject());
  const v8::Maybe<bool> written = wrap->write(info[1].As<v8::Object>(), info[2]);
  if (written.IsJust()) info.GetReturnValue().Set(written.FromJust());
}

void release_buffer(const Arguments& info) {
  auto* const wrap = Wrap::of<SerializerWrap>(info[0]);
  RONDO_EXPECT(info, wrap != nullptr);
  const auto [data, size] = wrap->serializer().Release();
  info.GetReturnValue().Set(runtime::own_memory(info.GetIsolate(), data, size));
}

// transferOut(serializer, id, ArrayBuffer)
void transfer_out(const Arguments& info) {
  auto* const wrap = Wrap::of<SerializerWrap>(info[0]);
  RONDO_EXPECT(info, wrap != nullptr);
  RONDO_EXPECT(info, info[1]->IsUint32());
  RONDO_EXPECT(info, info[2]->IsArrayBuffer());
  wrap->serializer().TransferArrayBuffer(info[1].As<v8::Uint32>()->Value(),
                                         info[2].As<v8::ArrayBuffer>());
}

void write_uint32(const Arguments& info) {
  auto* const wrap = Wrap::of<SerializerWrap>(info[0]);
  RONDO_EXPECT(info, wrap != nullptr);
  RONDO_EXPECT(info, info[1]->IsUint32());
  wrap->serializer().WriteUint32(info[1].As<v8::Uint32>()->Value());
}

// writeUint64(serializer, high, low)
void write_uint64(const Arguments& info) {
  auto* const wrap = Wrap::of<SerializerWrap>(info[0]);
  RONDO_EXPECT(info, wrap != nullptr);
  RONDO_EXPECT(info, info[1]->IsUint32());
  RONDO_EXPECT(info, info[2]->IsUint32());
  wrap->serializer().WriteUint64(uint64_t{info[1].As<v8::Uint32>()->Value()} << 32 |
                                 info[2].As<v8::Uint32>()->Value());
}

void write_double(const Arguments& info) {
  auto* const wrap = Wrap::of<SerializerWrap>(info[0]);
  RONDO_EXPECT(info, wrap != nullptr);
  RONDO_EXPECT(info, info[1]->IsNumber());
  wrap->serializer().WriteDouble(info[1].As<v8::Number>()->Value());
}

void write_bytes(const Arguments& info) {
  auto* const wrap = Wrap::of<SerializerWrap>(info[0]);
  RONDO_EXPECT(info, wrap != nullptr);
  Bytes bytes;
  RONDO_EXPECT(info, bytes_of(info[1], &bytes));
  wrap->serializer().WriteRawBytes(bytes.data, bytes.size);
}

void treat_views_as_host_objects(const Arguments& info) {
  auto* const wrap = Wrap::of<SerializerWrap>(info[0]);
  RONDO_EXPECT(info, wrap != nullptr);
  wrap->serializer().SetTreatArrayBufferViewsAsHostObjects(info[1]->IsTrue());
}

void make_deserializer(const Arguments& info) {
  Bytes bytes;
  RONDO_EXPECT(info, bytes_of(info[0], &bytes));
  auto* const wrap = new DeserializerWrap(Realm::of(info.GetIsolate()), bytes);
  info.GetReturnValue().Set(wrap->object());
}

void read_header(const Arguments& info) {
  auto* const wrap = Wrap::of<DeserializerWrap>(info[0]);
  RONDO_EXPECT(info, wrap != nullptr);
  const v8::Maybe<bool> read =
      wrap->deserializer().ReadHeader(info.GetIsolate()->GetCurrentContext());
  if (read.IsJust()) info.GetReturnValue().Set(read.FromJust());
}

// readValue(deserializer, owner)
void read_value(const Arguments& info) {
  auto* const wrap = Wrap::of<DeserializerWrap>(info[0]);
  RONDO_EXPECT(info, wrap != nullptr);
  RONDO_EXPECT(info, info[1]->IsObject());
  v8::Local<v8::Value> value;
  if (wrap->read(info[1].As<v8::Object>()).ToLocal(&value)) info.GetReturnValue().Set(value);
}

void wire_format_version(const Arguments& info) {
  auto* const wrap = Wrap::of<DeserializerWrap>(info[0]);
  RONDO_EXPECT(info, wrap != nullptr);
  info.GetReturnValue().Set(wrap->deserializer().GetWireFormatVersion());
}

// transferIn(deserializer, id, ArrayBuffer or SharedArrayBuffer)
void transfer_in(const Arguments& info) {
  auto* const wrap = Wrap::of<DeserializerWrap>(info[0]);
  RONDO_EXPECT(info, wrap != nullptr);
  RONDO_EXPECT(info, info[1]->IsUint32());
  const uint32_t id = info[1].As<v8::Uint32>()->Value();
  if (info[2]->IsArrayBuffer()) {
    wrap->deserializer().TransferArrayBuffer(id, info[2].As<v8::ArrayBuffer>());
  } else {
    RONDO_EXPECT(info, info[2]->IsSharedArrayBuffer());
    wrap->deserializer().TransferSharedArrayBuffer(id, info[2].As<v8::SharedArrayBuffer>());
  }
}

// These return undefined if there are not enough bytes.
void read_uint32(const Arguments& info) {
  auto* const wrap = Wrap::of<DeserializerWrap>(info[0]);
  RONDO_EXPECT(info, wrap != nullptr);
  uint32_t value = 0;
  if (wrap->deserializer().ReadUint32(&value)) info.GetReturnValue().Set(value);
}

void read_uint64(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto* const wrap = Wrap::of<DeserializerWrap>(info[0]);
  RONDO_EXPECT(info, wrap != nullptr);
  uint64_t value = 0;
  if (!wrap->deserializer().ReadUint64(&value)) return;
  v8::Local<v8::Value> halves[] = {
      v8::Integer::NewFromUnsigned(isolate, static_cast<uint32_t>(value >> 32)),
      v8::Integer::NewFromUnsigned(isolate, static_cast<uint32_t>(value))};
  info.GetReturnValue().Set(v8::Array::New(isolate, halves, 2));
}

void read_double(const Arguments& info) {
  auto* const wrap = Wrap::of<DeserializerWrap>(info[0]);
  RONDO_EXPECT(info, wrap != nullptr);
  double value = 0;
  if (wrap->deserializer().ReadDouble(&value)) info.GetReturnValue().Set(value);
}

// readBytes(deserializer, size): their offset in the bytes given to makeDeserializer().
void read_bytes(const Arguments& info) {
  auto* const wrap = Wrap::of<DeserializerWrap>(info[0]);
  RONDO_EXPECT(info, wrap != nullptr);
  RONDO_EXPECT(info, info[1]->IsNumber());
  const double size = info[1].As<v8::Number>()->Value();
  const void* data = nullptr;
  if (!(size >= 0 && size <= 9007199254740991.0) ||
      !wrap->deserializer().ReadRawBytes(static_cast<size_t>(size), &data)) {
    return;
  }
  runtime::set_size(info, static_cast<size_t>(static_cast<const char*>(data) - wrap->data()));
}

void set_all(v8::Isolate* isolate, v8::Local<v8::Object> target,
             std::initializer_list<std::pair<const char*, double>> entries) {
  for (const auto& [name, value] : entries) runtime::set(isolate, target, name, value);
}

void heap_statistics(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  v8::HeapStatistics heap;
  isolate->GetHeapStatistics(&heap);
  const auto number = [](size_t value) { return static_cast<double>(value); };
  const v8::Local<v8::Object> result = v8::Object::New(isolate);
  set_all(isolate, result,
          {{"total_heap_size", number(heap.total_heap_size())},
           {"total_heap_size_executable", number(heap.total_heap_size_executable())},
           {"total_physical_size", number(heap.total_physical_size())},
           {"total_available_size", number(heap.total_available_size())},
           {"used_heap_size", number(heap.used_heap_size())},
           {"heap_size_limit", number(heap.heap_size_limit())},
           {"malloced_memory", number(heap.malloced_memory())},
           {"peak_malloced_memory", number(heap.peak_malloced_memory())},
           {"does_zap_garbage", heap.does_zap_garbage() != 0 ? 1.0 : 0.0},
           {"number_of_native_contexts", number(heap.number_of_native_contexts())},
           {"number_of_detached_contexts", number(heap.number_of_detached_contexts())},
           {"total_global_handles_size", number(heap.total_global_handles_size())},
           {"used_global_handles_size", number(heap.used_global_handles_size())},
           {"external_memory", number(heap.external_memory())},
           {"total_allocated_bytes", static_cast<double>(heap.total_allocated_bytes())}});
  info.GetReturnValue().Set(result);
}

void heap_code_statistics(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  v8::HeapCodeStatistics code;
  isolate->GetHeapCodeAndMetadataStatistics(&code);
  const v8::Local<v8::Object> result = v8::Object::New(isolate);
  set_all(isolate, result,
          {{"code_and_metadata_size", static_cast<double>(code.code_and_metadata_size())},
           {"bytecode_and_metadata_size", static_cast<double>(code.bytecode_and_metadata_size())},
           {"external_script_source_size", static_cast<double>(code.external_script_source_size())},
           {"cpu_profiler_metadata_size", 0.0}});
  info.GetReturnValue().Set(result);
}

void heap_space_statistics(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  std::vector<v8::Local<v8::Value>> spaces;
  for (size_t i = 0; i < isolate->NumberOfHeapSpaces(); ++i) {
    v8::HeapSpaceStatistics space;
    if (!isolate->GetHeapSpaceStatistics(&space, i)) continue;
    const v8::Local<v8::Object> entry = v8::Object::New(isolate);
    runtime::set(isolate, entry, "space_name", std::string_view(space.space_name()));
    set_all(isolate, entry,
            {{"space_size", static_cast<double>(space.space_size())},
             {"space_used_size", static_cast<double>(space.space_used_size())},
             {"space_available_size", static_cast<double>(space.space_available_size())},
             {"physical_space_size", static_cast<double>(space.physical_space_size())}});
    spaces.push_back(entry);
  }
  info.GetReturnValue().Set(v8::Array::New(isolate, spaces.data(), spaces.size()));
}

// Passes a heap snapshot on, in pieces of text.
class SnapshotWriter final : public v8::OutputStream {
 public:
  SnapshotWriter(v8::Isolate* isolate, v8::Local<v8::Function> take)
      : isolate_(isolate), take_(take) {}
  int GetChunkSize() override { return 65536; }
  void EndOfStream() override {}
  WriteResult WriteAsciiChunk(char* data, int size) override {
    const v8::HandleScope handles(isolate_);
    v8::Local<v8::Value> piece =
        v8::String::NewFromOneByte(isolate_, reinterpret_cast<const uint8_t*>(data),
                                   v8::NewStringType::kNormal, size)
            .ToLocalChecked();
    const bool is_taken =
        !take_->Call(isolate_->GetCurrentContext(), v8::Undefined(isolate_), 1, &piece).IsEmpty();
    return is_taken ? kContinue : kAbort;
  }

 private:
  v8::Isolate* isolate_;
  v8::Local<v8::Function> take_;
};

// heapSnapshot(take, exposesInternals, exposesNumbers): take(text) for each piece, as JSON.
void heap_snapshot(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[0]->IsFunction());
  const v8::HeapSnapshot* const snapshot = isolate->GetHeapProfiler()->TakeHeapSnapshot(
      nullptr, nullptr, !info[1]->IsTrue(), info[2]->IsTrue());
  SnapshotWriter writer(isolate, info[0].As<v8::Function>());
  snapshot->Serialize(&writer, v8::HeapSnapshot::kJSON);
  const_cast<v8::HeapSnapshot*>(snapshot)->Delete();
}

void set_flags(const Arguments& info) {
  v8::V8::SetFlagsFromString(runtime::to_std(info.GetIsolate(), info[0]).c_str());
}

void cached_data_version_tag(const Arguments& info) {
  info.GetReturnValue().Set(v8::ScriptCompiler::CachedDataVersionTag());
}

constexpr runtime::Method kMethods[] = {
    {"makeSerializer", make_serializer},
    {"writeHeader", write_header},
    {"writeValue", write_value},
    {"releaseBuffer", release_buffer},
    {"transferOut", transfer_out},
    {"writeUint32", write_uint32},
    {"writeUint64", write_uint64},
    {"writeDouble", write_double},
    {"writeBytes", write_bytes},
    {"treatViewsAsHostObjects", treat_views_as_host_objects},
    {"makeDeserializer", make_deserializer},
    {"readHeader", read_header},
    {"readValue", read_value},
    {"wireFormatVersion", wire_format_version},
    {"transferIn", transfer_in},
    {"readUint32", read_uint32},
    {"readUint64", read_uint64},
    {"readDouble", read_double},
    {"readBytes", read_bytes},
    {"heapStatistics", heap_statistics},
    {"heapCodeStatistics", heap_code_statistics},
    {"heapSpaceStatistics", heap_space_statistics},
    {"heapSnapshot", heap_snapshot},
    {"setFlags", set_flags},
    {"cachedDataVersionTag", cached_data_version_tag},
};

}  // namespace

extern const runtime::Binding v8_engine;
const runtime::Binding v8_engine{"v8", kMethods};

}  // namespace rondo::bindings
