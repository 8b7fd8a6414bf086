#include "bindings/http/run.h"

#include <limits>

#include "runtime/engine/js_entry.h"
#include "runtime/values/text.h"

namespace rondo::bindings {

namespace {

constexpr size_t kLargestNarrow = std::numeric_limits<uint16_t>::max();

v8::Local<v8::String> to_string(v8::Isolate* isolate, std::string_view bytes) {
  if (bytes.empty()) return v8::String::Empty(isolate);
  return v8::String::NewFromOneByte(isolate, reinterpret_cast<const uint8_t*>(bytes.data()),
                                    v8::NewStringType::kNormal, static_cast<int>(bytes.size()))
      .FromMaybe(v8::String::Empty(isolate));
}

v8::Local<v8::String> to_offsets(v8::Isolate* isolate, const HeaderFields& fields) {
  if (fields.ends.empty()) return v8::String::Empty(isolate);
  const bool is_wide = fields.bytes.size() > kLargestNarrow;
  const size_t size = fields.ends.size() * (is_wide ? 2 : 1);
  runtime::Scratch<uint16_t> units(size);
  RONDO_ASSERT(!units.has_failed());
  uint16_t* next = units.data();
  for (const uint32_t end : fields.ends) {
    *next++ = static_cast<uint16_t>(end);
    if (is_wide) *next++ = static_cast<uint16_t>(end >> 16);
  }
  return v8::String::NewFromTwoByte(isolate, units.data(), v8::NewStringType::kNormal,
                                    static_cast<int>(size))
      .FromMaybe(v8::String::Empty(isolate));
}

}  // namespace

void HttpRun::set_input(HttpInput& input) {
  input_ = &input;
  memory_ = reinterpret_cast<const char*>(input.bytes().data());
}

v8::MaybeLocal<v8::Value> HttpRun::call(HttpHook hook,
                                        std::initializer_list<v8::Local<v8::Value>> arguments) {
  has_called_ = true;
  const v8::Local<v8::Function> function = hooks_.at(hook);
  v8::MaybeLocal<v8::Value> result;
  if (by_ == RunBy::loop) {
    runtime::Realm& realm = runtime::Realm::of(isolate_);
    result = runtime::JsEntry::call_undrained(realm, function, receiver_, arguments);
  } else {
    result =
        function->Call(isolate_->GetCurrentContext(), receiver_, static_cast<int>(arguments.size()),
                       const_cast<v8::Local<v8::Value>*>(arguments.begin()));
  }
  has_thrown_ = result.IsEmpty();
  return is_over() ? v8::MaybeLocal<v8::Value>() : result;
}

MessageListener::Next HttpRun::on_head(const MessageHead& head) {
  const v8::HandleScope handles(isolate_);
  parser_->note_head();
  const bool is_wide = head.fields.bytes.size() > kLargestNarrow;
  v8::Local<v8::Value> result;
  const v8::MaybeLocal<v8::Value> answer =
      call(HttpHook::headers,
           {
               v8::Integer::NewFromUnsigned(isolate_, head.flags | (is_wide ? kWideOffsets : 0)),
               v8::Integer::New(isolate_, head.major),
               v8::Integer::New(isolate_, head.minor),
               v8::Integer::New(isolate_, head.code),
               to_string(isolate_, head.text),
               to_string(isolate_, head.fields.bytes),
               to_offsets(isolate_, head.fields),
           });
  if (!answer.ToLocal(&result)) return Next::stop;
  int32_t bits = 0;
  if (!runtime::small_integer(result, &bits)) return Next::body;
  parser_->set_head_result(bits);
  if ((bits & kReports) != 0) reports_ = true;
  const int32_t next = bits & kNextMask;
  return next == 1 ? Next::no_body : next == 2 ? Next::upgrade : Next::body;
}

bool HttpRun::on_body(const char* bytes, size_t size) {
  const bool is_read = input_ != nullptr;
  if (is_read && buffer_.IsEmpty()) {  // In the caller's scope, for the parts that follow.
    const StreamState::Piece piece = input_->keep();
    buffer_ = piece.buffer;
    offset_ = piece.offset;
  }
  const v8::HandleScope handles(isolate_);
  const size_t offset = offset_ + static_cast<size_t>(bytes - memory_);
  return !call(HttpHook::body,
               {
                   buffer_,
                   v8::Number::New(isolate_, static_cast<double>(offset)),
                   v8::Number::New(isolate_, static_cast<double>(size)),
                   v8::Boolean::New(isolate_, is_read),
               })
              .IsEmpty();
}

bool HttpRun::on_end(const HeaderFields& trailers) {
  const v8::HandleScope handles(isolate_);
  // First, so that a list of connections shows this one as idle to the hook.
  parser_->note_end();
  if ((parser_->head_result() & kHasEnded) != 0) return true;
  if (trailers.ends.empty()) return !call(HttpHook::message_end, {}).IsEmpty();
  return !call(HttpHook::message_end,
               {to_string(isolate_, trailers.bytes), to_offsets(isolate_, trailers)})
              .IsEmpty();
}

}  // namespace rondo::bindings
