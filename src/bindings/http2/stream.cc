#include "bindings/http2/stream.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "runtime/engine/js_entry.h"
#include "runtime/values/text.h"

namespace rondo::bindings::http2 {

namespace {

// HTTP/2 counts the bytes of a field, and this many for the table of HPACK.
constexpr size_t kFieldOverhead = 32;
// Above this, a peer is not allowed to send header fields, whatever the settings say.
constexpr uint32_t kMostHeaderBytes = 16'777'215;
constexpr int32_t kMaxHeaderListSize = 6;  // The id of the setting.

ptrdiff_t read_data(nghttp2::Session* /*session*/, int32_t id, uint8_t* /*out*/, size_t most,
                    uint32_t* flags, nghttp2::Source* /*source*/, void* user) {
  Http2Stream* const stream = static_cast<Http2Session*>(user)->find_any(id);
  if (stream == nullptr) return nghttp2::kDeferred;
  return stream->offer_data(most, flags);
}

}  // namespace

FieldList::FieldList(v8::Isolate* isolate, v8::Local<v8::String> text, size_t count) {
  const auto size = static_cast<size_t>(text->Length());
  bytes_.reset(new uint8_t[size + 1]);
  runtime::read_latin1(isolate, text, bytes_.get(), 0, size);
  fields_.reserve(std::min(count, size));
  const uint8_t* next = bytes_.get();
  const uint8_t* const end = next + size;
  const auto up_to_zero = [&next, end]() -> size_t {
    const auto* const zero =
        static_cast<const uint8_t*>(std::memchr(next, 0, static_cast<size_t>(end - next)));
    const auto length = static_cast<size_t>((zero == nullptr ? end : zero) - next);
    return length;
  };
  while (next < end && fields_.size() < count) {
    nghttp2::Field field{};
    field.name = next;
    field.name_size = up_to_zero();
    next = std::min(next + field.name_size + 1, end);
    field.value = next;
    field.value_size = up_to_zero();
    next = std::min(next + field.value_size + 1, end);
    field.flags = next < end ? *next++ : 0;
    fields_.push_back(field);
  }
  // A value contains a zero byte.
  if (next != end || fields_.size() != count) {
    static constexpr uint8_t kNothing[] = {0};
    fields_.assign(1, {kNothing, kNothing, 1, 1, 0});
  }
}

Http2Stream::Http2Stream(Http2Session& session, int32_t id, nghttp2::Category category,
                         bool has_trailers)
    : Wrap(session.realm(), kind_of<Http2Stream>(),
           session.state().stream_pattern.Get(session.isolate())),
      session_(&session),
      id_(id),
      category_(category),
      most_fields_size_(std::min(
          nghttp2::nghttp2_session_get_local_settings(session.native(), kMaxHeaderListSize),
          kMostHeaderBytes)),
      has_trailers_(has_trailers) {
  counts_.begin_ms = session.now_ms();
}

Http2Stream::~Http2Stream() {
  drop_headers();
  if (session_ != nullptr) session_->remove_stream(*this);
}

nghttp2::Provider Http2Stream::provider() { return {{.pointer = nullptr}, read_data}; }

int Http2Stream::respond(const FieldList& fields, bool is_empty, bool has_trailers) {
  const Http2Session::Scope scope(*session_);
  if (has_trailers) has_trailers_ = true;
  const nghttp2::Provider source = provider();
  return nghttp2::nghttp2_submit_response2(session_->native(), id_, fields.data(), fields.size(),
                                           is_empty || is_shut_ ? nullptr : &source);
}

int Http2Stream::submit_info(const FieldList& fields) {
  const Http2Session::Scope scope(*session_);
  return nghttp2::nghttp2_submit_headers(session_->native(), 0, id_, nullptr, fields.data(),
                                         fields.size(), nullptr);
}

// Without fields an empty frame of data ends the stream: some clients refuse empty trailers.
int Http2Stream::submit_trailers(const FieldList& fields) {
  const Http2Session::Scope scope(*session_);
  if (fields.size() > 0) {
    return nghttp2::nghttp2_submit_trailer(session_->native(), id_, fields.data(), fields.size());
  }
  const nghttp2::Provider source = provider();
  return nghttp2::nghttp2_submit_data2(session_->native(), nghttp2::kFlagEndStream, id_, &source);
}

int32_t Http2Stream::submit_push(const FieldList& fields) {
  const Http2Session::Scope scope(*session_);
  return nghttp2::nghttp2_submit_push_promise(session_->native(), 0, id_, fields.data(),
                                              fields.size(), nullptr);
}

void Http2Stream::reset(uint32_t code) {
  reset_code_ = code;
  session_->reset(*this, code);
}

void Http2Stream::reset_now(uint32_t code) {
  const Http2Session::Scope scope(*session_);
  nghttp2::nghttp2_submit_rst_stream(session_->native(), 0, id_, code);
}

int Http2Stream::write(std::vector<Chunk> chunks) {
  if (is_destroyed() || is_shut_) return -EPIPE;
  const Http2Session::Scope scope(*session_);
  for (size_t i = 0; i < chunks.size(); ++i) {
    queued_ += chunks[i].size;
    session_->use_memory(chunks[i].size);
    queue_.push_back({std::move(chunks[i]), i + 1 == chunks.size()});
  }
  nghttp2::nghttp2_session_resume_data(session_->native(), id_);
  return 0;
}

void Http2Stream::end_writing() {
  // A reset is waiting: nothing may be sent after it.
  if (is_destroyed() || is_reset_waiting()) return;
  const Http2Session::Scope scope(*session_);
  is_shut_ = true;
  nghttp2::nghttp2_session_resume_data(session_->native(), id_);
}

void Http2Stream::start_reading() {
  if (is_destroyed()) return;
  const Http2Session::Scope scope(*session_);
  is_reading_ = true;
  nghttp2::nghttp2_session_consume_stream(session_->native(), id_, unread_);
  unread_ = 0;
}

void Http2Stream::destroy_stream() {
  if (is_destroyed()) return;
  if (is_reset_waiting() && session_->is_receiving()) {
    is_doomed_ = true;
    return;
  }
  if (session_->has_waiting_reset(*this)) flush_reset();
  leave_session();
}

bool Http2Stream::is_reset_waiting() const {
  return reset_code_ != nghttp2::kCancel && session_->has_waiting_reset(*this);
}

void Http2Stream::leave_session() {
  drop_headers();
  session_->return_memory(reported_size_);
  session_->return_memory(queued_);
  session_->remove_stream(*this);
  session_ = nullptr;
  if (queue_.empty()) {
    release();
    return;
  }
  cancel_.set(realm(), [this] {
    const v8::HandleScope handles(isolate());
    const v8::Local<v8::Object> alive = object();
    while (!queue_.empty()) {
      const bool ends_write = queue_.front().ends_write;
      queue_.pop_front();
      if (ends_write) report_written(-ECANCELED);
    }
    release();
    static_cast<void>(alive);
  });
}

void Http2Stream::lose_session() {
  for (const ReceivedField& field : fields_) {
    nghttp2::nghttp2_rcbuf_decref(field.name);
    nghttp2::nghttp2_rcbuf_decref(field.value);
  }
  fields_.clear();
  session_ = nullptr;
  release();
}

void Http2Stream::report_written(int status) {
  const v8::HandleScope handles(isolate());
  const v8::Local<v8::Function> hook = realm().state<Http2State>().hook(Http2Hook::written);
  runtime::JsEntry::call(realm(), hook, object(), {v8::Integer::New(isolate(), status)});
}

void Http2Stream::begin_headers(nghttp2::Category category) {
  drop_headers();
  category_ = category;
}

void Http2Stream::drop_headers() {
  for (const ReceivedField& field : fields_) {
    nghttp2::nghttp2_rcbuf_decref(field.name);
    nghttp2::nghttp2_rcbuf_decref(field.value);
  }
  fields_.clear();
  if (session_ != nullptr) session_->return_memory(fields_size_);
  fields_size_ = 0;
}

bool Http2Stream::add_field(nghttp2::Rcbuf* name, nghttp2::Rcbuf* value, uint8_t flags) {
  const size_t name_size = nghttp2::nghttp2_rcbuf_get_buf(name).size;
  if (name_size == 0) return true;
  const size_t size = name_size + nghttp2::nghttp2_rcbuf_get_buf(value).size + kFieldOverhead;
  if (!session_->has_memory(size) || fields_.size() >= session_->options().most_header_pairs ||
      fields_size_ + size > most_fields_size_) {
    return false;
  }
  if (counts_.first_header_ms == 0) counts_.first_header_ms = session_->now_ms();
  nghttp2::nghttp2_rcbuf_incref(name);
  nghttp2::nghttp2_rcbuf_incref(value);
  fields_.push_back({name, value, flags});
  fields_size_ += size;
  session_->use_memory(size);
  return true;
}

void Http2Stream::report_headers(uint8_t flags) {
  v8::Isolate* const isolate = this->isolate();
  Http2State& state = session_->state();
  std::vector<v8::Local<v8::Value>> all;
  std::vector<v8::Local<v8::Value>> sensitive;
  all.reserve(2 * fields_.size());
  for (const ReceivedField& field : fields_) {
    all.push_back(state.text(field.name, true));
    if ((field.flags & nghttp2::kNeverIndex) != 0) sensitive.push_back(all.back());
    all.push_back(state.text(field.value, false));
    nghttp2::nghttp2_rcbuf_decref(field.name);
    nghttp2::nghttp2_rcbuf_decref(field.value);
  }
  fields_.clear();
  // Keep counting the fields: programs usually hold them as long as the stream.
  reported_size_ += fields_size_;
  fields_size_ = 0;
  session_->call(Http2Hook::headers,
                 {object(), v8::Integer::New(isolate, id_), v8::Integer::New(isolate, category_),
                  v8::Integer::New(isolate, flags), v8::Array::New(isolate, all.data(), all.size()),
                  v8::Array::New(isolate, sensitive.data(), sensitive.size())});
}

void Http2Stream::count_received(size_t bytes) {
  counts_.bytes_received += bytes;
  if (counts_.first_byte_ms == 0) counts_.first_byte_ms = session_->now_ms();
}

// An empty chunk only reports its end.
void Http2Stream::forget_empty_chunks() {
  while (!queue_.empty() && queue_.front().chunk.size == 0) {
    if (queue_.front().ends_write) session_->note_write(*this);
    queue_.pop_front();
  }
}

ptrdiff_t Http2Stream::offer_data(size_t most, uint32_t* flags) {
  if (counts_.first_byte_sent_ms == 0) counts_.first_byte_sent_ms = session_->now_ms();
  forget_empty_chunks();
  const size_t size = std::min(queued_, most);
  if (size == 0 && !is_shut_) return nghttp2::kDeferred;
  if (size > 0) *flags |= nghttp2::kNoCopy;
  counts_.bytes_sent += size;
  if (size == queued_ && is_shut_) {
    *flags |= nghttp2::kEnd;
    if (has_trailers_ && !is_doomed_) {
      *flags |= nghttp2::kNoEndStream;
      has_trailers_ = false;
      const v8::HandleScope handles(isolate());
      session_->call(Http2Hook::want_trailers, object(), {});
    }
  }
  return static_cast<ptrdiff_t>(size);
}

void Http2Stream::take_data(size_t size, Outgoing* out) {
  queued_ -= std::min(size, queued_);
  session_->return_memory(size);
  while (size > 0 && !queue_.empty()) {
    Queued& front = queue_.front();
    const size_t taken = std::min(size, front.chunk.size);
    out->append(front.chunk.data, taken);
    front.chunk.data += taken;
    front.chunk.size -= taken;
    size -= taken;
    if (front.chunk.size > 0) break;
    if (front.ends_write) session_->note_write(*this);
    queue_.pop_front();
  }
}

}  // namespace rondo::bindings::http2
