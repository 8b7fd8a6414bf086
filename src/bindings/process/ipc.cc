// internalBinding('ipc'): the channel between a process and its child, and its second message
// format: V8's serialization.
#include <cstdlib>
#include <memory>
#include <string>

#include "base/encoding/json.h"
#include "io/process/ipc_channel.h"
#include "loop/loop.h"
#include "runtime/engine/js_entry.h"
#include "runtime/message/unclaimed_fds.h"
#include "runtime/values/binding.h"
#include "runtime/values/handle_wrap.h"
#include "runtime/values/text.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::JsEntry;
using runtime::Realm;
using runtime::Wrap;

class ChannelWrap final : public runtime::HandleWrap<IpcChannel> {
 public:
  ChannelWrap(Realm& realm, Fd fd, IpcChannel::Framing framing)
      : HandleWrap(realm, kind_of<ChannelWrap>(),
                   realm.loop().make<IpcChannel>(std::move(fd), framing)),
        framing_(framing) {}

  Result<void> start(v8::Local<v8::Function> on_messages, v8::Local<v8::Function> on_written) {
    on_messages_.Reset(isolate(), on_messages);
    on_written_.Reset(isolate(), on_written);
    return handle().start([this](std::span<const char> messages) { deliver(messages); },
                          [this](size_t count, Result<void> outcome) { deliver(count, outcome); });
  }
  void set_ref(bool has_ref) override { handle().set_ref(has_ref); }

 private:
  void deliver(std::span<const char> messages) {
    const v8::HandleScope handles(isolate());
    v8::Local<v8::Value> value = v8::Undefined(isolate());
    if (!messages.empty() && framing_ == IpcChannel::Framing::lines) {
      v8::Local<v8::String> text;
      if (!runtime::to_js(isolate(), {messages.data(), messages.size()}).ToLocal(&text)) return;
      value = text;
    } else if (!messages.empty()) {
      const v8::Local<v8::ArrayBuffer> bytes = v8::ArrayBuffer::New(isolate(), messages.size());
      std::memcpy(bytes->GetBackingStore()->Data(), messages.data(), messages.size());
      value = bytes;
    }
    JsEntry::call(realm(), on_messages_.Get(isolate()), {value});
  }
  void deliver(size_t count, Result<void> outcome) {
    const v8::HandleScope handles(isolate());
    JsEntry::call(realm(), on_written_.Get(isolate()),
                  {v8::Integer::NewFromUnsigned(isolate(), static_cast<uint32_t>(count)),
                   v8::Integer::New(isolate(), outcome ? 0 : -outcome.error().code)});
  }

  IpcChannel::Framing framing_;
  v8::Global<v8::Function> on_messages_;
  v8::Global<v8::Function> on_written_;
};

// open(fd, isAdvanced, onMessages, onWritten): a channel, or a negative errno.
void open(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[0]->IsInt32());
  RONDO_EXPECT(info, info[2]->IsFunction());
  RONDO_EXPECT(info, info[3]->IsFunction());
  const auto framing = info[1]->IsTrue() ? IpcChannel::Framing::sized : IpcChannel::Framing::lines;
  Realm& realm = Realm::of(isolate);
  auto* const channel = new ChannelWrap(
      realm, realm.state<runtime::UnclaimedFds>().take(info[0].As<v8::Int32>()->Value()), framing);
  const Result<void> started =
      channel->start(info[2].As<v8::Function>(), info[3].As<v8::Function>());
  if (started) {
    info.GetReturnValue().Set(channel->object());
    return;
  }
  channel->destroy();
  info.GetReturnValue().Set(-started.error().code);
}

// False if memory is exhausted: an exception is pending.
bool append_quoted(v8::Isolate* isolate, v8::Local<v8::String> text, std::string& out) {
  const auto size = static_cast<size_t>(text->Length());
  if (text->IsOneByte()) {
    runtime::Scratch<uint8_t> bytes(size);
    if (!runtime::is_allocated(isolate, bytes)) return false;
    runtime::read_latin1(isolate, text, bytes.data(), 0, size);
    encoding::append_json_of_latin1(bytes.data(), size, out);
  } else {
    runtime::Scratch<char16_t> units(size);
    if (!runtime::is_allocated(isolate, units)) return false;
    runtime::read_utf16(isolate, text, units.data(), 0, size);
    encoding::append_json_of_utf16(units.data(), size, out);
  }
  return true;
}

