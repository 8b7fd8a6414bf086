// internalBinding('http2_streams'): the methods of a stream. Each is a function of the receiver,
// and does nothing once the stream is destroyed.
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <span>

#include "bindings/http2/figures.h"
#include "bindings/http2/session.h"
#include "bindings/http2/stream.h"
#include "runtime/values/binding.h"
#include "runtime/values/contract.h"
#include "runtime/values/text.h"

namespace rondo::bindings::http2 {

using runtime::Arguments;
using runtime::Wrap;

namespace {

// Up to this size data is copied: that costs less than to keep its memory alive.
constexpr size_t kFew = 1024;

// The numbers of readState().
enum StreamState : uint8_t {
  kState,
  kWeight,
  kSumOfWeights,
  kLocalClose,
  kRemoteClose,
  kLocalWindow,
  kStateCount,
};
constexpr runtime::Constant kStateNumbers[] = {
    {"state", kState},
    {"weight", kWeight},
    {"sumDependencyWeight", kSumOfWeights},
    {"localClose", kLocalClose},
    {"remoteClose", kRemoteClose},
    {"localWindowSize", kLocalWindow},
};
static_assert(runtime::names_all(kStateNumbers, kStateCount));

// The numbers of readStatistics().
enum StreamStatistic : uint8_t {
  kBytesReceived,
  kBytesSent,
  kFirstByte,
  kFirstByteSent,
  kFirstHeader,
  kBegin,
  kStatisticsCount,
};
constexpr runtime::Constant kStatistics[] = {
    {"bytesRead", kBytesReceived},       {"bytesWritten", kBytesSent},
    {"timeToFirstByte", kFirstByte},     {"timeToFirstByteSent", kFirstByteSent},
    {"timeToFirstHeader", kFirstHeader}, {"startTime", kBegin},
};
static_assert(runtime::names_all(kStatistics, kStatisticsCount));

// Null if it is destroyed.
Http2Stream* stream_of(const Arguments& info) {
  auto* const stream = Wrap::of<Http2Stream>(info.This());
  return stream == nullptr || stream->is_destroyed() ? nullptr : stream;
}

uint32_t uint_of(const Arguments& info, int index) {
  return info[index]->Uint32Value(info.GetIsolate()->GetCurrentContext()).FromMaybe(0);
}

void id(const Arguments& info) {
  const auto* const stream = Wrap::of<Http2Stream>(info.This());
  if (stream != nullptr) info.GetReturnValue().Set(stream->id());
}

void destroy(const Arguments& info) {
  if (Http2Stream* const stream = stream_of(info)) stream->destroy_stream();
}

// respond(fields, their number, has no data, has trailers): 0 or a failure of nghttp2.
void respond(const Arguments& info) {
  Http2Stream* const stream = stream_of(info);
  RONDO_EXPECT(info, info[0]->IsString());
  if (stream == nullptr) return info.GetReturnValue().Set(nghttp2::kStreamClosed);
  const FieldList fields(info.GetIsolate(), info[0].As<v8::String>(), uint_of(info, 1));
  info.GetReturnValue().Set(stream->respond(fields, info[2]->IsTrue(), info[3]->IsTrue()));
}

// submitInfo(fields, their number)
void submit_info(const Arguments& info) {
  Http2Stream* const stream = stream_of(info);
  RONDO_EXPECT(info, info[0]->IsString());
  if (stream == nullptr) return info.GetReturnValue().Set(nghttp2::kStreamClosed);
  const FieldList fields(info.GetIsolate(), info[0].As<v8::String>(), uint_of(info, 1));
  info.GetReturnValue().Set(stream->submit_info(fields));
}

// submitTrailers(fields, their number)
void submit_trailers(const Arguments& info) {
  Http2Stream* const stream = stream_of(info);
  RONDO_EXPECT(info, info[0]->IsString());
  if (stream == nullptr) return info.GetReturnValue().Set(nghttp2::kStreamClosed);
  const FieldList fields(info.GetIsolate(), info[0].As<v8::String>(), uint_of(info, 1));
  info.GetReturnValue().Set(stream->submit_trailers(fields));
}

// submitPush(fields, their number, has no data): the promised stream, or a failure of nghttp2.
void submit_push(const Arguments& info) {
  Http2Stream* const stream = stream_of(info);
  RONDO_EXPECT(info, info[0]->IsString());
  if (stream == nullptr) return info.GetReturnValue().Set(nghttp2::kStreamClosed);
  const FieldList fields(info.GetIsolate(), info[0].As<v8::String>(), uint_of(info, 1));
  Http2Session& session = *stream->session();
  const int32_t promised = stream->submit_push(fields);
  if (promised <= 0) return info.GetReturnValue().Set(promised);
  Http2Stream* const push = session.add_stream(promised, nghttp2::kOther, false);
  if (info[2]->IsTrue()) push->end_writing();
  info.GetReturnValue().Set(push->object());
}

// reset(code)
void reset(const Arguments& info) {
  if (Http2Stream* const stream = stream_of(info)) stream->reset(uint_of(info, 0));
}

void read_start(const Arguments& info) {
  if (Http2Stream* const stream = stream_of(info)) stream->start_reading();
}

void read_stop(const Arguments& info) {
  if (Http2Stream* const stream = stream_of(info)) stream->stop_reading();
}

Chunk copy_of(size_t size, char** bytes) {
  std::shared_ptr<char[]> memory(new char[size]);
  *bytes = memory.get();
  return {std::move(memory), *bytes, size};
}

Chunk chunk_of(v8::Isolate* isolate, v8::Local<v8::String> text, bool is_latin1) {
  char* bytes = nullptr;
  const auto length = static_cast<size_t>(text->Length());
  Chunk chunk = copy_of(is_latin1 ? length : runtime::utf8_length(isolate, text), &bytes);
  auto* const out = reinterpret_cast<uint8_t*>(bytes);
  if (is_latin1) {
    runtime::read_latin1(isolate, text, out, 0, length);
  } else {
    runtime::write_utf8(isolate, text, out, chunk.size);
  }
  return chunk;
}

Chunk chunk_of(v8::Local<v8::ArrayBufferView> view) {
  const size_t size = view->ByteLength();
  // A resizable buffer may lose its memory.
  if (size <= kFew || view->Buffer()->IsResizableByUserJavaScript()) {
    char* bytes = nullptr;
    Chunk chunk = copy_of(size, &bytes);
    view->CopyContents(bytes, size);
    return chunk;
  }
  const std::shared_ptr<v8::BackingStore> store = view->Buffer()->GetBackingStore();
  const auto* const data = static_cast<const char*>(store->Data()) + view->ByteOffset();
  return {store, data, size};
}

// write(chunk, is latin1) or write([chunk, is latin1, ...]): the number of bytes, or a negative
// errno. onWritten follows.
void write(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  Http2Stream* const stream = stream_of(info);
  if (stream == nullptr) return info.GetReturnValue().Set(-EPIPE);
  std::vector<Chunk> chunks;
  size_t total = 0;
  const auto add = [&](v8::Local<v8::Value> value, bool is_latin1) {
    if (value->IsString()) {
      chunks.push_back(chunk_of(isolate, value.As<v8::String>(), is_latin1));
    } else if (value->IsArrayBufferView()) {
      chunks.push_back(chunk_of(value.As<v8::ArrayBufferView>()));
    } else {
      return;
    }
    total += chunks.back().size;
  };
  if (info[0]->IsArray()) {
    const v8::Local<v8::Array> list = info[0].As<v8::Array>();
    for (uint32_t i = 0; i + 1 < list->Length(); i += 2) {
      v8::Local<v8::Value> value;
      v8::Local<v8::Value> is_latin1;
      if (!list->Get(context, i).ToLocal(&value)) return;
      if (!list->Get(context, i + 1).ToLocal(&is_latin1)) return;
      add(value, is_latin1->IsTrue());
    }
  } else {
    add(info[0], info[1]->IsTrue());
  }
  RONDO_EXPECT(info, !chunks.empty());
  const int status = stream->write(std::move(chunks));
  if (status < 0) return info.GetReturnValue().Set(status);
  runtime::set_size(info, total);
}

// endWriting(): false if the stream is destroyed.
void end_writing(const Arguments& info) {
  Http2Stream* const stream = stream_of(info);
  if (stream != nullptr) stream->end_writing();
  info.GetReturnValue().Set(stream != nullptr);
}

// readState(numbers)
void read_state(const Arguments& info) {
  const Http2Stream* const stream = stream_of(info);
  const std::span<double> out = numbers_of<double>(info[0]);
  RONDO_EXPECT(info, out.size() == kStateCount);
  std::fill(out.begin(), out.end(), 0.0);
  out[kState] = nghttp2::kIdle;
  if (stream == nullptr) return;
  nghttp2::Session* const session = stream->session()->native();
  nghttp2::Stream* const native = nghttp2::nghttp2_session_find_stream(session, stream->id());
  if (native == nullptr) return;
  out[kState] = nghttp2::nghttp2_stream_get_state(native);
  out[kWeight] = nghttp2::nghttp2_stream_get_weight(native);
  out[kSumOfWeights] = nghttp2::nghttp2_stream_get_sum_dependency_weight(native);
  out[kLocalClose] = nghttp2::nghttp2_session_get_stream_local_close(session, stream->id());
  out[kRemoteClose] = nghttp2::nghttp2_session_get_stream_remote_close(session, stream->id());
  out[kLocalWindow] = nghttp2::nghttp2_session_get_stream_local_window_size(session, stream->id());
}

// readStatistics(numbers): times in milliseconds; 0 if it has not happened.
void read_statistics(const Arguments& info) {
  const auto* const stream = Wrap::of<Http2Stream>(info.This());
  const std::span<double> out = numbers_of<double>(info[0]);
  RONDO_EXPECT(info, out.size() == kStatisticsCount);
  if (stream == nullptr) return;
  const StreamCounts& counts = stream->counts();
  out[kBytesReceived] = static_cast<double>(counts.bytes_received);
  out[kBytesSent] = static_cast<double>(counts.bytes_sent);
  out[kFirstByte] = counts.first_byte_ms;
  out[kFirstByteSent] = counts.first_byte_sent_ms;
  out[kFirstHeader] = counts.first_header_ms;
  out[kBegin] = counts.begin_ms;
}

void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  set_figures(isolate, target, kStateNumbers, kStatistics);
}

constexpr runtime::Method kMethods[] = {
    {"id", id},
    {"destroy", destroy},
    {"respond", respond},
    {"submitInfo", submit_info},
    {"submitTrailers", submit_trailers},
    {"submitPush", submit_push},
    {"reset", reset},
    {"readStart", read_start},
    {"readStop", read_stop},
    {"write", write},
    {"endWriting", end_writing},
    {"readState", read_state},
    {"readStatistics", read_statistics},
};

}  // namespace

}  // namespace rondo::bindings::http2

namespace rondo::bindings {
extern const runtime::Binding http2_streams;
const runtime::Binding http2_streams{"http2_streams", http2::kMethods, http2::add_constants};
}  // namespace rondo::bindings
