#include "runtime/message/port.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "runtime/engine/js_entry.h"
#include "runtime/values/values.h"

namespace rondo::runtime {

namespace {

// The most messages that a port delivers before other poll events run, if the sender is faster than
// the receiver. Messages that were pending at the beginning are delivered in any case.
constexpr size_t kMostAtOnce = 1000;
constexpr size_t kAll = std::numeric_limits<size_t>::max();

}  // namespace

v8::Local<v8::Object> MessagePort::make(Realm& realm, std::shared_ptr<Port> port) {
  v8::Isolate* const isolate = realm.isolate();
  const v8::Local<v8::Object> object = (new MessagePort(realm, std::move(port)))->object();
  v8::Local<v8::Value> argument = object;
  const v8::MaybeLocal<v8::Value> ignored =
      realm.state<MessageHooks>()
          .get(MessageHook::prepare_port)
          ->Call(realm.context(), v8::Undefined(isolate), 1, &argument);
  static_cast<void>(ignored);  // Empty only if the engine is ending.
  return object;
}

MessagePort::MessagePort(Realm& realm, std::shared_ptr<Port> port)
    : HandleWrap(realm, kind_of<MessagePort>(), realm.loop().make<Async>([this](Async&) {
        deliver(port_ == nullptr ? 0 : std::max(port_->size(), kMostAtOnce));
      }),
                 Closing::reported),
      port_(std::move(port)) {
  handle().unref();
  handle().set_kind(HandleKind::message_port);
  port_->attach({[](void* async) { static_cast<Async*>(async)->send(); }, &handle()});
}

MessagePort::~MessagePort() = default;

bool MessagePort::post(std::shared_ptr<Message> message, bool* was_posted_to_itself) {
  if (!is_open()) return false;
  *was_posted_to_itself = std::any_of(
      message->ports().begin(), message->ports().end(),
      [this](const std::shared_ptr<Port>& port) { return port_->is_connected_to(*port); });
  // The port could never be received: dropping the message closes the port inside it, and with it
  // this port.
  if (*was_posted_to_itself) return true;
  return port_->post(std::move(message));
}

void MessagePort::start() {
  is_receiving_ = true;
  if (port_ != nullptr && port_->size() > 0) handle().send();
}

void MessagePort::set_ref(bool has_ref) {
  if (port_ != nullptr) HandleWrap::set_ref(has_ref);
}

std::shared_ptr<Message> MessagePort::take() {
  if (port_ == nullptr) return nullptr;
  return std::static_pointer_cast<Message>(port_->take().parcel);
}

void MessagePort::drain() { deliver(kAll); }

void MessagePort::deliver(size_t most) {
  // A callback may close the port: the messages that were pending are still delivered, and the
  // closing phase frees the port.
  const bool is_drain = most == kAll;  // Called by JavaScript.
  while (port_ != nullptr && !realm().is_exiting()) {
    Port::Taken taken = port_->take(is_receiving_ && most > 0);
    if (taken.is_closed) {
      close();
      return;
    }
    if (taken.parcel == nullptr) break;
    --most;
    if (emit(static_cast<Message&>(*taken.parcel)) || is_drain) continue;
    // As in Node, the messages after one whose callback threw are delivered in the next turn.
    if (is_open()) handle().send();
    return;
  }
  if (most == 0 && is_open() && is_receiving_ && port_->size() > 0) handle().send();
}

bool MessagePort::emit(Message& message) {
  v8::Isolate* const isolate = realm().isolate();
  const v8::HandleScope handles(isolate);
  v8::Local<v8::Value> ports = v8::Undefined(isolate);
  v8::Local<v8::Value> data;
  std::string_view type = "message";
  {
    v8::TryCatch caught(isolate);
    if (!message.read(realm(), message.ports().empty() ? nullptr : &ports).ToLocal(&data)) {
      if (!caught.CanContinue()) return true;
      data = caught.HasCaught() ? caught.Exception() : v8::Undefined(isolate).As<v8::Value>();
      type = "messageerror";
    }
  }
  const v8::Local<v8::Function> function =
      realm().state<MessageHooks>().get(MessageHook::emit_message);
  if (JsEntry::call(realm(), function, object(), {data, ports, literal(isolate, type)}).IsEmpty()) {
    return false;
  }
  // An exception of a listener is rethrown in a tick, so remaining ticks mean that a listener
  // threw.
  return realm().options().ticks_per_phase || realm().shared(Shared::has_ticks) == 0;
}

bool MessagePort::close() {
  // Before the handle closes, because other threads send to it.
  if (port_ != nullptr) port_->detach();
  return HandleWrap::close();
}

std::shared_ptr<Port> MessagePort::give_away() {
  close();
  is_receiving_ = false;
  return std::exchange(port_, nullptr);
}

void MessagePort::on_closed() {
  if (port_ != nullptr) std::exchange(port_, nullptr)->close();
  JsEntry::call(realm(), realm().state<MessageHooks>().get(MessageHook::emit_close), object(), {});
}

}  // namespace rondo::runtime