// A message in pieces: text, a string to be quoted, text, and so on. False if an exception was
// thrown, or if it is not such an array, which lib ensures.
bool join(v8::Isolate* isolate, v8::Local<v8::Array> pieces, std::string* out) {
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  for (uint32_t i = 0; i < pieces->Length(); ++i) {
    v8::Local<v8::Value> piece;
    if (!pieces->Get(context, i).ToLocal(&piece) || !piece->IsString()) return false;
    const v8::Local<v8::String> text = piece.As<v8::String>();
    out->reserve(out->size() + static_cast<size_t>(text->Length()) + 2);
    if (i % 2 == 0) {
      *out += runtime::to_std(isolate, text);
    } else if (!append_quoted(isolate, text, *out)) {
      return false;
    }
  }
  return true;
}

// write(channel, string, bytes or pieces, fd or -1): 0 if it was sent, 1 if it is queued, or a
// negative errno.
void write(const Arguments& info) {
  ChannelWrap* const channel = Wrap::of<ChannelWrap>(info[0]);
  RONDO_EXPECT(info, info[2]->IsInt32());
  if (channel == nullptr) {
    info.GetReturnValue().Set(-EPIPE);
    return;
  }
  std::string message;
  if (runtime::Bytes bytes; runtime::bytes_of(info[1], &bytes)) {
    message.assign(reinterpret_cast<const char*>(bytes.data), bytes.size);
  } else if (info[1]->IsArray()) {
    if (!join(info.GetIsolate(), info[1].As<v8::Array>(), &message)) return;
  } else {
    message = runtime::to_std(info.GetIsolate(), info[1]);
  }
  const Result<IpcChannel::Sent> sent =
      channel->handle().write(std::move(message), info[2].As<v8::Int32>()->Value());
  if (!sent) {
    info.GetReturnValue().Set(-sent.error().code);
  } else {
    info.GetReturnValue().Set(*sent == IpcChannel::Sent::now ? 0 : 1);
  }
}

// The number of queued bytes.
void queue_size(const Arguments& info) {
  ChannelWrap* const channel = Wrap::of<ChannelWrap>(info[0]);
  runtime::set_size(info, channel != nullptr ? channel->handle().queued_bytes() : 0);
}

// The next received descriptor, or -1.
void take_descriptor(const Arguments& info) {
  ChannelWrap* const channel = Wrap::of<ChannelWrap>(info[0]);
  info.GetReturnValue().Set(channel != nullptr ? channel->handle().take_descriptor() : -1);
}

// Views of bytes are written with their type and content, so that a Buffer arrives as a Buffer,
// without the whole pool that it is a part of. The numbers are Node's, which may be the other side.
constexpr uint32_t kIsView = 0;
constexpr uint32_t kIsOther = 1;
constexpr uint32_t kDataView = 9;
constexpr uint32_t kBuffer = 10;

class MessageWriter final : public v8::ValueSerializer::Delegate {
 public:
  // `kind_of_view` of a host object: its number if it is a view, otherwise a plain copy.
  MessageWriter(v8::Isolate* isolate, v8::Local<v8::Function> make_error,
                v8::Local<v8::Function> kind_of_view)
      : isolate_(isolate), make_error_(make_error), kind_of_view_(kind_of_view) {}

  void set_serializer(v8::ValueSerializer* serializer) { serializer_ = serializer; }
  void ThrowDataCloneError(v8::Local<v8::String> message) override {
    v8::Local<v8::Value> argument = message;
    v8::Local<v8::Value> error;
    if (make_error_->Call(isolate_->GetCurrentContext(), v8::Undefined(isolate_), 1, &argument)
            .ToLocal(&error)) {
      isolate_->ThrowException(error);
    }
  }
  v8::Maybe<bool> WriteHostObject(v8::Isolate*, v8::Local<v8::Object> object) override {
    const v8::Local<v8::Context> context = isolate_->GetCurrentContext();
    v8::Local<v8::Value> argument = object;
    v8::Local<v8::Value> kind;
    if (!kind_of_view_->Call(context, v8::Undefined(isolate_), 1, &argument).ToLocal(&kind)) {
      return v8::Nothing<bool>();
    }
    if (!kind->IsUint32()) {
      serializer_->WriteUint32(kIsOther);
      return serializer_->WriteValue(context, kind);
    }
    runtime::Bytes bytes;
    runtime::bytes_of(object, &bytes);
    serializer_->WriteUint32(kIsView);
    serializer_->WriteUint32(kind.As<v8::Uint32>()->Value());
    serializer_->WriteUint32(static_cast<uint32_t>(bytes.size));
    serializer_->WriteRawBytes(bytes.data, bytes.size);
    return v8::Just(true);
  }

