#include "bindings/crypto/weak_points.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace rondo::bindings::crypto {

namespace {

constexpr size_t kSize25519 = 32;
constexpr size_t kSize448 = 57;
constexpr uint8_t kSign = 0x80;  // The sign of x, in the last byte of an encoded point.

using Point25519 = std::array<uint8_t, kSize25519>;

// The coordinates y of the points of order 8, little-endian.
constexpr Point25519 kOrder8[] = {
    {0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B,
     0x76, 0x0D, 0x10, 0x67, 0x0F, 0x2A, 0x20, 0x53, 0xFA, 0x2C, 0x39,
     0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77, 0x92, 0xAC, 0x03, 0x7A},
    {0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4,
     0x89, 0xF2, 0xEF, 0x98, 0xF0, 0xD5, 0xDF, 0xAC, 0x05, 0xD3, 0xC6,
     0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53, 0xFC, 0x05},
};

// A number that has `low` in its first byte, `last` in its last one and `rest` in all others.
bool is_number(const uint8_t* y, size_t size, uint8_t low, uint8_t rest, uint8_t last) {
  return y[0] == low && y[size - 1] == last &&
         std::all_of(y + 1, y + size - 1, [rest](uint8_t byte) { return byte == rest; });
}

// The points of orders 1, 2, 4 have y = 1, -1, 0. Numbers are below 2^255, so that 0 and 1 can also
// be written as p and p + 1.
bool is_weak_25519(const uint8_t* encoded) {
  Point25519 y{};
  std::copy_n(encoded, kSize25519, y.begin());
  y.back() &= static_cast<uint8_t>(~kSign);
  return is_number(y.data(), kSize25519, 0, 0, 0) || is_number(y.data(), kSize25519, 1, 0, 0) ||
         is_number(y.data(), kSize25519, 0xEC, 0xFF, 0x7F) ||
         is_number(y.data(), kSize25519, 0xED, 0xFF, 0x7F) ||
         is_number(y.data(), kSize25519, 0xEE, 0xFF, 0x7F) || y == kOrder8[0] || y == kOrder8[1];
}

// The points of orders 1, 2 and 4 have y = 1, -1 and 0, where p = 2^448 - 2^224 - 1.
bool is_weak_448(const uint8_t* encoded) {
  constexpr size_t kMiddle = 28;
  std::array<uint8_t, kSize448> y{};
  std::copy_n(encoded, kSize448, y.begin());
  const bool is_negative = y.back() == kSign;
  y.back() &= static_cast<uint8_t>(~kSign);
  if (is_number(y.data(), kSize448, 0, 0, 0)) return true;
  if (is_negative) return false;
  if (is_number(y.data(), kSize448, 1, 0, 0)) return true;
  if (y[0] != 0xFE || y[kMiddle] != 0xFE || y.back() != 0) return false;
  for (size_t i = 1; i + 1 < kSize448; ++i) {
    if (i != kMiddle && y[i] != 0xFF) return false;
  }
  return true;
}

}  // namespace

bool has_weak_point(const EVP_PKEY* key, const std::vector<uint8_t>& signature) {
  const bool is_25519 = EVP_PKEY_is_a(key, "ED25519") == 1;
  if (!is_25519 && EVP_PKEY_is_a(key, "ED448") != 1) return false;
  size_t size = is_25519 ? kSize25519 : kSize448;
  if (signature.size() != 2 * size) return false;
  const auto is_weak = is_25519 ? is_weak_25519 : is_weak_448;
  if (is_weak(signature.data())) return true;
  std::array<uint8_t, kSize448> point{};
  return EVP_PKEY_get_raw_public_key(key, point.data(), &size) == 1 && is_weak(point.data());
}

}  // namespace rondo::bindings::crypto
