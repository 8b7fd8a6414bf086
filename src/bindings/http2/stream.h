// A stream of an HTTP/2 session: the header fields that it receives, and the data that it sends.
// The object is strong while the session has the stream, and weak afterwards.
// Thread: the loop's only.
#pragma once

#include <deque>
#include <memory>
#include <string_view>
#include <vector>

#include "bindings/http2/session.h"

namespace rondo::bindings::http2 {

// Fields for nghttp2, read from a string of lib: for each field the name, a zero byte, the value, a
// zero byte, and the flags. A string that does not have `count` fields becomes one that nghttp2
// refuses.
class FieldList {
 public:
  FieldList(v8::Isolate* isolate, v8::Local<v8::String> text, size_t count);
  const nghttp2::Field* data() const { return fields_.data(); }
  size_t size() const { return fields_.size(); }

 private:
  std::unique_ptr<uint8_t[]> bytes_;
  std::vector<nghttp2::Field> fields_;
};

// Data to be sent.
struct Chunk {
  std::shared_ptr<const void> owner;
  const char* data;
  size_t size;
};

struct StreamCounts {
  uint64_t bytes_received = 0;
  uint64_t bytes_sent = 0;
  double begin_ms = 0;
  double first_byte_ms = 0;
  double first_byte_sent_ms = 0;
  double first_header_ms = 0;
};

class Http2Stream final : public runtime::Wrap {
 public:
  Http2Stream(Http2Session& session, int32_t id, nghttp2::Category category, bool has_trailers);
  ~Http2Stream() override;

  int32_t id() const { return id_; }
  // Null once the stream has left the session.
  Http2Session* session() const { return session_; }
  bool is_destroyed() const { return session_ == nullptr || is_doomed_; }
  const StreamCounts& counts() const { return counts_; }
  nghttp2::Category category() const { return category_; }
  static nghttp2::Provider provider();

  // Negative values are failures of nghttp2.
  int respond(const FieldList& fields, bool is_empty, bool has_trailers);
  int submit_info(const FieldList& fields);
  int submit_trailers(const FieldList& fields);
  int32_t submit_push(const FieldList& fields);
  // Once what was submitted before is sent.
  void reset(uint32_t code);
  void reset_now(uint32_t code);
  void flush_reset() { reset_now(reset_code_); }

  // The end is reported with Http2Hook::written. A negative errno if the stream takes no data.
  int write(std::vector<Chunk> chunks);
  // No data follows.
  void end_writing();
  void start_reading();
  void stop_reading() { is_reading_ = false; }
  bool is_reading() const { return is_reading_; }
  // lib does not use the stream any more. It leaves the session, at once or when its last frames
  // are sent.
  void destroy_stream();
  // Writes that were not sent are cancelled in the next check phase.
  void leave_session();
  // The session ends.
  void lose_session();

  // From the session.
  void begin_headers(nghttp2::Category category);
  bool add_field(nghttp2::Rcbuf* name, nghttp2::Rcbuf* value, uint8_t flags);
  void report_headers(uint8_t flags);
  void drop_headers();
  void count_received(size_t bytes);
  void hold_back(size_t bytes) { unread_ += bytes; }
  // The number of bytes that can be sent, at most `most`; kDeferred if lib has to write more.
  ptrdiff_t offer_data(size_t most, uint32_t* flags);
  void take_data(size_t size, Outgoing* out);
  void report_written(int status);

 private:
  struct ReceivedField {
    nghttp2::Rcbuf* name;
    nghttp2::Rcbuf* value;
    uint8_t flags;
  };
  struct Queued {
    Chunk chunk;
    bool ends_write;
  };
  void forget_empty_chunks();
  // A reset waits: frames that were submitted before it are sent, and none after it. A cancelled
  // stream may send more.
  bool is_reset_waiting() const;

  Http2Session* session_;
  int32_t id_;
  nghttp2::Category category_;
  uint32_t reset_code_ = 0;
  std::vector<ReceivedField> fields_;
  size_t fields_size_ = 0;    // Counted against the memory of the session,
  size_t reported_size_ = 0;  // and so are fields that lib has got.
  size_t most_fields_size_;
  std::deque<Queued> queue_;
  size_t queued_ = 0;
  size_t unread_ = 0;  // Bytes of the window that are returned when lib reads again.
  StreamCounts counts_;
  runtime::NativeImmediate cancel_;
  bool is_reading_ = false;
  bool is_shut_ = false;    // No data follows.
  bool is_doomed_ = false;  // Destroyed, but still in the session.
  bool has_trailers_;
};

}  // namespace rondo::bindings::http2
