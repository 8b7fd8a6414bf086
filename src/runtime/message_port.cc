#include "runtime/message_port.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "runtime/js_entry.h"
#include "runtime/values.h"

namespace rondo::runtime {

namespace {

// How many messages a port may deliver before other events of poll get their turn, if the sender
// is faster: at least those that were there.
constexpr size_t kMostAtOnce = 1000;

}  // namespace

v8::Local<v8::Object> MessagePort::make(Realm& realm, std::shared_ptr<Port> port) {
  v8::Isolate* const isolate = realm.isolate();
  const v8::Local<v8::Object> object = (new MessagePort(realm, std::move(port)))->object();
  v8::Local<v8::Value> argument = object;
  const v8::MaybeLocal<v8::Value> ignored =
      realm.state<MessageHooks>()
          .get(MessageHook::prepare_port)
          ->Call(realm.context(), v8::Undefined(isolate), 1, &argument);
  static_cast<void>(ignored);  // Empty only if the engine ends.
  return object;
}

MessagePort::MessagePort(Realm& realm, std::shared_ptr<Port> port)
    : Wrap(realm, kind_of<MessagePort>()),
      port_(std::move(port)),
      async_(realm.loop().make<Async>([this](Async&) {
        deliver(port_ == nullptr ? 0 : std::max(port_->size(), kMostAtOnce));
      })) {
  async_->unref();
  async_->set_label("message port");
  port_->attach({[](void* async) { static_cast<Async*>(async)->send(); }, async_.get()});
}

MessagePort::~MessagePort() {
  if (port_ != nullptr) port_->detach();
  if (ending_ != nullptr) *ending_ = nullptr;
}

bool MessagePort::post(std::shared_ptr<Message> message, bool* was_posted_to_itself) {
  if (port_ == nullptr) return false;
  *was_posted_to_itself = std::any_of(
      message->ports().begin(), message->ports().end(),
      [this](const std::shared_ptr<Port>& port) { return port_->is_connected_to(*port); });
  // Nobody could ever read it: dropping it closes the port within, and with it this one.
  if (*was_posted_to_itself) return true;
  return port_->post(std::move(message));
}

void MessagePort::start() {
  is_receiving_ = true;
  if (port_ != nullptr && port_->size() > 0) async_->send();
}

void MessagePort::set_ref(bool has_ref) {
  if (!is_open()) return;
  if (has_ref) {
    async_->ref();
  } else {
    async_->unref();
  }
}

std::shared_ptr<Message> MessagePort::take() {
  if (port_ == nullptr) return nullptr;
  return std::static_pointer_cast<Message>(port_->take().parcel);
}

void MessagePort::drain() { deliver(std::numeric_limits<size_t>::max()); }

void MessagePort::deliver(size_t most) {
  // A callback may close the port, but what frees it is the closing phase.
  while (is_open() && !realm().is_exiting()) {
    Port::Taken taken = port_->take(is_receiving_ && most > 0);
    if (taken.is_closed) {
      close();
      return;
    }
    if (taken.parcel == nullptr) break;
    --most;
    emit(static_cast<Message&>(*taken.parcel));
  }
  if (most == 0 && is_open() && is_receiving_ && port_->size() > 0) async_->send();
}

void MessagePort::emit(Message& message) {
  v8::Isolate* const isolate = realm().isolate();
  const v8::HandleScope handles(isolate);
  v8::Local<v8::Value> ports = v8::Undefined(isolate);
  v8::Local<v8::Value> data;
  std::string_view type = "message";
  {
    v8::TryCatch caught(isolate);
    if (!message.read(realm(), message.ports().empty() ? nullptr : &ports).ToLocal(&data)) {
      if (!caught.CanContinue()) return;
      data = caught.HasCaught() ? caught.Exception() : v8::Undefined(isolate).As<v8::Value>();
      type = "messageerror";
    }
  }
  JsEntry::call(realm(), realm().state<MessageHooks>().get(MessageHook::emit_message), object(),
                {data, ports, literal(isolate, type)});
}

void MessagePort::close() {
  if (!is_open()) return;
  give_away()->close();
}

std::shared_ptr<Port> MessagePort::give_away() {
  port_->detach();
  std::shared_ptr<Port> port = std::exchange(port_, nullptr);
  is_receiving_ = false;
  ending_ = std::make_shared<MessagePort*>(this);
  async_->close([ending = ending_](Handle&) {
    if (*ending != nullptr) (*ending)->end();
  });
  return port;
}

void MessagePort::end() {
  v8::Isolate* const isolate = realm().isolate();
  const v8::HandleScope handles(isolate);
  JsEntry::call(realm(), realm().state<MessageHooks>().get(MessageHook::emit_close), object(), {});
  destroy();
}

}  // namespace rondo::runtime
