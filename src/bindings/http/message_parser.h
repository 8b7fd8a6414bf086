// MessageParser splits the bytes of a connection into HTTP/1 messages. It adds to llhttp the
// collection of message heads, Node's limits, and errors with Node's codes.
//
// A head is delivered whole, however its bytes arrive. Bodies are not copied: the listener gets
// pieces of the input. The memory for heads is reused, also after reset(), which prepares the
// parser for another connection.
//
// Callbacks run inside execute() and finish(), on the caller's thread. They may call pause(), but
// no other function of the parser, and must not free it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/http/llhttp.h"

namespace rondo::bindings {

// Header fields as names and values in turn, without separators: ends[0] is the end of the first
// name in `bytes`, ends[1] that of its value.
struct HeaderFields {
  std::string_view bytes;
  std::span<const uint32_t> ends;

  std::string_view at(size_t index) const {
    const uint32_t begin = index == 0 ? 0 : ends[index - 1];
    return bytes.substr(begin, ends[index] - begin);
  }
};

// Bits of MessageHead::flags.
enum HeadFlag : uint16_t {
  kShouldKeepAlive = 1 << 0,
  kIsUpgrade = 1 << 1,
  kHasHost = 1 << 2,           // There is a Host field,
  kExpects = 1 << 3,           // an Expect field,
  kExpectsContinue = 1 << 4,   // one that contains the word 100-continue,
  kHasConnection = 1 << 5,     // a Connection field,
  kConnectionClose = 1 << 6,   // one that contains `close`.
  kIsChunked = 1 << 7,         //
  kHasContentLength = 1 << 8,  //
  kHasBody = 1 << 9,  // A body follows: its length is not 0, or the end of the connection ends it.
};

struct MessageHead {
  uint32_t flags;
  uint8_t major;
  uint8_t minor;
  uint16_t code;          // The number of the method, or the status.
  std::string_view text;  // The URL, or the text of the status.
  HeaderFields fields;
};

class MessageListener {
 public:
  // The next step after a head. `stop` ends the run, and the parser is unusable until reset().
  enum class Next : uint8_t { body, no_body, upgrade, stop };

  // The first byte of a message has arrived.
  virtual void on_begin() = 0;
  virtual Next on_head(const MessageHead& head) = 0;
  // These two return false to stop.
  virtual bool on_body(const char* bytes, size_t size) = 0;
  virtual bool on_end(const HeaderFields& trailers) = 0;

 protected:
  ~MessageListener() = default;
};

class MessageParser {
 public:
  enum class Kind : uint8_t { request = llhttp::kRequest, response = llhttp::kResponse };
  struct Options {
    Kind kind = Kind::request;
    uint16_t lenient_flags = 0;  // llhttp::Lenient
    // A head of this many bytes is too large. Counted are the text, names and values.
    uint64_t head_limit = 16 * 1024;
    // The largest number of names and values in a request; 0 means no limit.
    double pair_limit = 0;
  };
  struct Outcome {
    enum class Status : uint8_t {
      parsed,   // All of the input, or less after an upgrade or pause.
      failed,   // See error().
      stopped,  // By the listener.
    };
    Status status;
    size_t consumed;
  };
  struct ParseError {
    std::string_view code;  // Such as HPE_INVALID_METHOD. Both texts are constants.
    std::string_view reason;
  };

  MessageParser();
  MessageParser(const MessageParser&) = delete;
  MessageParser& operator=(const MessageParser&) = delete;

  void reset(const Options& options);
  // Consumes nothing while paused.
  Outcome execute(MessageListener& listener, const char* bytes, size_t size);
  // The connection has ended, which may complete a message.
  Outcome finish(MessageListener& listener);
  // In a callback: execute() returns when the callback has returned.
  void pause();
  void resume();

  // Why the last run failed.
  const ParseError& error() const { return error_; }

 private:
  enum class Part : uint8_t { none, name, value };
  struct Calls;  // The functions that llhttp calls.

  // llhttp_execute() for parsers that accept unusual characters in values.
  int execute_relaxed(const char* bytes, size_t size);
  Outcome fail(int code, size_t consumed);
  // These return 0 or an Errno for llhttp.
  int refuse(const ParseError& error);
  int count_bytes(size_t size);
  int add_text(const char* bytes, size_t size);
  int add_name(const char* bytes, size_t size);
  int add_value(const char* bytes, size_t size);
  int finish_head();
  int finish_message();
  int stop(int code);
  int go_on();
  // Like go_on(), but execute_relaxed() gets control in any case.
  int enter(bool is_body);

  void end_value();
  HeaderFields take_fields();
  void clear_fields();
  uint32_t head_flags(const HeaderFields& fields) const;
  bool has_body() const;

  llhttp::Parser parser_{};
  Options options_;
  MessageListener* listener_ = nullptr;  // Not null during a run.
  bool is_pause_requested_ = false;
  bool is_stopped_ = false;
  bool is_relaxed_ = false;    // execute_relaxed() runs,
  bool is_interlude_ = false;  // and has paused llhttp.
  bool is_in_body_ = false;
  Part part_ = Part::none;
  uint64_t head_bytes_ = 0;
  uint64_t extension_bytes_ = 0;
  double pairs_ = 0;
  std::string text_;
  std::string fields_;
  std::vector<uint32_t> ends_;
  ParseError refusal_;  // Why a callback of ours returned kUser.
  ParseError error_;
};

}  // namespace rondo::bindings
