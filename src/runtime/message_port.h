// A MessagePort is a port in the hands of JavaScript: on a loop, with an object that hears what
// arrives.
// Thread: the loop's only.
#pragma once

#include <memory>

#include "base/port.h"
#include "loop/async.h"
#include "runtime/message.h"
#include "runtime/wrap.h"

namespace rondo::runtime {

class MessagePort final : public Wrap {
 public:
  // The object of a new one, as MessageHook::prepare_port left it. It lives until it is closed.
  static v8::Local<v8::Object> make(Realm& realm, std::shared_ptr<Port> port);

  const Handle* loop_handle() const override { return async_.get(); }
  bool is_open() const { return port_ != nullptr && !is_closing_; }
  Port* port() const { return port_.get(); }

  // To the other end; false if there is none. What is sent to a port within itself is lost, and
  // closes both ends: `was_posted_to_itself` tells.
  bool post(std::shared_ptr<Message> message, bool* was_posted_to_itself);

  // From start() on messages are delivered, one callback each, in poll.
  void start();
  void stop() { is_receiving_ = false; }
  void set_ref(bool has_ref);
  // Also while it is closing, as in Node.
  bool has_ref() const { return port_ != nullptr && async_->has_ref(); }

  // The next message, whether it is started or not; null if there is none.
  std::shared_ptr<Message> take();
  // Delivers what is there, now.
  void drain();

  // Nothing arrives any more. In a callback of a message, those that had arrived before are still
  // delivered. The closing phase tells the other end and emits 'close'.
  void close();
  // Closes this object, and hands the port over to another owner with its messages.
  std::shared_ptr<Port> give_away();

 private:
  friend class Wrap;
  MessagePort(Realm& realm, std::shared_ptr<Port> port);
  ~MessagePort() override;
  void deliver(size_t most);
  // Whether neither the callback nor a tick behind it threw.
  bool emit(Message& message);
  void end();

  std::shared_ptr<Port> port_;  // Null once it is closed or given away.
  Owned<Async> async_;
  bool is_receiving_ = false;
  bool is_closing_ = false;
  // While the handle closes: whom to tell, or null if the realm has ended before.
  std::shared_ptr<MessagePort*> ending_;
};

}  // namespace rondo::runtime
