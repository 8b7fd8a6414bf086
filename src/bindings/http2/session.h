// A session of HTTP/2: nghttp2 on one socket. It is the StreamConsumer of a native stream, or lib
// carries the bytes of another kind of socket: receive(), Http2Hook::outgoing and sent().
//
// The hooks run inside the callbacks of nghttp2, one call per event, so that the ticks of an event
// run before the next frame is processed, as in Node. They may submit frames and destroy streams or
// the session, but nghttp2 is never entered again: bytes that arrive meanwhile are kept, and
// sending waits until nghttp2 has returned. A write takes all frames that nghttp2 has, in one
// buffer; while one is in flight, nothing is read.
//
// Lifetime: the object is strong until the session is destroyed and the socket released; then the
// garbage collector frees it. Streams refer to their session until either ends.
// Phases: poll, check, closing. Thread: the loop's only.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "bindings/http2/nghttp2.h"
#include "bindings/http2/outgoing.h"
#include "bindings/http2/state.h"
#include "bindings/net/stream_handle.h"
#include "runtime/engine/native_immediates.h"

namespace rondo::bindings::http2 {

class Http2Stream;

// For sessions with and without padding.
const nghttp2::Callbacks* session_callbacks(bool pads);

enum class Padding : uint8_t { none, aligned, most };

// The settings that have names, in the order in which they are sent and shown.
inline constexpr int32_t kNamedSettings[] = {1, 2, 3, 4, 5, 6, 8};
// A session remembers this number of other settings.
inline constexpr size_t kMostCustomSettings = 10;

struct SessionOptions {
  bool is_server = false;
  Padding padding = Padding::none;
  uint32_t most_header_pairs = 128;
  uint32_t most_pings = 10;     // Without an answer.
  uint32_t most_settings = 10;  // Without an answer.
  uint64_t most_memory = 10'000'000;
  uint32_t most_invalid_frames = 1000;
  uint32_t most_rejected_streams = 100;
  std::vector<int32_t> custom_settings;  // Ids of the peer's that are remembered.
};

struct SessionCounts {
  uint64_t bytes_received = 0;
  uint64_t bytes_sent = 0;
  uint32_t frames_received = 0;
  uint32_t frames_sent = 0;
  uint32_t streams = 0;
  uint32_t most_streams = 0;  // At the same time.
  double stream_ms = 0;       // The average duration.
  double ping_ns = 0;
};

class Http2Session final : public runtime::Wrap, public StreamConsumer {
 public:
  // `option` is used during the call only. Null if nghttp2 fails.
  static Http2Session* open(runtime::Realm& realm, const SessionOptions& options,
                            const nghttp2::Option* option);
  ~Http2Session() override;

  // Frames that are submitted while a Scope exists are not sent. The outermost Scope schedules the
  // write when it ends.
  class Scope {
   public:
    explicit Scope(Http2Session& session);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Http2Session& session_;
    bool is_outermost_;
  };

  nghttp2::Session* native() const { return native_; }
  const SessionOptions& options() const { return options_; }
  SessionCounts& counts() { return counts_; }
  Http2State& state() const { return realm().state<Http2State>(); }
  // Milliseconds on the loop's clock.
  double now_ms() const;

  // Consumes the stream. With attach_to_lib() instead, lib carries the bytes.
  void attach(StreamHandle& stream);
  void attach_to_lib() {
    is_attached_ = true;
    outgoing_.keep_parts();
  }
  void receive(std::span<const std::byte> bytes);
  // Calls receive() when the function of lib that has read the bytes has returned (AfterRead).
  void receive_after_call(std::string bytes);
  void sent(int status);

  // Sends all that nghttp2 has. False if a write is in flight: the rest follows it.
  bool send_pending();
  void close(uint32_t code, bool is_socket_closed);
  bool is_destroyed() const { return is_destroyed_; }
  bool has_pending_data() const;
  void close_gently() { closes_gently_ = true; }

  // False if too many wait for an answer.
  bool submit_settings(std::span<const nghttp2::Setting> settings);
  bool submit_ping(const uint8_t* bytes);
  void submit_goaway(uint32_t code, int32_t last_id, std::span<const uint8_t> bytes);
  std::span<const nghttp2::Setting> custom_settings(bool is_remote) const;
  uint32_t chunks_sent() const { return chunks_sent_; }
  // The number of pings without an answer, when the session ends.
  size_t cancelled_pings() const { return pings_.size(); }

  Http2Stream* find(int32_t id) const;
  // Like find(), but also finds streams that lib has destroyed and whose last frames are unsent.
  Http2Stream* find_any(int32_t id) const;
  // Null if JavaScript is being terminated.
  Http2Stream* add_stream(int32_t id, nghttp2::Category category, bool has_trailers);
  void remove_stream(Http2Stream& stream);
  // Resets the stream once what was submitted before is sent.
  void reset(Http2Stream& stream, uint32_t code);
  bool has_waiting_reset(const Http2Stream& stream) const;
  bool is_receiving() const { return is_receiving_; }
  // Count the bytes that the session uses, for the option maxSessionMemory.
  void use_memory(size_t bytes) { memory_ += bytes; }
  void return_memory(size_t bytes) { memory_ -= bytes; }
  bool has_memory(size_t bytes) const;
  // Records that a write of a stream is in the buffer that is sent next.
  void note_write(Http2Stream& stream);

