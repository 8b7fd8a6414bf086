// Converts arguments of lib for the bindings of zlib. lib has checked them.
// Thread: the loop's only.
#pragma once

#include <memory>
#include <optional>

#include "bindings/zlib/codec.h"
#include "runtime/values/values.h"

namespace rondo::bindings::zlib {

// A whole number that is not negative; 0 for other values.
size_t size_arg(v8::Local<v8::Value> value);
int int_arg(v8::Local<v8::Value> value);

// The memory of a view or an ArrayBuffer that a worker reads or writes. Memory that the program
// can shrink is copied.
struct Memory {
  uint8_t* data = nullptr;
  size_t size = 0;
  std::shared_ptr<v8::BackingStore> store;
};
// Takes value[offset] to value[offset + size]. Throws Node's error, `input buffer is out of
// bounds`, and returns false, if the value has fewer bytes.
bool take_memory(v8::Isolate* isolate, v8::Local<v8::Value> value, v8::Local<v8::Value> offset,
                 v8::Local<v8::Value> size, const char* name, Memory* memory);

// A codec, described by the arguments (mode, settings, dictionary, rejectsGarbage, pledgedSize).
// The settings are an Int32Array [windowBits, level, memLevel, strategy], or a Uint32Array of
// parameters.
struct CodecArguments {
  static constexpr int kCount = 5;
  CodecArguments(const runtime::Arguments& info, int first);

  bool is_valid = false;
  Mode mode = Mode::none;
  bool is_zlib() const { return mode <= Mode::unzip; }
  ZlibSettings settings;
  // Throws ERR_ZLIB_INITIALIZATION_FAILED and returns null if the library rejects the settings.
  std::unique_ptr<Codec> make(v8::Isolate* isolate);

 private:
  std::vector<uint32_t> values_;
  std::vector<uint8_t> dictionary_;
  uint64_t pledged_size_ = Parameters::kUnknownSize;
  bool rejects_garbage_ = false;
};

// [message, errno, code]
v8::Local<v8::Value> to_js(v8::Isolate* isolate, const Failure& failure);

}  // namespace rondo::bindings::zlib
