// internalBinding('encoding'): TextEncoder and TextDecoder. ICU, if the build found it, decodes all
// encodings but Unicode and windows-1252.
#include <cstring>
#include <memory>
#include <string>

#include "base/assert.h"
#include "base/encoding/ascii.h"
#include "base/encoding/utf8.h"
#include "runtime/values/binding.h"
#include "runtime/values/icu.h"
#include "runtime/values/text.h"
#include "runtime/values/values.h"
#include "runtime/values/wrap.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::Bytes;
using runtime::bytes_of;
using runtime::latin1_string;
using runtime::own_memory;
using runtime::Scratch;
using runtime::take_utf16;
using runtime::throw_out_of_memory;
using runtime::utf16_string;
using runtime::utf8_copy;
using runtime::utf8_string;
using runtime::write_utf8;
using runtime::Written;

// lib passes only bytes; other values count as empty.
Bytes known_bytes(v8::Local<v8::Value> value) {
  Bytes bytes;
  bytes_of(value, &bytes);
  return bytes;
}

void set_text(const Arguments& info, v8::MaybeLocal<v8::String> maybe) {
  v8::Local<v8::String> text;
  if (maybe.ToLocal(&text)) info.GetReturnValue().Set(text);
}

// encodeUtf8(string): an ArrayBuffer.
void encode_utf8(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[0]->IsString());
  size_t size = 0;
  uint8_t* const memory = utf8_copy(isolate, info[0].As<v8::String>(), &size);
  if (memory == nullptr) {
    throw_out_of_memory(isolate);
    return;
  }
  info.GetReturnValue().Set(own_memory(isolate, memory, size));
}

// encodeInto(string, bytes, counts): stores the number of units read and bytes written in counts.
void encode_into(const Arguments& info) {
  RONDO_EXPECT(info, info[0]->IsString());
  RONDO_EXPECT(info, info[2]->IsUint32Array());
  const Bytes bytes = known_bytes(info[1]);
  const Bytes counts = known_bytes(info[2]);
  RONDO_EXPECT(info, counts.size == 2 * sizeof(uint32_t));
  const Written written =
      write_utf8(info.GetIsolate(), info[0].As<v8::String>(), bytes.data, bytes.size);
  const uint32_t numbers[] = {static_cast<uint32_t>(written.read),
                              static_cast<uint32_t>(written.bytes)};
  std::memcpy(counts.data, numbers, sizeof numbers);
}

// decodeUtf8(bytes, skipMark, isFatal): undefined if isFatal and not UTF-8.
void decode_utf8(const Arguments& info) {
  Bytes bytes = known_bytes(info[0]);
  if (info[1]->IsTrue() && bytes.size >= 3 && std::memcmp(bytes.data, "\xef\xbb\xbf", 3) == 0) {
    bytes.data += 3;
    bytes.size -= 3;
  }
  if (info[2]->IsTrue() && !encoding::is_utf8(bytes.data, bytes.size)) return;
  set_text(info, utf8_string(info.GetIsolate(), bytes.data, bytes.size));
}

// incompleteUtf8(bytes): number of bytes at the end that begin an incomplete character.
void incomplete_utf8(const Arguments& info) {
  const Bytes bytes = known_bytes(info[0]);
  info.GetReturnValue().Set(
      static_cast<uint32_t>(encoding::incomplete_utf8_tail(bytes.data, bytes.size)));
}

// Replaces unpaired surrogates by U+FFFD; returns whether there were any.
bool mend_surrogates(char16_t* units, size_t size) {
  bool has_errors = false;
  for (size_t i = 0; i < size; ++i) {
    if ((units[i] & 0xf800) != 0xd800) continue;
    if ((units[i] & 0xfc00) == 0xd800 && i + 1 < size && (units[i + 1] & 0xfc00) == 0xdc00) {
      ++i;
      continue;
    }
    units[i] = 0xfffd;
    has_errors = true;
  }
  return has_errors;
}

// decodeUtf16(bytes, isBigEndian, skipMark, isFatal)
void decode_utf16(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const Bytes bytes = known_bytes(info[0]);
  size_t size = bytes.size / 2;
  Scratch<char16_t> units(size + 1);
  if (units.has_failed()) {
    throw_out_of_memory(isolate);
    return;
  }
  if (size > 0) std::memcpy(units.data(), bytes.data, 2 * size);
  if (info[1]->IsTrue()) encoding::swap16(reinterpret_cast<uint8_t*>(units.data()), 2 * size);
  const bool is_cut = size > 0 && (units.data()[size - 1] & 0xfc00) == 0xd800;
  bool has_errors = mend_surrogates(units.data(), size);
  if (bytes.size % 2 == 1) {
    // Half a unit after half a pair is one error together with it.
    if (!is_cut) units.data()[size++] = 0xfffd;
    has_errors = true;
  }
  if (has_errors && info[3]->IsTrue()) return;
  const bool has_mark = info[2]->IsTrue() && size > 0 && units.data()[0] == 0xfeff;
  if (has_mark) std::memmove(units.data(), units.data() + 1, 2 * --size);
  set_text(info, take_utf16(isolate, units, size, encoding::fits_latin1(units.data(), size)));
}

// The characters that windows-1252 has instead of control characters.
constexpr char16_t kWindows1252[32] = {
    0x20ac, 0x0081, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008d, 0x017d, 0x008f, 0x0090, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x009d, 0x017e, 0x0178};

