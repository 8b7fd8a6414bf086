// HttpRun is one run of an HttpParser over some bytes: it calls the hooks of lib. A hook may
// initialize, remove or close the parser; the run then ends without further calls.
// Internal to the http binding. Thread: the loop's only.
#pragma once

#include <initializer_list>
#include <memory>
#include <utility>

#include "bindings/http/parser.h"

namespace rondo::bindings {

// In the flags of HttpHook::headers, beside the bits of HeadFlag: see parser.cc.
inline constexpr uint32_t kWideOffsets = 1 << 10;

// The code that runs the parser.
enum class RunBy : uint8_t {
  javascript,  // execute() and finish(): JavaScript is on the stack, and gets the exceptions.
  loop,        // A read of the socket: each hook is an entry, and its exceptions are uncaught.
};

// Bits of the result of HttpHook::headers, beside MessageListener::Next.
enum HeadResult : int32_t {
  kNextMask = 3,
  // lib calls the end of the message itself: HttpHook::message_end is not called.
  kHasEnded = 4,
  // HttpHook::executed must be called after each run by the loop, until the next message begins.
  kReports = 8,
};

class HttpRun final : public MessageListener {
 public:
  HttpRun(HttpParser& parser, v8::Local<v8::Value> receiver, RunBy by)
      : isolate_(parser.isolate()),
        hooks_(parser.hooks()),
        parser_(&parser),
        receiver_(receiver),
        by_(by) {
    parser.run_ = this;
  }
  ~HttpRun() {
    if (parser_ != nullptr) parser_->run_ = nullptr;
  }
  HttpRun(const HttpRun&) = delete;
  HttpRun& operator=(const HttpRun&) = delete;

  // `memory` is the part of `buffer` from `offset`, or a copy of it.
  void set_input(v8::Local<v8::Value> buffer, size_t offset, const char* memory) {
    buffer_ = buffer;
    offset_ = offset;
    memory_ = memory;
  }
  // The data of a read, for which there is a buffer only if the message has a body.
  void set_input(HttpInput& input);
  // From now on this run owns `messages`, which is on the stack, and has no parser.
  void orphan(std::unique_ptr<MessageParser> messages) {
    messages_ = std::move(messages);
    parser_ = nullptr;
  }
  bool is_over() const { return parser_ == nullptr || !parser_->is_in_use(); }
  bool has_thrown() const { return has_thrown_; }
  // HttpHook::executed must be called: a hook asked for it, or none was called.
  bool is_to_report() const {
    return reports_ || !has_called_ || (parser_->head_result() & kReports) != 0;
  }
  void note_report() { reports_ = true; }

  void on_begin() override { parser_->note_begin(); }
  Next on_head(const MessageHead& head) override;
  bool on_body(const char* bytes, size_t size) override;
  bool on_end(const HeaderFields& trailers) override;

 private:
  // Empty if the run must stop.
  v8::MaybeLocal<v8::Value> call(HttpHook hook,
                                 std::initializer_list<v8::Local<v8::Value>> arguments);

  v8::Isolate* isolate_;
  const HttpHooks& hooks_;
  HttpParser* parser_;
  std::unique_ptr<MessageParser> messages_;
  v8::Local<v8::Value> receiver_;
  RunBy by_;
  HttpInput* input_ = nullptr;  // Of a read.
  v8::Local<v8::Value> buffer_;
  size_t offset_ = 0;
  const char* memory_ = nullptr;
  bool has_thrown_ = false;
  bool has_called_ = false;
  bool reports_ = false;
};

}  // namespace rondo::bindings
