// Streams as native code uses them. lib/internal/net/stream_handle.test.js has the view of lib.
#include "bindings/net/stream_handle.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <string>

#include "base/sys.h"
#include "runtime/engine/testing.h"

namespace rondo::bindings {

namespace {

using runtime::Wrap;
using runtime::testing::printed;
using Lines = std::vector<std::string>;

// Counts the attempts to send, and lets the kernel see at most `most` bytes of each.
class Sends final : public sys::Faults {
 public:
  Sends() { sys::fault_plan.store(this); }
  ~Sends() override { sys::fault_plan.store(nullptr); }
  bool inject(const char* call, int, long& result) override {
    if (std::string_view(call) != "send") return false;
    ++count;
    if (error == 0) return false;
    errno = error;
    result = -1;
    return true;
  }
  size_t most_bytes(const char* call, int) override {
    return std::string_view(call) == "send" ? most : SIZE_MAX;
  }

  int count = 0;
  int error = 0;
  size_t most = SIZE_MAX;
};

// One end of a socket pair is a stream of JavaScript, whose hooks print.
class StreamHandleTest : public runtime::testing::EngineTest {
 protected:
  StreamHandleTest() : EngineTest(&RealClock::instance()) {
    printed().clear();
    for (uint32_t i = 0; i < static_cast<uint32_t>(runtime::Hook::count); ++i) {
      realm().set_hook(static_cast<runtime::Hook>(i), function("(() => {})"));
    }
    realm().set_shared(evaluate("new Uint32Array(16)").ToLocalChecked().As<v8::Uint32Array>());
    context()
        ->Global()
        ->Set(context(), string("print"),
              v8::Function::New(context(), runtime::testing::print).ToLocalChecked())
        .Check();
    auto& state = realm().state<StreamState>();
    state.stream_pattern.Reset(isolate(), Wrap::make_pattern(realm(), v8::Object::New(isolate())));
    state.set_hook(StreamHook::read, function("((size) => print(`read ${size}`))"));
    state.set_hook(StreamHook::written, function("((status) => print(`written ${status}`))"));
    state.set_hook(StreamHook::closed, function("(() => { print('closed'); return true; })"));
    int ends[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends), 0);
    peer_ = Fd(ends[1]);
    stream_ = new StreamHandle(realm(), StreamKind::pipe);
    EXPECT_EQ(stream_->open(Fd(ends[0])), 0);
  }

  v8::Local<v8::Function> function(std::string_view code) {
    return evaluate(code).ToLocalChecked().As<v8::Function>();
  }
  Result<WriteState> write(std::string text, StreamConsumer* by = nullptr) {
    iovec part{text.data(), text.size()};
    return stream_->write(
        std::span(&part, 1),
        [](std::span<iovec> rest) {
          WriteMemory memory{.bytes = std::unique_ptr<char[]>(new char[rest[0].iov_len])};
          std::memcpy(memory.bytes.get(), rest[0].iov_base, rest[0].iov_len);
          rest[0].iov_base = memory.bytes.get();
          return memory;
        },
        by);
  }
  std::string receive() {
    std::string text(size_t{1} << 20, '\0');
    const ssize_t size = ::recv(peer_.get(), text.data(), text.size(), 0);
    text.resize(size > 0 ? static_cast<size_t>(size) : 0);
    return text;
  }

