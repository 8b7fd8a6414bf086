// Declares the part of nghttp2 1.70 that the http2 binding calls. V8's host program contains it
// (docs/adr/runtime/0036), but its package has no header, and Debian's is of an older version. The
// layouts below are part of nghttp2's stable interface; nghttp2_test.cc detects a wrong one.
// Functions that are called must be listed in tools/engine/exports.txt.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rondo::bindings::nghttp2 {

struct Session;
struct Callbacks;
struct Option;
struct Rcbuf;
struct Stream;

enum Failure : int32_t {
  kInvalidArgument = -501,
  kProtocol = -505,
  kDeferred = -508,
  kStreamIdNotAvailable = -509,
  kStreamClosed = -510,
  kStreamClosing = -511,
  kTemporalCallbackFailure = -521,
  kFrameSize = -522,
  kHeaderCompression = -523,
  kFlowControl = -524,
  kPause = -526,
  kSessionClosing = -530,
  kHttpHeader = -531,
  kHttpMessaging = -532,
  kRefusedStream = -533,
  kSettingsExpected = -536,
  kNoMemory = -901,
  kCallbackFailure = -902,
};

// The error codes of HTTP/2.
enum Code : uint32_t {
  kNoError = 0,
  kProtocolError = 1,
  kInternalError = 2,
  kFlowControlError = 3,
  kStreamClosedError = 5,
  kFrameSizeError = 6,
  kRefusedStreamError = 7,
  kCancel = 8,
  kCompressionError = 9,
  kEnhanceYourCalm = 11,
};

enum FrameType : uint8_t {
  kData = 0,
  kHeaders = 1,
  kPriority = 2,
  kReset = 3,
  kSettings = 4,
  kPushPromise = 5,
  kPing = 6,
  kGoaway = 7,
  kAltsvc = 10,
  kOrigin = 12,
};

constexpr uint8_t kFlagEndStream = 1;
constexpr uint8_t kFlagAck = 1;
constexpr uint8_t kNeverIndex = 1;  // Of a field: it must not enter the tables of HPACK.

// Bits that a ReadData callback sets.
enum DataFlag : uint32_t { kEnd = 1, kNoEndStream = 2, kNoCopy = 4 };

enum Category : int32_t { kRequest = 0, kResponse = 1, kPushResponse = 2, kOther = 3 };

// nghttp2's numbers of the states of a stream.
constexpr int kIdle = 1;

struct Bytes {
  uint8_t* base;
  size_t size;
};

struct Field {
  const uint8_t* name;
  const uint8_t* value;
  size_t name_size;
  size_t value_size;
  uint8_t flags;
};
static_assert(sizeof(Field) == 40);

struct FrameHead {
  size_t length;
  int32_t stream_id;
  uint8_t type;
  uint8_t flags;
  uint8_t reserved;
};
static_assert(sizeof(FrameHead) == 16);

struct Dependency {
  int32_t stream_id;
  int32_t weight;
  uint8_t is_exclusive;
};

struct Setting {
  int32_t id;
  uint32_t value;
};

struct OriginEntry {
  const uint8_t* origin;
  size_t size;
};

struct AltsvcPayload {
  const uint8_t* origin;
  size_t origin_size;
  const uint8_t* value;
  size_t value_size;
};

struct OriginPayload {
  size_t count;
  OriginEntry* entries;
};

union Frame {
  FrameHead head;
  struct {
    FrameHead head;
    size_t padding;
  } data;
  struct {
    FrameHead head;
    size_t padding;
    Dependency dependency;
    Field* fields;
    size_t count;
    Category category;
  } headers;
  struct {
    FrameHead head;
    Dependency dependency;
  } priority;
  struct {
    FrameHead head;
    size_t count;
    Setting* entries;
  } settings;
  struct {
    FrameHead head;
    size_t padding;
    Field* fields;
    size_t count;
    int32_t promised_id;
  } push_promise;
  struct {
    FrameHead head;
    uint8_t bytes[8];
  } ping;
  struct {
    FrameHead head;
    int32_t last_id;
    uint32_t code;
    uint8_t* bytes;
    size_t size;
  } goaway;
  struct {
    FrameHead head;
    void* payload;  // AltsvcPayload or OriginPayload.
  } extension;
};
static_assert(offsetof(Frame, headers.category) == 56);
static_assert(offsetof(Frame, push_promise.promised_id) == 40);
static_assert(offsetof(Frame, goaway.bytes) == 24);

