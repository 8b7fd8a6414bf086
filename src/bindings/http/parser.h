// The HTTP parsers of JavaScript and the lists in which servers keep them: shared by the files of
// this folder.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "base/list.h"
#include "base/time/clock.h"
#include "bindings/http/message_parser.h"
#include "bindings/net/stream_handle.h"
#include "runtime/engine/async_tracking.h"
#include "runtime/values/values.h"
#include "runtime/values/wrap.h"

namespace rondo::bindings {

// The functions of lib. The receiver is the object of the parser.
enum class HttpHook : uint8_t {
  headers,      // (flags, major, minor, method or status, text, head, offsets)
  body,         // (buffer, offset, length, whether these are from consume()'s stream)
  message_end,  // (head, offsets): the trailers, both undefined if there are none.
  read,         // (): the stream of consume() has data, which executeRead() parses.
  executed,     // (result of execute()): after some of the runs on data of the stream.
  count,
};

class HttpHooks {
 public:
  explicit HttpHooks(runtime::Realm& realm) : isolate_(realm.isolate()) {}

  void set(HttpHook hook, v8::Local<v8::Function> function) {
    functions_[static_cast<size_t>(hook)].Reset(isolate_, function);
  }
  v8::Local<v8::Function> at(HttpHook hook) const {
    return functions_[static_cast<size_t>(hook)].Get(isolate_);
  }
  bool are_set() const { return !functions_.back().IsEmpty() && !pattern.IsEmpty(); }

  // The object that is cloned for each parser.
  v8::Global<v8::Object> pattern;

 private:
  v8::Isolate* isolate_;
  std::array<v8::Global<v8::Function>, static_cast<size_t>(HttpHook::count)> functions_;
};

class Connections;
class HttpParser;
class HttpRun;

// The data of a read of the stream, while it is parsed.
class HttpInput {
 public:
  HttpInput(HttpParser& parser, StreamSource& source, std::span<const std::byte> bytes);
  ~HttpInput();
  HttpInput(const HttpInput&) = delete;
  HttpInput& operator=(const HttpInput&) = delete;

  std::span<const std::byte> bytes() const { return bytes_; }
  // The data as memory of JavaScript, the same each time.
  StreamState::Piece keep();

 private:
  friend class HttpParser;
  HttpParser* parser_;  // Null once it has been destroyed.
  StreamSource& source_;
  v8::Isolate* isolate_;
  std::span<const std::byte> bytes_;
  // Global, because calls of JavaScript inside the read have their own HandleScopes.
  v8::Global<v8::ArrayBuffer> buffer_;
  size_t offset_ = 0;
};

// A parser of one connection at a time. The JavaScript object owns it, and a list of connections
// keeps both alive.
class HttpParser final : public runtime::Wrap, public StreamConsumer {
 public:
  explicit HttpParser(runtime::Realm& realm);
  ~HttpParser() override;

  // Prepares for a connection, which is added to `connections` unless null. A run of the previous
  // connection that is on the stack ends when its hook returns.
  void initialize(const MessageParser::Options& options, Connections* connections);
  // Leaves the list. No hook is called until the next initialize().
  void remove();

  // The report of the reads of a stream: in traces each is a callback of the stream.
  struct Reads {
    bool by_lib = false;       // HttpHook::read does it.
    uint32_t trace_word = 0;   // Otherwise the record of its beginning,
    uint32_t trace_place = 0;  // see internal/trace/record.
    double trace_id = 0;
  };
  // From now on the data of the stream is parsed when it arrives, without JavaScript, until
  // unconsume() or remove(). Its end and errors still go to JavaScript.
  void consume(StreamSource& source, const Reads& reads);
  void unconsume();
  // Null outside of a read of that stream.
  HttpInput* input() { return input_; }

  void on_read(StreamSource& source, Result<std::span<std::byte>> data) override;
  void on_written(StreamHandle&, Result<void>) override {}
  void on_closed() override { source_ = nullptr; }

  // False before initialize() and after remove().
  bool is_in_use() const { return is_in_use_; }
  bool is_running() const { return run_ != nullptr; }
  HttpRun* run() const { return run_; }
  MessageParser& messages() { return *messages_; }
  const HttpHooks& hooks() const { return hooks_; }

  // Events of the current message.
  void note_begin();
  void note_head() { has_head_ = true; }
  void note_end();
  // The result of HttpHook::headers for the current message: bits of HeadResult.
  void set_head_result(int32_t bits) { head_result_ = bits; }
  int32_t head_result() const { return head_result_; }

  // The outcome of the last run.
  void set_outcome(const MessageParser::Outcome& outcome) { outcome_ = outcome; }
  const MessageParser::Outcome& outcome() const { return outcome_; }

 private:
  friend class Connections;
  friend class HttpInput;
  friend class HttpRun;
  // Parses what was read; the hooks are separate entries into JavaScript.
  void parse(HttpInput& input, v8::Local<v8::Object> self);
  // Leaves the parser of a run that is on the stack to that run.
  void orphan_run();

  const HttpHooks& hooks_;
  const runtime::AsyncTracking& tracking_;
  std::unique_ptr<MessageParser> messages_;
  HttpRun* run_ = nullptr;          // The execute() or finish() on the stack.
  StreamSource* source_ = nullptr;  // Of consume().
  Reads reads_;
  HttpInput* input_ = nullptr;
  bool is_in_use_ = false;
  int32_t head_result_ = 0;
  MessageParser::Outcome outcome_{};

  // For Connections.
  Connections* connections_ = nullptr;
  ListLink link_;
  Nanos began_{};            // When the message began, or the connection if there was none.
  bool has_data_ = false;    // A message has begun on this connection.
  bool has_head_ = false;    // The head of the current message is complete.
  bool is_expired_ = false;  // expired() has returned the current message.
};

// The connections of a server, with the times of their messages on the loop's clock.
class Connections final : public runtime::Wrap {
 public:
  explicit Connections(runtime::Realm& realm) : Wrap(realm, kind_of<Connections>()) { release(); }
  ~Connections() override;

  void add(HttpParser& parser);
  void remove(HttpParser& parser);
  void begin_message(HttpParser& parser);
  void end_message(HttpParser& parser);

  // Arrays of parser objects.
  v8::Local<v8::Array> all() const;
  // Between two messages, or before the first.
  v8::Local<v8::Array> idle() const;
  // The connection or a message has begun, and has not expired.
  v8::Local<v8::Array> active() const;
  // Active parsers whose head or message takes longer; 0 means no limit. They become inactive.
  v8::Local<v8::Array> expired(Nanos head_limit, Nanos message_limit);

 private:
  template <class Matches>
  v8::Local<v8::Array> select(Matches matches) const;

  // Each parser is in one of these.
  List<HttpParser, &HttpParser::link_> idle_;
  List<HttpParser, &HttpParser::link_> begun_;  // Sorted by HttpParser::began_.
};

}  // namespace rondo::bindings
