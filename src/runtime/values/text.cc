#include "runtime/values/text.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "base/assert.h"
#include "base/encoding/ascii.h"
#include "base/encoding/utf8.h"
#include "runtime/engine/realm.h"
#include "runtime/values/values.h"

namespace rondo::runtime {

namespace {

// From this many bytes on, a string keeps the memory that it was decoded into, instead of a copy on
// V8's heap. The copy would be a large object, with new pages that the kernel has to clear, which
// takes ten times as long.
constexpr size_t kExternalFrom = 120 * 1024;
constexpr auto kMaxLength = static_cast<size_t>(v8::String::kMaxLength);

struct Free {
  void operator()(void* data) const noexcept { std::free(data); }
};

// A string in memory outside of V8's heap, reported to V8 so that the collector runs in time.
template <class Base, class T>
class External final : public Base {
 public:
  External(v8::Isolate* isolate, T* data, size_t size)
      : isolate_(isolate), data_(data), size_(size) {
    isolate_->AdjustAmountOfExternalAllocatedMemory(static_cast<int64_t>(size_ * sizeof(T)));
  }
  ~External() override {
    isolate_->AdjustAmountOfExternalAllocatedMemory(-static_cast<int64_t>(size_ * sizeof(T)));
  }
  const T* data() const override { return data_.get(); }
  size_t length() const override { return size_; }

