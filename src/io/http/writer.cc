#include "io/http/writer.h"

#include <chrono>
#include <cstdio>

#include "io/http/characters.h"

namespace rondo::http {
namespace {

struct Reason {
  int status;
  const char* text;
};
constexpr Reason kReasons[] = {
    {100, "Continue"},
    {101, "Switching Protocols"},
    {103, "Early Hints"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {203, "Non-Authoritative Information"},
    {204, "No Content"},
    {205, "Reset Content"},
    {206, "Partial Content"},
    {300, "Multiple Choices"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {411, "Length Required"},
    {412, "Precondition Failed"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {416, "Range Not Satisfiable"},
    {417, "Expectation Failed"},
    {421, "Misdirected Request"},
    {422, "Unprocessable Content"},
    {426, "Upgrade Required"},
    {428, "Precondition Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
};

}  // namespace

const char* reason_of(int status) {
  for (const Reason& reason : kReasons) {
    if (reason.status == status) return reason.text;
  }
  return "";
}

// Not strftime(), whose names depend on the locale.
void format_date(Nanos wall, char* to) {
  static constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  using std::chrono::floor;
  const auto instant = std::chrono::sys_time<Nanos>(wall);
  const auto days = floor<std::chrono::days>(instant);
  const std::chrono::year_month_day date(days);
  const std::chrono::hh_mm_ss time(floor<std::chrono::seconds>(instant - days));
  std::snprintf(
      to, kDateSize, "%s, %02u %s %04d %02d:%02d:%02d GMT",
      kDays[std::chrono::weekday(days).c_encoding()], static_cast<unsigned>(date.day()) % 100,
      kMonths[static_cast<unsigned>(date.month()) - 1], static_cast<int>(date.year()) % 10000,
      static_cast<int>(time.hours().count()) % 100, static_cast<int>(time.minutes().count()) % 100,
      static_cast<int>(time.seconds().count()) % 100);
}

bool append_field(std::string& to, std::string_view name, std::string_view value) {
  if (!is_token(name) || !all_of(value, kText)) return false;
  to.append(name).append(": ").append(value).append("\r\n");
  return true;
}

bool is_framing_field(std::string_view name) {
  switch (name.size()) {
    case 10:
      return equal_ignoring_case(name, "connection") || equal_ignoring_case(name, "keep-alive");
    case 14: return equal_ignoring_case(name, "content-length");
    case 17: return equal_ignoring_case(name, "transfer-encoding");
    default: return false;
  }
}

void append_chunk_head(std::string& to, size_t size) {
  append_number(to, size, 16);
  to += "\r\n";
}

}  // namespace rondo::http
