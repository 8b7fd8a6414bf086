// internalBinding('messaging'): structured clones, and ports that carry them.
#include "base/assert.h"
#include "runtime/engine/commons.h"
#include "runtime/message/message.h"
#include "runtime/message/port.h"
#include "runtime/values/binding.h"
#include "runtime/values/contract.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::Commons;
using runtime::Message;
using runtime::MessageHook;
using runtime::MessageHooks;
using runtime::MessagePort;
using runtime::Realm;
using runtime::TransferList;
using runtime::Wrap;

v8::Local<v8::Private> untransferable(v8::Isolate* isolate) {
  return v8::Private::ForApi(isolate, runtime::literal(isolate, "rondo:untransferable"));
}

// Wraps have two, so that the two types cannot be confused.
constexpr int kHostFields = 1;

// Template of our objects that V8's serializer delegates: it does so for objects with an internal
// field.
struct HostShape {
  explicit HostShape(Realm& realm) {
    const v8::Local<v8::ObjectTemplate> made = v8::ObjectTemplate::New(realm.isolate());
    made->SetInternalFieldCount(kHostFields);
    shape.Reset(realm.isolate(), made);
  }
  v8::Global<v8::ObjectTemplate> shape;
};

constexpr runtime::Constant kHooks[] = {
    {"makeDataCloneError", MessageHook::make_error},
    {"makeMissingPortError", MessageHook::missing_port},
    {"writeObject", MessageHook::write_object},
    {"moveObject", MessageHook::move_object},
    {"readObject", MessageHook::read_object},
    {"isSpecial", MessageHook::is_special},
    {"preparePort", MessageHook::prepare_port},
    {"emitMessage", MessageHook::emit_message},
    {"emitClose", MessageHook::emit_close},
};
static_assert(runtime::names_all(kHooks, MessageHook::count));

// setHooks({name: function...})
void set_hooks(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  MessageHooks& hooks = Realm::of(isolate).state<MessageHooks>();
  runtime::take_functions(isolate, info[0], kHooks,
                          [&hooks](size_t number, v8::Local<v8::Function> function) {
                            hooks.set(static_cast<MessageHook>(number), function);
                          });
}

// addSpecialPrototypes([prototype...]): the serializer calls lib for objects that inherit from one
// of these.
void add_special_prototypes(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[0]->IsArray());
  const v8::Local<v8::Array> prototypes = info[0].As<v8::Array>();
  for (uint32_t i = 0; i < prototypes->Length(); ++i) {
    v8::Local<v8::Value> prototype;
    if (!prototypes->Get(isolate->GetCurrentContext(), i).ToLocal(&prototype)) return;
    RONDO_EXPECT(info, prototype->IsObject());
    Realm::of(isolate).state<MessageHooks>().add_special_prototype(prototype.As<v8::Object>());
  }
}

// True if the serializer delegates the value to lib as a host object.
bool is_host(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  if (!value->IsObject()) return false;
  const v8::Local<v8::Object> object = value.As<v8::Object>();
  return object->InternalFieldCount() == kHostFields ||
         Realm::of(isolate).state<MessageHooks>().is_marked(object, MessageHooks::Mark::movable);
}

bool is_movable(v8::Local<v8::Object> object) {
  v8::Isolate* const isolate = v8::Isolate::GetCurrent();
  return is_host(isolate, object) ||
         Realm::of(isolate).state<MessageHooks>().may_be_special(object);
}

// lib has checked the list; a port that a getter closed meanwhile is detected later.
bool read_list(v8::Local<v8::Context> context, v8::Local<v8::Value> value, TransferList* transfer) {
  if (!value->IsArray()) return true;
  const v8::Local<v8::Array> list = value.As<v8::Array>();
  for (uint32_t i = 0; i < list->Length(); ++i) {
    v8::Local<v8::Value> item;
    if (!list->Get(context, i).ToLocal(&item)) return false;
    if (item->IsArrayBuffer()) {
      const v8::Local<v8::ArrayBuffer> buffer = item.As<v8::ArrayBuffer>();
      if (buffer->IsDetachable()) transfer->buffers.push_back(buffer);
    } else if (Wrap::of<MessagePort>(item) != nullptr) {
      transfer->ports.push_back(item.As<v8::Object>());
    } else if (item->IsObject() && is_movable(item.As<v8::Object>())) {
      transfer->objects.push_back(item.As<v8::Object>());
    }
  }
  return true;
}

