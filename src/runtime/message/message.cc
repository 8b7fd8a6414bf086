#include "runtime/message/message.h"

#include <algorithm>

#include "base/assert.h"
#include "runtime/message/port.h"
#include "runtime/values/values.h"

namespace rondo::runtime {

namespace {

// Type of a host object in the serialized bytes.
enum class HostKind : uint32_t { port, object, moved_object };

}  // namespace

bool MessageHooks::may_be_special(v8::Local<v8::Object> object) const {
  v8::Local<v8::Value> above = object->GetPrototypeV2();
  while (above->IsObject()) {
    if (above->IsProxy()) return false;  // A proxy's prototype is under the program's control.
    for (const v8::Global<v8::Object>& prototype : special_) {
      if (prototype == above) return true;
    }
    above = above.As<v8::Object>()->GetPrototypeV2();
  }
  return false;
}

v8::Local<v8::Private> MessageHooks::name_of(Mark mark) const {
  v8::Isolate* const isolate = realm_.isolate();
  const char* const name = mark == Mark::movable ? "rondo:movable" : "rondo:uncloneable";
  return v8::Private::ForApi(isolate, literal(isolate, name));
}

void MessageHooks::mark(v8::Local<v8::Object> object, Mark mark) {
  has_marks_ = true;
  object->SetPrivate(realm_.context(), name_of(mark), v8::True(realm_.isolate())).Check();
}

bool MessageHooks::is_marked(v8::Local<v8::Object> object, Mark mark) const {
  return has_marks_ && object->HasPrivate(realm_.context(), name_of(mark)).FromMaybe(false);
}

class Message::Writer final : public v8::ValueSerializer::Delegate {
 public:
  Writer(Realm& realm, Message& message, const TransferList& transfer)
      : realm_(realm), message_(message), transfer_(transfer), serializer_(realm.isolate(), this) {}

  v8::ValueSerializer& serializer() { return serializer_; }

  void ThrowDataCloneError(v8::Local<v8::String> text) override {
    throw_of(MessageHook::make_error, text);
  }

  bool HasCustomHostObject(v8::Isolate*) override { return true; }
  v8::Maybe<bool> IsHostObject(v8::Isolate* isolate, v8::Local<v8::Object> object) override {
    if (object->InternalFieldCount() > 0) return v8::Just(true);
    if (hooks().is_marked(object, Mark::uncloneable)) return v8::Just(true);
    if (hooks().is_marked(object, Mark::movable)) return v8::Just(true);
    if (!hooks().may_be_special(object)) return v8::Just(false);
    v8::Local<v8::Value> argument = object;
    v8::Local<v8::Value> is_special;
    if (!hooks()
             .get(MessageHook::is_special)
             ->Call(realm_.context(), v8::Undefined(isolate), 1, &argument)
             .ToLocal(&is_special)) {
      return v8::Nothing<bool>();
    }
    return v8::Just(is_special->IsTrue());
  }

  v8::Maybe<bool> WriteHostObject(v8::Isolate* isolate, v8::Local<v8::Object> object) override {
    if (hooks().is_marked(object, Mark::uncloneable)) {
      ThrowDataCloneError(literal(isolate, "Cannot clone object of unsupported type."));
      return v8::Nothing<bool>();
    }
    if (Wrap::of<MessagePort>(object) != nullptr) return write_port(object);
    if (write_moved(HostKind::moved_object, transfer_.objects, object)) return v8::Just(true);
    const v8::Local<v8::Context> context = realm_.context();
    v8::Local<v8::Value> argument = object;
    v8::Local<v8::Value> pair;
    if (!hooks()
             .get(MessageHook::write_object)
             ->Call(context, v8::Undefined(isolate), 1, &argument)
             .ToLocal(&pair)) {
      return v8::Nothing<bool>();
    }
    if (!pair->IsArray()) {
      ThrowDataCloneError(literal(isolate, "Cannot clone object of unsupported type."));
      return v8::Nothing<bool>();
    }
    std::shared_ptr<Message> part = Message::write(realm_, pair, {});
    if (part == nullptr) return v8::Nothing<bool>();
    serializer_.WriteUint32(static_cast<uint32_t>(HostKind::object));
    serializer_.WriteUint32(static_cast<uint32_t>(message_.objects_.size()));
    message_.objects_.push_back(std::move(part));
    return v8::Just(true);
  }

  v8::Maybe<uint32_t> GetSharedArrayBufferId(v8::Isolate*,
                                             v8::Local<v8::SharedArrayBuffer> buffer) override {
    message_.shared_.push_back(buffer->GetBackingStore());
    return v8::Just(static_cast<uint32_t>(message_.shared_.size() - 1));
  }