  Fd peer_;
  StreamHandle* stream_;
};

TEST_F(StreamHandleTest, AWriteThatTheKernelTakesIsSentInOneAttempt) {
  Sends sends;
  const Result<WriteState> state = write("hello");
  ASSERT_TRUE(state);
  EXPECT_EQ(*state, WriteState::sent);
  EXPECT_EQ(sends.count, 1);
  EXPECT_EQ(receive(), "hello");
  loop_->run_nowait();
  EXPECT_EQ(printed(), Lines{});
}

TEST_F(StreamHandleTest, TheRestOfAPartialSendIsQueuedWithoutAnotherAttempt) {
  Sends sends;
  sends.most = 2;
  const Result<WriteState> state = write("hello");
  ASSERT_TRUE(state);
  EXPECT_EQ(*state, WriteState::queued);
  EXPECT_EQ(sends.count, 1);
  EXPECT_EQ(stream_->stream().bytes_written(), 2U);
  EXPECT_EQ(stream_->stream().queued_bytes(), 3U);
  sends.most = SIZE_MAX;
  EXPECT_EQ(*write(", you"), WriteState::queued);  // Behind the first: not even tried.
  EXPECT_EQ(sends.count, 1);
  EXPECT_EQ(printed(), Lines{});
  while (printed().size() < 2) loop_->run_once();
  EXPECT_EQ(receive(), "hello, you");
  EXPECT_EQ(printed(), (Lines{"written 0", "written 0"}));
}

TEST_F(StreamHandleTest, AWriteOfWhichTheKernelTakesNothingIsQueued) {
  Sends sends;
  sends.error = EAGAIN;
  EXPECT_EQ(*write("hello"), WriteState::queued);
  EXPECT_EQ(sends.count, 1);
  EXPECT_EQ(stream_->stream().queued_bytes(), 5U);
  sends.error = 0;
  while (printed().empty()) loop_->run_once();
  EXPECT_EQ(sends.count, 2);
  EXPECT_EQ(receive(), "hello");
}

TEST_F(StreamHandleTest, AWriteThatFailsIsNotQueued) {
  peer_.reset();
  const Result<WriteState> state = write("hello");
  ASSERT_FALSE(state);
  EXPECT_EQ(state.error().code, EPIPE);
  EXPECT_EQ(stream_->stream().queued_bytes(), 0U);
  loop_->run_nowait();
  EXPECT_EQ(printed(), Lines{});
}

TEST_F(StreamHandleTest, MorePartsThanOneCallTakesAreSentInOrder) {
  constexpr size_t kParts = 2500;
  std::string text(kParts, ' ');
  std::vector<iovec> parts(kParts);
  for (size_t i = 0; i < kParts; ++i) {
    text[i] = static_cast<char>('a' + i % 26);
    parts[i] = {text.data() + i, 1};
  }
  const Result<WriteState> state =
      stream_->write(std::span(parts), [](std::span<iovec>) { return WriteMemory(); });
  EXPECT_EQ(*state, WriteState::queued);
  while (printed().empty()) loop_->run_once();
  EXPECT_EQ(receive(), text);
  EXPECT_EQ(printed(), (Lines{"written 0"}));
}

TEST_F(StreamHandleTest, AQueuedWriteEndsWithTheStream) {
  Sends sends;
  sends.error = EAGAIN;
  EXPECT_EQ(*write("hello"), WriteState::queued);
  EXPECT_TRUE(stream_->close());
  EXPECT_EQ(write("more").error().code, EBADF);
  loop_->run();
  EXPECT_EQ(printed(), (Lines{"written -" + std::to_string(ECANCELED), "closed"}));
}

class Echo final : public StreamConsumer {
 public:
  void on_read(StreamSource& source, Result<std::span<std::byte>> data) override {
    auto& stream = static_cast<StreamHandle&>(source);
    if (!data || data->empty()) {
      log.push_back("end");
      stream.close();
      return;
    }
    std::string text(reinterpret_cast<const char*>(data->data()), data->size());
    log.push_back("read " + text);
    iovec part{text.data(), text.size()};
    const Result<WriteState> state = stream.write(
        std::span(&part, 1),
        [&text](std::span<iovec> rest) {
          WriteMemory memory{.bytes = std::unique_ptr<char[]>(new char[text.size()])};
          std::memcpy(memory.bytes.get(), rest[0].iov_base, rest[0].iov_len);
          rest[0].iov_base = memory.bytes.get();
          return memory;
        },
        this);
    log.push_back(*state == WriteState::sent ? "sent" : "queued");
  }
  void on_written(StreamHandle&, Result<void> outcome) override {
    log.push_back(outcome ? "written" : "lost");
  }
  void on_closed() override { log.push_back("closed"); }

  Lines log;
};

TEST_F(StreamHandleTest, AConsumerReadsAndWritesWithoutJavaScript) {
  Echo echo;
  stream_->attach(echo);
  ASSERT_EQ(stream_->read_start(), 0);
  ASSERT_EQ(::send(peer_.get(), "one", 3, 0), 3);
  while (echo.log.size() < 2) loop_->run_once();
  EXPECT_EQ(receive(), "one");
  {
    Sends sends;
    sends.most = 1;
    ASSERT_EQ(::send(peer_.get(), "two", 3, 0), 3);
    while (echo.log.size() < 5) loop_->run_once();
  }
  EXPECT_EQ(receive(), "two");
  EXPECT_EQ(printed(), Lines{});
  peer_.reset();
  loop_->run();
  EXPECT_EQ(echo.log,
            (Lines{"read one", "sent", "read two", "queued", "written", "end", "closed"}));
  EXPECT_EQ(printed(), (Lines{"closed"}));
}

TEST_F(StreamHandleTest, WithoutTheConsumerReadsGoToJavaScriptAgain) {
  Echo echo;
  stream_->attach(echo);
  ASSERT_EQ(stream_->read_start(), 0);
  ASSERT_EQ(::send(peer_.get(), "one", 3, 0), 3);
  while (echo.log.empty()) loop_->run_once();
  stream_->detach_consumer();
  ASSERT_EQ(::send(peer_.get(), "four", 4, 0), 4);
  while (printed().empty()) loop_->run_once();
  EXPECT_EQ(printed(), (Lines{"read 4"}));
  EXPECT_EQ(echo.log, (Lines{"read one", "sent"}));
}

TEST_F(StreamHandleTest, TheEndOfTheRealmEndsTheConsumer) {
  Echo echo;
  stream_->attach(echo);
  realm().drop_states();
  loop_->run();
  EXPECT_EQ(echo.log, (Lines{"closed"}));
  EXPECT_EQ(printed(), Lines{});
}

}  // namespace

}  // namespace rondo::bindings