 private:
  v8::Isolate* isolate_;
  v8::Local<v8::Function> make_error_;
  v8::Local<v8::Function> kind_of_view_;
  v8::ValueSerializer* serializer_ = nullptr;
};

class MessageReader final : public v8::ValueDeserializer::Delegate {
 public:
  explicit MessageReader(v8::Local<v8::Function> make_view) : make_view_(make_view) {}

  void set_deserializer(v8::ValueDeserializer* deserializer) { deserializer_ = deserializer; }
  v8::MaybeLocal<v8::Object> ReadHostObject(v8::Isolate* isolate) override {
    const v8::Local<v8::Context> context = isolate->GetCurrentContext();
    uint32_t tag = 0;
    if (!deserializer_->ReadUint32(&tag)) return {};
    v8::Local<v8::Value> value;
    if (tag != kIsView) {
      if (!deserializer_->ReadValue(context).ToLocal(&value) || !value->IsObject()) return {};
      return value.As<v8::Object>();
    }
    uint32_t kind = 0;
    uint32_t size = 0;
    const void* data = nullptr;
    if (!deserializer_->ReadUint32(&kind) || !deserializer_->ReadUint32(&size) ||
        !deserializer_->ReadRawBytes(size, &data)) {
      return {};
    }
    const v8::Local<v8::ArrayBuffer> bytes = v8::ArrayBuffer::New(isolate, size);
    if (size > 0) std::memcpy(bytes->GetBackingStore()->Data(), data, size);
    v8::Local<v8::Value> arguments[] = {v8::Integer::NewFromUnsigned(isolate, kind), bytes};
    // A deserializer forbids it, as scripts could see unfinished objects; our function does not
    // access any.
    const v8::Isolate::AllowJavascriptExecutionScope allowed(isolate);
    if (!make_view_->Call(context, v8::Undefined(isolate), 2, arguments).ToLocal(&value) ||
        !value->IsObject()) {
      return {};
    }
    return value.As<v8::Object>();
  }

 private:
  v8::Local<v8::Function> make_view_;
  v8::ValueDeserializer* deserializer_ = nullptr;
};

// serialize(value, makeError, kindOfView): a message preceded by its size.
void serialize(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[1]->IsFunction());
  RONDO_EXPECT(info, info[2]->IsFunction());
  MessageWriter writer(isolate, info[1].As<v8::Function>(), info[2].As<v8::Function>());
  v8::ValueSerializer serializer(isolate, &writer);
  writer.set_serializer(&serializer);
  serializer.SetTreatArrayBufferViewsAsHostObjects(true);
  constexpr uint8_t kNoSize[4] = {};
  serializer.WriteRawBytes(kNoSize, sizeof kNoSize);
  serializer.WriteHeader();
  if (serializer.WriteValue(isolate->GetCurrentContext(), info[0]).IsNothing()) return;
  const auto [data, size] = serializer.Release();
  for (size_t i = 0; i < sizeof kNoSize; ++i) {
    data[i] = static_cast<uint8_t>((size - sizeof kNoSize) >> (8 * (sizeof kNoSize - 1 - i)));
  }
  info.GetReturnValue().Set(runtime::own_memory(isolate, data, size));
}

// deserialize(bytes, makeView): one message, without its size.
void deserialize(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  RONDO_EXPECT(info, info[1]->IsFunction());
  runtime::Bytes bytes;
  if (!runtime::bytes_of(info[0], &bytes)) return;
  MessageReader reader(info[1].As<v8::Function>());
  v8::ValueDeserializer deserializer(isolate, bytes.data, bytes.size, &reader);
  reader.set_deserializer(&deserializer);
  if (deserializer.ReadHeader(context).IsNothing()) return;
  v8::Local<v8::Value> value;
  if (deserializer.ReadValue(context).ToLocal(&value)) info.GetReturnValue().Set(value);
}

void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  runtime::set(isolate, target, "kDataView", kDataView);
  runtime::set(isolate, target, "kBuffer", kBuffer);
}

constexpr runtime::Method kMethods[] = {
    {"open", open},
    {"write", write},
    {"queueSize", queue_size},
    {"takeDescriptor", take_descriptor},
    {"serialize", serialize},
    {"deserialize", deserialize},
};

}  // namespace

extern const runtime::Binding ipc;
const runtime::Binding ipc{"ipc", kMethods, add_constants};

}  // namespace rondo::bindings
