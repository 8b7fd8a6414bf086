// internalBinding('http_parser'): parsers of HTTP/1 messages, and lists of connections. The objects
// of createParser() and createConnectionsList() are the first arguments of the other functions.
//
// A parser calls the hooks of lib inside execute() and finish(), or when the stream of consume()
// has data. It is the receiver.
//
//   onHeaders(flags, major, minor, code, text, head, offsets): the method or status as a number,
//     and the URL or the text of the status. Returns 0; 1 if there is no body, as after HEAD; or 2
//     if another protocol follows; with bits of HeadResult.
//   onBody(buffer, offset, length, is read): a part of the memory that execute() was given, or of
//     the data of the stream.
//   onMessageEnd(head, offsets): the trailers, or undefined.
//   onRead(), onExecuted(result): see HttpHook.
//
// `head` has all names and values without separators, `offsets` the positions at which they end, as
// char codes: a call per field, or an array of strings, would cost more than the parsing. If `head`
// is longer than 65,535, each position takes two codes, the lower half first.
#include "bindings/http/parser.h"

#include <iterator>
#include <limits>
#include <vector>

#include "bindings/http/run.h"
#include "runtime/engine/realm.h"
#include "runtime/values/binding.h"
#include "runtime/values/contract.h"
#include "runtime/values/text.h"

