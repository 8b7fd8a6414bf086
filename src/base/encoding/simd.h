// How the codecs use wide instructions: a kernel is a plain loop, inlined once for every x86-64 and
// once for those with AVX2, and each call picks what the machine has. Elsewhere there is one
// version. Kernels that gain most from it have a third one for AVX-512.
#pragma once

#if defined(__x86_64__)
#define RONDO_ENCODING_X86 1
#define RONDO_TARGET_AVX2 [[gnu::target("avx2")]]
#define RONDO_TARGET_VBMI [[gnu::target("avx512f,avx512bw,avx512vl,avx512vbmi")]]
// g++ 12 takes the "any value" of its own header for a mistake.
#pragma GCC diagnostic push
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif

namespace rondo::encoding {

// A load and a test: the runtime of the compiler asked the processor before main began.
inline bool has_avx2() {
#ifdef RONDO_ENCODING_X86
  return __builtin_cpu_supports("avx2") != 0;
#else
  return false;
#endif
}

// Vectors of 64 bytes, and look-ups in tables of 128: Intel since Ice Lake, AMD since Zen 4.
inline bool has_vbmi() {
#ifdef RONDO_ENCODING_X86
  return __builtin_cpu_supports("avx512vbmi") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
         __builtin_cpu_supports("avx512vl") != 0;
#else
  return false;
#endif
}

}  // namespace rondo::encoding