  v8::Maybe<uint32_t> GetWasmModuleTransferId(v8::Isolate*,
                                              v8::Local<v8::WasmModuleObject> module) override {
    message_.modules_.push_back(module->GetCompiledModule());
    return v8::Just(static_cast<uint32_t>(message_.modules_.size() - 1));
  }

 private:
  using Mark = MessageHooks::Mark;
  MessageHooks& hooks() { return realm_.state<MessageHooks>(); }

  void throw_of(MessageHook hook, v8::Local<v8::Value> argument) {
    v8::Local<v8::Value> error;
    if (hooks()
            .get(hook)
            ->Call(realm_.context(), v8::Undefined(realm_.isolate()), 1, &argument)
            .ToLocal(&error)) {
      realm_.isolate()->ThrowException(error);
    }
  }

  // Writes the object's position in the list. Returns false if it is not in the list.
  bool write_moved(HostKind kind, const Objects& list, v8::Local<v8::Object> object) {
    const auto found = std::find(list.begin(), list.end(), object);
    if (found == list.end()) return false;
    serializer_.WriteUint32(static_cast<uint32_t>(kind));
    serializer_.WriteUint32(static_cast<uint32_t>(found - list.begin()));
    return true;
  }

  v8::Maybe<bool> write_port(v8::Local<v8::Object> object) {
    if (write_moved(HostKind::port, transfer_.ports, object)) return v8::Just(true);
    throw_of(MessageHook::missing_port, v8::Undefined(realm_.isolate()));
    return v8::Nothing<bool>();
  }

  Realm& realm_;
  Message& message_;
  const TransferList& transfer_;
  v8::ValueSerializer serializer_;
};

class Message::Reader final : public v8::ValueDeserializer::Delegate {
 public:
  Reader(Realm& realm, const Message& message, const Objects& ports, const Objects& objects,
         const Objects& moved_objects)
      : message_(message),
        lists_{&ports, &objects, &moved_objects},
        deserializer_(realm.isolate(), message.bytes_.get(), message.size_, this) {}

  v8::ValueDeserializer& deserializer() { return deserializer_; }

  v8::MaybeLocal<v8::Object> ReadHostObject(v8::Isolate*) override {
    uint32_t kind = 0;
    uint32_t index = 0;
    if (!deserializer_.ReadUint32(&kind) || !deserializer_.ReadUint32(&index)) return {};
    RONDO_ASSERT(kind < std::size(lists_));
    const Objects& objects = *lists_[kind];
    RONDO_ASSERT(index < objects.size());
    return objects[index];
  }

  v8::MaybeLocal<v8::SharedArrayBuffer> GetSharedArrayBufferFromId(v8::Isolate* isolate,
                                                                   uint32_t id) override {
    RONDO_ASSERT(id < message_.shared_.size());
    return v8::SharedArrayBuffer::New(isolate, message_.shared_[id]);
  }

  v8::MaybeLocal<v8::WasmModuleObject> GetWasmModuleFromId(v8::Isolate* isolate,
                                                           uint32_t id) override {
    RONDO_ASSERT(id < message_.modules_.size());
    return v8::WasmModuleObject::FromCompiledModule(isolate, message_.modules_[id]);
  }