union Source {
  int fd;
  void* pointer;
};

// Returns how many bytes follow, or kDeferred.
using ReadData = ptrdiff_t (*)(Session*, int32_t id, uint8_t* out, size_t most, uint32_t* flags,
                               Source* source, void* user);
struct Provider {
  Source source;
  ReadData read;
};

struct Memory {
  void* user;
  void* (*allocate)(size_t size, void* user);
  void (*free)(void* memory, void* user);
  void* (*allocate_cleared)(size_t count, size_t size, void* user);
  void* (*resize)(void* memory, size_t size, void* user);
};

using OnFrame = int (*)(Session*, const Frame*, void* user);
using OnFrameFailure = int (*)(Session*, const Frame*, int failure, void* user);
using OnField = int (*)(Session*, const Frame*, Rcbuf* name, Rcbuf* value, uint8_t flags,
                        void* user);
using OnDataChunk = int (*)(Session*, uint8_t flags, int32_t id, const uint8_t* data, size_t size,
                            void* user);
using OnStreamClose = int (*)(Session*, int32_t id, uint32_t code, void* user);
using OnSendData = int (*)(Session*, Frame*, const uint8_t* head, size_t size, Source* source,
                           void* user);
using OnSelectPadding = ptrdiff_t (*)(Session*, const Frame*, size_t most, void* user);
using OnError = int (*)(Session*, int failure, const char* text, size_t size, void* user);