 private:
  v8::Isolate* isolate_;
  std::unique_ptr<T, Free> data_;
  size_t size_;
};
using ExternalLatin1 = External<v8::String::ExternalOneByteStringResource, char>;
using ExternalUtf16 = External<v8::String::ExternalStringResource, uint16_t>;

template <class T>
T* shrink(T* data, size_t size) {
  void* smaller = std::realloc(data, size * sizeof(T));
  return smaller != nullptr ? static_cast<T*>(smaller) : data;
}

// Larger blocks are not cached: the string takes ownership of them.
constexpr size_t kKept = kExternalFrom;
thread_local std::unique_ptr<char, Free>
    kept;  // One per thread: strings of two workers do not share it.
thread_local bool is_kept_in_use = false;

}  // namespace

void* borrow_memory(size_t size) {
  if (size > kKept || is_kept_in_use) return nullptr;
  if (kept == nullptr) kept.reset(static_cast<char*>(std::malloc(kKept)));
  is_kept_in_use = kept != nullptr;
  return kept.get();
}

void return_memory(void* memory) {
  RONDO_ASSERT(memory == kept.get());
  is_kept_in_use = false;
}

bool bytes_of(v8::Local<v8::Value> value, Bytes* bytes) {
  if (value->IsArrayBufferView()) {
    const v8::Local<v8::ArrayBufferView> view = value.As<v8::ArrayBufferView>();
    // One call finds memory outside of V8's heap. A small array is on the heap, and copied here;
    // Buffer() moves it off the heap permanently.
    uint8_t small[kMostOnHeap];
    const v8::MemorySpan<uint8_t> found = view->GetContents({small, sizeof small});
    bytes->data = found.data();
    bytes->size = found.size();
    if (found.data() == small || found.size() == 0) [[unlikely]] {
      const v8::Local<v8::ArrayBuffer> buffer = view->Buffer();
      bytes->data = static_cast<uint8_t*>(buffer->Data()) + view->ByteOffset();
      bytes->is_detached = found.size() == 0 && buffer->WasDetached();
    }
    return true;
  }
  if (value->IsArrayBuffer()) {
    const v8::Local<v8::ArrayBuffer> buffer = value.As<v8::ArrayBuffer>();
    bytes->data = static_cast<uint8_t*>(buffer->Data());
    bytes->size = buffer->ByteLength();
    bytes->is_detached = buffer->WasDetached();
    return true;
  }
  if (value->IsSharedArrayBuffer()) {
    const v8::Local<v8::SharedArrayBuffer> buffer = value.As<v8::SharedArrayBuffer>();
    bytes->data = static_cast<uint8_t*>(buffer->Data());
    bytes->size = buffer->ByteLength();
    return true;
  }
  return false;
}

void throw_coded(v8::Isolate* isolate, ErrorClass kind, std::string_view code,
                 std::string_view message) {
  const v8::Local<v8::String> text = to_js(isolate, message).ToLocalChecked();
  const v8::Local<v8::Value> error = kind == ErrorClass::type_error ? v8::Exception::TypeError(text)
                                     : kind == ErrorClass::range_error
                                         ? v8::Exception::RangeError(text)
                                         : v8::Exception::Error(text);
  set(isolate, error.As<v8::Object>(), "code", code);
  isolate->ThrowException(error);
}

void throw_string_too_long(v8::Isolate* isolate) {
  throw_coded(isolate, ErrorClass::error, "ERR_STRING_TOO_LONG",
              "Cannot create a string longer than 0x1fffffe8 characters");
}

void throw_out_of_memory(v8::Isolate* isolate) {
  throw_coded(isolate, ErrorClass::error, "ERR_MEMORY_ALLOCATION_FAILED",
              "Failed to allocate memory");
}

v8::MaybeLocal<v8::String> latin1_string(v8::Isolate* isolate, const uint8_t* data, size_t size) {
  if (size > kMaxLength) {
    throw_string_too_long(isolate);
    return {};
  }
  if (size == 0) return v8::String::Empty(isolate);
  if (size <= kExternalFrom) {
    return v8::String::NewFromOneByte(isolate, data, v8::NewStringType::kNormal,
                                      static_cast<int>(size));
  }
  Scratch<uint8_t> copy(size);
  if (!is_allocated(isolate, copy)) return {};
  std::memcpy(copy.data(), data, size);
  return take_latin1(isolate, copy, size);
}

v8::MaybeLocal<v8::String> take_latin1(v8::Isolate* isolate, Scratch<uint8_t>& bytes, size_t size) {
  if (size > kMaxLength) {
    throw_string_too_long(isolate);
    return {};
  }
  if (size <= kExternalFrom || !bytes.is_own()) return latin1_string(isolate, bytes.data(), size);
  auto* memory = reinterpret_cast<char*>(shrink(bytes.release(), size));
  auto resource = std::make_unique<ExternalLatin1>(isolate, memory, size);
  v8::MaybeLocal<v8::String> text = v8::String::NewExternalOneByte(isolate, resource.get());
  if (!text.IsEmpty()) static_cast<void>(resource.release());  // V8 disposes of the resource.
  return text;
}

v8::MaybeLocal<v8::String> utf16_string(v8::Isolate* isolate, const char16_t* data, size_t size) {
  if (size > kMaxLength) {
    throw_string_too_long(isolate);
    return {};
  }
  if (size == 0) return v8::String::Empty(isolate);
  if (size * sizeof(char16_t) > kExternalFrom) {
    Scratch<char16_t> copy(size);
    if (!is_allocated(isolate, copy)) return {};
    std::memcpy(copy.data(), data, size * sizeof(char16_t));
    if (copy.is_own()) return take_utf16(isolate, copy, size, false);
  }
  return v8::String::NewFromTwoByte(isolate, reinterpret_cast<const uint16_t*>(data),
                                    v8::NewStringType::kNormal, static_cast<int>(size));
}

v8::MaybeLocal<v8::String> take_utf16(v8::Isolate* isolate, Scratch<char16_t>& units, size_t size,
                                      bool fits_latin1) {
  if (fits_latin1) {
    Scratch<uint8_t> narrow(size);
    if (!is_allocated(isolate, narrow)) return {};
    encoding::narrow(units.data(), size, narrow.data());
    return take_latin1(isolate, narrow, size);
  }
  if (size * sizeof(char16_t) <= kExternalFrom || size > kMaxLength || !units.is_own()) {
    return utf16_string(isolate, units.data(), size);
  }
  auto* memory = reinterpret_cast<uint16_t*>(shrink(units.release(), size));
  auto resource = std::make_unique<ExternalUtf16>(isolate, memory, size);
  v8::MaybeLocal<v8::String> text = v8::String::NewExternalTwoByte(isolate, resource.get());
  if (!text.IsEmpty()) static_cast<void>(resource.release());
  return text;
}

v8::MaybeLocal<v8::String> utf8_string(v8::Isolate* isolate, const uint8_t* data, size_t size) {
  // The limit is in bytes, not characters, as in Node.
  if (size > kMaxLength) {
    throw_string_too_long(isolate);
    return {};
  }
  const size_t ascii = encoding::ascii_prefix(data, size);
  if (ascii == size) return latin1_string(isolate, data, size);
  // The first non-ASCII byte is a good predictor of whether the whole text is Latin-1.
  if (data[ascii] == 0xc2 || data[ascii] == 0xc3) {
    Scratch<uint8_t> narrow(size);
    if (!is_allocated(isolate, narrow)) return {};
    size_t written = 0;
    if (encoding::decode_utf8_to_latin1(data, size, narrow.data(), &written)) {
      return take_latin1(isolate, narrow, written);
    }
  }
  Scratch<char16_t> units(size);
  if (!is_allocated(isolate, units)) return {};
  const encoding::Utf8Decoded decoded = encoding::decode_utf8(data, size, units.data());
  return take_utf16(isolate, units, decoded.units, decoded.fits_latin1);
}

void read_latin1(v8::Isolate* isolate, v8::Local<v8::String> text, uint8_t* out, size_t start,
                 size_t size) {
  if (size == 0) return;
  text->WriteOneByteV2(isolate, static_cast<uint32_t>(start), static_cast<uint32_t>(size), out);
}

void read_utf16(v8::Isolate* isolate, v8::Local<v8::String> text, char16_t* out, size_t start,
                size_t size) {
  if (size == 0) return;
  text->WriteV2(isolate, static_cast<uint32_t>(start), static_cast<uint32_t>(size),
                reinterpret_cast<uint16_t*>(out));
}

namespace {

// The string is read in parts of this size, so that little memory is needed in addition to `out`.
constexpr size_t kPart = 2048;

size_t length_of_two_byte(v8::Isolate* isolate, v8::Local<v8::String> text) {
  const auto length = static_cast<size_t>(text->Length());
  char16_t part[kPart];
  size_t bytes = 0;
  for (size_t done = 0; done < length;) {
    size_t size = length - done < kPart ? length - done : kPart;
    read_utf16(isolate, text, part, done, size);
    if (done + size < length && (part[size - 1] & 0xfc00) == 0xd800) --size;
    bytes += encoding::utf8_length_of_utf16(part, size);
    done += size;
  }
  return bytes;
}

Written write_two_byte(v8::Isolate* isolate, v8::Local<v8::String> text, uint8_t* out,
                       size_t capacity) {
  const auto length = static_cast<size_t>(text->Length());
  Written done{0, 0};
  char16_t part[kPart];
  while (done.read < length) {
    size_t size = length - done.read < kPart ? length - done.read : kPart;
    read_utf16(isolate, text, part, done.read, size);
    // Do not split a surrogate pair.
    const bool is_last = done.read + size == length;
    if (!is_last && (part[size - 1] & 0xfc00) == 0xd800) --size;
    const encoding::Utf8Encoded encoded =
        encoding::encode_utf16_as_utf8(part, size, out + done.bytes, capacity - done.bytes);
    done.read += encoded.read;
    done.bytes += encoded.written;
    if (encoded.read < size) break;
  }
  return done;
}

}  // namespace

size_t utf8_length(v8::Isolate* isolate, v8::Local<v8::String> text) {
  if (text->IsOneByte()) {
    const v8::String::ValueView view(isolate, text);
    const auto length = static_cast<size_t>(view.length());
    if (view.is_one_byte()) return length + encoding::count_non_ascii(view.data8(), length);
  }
  return length_of_two_byte(isolate, text);
}

Written write_latin1_as_utf8(const uint8_t* text, size_t length, uint8_t* out, size_t capacity) {
  const size_t direct = std::min(length, capacity);
  const size_t ascii = encoding::copy_ascii_prefix(text, direct, out);
  if (ascii == direct) return {ascii, ascii};
  const encoding::Utf8Encoded encoded =
      encoding::encode_latin1_as_utf8(text + ascii, length - ascii, out + ascii, capacity - ascii);
  return {ascii + encoded.read, ascii + encoded.written};
}

Written write_utf8(v8::Isolate* isolate, v8::Local<v8::String> text, uint8_t* out,
                   size_t capacity) {
  if (text->IsOneByte()) {
    const v8::String::ValueView view(isolate, text);
    if (view.is_one_byte()) {
      return write_latin1_as_utf8(view.data8(), static_cast<size_t>(view.length()), out, capacity);
    }
  }
  return write_two_byte(isolate, text, out, capacity);
}

uint8_t* utf8_copy(v8::Isolate* isolate, v8::Local<v8::String> text, size_t* size) {
  const auto length = static_cast<size_t>(text->Length());
  if (text->IsOneByte()) {
    auto* bytes = static_cast<uint8_t*>(std::malloc(length + 1));
    if (bytes == nullptr) return nullptr;
    read_latin1(isolate, text, bytes, 0, length);
    const size_t ascii = encoding::ascii_prefix(bytes, length);
    *size = length;
    if (ascii == length) return bytes;
    *size = length + encoding::count_non_ascii(bytes + ascii, length - ascii);
    auto* longer = static_cast<uint8_t*>(std::malloc(*size));
    if (longer != nullptr) encoding::encode_latin1_as_utf8(bytes, length, longer, *size);
    std::free(bytes);
    return longer;
  }
  Scratch<char16_t> units(length);
  if (units.has_failed()) return nullptr;
  read_utf16(isolate, text, units.data(), 0, length);
  *size = encoding::utf8_length_of_utf16(units.data(), length);
  auto* bytes = static_cast<uint8_t*>(std::malloc(*size + 1));
  if (bytes != nullptr) encoding::encode_utf16_as_utf8(units.data(), length, bytes, *size);
  return bytes;
}

v8::Local<v8::ArrayBuffer> own_memory(v8::Isolate* isolate, void* data, size_t size) {
  if (size == 0) {
    std::free(data);
    return v8::ArrayBuffer::New(isolate, 0);
  }
  MemoryCount* const count =
      Realm::exists(isolate) ? Realm::of(isolate).array_buffer_count() : nullptr;
  std::unique_ptr<v8::BackingStore> store = v8::ArrayBuffer::NewBackingStore(
      data, size,
      [](void* memory, size_t length, void* counted) {
        std::free(memory);
        MemoryCount::end(counted, length);
      },
      count != nullptr ? count->begin(size) : nullptr);
  return v8::ArrayBuffer::New(isolate, std::move(store));
}

}  // namespace rondo::runtime