 private:
  const Message& message_;
  const Objects* const lists_[3];  // By HostKind.
  v8::ValueDeserializer deserializer_;
};

std::shared_ptr<Message> Message::write(Realm& realm, v8::Local<v8::Value> value,
                                        const TransferList& transfer) {
  auto message = std::make_shared<Message>();
  Writer writer(realm, *message, transfer);
  v8::ValueSerializer& serializer = writer.serializer();
  for (uint32_t i = 0; i < transfer.buffers.size(); ++i) {
    serializer.TransferArrayBuffer(i, transfer.buffers[i]);
  }
  serializer.WriteHeader();
  if (serializer.WriteValue(realm.context(), value).IsNothing()) return nullptr;
  // A getter of the value may have closed a port of the transfer list.
  for (const v8::Local<v8::Object>& port : transfer.ports) {
    if (Wrap::of<MessagePort>(port)->is_open()) continue;
    writer.ThrowDataCloneError(
        literal(realm.isolate(), "MessagePort in transfer list is already detached"));
    return nullptr;
  }
  for (const v8::Local<v8::Object>& object : transfer.objects) {
    if (!message->move_object(realm, object)) return nullptr;
  }
  const std::pair<uint8_t*, size_t> written = serializer.Release();
  message->bytes_.reset(written.first);
  message->size_ = written.second;
  // Detaches the objects from their owners last, when writing can no longer fail.
  for (const v8::Local<v8::ArrayBuffer>& buffer : transfer.buffers) {
    // A buffer that is already detached is received as an empty one.
    const bool is_empty = buffer->WasDetached();
    message->moved_.push_back(is_empty ? nullptr : buffer->GetBackingStore());
    if (!is_empty) buffer->Detach();
  }
  for (const v8::Local<v8::Object>& port : transfer.ports) {
    message->ports_.push_back(Wrap::of<MessagePort>(port)->give_away());
  }
  return message;
}

bool Message::move_object(Realm& realm, v8::Local<v8::Object> object) {
  const v8::Local<v8::Context> context = realm.context();
  v8::Local<v8::Value> argument = object;
  v8::Local<v8::Value> answer;
  if (!realm.state<MessageHooks>()
           .get(MessageHook::move_object)
           ->Call(context, v8::Undefined(realm.isolate()), 1, &argument)
           .ToLocal(&answer)) {
    return false;
  }
  v8::Local<v8::Value> fields[3];
  for (uint32_t i = 0; i < 3 && answer->IsArray(); ++i) {
    if (!answer.As<v8::Array>()->Get(context, i).ToLocal(&fields[i])) return false;
  }
  if (!answer->IsArray() || !fields[0]->IsArray()) {
    throw_type_error(realm.isolate(), "the object cannot be moved");
    return false;
  }
  Fd descriptor(fields[2]->IsInt32() ? fields[2].As<v8::Int32>()->Value() : -1);
  realm.descriptors().remove(descriptor.get());
  TransferList list;
  if (fields[1]->IsArray()) {
    const v8::Local<v8::Array> ports = fields[1].As<v8::Array>();
    for (uint32_t i = 0; i < ports->Length(); ++i) {
      v8::Local<v8::Value> port;
      if (!ports->Get(context, i).ToLocal(&port)) return false;
      if (Wrap::of<MessagePort>(port) != nullptr) list.ports.push_back(port.As<v8::Object>());
    }
  }
  std::shared_ptr<Message> part = Message::write(realm, fields[0], list);
  if (part == nullptr) return false;
  part->descriptor_ = std::move(descriptor);
  moved_objects_.push_back(std::move(part));
  return true;
}

bool Message::read_objects(Realm& realm, const Parts& parts, Objects* objects) {
  const v8::Local<v8::Context> context = realm.context();
  v8::Isolate* const isolate = realm.isolate();
  for (const std::shared_ptr<Message>& part : parts) {
    v8::Local<v8::Value> pair;
    if (!part->read(realm).ToLocal(&pair)) return false;
    v8::Local<v8::Value> arguments[3];
    for (uint32_t i = 0; i < 2; ++i) {
      if (!pair.As<v8::Array>()->Get(context, i).ToLocal(&arguments[i])) return false;
    }
    // From here on the received object must close the descriptor.
    realm.descriptors().add(part->descriptor_.get());
    arguments[2] = part->descriptor_
                       ? v8::Integer::New(isolate, part->descriptor_.release()).As<v8::Value>()
                       : v8::Undefined(isolate).As<v8::Value>();
    v8::Local<v8::Value> object;
    if (!realm.state<MessageHooks>()
             .get(MessageHook::read_object)
             ->Call(context, v8::Undefined(isolate), 3, arguments)
             .ToLocal(&object)) {
      return false;
    }
    RONDO_ASSERT(object->IsObject());
    objects->push_back(object.As<v8::Object>());
  }
  return true;
}

v8::MaybeLocal<v8::Value> Message::read(Realm& realm, v8::Local<v8::Value>* ports) {
  v8::Isolate* const isolate = realm.isolate();
  Objects port_objects;
  for (std::shared_ptr<Port>& port : ports_) {
    port_objects.push_back(MessagePort::make(realm, std::move(port)));
  }
  ports_.clear();
  if (ports != nullptr) {
    std::vector<v8::Local<v8::Value>> values(port_objects.begin(), port_objects.end());
    *ports = v8::Array::New(isolate, values.data(), values.size());
  }
  Objects objects;
  Objects moved_objects;
  if (!read_objects(realm, objects_, &objects)) return {};
  if (!read_objects(realm, moved_objects_, &moved_objects)) return {};
  moved_objects_.clear();
  Reader reader(realm, *this, port_objects, objects, moved_objects);
  v8::ValueDeserializer& deserializer = reader.deserializer();
  for (uint32_t i = 0; i < moved_.size(); ++i) {
    deserializer.TransferArrayBuffer(i, moved_[i] == nullptr
                                            ? v8::ArrayBuffer::New(isolate, 0)
                                            : v8::ArrayBuffer::New(isolate, std::move(moved_[i])));
  }
  moved_.clear();
  if (deserializer.ReadHeader(realm.context()).IsNothing()) return {};
  return deserializer.ReadValue(realm.context());
}

}  // namespace rondo::runtime
