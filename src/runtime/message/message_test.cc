#include "runtime/message/message.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "runtime/engine/testing.h"

namespace rondo::runtime {

namespace {

class MessageTest : public testing::EngineTest {
 protected:
  MessageTest() {
    const v8::Local<v8::Function> fail =
        evaluate("((text) => new TypeError(text))").ToLocalChecked().As<v8::Function>();
    for (size_t i = 0; i < static_cast<size_t>(MessageHook::count); ++i) {
      realm().state<MessageHooks>().set(static_cast<MessageHook>(i), fail);
    }
  }
  std::shared_ptr<Message> write(std::string_view code, const TransferList& transfer = {}) {
    return Message::write(realm(), evaluate(code).ToLocalChecked(), transfer);
  }
  // The received value as JSON.
  std::string arrived(Message& message) {
    v8::Local<v8::Value> value;
    if (!message.read(realm()).ToLocal(&value)) return "(nothing)";
    return to_std(isolate(), v8::JSON::Stringify(context(), value).ToLocalChecked());
  }
};

TEST_F(MessageTest, AValueArrivesAsItWas) {
  const std::shared_ptr<Message> message = write("({ a: [1, 'two', null, { b: true }] })");
  ASSERT_NE(message, nullptr);
  EXPECT_EQ(arrived(*message), R"({"a":[1,"two",null,{"b":true}]})");
}

TEST_F(MessageTest, WithoutATransferListItCanBeReadAgain) {
  const std::shared_ptr<Message> message = write("[1, 2]");
  EXPECT_EQ(arrived(*message), "[1,2]");
  EXPECT_EQ(arrived(*message), "[1,2]");
}

TEST_F(MessageTest, UncloneableValuesThrow) {
  const v8::TryCatch caught(isolate());
  EXPECT_EQ(write("({ f() {} })"), nullptr);
  EXPECT_TRUE(caught.HasCaught());
}

TEST_F(MessageTest, MemoryThatIsTransferredMoves) {
  const v8::Local<v8::Value> value =
      evaluate("globalThis.buffer = new Uint8Array([1, 2, 3]).buffer").ToLocalChecked();
  TransferList transfer;
  transfer.buffers.push_back(value.As<v8::ArrayBuffer>());
  const std::shared_ptr<Message> message = Message::write(realm(), value, transfer);
  ASSERT_NE(message, nullptr);
  EXPECT_EQ(value.As<v8::ArrayBuffer>()->ByteLength(), 0U);
  v8::Local<v8::Value> read;
  ASSERT_TRUE(message->read(realm()).ToLocal(&read));
  EXPECT_EQ(read.As<v8::ArrayBuffer>()->ByteLength(), 3U);
}

TEST_F(MessageTest, NothingMovesIfTheMessageCannotBeWritten) {
  const v8::TryCatch caught(isolate());
  const v8::Local<v8::Value> buffer =
      evaluate("globalThis.buffer = new ArrayBuffer(8)").ToLocalChecked();
  TransferList transfer;
  transfer.buffers.push_back(buffer.As<v8::ArrayBuffer>());
  EXPECT_EQ(write("({ buffer, f() {} })", transfer), nullptr);
  EXPECT_EQ(buffer.As<v8::ArrayBuffer>()->ByteLength(), 8U);
}

TEST_F(MessageTest, SharedMemoryIsShared) {
  const std::shared_ptr<Message> message =
      write("globalThis.shared = new Int32Array(new SharedArrayBuffer(4))");
  ASSERT_NE(message, nullptr);
  v8::Local<v8::Value> read;
  ASSERT_TRUE(message->read(realm()).ToLocal(&read));
  ASSERT_TRUE(read.As<v8::Object>()->Set(context(), 0, v8::Integer::New(isolate(), 7)).FromJust());
  EXPECT_EQ(to_std(isolate(), evaluate("shared[0]").ToLocalChecked()), "7");
}

// A host object in a message, with a descriptor that is printed as its number.
class MovedObjectTest : public MessageTest {
 protected:
  MovedObjectTest() {
    set(MessageHook::move_object,
        "((object) => { if (object.isBusy) throw new Error('busy');"
        "  return [['some/module', { size: 3 }], undefined, object.fd]; })");
    set(MessageHook::read_object, "((id, data, fd) => ({ id, data, fd }))");
    const v8::Local<v8::ObjectTemplate> shape = v8::ObjectTemplate::New(isolate());
    shape->SetInternalFieldCount(1);
    object_ = shape->NewInstance(context()).ToLocalChecked();
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    other_end_ = Fd(ends[0]);
    fd_ = ends[1];
    object_->Set(context(), string("fd"), v8::Integer::New(isolate(), fd_)).Check();
    context()->Global()->Set(context(), string("object"), object_).Check();
  }
  void set(MessageHook hook, std::string_view code) {
    realm().state<MessageHooks>().set(hook, evaluate(code).ToLocalChecked().As<v8::Function>());
  }
  bool is_open() const { return ::fcntl(fd_, F_GETFD) >= 0; }

  v8::Local<v8::Object> object_;
  Fd other_end_;
  int fd_ = -1;
};

TEST_F(MovedObjectTest, ArrivesWithItsDescriptorWhereverItStands) {
  TransferList transfer;
  transfer.objects.push_back(object_);
  const std::shared_ptr<Message> message = write("({ a: [object, object] })", transfer);
  ASSERT_NE(message, nullptr);
  const std::string one =
      R"({"id":"some/module","data":{"size":3},"fd":)" + std::to_string(fd_) + "}";
  EXPECT_EQ(arrived(*message), R"({"a":[)" + one + "," + one + "]}");
  EXPECT_TRUE(is_open()) << "it is the object's that came";
  ::close(fd_);
}

TEST_F(MovedObjectTest, OneThatIsOnlyInTheListMovesAsWell) {
  TransferList transfer;
  transfer.objects.push_back(object_);
  const std::shared_ptr<Message> message = write("1", transfer);
  ASSERT_NE(message, nullptr);
  EXPECT_EQ(arrived(*message), "1");
  EXPECT_TRUE(is_open());
  ::close(fd_);
}

TEST_F(MovedObjectTest, ItsDescriptorIsClosedIfTheMessageIsNeverRead) {
  TransferList transfer;
  transfer.objects.push_back(object_);
  std::shared_ptr<Message> message = write("object", transfer);
  ASSERT_NE(message, nullptr);
  EXPECT_TRUE(is_open());
  message.reset();
  EXPECT_FALSE(is_open());
}

TEST_F(MovedObjectTest, OneThatRefusesStopsTheMessage) {
  const v8::TryCatch caught(isolate());
  const v8::Local<v8::Value> buffer =
      evaluate("object.isBusy = true; globalThis.buffer = new ArrayBuffer(8)").ToLocalChecked();
  TransferList transfer;
  transfer.buffers.push_back(buffer.As<v8::ArrayBuffer>());
  transfer.objects.push_back(object_);
  EXPECT_EQ(write("[object, buffer]", transfer), nullptr);
  EXPECT_EQ(to_std(isolate(), caught.Exception()), "Error: busy");
  EXPECT_EQ(buffer.As<v8::ArrayBuffer>()->ByteLength(), 8U);
  EXPECT_TRUE(is_open());
  ::close(fd_);
}

}  // namespace

}  // namespace rondo::runtime
