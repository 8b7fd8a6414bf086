// Codec for deflate, gzip and raw deflate, in both directions.
#include <zlib.h>

#include <algorithm>
#include <utility>

#include "bindings/zlib/codec.h"

namespace rondo::bindings::zlib {

namespace {

constexpr uint8_t kMagic1 = 0x1f;
constexpr uint8_t kMagic2 = 0x8b;
// z_stream has sizes of 32 bits; more is passed in pieces.
constexpr size_t kMostAtOnce = size_t{1} << 30;

const char* name_of(int error) {
  switch (error) {
    case Z_OK: return "Z_OK";
    case Z_STREAM_END: return "Z_STREAM_END";
    case Z_NEED_DICT: return "Z_NEED_DICT";
    case Z_ERRNO: return "Z_ERRNO";
    case Z_STREAM_ERROR: return "Z_STREAM_ERROR";
    case Z_DATA_ERROR: return "Z_DATA_ERROR";
    case Z_MEM_ERROR: return "Z_MEM_ERROR";
    case Z_BUF_ERROR: return "Z_BUF_ERROR";
    case Z_VERSION_ERROR: return "Z_VERSION_ERROR";
    default: return "Z_UNKNOWN_ERROR";
  }
}

void* allocate_items(void* meter, uInt items, uInt size) {
  return MemoryMeter::allocate(meter, size_t{items} * size);
}

class ZlibCodec final : public Codec {
 public:
  ZlibCodec(Mode mode, ZlibSettings settings) : settings_(std::move(settings)), mode_(mode) {
    stream_.zalloc = allocate_items;
    stream_.zfree = MemoryMeter::free;
    stream_.opaque = &meter_;
  }
  ~ZlibCodec() override {
    if (!is_ready_) return;
    if (is_decoder(mode_)) {
      inflateEnd(&stream_);
    } else {
      deflateEnd(&stream_);
    }
  }

  void run(Buffers& buffers, int flush) override {
    flush_ = flush;
    bool goes_on = true;
    while (goes_on) {
      const size_t in_size = std::min(buffers.in_size, kMostAtOnce);
      const size_t out_size = std::min(buffers.out_size, kMostAtOnce);
      const bool is_last = in_size == buffers.in_size;
      stream_.next_in = const_cast<Bytef*>(buffers.in);
      stream_.avail_in = static_cast<uInt>(in_size);
      stream_.next_out = buffers.out;
      stream_.avail_out = static_cast<uInt>(out_size);
      // Memory is only allocated when it is needed, as many streams are never written to.
      if (prepare()) step(is_last ? flush : Z_NO_FLUSH);
      const size_t taken = in_size - stream_.avail_in;
      const size_t made = out_size - stream_.avail_out;
      buffers.in += taken;
      buffers.in_size -= taken;
      buffers.out += made;
      buffers.out_size -= made;
      // All of a piece was used, and there is another.
      goes_on = error_ == Z_OK && ((!is_last && stream_.avail_in == 0 && buffers.out_size > 0) ||
                                   (stream_.avail_out == 0 && buffers.out_size > 0));
    }
    is_full_ = buffers.out_size == 0;
  }

  std::optional<Failure> failure() const override {
    switch (error_) {
      case Z_OK:
      case Z_BUF_ERROR:
        if (!is_full_ && flush_ == Z_FINISH) return failure_of("unexpected end of file");
        return {};
      case Z_STREAM_END: return {};
      case Z_NEED_DICT:
        return failure_of(settings_.dictionary.empty() ? "Missing dictionary" : "Bad dictionary");
      default: return failure_of("Zlib error");
    }
  }

  std::optional<Failure> reset() override {
    if (!prepare()) return failure_of("Failed to init stream before reset");
    error_ = is_decoder(mode_) ? inflateReset(&stream_) : deflateReset(&stream_);
    if (error_ != Z_OK) return failure_of("Failed to reset stream");
    set_dictionary();
    if (error_ != Z_OK) return failure_of("Failed to set dictionary");
    return {};
  }

