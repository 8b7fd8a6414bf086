// Selects the vector instructions for the codecs. A kernel is a plain loop, inlined once for any
// x86-64 and once for AVX2, and each call picks the version for this machine; the kernels that gain
// most have a third version for AVX-512. Other architectures have one version.
#pragma once

#if defined(__x86_64__)
#define RONDO_ENCODING_X86 1
#define RONDO_TARGET_AVX2 [[gnu::target("avx2")]]
#define RONDO_TARGET_VBMI [[gnu::target("avx512f,avx512bw,avx512vl,avx512vbmi")]]
// g++ 12 warns about an uninitialised value in its own header.
#pragma GCC diagnostic push
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#pragma GCC diagnostic pop
// clang cannot parse glibc's header as C++: it uses _Bool.
#if __has_include(<sys/platform/x86.h>) && !defined(__clang__)
#include <sys/platform/x86.h>
#define RONDO_CPU_HAS(glibc_name, name) CPU_FEATURE_ACTIVE(glibc_name)
#else
#define RONDO_CPU_HAS(glibc_name, name) (__builtin_cpu_supports(name) != 0)
#endif
#endif

namespace rondo::encoding {

struct SimdSupport {
  bool has_avx2 = false;
  // 64-byte vectors and look-ups in 128-byte tables: Intel since Ice Lake, AMD since Zen 4.
  bool has_vbmi = false;
};

// Uses the C library's cached result: on a virtual machine each CPUID takes microseconds, and the
// compiler's own functions execute it again at every start.
inline SimdSupport detect_simd() {
#ifdef RONDO_ENCODING_X86
  return {RONDO_CPU_HAS(AVX2, "avx2"), RONDO_CPU_HAS(AVX512_VBMI, "avx512vbmi") &&
                                           RONDO_CPU_HAS(AVX512BW, "avx512bw") &&
                                           RONDO_CPU_HAS(AVX512VL, "avx512vl")};
#else
  return {};
#endif
}

// Tests change this variable to run all versions.
inline SimdSupport simd_support = detect_simd();

inline bool has_avx2() { return simd_support.has_avx2; }
inline bool has_vbmi() { return simd_support.has_vbmi; }

}  // namespace rondo::encoding
