// Declares "fast API calls" of V8: functions that optimised JavaScript calls directly, without
// leaving machine code. The package that provides V8 has no header for them, so the structures are
// declared here as V8 14.6 reads them. tests/v8/v8_test.cc detects a wrong layout: its functions
// would not be called, or would get wrong arguments.
//
// A fast function gets its receiver first, then its arguments, and optionally FastCallOptions&
// last. It may allocate and throw, but must open a HandleScope first; it must not call JavaScript.
#pragma once

#include <cstdint>

#include "runtime/values/v8.h"

namespace rondo::runtime {

// Layout of v8::CTypeInfo.
struct FastType {
  enum class Code : uint8_t {
    none = 0,
    boolean = 1,
    int32 = 3,
    uint32 = 4,
    float64 = 8,
    value = 10,
    one_byte_string = 11,
    options = 255,
  };
  Code code;
  uint8_t flags = 0;
};

// Layout of v8::CFunctionInfo.
struct FastSignature {
  FastType result;
  uint8_t int64_representation = 0;
  unsigned argument_count;
  const FastType* arguments;
};

// Layout of v8::CFunction.
struct FastFunction {
  const void* address;
  const FastSignature* signature;
};

// Layout of v8::FastApiCallbackOptions.
struct FastCallOptions {
  v8::Isolate* isolate;
  v8::Local<v8::Value> data;
};

// Layout of v8::FastOneByteString: a flat string of one byte per character.
struct FastOneByteString {
  const char* data;
  uint32_t length;
};

template <class T>
constexpr FastType kFastTypeOf = T::this_type_cannot_be_passed();
template <>
inline constexpr FastType kFastTypeOf<void> = {FastType::Code::none};
template <>
inline constexpr FastType kFastTypeOf<bool> = {FastType::Code::boolean};
template <>
inline constexpr FastType kFastTypeOf<int32_t> = {FastType::Code::int32};
template <>
inline constexpr FastType kFastTypeOf<uint32_t> = {FastType::Code::uint32};
template <>
inline constexpr FastType kFastTypeOf<double> = {FastType::Code::float64};
template <>
inline constexpr FastType kFastTypeOf<v8::Local<v8::Value>> = {FastType::Code::value};
template <>
inline constexpr FastType kFastTypeOf<v8::Local<v8::Object>> = {FastType::Code::value};
template <>
inline constexpr FastType kFastTypeOf<const FastOneByteString&> = {FastType::Code::one_byte_string};
template <>
inline constexpr FastType kFastTypeOf<FastCallOptions&> = {FastType::Code::options};

template <class Result, class... Arguments>
struct FastSignatureOf {
  // NOLINTNEXTLINE(readability-identifier-naming): a constant; the check takes it for a variable.
  static constexpr FastType kArguments[] = {kFastTypeOf<Arguments>...};
  static constexpr FastSignature kSignature = {.result = kFastTypeOf<Result>,
                                               .argument_count = sizeof...(Arguments),
                                               .arguments = kArguments};
};

template <class Result, class... Arguments>
FastFunction make_fast(Result (*function)(Arguments...)) {
  return {reinterpret_cast<const void*>(function),
          &FastSignatureOf<Result, Arguments...>::kSignature};
}

}  // namespace rondo::runtime
