// FNV-1a: a hash of a sequence of bytes, the same on every machine. Not for data that an attacker
// chooses. Thread: any; a plain value.
#pragma once

#include <cstdint>
#include <string_view>

namespace rondo {

class Fnv1a {
 public:
  void add(uint8_t byte) { value_ = (value_ ^ byte) * 0x100000001B3u; }
  void add(std::string_view bytes) {
    for (const char byte : bytes) add(static_cast<uint8_t>(byte));
  }
  uint64_t value() const { return value_; }

 private:
  uint64_t value_ = 0xCBF29CE484222325u;
};

}  // namespace rondo