// decodeWindows1252(bytes)
void decode_windows1252(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const Bytes bytes = known_bytes(info[0]);
  bool is_latin1 = true;
  for (size_t i = 0; i < bytes.size; ++i) is_latin1 &= (bytes.data[i] & 0xe0) != 0x80;
  if (is_latin1) {
    set_text(info, latin1_string(isolate, bytes.data, bytes.size));
    return;
  }
  Scratch<char16_t> units(bytes.size);
  if (units.has_failed()) {
    throw_out_of_memory(isolate);
    return;
  }
  for (size_t i = 0; i < bytes.size; ++i) {
    const uint8_t byte = bytes.data[i];
    units.data()[i] = (byte & 0xe0) == 0x80 ? kWindows1252[byte & 0x1f] : byte;
  }
  set_text(info, take_utf16(isolate, units, bytes.size, false));
}

struct CloseConverter {
  void operator()(UConverter* converter) const noexcept { ucnv_close_78(converter); }
};
using Converter = std::unique_ptr<UConverter, CloseConverter>;

Converter open(v8::Isolate* isolate, v8::Local<v8::Value> name) {
  UErrorCode status = icu::kNoError;
  std::string label = runtime::to_std(isolate, name);
  if (label == "gbk") label = "gb18030";  // The Encoding Standard decodes both in the same way.
  Converter converter(ucnv_open_78(label.c_str(), &status));
  return !icu::has_failed(status) ? std::move(converter) : nullptr;
}

// Error handling of the Encoding Standard: one U+FFFD, where ICU would choose U+001A for some; the
// euro sign for a lone 0x80 in the Chinese encodings; or stop, if fatal.
struct AtError {
  bool is_fatal;
  bool has_euro;
};
constexpr AtError kAtError[] = {{false, false}, {false, true}, {true, false}, {true, true}};

void at_error(const void* context, UConverterToUnicodeArgs* arguments, const char* bytes,
              int32_t size, int reason, UErrorCode* status) {
  if (reason > icu::kLastErrorReason) return;  // Not an error: reset, close or clone.
  const AtError& choice = *static_cast<const AtError*>(context);
  const bool is_euro = choice.has_euro && size == 1 && bytes[0] == '\x80';
  if (choice.is_fatal && !is_euro) return;
  *status = icu::kNoError;
  const char16_t unit = is_euro ? 0x20ac : 0xfffd;
  ucnv_cbToUWriteUChars_78(arguments, &unit, 1, 0, status);
}

// hasConverter(name)
void has_converter(const Arguments& info) {
  info.GetReturnValue().Set(open(info.GetIsolate(), info[0]) != nullptr);
}

class ConverterWrap final : public runtime::Wrap {
 public:
  ConverterWrap(runtime::Realm& realm, Converter opened)
      : Wrap(realm, kind_of<ConverterWrap>()), converter(std::move(opened)) {
    release();
  }
  const Converter converter;
};

// openConverter(name, isFatal)
void open_converter(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  Converter converter = open(isolate, info[0]);
  if (converter == nullptr) {
    runtime::throw_type_error(isolate, "There is no such converter");
    return;
  }
  const std::string name = runtime::to_std(isolate, info[0]);
  const size_t choice =
      (info[1]->IsTrue() ? 2U : 0U) + (name == "gbk" || name == "gb18030" ? 1U : 0U);
  UErrorCode status = icu::kNoError;
  ucnv_setToUCallBack_78(converter.get(), at_error, &kAtError[choice], nullptr, nullptr, &status);
  RONDO_ASSERT(!icu::has_failed(status));
  const auto* const wrap = new ConverterWrap(runtime::Realm::of(isolate), std::move(converter));
  info.GetReturnValue().Set(wrap->object());
}

// convert(converter, bytes, isLast): undefined if the bytes are invalid and the converter is fatal.
void convert(const Arguments& info) {
  const auto* const wrap = runtime::Wrap::of<ConverterWrap>(info[0]);
  RONDO_EXPECT(info, wrap != nullptr);
  UConverter* const converter = wrap->converter.get();
  const Bytes bytes = known_bytes(info[1]);
  const auto* source = reinterpret_cast<const char*>(bytes.data);
  const char* const end = source + bytes.size;
  std::u16string text;
  UErrorCode status = icu::kNoError;
  do {
    char16_t part[2048];
    char16_t* target = part;
    status = icu::kNoError;
    ucnv_toUnicode_78(converter, &target, part + std::size(part), &source, end, nullptr,
                      static_cast<int8_t>(info[2]->IsTrue()), &status);
    text.append(part, static_cast<size_t>(target - part));
  } while (status == icu::kBufferOverflow);
  if (info[2]->IsTrue() || icu::has_failed(status)) ucnv_reset_78(converter);
  if (icu::has_failed(status)) return;
  set_text(info, utf16_string(info.GetIsolate(), text.data(), text.size()));
}

constexpr runtime::Method kMethods[] = {
    {"encodeUtf8", encode_utf8},
    {"encodeInto", encode_into},
    {"decodeUtf8", decode_utf8},
    {"incompleteUtf8", incomplete_utf8},
    {"decodeUtf16", decode_utf16},
    {"decodeWindows1252", decode_windows1252},
    {"hasConverter", has_converter},
    {"openConverter", open_converter},
    {"convert", convert},
};

}  // namespace

extern const runtime::Binding text_encoding;
const runtime::Binding text_encoding{"encoding", kMethods};

}  // namespace rondo::bindings
