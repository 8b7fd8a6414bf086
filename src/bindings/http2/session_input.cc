// The input of a session: the callbacks of nghttp2.
#include <algorithm>
#include <cstring>

#include "bindings/http2/session.h"
#include "bindings/http2/stream.h"
#include "bindings/net/after_read.h"

namespace rondo::bindings::http2 {

namespace {

// A push promise is about the stream that it promises.
int32_t stream_of(const nghttp2::Frame& frame) {
  return frame.head.type == nghttp2::kPushPromise ? frame.push_promise.promised_id
                                                  : frame.head.stream_id;
}

v8::Local<v8::Value> copy(v8::Isolate* isolate, const uint8_t* bytes, size_t size) {
  const v8::Local<v8::ArrayBuffer> buffer = v8::ArrayBuffer::New(isolate, size);
  std::memcpy(buffer->Data(), bytes, size);
  return buffer;
}

v8::Local<v8::Value> to_text(v8::Isolate* isolate, const uint8_t* bytes, size_t size) {
  return v8::String::NewFromOneByte(isolate, bytes, v8::NewStringType::kNormal,
                                    static_cast<int>(size))
      .FromMaybe(v8::String::Empty(isolate));
}

uint32_t code_of_failure(int failure) {
  switch (failure) {
    case nghttp2::kStreamClosed: return nghttp2::kStreamClosedError;
    case nghttp2::kHeaderCompression: return nghttp2::kCompressionError;
    case nghttp2::kFrameSize: return nghttp2::kFrameSizeError;
    case nghttp2::kFlowControl: return nghttp2::kFlowControlError;
    case nghttp2::kRefusedStream: return nghttp2::kRefusedStreamError;
    case nghttp2::kProtocol:
    case nghttp2::kHttpHeader:
    case nghttp2::kHttpMessaging: return nghttp2::kProtocolError;
    default: return nghttp2::kInternalError;
  }
}

}  // namespace

void Http2Session::report_error(int failure, const char* code) {
  const v8::HandleScope handles(isolate());
  v8::Local<v8::Value> text = v8::Undefined(isolate());
  if (code != nullptr) text = runtime::literal(isolate(), code);
  call(Http2Hook::error, {v8::Integer::New(isolate(), failure), text});
}

void Http2Session::on_read(StreamSource& source, Result<std::span<std::byte>> data) {
  if (!data || data->empty()) {
    // The socket reports its end and its errors itself.
    source.pass(std::move(data));
    return;
  }
  is_input_of_stream_ = true;
  receive(*data);
  is_input_of_stream_ = false;
}

void Http2Session::receive(std::span<const std::byte> bytes) {
  if (is_destroyed_) return;
  counts_.bytes_received += bytes.size();
  if (is_receiving_ || !kept_input_.empty() || is_paused_) {
    kept_input_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return;
  }
  const v8::HandleScope handles(isolate());
  const v8::Local<v8::Object> alive = object();
  const Scope scope(*this);
  process_input(bytes);
  // Process the bytes that arrived inside a callback.
  while (!is_paused_ && !kept_input_.empty() && !is_destroyed_) process_kept_input();
  stop_reading_if_busy();
  static_cast<void>(alive);
}

void Http2Session::receive_after_call(std::string bytes) {
  next_input_ = std::move(bytes);
  realm().state<AfterRead>().set([this] {
    const std::string input = std::exchange(next_input_, {});
    receive(std::as_bytes(std::span(input.data(), input.size())));
  });
}

void Http2Session::process_kept_input() {
  if (is_receiving_ || is_destroyed_) return;
  is_input_of_stream_ = false;
  const std::string input = std::move(kept_input_);
  kept_input_.clear();
  is_paused_ = false;
  process_input(std::as_bytes(std::span(input.data(), input.size())));
}

bool Http2Session::process_input(std::span<const std::byte> bytes) {
  is_receiving_ = true;
  is_paused_ = false;
  input_error_ = nullptr;
  input_ = bytes;
  const ptrdiff_t taken = nghttp2::nghttp2_session_mem_recv2(
      native_, reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  input_ = {};
  input_buffer_.Reset();
  is_receiving_ = false;
  close_if_pending();
  if (is_destroyed_) return false;
  if (taken < 0) {
    is_paused_ = false;
    kept_input_.clear();
    report_error(static_cast<int>(taken), input_error_);
    return false;
  }
  if (is_paused_) {
    // Continue later even if no bytes are left: the end of the frame was not processed yet.
    const std::span<const std::byte> rest = bytes.subspan(static_cast<size_t>(taken));
    kept_input_.insert(0, reinterpret_cast<const char*>(rest.data()), rest.size());
    return true;
  }
  const bool has_resets = !resets_.empty();
  send_pending();
  if (has_resets && !is_destroyed_) send_pending();
  return false;
}

int Http2Session::on_begin_headers(const nghttp2::Frame& frame) {
  const int32_t id = stream_of(frame);
  if (Http2Stream* const stream = find_any(id)) {
    if (!stream->is_destroyed()) stream->begin_headers(frame.headers.category);
    return 0;
  }
  const v8::HandleScope handles(isolate());
  if (!can_add_stream() || add_stream(id, frame.headers.category, false) == nullptr) {
    if (rejected_streams_++ > options_.most_rejected_streams) return nghttp2::kCallbackFailure;
    nghttp2::nghttp2_submit_rst_stream(native_, 0, id, nghttp2::kEnhanceYourCalm);
    return nghttp2::kTemporalCallbackFailure;
  }
  rejected_streams_ = 0;
  return 0;
}

int Http2Session::on_field(const nghttp2::Frame& frame, nghttp2::Rcbuf* name, nghttp2::Rcbuf* value,
                           uint8_t flags) {
  Http2Stream* const stream = find_any(stream_of(frame));
  if (stream == nullptr) return nghttp2::kTemporalCallbackFailure;
  if (stream->is_destroyed()) return 0;
  if (stream->add_field(name, value, flags)) return 0;
  // Reset now, because nghttp2 will also reset the stream, with another code.
  stream->reset_now(nghttp2::kEnhanceYourCalm);
  return nghttp2::kTemporalCallbackFailure;
}

int Http2Session::on_frame(const nghttp2::Frame& frame) {
  ++counts_.frames_received;
  const v8::HandleScope handles(isolate());
  switch (frame.head.type) {
    case nghttp2::kData: return on_data_frame(frame);
    case nghttp2::kPushPromise:
    case nghttp2::kHeaders: on_headers_frame(frame); break;
    case nghttp2::kSettings: on_settings_frame(frame); break;
    case nghttp2::kPing: on_ping_frame(frame); break;
    case nghttp2::kGoaway: on_goaway_frame(frame); break;
    case nghttp2::kAltsvc: on_altsvc_frame(frame); break;
    case nghttp2::kOrigin: on_origin_frame(frame); break;
    case nghttp2::kReset:
      reset_by_peer_ = frame.head.stream_id;
      break;  // on_stream_close() follows.
    case nghttp2::kPriority:
      call(Http2Hook::priority,
           {v8::Integer::New(isolate(), frame.head.stream_id),
            v8::Integer::New(isolate(), frame.priority.dependency.stream_id),
            v8::Integer::New(isolate(), frame.priority.dependency.weight),
            v8::Boolean::New(isolate(), frame.priority.dependency.is_exclusive != 0)});
      break;
    default: break;
  }
  return 0;
}

int Http2Session::on_data_frame(const nghttp2::Frame& frame) {
  Http2Stream* const stream = find(frame.head.stream_id);
  if (stream != nullptr && (frame.head.flags & nghttp2::kFlagEndStream) != 0) {
    call(Http2Hook::read, stream->object(), {v8::Integer::New(isolate(), 0)});
  } else if (frame.head.length == 0 && invalid_frames_++ > options_.most_invalid_frames) {
    // Empty frames without END_STREAM have no purpose: treat many of them as an attack.
    input_error_ = "ERR_HTTP2_TOO_MANY_INVALID_FRAMES";
    return 1;
  }
  return 0;
}

void Http2Session::on_headers_frame(const nghttp2::Frame& frame) {
  if (Http2Stream* const stream = find(stream_of(frame))) stream->report_headers(frame.head.flags);
}

void Http2Session::on_settings_frame(const nghttp2::Frame& frame) {
  if ((frame.head.flags & nghttp2::kFlagAck) != 0) {
    if (settings_.empty()) return report_error(nghttp2::kProtocol);
    const double duration = now_ms() - settings_.front();
    settings_.pop_front();
    call(Http2Hook::acknowledged, {v8::Number::New(isolate(), duration)});
    return;
  }
  for (size_t i = 0; i < frame.settings.count; ++i) {
    const nghttp2::Setting& setting = frame.settings.entries[i];
    for (nghttp2::Setting& known : remote_custom_) {
      if ((known.id & 0xffff) == setting.id) known = setting;
    }
  }
  call(Http2Hook::settings, {});
}

void Http2Session::on_ping_frame(const nghttp2::Frame& frame) {
  const v8::Local<v8::Value> bytes = copy(isolate(), frame.ping.bytes, sizeof frame.ping.bytes);
  if ((frame.head.flags & nghttp2::kFlagAck) == 0) {
    call(Http2Hook::ping, {bytes});
    return;
  }
  // The peer acknowledges a ping that was not sent: a protocol error.
  if (pings_.empty()) return report_error(nghttp2::kProtocol);
  const double duration = now_ms() - pings_.front();
  pings_.pop_front();
  counts_.ping_ns = duration * 1e6;
  call(Http2Hook::pong, {v8::Number::New(isolate(), duration), bytes});
}

void Http2Session::on_goaway_frame(const nghttp2::Frame& frame) {
  v8::Local<v8::Value> bytes = v8::Undefined(isolate());
  if (frame.goaway.size > 0) bytes = copy(isolate(), frame.goaway.bytes, frame.goaway.size);
  call(Http2Hook::goaway, {v8::Integer::NewFromUnsigned(isolate(), frame.goaway.code),
                           v8::Integer::New(isolate(), frame.goaway.last_id), bytes});
}

void Http2Session::on_altsvc_frame(const nghttp2::Frame& frame) {
  const auto& altsvc = *static_cast<const nghttp2::AltsvcPayload*>(frame.extension.payload);
  call(Http2Hook::altsvc, {v8::Integer::New(isolate(), frame.head.stream_id),
                           to_text(isolate(), altsvc.origin, altsvc.origin_size),
                           to_text(isolate(), altsvc.value, altsvc.value_size)});
}

void Http2Session::on_origin_frame(const nghttp2::Frame& frame) {
  const auto& all = *static_cast<const nghttp2::OriginPayload*>(frame.extension.payload);
  std::vector<v8::Local<v8::Value>> origins;
  origins.reserve(all.count);
  for (size_t i = 0; i < all.count; ++i) {
    origins.push_back(to_text(isolate(), all.entries[i].origin, all.entries[i].size));
  }
  call(Http2Hook::origin, {v8::Array::New(isolate(), origins.data(), origins.size())});
}

int Http2Session::on_invalid_frame(int failure) {
  if (invalid_frames_++ > options_.most_invalid_frames) {
    input_error_ = "ERR_HTTP2_TOO_MANY_INVALID_FRAMES";
    return 1;
  }
  // The failures after which nghttp2 has given up the session: nothing else would destroy it.
  if (nghttp2::nghttp2_is_fatal(failure) != 0 || failure == nghttp2::kStreamClosed ||
      failure == nghttp2::kFlowControl || failure == nghttp2::kProtocol) {
    report_error(failure);
  }
  return 0;
}

int Http2Session::on_frame_not_sent(const nghttp2::Frame& frame, int failure) {
  if (failure == nghttp2::kSessionClosing || failure == nghttp2::kStreamClosed ||
      failure == nghttp2::kStreamClosing) {
    if (Http2Stream* const stream = find(stream_of(frame))) stream->drop_headers();
    // If the GOAWAY cannot be sent, the peer will not close the connection, so tell lib to.
    if (frame.head.type != nghttp2::kGoaway) return 0;
  }
  const v8::HandleScope handles(isolate());
  call(Http2Hook::frame_error, {v8::Integer::New(isolate(), frame.head.stream_id),
                                v8::Integer::New(isolate(), frame.head.type),
                                v8::Integer::NewFromUnsigned(isolate(), code_of_failure(failure))});
  return 0;
}

void Http2Session::on_frame_sent(const nghttp2::Frame& frame) {
  ++counts_.frames_sent;
  // nghttp2 ends a session by itself after errors of the protocol. send_pending() reports that
  // when the frame is on its way.
  if (frame.head.type == nghttp2::kGoaway && !is_closing_ && !pending_close_ && !closes_gently_ &&
      !has_sent_goaway_) {
    has_own_goaway_ = true;
  }
}

void Http2Session::on_stream_close(int32_t id, uint32_t code) {
  Http2Stream* const stream = find(id);
  if (stream == nullptr) {
    if (Http2Stream* const doomed = find_any(id)) doomed->leave_session();
    return;
  }
  const v8::HandleScope handles(isolate());
  const v8::Local<v8::Object> receiver = stream->object();
  v8::Local<v8::Value> answer;
  const bool is_known = call(Http2Hook::closed, receiver,
                             {v8::Integer::NewFromUnsigned(isolate(), code),
                              v8::Boolean::New(isolate(), reset_by_peer_ == id)})
                            .ToLocal(&answer) &&
                        !answer->IsFalse();
  // The stream may be gone, and freed.
  if (is_known) return;
  if (auto* const rest = Wrap::of<Http2Stream>(receiver)) rest->destroy_stream();
}

StreamState::Piece Http2Session::piece_of(const uint8_t* data) {
  if (input_buffer_.IsEmpty()) {
    auto& memory = realm().state<StreamState>();
    const StreamState::Piece all =
        is_input_of_stream_ ? memory.keep(input_) : memory.keep_copy(input_);
    input_buffer_.Reset(isolate(), all.buffer);
    input_offset_ = all.offset;
  }
  const auto* const begin = reinterpret_cast<const uint8_t*>(input_.data());
  return {input_buffer_.Get(isolate()), input_offset_ + static_cast<size_t>(data - begin)};
}

int Http2Session::on_data_chunk(int32_t id, const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const v8::HandleScope handles(isolate());
  // Open the window of the connection again at once: a stream that is not read must not block
  // others.
  nghttp2::nghttp2_session_consume_connection(native_, size);
  Http2Stream* stream = find(id);
  if (stream == nullptr) return 0;
  stream->count_received(size);
  const StreamState::Piece piece = piece_of(data);
  call(Http2Hook::read, stream->object(),
       {v8::Integer::NewFromUnsigned(isolate(), static_cast<uint32_t>(size)), piece.buffer,
        v8::Number::New(isolate(), static_cast<double>(piece.offset))});
  stream = find(id);
  if (stream == nullptr || stream->is_reading()) {
    nghttp2::nghttp2_session_consume_stream(native_, id, size);
  } else {
    stream->hold_back(size);
  }
  // Process no more input while a write is in flight, so that answers do not accumulate.
  if (!is_writing_) return 0;
  is_paused_ = true;
  return nghttp2::kPause;
}

size_t Http2Session::padded_size(size_t size, size_t most) const {
  if (options_.padding == Padding::most) return most;
  // The frame with its head has a multiple of 8 bytes.
  constexpr size_t kFrameHead = 9;
  constexpr size_t kAlignment = 8;
  const size_t rest = (size + kFrameHead) % kAlignment;
  return rest == 0 ? size : std::min(most, size + kAlignment - rest);
}

void Http2Session::on_send_data(const nghttp2::Frame& frame, const uint8_t* head, size_t size) {
  constexpr size_t kFrameHead = 9;
  Http2Stream* const stream = find_any(frame.head.stream_id);
  if (stream == nullptr) return;
  outgoing_.append(head, kFrameHead);
  const size_t padding = frame.data.padding;
  if (padding > 0) *outgoing_.extend(1) = static_cast<char>(padding - 1);
  stream->take_data(size, &outgoing_);
  if (padding > 1) std::memset(outgoing_.extend(padding - 1), 0, padding - 1);
}

// nghttp2's callbacks: `user` is the session.
struct SessionCallbacks {
  static Http2Session& of(void* user) { return *static_cast<Http2Session*>(user); }

  static int begin_headers(nghttp2::Session*, const nghttp2::Frame* frame, void* user) {
    return of(user).on_begin_headers(*frame);
  }
  static int field(nghttp2::Session*, const nghttp2::Frame* frame, nghttp2::Rcbuf* name,
                   nghttp2::Rcbuf* value, uint8_t flags, void* user) {
    return of(user).on_field(*frame, name, value, flags);
  }
  // Without this callback nghttp2 would reset the stream.
  static int invalid_field(nghttp2::Session*, const nghttp2::Frame*, nghttp2::Rcbuf*,
                           nghttp2::Rcbuf*, uint8_t, void*) {
    return 0;
  }
  static int frame(nghttp2::Session*, const nghttp2::Frame* frame, void* user) {
    return of(user).on_frame(*frame);
  }
  static int frame_sent(nghttp2::Session*, const nghttp2::Frame* frame, void* user) {
    of(user).on_frame_sent(*frame);
    return 0;
  }
  static int frame_not_sent(nghttp2::Session*, const nghttp2::Frame* frame, int failure,
                            void* user) {
    return of(user).on_frame_not_sent(*frame, failure);
  }
  static int invalid_frame(nghttp2::Session*, const nghttp2::Frame*, int failure, void* user) {
    return of(user).on_invalid_frame(failure);
  }
  static int stream_close(nghttp2::Session*, int32_t id, uint32_t code, void* user) {
    of(user).on_stream_close(id, code);
    return 0;
  }
  static int data_chunk(nghttp2::Session*, uint8_t, int32_t id, const uint8_t* data, size_t size,
                        void* user) {
    return of(user).on_data_chunk(id, data, size);
  }
  static int send_data(nghttp2::Session*, nghttp2::Frame* frame, const uint8_t* head, size_t size,
                       nghttp2::Source*, void* user) {
    of(user).on_send_data(*frame, head, size);
    return 0;
  }
  static ptrdiff_t select_padding(nghttp2::Session*, const nghttp2::Frame* frame, size_t most,
                                  void* user) {
    return static_cast<ptrdiff_t>(of(user).padded_size(frame->head.length, most));
  }
  // The only sign that the peer does not speak HTTP/2.
  static int error(nghttp2::Session*, int failure, const char*, size_t, void* user) {
    if (failure == nghttp2::kSettingsExpected) of(user).report_error(nghttp2::kProtocol);
    return 0;
  }

  static nghttp2::Callbacks* make(bool pads) {
    nghttp2::Callbacks* all = nullptr;
    RONDO_ASSERT(nghttp2::nghttp2_session_callbacks_new(&all) == 0);
    nghttp2::nghttp2_session_callbacks_set_on_begin_headers_callback(all, begin_headers);
    nghttp2::nghttp2_session_callbacks_set_on_header_callback2(all, field);
    nghttp2::nghttp2_session_callbacks_set_on_invalid_header_callback2(all, invalid_field);
    nghttp2::nghttp2_session_callbacks_set_on_frame_recv_callback(all, frame);
    nghttp2::nghttp2_session_callbacks_set_on_frame_send_callback(all, frame_sent);
    nghttp2::nghttp2_session_callbacks_set_on_frame_not_send_callback(all, frame_not_sent);
    nghttp2::nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(all, invalid_frame);
    nghttp2::nghttp2_session_callbacks_set_on_stream_close_callback(all, stream_close);
    nghttp2::nghttp2_session_callbacks_set_on_data_chunk_recv_callback(all, data_chunk);
    nghttp2::nghttp2_session_callbacks_set_send_data_callback(all, send_data);
    nghttp2::nghttp2_session_callbacks_set_error_callback2(all, error);
    if (pads) {
      nghttp2::nghttp2_session_callbacks_set_select_padding_callback2(all, select_padding);
    }
    return all;
  }
};

// Constant, and shared by all threads.
const nghttp2::Callbacks* session_callbacks(bool pads) {
  static const nghttp2::Callbacks* const kPlain = SessionCallbacks::make(false);
  static const nghttp2::Callbacks* const kPadding = SessionCallbacks::make(true);
  return pads ? kPadding : kPlain;
}

}  // namespace rondo::bindings::http2
