// Codec for Zstandard.
#include <utility>

#include "bindings/zlib/codec.h"
#include "bindings/zlib/constants.h"
#include "bindings/zlib/zstd.h"

namespace rondo::bindings::zlib {

namespace {

constexpr const char* kLoadFailed = "ERR_ZLIB_DICTIONARY_LOAD_FAILED";
constexpr const char* kInitFailed = "ERR_ZLIB_INITIALIZATION_FAILED";

template <auto kFree>
struct FreeWith {
  template <class T>
  void operator()(T* object) const {
    kFree(object);
  }
};

// The common part of both directions.
class ZstdCodec : public Codec {
 public:
  std::optional<Failure> failure() const override {
    if (error_ == 0) return {};
    return Failure{ZSTD_getErrorString(error_), error_, zstd_error_name(error_)};
  }

 protected:
  ZstdCustomMem memory_functions() { return {MemoryMeter::allocate, MemoryMeter::free, &meter_}; }
  // Notes an error; otherwise returns true.
  bool check(size_t result) {
    if (ZSTD_isError(result) == 0) return true;
    error_ = ZSTD_getErrorCode(result);
    return false;
  }
  static void advance(Buffers& buffers, const ZstdInBuffer& in, const ZstdOutBuffer& out) {
    buffers.in += in.pos;
    buffers.in_size -= in.pos;
    buffers.out += out.pos;
    buffers.out_size -= out.pos;
  }

  int error_ = 0;
};

class ZstdCompressor final : public ZstdCodec {
 public:
  explicit ZstdCompressor(const Parameters& parameters) : pledged_size_(parameters.pledged_size) {}

  std::optional<Failure> begin(std::span<const uint8_t> dictionary) {
    context_.reset(ZSTD_createCCtx_advanced(memory_functions()));
    if (context_ == nullptr) return Failure{"Could not initialize zstd instance", -1, kInitFailed};
    if (!dictionary.empty() && ZSTD_isError(ZSTD_CCtx_loadDictionary(
                                   context_.get(), dictionary.data(), dictionary.size())) != 0) {
      return Failure{"Failed to load zstd dictionary", -1, kLoadFailed};
    }
    if (ZSTD_isError(ZSTD_CCtx_setPledgedSrcSize(context_.get(), pledged_size_)) != 0) {
      return Failure{"Could not set pledged src size", -1, kInitFailed};
    }
    return {};
  }
  bool set(int parameter, uint32_t value) {
    return ZSTD_isError(
               ZSTD_CCtx_setParameter(context_.get(), parameter, static_cast<int>(value))) == 0;
  }

  void run(Buffers& buffers, int flush) override {
    // zstd does not check the size if the first operation is also the last one.
    const bool is_pledged = pledged_size_ != Parameters::kUnknownSize;
    if (is_pledged && flush == zstd::kEnd && taken_ + buffers.in_size != pledged_size_) {
      error_ = zstd::kWrongSize;
      return;
    }
    ZstdInBuffer in{buffers.in, buffers.in_size, 0};
    ZstdOutBuffer out{buffers.out, buffers.out_size, 0};
    check(ZSTD_compressStream2(context_.get(), &out, &in, flush));
    advance(buffers, in, out);
    taken_ += in.pos;
  }
  std::optional<Failure> reset() override {
    taken_ = 0;
    return begin({});
  }

 private:
  uint64_t pledged_size_;
  uint64_t taken_ = 0;  // Bytes of input.
  std::unique_ptr<ZSTD_CCtx_s, FreeWith<ZSTD_freeCCtx>> context_;
};

// Decodes several frames in a row. The bytes after a frame belong to the next one if they are a
// frame's magic number, and are garbage otherwise.
class ZstdDecompressor final : public ZstdCodec {
 public:
  explicit ZstdDecompressor(const Parameters& parameters)
      : rejects_garbage_(parameters.rejects_garbage) {}

  std::optional<Failure> begin(std::span<const uint8_t> dictionary) {
    is_between_frames_ = false;
    magic_size_ = 0;
    context_.reset(ZSTD_createDCtx_advanced(memory_functions()));
    if (context_ == nullptr) return Failure{"Could not initialize zstd instance", -1, kInitFailed};
    if (!dictionary.empty() && ZSTD_isError(ZSTD_DCtx_loadDictionary(
                                   context_.get(), dictionary.data(), dictionary.size())) != 0) {
      return Failure{"Failed to load zstd dictionary", -1, kLoadFailed};
    }
    return {};
  }
  bool set(int parameter, uint32_t value) {
    return ZSTD_isError(
               ZSTD_DCtx_setParameter(context_.get(), parameter, static_cast<int>(value))) == 0;
  }

