// The contents of a head: start line, fields, and what they say about the body.
#include "io/http/parser.h"

namespace rondo {
namespace {

using http::equal_ignoring_case;

// More digits would overflow.
constexpr size_t kMostLengthDigits = 18;

bool is_letter(char c) { return http::to_lower(c) >= 'a' && http::to_lower(c) <= 'z'; }

bool is_scheme(std::string_view text) {
  if (text.empty() || !is_letter(text[0])) return false;
  for (const char c : text) {
    if (!is_letter(c) && !http::is_digit(c) && c != '+' && c != '-' && c != '.') return false;
  }
  return true;
}

// The four forms of RFC 9112, section 3.2.
bool is_target(std::string_view method, std::string_view target) {
  if (target.empty() || !http::all_of(target, http::kTarget)) return false;
  if (method == "CONNECT") {
    const size_t colon = target.rfind(':');
    if (colon == 0 || colon == std::string_view::npos || colon + 1 == target.size()) return false;
    for (const char c : target.substr(colon + 1)) {
      if (!http::is_digit(c)) return false;
    }
    return http::all_of(target.substr(0, colon), http::kHost);
  }
  if (target[0] == '/') return true;
  if (target == "*") return method == "OPTIONS";
  const size_t mark = target.find("://");
  return mark != std::string_view::npos && is_scheme(target.substr(0, mark));
}

struct Codings {
  size_t fields = 0;
  size_t chunked = 0;
  bool has_other = false;
  bool has_empty = false;
};

}  // namespace

HttpEvent HttpParser::finish_head(HttpHead& head) {
  const std::string_view bytes = head.fields_.bytes_;
  const size_t line_end = bytes.find("\r\n");
  HttpFault fault = parse_start_line(head, bytes.substr(0, line_end));
  if (fault == HttpFault::none) fault = parse_fields(head.fields_, line_end + 2);
  if (fault == HttpFault::none) fault = interpret(head);
  if (fault == HttpFault::none) fault = choose_body(head);
  return fault == HttpFault::none ? HttpEvent::head : fail(fault);
}

HttpFault HttpParser::parse_start_line(HttpHead& head, std::string_view line) {
  return kind_ == Kind::request ? parse_request_line(head, line) : parse_status_line(head, line);
}

HttpFault HttpParser::parse_request_line(HttpHead& head, std::string_view line) {
  const size_t blank = line.find(' ');
  const size_t last = line.rfind(' ');
  if (blank == std::string_view::npos || last == blank) return HttpFault::bad_start_line;
  const std::string_view method = line.substr(0, blank);
  const std::string_view target = line.substr(blank + 1, last - blank - 1);
  const std::string_view version = line.substr(last + 1);
  if (!http::is_token(method)) return HttpFault::bad_start_line;
  if (target.size() > limits_->target) return HttpFault::target_too_long;
  if (version.size() != 8 || version.substr(0, 5) != "HTTP/" || version[6] != '.') {
    return HttpFault::bad_start_line;
  }
  if (!http::is_digit(version[5]) || !http::is_digit(version[7])) return HttpFault::bad_start_line;
  if (version[5] != '1') return HttpFault::bad_version;
  if (!is_target(method, target)) return HttpFault::bad_start_line;
  head.minor_version_ = version[7] == '0' ? 0 : 1;
  head.first_ = 0;
  head.first_size_ = static_cast<uint32_t>(method.size());
  head.second_ = static_cast<uint32_t>(blank + 1);
  head.second_size_ = static_cast<uint32_t>(target.size());
  return HttpFault::none;
}

HttpFault HttpParser::parse_status_line(HttpHead& head, std::string_view line) {
  if (line.size() < 12 || line.substr(0, 5) != "HTTP/" || line[6] != '.' || line[8] != ' ') {
    return HttpFault::bad_start_line;
  }
  if (!http::is_digit(line[5]) || !http::is_digit(line[7])) return HttpFault::bad_start_line;
  if (line[5] != '1') return HttpFault::bad_version;
  int status = 0;
  for (const char c : line.substr(9, 3)) {
    if (!http::is_digit(c)) return HttpFault::bad_start_line;
    status = status * 10 + (c - '0');
  }
  if (status < 100 || (line.size() > 12 && line[12] != ' ')) return HttpFault::bad_start_line;
  head.minor_version_ = line[7] == '0' ? 0 : 1;
  head.status_ = static_cast<int16_t>(status);
  head.second_ = line.size() > 12 ? 13 : 12;
  head.second_size_ = static_cast<uint32_t>(line.size()) - head.second_;
  return HttpFault::none;
}

// The lines from here to the empty one.
HttpFault HttpParser::parse_fields(HttpFields& fields, size_t from) {
  const std::string_view bytes = fields.bytes_;
  for (size_t at = from; bytes[at] != '\r';) {
    const size_t name = at;
    while (http::is_of(bytes[at], http::kToken)) ++at;
    // A line that begins with a blank would continue the one before it (obs-fold).
    if (at == name || bytes[at] != ':') return HttpFault::bad_field;
    if (fields.places_.size() == limits_->fields) return HttpFault::head_too_large;
    const size_t colon = at++;
    while (http::is_blank(bytes[at])) ++at;
    const size_t value = at;
    const size_t line_end = bytes.find('\r', at);
    size_t value_end = line_end;
    while (value_end > value && http::is_blank(bytes[value_end - 1])) --value_end;
    fields.places_.push_back({static_cast<uint32_t>(name), static_cast<uint32_t>(colon - name),
                              static_cast<uint32_t>(value),
                              static_cast<uint32_t>(value_end - value)});
    at = line_end + 2;
  }
  return HttpFault::none;
}

// A recipient that adds trailers to the fields of the head would see another message.
HttpFault HttpParser::check_trailers(const HttpFields& trailers) {
  for (const char* name : {"content-length", "transfer-encoding", "host", "connection"}) {
    if (trailers.has(name)) return HttpFault::bad_field;
  }
  return HttpFault::none;
}

HttpFault HttpParser::parse_length(HttpHead& head, std::string_view value) {
  if (head.has_length_ || value.empty()) return HttpFault::bad_length;
  for (const char c : value) {
    if (!http::is_digit(c)) return HttpFault::bad_length;
  }
  while (value.size() > 1 && value[0] == '0') value.remove_prefix(1);
  if (value.size() > kMostLengthDigits) return HttpFault::body_too_large;
  head.has_length_ = true;
  for (const char c : value) head.length_ = head.length_ * 10 + static_cast<uint64_t>(c - '0');
  return HttpFault::none;
}

HttpFault HttpParser::interpret(HttpHead& head) {
  head.length_ = 0;
  head.is_chunked_ = head.has_length_ = head.expects_continue_ = head.asks_upgrade_ = false;
  bool closes = false;
  bool keeps = false;
  bool upgrades = false;
  bool has_upgrade = false;
  size_t hosts = 0;
  Codings codings;
  const bool is_request = kind_ == Kind::request;
  for (size_t i = 0; i < head.fields_.size(); ++i) {
    const HttpField field = head.fields_[i];
    switch (field.name.size()) {
      case 4:
        if (!is_request || !equal_ignoring_case(field.name, "host")) break;
        if (++hosts > 1 || !http::all_of(field.value, http::kHost)) return HttpFault::bad_host;
        break;
      case 6:
        if (!is_request || !equal_ignoring_case(field.name, "expect")) break;
        if (!equal_ignoring_case(field.value, "100-continue")) return HttpFault::bad_expectation;
        head.expects_continue_ = head.minor_version_ == 1;
        break;
      case 7:
        if (equal_ignoring_case(field.name, "upgrade")) has_upgrade = true;
        break;
      case 10:
        if (!equal_ignoring_case(field.name, "connection")) break;
        http::for_each_element(field.value, [&](std::string_view option) {
          if (equal_ignoring_case(option, "close")) closes = true;
          if (equal_ignoring_case(option, "keep-alive")) keeps = true;
          if (equal_ignoring_case(option, "upgrade")) upgrades = true;
        });
        break;
      case 14:
        if (!equal_ignoring_case(field.name, "content-length")) break;
        if (const HttpFault fault = parse_length(head, field.value); fault != HttpFault::none) {
          return fault;
        }
        break;
      case 17:
        if (!equal_ignoring_case(field.name, "transfer-encoding")) break;
        if (++codings.fields > 1) return HttpFault::bad_coding;
        http::for_each_element(field.value, [&](std::string_view coding) {
          const bool is_chunked = equal_ignoring_case(coding, "chunked");
          if (is_chunked) ++codings.chunked;
          if (coding.empty()) codings.has_empty = true;
          if (!is_chunked && !coding.empty()) codings.has_other = true;
        });
        break;
      default: break;
    }
  }
  if (is_request && head.minor_version_ == 1 && hosts == 0) return HttpFault::bad_host;
  if (codings.fields > 0) {
    if (head.has_length_ || head.minor_version_ == 0) return HttpFault::bad_coding;
    if (codings.has_other) return HttpFault::unknown_coding;
    if (codings.chunked != 1 || codings.has_empty) return HttpFault::bad_coding;
    head.is_chunked_ = true;
  }
  head.keeps_alive_ = !closes && (head.minor_version_ == 1 || keeps);
  head.asks_upgrade_ = upgrades && has_upgrade && head.minor_version_ == 1;
  return HttpFault::none;
}

HttpFault HttpParser::choose_body(const HttpHead& head) {
  total_ = left_ = 0;
  extensions_ = 0;
  digits_ = 0;
  const bool is_response = kind_ == Kind::response;
  const int status = head.status();
  const bool has_none =
      is_response && (has_no_body_ || status < 200 || status == 204 || status == 304);
  if (is_response && status >= 200) has_no_body_ = false;
  if (has_none) {
    state_ = State::end;
  } else if (head.is_chunked()) {
    state_ = State::chunk_size;
  } else if (head.has_length()) {
    if (head.length() > limits_->body) return HttpFault::body_too_large;
    left_ = head.length();
    state_ = left_ == 0 ? State::end : State::body;
  } else {
    state_ = is_response ? State::until_end : State::end;
  }
  return HttpFault::none;
}

}  // namespace rondo
