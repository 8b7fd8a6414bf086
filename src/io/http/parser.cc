// The framing of messages. What is in a head is parsed in head.cc.
#include "io/http/parser.h"

#include <algorithm>
#include <iterator>

#include "base/assert.h"

namespace rondo {
namespace {

// A size of 15 digits cannot overflow, and no chunk is larger.
constexpr uint8_t kMostDigits = 15;

int hex_value(char c) {
  if (http::is_digit(c)) return c - '0';
  const char lower = http::to_lower(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

struct FaultRow {
  int status;
  const char* text;
};
constexpr FaultRow kFaults[] = {
    {200, "no fault"},
    {400, "control character or bare line feed"},
    {400, "bad start line"},
    {400, "bad header field"},
    {400, "bad host"},
    {400, "bad content length"},
    {400, "bad transfer coding"},
    {417, "unknown expectation"},
    {400, "bad chunk"},
    {505, "unsupported version"},
    {501, "unknown transfer coding"},
    {414, "target too long"},
    {431, "head too large"},
    {413, "body too large"},
    {400, "truncated message"},
};
static_assert(std::size(kFaults) == static_cast<size_t>(HttpFault::truncated) + 1);

}  // namespace

int http_status_of(HttpFault fault) { return kFaults[static_cast<size_t>(fault)].status; }
const char* http_text_of(HttpFault fault) { return kFaults[static_cast<size_t>(fault)].text; }

HttpEvent HttpParser::fail(HttpFault fault) {
  state_ = State::failed;
  fault_ = fault;
  return HttpEvent::failed;
}

HttpEvent HttpParser::next(std::string_view& input, HttpHead& head) {
  switch (state_) {
    case State::start:
      if (input.empty()) return HttpEvent::more;
      head.clear();
      lines_size_ = line_size_ = 0;
      is_after_cr_ = false;
      is_first_line_ = true;
      state_ = State::head;
      [[fallthrough]];
    case State::head: {
      const HttpEvent event = parse_lines(input, head.fields_);
      return event == HttpEvent::end ? finish_head(head) : event;
    }
    case State::body:
    case State::until_end:
    case State::chunk: return offer(input);
    case State::trailers: {
      const HttpEvent event = parse_lines(input, head.trailers_);
      if (event != HttpEvent::end) return event;
      HttpFault fault = parse_fields(head.trailers_, 0);
      if (fault == HttpFault::none) fault = check_trailers(head.trailers_);
      if (fault != HttpFault::none) return fail(fault);
      state_ = State::start;
      return HttpEvent::end;
    }
    case State::end: state_ = State::start; return HttpEvent::end;
    case State::failed: return HttpEvent::failed;
    default: {
      const HttpEvent event = parse_chunk_head(input);
      if (event != HttpEvent::end) return event;
      return next(input, head);  // In a chunk or in the trailers now: no further recursion.
    }
  }
}

HttpEvent HttpParser::offer(std::string_view input) {
  if (input.empty()) return HttpEvent::more;
  const uint64_t most = state_ == State::until_end ? limits_->body - total_ : left_;
  if (most == 0) return fail(HttpFault::body_too_large);
  body_ = input.substr(0, static_cast<size_t>(std::min<uint64_t>(most, input.size())));
  return HttpEvent::body;
}

void HttpParser::take(std::string_view& input, size_t size) {
  RONDO_ASSERT(size <= body_.size());
  input.remove_prefix(size);
  body_.remove_prefix(size);
  if (state_ == State::until_end) {
    total_ += size;
    return;
  }
  left_ -= size;
  if (left_ == 0) state_ = state_ == State::chunk ? State::chunk_cr : State::end;
}

HttpEvent HttpParser::finish() {
  switch (state_) {
    case State::start: return HttpEvent::more;
    case State::end:
    case State::until_end: state_ = State::start; return HttpEvent::end;
    case State::failed: return HttpEvent::failed;
    default: return fail(HttpFault::truncated);
  }
}

// Copies lines up to the empty one that ends them: then `end`.
HttpEvent HttpParser::parse_lines(std::string_view& input, HttpFields& to) {
  const uint32_t room = limits_->head - std::min(limits_->head, lines_size_);
  std::string_view window = input.substr(0, room);
  const size_t offered = window.size();
  const bool is_complete = scan(window, to);
  const size_t used = offered - window.size();
  input.remove_prefix(used);
  lines_size_ += static_cast<uint32_t>(used);
  if (fault_ != HttpFault::none) return fail(fault_);
  if (is_complete) return HttpEvent::end;
  if (input.empty() && lines_size_ < limits_->head) return HttpEvent::more;
  const bool is_request = kind_ == Kind::request && state_ == State::head;
  return fail(is_request && is_first_line_ ? HttpFault::target_too_long
                                           : HttpFault::head_too_large);
}

// True at the empty line. Uses up all of the window otherwise, or sets the fault.
bool HttpParser::scan(std::string_view& window, HttpFields& to) {
  const bool skips_empty = kind_ == Kind::request && state_ == State::head;
  const char* const begin = window.data();
  const char* const end = begin + window.size();
  const char* kept = begin;  // Not yet copied.
  const char* at = begin;
  bool is_complete = false;
  while (at != end) {
    if (is_after_cr_) {
      if (*at != '\n') {
        fault_ = HttpFault::bad_character;
        break;
      }
      ++at;
      is_after_cr_ = false;
      const bool is_empty = line_size_ == 0;
      line_size_ = 0;
      if (!is_empty) {
        is_first_line_ = false;
      } else if (skips_empty && is_first_line_) {
        to.bytes_.clear();  // Its CR may have been copied with an earlier piece.
        kept = at;
      } else {
        is_complete = true;
        break;
      }
      continue;
    }
    const char* const line = at;
    while (at != end && http::is_of(*at, http::kText)) ++at;
    line_size_ += static_cast<uint32_t>(at - line);
    if (at == end) break;
    if (*at != '\r') {
      fault_ = HttpFault::bad_character;
      break;
    }
    is_after_cr_ = true;
    ++at;
  }
  to.bytes_.append(kept, at);
  window.remove_prefix(static_cast<size_t>(at - begin));
  return is_complete;
}

HttpFault HttpParser::count_extension() {
  return ++extensions_ > limits_->extensions ? HttpFault::bad_chunk : HttpFault::none;
}

// `end` when the line is complete.
HttpEvent HttpParser::parse_chunk_head(std::string_view& input) {
  while (!input.empty()) {
    const char c = input.front();
    input.remove_prefix(1);
    HttpFault fault = HttpFault::none;
    switch (state_) {
      case State::chunk_cr:
        if (c != '\r') fault = HttpFault::bad_chunk;
        state_ = State::chunk_lf;
        break;
      case State::chunk_lf:
        if (c != '\n') fault = HttpFault::bad_chunk;
        state_ = State::chunk_size;
        digits_ = 0;
        break;
      case State::chunk_size:
        if (const int value = hex_value(c); value >= 0) {
          if (++digits_ > kMostDigits) fault = HttpFault::bad_chunk;
          left_ = left_ << 4 | static_cast<uint64_t>(value);
          break;
        }
        if (digits_ == 0) fault = HttpFault::bad_chunk;
        [[fallthrough]];
      case State::chunk_blank:
        if (c == ';') {
          state_ = State::chunk_extension;
        } else if (http::is_blank(c)) {
          state_ = State::chunk_blank;
        } else if (c == '\r' && state_ == State::chunk_size) {
          state_ = State::chunk_size_lf;
          break;
        } else {
          fault = HttpFault::bad_chunk;
        }
        if (fault == HttpFault::none) fault = count_extension();
        break;
      case State::chunk_extension:
        if (c == '\r') {
          state_ = State::chunk_size_lf;
        } else {
          fault = http::is_of(c, http::kText) ? count_extension() : HttpFault::bad_chunk;
        }
        break;
      default:  // chunk_size_lf
        fault = c == '\n' ? end_chunk_head() : HttpFault::bad_chunk;
        if (fault == HttpFault::none) return HttpEvent::end;
    }
    if (fault != HttpFault::none) return fail(fault);
  }
  return HttpEvent::more;
}

HttpFault HttpParser::end_chunk_head() {
  if (left_ == 0) {
    lines_size_ = line_size_ = 0;
    is_after_cr_ = false;
    state_ = State::trailers;
    return HttpFault::none;
  }
  if (left_ > limits_->body - total_) return HttpFault::body_too_large;
  total_ += left_;
  state_ = State::chunk;
  return HttpFault::none;
}

}  // namespace rondo
