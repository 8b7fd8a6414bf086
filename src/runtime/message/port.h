// A MessagePort is a Port owned by JavaScript: it delivers messages on a loop, to a JavaScript
// object. Thread: the loop's only.
#pragma once

#include <memory>

#include "base/threads/port.h"
#include "loop/async.h"
#include "runtime/message/message.h"
#include "runtime/values/handle_wrap.h"

namespace rondo::runtime {

class MessagePort final : public HandleWrap<Async> {
 public:
  // Creates the JavaScript object of a port, set up by MessageHook::prepare_port. The object lives
  // until it is closed.
  static v8::Local<v8::Object> make(Realm& realm, std::shared_ptr<Port> port);

  bool is_open() const { return port_ != nullptr && !is_closing(); }
  Port* port() const { return port_.get(); }

  // Sends to the other end; returns false if there is none. A port sent over itself is lost, and
  // both ends are closed: `was_posted_to_itself` reports this.
  bool post(std::shared_ptr<Message> message, bool* was_posted_to_itself);

  // Delivers messages in the poll phase from now on, one callback each.
  void start();
  void stop() { is_receiving_ = false; }
  void set_ref(bool has_ref) override;
  // Stays true while the port is closing, as in Node.
  bool has_ref() const override { return port_ != nullptr && handle().has_ref(); }

  // Takes the next message, even before start(); null if there is none.
  std::shared_ptr<Message> take();
  // Delivers all pending messages now.
  void drain();

  // Receives no more messages. In a callback of a message, those that had arrived before are still
  // delivered. The closing phase notifies the other end and emits 'close'.
  bool close() override;
  // Closes this object, and passes the port with its messages to another owner.
  std::shared_ptr<Port> give_away();

 private:
  MessagePort(Realm& realm, std::shared_ptr<Port> port);
  ~MessagePort() override;
  void deliver(size_t most);
  // Returns true if neither the callback nor a tick after it threw.
  bool emit(Message& message);
  // Notifies the other end before 'close' is emitted on this one.
  void on_closed() override;

  std::shared_ptr<Port> port_;  // Null once closed or transferred.
  bool is_receiving_ = false;
};

}  // namespace rondo::runtime
