// Writes strings as JSON.stringify() does, with quotes, in UTF-8. Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rondo::encoding {

// Append to `out`. An unpaired surrogate is written as an escape: \ud800.
void append_json_of_latin1(const uint8_t* data, size_t size, std::string& out);
void append_json_of_utf16(const char16_t* data, size_t size, std::string& out);
// For names and other short texts. Invalid UTF-8 is copied unchanged.
std::string json_of_utf8(std::string_view text);

}  // namespace rondo::encoding
