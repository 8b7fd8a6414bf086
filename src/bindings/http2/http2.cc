// internalBinding('http2'): creates sessions, and has what their methods (sessions.cc) and those of
// streams (streams.cc) share.
#include <algorithm>
#include <cmath>

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

constexpr runtime::Constant kHooks[] = {
    {"onError", Http2Hook::error},
    {"onHeaders", Http2Hook::headers},
    {"onFrameError", Http2Hook::frame_error},
    {"onSettings", Http2Hook::settings},
    {"onAcknowledged", Http2Hook::acknowledged},
    {"onPing", Http2Hook::ping},
    {"onPong", Http2Hook::pong},
    {"onGoaway", Http2Hook::goaway},
    {"onPriority", Http2Hook::priority},
    {"onAltsvc", Http2Hook::altsvc},
    {"onOrigin", Http2Hook::origin},
    {"onOutgoing", Http2Hook::outgoing},
    {"onClosedGently", Http2Hook::closed_gently},
    {"onDone", Http2Hook::done},
    {"onRead", Http2Hook::read},
    {"onWantTrailers", Http2Hook::want_trailers},
    {"onClosed", Http2Hook::closed},
    {"onWritten", Http2Hook::written},
};
static_assert(runtime::names_all(kHooks, Http2Hook::count));

// Positions in the numbers that createSession() gets; NaN means that an option is not set.
enum class Option : uint8_t {
  max_deflate_dynamic_table_size,
  max_reserved_remote_streams,
  max_send_header_block_length,
  peer_max_concurrent_streams,
  padding_strategy,
  max_header_list_pairs,
  max_outstanding_pings,
  max_outstanding_settings,
  max_session_memory,
  max_settings,
  stream_reset_rate,
  stream_reset_burst,
  strict_field_whitespace_validation,
  max_session_invalid_frames,
  max_session_rejected_streams,
  count,
};
constexpr runtime::Constant kOptions[] = {
    {"maxDeflateDynamicTableSize", Option::max_deflate_dynamic_table_size},
    {"maxReservedRemoteStreams", Option::max_reserved_remote_streams},
    {"maxSendHeaderBlockLength", Option::max_send_header_block_length},
    {"peerMaxConcurrentStreams", Option::peer_max_concurrent_streams},
    {"paddingStrategy", Option::padding_strategy},
    {"maxHeaderListPairs", Option::max_header_list_pairs},
    {"maxOutstandingPings", Option::max_outstanding_pings},
    {"maxOutstandingSettings", Option::max_outstanding_settings},
    {"maxSessionMemory", Option::max_session_memory},
    {"maxSettings", Option::max_settings},
    {"streamResetRate", Option::stream_reset_rate},
    {"streamResetBurst", Option::stream_reset_burst},
    {"strictFieldWhitespaceValidation", Option::strict_field_whitespace_validation},
    {"maxSessionInvalidFrames", Option::max_session_invalid_frames},
    {"maxSessionRejectedStreams", Option::max_session_rejected_streams},
};
static_assert(runtime::names_all(kOptions, Option::count));

std::span<const double> doubles_of(v8::Local<v8::Value> value) {
  runtime::Bytes bytes;
  runtime::bytes_of(value, &bytes);
  return {reinterpret_cast<const double*>(bytes.data), bytes.size / sizeof(double)};
}

// The values of the options that lib gives.
class Numbers {
 public:
  explicit Numbers(std::span<const double> all) : all_(all) {}
  bool has(Option option) const { return !std::isnan(at(option)); }
  // Converted as V8 converts to an unsigned 32-bit integer.
  uint32_t get(Option option, uint32_t otherwise) const {
    if (!has(option)) return otherwise;
    return static_cast<uint32_t>(static_cast<int64_t>(std::fmod(std::trunc(at(option)), 0x1p32)));
  }
  // Limits may be infinite.
  double at(Option option) const { return all_[static_cast<size_t>(option)]; }

 private:
  std::span<const double> all_;
};

void apply(const Numbers& numbers, bool is_server, nghttp2::Option* option) {
  using namespace nghttp2;
  // Closed streams need no memory, and windows are opened when the program has taken the data.
  nghttp2_option_set_no_closed_streams(option, 1);
  nghttp2_option_set_no_auto_window_update(option, 1);
  if (!is_server) {
    nghttp2_option_set_builtin_recv_extension_type(option, kAltsvc);
    nghttp2_option_set_builtin_recv_extension_type(option, kOrigin);
  }
  constexpr uint32_t kRecommendedStreams = 100;
  nghttp2_option_set_peer_max_concurrent_streams(
      option, numbers.get(Option::peer_max_concurrent_streams, kRecommendedStreams));
  if (numbers.has(Option::max_deflate_dynamic_table_size)) {
    nghttp2_option_set_max_deflate_dynamic_table_size(
        option, numbers.get(Option::max_deflate_dynamic_table_size, 0));
  }
  if (numbers.has(Option::max_reserved_remote_streams)) {
    nghttp2_option_set_max_reserved_remote_streams(
        option, numbers.get(Option::max_reserved_remote_streams, 0));
  }
  if (numbers.has(Option::max_send_header_block_length)) {
    nghttp2_option_set_max_send_header_block_length(
        option, numbers.get(Option::max_send_header_block_length, 0));
  }
  if (numbers.has(Option::strict_field_whitespace_validation)) {
    nghttp2_option_set_no_rfc9113_leading_and_trailing_ws_validation(
        option, numbers.at(Option::strict_field_whitespace_validation) == 0 ? 1 : 0);
  }
  if (numbers.has(Option::max_settings)) {
    nghttp2_option_set_max_settings(option, numbers.get(Option::max_settings, 0));
  }
  if (numbers.has(Option::stream_reset_rate) && numbers.has(Option::stream_reset_burst)) {
    nghttp2_option_set_stream_reset_rate_limit(option, numbers.get(Option::stream_reset_burst, 0),
                                               numbers.get(Option::stream_reset_rate, 0));
  }
}

