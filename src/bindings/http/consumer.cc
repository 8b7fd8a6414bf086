// HttpParser as the consumer of a stream: data that arrives is parsed without a call of JavaScript
// before the first message is complete. lib/internal/http/parser.js has the other side.
#include "bindings/http/run.h"
#include "loop/trace/file.h"
#include "runtime/engine/js_entry.h"

namespace rondo::bindings {

using runtime::JsEntry;
using runtime::Realm;
using runtime::Shared;

HttpInput::HttpInput(HttpParser& parser, StreamSource& source, std::span<const std::byte> bytes)
    : parser_(&parser), source_(source), isolate_(parser.isolate()), bytes_(bytes) {
  parser.input_ = this;
}

HttpInput::~HttpInput() {
  if (parser_ != nullptr) parser_->input_ = nullptr;
}

StreamState::Piece HttpInput::keep() {
  if (!buffer_.IsEmpty()) return {buffer_.Get(isolate_), offset_};
  const StreamState::Piece piece = source_.keep_data(bytes_);
  buffer_.Reset(isolate_, piece.buffer);
  offset_ = piece.offset;
  return piece;
}

void HttpParser::consume(StreamSource& source, const Reads& reads) {
  unconsume();
  reads_ = reads;
  source_ = &source;
  source.attach(*this);
}

void HttpParser::unconsume() {
  if (source_ == nullptr) return;
  source_->detach_consumer();
  source_ = nullptr;
}

void HttpParser::on_read(StreamSource& source, Result<std::span<std::byte>> data) {
  // While a run is on the stack, JavaScript keeps the data until it has ended.
  if (!data || data->empty() || is_running()) return source.pass(std::move(data));
  const v8::HandleScope handles(isolate());
  const v8::Local<v8::Object> self = object();
  HttpInput input(*this, source, *data);
  // For hooks of async_hooks the whole read is one callback of the stream: lib reports it.
  if (tracking_.has_hooks || reads_.by_lib) {
    JsEntry::call(realm(), hooks_.at(HttpHook::read), self, {});
  } else {
    parse(input, self);
  }
}

void HttpParser::parse(HttpInput& input, v8::Local<v8::Object> self) {
  // A hook may destroy this parser, but not the realm.
  Realm& realm = this->realm();
  const v8::Local<v8::Function> executed = hooks_.at(HttpHook::executed);
  const auto* const memory = reinterpret_cast<const char*>(input.bytes().data());
  const size_t size = input.bytes().size();
  TraceFile* const trace = reads_.trace_id != 0 ? realm.options().trace : nullptr;
  if (trace != nullptr) {
    trace->begin(static_cast<TraceCode>(reads_.trace_word & 0xFF), reads_.trace_word >> 16,
                 reads_.trace_place, reads_.trace_id, 0);
  }
  bool has_thrown = false;
  bool reports = false;
  double result = -1;
  {
    HttpRun run(*this, self, RunBy::loop);
    run.set_input(input);
    const MessageParser::Outcome outcome = messages_->execute(run, memory, size);
    has_thrown = run.has_thrown();
    if (!has_thrown && !run.is_over()) {
      set_outcome(outcome);
      const bool has_failed = outcome.status == MessageParser::Outcome::Status::failed;
      if (!has_failed) result = static_cast<double>(outcome.consumed);
      reports = has_failed || outcome.consumed < size || run.is_to_report();
    }
  }
  if (reports) {
    const v8::Local<v8::Value> argument = v8::Number::New(realm.isolate(), result);
    has_thrown = JsEntry::call_undrained(realm, executed, self, {argument}).IsEmpty();
  }
  // The end is recorded later, with the next reading of the clock.
  if (trace != nullptr) realm.shared(Shared::has_ended) = 1;
  // As after any other callback (TICK-01, TICK-05).
  if (has_thrown) {
    realm.shared(Shared::waiting_queues) = 1;
  } else {
    JsEntry::drain(realm);
  }
}

}  // namespace rondo::bindings
