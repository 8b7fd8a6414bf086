// internalBinding('http2_sessions'): the methods of a session. Each is a function of the receiver,
// and does nothing once the session is gone.
#include <algorithm>
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
using runtime::Realm;
using runtime::Wrap;

namespace {

// The numbers of readState().
enum SessionState : uint8_t {
  kEffectiveLocalWindow,
  kEffectiveReceived,
  kNextStream,
  kLocalWindow,
  kLastStream,
  kRemoteWindow,
  kQueueSize,
  kDeflateTable,
  kInflateTable,
  kStateCount,
};
constexpr runtime::Constant kStateNumbers[] = {
    {"effectiveLocalWindowSize", kEffectiveLocalWindow},
    {"effectiveRecvDataLength", kEffectiveReceived},
    {"nextStreamID", kNextStream},
    {"localWindowSize", kLocalWindow},
    {"lastProcStreamID", kLastStream},
    {"remoteWindowSize", kRemoteWindow},
    {"outboundQueueSize", kQueueSize},
    {"deflateDynamicTableSize", kDeflateTable},
    {"inflateDynamicTableSize", kInflateTable},
};
static_assert(runtime::names_all(kStateNumbers, kStateCount));

// The numbers of readStatistics().
enum SessionStatistic : uint8_t {
  kBytesSent,
  kBytesReceived,
  kFramesReceived,
  kFramesSent,
  kMostStreams,
  kPingTime,
  kStreamTime,
  kStreams,
  kStatisticsCount,
};
constexpr runtime::Constant kStatistics[] = {
    {"bytesWritten", kBytesSent},           {"bytesRead", kBytesReceived},
    {"framesReceived", kFramesReceived},    {"framesSent", kFramesSent},
    {"maxConcurrentStreams", kMostStreams}, {"pingRTT", kPingTime},
    {"streamAverageDuration", kStreamTime}, {"streamCount", kStreams},
};
static_assert(runtime::names_all(kStatistics, kStatisticsCount));

Http2Session* session_of(const Arguments& info) { return Wrap::of<Http2Session>(info.This()); }

int32_t int_of(const Arguments& info, int index) {
  return info[index]->Int32Value(info.GetIsolate()->GetCurrentContext()).FromMaybe(0);
}

uint32_t uint_of(const Arguments& info, int index) {
  return info[index]->Uint32Value(info.GetIsolate()->GetCurrentContext()).FromMaybe(0);
}

// attach(the object of a stream): false if it is not a native one.
void attach(const Arguments& info) {
  Http2Session* const session = session_of(info);
  auto* const stream = Wrap::of<StreamHandle>(info[0]);
  if (session == nullptr || stream == nullptr) return info.GetReturnValue().Set(false);
  if (!stream->is_closing()) session->attach(*stream);
  info.GetReturnValue().Set(true);
}

// attachToLib(): lib calls receive() and sent(), and has the hook onOutgoing.
void attach_to_lib(const Arguments& info) {
  if (Http2Session* const session = session_of(info)) session->attach_to_lib();
}

// receive(view, after the call): `after the call` is for the last call of a function that native
// code calls: the bytes are processed when that function has returned.
void receive(const Arguments& info) {
  Http2Session* const session = session_of(info);
  runtime::Bytes bytes;
  if (session == nullptr || !runtime::bytes_of(info[0], &bytes) || bytes.size == 0) return;
  // JavaScript may change or detach the memory while the bytes are processed.
  std::string copy(reinterpret_cast<const char*>(bytes.data), bytes.size);
  if (info[1]->IsTrue()) return session->receive_after_call(std::move(copy));
  session->receive(std::as_bytes(std::span(copy.data(), copy.size())));
}

// sent(status): the write of onOutgoing has ended.
void sent(const Arguments& info) {
  if (Http2Session* const session = session_of(info)) session->sent(int_of(info, 0));
}

// close(code, the socket is closed): onDone follows.
void close(const Arguments& info) {
  if (Http2Session* const session = session_of(info)) {
    session->close(uint_of(info, 0), info[1]->IsTrue());
  }
}

void has_pending_data(const Arguments& info) {
  const Http2Session* const session = session_of(info);
  info.GetReturnValue().Set(session != nullptr && session->has_pending_data());
}

void close_gently(const Arguments& info) {
  if (Http2Session* const session = session_of(info)) session->close_gently();
}

// submitSettings(pairs of id and value): false if too many wait for an answer.
void submit_settings(const Arguments& info) {
  Http2Session* const session = session_of(info);
  if (session == nullptr) return info.GetReturnValue().Set(false);
  std::vector<nghttp2::Setting> settings;
  const std::span<uint32_t> pairs = numbers_of<uint32_t>(info[0]);
  for (size_t i = 0; i + 1 < pairs.size(); i += 2) {
    settings.push_back({static_cast<int32_t>(pairs[i]), pairs[i + 1]});
  }
  info.GetReturnValue().Set(session->submit_settings(settings));
}

// readSettings(are the peer's, numbers): the named ones in the order of `settingIds`, the number
// of others, and those as pairs.
void read_settings(const Arguments& info) {
  const Http2Session* const session = session_of(info);
  const std::span<uint32_t> out = numbers_of<uint32_t>(info[1]);
  constexpr size_t kNamed = std::size(kNamedSettings);
  RONDO_EXPECT(info, out.size() == kNamed + 1 + 2 * kMostCustomSettings);
  if (session == nullptr) return;
  const bool is_remote = info[0]->IsTrue();
  for (size_t i = 0; i < kNamed; ++i) {
    out[i] =
        is_remote
            ? nghttp2::nghttp2_session_get_remote_settings(session->native(), kNamedSettings[i])
            : nghttp2::nghttp2_session_get_local_settings(session->native(), kNamedSettings[i]);
  }
  size_t count = 0;
  for (const nghttp2::Setting& setting : session->custom_settings(is_remote)) {
    if (setting.id > 0xffff) continue;
    out[kNamed + 1 + 2 * count] = static_cast<uint32_t>(setting.id);
    out[kNamed + 2 + 2 * count] = setting.value;
    ++count;
  }
  out[kNamed] = static_cast<uint32_t>(count);
}

// submitPing(8 bytes or undefined): false if too many wait for an answer.
void submit_ping(const Arguments& info) {
  Http2Session* const session = session_of(info);
  if (session == nullptr) return info.GetReturnValue().Set(false);
  runtime::Bytes bytes;
  const bool has_bytes = runtime::bytes_of(info[0], &bytes) && bytes.size == 8;
  info.GetReturnValue().Set(session->submit_ping(has_bytes ? bytes.data : nullptr));
}

// submitGoaway(code, last stream id, bytes or undefined)
void submit_goaway(const Arguments& info) {
  Http2Session* const session = session_of(info);
  if (session == nullptr) return;
  runtime::Bytes bytes;
  runtime::bytes_of(info[2], &bytes);
  session->submit_goaway(uint_of(info, 0), int_of(info, 1), {bytes.data, bytes.size});
}

void set_next_stream_id(const Arguments& info) {
  const Http2Session* const session = session_of(info);
  info.GetReturnValue().Set(session != nullptr && nghttp2::nghttp2_session_set_next_stream_id(
                                                      session->native(), int_of(info, 0)) == 0);
}

void set_local_window_size(const Arguments& info) {
  Http2Session* const session = session_of(info);
  if (session == nullptr) return;
  info.GetReturnValue().Set(
      nghttp2::nghttp2_session_set_local_window_size(session->native(), 0, 0, int_of(info, 0)));
}

// request(fields, their number, has no data, has trailers, parent, weight, is exclusive): the
// stream, or a failure of nghttp2.
void request(const Arguments& info) {
  Http2Session* const session = session_of(info);
  RONDO_EXPECT(info, info[0]->IsString());
  if (session == nullptr) return;
  const FieldList fields(info.GetIsolate(), info[0].As<v8::String>(), uint_of(info, 1));
  const bool is_empty = info[2]->IsTrue();
  const Http2Session::Scope scope(*session);
  const nghttp2::Dependency dependency{int_of(info, 4), int_of(info, 5), info[6]->IsTrue()};
  const nghttp2::Provider source = Http2Stream::provider();
  const int32_t id =
      nghttp2::nghttp2_submit_request2(session->native(), &dependency, fields.data(), fields.size(),
                                       is_empty ? nullptr : &source, nullptr);
  if (id <= 0) return info.GetReturnValue().Set(id);
  Http2Stream* const stream = session->add_stream(id, nghttp2::kOther, info[3]->IsTrue());
  if (is_empty) stream->end_writing();
  info.GetReturnValue().Set(stream->object());
}

std::string latin1_of(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  if (!value->IsString()) return {};
  const v8::Local<v8::String> text = value.As<v8::String>();
  std::string bytes(static_cast<size_t>(text->Length()), '\0');
  runtime::read_latin1(isolate, text, reinterpret_cast<uint8_t*>(bytes.data()), 0, bytes.size());
  return bytes;
}

const uint8_t* data_of(const std::string& bytes) {
  return reinterpret_cast<const uint8_t*>(bytes.data());
}

// submitAltsvc(stream id, origin, value)
void submit_altsvc(const Arguments& info) {
  Http2Session* const session = session_of(info);
  if (session == nullptr) return;
  const std::string origin = latin1_of(info.GetIsolate(), info[1]);
  const std::string value = latin1_of(info.GetIsolate(), info[2]);
  const Http2Session::Scope scope(*session);
  nghttp2::nghttp2_submit_altsvc(session->native(), 0, int_of(info, 0), data_of(origin),
                                 origin.size(), data_of(value), value.size());
}

// submitOrigin([origin...])
void submit_origin(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  Http2Session* const session = session_of(info);
  RONDO_EXPECT(info, info[0]->IsArray());
  if (session == nullptr) return;
  const v8::Local<v8::Array> list = info[0].As<v8::Array>();
  std::vector<std::string> origins;
  for (uint32_t i = 0; i < list->Length(); ++i) {
    v8::Local<v8::Value> origin;
    if (!list->Get(isolate->GetCurrentContext(), i).ToLocal(&origin)) return;
    origins.push_back(latin1_of(isolate, origin));
  }
  std::vector<nghttp2::OriginEntry> entries;
  for (const std::string& origin : origins) entries.push_back({data_of(origin), origin.size()});
  const Http2Session::Scope scope(*session);
  nghttp2::nghttp2_submit_origin(session->native(), 0, entries.data(), entries.size());
}

// readState(numbers)
void read_state(const Arguments& info) {
  const Http2Session* const session = session_of(info);
  const std::span<double> out = numbers_of<double>(info[0]);
  RONDO_EXPECT(info, out.size() == kStateCount);
  if (session == nullptr) return;
  using namespace nghttp2;
  nghttp2::Session* const native = session->native();
  out[kEffectiveLocalWindow] = nghttp2_session_get_effective_local_window_size(native);
  out[kEffectiveReceived] = nghttp2_session_get_effective_recv_data_length(native);
  out[kNextStream] = nghttp2_session_get_next_stream_id(native);
  out[kLocalWindow] = nghttp2_session_get_local_window_size(native);
  out[kLastStream] = nghttp2_session_get_last_proc_stream_id(native);
  out[kRemoteWindow] = nghttp2_session_get_remote_window_size(native);
  out[kQueueSize] = static_cast<double>(nghttp2_session_get_outbound_queue_size(native));
  out[kDeflateTable] =
      static_cast<double>(nghttp2_session_get_hd_deflate_dynamic_table_size(native));
  out[kInflateTable] =
      static_cast<double>(nghttp2_session_get_hd_inflate_dynamic_table_size(native));
}

// readStatistics(numbers)
void read_statistics(const Arguments& info) {
  Http2Session* const session = session_of(info);
  const std::span<double> out = numbers_of<double>(info[0]);
  RONDO_EXPECT(info, out.size() == kStatisticsCount);
  if (session == nullptr) return;
  const SessionCounts& counts = session->counts();
  out[kBytesSent] = static_cast<double>(counts.bytes_sent);
  out[kBytesReceived] = static_cast<double>(counts.bytes_received);
  out[kFramesReceived] = counts.frames_received;
  out[kFramesSent] = counts.frames_sent;
  out[kMostStreams] = counts.most_streams;
  out[kPingTime] = counts.ping_ns;
  out[kStreamTime] = counts.stream_ms;
  out[kStreams] = counts.streams;
}

// chunksSent(): how many writes the session has made.
void chunks_sent(const Arguments& info) {
  const Http2Session* const session = session_of(info);
  info.GetReturnValue().Set(session == nullptr ? 0U : session->chunks_sent());
}

void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  set_figures(isolate, target, kStateNumbers, kStatistics);
}

constexpr runtime::Method kMethods[] = {
    {"attach", attach},
    {"attachToLib", attach_to_lib},
    {"receive", receive},
    {"sent", sent},
    {"close", close},
    {"hasPendingData", has_pending_data},
    {"closeGently", close_gently},
    {"submitSettings", submit_settings},
    {"readSettings", read_settings},
    {"submitPing", submit_ping},
    {"submitGoaway", submit_goaway},
    {"setNextStreamId", set_next_stream_id},
    {"setLocalWindowSize", set_local_window_size},
    {"request", request},
    {"submitAltsvc", submit_altsvc},
    {"submitOrigin", submit_origin},
    {"readState", read_state},
    {"readStatistics", read_statistics},
    {"chunksSent", chunks_sent},
};

}  // namespace

}  // namespace rondo::bindings::http2

namespace rondo::bindings {
extern const runtime::Binding http2_sessions;
const runtime::Binding http2_sessions{"http2_sessions", http2::kMethods, http2::add_constants};
}  // namespace rondo::bindings