// structuredClone(value, [ArrayBuffer, port or object of ours...] or undefined)
void structured_clone(const Arguments& info) {
  Realm& realm = Realm::of(info.GetIsolate());
  RONDO_EXPECT(info, realm.state<MessageHooks>().are_set());
  TransferList transfer;
  if (!read_list(realm.context(), info[1], &transfer)) return;
  const std::shared_ptr<Message> message = Message::write(realm, info[0], transfer);
  if (message == nullptr) return;
  v8::Local<v8::Value> clone;
  if (message->read(realm).ToLocal(&clone)) info.GetReturnValue().Set(clone);
}

// makeChannel(): [port, port]
void make_channel(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  Realm& realm = Realm::of(isolate);
  RONDO_EXPECT(info, realm.state<MessageHooks>().are_set());
  Channel channel = rondo::make_channel();
  v8::Local<v8::Value> ports[] = {MessagePort::make(realm, std::move(channel.first)),
                                  MessagePort::make(realm, std::move(channel.second))};
  info.GetReturnValue().Set(v8::Array::New(isolate, ports, 2));
}

// openBroadcast(name): a port that sends to, and receives from, all others of this name.
void open_broadcast(const Arguments& info) {
  Realm& realm = Realm::of(info.GetIsolate());
  RONDO_EXPECT(info, realm.state<MessageHooks>().are_set());
  RONDO_EXPECT(info, realm.commons() != nullptr);
  const std::string name = runtime::to_std(info.GetIsolate(), info[0]);
  info.GetReturnValue().Set(MessagePort::make(realm, realm.commons()->switchboard.open(name)));
}

// enterThread(): a port through which every thread reaches this one, by its thread id.
void enter_thread(const Arguments& info) {
  Realm& realm = Realm::of(info.GetIsolate());
  RONDO_EXPECT(info, realm.state<MessageHooks>().are_set());
  RONDO_EXPECT(info, realm.commons() != nullptr);
  std::shared_ptr<Port> port;
  if (realm.is_worker()) port = realm.take_thread_port();
  if (port == nullptr) {
    const uint32_t id = realm.is_worker() ? realm.options().worker->thread_id : 0;
    port = realm.commons()->threads.enter(id);
  }
  info.GetReturnValue().Set(MessagePort::make(realm, std::move(port)));
}

// postToThread(id, value, list or undefined): whether there is such a thread.
void post_to_thread(const Arguments& info) {
  Realm& realm = Realm::of(info.GetIsolate());
  RONDO_EXPECT(info, realm.state<MessageHooks>().are_set());
  RONDO_EXPECT(info, realm.commons() != nullptr);
  RONDO_EXPECT(info, info[0]->IsUint32());
  TransferList transfer;
  if (!read_list(realm.context(), info[2], &transfer)) return;
  std::shared_ptr<Message> message = Message::write(realm, info[1], transfer);
  if (message == nullptr) return;
  info.GetReturnValue().Set(
      realm.commons()->threads.post(info[0].As<v8::Uint32>()->Value(), std::move(message)));
}

MessagePort* port_of(const Arguments& info) { return Wrap::of<MessagePort>(info[0]); }

enum class Posted : int32_t { nowhere, sent, unheard, to_itself };
constexpr runtime::Constant kPosted[] = {
    {"kNowhere", Posted::nowhere},
    {"kSent", Posted::sent},
    {"kUnheard", Posted::unheard},
    {"kToItself", Posted::to_itself},
};

// postMessage(port, value, list or undefined): a Posted.
void post_message(const Arguments& info) {
  Realm& realm = Realm::of(info.GetIsolate());
  RONDO_EXPECT(info, realm.state<MessageHooks>().are_set());
  TransferList transfer;
  if (!read_list(realm.context(), info[2], &transfer)) return;
  std::shared_ptr<Message> message = Message::write(realm, info[1], transfer);
  if (message == nullptr) return;
  MessagePort* const port = port_of(info);  // A getter of the value may have closed it.
  Posted posted = Posted::nowhere;
  if (port != nullptr && port->is_open()) {
    bool was_posted_to_itself = false;
    posted = port->post(std::move(message), &was_posted_to_itself) ? Posted::sent : Posted::unheard;
    if (was_posted_to_itself) posted = Posted::to_itself;
  }
  info.GetReturnValue().Set(static_cast<int32_t>(posted));
}

