#include "bindings/http/message_parser.h"

#include <algorithm>
#include <cstring>

#include "base/assert.h"

namespace rondo::bindings {

namespace {

// The extensions of one chunk, as in Node. Their contents are ignored.
constexpr uint64_t kMostExtensionBytes = 16 * 1024;
// Positions in a head are 32 bits, and a head becomes one string of V8: at most 512 MiB.
constexpr uint64_t kLargestHead = 500'000'000;
// A larger buffer is freed when the parser is reused.
constexpr size_t kMostKept = 64 * 1024;

constexpr MessageParser::ParseError kHeadTooLarge{"HPE_HEADER_OVERFLOW", "Header overflow"};
constexpr MessageParser::ParseError kExtensionsTooLarge{"HPE_CHUNK_EXTENSIONS_OVERFLOW",
                                                        "Chunk extensions overflow"};
constexpr MessageParser::ParseError kListenerStopped{"HPE_JS_EXCEPTION", "JS Exception"};

bool is_space(char c) { return c == ' ' || c == '\t'; }

// For letters and hyphens only.
bool equals(std::string_view text, std::string_view lower_case) {
  return std::equal(text.begin(), text.end(), lower_case.begin(), lower_case.end(),
                    [](char a, char b) { return (a | 0x20) == b; });
}

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Node looks for 100-continue as a whole word, anywhere in the value.
bool expects_continue(std::string_view value) {
  constexpr std::string_view kWord = "100-continue";
  for (size_t i = 0; i + kWord.size() <= value.size(); ++i) {
    const size_t end = i + kWord.size();
    if (value[i] == '1' && value.substr(i, 4) == "100-" &&
        equals(value.substr(i + 4, kWord.size() - 4), kWord.substr(4)) &&
        (i == 0 || !is_word(value[i - 1])) && (end == value.size() || !is_word(value[end]))) {
      return true;
    }
  }
  return false;
}

MessageParser& owner(llhttp::Parser* parser) { return *static_cast<MessageParser*>(parser->data); }

}  // namespace

struct MessageParser::Calls {
  static int begin(llhttp::Parser* parser) {
    MessageParser& self = owner(parser);
    self.clear_fields();
    self.text_.clear();
    self.extension_bytes_ = 0;
    self.listener_->on_begin();
    return 0;
  }
  static int text(llhttp::Parser* parser, const char* bytes, size_t size) {
    return owner(parser).add_text(bytes, size);
  }
  static int name(llhttp::Parser* parser, const char* bytes, size_t size) {
    return owner(parser).add_name(bytes, size);
  }
  static int value(llhttp::Parser* parser, const char* bytes, size_t size) {
    return owner(parser).add_value(bytes, size);
  }
  static int head(llhttp::Parser* parser) { return owner(parser).finish_head(); }
  static int body(llhttp::Parser* parser, const char* bytes, size_t size) {
    if (size == 0) return 0;
    MessageParser& self = owner(parser);
    if (!self.listener_->on_body(bytes, size)) {
      self.refusal_ = kListenerStopped;
      return self.stop(llhttp::kUser);
    }
    return self.go_on();
  }
  static int end(llhttp::Parser* parser) { return owner(parser).finish_message(); }
  static int extension(llhttp::Parser* parser, const char*, size_t size) {
    MessageParser& self = owner(parser);
    self.extension_bytes_ += size;
    return self.extension_bytes_ > kMostExtensionBytes ? self.refuse(kExtensionsTooLarge) : 0;
  }
  static int chunk_head(llhttp::Parser* parser) {
    MessageParser& self = owner(parser);
    self.head_bytes_ = 0;
    self.extension_bytes_ = 0;
    // Trailers follow the last chunk.
    return parser->content_length == 0 ? self.enter(false) : 0;
  }
  static int chunk_end(llhttp::Parser* parser) {
    owner(parser).head_bytes_ = 0;
    return 0;
  }
  static constexpr llhttp::Settings kSettings = {
      .message_begin = begin,
      .url = text,
      .status = text,
      .header_field = name,
      .header_value = value,
      .chunk_extension_name = extension,
      .chunk_extension_value = extension,
      .headers_complete = head,
      .body = body,
      .message_complete = end,
      .chunk_header = chunk_head,
      .chunk_complete = chunk_end,
  };
};

MessageParser::MessageParser() { reset({}); }

void MessageParser::reset(const Options& options) {
  RONDO_ASSERT(listener_ == nullptr);
  options_ = options;
  options_.head_limit = std::min(options.head_limit, kLargestHead);
  llhttp::llhttp_init(&parser_, static_cast<int>(options.kind), &Calls::kSettings);
  parser_.data = this;
  parser_.lenient_flags = options.lenient_flags;
  is_pause_requested_ = false;
  is_stopped_ = false;
  is_interlude_ = false;
  is_in_body_ = false;
  head_bytes_ = 0;
  extension_bytes_ = 0;
  clear_fields();
  text_.clear();
  if (text_.capacity() > kMostKept) text_ = {};
  if (fields_.capacity() > kMostKept) fields_ = {};
  if (ends_.capacity() > kMostKept / sizeof ends_[0]) ends_ = {};
  error_ = {};
}

MessageParser::Outcome MessageParser::execute(MessageListener& listener, const char* bytes,
                                              size_t size) {
  RONDO_ASSERT(listener_ == nullptr);
  if (parser_.error == llhttp::kPaused) return {Outcome::Status::parsed, 0};
  // A parser that has failed reports the same error again, with a position in an earlier input.
  const bool has_failed = parser_.error != llhttp::kOk;
  listener_ = &listener;
  const bool is_relaxed = (parser_.lenient_flags & llhttp::kHeaderValueRelaxed) != 0;
  const int code =
      is_relaxed ? execute_relaxed(bytes, size) : llhttp::llhttp_execute(&parser_, bytes, size);
  listener_ = nullptr;
  if (code == llhttp::kOk) return {Outcome::Status::parsed, size};
  const size_t consumed =
      has_failed ? 0 : std::min(size, static_cast<size_t>(parser_.error_position - bytes));
  if (code == llhttp::kPausedUpgrade) {
    llhttp::llhttp_resume_after_upgrade(&parser_);
    return {Outcome::Status::parsed, consumed};
  }
  return fail(code, consumed);
}

// llhttp 9.4 never returns from a zero byte in a value if kHeaderValueRelaxed is set. So a zero
// byte outside of a body is passed alone, without this flag, and is an error or harmless. llhttp is
// paused where bodies begin and end, because their zero bytes are valid.
int MessageParser::execute_relaxed(const char* bytes, size_t size) {
  const char* const end = bytes + size;
  int code = llhttp::kOk;
  is_relaxed_ = true;
  do {
    is_interlude_ = false;
    const char* stop = end;
    if (!is_in_body_ && bytes != end) {
      const void* const zero = std::memchr(bytes, 0, static_cast<size_t>(end - bytes));
      if (zero == bytes) {
        stop = bytes + 1;
        parser_.lenient_flags &= static_cast<uint16_t>(~llhttp::kHeaderValueRelaxed);
      } else if (zero != nullptr) {
        stop = static_cast<const char*>(zero);
      }
    }
    code = llhttp::llhttp_execute(&parser_, bytes, static_cast<size_t>(stop - bytes));
    parser_.lenient_flags |= llhttp::kHeaderValueRelaxed;
    if (code == llhttp::kPaused && is_interlude_) {
      llhttp::llhttp_resume(&parser_);
      code = llhttp::kOk;
      stop = parser_.error_position;
    }
    bytes = stop;
  } while (code == llhttp::kOk && (bytes != end || is_interlude_));
  is_relaxed_ = false;
  return code;
}

MessageParser::Outcome MessageParser::finish(MessageListener& listener) {
  RONDO_ASSERT(listener_ == nullptr);
  listener_ = &listener;
  const int code = llhttp::llhttp_finish(&parser_);
  listener_ = nullptr;
  if (code == llhttp::kOk || is_stopped_) parser_.finish = llhttp::kFinishSafe;
  if (code == llhttp::kOk) return {Outcome::Status::parsed, 0};
  // llhttp only returns the code here.
  if (is_stopped_) parser_.error = code;
  return fail(code, 0);
}

MessageParser::Outcome MessageParser::fail(int code, size_t consumed) {
  if (is_stopped_) {
    is_stopped_ = false;
    return {Outcome::Status::stopped, consumed};
  }
  // As in Node, an error in a message that asked for an upgrade is not reported.
  if (code == llhttp::kPaused || parser_.upgrade != 0) return {Outcome::Status::parsed, consumed};
  if (code == llhttp::kUser) {
    error_ = refusal_;
  } else {
    error_ = {llhttp::llhttp_errno_name(code), parser_.reason != nullptr ? parser_.reason : ""};
  }
  return {Outcome::Status::failed, consumed};
}

void MessageParser::pause() {
  if (listener_ != nullptr) {
    is_pause_requested_ = true;
  } else {
    llhttp::llhttp_pause(&parser_);
  }
}

void MessageParser::resume() {
  is_pause_requested_ = false;
  if (listener_ == nullptr) llhttp::llhttp_resume(&parser_);
}

int MessageParser::refuse(const ParseError& error) {
  refusal_ = error;
  return llhttp::kUser;
}

int MessageParser::stop(int code) {
  is_stopped_ = true;
  is_pause_requested_ = false;
  return code;
}

int MessageParser::go_on() {
  if (!is_pause_requested_) return 0;
  is_pause_requested_ = false;
  return llhttp::kPaused;
}

int MessageParser::enter(bool is_body) {
  is_in_body_ = is_body;
  const int code = go_on();
  is_interlude_ = code == 0 && is_relaxed_;
  return is_interlude_ ? llhttp::kPaused : code;
}

int MessageParser::count_bytes(size_t size) {
  head_bytes_ += size;
  return head_bytes_ >= options_.head_limit ? refuse(kHeadTooLarge) : 0;
}

int MessageParser::add_text(const char* bytes, size_t size) {
  if (const int code = count_bytes(size); code != 0) return code;
  text_.append(bytes, size);
  return 0;
}

int MessageParser::add_name(const char* bytes, size_t size) {
  if (const int code = count_bytes(size); code != 0) return code;
  if (part_ != Part::name) {
    if (options_.kind == Kind::request && options_.pair_limit > 0) {
      pairs_ += 2;
      if (pairs_ > options_.pair_limit) return refuse(kHeadTooLarge);
    }
    end_value();
    part_ = Part::name;
  }
  fields_.append(bytes, size);
  return 0;
}

int MessageParser::add_value(const char* bytes, size_t size) {
  if (const int code = count_bytes(size); code != 0) return code;
  if (part_ == Part::name) {
    ends_.push_back(static_cast<uint32_t>(fields_.size()));
    part_ = Part::value;
  }
  fields_.append(bytes, size);
  return 0;
}

void MessageParser::end_value() {
  if (part_ == Part::none) return;
  // llhttp passes a value for every name, even an empty one. Bytes from outside must not end the
  // process if that changes.
  if (part_ == Part::name) ends_.push_back(static_cast<uint32_t>(fields_.size()));
  // llhttp skips white space before the value only.
  while (fields_.size() > ends_.back() && is_space(fields_.back())) fields_.pop_back();
  ends_.push_back(static_cast<uint32_t>(fields_.size()));
}

HeaderFields MessageParser::take_fields() {
  end_value();
  part_ = Part::none;
  return {fields_, ends_};
}

void MessageParser::clear_fields() {
  fields_.clear();
  ends_.clear();
  part_ = Part::none;
  pairs_ = 0;
}

int MessageParser::finish_head() {
  head_bytes_ = 0;
  const HeaderFields fields = take_fields();
  const uint16_t code =
      options_.kind == Kind::request ? uint16_t{parser_.method} : parser_.status_code;
  const MessageHead head{.flags = head_flags(fields),
                         .major = parser_.major,
                         .minor = parser_.minor,
                         .code = code,
                         .text = text_,
                         .fields = fields};
  const MessageListener::Next next = listener_->on_head(head);
  clear_fields();
  if (next == MessageListener::Next::stop) return stop(-1);
  const int pause = enter(true);
  if (pause == 0) return static_cast<int>(next);
  if (next == MessageListener::Next::body) return pause;
  // llhttp accepts only one of the two results, so the other one is applied here.
  parser_.flags |= llhttp::kSkipBody;
  if (next == MessageListener::Next::upgrade) parser_.upgrade = 1;
  return pause;
}

int MessageParser::finish_message() {
  const HeaderFields trailers = take_fields();
  const bool goes_on = listener_->on_end(trailers);
  clear_fields();
  return goes_on ? enter(false) : stop(-1);
}

bool MessageParser::has_body() const {
  if (options_.kind == Kind::response) {
    const uint16_t status = parser_.status_code;
    if ((status >= 100 && status <= 103) || status == 204 || status == 304) return false;
  } else if (parser_.method == llhttp::kConnect) {
    return false;
  }
  if ((parser_.flags & llhttp::kChunked) != 0) return true;
  // Another encoding: the length of the body is unknown, which is an error in most requests. It
  // follows the head, so the message is not complete yet.
  if ((parser_.flags & llhttp::kHasTransferEncoding) != 0) return true;
  if ((parser_.flags & llhttp::kContentLength) != 0) return parser_.content_length > 0;
  return llhttp::llhttp_message_needs_eof(&parser_) != 0;
}

uint32_t MessageParser::head_flags(const HeaderFields& fields) const {
  uint32_t flags = 0;
  if (llhttp::llhttp_should_keep_alive(&parser_) != 0) flags |= kShouldKeepAlive;
  if (parser_.upgrade != 0) flags |= kIsUpgrade;
  if ((parser_.flags & llhttp::kConnectionClose) != 0) flags |= kConnectionClose;
  if ((parser_.flags & llhttp::kChunked) != 0) flags |= kIsChunked;
  if ((parser_.flags & llhttp::kContentLength) != 0) flags |= kHasContentLength;
  if (has_body()) flags |= kHasBody;
  for (size_t i = 0; i + 1 < fields.ends.size(); i += 2) {
    const std::string_view name = fields.at(i);
    if (name.size() == 4 && equals(name, "host")) {
      flags |= kHasHost;
    } else if (name.size() == 10 && equals(name, "connection")) {
      flags |= kHasConnection;
    } else if (name.size() == 6 && equals(name, "expect")) {
      flags |= kExpects;
      if (expects_continue(fields.at(i + 1))) flags |= kExpectsContinue;
    }
  }
  return flags;
}

}  // namespace rondo::bindings
