// Compresses inputs that are completely in memory with libdeflate, which takes less than half the
// time of zlib (docs/adr/modules/0042). The result is a valid stream of the same format, with the
// header that zlib writes, but the compressed bytes differ from zlib's. Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "bindings/zlib/codec.h"

struct libdeflate_compressor;

namespace rondo::bindings::zlib {

// Owns compressors for reuse, because allocating one costs as much as compressing a small input.
class WholeInput {
 public:
  WholeInput() = default;
  ~WholeInput();
  WholeInput(const WholeInput&) = delete;
  WholeInput& operator=(const WholeInput&) = delete;

  // False if the settings need zlib itself.
  static bool supports(Mode mode, const ZlibSettings& settings);
  // The compressed bytes in memory from malloc; null if there is not enough memory.
  uint8_t* compress(Mode mode, int level, std::span<const uint8_t> input, size_t* size);

 private:
  struct Idle {
    int level;
    libdeflate_compressor* compressor;
  };
  static constexpr size_t kMostIdle = 4;  // Up to 1 MB each.

  libdeflate_compressor* take(int level);
  void give_back(Idle idle);

  std::mutex lock_;
  std::vector<Idle> idle_;
};

}  // namespace rondo::bindings::zlib