namespace rondo::bindings {

using runtime::Arguments;
using runtime::Realm;
using runtime::Wrap;
using Status = MessageParser::Outcome::Status;

namespace {

constexpr int32_t kBusy = -2;

}  // namespace

HttpParser::HttpParser(Realm& realm)
    : Wrap(realm, kind_of<HttpParser>(), realm.state<HttpHooks>().pattern.Get(realm.isolate())),
      hooks_(realm.state<HttpHooks>()),
      tracking_(realm.state<runtime::AsyncTracking>()),
      messages_(std::make_unique<MessageParser>()) {
  release();
}

HttpParser::~HttpParser() {
  unconsume();
  if (input_ != nullptr) input_->parser_ = nullptr;
  if (connections_ != nullptr) link_.unlink();
  orphan_run();
}

void HttpParser::orphan_run() {
  if (run_ == nullptr) return;
  run_->orphan(std::move(messages_));
  run_ = nullptr;
}

void HttpParser::initialize(const MessageParser::Options& options, Connections* connections) {
  remove();
  orphan_run();
  if (messages_ == nullptr) messages_ = std::make_unique<MessageParser>();
  messages_->reset(options);
  outcome_ = {};
  head_result_ = 0;
  is_in_use_ = true;
  if (connections != nullptr) connections->add(*this);
}

void HttpParser::remove() {
  unconsume();
  is_in_use_ = false;
  if (connections_ != nullptr) connections_->remove(*this);
}

void HttpParser::note_begin() {
  has_head_ = false;
  head_result_ = 0;
  if (connections_ != nullptr) connections_->begin_message(*this);
}

void HttpParser::note_end() {
  if (connections_ != nullptr) connections_->end_message(*this);
}

namespace {

HttpParser* parser_of(const Arguments& info) { return Wrap::of<HttpParser>(info[0]); }

void return_size(const Arguments& info, size_t size) {
  if (size <= static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    info.GetReturnValue().Set(static_cast<int32_t>(size));
  } else {
    info.GetReturnValue().Set(static_cast<double>(size));
  }
}

// -1 if the run has failed; nothing if a hook has thrown.
void return_outcome(const Arguments& info, HttpParser& parser, const HttpRun& run, size_t size,
                    const MessageParser::Outcome& outcome) {
  if (run.has_thrown()) return;
  // Closed, removed or initialized by a hook: the rest of the input is dropped.
  if (run.is_over()) return return_size(info, size);
  parser.set_outcome(outcome);
  if (outcome.status == Status::failed) {
    info.GetReturnValue().Set(-1);
  } else {
    return_size(info, outcome.consumed);
  }
}

constexpr runtime::Constant kHooks[] = {
    {"onHeaders", HttpHook::headers},        {"onBody", HttpHook::body},
    {"onMessageEnd", HttpHook::message_end}, {"onRead", HttpHook::read},
    {"onExecuted", HttpHook::executed},
};
static_assert(runtime::names_all(kHooks, HttpHook::count));

// setHooks({name: function...}): once, before the first parser.
void set_hooks(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto& hooks = Realm::of(isolate).state<HttpHooks>();
  runtime::take_functions(isolate, info[0], kHooks,
                          [&hooks](size_t number, v8::Local<v8::Function> function) {
                            hooks.set(static_cast<HttpHook>(number), function);
                          });
}

// makePattern(prototype): the object that is cloned for each parser. lib adds its fields.
void make_pattern(const Arguments& info) {
  Realm& realm = Realm::of(info.GetIsolate());
  RONDO_EXPECT(info, info[0]->IsObject());
  const v8::Local<v8::Object> pattern = Wrap::make_pattern(realm, info[0]);
  realm.state<HttpHooks>().pattern.Reset(info.GetIsolate(), pattern);
  info.GetReturnValue().Set(pattern);
}

// createParser(): call initialize() before anything else.
void create_parser(const Arguments& info) {
  Realm& realm = Realm::of(info.GetIsolate());
  RONDO_EXPECT(info, realm.state<HttpHooks>().are_set());
  info.GetReturnValue().Set((new HttpParser(realm))->object());
}

// initialize(parser, type, maxHeaderSize, lenientFlags, list, maxHeaderPairs): for a new
// connection, which is added to the list unless that is undefined. maxHeaderPairs limits the number
// of names and values of a request; 0 and undefined mean no limit. A run of the parser that is on
// the stack ends, and drops the rest of its bytes.
void initialize(const Arguments& info) {
  HttpParser* const parser = parser_of(info);
  RONDO_EXPECT(info, parser != nullptr);
  RONDO_EXPECT(info, info[1]->IsInt32());
  const int32_t type = info[1].As<v8::Int32>()->Value();
  RONDO_EXPECT(info, type == llhttp::kRequest || type == llhttp::kResponse);
  RONDO_EXPECT(info, info[2]->IsNumber());
  const double limit = info[2].As<v8::Number>()->Value();
  RONDO_EXPECT(info, limit >= 0 && limit <= 9'007'199'254'740'991);
  RONDO_EXPECT(info, info[3]->IsUint32());
  const uint32_t lenient_flags = info[3].As<v8::Uint32>()->Value();
  RONDO_EXPECT(info, lenient_flags < 2 * llhttp::kHeaderValueRelaxed);
  auto* const connections = Wrap::of<Connections>(info[4]);
  RONDO_EXPECT(info, connections != nullptr || info[4]->IsNullOrUndefined());
  RONDO_EXPECT(info, info[5]->IsNumber() || info[5]->IsUndefined());
  parser->initialize({.kind = static_cast<MessageParser::Kind>(type),
                      .lenient_flags = static_cast<uint16_t>(lenient_flags),
                      .head_limit = static_cast<uint64_t>(limit),
                      .pair_limit = info[5]->IsNumber() ? info[5].As<v8::Number>()->Value() : 0},
                     connections);
}

// execute(parser, view): the number of bytes parsed, fewer than there are after an upgrade or
// pause; -1 after an error, see lastError(); kBusy inside a hook of the same parser, where nothing
// is parsed. A removed parser ignores all bytes.
void execute(const Arguments& info) {
  HttpParser* const parser = parser_of(info);
  RONDO_EXPECT(info, parser != nullptr);
  RONDO_EXPECT(info, info[1]->IsArrayBufferView());
  if (parser->is_running()) {
    parser->run()->note_report();
    return info.GetReturnValue().Set(kBusy);
  }
  const v8::Local<v8::ArrayBufferView> view = info[1].As<v8::ArrayBufferView>();
  if (!parser->is_in_use()) return return_size(info, view->ByteLength());
  const v8::Local<v8::ArrayBuffer> buffer = view->Buffer();
  // A hook may detach the buffer.
  const std::shared_ptr<v8::BackingStore> store = buffer->GetBackingStore();
  const size_t size = view->ByteLength();
  const char* memory = "";
  if (size > 0) memory = static_cast<const char*>(store->Data()) + view->ByteOffset();
  // This memory may be unmapped by a hook, or written to by other threads.
  std::vector<char> copy;
  if (store->IsResizableByUserJavaScript() || store->IsShared()) [[unlikely]] {
    copy.assign(memory, memory + size);
    if (size > 0) memory = copy.data();
  }
  HttpRun run(*parser, info[0], RunBy::javascript);
  run.set_input(buffer, view->ByteOffset(), memory);
  const MessageParser::Outcome outcome = parser->messages().execute(run, memory, size);
  return_outcome(info, *parser, run, size, outcome);
}

// consume(parser, stream, by lib[, word, place, id]): parses the data of the stream from now on,
// decrypted if it has a TLS engine. See HttpParser::Reads; the numbers are for traces. False if
// another consumer has the data, or if the stream is closed.
void consume(const Arguments& info) {
  HttpParser* const parser = parser_of(info);
  auto* const stream = Wrap::of<StreamHandle>(info[1]);
  RONDO_EXPECT(info, parser != nullptr);
  RONDO_EXPECT(info, parser->is_in_use());
  StreamSource* source = stream;
  if (stream != nullptr && stream->has_consumer()) source = stream->consumer()->inner_source();
  const bool is_free = source != nullptr && !source->has_consumer() && source->is_readable();
  HttpParser::Reads reads{.by_lib = info[2]->IsTrue()};
  if (info[3]->IsUint32()) {
    RONDO_EXPECT(info, info[4]->IsUint32() && info[5]->IsNumber());
    reads.trace_word = info[3].As<v8::Uint32>()->Value();
    reads.trace_place = info[4].As<v8::Uint32>()->Value();
    reads.trace_id = info[5].As<v8::Number>()->Value();
  }
  if (is_free) parser->consume(*source, reads);
  info.GetReturnValue().Set(is_free);
}

// unconsume(parser): JavaScript gets the data again.
void unconsume(const Arguments& info) {
  HttpParser* const parser = parser_of(info);
  RONDO_EXPECT(info, parser != nullptr);
  parser->unconsume();
}

// executeRead(parser): execute() for the data of the read, inside onRead().
void execute_read(const Arguments& info) {
  HttpParser* const parser = parser_of(info);
  RONDO_EXPECT(info, parser != nullptr);
  RONDO_EXPECT(info, parser->input() != nullptr);
  if (parser->is_running()) return info.GetReturnValue().Set(kBusy);
  HttpInput& input = *parser->input();
  const size_t size = input.bytes().size();
  if (!parser->is_in_use()) return return_size(info, size);
  HttpRun run(*parser, info[0], RunBy::javascript);
  run.set_input(input);
  const auto* const memory = reinterpret_cast<const char*>(input.bytes().data());
  const MessageParser::Outcome outcome = parser->messages().execute(run, memory, size);
  return_outcome(info, *parser, run, size, outcome);
}

// readData(parser): [buffer, offset, size], the data of the read, inside onRead() and onExecuted().
void read_data(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  HttpParser* const parser = parser_of(info);
  RONDO_EXPECT(info, parser != nullptr);
  RONDO_EXPECT(info, parser->input() != nullptr);
  const StreamState::Piece piece = parser->input()->keep();
  const size_t size = parser->input()->bytes().size();
  v8::Local<v8::Value> list[] = {
      piece.buffer,
      v8::Number::New(isolate, static_cast<double>(piece.offset)),
      v8::Number::New(isolate, static_cast<double>(size)),
  };
  info.GetReturnValue().Set(v8::Array::New(isolate, list, std::size(list)));
}

// finish(parser): the connection has ended. 0, or -1 if it may not end here, see lastError().
void finish(const Arguments& info) {
  HttpParser* const parser = parser_of(info);
  RONDO_EXPECT(info, parser != nullptr);
  RONDO_EXPECT(info, !parser->is_running());
  if (!parser->is_in_use()) return return_size(info, 0);
  HttpRun run(*parser, info[0], RunBy::javascript);
  const MessageParser::Outcome outcome = parser->messages().finish(run);
  return_outcome(info, *parser, run, 0, outcome);
}

// lastError(parser): {code, reason, bytesParsed} of the last run; undefined if it has not failed.
void last_error(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  HttpParser* const parser = parser_of(info);
  RONDO_EXPECT(info, parser != nullptr);
  if (parser->outcome().status != Status::failed) return;
  const MessageParser::ParseError& error = parser->messages().error();
  const v8::Local<v8::Object> result = v8::Object::New(isolate);
  runtime::set(isolate, result, "code", error.code);
  runtime::set(isolate, result, "reason", error.reason);
  runtime::set(isolate, result, "bytesParsed", static_cast<double>(parser->outcome().consumed));
  info.GetReturnValue().Set(result);
}

// pause(parser): execute() does nothing until resume(). In a hook, it ends after the hook.
void pause(const Arguments& info) {
  HttpParser* const parser = parser_of(info);
  RONDO_EXPECT(info, parser != nullptr);
  parser->messages().pause();
}

void resume(const Arguments& info) {
  HttpParser* const parser = parser_of(info);
  RONDO_EXPECT(info, parser != nullptr);
  parser->messages().resume();
}

// remove(parser): from its list. No hook is called until initialize().
void remove(const Arguments& info) {
  HttpParser* const parser = parser_of(info);
  RONDO_EXPECT(info, parser != nullptr);
  parser->remove();
}

// close(parser): frees it. Without this it is freed when its object is collected.
void close(const Arguments& info) {
  if (HttpParser* const parser = parser_of(info)) parser->destroy();
}

void create_connections_list(const Arguments& info) {
  info.GetReturnValue().Set((new Connections(Realm::of(info.GetIsolate())))->object());
}

// These return arrays of parsers; parser.h has the meanings.
void all_connections(const Arguments& info) {
  const auto* const list = Wrap::of<Connections>(info[0]);
  RONDO_EXPECT(info, list != nullptr);
  info.GetReturnValue().Set(list->all());
}
void idle_connections(const Arguments& info) {
  const auto* const list = Wrap::of<Connections>(info[0]);
  RONDO_EXPECT(info, list != nullptr);
  info.GetReturnValue().Set(list->idle());
}
void active_connections(const Arguments& info) {
  const auto* const list = Wrap::of<Connections>(info[0]);
  RONDO_EXPECT(info, list != nullptr);
  info.GetReturnValue().Set(list->active());
}

// expiredConnections(list, headersTimeout, requestTimeout), in milliseconds; 0 means no limit.
void expired_connections(const Arguments& info) {
  auto* const list = Wrap::of<Connections>(info[0]);
  RONDO_EXPECT(info, list != nullptr);
  RONDO_EXPECT(info, info[1]->IsUint32());
  RONDO_EXPECT(info, info[2]->IsUint32());
  info.GetReturnValue().Set(list->expired(Millis{info[1].As<v8::Uint32>()->Value()},
                                          Millis{info[2].As<v8::Uint32>()->Value()}));
}

constexpr runtime::Constant kTypes[] = {
    {"kRequest", llhttp::kRequest},
    {"kResponse", llhttp::kResponse},
    {"kBusy", kBusy},
};

// With Node's names.
constexpr runtime::Constant kLenientFlags[] = {
    {"kLenientNone", 0},
    {"kLenientHeaders", llhttp::kHeaders},
    {"kLenientChunkedLength", llhttp::kChunkedLength},
    {"kLenientKeepAlive", llhttp::kKeepAlive},
    {"kLenientTransferEncoding", llhttp::kTransferEncoding},
    {"kLenientVersion", llhttp::kVersion},
    {"kLenientDataAfterClose", llhttp::kDataAfterClose},
    {"kLenientOptionalLFAfterCR", llhttp::kOptionalLfAfterCr},
    {"kLenientOptionalCRLFAfterChunk", llhttp::kOptionalCrlfAfterChunk},
    {"kLenientOptionalCRBeforeLF", llhttp::kOptionalCrBeforeLf},
    {"kLenientSpacesAfterChunkSize", llhttp::kSpacesAfterChunkSize},
    {"kLenientHeaderValueRelaxed", llhttp::kHeaderValueRelaxed},
    {"kLenientAll", llhttp::kHeaderValueRelaxed - 1},  // All but the last one, as in Node.
};

constexpr runtime::Constant kHeadFlags[] = {
    {"kShouldKeepAlive", kShouldKeepAlive},
    {"kIsUpgrade", kIsUpgrade},
    {"kHasHost", kHasHost},
    {"kExpects", kExpects},
    {"kExpectsContinue", kExpectsContinue},
    {"kHasConnection", kHasConnection},
    {"kConnectionClose", kConnectionClose},
    {"kIsChunked", kIsChunked},
    {"kHasContentLength", kHasContentLength},
    {"kHasBody", kHasBody},
    {"kWideOffsets", kWideOffsets},
};

constexpr runtime::Constant kHeadResults[] = {
    {"kHasEnded", kHasEnded},
    {"kReports", kReports},
};

// Numbers from here to `kLastRtsp` are HTTP/2's preface, and methods of RTSP only.
constexpr int kPri = 34;
constexpr int kLastRtsp = 45;

void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  runtime::set_constants(isolate, target, kTypes);
  runtime::set_constants(isolate, target, kLenientFlags);
  runtime::set_constants(isolate, target, kHeadFlags);
  runtime::set_constants(isolate, target, kHeadResults);
  std::vector<const char*> methods;
  std::vector<const char*> all_methods;
  for (int i = 0; i < llhttp::kMethodCount; ++i) {
    const char* const name = llhttp::llhttp_method_name(i);
    all_methods.push_back(name);
    if (i < kPri || i > kLastRtsp) methods.push_back(name);
  }
  runtime::set_texts(isolate, target, "methods", methods);
  runtime::set_texts(isolate, target, "allMethods", all_methods);
}

constexpr runtime::Method kMethods[] = {
    {"setHooks", set_hooks},
    {"makePattern", make_pattern},
    {"createParser", create_parser},
    {"initialize", initialize},
    {"execute", execute},
    {"finish", finish},
    {"consume", consume},
    {"unconsume", unconsume},
    {"executeRead", execute_read},
    {"readData", read_data},
    {"lastError", last_error},
    {"pause", pause},
    {"resume", resume},
    {"remove", remove},
    {"close", close},
    {"createConnectionsList", create_connections_list},
    {"allConnections", all_connections},
    {"idleConnections", idle_connections},
    {"activeConnections", active_connections},
    {"expiredConnections", expired_connections},
};

}  // namespace

extern const runtime::Binding http_parser;
const runtime::Binding http_parser{"http_parser", kMethods, add_constants};

}  // namespace rondo::bindings
