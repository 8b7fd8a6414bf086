// The state and the statistics of a session or a stream: lib passes an array of doubles, and the
// positions in it have names that lib gets as `stateIndexes` and `statisticsIndexes`.
#pragma once

#include <span>

#include "runtime/values/contract.h"
#include "runtime/values/text.h"

namespace rondo::bindings::http2 {

// Numbers that lib gives or gets in a typed array; empty for other values.
template <class T>
std::span<T> numbers_of(v8::Local<v8::Value> value) {
  runtime::Bytes bytes;
  if (!value->IsArrayBufferView() || !runtime::bytes_of(value, &bytes)) return {};
  return {reinterpret_cast<T*>(bytes.data), bytes.size / sizeof(T)};
}

inline void set_figures(v8::Isolate* isolate, v8::Local<v8::Object> target,
                        std::span<const runtime::Constant> state,
                        std::span<const runtime::Constant> statistics) {
  const runtime::Constant counts[] = {
      {"kStateCount", state.size()},
      {"kStatisticsCount", statistics.size()},
  };
  runtime::set_constants(isolate, target, counts);
  runtime::set_constants(isolate, target, "stateIndexes", state);
  runtime::set_constants(isolate, target, "statisticsIndexes", statistics);
}

}  // namespace rondo::bindings::http2
