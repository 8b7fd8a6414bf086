#include "bindings/zlib/codec.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/zlib/constants.h"
#include "bindings/zlib/whole_input.h"

namespace rondo::bindings::zlib {
namespace {

using Bytes = std::vector<uint8_t>;

constexpr int kBrotliFinish = 2;
constexpr int kZstdEnd = 2;

Bytes text_of(size_t size) {
  Bytes bytes(size);
  uint32_t state = 1;
  for (uint8_t& byte : bytes) {
    state = state * 1103515245 + 12345;
    byte = static_cast<uint8_t>('a' + (state >> 16) % 7);
  }
  return bytes;
}

std::unique_ptr<Codec> make(Mode mode) {
  Failure failure;
  if (mode <= Mode::unzip) return make_zlib_codec(mode, {});
  if (mode == Mode::brotli_decode || mode == Mode::brotli_encode) {
    return make_brotli_codec(mode, {}, &failure);
  }
  return make_zstd_codec(mode, {}, &failure);
}

int finish_of(Mode mode) {
  if (mode <= Mode::unzip) return Z_FINISH;
  return mode == Mode::brotli_decode || mode == Mode::brotli_encode ? kBrotliFinish : kZstdEnd;
}

// The whole output, made in pieces of `piece` bytes.
Bytes run(Codec& codec, const Bytes& input, int flush, size_t piece = 1000) {
  Bytes output;
  Buffers buffers{input.data(), input.size(), nullptr, 0};
  do {
    const size_t before = output.size();
    output.resize(before + piece);
    buffers.out = output.data() + before;
    buffers.out_size = piece;
    codec.run(buffers, flush);
    output.resize(output.size() - buffers.out_size);
  } while (buffers.out_size == 0 && !codec.failure());
  return output;
}

constexpr std::pair<Mode, Mode> kPairs[] = {
    {Mode::deflate, Mode::inflate},
    {Mode::gzip, Mode::gunzip},
    {Mode::deflate_raw, Mode::inflate_raw},
    {Mode::gzip, Mode::unzip},
    {Mode::deflate, Mode::unzip},
    {Mode::brotli_encode, Mode::brotli_decode},
    {Mode::zstd_compress, Mode::zstd_decompress},
};

TEST(Codec, DecodersRestoreWhatEncodersMade) {
  for (const auto& [encoder, decoder] : kPairs) {
    for (const size_t size : {0, 1, 999, 1000, 20000}) {
      const Bytes input = text_of(size);
      const auto first = make(encoder);
      const Bytes packed = run(*first, input, finish_of(encoder));
      ASSERT_FALSE(first->failure()) << label_of(encoder);
      const auto second = make(decoder);
      EXPECT_EQ(run(*second, packed, finish_of(decoder)), input) << label_of(decoder);
      EXPECT_FALSE(second->failure());
    }
  }
}

TEST(Codec, EveryPrefixOfAStreamIsAnUnexpectedEnd) {
  for (const auto& [encoder, decoder] : kPairs) {
    const auto first = make(encoder);
    const Bytes packed = run(*first, text_of(300), finish_of(encoder));
    for (size_t size = 0; size < packed.size(); ++size) {
      const auto second = make(decoder);
      run(*second, Bytes(packed.begin(), packed.begin() + static_cast<ptrdiff_t>(size)),
          finish_of(decoder));
      ASSERT_TRUE(second->failure()) << label_of(decoder) << size;
      EXPECT_EQ(second->failure()->code, "Z_BUF_ERROR");
    }
  }
}

TEST(Codec, DamagedStreamsFailWithoutReadingOutside) {
  for (const auto& [encoder, decoder] : kPairs) {
    const auto first = make(encoder);
    const Bytes packed = run(*first, text_of(300), finish_of(encoder));
    for (size_t i = 0; i < packed.size() * 8; ++i) {
      // The exact size, so that a sanitizer sees any access outside.
      Bytes damaged(packed);
      damaged[i / 8] ^= static_cast<uint8_t>(1 << (i % 8));
      const auto second = make(decoder);
      const Bytes output = run(*second, damaged, finish_of(decoder), 100);
      if (second->failure()) {
        EXPECT_NE(second->failure()->code, "");
      }
      EXPECT_LT(output.size(), size_t{1} << 20);
    }
  }
}

TEST(Codec, ResetBeginsANewStream) {
  for (const auto& [encoder, decoder] : kPairs) {
    const auto codec = make(encoder);
    run(*codec, text_of(5000), 0);
    ASSERT_FALSE(codec->reset()) << label_of(encoder);
    const Bytes input = text_of(100);
    const Bytes packed = run(*codec, input, finish_of(encoder));
    const auto second = make(decoder);
    run(*second, Bytes(packed.begin(), packed.begin() + 4), 0);
    ASSERT_FALSE(second->reset());
    EXPECT_EQ(run(*second, packed, finish_of(decoder)), input) << label_of(decoder);
  }
}

TEST(Codec, CountsItsMemory) {
  for (const auto& [encoder, decoder] : kPairs) {
    const auto codec = make(encoder);
    run(*codec, text_of(5000), 0);
    EXPECT_GT(codec->memory(), 10000) << label_of(encoder);
  }
  // zlib takes memory when it is first used.
  EXPECT_EQ(make(Mode::gzip)->memory(), 0);
}

TEST(Codec, RejectedParametersAreReported) {
  Failure failure;
  Bytes none;
  std::vector<uint32_t> values(10, Parameters::kUnset);
  values[4] = 2;  // Not a boolean; not a parameter of Zstandard.
  EXPECT_EQ(make_brotli_codec(Mode::brotli_encode, {values, {}}, &failure), nullptr);
  EXPECT_EQ(failure.code, "ERR_BROTLI_PARAM_SET_FAILED");
  EXPECT_EQ(make_zstd_codec(Mode::zstd_compress, {values, {}}, &failure), nullptr);
  EXPECT_EQ(failure.code, "ERR_ZSTD_PARAM_SET_FAILED");
}

TEST(Codec, APledgedSizeMustBeRight) {
  Failure failure;
  for (const uint64_t size : {99, 100, 101}) {
    Parameters parameters;
    parameters.pledged_size = size;
    const auto codec = make_zstd_codec(Mode::zstd_compress, parameters, &failure);
    run(*codec, text_of(100), kZstdEnd);
    EXPECT_EQ(codec->failure().has_value(), size != 100) << size;
  }
}

TEST(Codec, ZstandardTakesAMagicNumberInParts) {
  const Bytes input = text_of(50);
  const auto encoder = make(Mode::zstd_compress);
  const Bytes packed = run(*encoder, input, kZstdEnd);
  const auto decoder = make(Mode::zstd_decompress);
  EXPECT_EQ(run(*decoder, packed, 0), input);
  Bytes all;
  for (const uint8_t byte : packed) {
    const Bytes part = run(*decoder, {byte}, 0);
    all.insert(all.end(), part.begin(), part.end());
  }
  EXPECT_EQ(all, input);
  run(*decoder, {}, kZstdEnd);
  EXPECT_FALSE(decoder->failure());
}

TEST(Codec, NamesErrorsOfZstandard) {
  EXPECT_STREQ(zstd_error_name(20), "ZSTD_error_corruption_detected");
  EXPECT_STREQ(zstd_error_name(12345), "ZSTD_error_GENERIC");
}

TEST(WholeInput, MakesStreamsThatZlibDecodes) {
  WholeInput whole;
  const std::pair<Mode, Mode> pairs[] = {{Mode::deflate, Mode::inflate},
                                         {Mode::gzip, Mode::gunzip},
                                         {Mode::deflate_raw, Mode::inflate_raw}};
  for (const auto& [encoder, decoder] : pairs) {
    for (int level = -1; level <= 9; ++level) {
      ZlibSettings settings;
      settings.level = level;
      EXPECT_EQ(WholeInput::supports(encoder, settings), level != 0);
      if (level == 0) continue;
      for (const size_t size : {0, 1, 100, 70000}) {
        const Bytes input = text_of(size);
        size_t packed_size = 0;
        uint8_t* const packed = whole.compress(encoder, level, input, &packed_size);
        ASSERT_NE(packed, nullptr);
        const auto codec = make(decoder);
        EXPECT_EQ(run(*codec, Bytes(packed, packed + packed_size), Z_FINISH), input);
        EXPECT_FALSE(codec->failure());
        std::free(packed);
      }
    }
  }
}

TEST(WholeInput, LeavesOtherSettingsToZlib) {
  ZlibSettings settings;
  settings.window_bits = 14;
  EXPECT_FALSE(WholeInput::supports(Mode::gzip, settings));
  settings = {};
  settings.strategy = Z_RLE;
  EXPECT_FALSE(WholeInput::supports(Mode::gzip, settings));
  settings = {};
  settings.dictionary = {1, 2, 3};
  EXPECT_FALSE(WholeInput::supports(Mode::gzip, settings));
  EXPECT_FALSE(WholeInput::supports(Mode::gunzip, {}));
  EXPECT_FALSE(WholeInput::supports(Mode::brotli_encode, {}));
}

}  // namespace
}  // namespace rondo::bindings::zlib
