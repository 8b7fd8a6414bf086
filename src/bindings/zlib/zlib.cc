// internalBinding('zlib'): checksums, constants and versions.
#include <zlib.h>

#include <cstdio>

#include "bindings/zlib/brotli.h"
#include "bindings/zlib/constants.h"
#include "bindings/zlib/zstd.h"
#include "runtime/values/binding.h"
#include "runtime/values/text.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;

// crc32(data, value): of a view's bytes, or of a string's UTF-8.
void crc32_of(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[1]->IsUint32());
  const uint32_t start = info[1].As<v8::Uint32>()->Value();
  runtime::Bytes bytes;
  if (!info[0]->IsString()) {
    RONDO_EXPECT(info, runtime::bytes_of(info[0], &bytes));
    // zlib returns 0 for a null pointer, which an empty view may have.
    const uint32_t sum =
        bytes.size == 0 ? start : static_cast<uint32_t>(crc32_z(start, bytes.data, bytes.size));
    info.GetReturnValue().Set(sum);
    return;
  }
  const v8::Local<v8::String> text = info[0].As<v8::String>();
  const size_t most = static_cast<size_t>(text->Length()) * 3;
  runtime::Scratch<uint8_t> utf8(most);
  if (!runtime::is_allocated(isolate, utf8)) return;
  const size_t size = runtime::write_utf8(isolate, text, utf8.data(), most).bytes;
  info.GetReturnValue().Set(static_cast<uint32_t>(crc32_z(start, utf8.data(), size)));
}

void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  runtime::set_constants(isolate, target, "constants", zlib::constants());
  runtime::set(isolate, target, "zlibVersion", std::string_view(::zlibVersion()));
  runtime::set(isolate, target, "zstdVersion", std::string_view(ZSTD_versionString()));
  const uint32_t number = BrotliDecoderVersion();
  char text[32];
  std::snprintf(text, sizeof text, "%u.%u.%u", number >> 24, (number >> 12) & 0xfff,
                number & 0xfff);
  runtime::set(isolate, target, "brotliVersion", std::string_view(text));
}

constexpr runtime::Method kMethods[] = {{"crc32", crc32_of}};

}  // namespace

extern const runtime::Binding zlib_checksums;
const runtime::Binding zlib_checksums{"zlib", kMethods, add_constants};

}  // namespace rondo::bindings
