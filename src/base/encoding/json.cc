#include "base/encoding/json.h"

namespace rondo::encoding {
namespace {

// As many bytes as are looked at together; the compiler makes a few vector instructions of it.
constexpr size_t kBlock = 32;

bool is_plain(uint32_t unit) { return unit >= 0x20 && unit < 0x80 && unit != '"' && unit != '\\'; }

bool is_plain_block(const uint8_t* data) {
  uint8_t others = 0;
  for (size_t i = 0; i < kBlock; ++i) {
    const uint8_t byte = data[i];
    others |= static_cast<uint8_t>((byte & 0x80) | (byte < 0x20) | (byte == '"') | (byte == '\\'));
  }
  return others == 0;
}

size_t plain_prefix(const uint8_t* data, size_t size) {
  size_t at = 0;
  while (size - at >= kBlock && is_plain_block(data + at)) at += kBlock;
  while (at < size && is_plain(data[at])) ++at;
  return at;
}

bool is_high_surrogate(uint32_t unit) { return (unit & 0xFC00) == 0xD800; }
bool is_low_surrogate(uint32_t unit) { return (unit & 0xFC00) == 0xDC00; }
bool is_surrogate(uint32_t unit) { return (unit & 0xF800) == 0xD800; }

void append_escape(uint32_t unit, std::string& out) {
  constexpr char kDigits[] = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kDigits[(unit >> shift) & 0xF];
}

// Anything but a surrogate of a UTF-16 string that has its other half.
void append_character(uint32_t character, std::string& out) {
  switch (character) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\b': out += "\\b"; return;
    case '\f': out += "\\f"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  const auto append = [&out](uint32_t byte) { out += static_cast<char>(byte); };
  if (character < 0x20 || is_surrogate(character)) {
    append_escape(character, out);
  } else if (character < 0x80) {
    append(character);
  } else if (character < 0x800) {
    append(0xC0 | character >> 6);
    append(0x80 | (character & 0x3F));
  } else if (character < 0x10000) {
    append(0xE0 | character >> 12);
    append(0x80 | (character >> 6 & 0x3F));
    append(0x80 | (character & 0x3F));
  } else {
    append(0xF0 | character >> 18);
    append(0x80 | (character >> 12 & 0x3F));
    append(0x80 | (character >> 6 & 0x3F));
    append(0x80 | (character & 0x3F));
  }
}

}  // namespace

void append_json_of_latin1(const uint8_t* data, size_t size, std::string& out) {
  out += '"';
  for (size_t at = 0; at < size;) {
    const size_t plain = plain_prefix(data + at, size - at);
    out.append(reinterpret_cast<const char*>(data + at), plain);
    at += plain;
    if (at < size) append_character(data[at++], out);
  }
  out += '"';
}

void append_json_of_utf16(const char16_t* data, size_t size, std::string& out) {
  out += '"';
  for (size_t at = 0; at < size; ++at) {
    const uint32_t unit = data[at];
    if (is_high_surrogate(unit) && at + 1 < size && is_low_surrogate(data[at + 1])) {
      const uint32_t low = data[++at];
      append_character(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00), out);
    } else {
      append_character(unit, out);
    }
  }
  out += '"';
}

}  // namespace rondo::encoding
