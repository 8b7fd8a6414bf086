// A parser of HTTP/1.1 messages (RFC 9112), for servers and clients. Pure and incremental: the same
// bytes give the same events, however they are split.
//
//   while ((event = parser.next(input, head)) != HttpEvent::more) ...
//
// Strict, because what two parsers understand differently can be used to smuggle requests: lines
// end with CRLF, no control characters, no folded lines, no blank before a colon, one
// Content-Length at most, and none together with Transfer-Encoding, of which only `chunked` is
// supported. The two exceptions are empty lines before a request, and a status line without the
// blank behind the code. Thread: any.
#pragma once

#include <cstdint>
#include <string_view>

#include "io/http/message.h"

namespace rondo {

enum class HttpEvent : uint8_t {
  more,    // All of the input is used up; continue with more.
  head,    // The head is complete.
  body,    // body() is a part of the body, at the beginning of the input: take() it.
  end,     // The message is complete; trailers, too. The next call begins the next message.
  failed,  // See fault(). Permanent.
};

enum class HttpFault : uint8_t {
  none,
  bad_character,
  bad_start_line,
  bad_field,
  bad_host,
  bad_length,
  bad_coding,
  bad_expectation,
  bad_chunk,
  bad_version,
  unknown_coding,
  target_too_long,
  head_too_large,
  body_too_large,
  truncated,
};
// The status of a server's answer to it: 400, 413, 414, 417, 431, 501, 505.
int http_status_of(HttpFault fault);
const char* http_text_of(HttpFault fault);  // "bad chunk"

struct HttpLimits {
  uint32_t head = 16 * 1024;        // Bytes of the start line and all fields; also of trailers.
  uint32_t target = 8 * 1024;       // Bytes of a request target.
  uint32_t fields = 100;            // Number of fields; also of trailers.
  uint32_t extensions = 16 * 1024;  // Bytes of all chunk extensions of a body.
  uint64_t body = UINT64_MAX;       // Bytes of a body.
};

class HttpParser {
 public:
  enum class Kind : uint8_t { request, response };

  explicit HttpParser(Kind kind, const HttpLimits& limits) : limits_(&limits), kind_(kind) {}

  // Begins a new stream. The limits must live as long as the parser.
  void reset() { *this = HttpParser(kind_, *limits_); }
  // Advances `input` by what was used, and fills `head`.
  HttpEvent next(std::string_view& input, HttpHead& head);
  // After HttpEvent::body: `size` bytes of body() have been used. The rest is the next event.
  std::string_view body() const { return body_; }
  void take(std::string_view& input, size_t size);
  // The stream has ended: `end` if that completes a response without a length, `failed` if it is in
  // the middle of a message, `more` otherwise.
  HttpEvent finish();

  // Before a response: it has no body whatever its fields say, because it answers HEAD.
  void expect_no_body() { has_no_body_ = true; }
  // After HttpEvent::head: whether a body follows. If none does, skip_end() takes the place of the
  // call that would give `end`.
  bool has_body() const { return state_ != State::end; }
  void skip_end() { state_ = State::start; }
  // A message has begun and is not complete.
  bool is_inside() const { return state_ != State::start; }
  bool is_in_head() const { return state_ == State::head; }
  HttpFault fault() const { return fault_; }

 private:
  enum class State : uint8_t {
    start,  // Before the first byte of a message.
    head,
    body,       // Content-Length.
    until_end,  // A response without a length.
    chunk_size,
    chunk_blank,  // Between the size and a ';'.
    chunk_extension,
    chunk_size_lf,
    chunk,
    chunk_cr,
    chunk_lf,
    trailers,
    end,
    failed,
  };

  HttpEvent fail(HttpFault fault);
  HttpEvent parse_lines(std::string_view& input, HttpFields& to);
  bool scan(std::string_view& input, HttpFields& to);
  HttpEvent finish_head(HttpHead& head);
  HttpFault parse_start_line(HttpHead& head, std::string_view line);
  HttpFault parse_request_line(HttpHead& head, std::string_view line);
  HttpFault parse_status_line(HttpHead& head, std::string_view line);
  HttpFault parse_fields(HttpFields& fields, size_t from);
  static HttpFault check_trailers(const HttpFields& trailers);
  HttpFault interpret(HttpHead& head);
  HttpFault parse_length(HttpHead& head, std::string_view value);
  HttpFault choose_body(const HttpHead& head);
  HttpEvent parse_chunk_head(std::string_view& input);
  HttpFault count_extension();
  HttpFault end_chunk_head();
  HttpEvent offer(std::string_view input);

  const HttpLimits* limits_;
  std::string_view body_;
  uint64_t left_ = 0;   // Of the body or chunk.
  uint64_t total_ = 0;  // Of a chunked body so far.
  uint32_t lines_size_ = 0;
  uint32_t line_size_ = 0;  // Of the unfinished line.
  uint32_t extensions_ = 0;
  uint8_t digits_ = 0;
  Kind kind_;
  State state_ = State::start;
  HttpFault fault_ = HttpFault::none;
  bool is_after_cr_ : 1 = false;
  bool has_no_body_ : 1 = false;
  bool is_first_line_ : 1 = true;
};

}  // namespace rondo
