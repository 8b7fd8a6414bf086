// Character classes of HTTP/1.1 (RFC 9110, section 5.6) and ASCII case. Thread: any.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace rondo::http {

enum CharacterClass : uint8_t {
  kToken = 1,   // A name: of a method, of a field.
  kText = 2,    // May be part of a line: all but control characters; includes the tabulator.
  kTarget = 4,  // A request target: visible ASCII.
  kHost = 8,    // The value of Host: a name or address, and a port.
};

consteval std::array<uint8_t, 256> make_character_classes() {
  std::array<uint8_t, 256> classes{};
  const auto add = [&classes](std::string_view characters, uint8_t bits) {
    for (const char c : characters) classes[static_cast<uint8_t>(c)] |= bits;
  };
  for (size_t c = 0x20; c < 0x100; ++c) {
    if (c != 0x7F) classes[c] |= kText;
    if (c > 0x20 && c < 0x7F) classes[c] |= kTarget;
  }
  add("\t", kText);
  for (size_t c = 'a'; c <= 'z'; ++c) classes[c] |= kToken | kHost;
  for (size_t c = 'A'; c <= 'Z'; ++c) classes[c] |= kToken | kHost;
  for (size_t c = '0'; c <= '9'; ++c) classes[c] |= kToken | kHost;
  add("!#$%&'*+-.^_`|~", kToken);
  add("!$%&'()*+,;=-._~:[]", kHost);
  return classes;
}
inline constexpr std::array<uint8_t, 256> kCharacterClasses = make_character_classes();

inline bool is_of(char c, CharacterClass wanted) {
  return (kCharacterClasses[static_cast<uint8_t>(c)] & wanted) != 0;
}
inline bool all_of(std::string_view text, CharacterClass wanted) {
  for (const char c : text) {
    if (!is_of(c, wanted)) return false;
  }
  return true;
}
inline bool is_token(std::string_view text) { return !text.empty() && all_of(text, kToken); }

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_blank(char c) { return c == ' ' || c == '\t'; }
inline char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

inline bool equal_ignoring_case(std::string_view left, std::string_view right) {
  if (left.size() != right.size()) return false;
  for (size_t i = 0; i < left.size(); ++i) {
    if (to_lower(left[i]) != to_lower(right[i])) return false;
  }
  return true;
}

inline std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Calls `visit(token)` for each element of a comma-separated list, empty ones included.
template <class Visit>
void for_each_element(std::string_view list, Visit&& visit) {
  for (;;) {
    const size_t comma = list.find(',');
    visit(without_blanks(list.substr(0, comma)));
    if (comma == std::string_view::npos) return;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace rondo::http
