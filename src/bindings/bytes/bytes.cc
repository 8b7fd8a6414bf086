// internalBinding('bytes'): compares, copies and searches bytes.
// lib/internal/buffer checks the arguments.
#include <algorithm>
#include <cstring>
#include <optional>

#include "base/assert.h"
#include "base/encoding/ascii.h"
#include "base/encoding/search.h"
#include "base/encoding/utf8.h"
#include "runtime/values/binding.h"
#include "runtime/values/text.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::Bytes;
using runtime::bytes_of;
using runtime::ErrorClass;
using runtime::is_allocated;
using runtime::read_latin1;
using runtime::Scratch;
using runtime::set_size;
using runtime::throw_coded;
using runtime::write_utf8;
using runtime::Written;

size_t size_of(double number) {
  if (!(number > 0)) return 0;
  return number < 0x1p53 ? static_cast<size_t>(number) : size_t{1} << 53;
}
// An argument that lib has checked, but that may depend on a `length` redefined by the program.
size_t size_of(v8::Local<v8::Value> value) {
  return value->IsNumber() ? size_of(value.As<v8::Number>()->Value()) : 0;
}
// Reads a buffer. Throws and returns false if the argument is none: it may be any receiver.
bool take_bytes(const Arguments& info, int index, Bytes* bytes) {
  if (bytes_of(info[index], bytes)) return true;
  throw_coded(info.GetIsolate(), ErrorClass::type_error, "ERR_INVALID_ARG_TYPE",
              "argument must be a buffer");
  return false;
}

int32_t order(const uint8_t* left, size_t left_size, const uint8_t* right, size_t right_size) {
  const size_t common = std::min(left_size, right_size);
  const int difference = common == 0 ? 0 : std::memcmp(left, right, common);
  if (difference != 0) return difference < 0 ? -1 : 1;
  return left_size == right_size ? 0 : left_size < right_size ? -1 : 1;
}

void compare(const Arguments& info) {
  Bytes left;
  Bytes right;
  if (!take_bytes(info, 0, &left) || !take_bytes(info, 1, &right)) return;
  info.GetReturnValue().Set(order(left.data, left.size, right.data, right.size));
}

struct Range {
  const uint8_t* data;
  size_t size;
};
Range range_of(const Arguments& info, int first, const Bytes& bytes) {
  const size_t end = std::min(size_of(info[first + 2]), bytes.size);
  const size_t start = std::min(size_of(info[first + 1]), end);
  return {bytes.data + start, end - start};
}

// compareRanges(left, start, end, right, start, end)
void compare_ranges(const Arguments& info) {
  Bytes one;
  Bytes other;
  if (!take_bytes(info, 0, &one) || !take_bytes(info, 3, &other)) return;
  const Range left = range_of(info, 0, one);
  const Range right = range_of(info, 3, other);
  info.GetReturnValue().Set(order(left.data, left.size, right.data, right.size));
}

struct Copy {
  v8::Local<v8::Value> source;
  size_t from;
  v8::Local<v8::Value> target;
  size_t to;
  size_t count;
};

// Returns the number of bytes copied, or nothing if an argument is not a buffer. V8 does not
// protect the memory of immutable buffers, so they are checked here.
std::optional<size_t> run_copy(const Copy& copy) {
  Bytes source;
  Bytes target;
  if (!bytes_of(copy.source, &source) || !bytes_of(copy.target, &target)) return std::nullopt;
  if (copy.target->IsArrayBufferView() &&
      copy.target.As<v8::ArrayBufferView>()->Buffer()->IsImmutable()) {
    return 0;
  }
  const size_t from = std::min(copy.from, source.size);
  const size_t to = std::min(copy.to, target.size);
  const size_t count = std::min({copy.count, source.size - from, target.size - to});
  if (count > 0) std::memmove(target.data + to, source.data + from, count);
  return count;
}

// copy(source, sourceStart, target, targetStart, count): the number of bytes copied, 0 if the
// target is immutable. Optimised code calls fast_copy() directly.
void copy(const Arguments& info) {
  const std::optional<size_t> count =
      run_copy({info[0], size_of(info[1]), info[2], size_of(info[3]), size_of(info[4])});
  if (count) return set_size(info, *count);
  throw_coded(info.GetIsolate(), ErrorClass::type_error, "ERR_INVALID_ARG_TYPE",
              "argument must be a buffer");
}

// lib passes buffers only, so there is nothing to throw.
double fast_copy(v8::Local<v8::Object>, v8::Local<v8::Value> source, double from,
                 v8::Local<v8::Value> target, double to, double count,
                 runtime::FastCallOptions& options) {
  const v8::HandleScope scope(options.isolate);
  return static_cast<double>(
      run_copy({source, size_of(from), target, size_of(to), size_of(count)}).value_or(0));
}

const runtime::FastFunction kFastCopy = runtime::make_fast(fast_copy);

// fill(bytes, pattern, start, end)
void fill(const Arguments& info) {
  Bytes bytes;
  Bytes pattern;
  if (!take_bytes(info, 0, &bytes) || !take_bytes(info, 1, &pattern)) return;
  const size_t end = std::min(size_of(info[3]), bytes.size);
  const size_t start = std::min(size_of(info[2]), end);
  if (pattern.size == 0) return;
  encoding::fill_with(bytes.data + start, end - start, pattern.data, pattern.size);
}

