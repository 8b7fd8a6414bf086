// The text of heads. Thread: any.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/time/time.h"

namespace rondo::http {

const char* reason_of(int status);  // "Not Found"; "" if unknown.

// "Sun, 06 Nov 1994 08:49:37 GMT": 29 bytes and a NUL.
inline constexpr size_t kDateSize = 30;
void format_date(Nanos wall, char* to);

inline void append_number(std::string& to, uint64_t number, int base = 10) {
  char digits[24];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number, base);
  to.append(digits, end);
}

// False, and nothing appended, if name or value are not allowed in HTTP.
bool append_field(std::string& to, std::string_view name, std::string_view value);

// A field that decides where a message ends or what becomes of its connection: set by the library.
bool is_framing_field(std::string_view name);

void append_chunk_head(std::string& to, size_t size);

}  // namespace rondo::http