extern "C" {
int nghttp2_session_callbacks_new(Callbacks** callbacks);
void nghttp2_session_callbacks_del(Callbacks*);
void nghttp2_session_callbacks_set_on_begin_headers_callback(Callbacks*, OnFrame);
void nghttp2_session_callbacks_set_on_header_callback2(Callbacks*, OnField);
void nghttp2_session_callbacks_set_on_invalid_header_callback2(Callbacks*, OnField);
void nghttp2_session_callbacks_set_on_frame_recv_callback(Callbacks*, OnFrame);
void nghttp2_session_callbacks_set_on_frame_send_callback(Callbacks*, OnFrame);
void nghttp2_session_callbacks_set_on_frame_not_send_callback(Callbacks*, OnFrameFailure);
void nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(Callbacks*, OnFrameFailure);
void nghttp2_session_callbacks_set_on_stream_close_callback(Callbacks*, OnStreamClose);
void nghttp2_session_callbacks_set_on_data_chunk_recv_callback(Callbacks*, OnDataChunk);
void nghttp2_session_callbacks_set_send_data_callback(Callbacks*, OnSendData);
void nghttp2_session_callbacks_set_select_padding_callback2(Callbacks*, OnSelectPadding);
void nghttp2_session_callbacks_set_error_callback2(Callbacks*, OnError);

int nghttp2_option_new(Option** option);
void nghttp2_option_del(Option*);
void nghttp2_option_set_no_closed_streams(Option*, int);
void nghttp2_option_set_no_auto_window_update(Option*, int);
void nghttp2_option_set_builtin_recv_extension_type(Option*, uint8_t type);
void nghttp2_option_set_max_deflate_dynamic_table_size(Option*, size_t);
void nghttp2_option_set_max_reserved_remote_streams(Option*, uint32_t);
void nghttp2_option_set_max_send_header_block_length(Option*, size_t);
void nghttp2_option_set_peer_max_concurrent_streams(Option*, uint32_t);
void nghttp2_option_set_no_rfc9113_leading_and_trailing_ws_validation(Option*, int);
void nghttp2_option_set_max_settings(Option*, size_t);
void nghttp2_option_set_stream_reset_rate_limit(Option*, uint64_t burst, uint64_t rate);

int nghttp2_session_server_new3(Session**, const Callbacks*, void* user, const Option*, Memory*);
int nghttp2_session_client_new3(Session**, const Callbacks*, void* user, const Option*, Memory*);
void nghttp2_session_del(Session*);
ptrdiff_t nghttp2_session_mem_recv2(Session*, const uint8_t* data, size_t size);
ptrdiff_t nghttp2_session_mem_send2(Session*, const uint8_t** data);
int nghttp2_session_want_read(Session*);
int nghttp2_session_want_write(Session*);
int nghttp2_session_terminate_session(Session*, uint32_t code);
int nghttp2_session_resume_data(Session*, int32_t id);
int nghttp2_session_consume_connection(Session*, size_t size);
int nghttp2_session_consume_stream(Session*, int32_t id, size_t size);
int nghttp2_session_set_next_stream_id(Session*, int32_t id);
int nghttp2_session_set_local_window_size(Session*, uint8_t flags, int32_t id, int32_t size);
uint32_t nghttp2_session_get_local_settings(Session*, int32_t id);
uint32_t nghttp2_session_get_remote_settings(Session*, int32_t id);
int32_t nghttp2_session_get_effective_local_window_size(Session*);
int32_t nghttp2_session_get_effective_recv_data_length(Session*);
uint32_t nghttp2_session_get_next_stream_id(Session*);
int32_t nghttp2_session_get_local_window_size(Session*);
int32_t nghttp2_session_get_last_proc_stream_id(Session*);
int32_t nghttp2_session_get_remote_window_size(Session*);
size_t nghttp2_session_get_outbound_queue_size(Session*);
size_t nghttp2_session_get_hd_deflate_dynamic_table_size(Session*);
size_t nghttp2_session_get_hd_inflate_dynamic_table_size(Session*);
Stream* nghttp2_session_find_stream(Session*, int32_t id);
int nghttp2_session_get_stream_local_close(Session*, int32_t id);
int nghttp2_session_get_stream_remote_close(Session*, int32_t id);
int32_t nghttp2_session_get_stream_local_window_size(Session*, int32_t id);
int nghttp2_stream_get_state(Stream*);
int32_t nghttp2_stream_get_weight(Stream*);
int32_t nghttp2_stream_get_sum_dependency_weight(Stream*);

int32_t nghttp2_submit_request2(Session*, const Dependency*, const Field*, size_t count,
                                const Provider*, void* stream_user);
int nghttp2_submit_response2(Session*, int32_t id, const Field*, size_t count, const Provider*);
int32_t nghttp2_submit_headers(Session*, uint8_t flags, int32_t id, const Dependency*, const Field*,
                               size_t count, void* stream_user);
int nghttp2_submit_data2(Session*, uint8_t flags, int32_t id, const Provider*);
int nghttp2_submit_trailer(Session*, int32_t id, const Field*, size_t count);
int32_t nghttp2_submit_push_promise(Session*, uint8_t flags, int32_t id, const Field*, size_t count,
                                    void* stream_user);
int nghttp2_submit_rst_stream(Session*, uint8_t flags, int32_t id, uint32_t code);
int nghttp2_submit_settings(Session*, uint8_t flags, const Setting*, size_t count);
int nghttp2_submit_ping(Session*, uint8_t flags, const uint8_t* bytes);
int nghttp2_submit_goaway(Session*, uint8_t flags, int32_t last_id, uint32_t code,
                          const uint8_t* bytes, size_t size);
int nghttp2_submit_altsvc(Session*, uint8_t flags, int32_t id, const uint8_t* origin,
                          size_t origin_size, const uint8_t* value, size_t value_size);
int nghttp2_submit_origin(Session*, uint8_t flags, const OriginEntry*, size_t count);

void nghttp2_rcbuf_incref(Rcbuf*);
void nghttp2_rcbuf_decref(Rcbuf*);
Bytes nghttp2_rcbuf_get_buf(Rcbuf*);
int nghttp2_rcbuf_is_static(const Rcbuf*);
const char* nghttp2_strerror(int failure);
int nghttp2_is_fatal(int failure);
}

}  // namespace rondo::bindings::nghttp2