// setHooks({name: function...}): once.
void set_hooks(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto& state = Realm::of(isolate).state<Http2State>();
  runtime::take_functions(isolate, info[0], kHooks,
                          [&state](size_t number, v8::Local<v8::Function> function) {
                            state.set_hook(static_cast<Http2Hook>(number), function);
                          });
}

// makePatterns(prototype of sessions, prototype of streams): returns both patterns, to which lib
// adds fields.
void make_patterns(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  Realm& realm = Realm::of(isolate);
  RONDO_EXPECT(info, info[0]->IsObject() && info[1]->IsObject());
  auto& state = realm.state<Http2State>();
  v8::Local<v8::Value> patterns[] = {Wrap::make_pattern(realm, info[0]),
                                     Wrap::make_pattern(realm, info[1])};
  state.session_pattern.Reset(isolate, patterns[0].As<v8::Object>());
  state.stream_pattern.Reset(isolate, patterns[1].As<v8::Object>());
  info.GetReturnValue().Set(v8::Array::New(isolate, patterns, std::size(patterns)));
}

// createSession(is a server, option numbers, ids of remembered settings): undefined if nghttp2
// refuses the options.
void create_session(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  Realm& realm = Realm::of(isolate);
  const std::span<const double> values = doubles_of(info[1]);
  RONDO_EXPECT(info, values.size() == static_cast<size_t>(Option::count));
  RONDO_EXPECT(info, !realm.state<Http2State>().session_pattern.IsEmpty());
  const Numbers numbers(values);
  SessionOptions options;
  options.is_server = info[0]->IsTrue();
  const uint32_t padding = numbers.get(Option::padding_strategy, 0);
  if (padding <= static_cast<uint32_t>(Padding::most)) {
    options.padding = static_cast<Padding>(padding);
  }
  // A request has at least four fields, a response one.
  options.most_header_pairs =
      std::max(numbers.get(Option::max_header_list_pairs, options.most_header_pairs),
               options.is_server ? 4U : 1U);
  options.most_pings = numbers.get(Option::max_outstanding_pings, options.most_pings);
  options.most_settings = numbers.get(Option::max_outstanding_settings, options.most_settings);
  constexpr uint64_t kMegabyte = 1'000'000;
  if (numbers.has(Option::max_session_memory)) {
    options.most_memory = numbers.get(Option::max_session_memory, 0) * kMegabyte;
  }
  options.most_invalid_frames =
      numbers.get(Option::max_session_invalid_frames, options.most_invalid_frames);
  options.most_rejected_streams =
      numbers.get(Option::max_session_rejected_streams, options.most_rejected_streams);
  runtime::Bytes ids;
  runtime::bytes_of(info[2], &ids);
  const std::span list(reinterpret_cast<const uint32_t*>(ids.data), ids.size / sizeof(uint32_t));
  for (const uint32_t id : list.first(std::min(list.size(), kMostCustomSettings))) {
    options.custom_settings.push_back(static_cast<int32_t>(id & 0xffff));
  }
  nghttp2::Option* option = nullptr;
  RONDO_EXPECT(info, nghttp2::nghttp2_option_new(&option) == 0);
  apply(numbers, options.is_server, option);
  const Http2Session* const session = Http2Session::open(realm, options, option);
  nghttp2::nghttp2_option_del(option);
  if (session != nullptr) info.GetReturnValue().Set(session->object());
}

// errorText(failure of nghttp2)
void error_text(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  v8::Local<v8::String> text;
  if (runtime::to_js(isolate, nghttp2::nghttp2_strerror(
                                  info[0]->Int32Value(isolate->GetCurrentContext()).FromMaybe(0)))
          .ToLocal(&text)) {
    info.GetReturnValue().Set(text);
  }
}

constexpr runtime::Constant kFailures[] = {
    {"kDeferred", nghttp2::kDeferred},
    {"kInvalidArgument", nghttp2::kInvalidArgument},
    {"kStreamIdNotAvailable", nghttp2::kStreamIdNotAvailable},
    {"kStreamClosed", nghttp2::kStreamClosed},
    {"kFrameSize", nghttp2::kFrameSize},
    {"kNoMemory", nghttp2::kNoMemory},
};

constexpr runtime::Constant kLimits[] = {
    {"kMostCustomSettings", kMostCustomSettings},
    {"kNamedSettings", std::size(kNamedSettings)},
    {"kOptionCount", Option::count},
};

void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  runtime::set_constants(isolate, target, kFailures);
  runtime::set_constants(isolate, target, kLimits);
  runtime::set_constants(isolate, target, "optionIndexes", kOptions);
}

constexpr runtime::Method kMethods[] = {
    {"setHooks", set_hooks},
    {"makePatterns", make_patterns},
    {"createSession", create_session},
    {"errorText", error_text},
};

}  // namespace

}  // namespace rondo::bindings::http2

namespace rondo::bindings {
extern const runtime::Binding http2_base;
const runtime::Binding http2_base{"http2", http2::kMethods, http2::add_constants};
}  // namespace rondo::bindings
