// The state that the HTTP/2 sessions of a realm share: the functions of lib, the objects that are
// cloned for sessions and streams, and strings of header names.
#pragma once

#include <array>
#include <unordered_map>

#include "bindings/http2/nghttp2.h"
#include "runtime/engine/realm.h"

namespace rondo::bindings::http2 {

// The functions of lib/internal/http2/events.js. The receiver is the object of the session or of
// the stream.
enum class Http2Hook : uint8_t {
  // Of a session.
  error,          // (failure of nghttp2, code of an error of Node or undefined)
  headers,        // (stream, id, category, flags, [name, value...], [sensitive name...])
  frame_error,    // (stream id, type, code)
  settings,       // (): the peer has sent its settings.
  acknowledged,   // (milliseconds): the oldest settings of ours.
  ping,           // (8 bytes)
  pong,           // (milliseconds, 8 bytes): for the oldest ping of ours.
  goaway,         // (code, last stream id, bytes or undefined)
  priority,       // (stream id, parent, weight, is exclusive)
  altsvc,         // (stream id, origin, value)
  origin,         // ([origin...])
  outgoing,       // (buffer, [size...]): bytes for a socket that JavaScript writes to, and the
                  // sizes of their parts; sent() follows.
  closed_gently,  // (): nothing is left to be read or sent.
  done,           // (): all has been sent after destroy().
  // Of a stream.
  read,           // (size, buffer, offset): size 0 is the end.
  want_trailers,  // ()
  closed,         // (code, the peer has reset it): false if lib does not know the stream.
  written,        // (status): the oldest write.
  count,
};

class Http2State {
 public:
  explicit Http2State(runtime::Realm& realm) : realm_(realm) {}

  void set_hook(Http2Hook hook, v8::Local<v8::Function> function) {
    hooks_[static_cast<size_t>(hook)].Reset(realm_.isolate(), function);
  }
  v8::Local<v8::Function> hook(Http2Hook hook) const {
    return hooks_[static_cast<size_t>(hook)].Get(realm_.isolate());
  }

  // Names and values of nghttp2's static table are converted once.
  v8::Local<v8::String> text(nghttp2::Rcbuf* bytes, bool is_name);

  v8::Global<v8::Object> session_pattern;
  v8::Global<v8::Object> stream_pattern;

 private:
  runtime::Realm& realm_;
  std::array<v8::Global<v8::Function>, static_cast<size_t>(Http2Hook::count)> hooks_;
  std::unordered_map<const void*, v8::Global<v8::String>> texts_;
};

}  // namespace rondo::bindings::http2
