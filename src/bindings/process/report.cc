// internalBinding('report'): parts of process.report that only native code knows.
#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <gnu/libc-version.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "runtime/values/binding.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;

struct Freeing {
  void operator()(char* text) const noexcept { std::free(text); }
};

std::string demangle(const char* name) {
  int status = 0;
  const std::unique_ptr<char, Freeing> text(abi::__cxa_demangle(name, nullptr, nullptr, &status));
  return status == 0 && text != nullptr ? std::string(text.get()) : std::string(name);
}

// "function [file]", or "" for code that V8 has made.
std::string symbol_of(void* address) {
  Dl_info found{};
  if (::dladdr(address, &found) == 0) return {};
  std::string result = found.dli_sname == nullptr ? std::string() : demangle(found.dli_sname);
  if (found.dli_fname != nullptr) {
    if (!result.empty()) result += ' ';
    result += '[' + std::string(found.dli_fname) + ']';
  }
  return result;
}

// nativeStack(): [address, symbol, address, symbol, ...] from the caller outwards.
void native_stack(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  constexpr size_t kMostFrames = 256;
  std::array<void*, kMostFrames> frames{};
  const int count = ::backtrace(frames.data(), static_cast<int>(frames.size()));
  std::vector<v8::Local<v8::Value>> values;
  for (int i = 1; i < count; ++i) {
    void* const frame = frames[static_cast<size_t>(i)];
    values.push_back(
        v8::Number::New(isolate, static_cast<double>(reinterpret_cast<uintptr_t>(frame))));
    v8::Local<v8::String> symbol;
    if (!runtime::to_js(isolate, symbol_of(frame)).ToLocal(&symbol)) return;
    values.push_back(symbol);
  }
  info.GetReturnValue().Set(v8::Array::New(isolate, values.data(), values.size()));
}

// libcVersion(): that of the C library in this process.
void libc_version(const Arguments& info) {
  v8::Local<v8::String> text;
  if (runtime::to_js(info.GetIsolate(), ::gnu_get_libc_version()).ToLocal(&text)) {
    info.GetReturnValue().Set(text);
  }
}

void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  runtime::set(isolate, target, "compiledWithLibc",
               std::string_view(std::to_string(__GLIBC__) + "." + std::to_string(__GLIBC_MINOR__)));
}

constexpr runtime::Method kMethods[] = {
    {"nativeStack", native_stack},
    {"libcVersion", libc_version},
};

}  // namespace

extern const runtime::Binding report;
const runtime::Binding report{"report", kMethods, add_constants};

}  // namespace rondo::bindings
