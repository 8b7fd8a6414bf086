#include "bindings/http2/session.h"

#include <algorithm>
#include <cstdlib>

#include "bindings/http2/stream.h"
#include "loop/internals.h"
#include "runtime/engine/js_entry.h"

namespace rondo::bindings::http2 {

using runtime::JsEntry;

namespace {

// A buffer is sent when it has this size, so that one peer with a large window does not make a
// session copy everything that waits. The rest follows when the write has ended.
constexpr size_t kMostPerWrite = 1024 * 1024;

}  // namespace

// Counts the memory of nghttp2 for the option maxSessionMemory.
struct Http2Session::Allocator {
  // In front of each block; aligned like malloc's memory.
  static constexpr size_t kHead = 16;

  static void* resize(void* memory, size_t size, void* user) {
    auto& session = *static_cast<Http2Session*>(user);
    char* const before = memory == nullptr ? nullptr : static_cast<char*>(memory) - kHead;
    size_t size_before = 0;
    if (before != nullptr) std::memcpy(&size_before, before, sizeof size_before);
    if (size > SIZE_MAX - kHead) return nullptr;
    auto* const now = static_cast<char*>(std::realloc(before, size + kHead));
    if (now == nullptr) return nullptr;
    std::memcpy(now, &size, sizeof size);
    session.native_memory_ += size - size_before;
    return now + kHead;
  }
  static void* allocate(size_t size, void* user) { return resize(nullptr, size, user); }
  static void* allocate_cleared(size_t count, size_t size, void* user) {
    size_t all = 0;
    if (__builtin_mul_overflow(count, size, &all)) return nullptr;
    void* const memory = resize(nullptr, all, user);
    if (memory != nullptr) std::memset(memory, 0, all);
    return memory;
  }
  static void free(void* memory, void* user) {
    if (memory == nullptr) return;
    char* const block = static_cast<char*>(memory) - kHead;
    size_t size = 0;
    std::memcpy(&size, block, sizeof size);
    static_cast<Http2Session*>(user)->native_memory_ -= size;
    std::free(block);
  }
};

v8::Local<v8::String> Http2State::text(nghttp2::Rcbuf* bytes, bool is_name) {
  v8::Isolate* const isolate = realm_.isolate();
  const nghttp2::Bytes all = nghttp2::nghttp2_rcbuf_get_buf(bytes);
  const bool is_static = nghttp2::nghttp2_rcbuf_is_static(bytes) != 0;
  if (is_static) {
    if (const auto known = texts_.find(all.base); known != texts_.end()) {
      return known->second.Get(isolate);
    }
  }
  const auto type =
      is_static || is_name ? v8::NewStringType::kInternalized : v8::NewStringType::kNormal;
  const v8::Local<v8::String> text =
      v8::String::NewFromOneByte(isolate, all.base, type, static_cast<int>(all.size))
          .FromMaybe(v8::String::Empty(isolate));
  if (is_static) texts_[all.base].Reset(isolate, text);
  return text;
}

Http2Session::Scope::Scope(Http2Session& session)
    : session_(session), is_outermost_(!session.has_scope_ && !session.write_immediate_.is_set()) {
  if (is_outermost_) session.has_scope_ = true;
}

Http2Session::Scope::~Scope() {
  if (!is_outermost_) return;
  session_.has_scope_ = false;
  if (!session_.write_immediate_.is_set()) session_.schedule_write();
}

Http2Session::Http2Session(runtime::Realm& realm, const SessionOptions& options)
    : Wrap(realm, kind_of<Http2Session>(),
           realm.state<Http2State>().session_pattern.Get(realm.isolate())),
      options_(options) {
  for (const int32_t id : options.custom_settings) {
    // A bit above the range of ids marks a setting whose value has not been received.
    remote_custom_.push_back({id | 1 << 16, 0});
  }
}

Http2Session::~Http2Session() {
  if (stream_ != nullptr) stream_->detach_consumer();
  for (const auto& [id, stream] : streams_) stream->lose_session();
  streams_.clear();
  if (native_ != nullptr) nghttp2::nghttp2_session_del(native_);
}

v8::MaybeLocal<v8::Value> Http2Session::call(
    Http2Hook hook, v8::Local<v8::Object> receiver,
    std::initializer_list<v8::Local<v8::Value>> arguments) {
  const v8::Local<v8::Function> function = state().hook(hook);
  return JsEntry::call(realm(), function, receiver, arguments);
}

double Http2Session::now_ms() const { return realm().now_ms(); }

void Http2Session::attach(StreamHandle& stream) {
  stream_ = &stream;
  is_attached_ = true;
  stream.attach(*this);
  stream.read_start();
}

bool Http2Session::has_memory(size_t bytes) const {
  return memory_ + native_memory_ + outgoing_.size() + kept_input_.size() + sizeof *this + bytes <=
         options_.most_memory;
}

bool Http2Session::has_pending_data() const {
  return nghttp2::nghttp2_session_want_write(native_) != 0 ||
         nghttp2::nghttp2_session_want_read(native_) != 0;
}

Http2Stream* Http2Session::find(int32_t id) const {
  Http2Stream* const stream = find_any(id);
  return stream == nullptr || stream->is_destroyed() ? nullptr : stream;
}

Http2Stream* Http2Session::find_any(int32_t id) const {
  const auto found = streams_.find(id);
  return found == streams_.end() ? nullptr : found->second;
}

bool Http2Session::can_add_stream() const {
  // SETTINGS_MAX_CONCURRENT_STREAMS
  return streams_.size() < nghttp2::nghttp2_session_get_local_settings(native_, 3) &&
         has_memory(sizeof(Http2Stream));
}

Http2Stream* Http2Session::add_stream(int32_t id, nghttp2::Category category, bool has_trailers) {
  auto* const stream = new Http2Stream(*this, id, category, has_trailers);
  streams_[id] = stream;
  ++counts_.streams;
  counts_.most_streams = std::max(counts_.most_streams, static_cast<uint32_t>(streams_.size()));
  use_memory(sizeof *stream);
  return stream;
}

void Http2Session::remove_stream(Http2Stream& stream) {
  if (streams_.erase(stream.id()) == 0) return;
  return_memory(sizeof stream);
  const double duration = now_ms() - stream.counts().begin_ms;
  counts_.stream_ms = duration / std::max(counts_.streams, 1U);
}

// Inside a callback of nghttp2 nothing can be sent. A reset by a server waits there until the
// response that was submitted before it has been sent, even if lib destroys the stream; a refused
// stream has no response. A reset by a client need not wait, except with CANCEL.
void Http2Session::reset(Http2Stream& stream, uint32_t code) {
  const bool is_urgent =
      code == nghttp2::kRefusedStreamError || (!options_.is_server && code != nghttp2::kCancel);
  if (is_receiving_ && is_urgent) return stream.flush_reset();
  if (is_receiving_ || is_sending_ || !send_pending()) {
    resets_.push_back(stream.id());
    return;
  }
  // Sending may have closed the stream.
  if (find(stream.id()) == &stream) stream.flush_reset();
}

bool Http2Session::has_waiting_reset(const Http2Stream& stream) const {
  return std::find(resets_.begin(), resets_.end(), stream.id()) != resets_.end();
}

void Http2Session::note_write(Http2Stream& stream) {
  writes_.push_back({v8::Global<v8::Object>(isolate(), stream.object())});
}

void Http2Session::schedule_write() {
  if (is_destroyed_ || nghttp2::nghttp2_session_want_write(native_) == 0) return;
  write_immediate_.set(realm(), [this] {
    if (is_destroyed_) return;
    const v8::HandleScope handles(isolate());
    const v8::Local<v8::Object> alive = object();
    send_pending();
    static_cast<void>(alive);
  });
}

bool Http2Session::send_pending() {
  if (is_destroyed_) return true;
  write_immediate_.clear();
  if (is_sending_) return false;
  is_sending_ = true;
  gather();
  if (!is_attached_ || outgoing_.is_empty()) {
    outgoing_.clear();
    clear_outgoing();
    close_if_pending();
    return true;
  }
  write_outgoing();
  stop_reading_if_busy();
  if (has_own_goaway_) {
    has_own_goaway_ = false;
    if (!is_closing_ && !pending_close_) report_error(nghttp2::kProtocol);
  }
  close_if_pending();
  return true;
}

void Http2Session::write_outgoing() {
  counts_.bytes_sent += outgoing_.size();
  ++chunks_sent_;
  is_writing_ = true;
  bool is_sent = true;
  if (stream_ != nullptr) {
    iovec part{outgoing_.data(), outgoing_.size()};
    const Result<WriteState> state = stream_->write(
        std::span(&part, 1),
        [this](std::span<iovec>) { return WriteMemory{.bytes = outgoing_.release()}; }, this);
    // Ignore a failure here: the next read fails as well and reports it.
    is_sent = !state || *state == WriteState::sent;
  } else {
    const size_t size = outgoing_.size();
    const std::vector<uint32_t> parts = outgoing_.take_parts();
    std::unique_ptr<v8::BackingStore> store = v8::ArrayBuffer::NewBackingStore(
        outgoing_.release().release(), size,
        [](void* data, size_t, void*) { delete[] static_cast<char*>(data); }, nullptr);
    // lib calls sent() later, never from inside this call.
    is_sent = false;
    std::vector<v8::Local<v8::Value>> sizes;
    for (const uint32_t part : parts) {
      sizes.push_back(v8::Integer::NewFromUnsigned(isolate(), part));
    }
    call(Http2Hook::outgoing, {v8::ArrayBuffer::New(isolate(), std::move(store)),
                               v8::Array::New(isolate(), sizes.data(), sizes.size())});
  }
  if (is_sent) {
    is_writing_ = false;
    outgoing_.clear();
    clear_outgoing();
    report_gentle_close();
    if (!has_scope_ && !write_immediate_.is_set() && !is_sending_) schedule_write();
  }
}

// Moves frames from nghttp2 to the buffer.
void Http2Session::gather() {
  is_gathering_ = true;
  const uint8_t* bytes = nullptr;
  while (outgoing_.size() < kMostPerWrite) {
    const ptrdiff_t size = nghttp2::nghttp2_session_mem_send2(native_, &bytes);
    if (size <= 0) break;
    outgoing_.append(bytes, static_cast<size_t>(size));
  }
  is_gathering_ = false;
}

// The buffer has been sent: reports the ends of writes, and resets streams that waited for it.
void Http2Session::clear_outgoing() {
  is_sending_ = false;
  std::vector<StreamWrite> writes;
  writes.swap(writes_);
  for (const StreamWrite& write : writes) {
    const v8::HandleScope handles(isolate());
    call(Http2Hook::written, write.stream.Get(isolate()), {v8::Integer::New(isolate(), 0)});
  }
  if (resets_.empty() || is_receiving_) return;
  std::vector<int32_t> resets;
  resets.swap(resets_);
  send_pending();
  for (const int32_t id : resets) {
    Http2Stream* const stream = find_any(id);
    if (stream == nullptr) continue;
    stream->flush_reset();
    if (stream->is_destroyed()) stream->leave_session();
  }
}

void Http2Session::on_written(StreamHandle& /*stream*/, Result<void> /*outcome*/) {
  const v8::HandleScope handles(isolate());
  finish_write();
}

void Http2Session::sent(int /*status*/) {
  if (is_writing_) finish_write();
}

void Http2Session::finish_write() {
  const v8::Local<v8::Object> alive = object();
  report_gentle_close();
  is_writing_ = false;
  clear_outgoing();
  if (is_reading_stopped_ && !is_writing_ && nghttp2::nghttp2_session_want_read(native_) != 0) {
    resume_reading();
  }
  if (is_destroyed_) return finish_destroy();
  if (!kept_input_.empty() || is_paused_) process_kept_input();
  if (!is_destroyed_ && !write_immediate_.is_set()) schedule_write();
  static_cast<void>(alive);
}

void Http2Session::report_gentle_close() {
  if (!closes_gently_ || has_pending_data()) return;
  const v8::HandleScope handles(isolate());
  call(Http2Hook::closed_gently, {});
}

void Http2Session::stop_reading_if_busy() {
  if (is_reading_stopped_ || is_closing_) return;
  if (nghttp2::nghttp2_session_want_read(native_) != 0 && !is_writing_) return;
  is_reading_stopped_ = true;
  if (stream_ != nullptr) stream_->read_stop();
}

void Http2Session::resume_reading() {
  is_reading_stopped_ = false;
  if (stream_ != nullptr) stream_->read_start();
}

void Http2Session::close(uint32_t code, bool is_socket_closed) {
  if (is_closing_) return;
  // Inside nghttp2 nothing can be sent, and nghttp2 may be ending the session with a better code:
  // the caller of nghttp2 goes on with close_if_pending().
  if (!is_socket_closed && (is_receiving_ || is_gathering_)) {
    if (!pending_close_) pending_close_ = code;
    return;
  }
  is_closing_ = true;
  if (stream_ != nullptr) {
    is_reading_stopped_ = true;
    stream_->read_stop();
  }
  if (!is_socket_closed) {
    nghttp2::nghttp2_session_terminate_session(native_, code);
    send_pending();
  } else if (stream_ != nullptr) {
    stream_->detach_consumer();
    stream_ = nullptr;
    is_attached_ = false;
  }
  finish_close();
}

void Http2Session::close_if_pending() {
  if (!pending_close_ || is_receiving_ || is_gathering_ || is_destroyed_) return;
  close(*pending_close_, false);
}

void Http2Session::finish_close() {
  if (is_destroyed_) return;
  is_destroyed_ = true;
  write_immediate_.clear();
  if (!is_writing_ || !is_attached_) finish_destroy();
}

void Http2Session::finish_destroy() {
  const v8::HandleScope handles(isolate());
  const v8::Local<v8::Object> alive = object();
  call(Http2Hook::done, {});
  // Read on, to notice when the peer closes the connection.
  if (stream_ != nullptr) resume_reading();
  release_if_done();
  static_cast<void>(alive);
}

void Http2Session::release_if_done() {
  if (is_destroyed_ && stream_ == nullptr && (!is_writing_ || !is_attached_)) release();
}

void Http2Session::on_closed() {
  stream_ = nullptr;
  is_attached_ = false;
  is_writing_ = false;
  if (has_object()) release_if_done();
}

bool Http2Session::submit_settings(std::span<const nghttp2::Setting> settings) {
  if (settings_.size() >= options_.most_settings) return false;
  const Scope scope(*this);
  for (const nghttp2::Setting& setting : settings) {
    if (setting.id <= kNamedSettings[std::size(kNamedSettings) - 1] && setting.id != 7) continue;
    const auto known =
        std::find_if(local_custom_.begin(), local_custom_.end(),
                     [&](const nghttp2::Setting& one) { return one.id == setting.id; });
    if (known != local_custom_.end()) {
      known->value = setting.value;
    } else if (local_custom_.size() < kMostCustomSettings) {
      local_custom_.push_back(setting);
    }
  }
  if (nghttp2::nghttp2_submit_settings(native_, 0, settings.data(), settings.size()) != 0) {
    return false;
  }
  settings_.push_back(now_ms());
  return true;
}

std::span<const nghttp2::Setting> Http2Session::custom_settings(bool is_remote) const {
  return is_remote ? remote_custom_ : local_custom_;
}

bool Http2Session::submit_ping(const uint8_t* bytes) {
  if (pings_.size() >= options_.most_pings) return false;
  const Scope scope(*this);
  pings_.push_back(now_ms());
  uint8_t time[8];
  static_assert(sizeof time == sizeof(double));
  std::memcpy(time, &pings_.back(), sizeof time);
  nghttp2::nghttp2_submit_ping(native_, 0, bytes != nullptr ? bytes : time);
  return true;
}

void Http2Session::submit_goaway(uint32_t code, int32_t last_id, std::span<const uint8_t> bytes) {
  if (is_destroyed_) return;
  has_sent_goaway_ = true;
  const Scope scope(*this);
  if (last_id <= 0) last_id = nghttp2::nghttp2_session_get_last_proc_stream_id(native_);
  nghttp2::nghttp2_submit_goaway(native_, 0, last_id, code, bytes.data(), bytes.size());
}

// Here, because it needs Allocator.
Http2Session* Http2Session::open(runtime::Realm& realm, const SessionOptions& options,
                                 const nghttp2::Option* option) {
  auto* const session = new Http2Session(realm, options);
  nghttp2::Memory memory{session, Allocator::allocate, Allocator::free, Allocator::allocate_cleared,
                         Allocator::resize};
  const nghttp2::Callbacks* const callbacks = session_callbacks(options.padding != Padding::none);
  const int failure = options.is_server
                          ? nghttp2::nghttp2_session_server_new3(&session->native_, callbacks,
                                                                 session, option, &memory)
                          : nghttp2::nghttp2_session_client_new3(&session->native_, callbacks,
                                                                 session, option, &memory);
  if (failure == 0) return session;
  session->native_ = nullptr;
  session->destroy();
  return nullptr;
}

}  // namespace rondo::bindings::http2
