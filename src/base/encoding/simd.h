// How the codecs use wide instructions: a kernel is a plain loop, inlined once for every x86-64 and
// once for those with AVX2, and each call picks what the machine has. Elsewhere there is one
// version.
#pragma once

#if defined(__x86_64__)
#define RONDO_ENCODING_X86 1
#define RONDO_TARGET_AVX2 [[gnu::target("avx2")]]
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

}  // namespace rondo::encoding
