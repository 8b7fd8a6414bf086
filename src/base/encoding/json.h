// Strings as JSON.stringify() writes them, with their quotes, in UTF-8. Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rondo::encoding {

// Appended to `out`. A surrogate without its other half is written as an escape: \ud800.
void append_json_of_latin1(const uint8_t* data, size_t size, std::string& out);
void append_json_of_utf16(const char16_t* data, size_t size, std::string& out);
// For names and other short texts. Invalid UTF-8 is kept.
std::string json_of_utf8(std::string_view text);

}  // namespace rondo::encoding