// receive(port, nothing): the next message's value, or `nothing`.
void receive(const Arguments& info) {
  MessagePort* const port = port_of(info);
  const std::shared_ptr<Message> message = port != nullptr ? port->take() : nullptr;
  if (message == nullptr) {
    info.GetReturnValue().Set(info[1]);
    return;
  }
  v8::Local<v8::Value> value;
  if (message->read(Realm::of(info.GetIsolate())).ToLocal(&value)) info.GetReturnValue().Set(value);
}

void start(const Arguments& info) {
  if (MessagePort* const port = port_of(info); port != nullptr) port->start();
}
void stop(const Arguments& info) {
  if (MessagePort* const port = port_of(info); port != nullptr) port->stop();
}
void drain(const Arguments& info) {
  if (MessagePort* const port = port_of(info); port != nullptr) port->drain();
}
void close(const Arguments& info) {
  if (MessagePort* const port = port_of(info); port != nullptr) port->close();
}
void set_ref(const Arguments& info) {
  if (MessagePort* const port = port_of(info); port != nullptr) port->set_ref(info[1]->IsTrue());
}
void has_ref(const Arguments& info) {
  const MessagePort* const port = port_of(info);
  info.GetReturnValue().Set(port != nullptr && port->has_ref());
}
void is_open(const Arguments& info) {
  const MessagePort* const port = port_of(info);
  info.GetReturnValue().Set(port != nullptr && port->is_open());
}

// makeHostObject(): an object for which the serializer calls lib instead of copying it.
void make_host_object(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  Realm& realm = Realm::of(isolate);
  v8::Local<v8::Object> object;
  if (realm.state<HostShape>().shape.Get(isolate)->NewInstance(realm.context()).ToLocal(&object)) {
    info.GetReturnValue().Set(object);
  }
}

// isHostObject(object): true for such objects and for those marked as movable.
void is_host_object(const Arguments& info) {
  info.GetReturnValue().Set(is_host(info.GetIsolate(), info[0]));
}

// markUntransferable(object): for memory that is shared by many objects.
void mark_untransferable(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[0]->IsObject());
  info[0]
      .As<v8::Object>()
      ->SetPrivate(isolate->GetCurrentContext(), untransferable(isolate), v8::True(isolate))
      .Check();
  // Without the key, which is not kept, not even ArrayBuffer.prototype.transfer() can detach the
  // memory.
  if (info[0]->IsArrayBuffer()) {
    info[0].As<v8::ArrayBuffer>()->SetDetachKey(v8::Symbol::New(isolate));
  }
}

void is_untransferable(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[0]->IsObject());
  info.GetReturnValue().Set(info[0]
                                .As<v8::Object>()
                                ->HasPrivate(isolate->GetCurrentContext(), untransferable(isolate))
                                .FromMaybe(false));
}

// canDetach(buffer): false for memory that V8 does not transfer, such as that of WebAssembly.
void can_detach(const Arguments& info) {
  RONDO_EXPECT(info, info[0]->IsArrayBuffer());
  const v8::Local<v8::ArrayBuffer> buffer = info[0].As<v8::ArrayBuffer>();
  info.GetReturnValue().Set(buffer->IsDetachable() && !buffer->WasDetached());
}

template <MessageHooks::Mark mark>
void mark_object(const Arguments& info) {
  RONDO_EXPECT(info, info[0]->IsObject());
  Realm::of(info.GetIsolate()).state<MessageHooks>().mark(info[0].As<v8::Object>(), mark);
}

constexpr runtime::Method kMethods[] = {
    {"setHooks", set_hooks},
    {"structuredClone", structured_clone},
    {"makeChannel", make_channel},
    {"openBroadcast", open_broadcast},
    {"enterThread", enter_thread},
    {"postToThread", post_to_thread},
    {"postMessage", post_message},
    {"receive", receive},
    {"start", start},
    {"stop", stop},
    {"drain", drain},
    {"close", close},
    {"setRef", set_ref},
    {"hasRef", has_ref},
    {"isOpen", is_open},
    {"makeHostObject", make_host_object},
    {"addSpecialPrototypes", add_special_prototypes},
    {"isHostObject", is_host_object},
    {"markUntransferable", mark_untransferable},
    {"isUntransferable", is_untransferable},
    {"canDetach", can_detach},
    {"markUncloneable", mark_object<MessageHooks::Mark::uncloneable>},
    {"markMovable", mark_object<MessageHooks::Mark::movable>},
};

void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  runtime::set_constants(isolate, target, kPosted);
}

}  // namespace

extern const runtime::Binding messaging;
const runtime::Binding messaging{"messaging", kMethods, add_constants};

}  // namespace rondo::bindings