  std::optional<Failure> set_level(int level, int strategy) override {
    if (!prepare()) return failure_of("Failed to init stream before set parameters");
    error_ = Z_OK;
    // deflateParams() may have to write data compressed with the old level. There is no output
    // buffer here: unless the stream was flushed before, the level does not change.
    uint8_t none = 0;
    stream_.next_in = nullptr;
    stream_.avail_in = 0;
    stream_.next_out = &none;
    stream_.avail_out = 0;
    // Node ignores new parameters of gzip.
    if (mode_ == Mode::deflate || mode_ == Mode::deflate_raw) {
      error_ = deflateParams(&stream_, level, strategy);
    }
    stream_.next_out = nullptr;
    if (error_ != Z_OK && error_ != Z_BUF_ERROR) return failure_of("Failed to set parameters");
    return {};
  }

 private:
  std::optional<Failure> failure_of(const char* message) const {
    return Failure{stream_.msg != nullptr ? stream_.msg : message, error_, name_of(error_)};
  }

  int window_bits() const {
    switch (mode_) {
      case Mode::gzip:
      case Mode::gunzip: return settings_.window_bits + 16;
      case Mode::unzip: return settings_.window_bits + 32;  // Detects gzip.
      case Mode::deflate_raw:
      case Mode::inflate_raw: return -settings_.window_bits;
      default: return settings_.window_bits;
    }
  }

  bool prepare() {
    if (is_ready_) return true;
    if (is_decoder(mode_)) {
      error_ = inflateInit2(&stream_, window_bits());
    } else {
      error_ = deflateInit2(&stream_, settings_.level, Z_DEFLATED, window_bits(),
                            settings_.mem_level, settings_.strategy);
    }
    is_ready_ = error_ == Z_OK;
    if (is_ready_) set_dictionary();
    return is_ready_;
  }

  void set_dictionary() {
    const auto size = static_cast<uInt>(settings_.dictionary.size());
    if (size == 0) return;
    if (mode_ == Mode::deflate || mode_ == Mode::deflate_raw) {
      error_ = deflateSetDictionary(&stream_, settings_.dictionary.data(), size);
    } else if (mode_ == Mode::inflate_raw) {
      error_ = inflateSetDictionary(&stream_, settings_.dictionary.data(), size);
    }
    // The other formats request the dictionary: see inflate_step().
  }

  void step(int flush) {
    if (!is_decoder(mode_)) {
      error_ = deflate(&stream_, flush);
      return;
    }
    if (mode_ == Mode::unzip) detect_format();
    inflate_step(flush);
    // Decompress further members of a gzip file. A zero byte begins padding.
    while (stream_.avail_in > 0 && mode_ == Mode::gunzip && error_ == Z_STREAM_END &&
           !settings_.rejects_garbage && stream_.next_in[0] != 0) {
      if (reset()) return;
      error_ = inflate(&stream_, flush);
    }
  }

  // Only gzip has members, so unzip must know whether it reads gzip.
  void detect_format() {
    const uint8_t* next = stream_.next_in;
    uInt left = stream_.avail_in;
    if (left > 0 && !has_magic_) {
      if (*next != kMagic1) {
        mode_ = Mode::inflate;
        return;
      }
      has_magic_ = true;
      ++next;
      --left;
    }
    if (left > 0) mode_ = *next == kMagic2 ? Mode::gunzip : Mode::inflate;
  }

  void inflate_step(int flush) {
    error_ = inflate(&stream_, flush);
    if (error_ != Z_NEED_DICT || mode_ == Mode::inflate_raw || settings_.dictionary.empty()) return;
    error_ = inflateSetDictionary(&stream_, settings_.dictionary.data(),
                                  static_cast<uInt>(settings_.dictionary.size()));
    if (error_ == Z_OK) {
      error_ = inflate(&stream_, flush);
    } else if (error_ == Z_DATA_ERROR) {
      error_ = Z_NEED_DICT;  // The dictionary is wrong, not the data.
    }
  }

  ZlibSettings settings_;
  z_stream stream_{};
  Mode mode_;
  int error_ = Z_OK;
  int flush_ = Z_NO_FLUSH;
  bool is_ready_ = false;
  bool is_full_ = false;
  bool has_magic_ = false;  // The first byte of gzip was seen.
};

}  // namespace

std::unique_ptr<Codec> make_zlib_codec(Mode mode, ZlibSettings settings) {
  return std::make_unique<ZlibCodec>(mode, std::move(settings));
}

}  // namespace rondo::bindings::zlib
