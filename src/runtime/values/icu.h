// Declares the functions of ICU that Rondo calls: the converters of TextDecoder for legacy
// encodings, and the versions of ICU's data. ICU is part of V8's host program, whose package has no
// headers of ICU. The C interface is stable, and the names contain ICU's major version, so another
// version does not link (tools/engine/exports.txt).
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {
// NOLINTBEGIN(readability-identifier-naming): ICU's names.
struct UConverter;
struct UConverterToUnicodeArgs;
using UErrorCode = int;
using UConverterToUCallback = void (*)(const void* context, UConverterToUnicodeArgs* arguments,
                                       const char* bytes, int32_t size, int reason,
                                       UErrorCode* status);

UConverter* ucnv_open_78(const char* name, UErrorCode* status);
void ucnv_close_78(UConverter* converter);
void ucnv_reset_78(UConverter* converter);
void ucnv_setToUCallBack_78(UConverter* converter, UConverterToUCallback callback,
                            const void* context, UConverterToUCallback* old_callback,
                            const void** old_context, UErrorCode* status);
void ucnv_toUnicode_78(UConverter* converter, char16_t** target, const char16_t* target_end,
                       const char** source, const char* source_end, int32_t* offsets,
                       int8_t is_last, UErrorCode* status);
void ucnv_cbToUWriteUChars_78(UConverterToUnicodeArgs* arguments, const char16_t* text,
                              int32_t length, int32_t offset, UErrorCode* status);
// A version has four parts of one byte each.
void u_getVersion_78(uint8_t* version);
void u_getUnicodeVersion_78(uint8_t* version);
void ulocdata_getCLDRVersion_78(uint8_t* version, UErrorCode* status);
void u_versionToString_78(const uint8_t* version, char* text);
const char* ucal_getTZDataVersion_78(UErrorCode* status);
// NOLINTEND(readability-identifier-naming)
}

namespace rondo::icu {

// Values of UErrorCode: positive ones are errors, negative ones warnings.
constexpr UErrorCode kNoError = 0;
constexpr UErrorCode kBufferOverflow = 15;
// The highest UConverterCallbackReason that is an error; the others are reset, close and clone.
constexpr int kLastErrorReason = 2;

constexpr size_t kVersionParts = 4;
constexpr size_t kVersionTextSize = 20;  // U_MAX_VERSION_STRING_LENGTH.

constexpr bool has_failed(UErrorCode status) { return status > kNoError; }

}  // namespace rondo::icu
