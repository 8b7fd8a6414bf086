// Declares the part of Brotli 1.1 and later that brotli_codec.cc calls. V8's host program contains
// the library (docs/adr/runtime/0036), but its package has no header, and Debian's header is older.
// codec_test.cc detects a wrong declaration. Functions that are called must be listed in
// tools/engine/exports.txt.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

struct BrotliEncoderStateStruct;
struct BrotliDecoderStateStruct;
struct BrotliEncoderPreparedDictionaryStruct;

using BrotliAllocate = void* (*)(void* opaque, size_t size);
using BrotliFree = void (*)(void* opaque, void* memory);

// NOLINTBEGIN(readability-identifier-naming): the library's names.
BrotliEncoderStateStruct* BrotliEncoderCreateInstance(BrotliAllocate, BrotliFree, void* opaque);
void BrotliEncoderDestroyInstance(BrotliEncoderStateStruct*);
int BrotliEncoderSetParameter(BrotliEncoderStateStruct*, int parameter, uint32_t value);
int BrotliEncoderCompressStream(BrotliEncoderStateStruct*, int operation, size_t* available_in,
                                const uint8_t** next_in, size_t* available_out, uint8_t** next_out,
                                size_t* total_out);
BrotliEncoderPreparedDictionaryStruct* BrotliEncoderPrepareDictionary(int type, size_t size,
                                                                      const uint8_t* data,
                                                                      int quality, BrotliAllocate,
                                                                      BrotliFree, void* opaque);
void BrotliEncoderDestroyPreparedDictionary(BrotliEncoderPreparedDictionaryStruct*);
int BrotliEncoderAttachPreparedDictionary(BrotliEncoderStateStruct*,
                                          const BrotliEncoderPreparedDictionaryStruct*);

BrotliDecoderStateStruct* BrotliDecoderCreateInstance(BrotliAllocate, BrotliFree, void* opaque);
void BrotliDecoderDestroyInstance(BrotliDecoderStateStruct*);
int BrotliDecoderSetParameter(BrotliDecoderStateStruct*, int parameter, uint32_t value);
int BrotliDecoderAttachDictionary(BrotliDecoderStateStruct*, int type, size_t size,
                                  const uint8_t* data);
int BrotliDecoderDecompressStream(BrotliDecoderStateStruct*, size_t* available_in,
                                  const uint8_t** next_in, size_t* available_out,
                                  uint8_t** next_out, size_t* total_out);
int BrotliDecoderGetErrorCode(const BrotliDecoderStateStruct*);
const char* BrotliDecoderErrorString(int code);
uint32_t BrotliDecoderVersion(void);
// NOLINTEND(readability-identifier-naming)

}  // extern "C"

namespace rondo::bindings::zlib::brotli {

// BROTLI_SHARED_DICTIONARY_RAW: the dictionary is a text, without a format of its own.
constexpr int kRawDictionary = 0;
constexpr int kMaxQuality = 11;
// BrotliEncoderOperation
constexpr int kProcess = 0;
constexpr int kFinish = 2;
// BrotliDecoderResult
constexpr int kError = 0;
constexpr int kNeedsMoreInput = 2;

}  // namespace rondo::bindings::zlib::brotli
