#include "runtime/message/port.h"

#include <gtest/gtest.h>

#include <thread>

#include "runtime/engine/testing.h"

namespace rondo::runtime {

namespace {

using testing::printed;
using Lines = std::vector<std::string>;

// A port whose object prints received messages. The other end is a plain port, as on another
// thread.
class MessagePortTest : public testing::EngineTest {
 protected:
  MessagePortTest() {
    printed().clear();
    const v8::Local<v8::Function> nothing = function("(() => {})");
    for (uint32_t i = 0; i < static_cast<uint32_t>(Hook::count); ++i) {
      realm().set_hook(static_cast<Hook>(i), nothing);
    }
    realm().set_shared(evaluate("new Uint32Array(16)").ToLocalChecked().As<v8::Uint32Array>());
    context()
        ->Global()
        ->Set(context(), string("print"),
              v8::Function::New(context(), testing::print).ToLocalChecked())
        .Check();
    for (size_t i = 0; i < static_cast<size_t>(MessageHook::count); ++i) {
      hooks().set(static_cast<MessageHook>(i), nothing);
    }
    hooks().set(MessageHook::make_error, function("((text) => new TypeError(text))"));
    hooks().set(MessageHook::emit_message,
                function("(function (data, ports, type) {"
                         "  print(`${type} ${data}`); this.heard?.(data); })"));
    hooks().set(MessageHook::emit_close, function("(function () { print('close'); })"));
    Channel channel = make_channel();
    other_ = channel.first;
    object_ = MessagePort::make(realm(), channel.second);
    port_ = Wrap::of<MessagePort>(object_);
  }
  ~MessagePortTest() override {
    other_ = nullptr;
    loop_->run();  // Lets the remaining handles close, because the realm outlives the loop.
  }

  MessageHooks& hooks() { return realm().state<MessageHooks>(); }
  v8::Local<v8::Function> function(std::string_view code) {
    return evaluate(code).ToLocalChecked().As<v8::Function>();
  }
  std::shared_ptr<Message> message(std::string_view code) {
    return Message::write(realm(), evaluate(code).ToLocalChecked(), {});
  }
  void when_heard(std::string_view code, v8::Local<v8::Value> argument) {
    const v8::Local<v8::Value> made =
        function(code)->Call(context(), v8::Undefined(isolate()), 1, &argument).ToLocalChecked();
    object_->Set(context(), string("heard"), made).Check();
  }