  void run(Buffers& buffers, int flush) override {
    flush_ = flush;
    has_garbage_ = false;
    // Run even without input, because the decoder may have more output.
    if (!is_between_frames_) decode(buffers);
    while (is_between_frames_ && error_ == 0 && buffers.in_size > 0 && buffers.out_size > 0) {
      if (!begins_frame(buffers)) break;
      decode(buffers);
    }
    is_starved_ = buffers.in_size == 0 && buffers.out_size > 0;
  }
  std::optional<Failure> failure() const override {
    if (error_ != 0) return ZstdCodec::failure();
    const bool is_last = flush_ == zstd::kEnd;
    if (is_last && !is_between_frames_ && is_starved_) return unexpected_end();
    const bool has_part_of_magic = is_last && magic_size_ > 0;
    if (rejects_garbage_ && (has_garbage_ || has_part_of_magic)) return garbage_after_end();
    return {};
  }
  std::optional<Failure> reset() override { return begin({}); }

 private:
  static constexpr size_t kMagicSize = 4;

  void decode(Buffers& buffers) {
    ZstdInBuffer in{buffers.in, buffers.in_size, 0};
    ZstdOutBuffer out{buffers.out, buffers.out_size, 0};
    const size_t result = ZSTD_decompressStream(context_.get(), &out, &in);
    is_between_frames_ = check(result) && result == 0;
    advance(buffers, in, out);
  }

  // True if `byte` can be at `index` of the magic number of a frame or a skippable frame.
  static bool is_magic(size_t index, uint8_t byte, uint8_t first) {
    constexpr uint8_t kFrame[] = {0x28, 0xb5, 0x2f, 0xfd};
    constexpr uint8_t kSkippable[] = {0x50, 0x2a, 0x4d, 0x18};
    if (index == 0) return byte == kFrame[0] || (byte & 0xf0) == kSkippable[0];
    return byte == (first == kFrame[0] ? kFrame[index] : kSkippable[index]);
  }

  // Takes the magic number, which may come in several parts, and passes it to the decoder.
  bool begins_frame(Buffers& buffers) {
    size_t taken = 0;
    while (magic_size_ < kMagicSize && taken < buffers.in_size) {
      const uint8_t byte = buffers.in[taken];
      if (!is_magic(magic_size_, byte, magic_[0])) {
        magic_size_ -= taken;  // As in Node, nothing of this input was used.
        has_garbage_ = true;
        return false;
      }
      magic_[magic_size_++] = byte;
      ++taken;
    }
    buffers.in += taken;
    buffers.in_size -= taken;
    if (magic_size_ < kMagicSize) return false;
    magic_size_ = 0;
    is_between_frames_ = false;
    ZstdInBuffer in{magic_, kMagicSize, 0};
    ZstdOutBuffer out{nullptr, 0, 0};
    return check(ZSTD_decompressStream(context_.get(), &out, &in));
  }

  std::unique_ptr<ZSTD_DCtx_s, FreeWith<ZSTD_freeDCtx>> context_;
  uint8_t magic_[kMagicSize] = {};
  size_t magic_size_ = 0;
  int flush_ = 0;
  bool rejects_garbage_;
  bool is_between_frames_ = false;
  bool has_garbage_ = false;
  bool is_starved_ = false;  // All input was used, and there is room for output.
};

template <class T>
std::unique_ptr<Codec> make(const Parameters& parameters, Failure* failure) {
  auto codec = std::make_unique<T>(parameters);
  if (std::optional<Failure> reason = codec->begin(parameters.dictionary)) {
    *failure = std::move(*reason);
    return nullptr;
  }
  for (size_t i = 0; i < parameters.values.size(); ++i) {
    const uint32_t value = parameters.values[i];
    if (value == Parameters::kUnset || codec->set(static_cast<int>(i), value)) continue;
    *failure = {"Setting parameter failed", -1, "ERR_ZSTD_PARAM_SET_FAILED"};
    return nullptr;
  }
  return codec;
}

}  // namespace

std::unique_ptr<Codec> make_zstd_codec(Mode mode, const Parameters& parameters, Failure* failure) {
  if (is_decoder(mode)) return make<ZstdDecompressor>(parameters, failure);
  return make<ZstdCompressor>(parameters, failure);
}

}  // namespace rondo::bindings::zlib
