#include "bindings/zlib/codec.h"

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace rondo::bindings::zlib {

namespace {

constexpr const char* kLabels[] = {
    "zlib",       "deflate", "inflate",          "gzip",           "gunzip",       "deflateRaw",
    "inflateRaw", "unzip",   "brotliDecompress", "brotliCompress", "zstdCompress", "zstdDecompress",
};
static_assert(std::size(kLabels) == static_cast<size_t>(Mode::count));

// The size of an allocation is stored in front of it, because the libraries do not pass it to
// free().
constexpr size_t kHeader = std::max(sizeof(size_t), alignof(std::max_align_t));

}  // namespace

const char* label_of(Mode mode) { return kLabels[static_cast<size_t>(mode)]; }

bool is_decoder(Mode mode) {
  switch (mode) {
    case Mode::inflate:
    case Mode::gunzip:
    case Mode::inflate_raw:
    case Mode::unzip:
    case Mode::brotli_decode:
    case Mode::zstd_decompress: return true;
    default: return false;
  }
}

void* MemoryMeter::allocate(void* meter, size_t size) {
  if (size > SIZE_MAX - kHeader) return nullptr;
  auto* const memory = static_cast<std::byte*>(std::malloc(size + kHeader));
  if (memory == nullptr) return nullptr;
  std::memcpy(memory, &size, sizeof size);
  static_cast<MemoryMeter*>(meter)->bytes_.fetch_add(static_cast<int64_t>(size),
                                                     std::memory_order_relaxed);
  return memory + kHeader;
}

void MemoryMeter::free(void* meter, void* memory) {
  if (memory == nullptr) return;
  std::byte* const start = static_cast<std::byte*>(memory) - kHeader;
  size_t size;
  std::memcpy(&size, start, sizeof size);
  static_cast<MemoryMeter*>(meter)->bytes_.fetch_sub(static_cast<int64_t>(size),
                                                     std::memory_order_relaxed);
  std::free(start);
}

std::optional<Failure> Codec::set_level(int, int) { return {}; }

Failure unexpected_end() { return {"unexpected end of file", Z_BUF_ERROR, "Z_BUF_ERROR"}; }

Failure garbage_after_end() {
  return {"Trailing junk found after the end of the compressed stream", 0,
          "ERR_TRAILING_JUNK_AFTER_STREAM_END"};
}

}  // namespace rondo::bindings::zlib
