// FuzzInput reads a fuzzer's bytes as numbers. Past the end it reads zeros, so that every prefix of
// an input is valid and has a similar meaning.
#pragma once

#include <cstddef>
#include <cstdint>

// Defined by a target: runs one input, from the fuzzer or from standalone_main.cc. Returns 0.
// NOLINTNEXTLINE(readability-identifier-naming): the name is libFuzzer's.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

class FuzzInput {
 public:
  FuzzInput(const uint8_t* data, size_t size) : next_(data), end_(data + size) {}

  bool is_empty() const { return next_ == end_; }
  uint8_t byte() { return is_empty() ? uint8_t{0} : *next_++; }
  uint16_t word() {
    const unsigned low = byte();
    return static_cast<uint16_t>(low | unsigned{byte()} << 8);
  }
  size_t below(size_t limit) { return limit <= 256 ? byte() % limit : word() % limit; }

 private:
  const uint8_t* next_;
  const uint8_t* end_;
};