  std::shared_ptr<Port> other_;
  v8::Local<v8::Object> object_;
  MessagePort* port_ = nullptr;
};

TEST_F(MessagePortTest, NothingIsDeliveredBeforeItIsStarted) {
  port_->set_ref(true);
  EXPECT_TRUE(other_->post(message("1")));
  EXPECT_TRUE(other_->post(message("2")));
  loop_->run_nowait();
  EXPECT_EQ(printed(), Lines{});
  port_->start();
  EXPECT_EQ(printed(), Lines{});  // Not delivered inside the call.
  loop_->run_nowait();
  EXPECT_EQ(printed(), (Lines{"message 1", "message 2"}));
}

TEST_F(MessagePortTest, StopsInTheMiddleAndGoesOn) {
  port_->set_ref(true);
  port_->start();
  EXPECT_TRUE(other_->post(message("1")));
  EXPECT_TRUE(other_->post(message("2")));
  when_heard("((stop) => stop)", v8::Function::New(context(), [](const Arguments& info) {
                                   Wrap::of<MessagePort>(info.This())->stop();
                                 }).ToLocalChecked());
  loop_->run_nowait();
  EXPECT_EQ(printed(), Lines{"message 1"});
  port_->start();
  loop_->run_nowait();
  EXPECT_EQ(printed(), (Lines{"message 1", "message 2"}));
}

TEST_F(MessagePortTest, AnythingCanBeTakenWithoutAStart) {
  EXPECT_EQ(port_->take(), nullptr);
  EXPECT_TRUE(other_->post(message("'first'")));
  const std::shared_ptr<Message> taken = port_->take();
  ASSERT_NE(taken, nullptr);
  EXPECT_EQ(to_std(isolate(), taken->read(realm()).ToLocalChecked()), "first");
  EXPECT_EQ(port_->take(), nullptr);
}

TEST_F(MessagePortTest, DrainDeliversNow) {
  port_->start();
  EXPECT_TRUE(other_->post(message("1")));
  port_->drain();
  EXPECT_EQ(printed(), Lines{"message 1"});
}

TEST_F(MessagePortTest, OnlyOneThatIsRefdKeepsTheLoopAlive) {
  port_->start();
  EXPECT_FALSE(port_->has_ref());
  EXPECT_FALSE(loop_->is_alive());
  port_->set_ref(true);
  EXPECT_TRUE(port_->has_ref());
  EXPECT_TRUE(loop_->is_alive());
  port_->set_ref(false);
  EXPECT_FALSE(loop_->is_alive());
}

TEST_F(MessagePortTest, MessagesAreDeliveredBeforeTheCloseOfTheOtherEnd) {
  port_->set_ref(true);
  port_->start();
  EXPECT_TRUE(other_->post(message("'last'")));
  other_->close();
  loop_->run();
  EXPECT_EQ(printed(), (Lines{"message last", "close"}));
  EXPECT_EQ(Wrap::of<MessagePort>(object_), nullptr);
}

TEST_F(MessagePortTest, CloseIsReportedInTheClosingPhaseAndNothingFollows) {
  port_->start();
  EXPECT_TRUE(other_->post(message("1")));
  port_->close();
  EXPECT_FALSE(port_->is_open());
  EXPECT_EQ(printed(), Lines{});
  port_->close();  // The second call has no effect.
  loop_->run();
  EXPECT_EQ(printed(), Lines{"close"});
  EXPECT_FALSE(other_->post(message("2")));
}

TEST_F(MessagePortTest, AClosedOneTakesNothing) {
  port_->close();
  bool is_own = false;
  EXPECT_FALSE(port_->post(message("1"), &is_own));
  EXPECT_EQ(port_->take(), nullptr);
  EXPECT_FALSE(port_->has_ref());
  port_->set_ref(true);
  EXPECT_TRUE(port_->has_ref());  // Until its close callback has run, as in Node.
  port_->start();
  loop_->run();
}

TEST_F(MessagePortTest, ATransferredPortKeepsItsMessages) {
  EXPECT_TRUE(other_->post(message("'kept'")));
  const std::shared_ptr<Port> moved = port_->give_away();
  EXPECT_FALSE(port_->is_open());
  loop_->run();
  EXPECT_EQ(printed(), Lines{"close"});
  const v8::Local<v8::Object> again = MessagePort::make(realm(), moved);
  Wrap::of<MessagePort>(again)->set_ref(true);
  Wrap::of<MessagePort>(again)->start();
  loop_->run_nowait();
  EXPECT_EQ(printed(), (Lines{"close", "message kept"}));
}

TEST_F(MessagePortTest, APostArrivesAtTheOtherEnd) {
  bool is_own = true;
  EXPECT_TRUE(port_->post(message("[1, 2]"), &is_own));
  EXPECT_FALSE(is_own);
  EXPECT_EQ(other_->size(), 1U);
}

TEST_F(MessagePortTest, UnreadableMessagesAreMessageErrors) {
  hooks().set(MessageHook::read_object, function("(() => { throw 'unreadable'; })"));
  hooks().set(MessageHook::write_object, function("(() => ['id', {}])"));
  const v8::Local<v8::ObjectTemplate> shape = v8::ObjectTemplate::New(isolate());
  shape->SetInternalFieldCount(1);
  const v8::Local<v8::Object> strange = shape->NewInstance(context()).ToLocalChecked();
  port_->set_ref(true);
  port_->start();
  EXPECT_TRUE(other_->post(Message::write(realm(), strange, {})));
  EXPECT_TRUE(other_->post(message("'next'")));
  loop_->run_nowait();
  EXPECT_EQ(printed(), (Lines{"messageerror unreadable", "message next"}));
}

TEST_F(MessagePortTest, ASenderThatIsFasterDoesNotHoldTheLoop) {
  port_->set_ref(true);
  port_->start();
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(other_->post(message("0")));
  // Each received message sends another one: without a bound on deliveries this would never end.
  struct Flood {
    Port& from;
    std::shared_ptr<Message> next;
  } flood{*other_, message("0")};
  when_heard("((again) => again)",
             v8::Function::New(
                 context(),
                 [](const Arguments& info) {
                   auto& more = *static_cast<Flood*>(info.Data().As<v8::External>()->Value());
                   more.from.post(more.next);
                 },
                 v8::External::New(isolate(), &flood))
                 .ToLocalChecked());
  loop_->run_nowait();
  EXPECT_EQ(printed().size(), 1000U);
  loop_->run_nowait();
  EXPECT_EQ(printed().size(), 2000U);
  port_->close();
}

TEST_F(MessagePortTest, AMessageOfAnotherThreadWakesTheLoop) {
  port_->set_ref(true);
  port_->start();
  std::thread sender([other = std::move(other_), sent = message("'from afar'")] {
    other->post(sent);
    other->close();
  });
  loop_->run();
  sender.join();
  EXPECT_EQ(printed(), (Lines{"message from afar", "close"}));
}

}  // namespace

}  // namespace rondo::runtime
