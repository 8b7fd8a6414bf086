// Codec for Brotli.
#include <utility>

#include "bindings/zlib/brotli.h"
#include "bindings/zlib/codec.h"

namespace rondo::bindings::zlib {

namespace {

template <auto kFree>
struct FreeWith {
  template <class T>
  void operator()(T* object) const {
    kFree(object);
  }
};

constexpr const char* kLoadFailed = "ERR_ZLIB_DICTIONARY_LOAD_FAILED";
constexpr const char* kInitFailed = "ERR_ZLIB_INITIALIZATION_FAILED";

class BrotliEncoder final : public Codec {
 public:
  explicit BrotliEncoder(std::vector<uint8_t> dictionary) : dictionary_(std::move(dictionary)) {}

  std::optional<Failure> begin() {
    prepared_.reset();
    state_.reset(BrotliEncoderCreateInstance(MemoryMeter::allocate, MemoryMeter::free, &meter_));
    if (state_ == nullptr) return Failure{"Could not initialize Brotli instance", -1, kInitFailed};
    if (dictionary_.empty()) return {};
    prepared_.reset(BrotliEncoderPrepareDictionary(
        brotli::kRawDictionary, dictionary_.size(), dictionary_.data(), brotli::kMaxQuality,
        MemoryMeter::allocate, MemoryMeter::free, &meter_));
    if (prepared_ == nullptr)
      return Failure{"Failed to prepare brotli dictionary", -1, kLoadFailed};
    if (BrotliEncoderAttachPreparedDictionary(state_.get(), prepared_.get()) == 0) {
      return Failure{"Failed to attach brotli dictionary", -1, kLoadFailed};
    }
    return {};
  }
  bool set(int parameter, uint32_t value) {
    return BrotliEncoderSetParameter(state_.get(), parameter, value) != 0;
  }

  void run(Buffers& buffers, int flush) override {
    is_ok_ = BrotliEncoderCompressStream(state_.get(), flush, &buffers.in_size, &buffers.in,
                                         &buffers.out_size, &buffers.out, nullptr) != 0;
  }
  std::optional<Failure> failure() const override {
    if (is_ok_) return {};
    return Failure{"Compression failed", -1, "ERR_BROTLI_COMPRESSION_FAILED"};
  }
  // As in Node, a new stream has neither the parameters nor the dictionary.
  std::optional<Failure> reset() override {
    std::optional<Failure> failure;
    prepared_.reset();
    dictionary_.clear();
    failure = begin();
    is_ok_ = true;
    return failure;
  }

 private:
  std::vector<uint8_t> dictionary_;  // The prepared dictionary refers to it.
  std::unique_ptr<BrotliEncoderPreparedDictionaryStruct,
                  FreeWith<BrotliEncoderDestroyPreparedDictionary>>
      prepared_;
  std::unique_ptr<BrotliEncoderStateStruct, FreeWith<BrotliEncoderDestroyInstance>> state_;
  bool is_ok_ = true;
};

class BrotliDecoder final : public Codec {
 public:
  explicit BrotliDecoder(std::vector<uint8_t> dictionary) : dictionary_(std::move(dictionary)) {}

  std::optional<Failure> begin() {
    state_.reset(BrotliDecoderCreateInstance(MemoryMeter::allocate, MemoryMeter::free, &meter_));
    if (state_ == nullptr) return Failure{"Could not initialize Brotli instance", -1, kInitFailed};
    if (!dictionary_.empty() &&
        BrotliDecoderAttachDictionary(state_.get(), brotli::kRawDictionary, dictionary_.size(),
                                      dictionary_.data()) == 0) {
      return Failure{"Failed to attach brotli dictionary", -1, kLoadFailed};
    }
    return {};
  }
  bool set(int parameter, uint32_t value) {
    return BrotliDecoderSetParameter(state_.get(), parameter, value) != 0;
  }

  void run(Buffers& buffers, int flush) override {
    flush_ = flush;
    result_ = BrotliDecoderDecompressStream(state_.get(), &buffers.in_size, &buffers.in,
                                            &buffers.out_size, &buffers.out, nullptr);
    if (result_ == brotli::kError) error_ = BrotliDecoderGetErrorCode(state_.get());
  }
  std::optional<Failure> failure() const override {
    if (error_ != 0) {
      return Failure{"Decompression failed", error_,
                     std::string("ERR_") + BrotliDecoderErrorString(error_)};
    }
    if (flush_ == brotli::kFinish && result_ == brotli::kNeedsMoreInput) return unexpected_end();
    return {};
  }
  // As in Node, a new stream has neither the parameters nor the dictionary.
  std::optional<Failure> reset() override {
    state_.reset();
    dictionary_.clear();
    return begin();
  }

 private:
  std::vector<uint8_t> dictionary_;  // The decoder refers to it.
  std::unique_ptr<BrotliDecoderStateStruct, FreeWith<BrotliDecoderDestroyInstance>> state_;
  int result_ = 1;
  int error_ = 0;
  int flush_ = brotli::kProcess;
};

template <class T>
std::unique_ptr<Codec> make(Parameters parameters, Failure* failure) {
  auto codec = std::make_unique<T>(std::move(parameters.dictionary));
  if (std::optional<Failure> reason = codec->begin()) {
    *failure = std::move(*reason);
    return nullptr;
  }
  for (size_t i = 0; i < parameters.values.size(); ++i) {
    const uint32_t value = parameters.values[i];
    if (value == Parameters::kUnset || codec->set(static_cast<int>(i), value)) continue;
    *failure = {"Setting parameter failed", -1, "ERR_BROTLI_PARAM_SET_FAILED"};
    return nullptr;
  }
  return codec;
}

}  // namespace

std::unique_ptr<Codec> make_brotli_codec(Mode mode, Parameters parameters, Failure* failure) {
  if (is_decoder(mode)) return make<BrotliDecoder>(std::move(parameters), failure);
  return make<BrotliEncoder>(std::move(parameters), failure);
}

}  // namespace rondo::bindings::zlib