void set_index(const Arguments& info, size_t index) {
  if (index == encoding::kNotFound) {
    info.GetReturnValue().Set(-1);
  } else {
    set_size(info, index);
  }
}

size_t find(const Bytes& bytes, const uint8_t* needle, size_t needle_size, size_t from, size_t step,
            bool is_forward) {
  return is_forward
             ? encoding::find_bytes(bytes.data, bytes.size, needle, needle_size, from, step)
             : encoding::find_last_bytes(bytes.data, bytes.size, needle, needle_size, from, step);
}

// indexOfByte(bytes, byte, start, isForward)
void index_of_byte(const Arguments& info) {
  Bytes bytes;
  if (!take_bytes(info, 0, &bytes)) return;
  const auto byte = static_cast<uint8_t>(size_of(info[1]));
  set_index(info, find(bytes, &byte, 1, size_of(info[2]), 1, info[3]->IsTrue()));
}

// indexOfBytes(bytes, needle, start, step, isForward): a step of 2 finds only whole UTF-16 units.
void index_of_bytes(const Arguments& info) {
  Bytes bytes;
  Bytes needle;
  if (!take_bytes(info, 0, &bytes) || !take_bytes(info, 1, &needle)) return;
  const size_t step = std::max<size_t>(size_of(info[3]), 1);
  const size_t start = size_of(info[2]) / step * step;
  set_index(info,
            find(bytes, needle.data, needle.size / step * step, start, step, info[4]->IsTrue()));
}

// indexOfString(bytes, string, byteOffset, isUtf8, isForward): Latin-1 unless isUtf8. Negative
// offsets count from the end.
void index_of_string(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[1]->IsString());
  const v8::Local<v8::String> text = info[1].As<v8::String>();
  RONDO_EXPECT(info, info[2]->IsNumber());
  const double offset = info[2].As<v8::Number>()->Value();
  const bool is_forward = info[4]->IsTrue();
  const auto length = static_cast<size_t>(text->Length());
  const bool is_utf8 = info[3]->IsTrue();
  Bytes bytes;
  if (!take_bytes(info, 0, &bytes)) return;
  info.GetReturnValue().Set(-1);
  // Text has at least one byte per character.
  if (length > bytes.size) return;
  const size_t most = is_utf8 ? std::min(3 * length, bytes.size + 3) : length;
  Scratch<uint8_t> needle(most);
  if (!is_allocated(isolate, needle)) return;
  size_t size = length;
  if (is_utf8) {
    const Written written = write_utf8(isolate, text, needle.data(), most);
    if (written.read < length) return;
    size = written.bytes;
  } else {
    read_latin1(isolate, text, needle.data(), 0, length);
  }
  if (size > bytes.size) return;
  size_t from = 0;
  if (offset < 0) {
    const double back = offset + static_cast<double>(bytes.size);
    if (back < 0 && !is_forward) return;
    from = back < 0 ? 0 : static_cast<size_t>(back);
  } else {
    from = static_cast<size_t>(offset);
  }
  set_index(info, find(bytes, needle.data(), size, from, 1, is_forward));
}

template <void (*kSwap)(uint8_t*, size_t)>
void swap(const Arguments& info) {
  Bytes bytes;
  if (!take_bytes(info, 0, &bytes)) return;
  kSwap(bytes.data, bytes.size);
}

template <bool (*kIs)(const uint8_t*, size_t)>
void check(const Arguments& info) {
  Bytes bytes;
  if (!take_bytes(info, 0, &bytes)) return;
  if (bytes.is_detached) return;  // Returns undefined, for which lib throws.
  info.GetReturnValue().Set(kIs(bytes.data, bytes.size));
}

// getOwnNonIndexProperties(object, withHidden): the names without indexes, of which there may be
// millions.
void get_own_non_index_properties(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  v8::Local<v8::Array> names;
  if (!info[0]->IsObject()) {
    info.GetReturnValue().Set(v8::Array::New(isolate));
    return;
  }
  if (info[0]
          .As<v8::Object>()
          ->GetPropertyNames(isolate->GetCurrentContext(), v8::KeyCollectionMode::kOwnOnly,
                             info[1]->IsTrue() ? v8::ALL_PROPERTIES : v8::ONLY_ENUMERABLE,
                             v8::IndexFilter::kSkipIndices)
          .ToLocal(&names)) {
    info.GetReturnValue().Set(names);
  }
}

const runtime::Method kMethods[] = {
    {"compare", compare},
    {"compareRanges", compare_ranges},
    {"copy", copy, &kFastCopy},
    {"fill", fill},
    {"indexOfByte", index_of_byte},
    {"indexOfBytes", index_of_bytes},
    {"indexOfString", index_of_string},
    {"swap16", swap<encoding::swap16>},
    {"swap32", swap<encoding::swap32>},
    {"swap64", swap<encoding::swap64>},
    {"isUtf8", check<encoding::is_utf8>},
    {"isAscii", check<encoding::is_ascii>},
    {"getOwnNonIndexProperties", get_own_non_index_properties},
};

}  // namespace

extern const runtime::Binding bytes;
const runtime::Binding bytes{"bytes", kMethods};

}  // namespace rondo::bindings
