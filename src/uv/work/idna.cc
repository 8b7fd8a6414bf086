#include "uv/work/idna.h"

#include <uv.h>

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/encoding/utf8.h"

namespace rondo::uv {
namespace {

// The parameters of RFC 3492, section 5.
constexpr uint32_t kBase = 36;
constexpr uint32_t kLowest = 1;
constexpr uint32_t kHighest = 26;
constexpr uint32_t kSkew = 38;
constexpr uint32_t kDamp = 700;
constexpr uint32_t kFirstBias = 72;
constexpr uint32_t kFirstCode = 0x80;

constexpr size_t kLongestName = 255;

char digit(uint32_t value) {
  return static_cast<char>(value < 26 ? 'a' + value : '0' + value - 26);
}

uint32_t adapt(uint32_t delta, uint32_t points, bool is_first) {
  delta = is_first ? delta / kDamp : delta / 2;
  delta += delta / points;
  uint32_t steps = 0;
  while (delta > (kBase - kLowest) * kHighest / 2) {
    delta /= kBase - kLowest;
    steps += kBase;
  }
  return steps + (kBase - kLowest + 1) * delta / (delta + kSkew);
}

void put_number(uint32_t number, uint32_t bias, std::string& out) {
  for (uint32_t k = kBase;; k += kBase) {
    const uint32_t low = k <= bias ? kLowest : k >= bias + kHighest ? kHighest : k - bias;
    if (number < low) break;
    out += digit(low + (number - low) % (kBase - low));
    number = (number - low) / (kBase - low);
  }
  out += digit(number);
}

void encode_label(const std::vector<uint32_t>& label, std::string& out) {
  size_t done = 0;
  for (const uint32_t code : label) done += code < kFirstCode ? 1 : 0;
  if (done < label.size()) out += "xn--";
  const auto ascii = static_cast<uint32_t>(done);
  for (const uint32_t code : label) {
    if (code < kFirstCode) out += static_cast<char>(code);
  }
  if (done == label.size()) return;
  if (ascii > 0) out += '-';
  uint32_t delta = 0;
  uint32_t next = kFirstCode;
  uint32_t bias = kFirstBias;
  while (done < label.size()) {
    uint32_t smallest = UINT32_MAX;
    for (const uint32_t code : label) {
      if (code >= next && code < smallest) smallest = code;
    }
    // A name has at most 4 * kLongestName bytes, so the product fits.
    delta += (smallest - next) * static_cast<uint32_t>(done + 1);
    next = smallest;
    for (const uint32_t code : label) {
      if (code < next) ++delta;
      if (code != next) continue;
      put_number(delta, bias, out);
      bias = adapt(delta, static_cast<uint32_t>(done + 1), done == ascii);
      delta = 0;
      ++done;
    }
    ++delta;
    ++next;
  }
}

bool is_dot(uint32_t code) {
  return code == '.' || code == 0x3002 || code == 0xFF0E || code == 0xFF61;
}

// Of valid UTF-8.
uint32_t next_code(const unsigned char*& at) {
  const uint32_t first = *at++;
  if (first < 0x80) return first;
  const int more = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
  uint32_t code = first & (0x3Fu >> more);
  for (int i = 0; i < more; ++i) code = code << 6 | (*at++ & 0x3Fu);
  return code;
}

}  // namespace

int to_ascii(const char* name, std::string& out) {
  const size_t size = std::strlen(name);
  const auto* at = reinterpret_cast<const unsigned char*>(name);
  const unsigned char* const end = at + size;
  if (size > 4 * kLongestName || !encoding::is_utf8(at, size)) return UV_EINVAL;
  std::vector<uint32_t> label;
  while (at < end) {
    const uint32_t code = next_code(at);
    const bool is_end = is_dot(code);
    if (!is_end) label.push_back(code);
    if (!is_end && at < end) continue;
    encode_label(label, out);
    label.clear();
    if (is_end) out += '.';
  }
  return out.size() > kLongestName ? UV_EINVAL : 0;
}

}  // namespace rondo::uv
