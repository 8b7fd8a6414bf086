#include "base/encoding/json.h"

#include "base/encoding/code_points.h"

namespace rondo::encoding {
namespace {

// The number of bytes checked together; the compiler vectorises the check.
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

void append_escape(uint32_t unit, std::string& out) {
  constexpr char kDigits[] = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kDigits[(unit >> shift) & 0xF];
}

// Appends a character that is not half of a valid surrogate pair.
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
  if (character < 0x20 || (character < 0x10000 && is_surrogate(static_cast<char16_t>(character)))) {
    append_escape(character, out);
    return;
  }
  uint8_t bytes[4];
  out.append(reinterpret_cast<const char*>(bytes), put_utf8(character, bytes));
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
    const char16_t unit = data[at];
    if (is_high_surrogate(unit) && at + 1 < size && is_low_surrogate(data[at + 1])) {
      append_character(from_surrogates(unit, data[++at]), out);
    } else {
      append_character(unit, out);
    }
  }
  out += '"';
}

std::string json_of_utf8(std::string_view text) {
  std::string out = "\"";
  for (const char letter : text) {
    if (static_cast<uint8_t>(letter) < 0x80) {
      append_character(static_cast<uint8_t>(letter), out);
    } else {
      out += letter;
    }
  }
  return out + '"';
}

}  // namespace rondo::encoding
