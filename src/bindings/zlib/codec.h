// A Codec compresses or decompresses one stream of bytes: zlib, Brotli and Zstandard behind one
// interface, with the results and errors of Node.
// Thread: any, one at a time. codec.cc has the memory, deflate_codec.cc, brotli_codec.cc and
// zstd_codec.cc the three kinds.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rondo::bindings::zlib {

// The numbers are those of Node's zlib.constants.
enum class Mode : uint8_t {
  none,
  deflate,
  inflate,
  gzip,
  gunzip,
  deflate_raw,
  inflate_raw,
  unzip,
  brotli_decode,
  brotli_encode,
  zstd_compress,
  zstd_decompress,
  count,
};

// Its name in traces and in `rondo why`.
const char* label_of(Mode mode);
bool is_decoder(Mode mode);

// Node's error: its message, errno and code.
struct Failure {
  std::string message;
  int number = 0;
  std::string code;
};

// The input and output that are left; run() moves both forward.
struct Buffers {
  const uint8_t* in = nullptr;
  size_t in_size = 0;
  uint8_t* out = nullptr;
  size_t out_size = 0;
};

// Counts the memory that a library allocates. Reads from another thread are approximate.
class MemoryMeter {
 public:
  MemoryMeter() = default;
  MemoryMeter(const MemoryMeter&) = delete;
  MemoryMeter& operator=(const MemoryMeter&) = delete;

  // In the form that the libraries call, with the meter as the opaque pointer.
  static void* allocate(void* meter, size_t size);
  static void free(void* meter, void* memory);
  int64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  std::atomic<int64_t> bytes_{0};
};

// Options of deflate and inflate.
struct ZlibSettings {
  int window_bits = 15;  // 0: inflate takes it from the header.
  int level = -1;
  int mem_level = 8;
  int strategy = 0;
  bool rejects_garbage = false;
  std::vector<uint8_t> dictionary;
};

// Options of Brotli and Zstandard: a parameter's index is its number.
struct Parameters {
  static constexpr uint32_t kUnset = UINT32_MAX;
  std::span<const uint32_t> values;
  std::vector<uint8_t> dictionary;
  uint64_t pledged_size = kUnknownSize;  // The size of the input; only for compression.
  static constexpr uint64_t kUnknownSize = UINT64_MAX;
  bool rejects_garbage = false;  // Only for Zstandard.
};

class Codec {
 public:
  Codec() = default;
  Codec(const Codec&) = delete;
  Codec& operator=(const Codec&) = delete;
  virtual ~Codec() = default;

  // Does as much as input and output allow. If the output is full afterwards, there may be more.
  virtual void run(Buffers& buffers, int flush) = 0;
  // Why the last run() failed. Its output must not be used then.
  virtual std::optional<Failure> failure() const = 0;
  // Begins a new stream with the same options.
  virtual std::optional<Failure> reset() = 0;
  virtual std::optional<Failure> set_level(int level, int strategy);

  // The memory in use.
  int64_t memory() const { return meter_.bytes(); }

 protected:
  MemoryMeter meter_;
};

std::unique_ptr<Codec> make_zlib_codec(Mode mode, ZlibSettings settings);
// These fail if a parameter or the dictionary is not valid.
std::unique_ptr<Codec> make_brotli_codec(Mode mode, Parameters parameters, Failure* failure);
std::unique_ptr<Codec> make_zstd_codec(Mode mode, const Parameters& parameters, Failure* failure);

// Node's error for input that ends too early.
Failure unexpected_end();
// lib makes an error of its own of this one.
Failure garbage_after_end();

}  // namespace rondo::bindings::zlib
