// Declares the part of Zstandard 1.5 that zstd_codec.cc calls. V8's host program contains the
// library (docs/adr/runtime/0036), but its package has no header. codec_test.cc detects a wrong
// declaration. Functions that are called must be listed in tools/engine/exports.txt.
#pragma once

#include <cstddef>

extern "C" {

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

struct ZstdInBuffer {
  const void* src;
  size_t size;
  size_t pos;
};
struct ZstdOutBuffer {
  void* dst;
  size_t size;
  size_t pos;
};
struct ZstdCustomMem {
  void* (*allocate)(void* opaque, size_t size);
  void (*free)(void* opaque, void* memory);
  void* opaque;
};

// NOLINTBEGIN(readability-identifier-naming): the library's names.
ZSTD_CCtx_s* ZSTD_createCCtx_advanced(ZstdCustomMem);
size_t ZSTD_freeCCtx(ZSTD_CCtx_s*);
size_t ZSTD_CCtx_setParameter(ZSTD_CCtx_s*, int parameter, int value);
size_t ZSTD_CCtx_setPledgedSrcSize(ZSTD_CCtx_s*, unsigned long long size);
size_t ZSTD_CCtx_loadDictionary(ZSTD_CCtx_s*, const void* data, size_t size);
size_t ZSTD_compressStream2(ZSTD_CCtx_s*, ZstdOutBuffer*, ZstdInBuffer*, int directive);

ZSTD_DCtx_s* ZSTD_createDCtx_advanced(ZstdCustomMem);
size_t ZSTD_freeDCtx(ZSTD_DCtx_s*);
size_t ZSTD_DCtx_setParameter(ZSTD_DCtx_s*, int parameter, int value);
size_t ZSTD_DCtx_loadDictionary(ZSTD_DCtx_s*, const void* data, size_t size);
size_t ZSTD_decompressStream(ZSTD_DCtx_s*, ZstdOutBuffer*, ZstdInBuffer*);

unsigned ZSTD_isError(size_t result);
int ZSTD_getErrorCode(size_t result);
const char* ZSTD_getErrorString(int code);
const char* ZSTD_versionString(void);
// NOLINTEND(readability-identifier-naming)

}  // extern "C"

namespace rondo::bindings::zlib::zstd {

// ZSTD_EndDirective
constexpr int kEnd = 2;
// ZSTD_error_srcSize_wrong
constexpr int kWrongSize = 72;

}  // namespace rondo::bindings::zlib::zstd
