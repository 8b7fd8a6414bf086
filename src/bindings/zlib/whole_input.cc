#include "bindings/zlib/whole_input.h"

#include <libdeflate.h>
#include <zlib.h>

#include <cstdlib>

namespace rondo::bindings::zlib {

namespace {

constexpr int kDefaultLevel = 6;
constexpr int kUnixSystem = 3;

size_t bound_of(Mode mode, libdeflate_compressor* compressor, size_t size) {
  switch (mode) {
    case Mode::gzip: return libdeflate_gzip_compress_bound(compressor, size);
    case Mode::deflate: return libdeflate_zlib_compress_bound(compressor, size);
    default: return libdeflate_deflate_compress_bound(compressor, size);
  }
}

size_t run(Mode mode, libdeflate_compressor* compressor, std::span<const uint8_t> input,
           uint8_t* out, size_t capacity) {
  switch (mode) {
    case Mode::gzip:
      return libdeflate_gzip_compress(compressor, input.data(), input.size(), out, capacity);
    case Mode::deflate:
      return libdeflate_zlib_compress(compressor, input.data(), input.size(), out, capacity);
    default:
      return libdeflate_deflate_compress(compressor, input.data(), input.size(), out, capacity);
  }
}

// libdeflate describes its levels differently, and does not name the system.
void write_header_of_zlib(Mode mode, int level, uint8_t* out) {
  if (mode == Mode::gzip) {
    out[8] = level == Z_BEST_COMPRESSION ? 2 : level == Z_BEST_SPEED ? 4 : 0;
    out[9] = kUnixSystem;
  } else if (mode == Mode::deflate) {
    const int effort = level < 2 ? 0 : level < 6 ? 1 : level == 6 ? 2 : 3;
    out[1] = static_cast<uint8_t>(effort << 6);
    out[1] = static_cast<uint8_t>(out[1] + 31 - (out[0] * 256 + out[1]) % 31);
  }
}

}  // namespace

WholeInput::~WholeInput() {
  for (const Idle& idle : idle_) libdeflate_free_compressor(idle.compressor);
}

bool WholeInput::supports(Mode mode, const ZlibSettings& settings) {
  return (mode == Mode::gzip || mode == Mode::deflate || mode == Mode::deflate_raw) &&
         settings.window_bits == MAX_WBITS && settings.level != Z_NO_COMPRESSION &&
         settings.mem_level == 8 && settings.strategy == Z_DEFAULT_STRATEGY &&
         settings.dictionary.empty();
}

uint8_t* WholeInput::compress(Mode mode, int level, std::span<const uint8_t> input, size_t* size) {
  if (level == Z_DEFAULT_COMPRESSION) level = kDefaultLevel;
  libdeflate_compressor* const compressor = take(level);
  if (compressor == nullptr) return nullptr;
  const size_t capacity = bound_of(mode, compressor, input.size());
  auto* out = static_cast<uint8_t*>(std::malloc(capacity));
  if (out != nullptr) {
    *size = run(mode, compressor, input, out, capacity);
    write_header_of_zlib(mode, level, out);
    auto* const fitted = static_cast<uint8_t*>(std::realloc(out, *size));
    if (fitted != nullptr) out = fitted;
  }
  give_back({level, compressor});
  return out;
}

libdeflate_compressor* WholeInput::take(int level) {
  {
    const std::lock_guard guard(lock_);
    for (Idle& idle : idle_) {
      if (idle.level != level) continue;
      libdeflate_compressor* const compressor = idle.compressor;
      idle = idle_.back();
      idle_.pop_back();
      return compressor;
    }
  }
  return libdeflate_alloc_compressor(level);
}

void WholeInput::give_back(Idle idle) {
  {
    const std::lock_guard guard(lock_);
    if (idle_.size() < kMostIdle) {
      idle_.push_back(idle);
      return;
    }
  }
  libdeflate_free_compressor(idle.compressor);
}

}  // namespace rondo::bindings::zlib