  // Calls lib; drains ticks afterwards if nothing below does so. Empty if lib threw.
  v8::MaybeLocal<v8::Value> call(Http2Hook hook, v8::Local<v8::Object> receiver,
                                 std::initializer_list<v8::Local<v8::Value>> arguments);
  v8::MaybeLocal<v8::Value> call(Http2Hook hook,
                                 std::initializer_list<v8::Local<v8::Value>> arguments) {
    return call(hook, object(), arguments);
  }

  void on_read(StreamSource& source, Result<std::span<std::byte>> data) override;
  void on_written(StreamHandle& stream, Result<void> outcome) override;
  void on_closed() override;

 private:
  friend struct SessionCallbacks;
  struct Allocator;
  // A write whose end is reported when the buffer has been sent. The stream may be gone by then.
  struct StreamWrite {
    v8::Global<v8::Object> stream;
  };

  Http2Session(runtime::Realm& realm, const SessionOptions& options);
  void report_error(int failure, const char* code = nullptr);
  bool can_add_stream() const;
  // True if input is left over, because a write is in flight.
  bool process_input(std::span<const std::byte> bytes);
  void process_kept_input();
  void finish_write();
  void gather();
  void write_outgoing();
  void clear_outgoing();
  void schedule_write();
  void stop_reading_if_busy();
  void resume_reading();
  void report_gentle_close();
  void close_if_pending();
  void finish_close();
  void finish_destroy();
  void release_if_done();
  StreamState::Piece piece_of(const uint8_t* data);

  int on_begin_headers(const nghttp2::Frame& frame);
  int on_field(const nghttp2::Frame& frame, nghttp2::Rcbuf* name, nghttp2::Rcbuf* value,
               uint8_t flags);
  int on_frame(const nghttp2::Frame& frame);
  int on_data_frame(const nghttp2::Frame& frame);
  void on_headers_frame(const nghttp2::Frame& frame);
  void on_settings_frame(const nghttp2::Frame& frame);
  void on_ping_frame(const nghttp2::Frame& frame);
  void on_goaway_frame(const nghttp2::Frame& frame);
  void on_altsvc_frame(const nghttp2::Frame& frame);
  void on_origin_frame(const nghttp2::Frame& frame);
  int on_invalid_frame(int failure);
  int on_frame_not_sent(const nghttp2::Frame& frame, int failure);
  void on_frame_sent(const nghttp2::Frame& frame);
  void on_stream_close(int32_t id, uint32_t code);
  int on_data_chunk(int32_t id, const uint8_t* data, size_t size);
  void on_send_data(const nghttp2::Frame& frame, const uint8_t* head, size_t size);
  size_t padded_size(size_t size, size_t most) const;

  const SessionOptions options_;
  nghttp2::Session* native_ = nullptr;
  StreamHandle* stream_ = nullptr;
  std::unordered_map<int32_t, Http2Stream*> streams_;
  runtime::NativeImmediate write_immediate_;

  Outgoing outgoing_;
  std::vector<StreamWrite> writes_;  // The last bytes of these are in outgoing_ or in flight.
  std::vector<int32_t> resets_;      // Streams that are reset after the next write.
  std::deque<double> pings_;         // When those without an answer were sent.
  std::deque<double> settings_;      // The same.
  std::vector<nghttp2::Setting> local_custom_;
  std::vector<nghttp2::Setting> remote_custom_;

  std::string kept_input_;  // Arrived inside a callback, or while a write was in flight.
  std::string next_input_;  // Of receive_after_call().
  std::span<const std::byte> input_;
  // The input in memory of JavaScript, once it has data for a stream.
  v8::Global<v8::ArrayBuffer> input_buffer_;
  size_t input_offset_ = 0;

  SessionCounts counts_;
  std::optional<uint32_t> pending_close_;  // The code of a close() inside nghttp2.
  const char* input_error_ = nullptr;      // Node's code for the failure of a callback.
  uint64_t memory_ = 0;
  uint64_t native_memory_ = 0;
  uint32_t invalid_frames_ = 0;
  uint32_t rejected_streams_ = 0;
  uint32_t chunks_sent_ = 0;
  int32_t reset_by_peer_ = 0;     // The last stream that the peer has reset.
  bool is_attached_ : 1 = false;  // Has a socket.
  bool has_scope_ : 1 = false;
  bool is_sending_ : 1 = false;  // Until the buffer is sent.
  bool is_writing_ : 1 = false;  // A write is in flight.
  bool is_receiving_ : 1 = false;
  bool is_gathering_ : 1 = false;
  bool is_input_of_stream_ : 1 = false;  // The input is where the stream has read it.
  bool is_paused_ : 1 = false;           // The callback for data has stopped nghttp2.
  bool is_reading_stopped_ : 1 = false;
  bool is_closing_ : 1 = false;
  bool is_destroyed_ : 1 = false;
  bool closes_gently_ : 1 = false;
  bool has_sent_goaway_ : 1 = false;  // lib has submitted one.
  bool has_own_goaway_ : 1 = false;   // nghttp2 has sent one because of an error.
};

}  // namespace rondo::bindings::http2
