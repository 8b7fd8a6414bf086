// The parser of HTTP messages: the same bytes give the same events, however they are split, and the
// positions of header fields are valid. Starts with four bytes of options; the rest is the stream.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "base/assert.h"
#include "bindings/http/message_parser.h"
#include "fuzz/input.h"

namespace rondo::bindings {
namespace {

using Status = MessageParser::Outcome::Status;

// Writes the events of a stream as text.
class Recorder final : public MessageListener {
 public:
  Recorder(size_t head_limit, unsigned answers) : head_limit_(head_limit), answers_(answers) {}

  void on_begin() override { begin("begin"); }
  Next on_head(const MessageHead& head) override {
    begin("head");
    text_ += std::to_string(head.flags) + ' ' + std::to_string(head.code) + ' ';
    text_.append(head.text).append("\n");
    add_fields(head.fields);
    RONDO_ASSERT(head.text.size() + head.fields.bytes.size() < head_limit_);
    const unsigned answer = answers_ & 3;
    answers_ >>= 2;
    is_upgrade_ = (head.flags & kIsUpgrade) != 0 || answer == 3;
    // Most messages have a body.
    return answer == 3 ? Next::upgrade : answer == 2 ? Next::no_body : Next::body;
  }
  bool on_body(const char* bytes, size_t size) override {
    RONDO_ASSERT(size > 0);
    if (!is_in_body_) begin("body");
    is_in_body_ = true;
    text_.append(bytes, size);
    return true;
  }
  bool on_end(const HeaderFields& trailers) override {
    begin("end");
    add_fields(trailers);
    is_over_ = is_upgrade_;
    return true;
  }
  // Another protocol follows.
  bool is_over() const { return is_over_; }
  // The position and the reason of a failure depend on the pieces, because limits are checked for
  // each.
  void finish(const MessageParser::Outcome& outcome, const MessageParser& parser, size_t consumed) {
    if (outcome.status == Status::failed) {
      RONDO_ASSERT(!parser.error().code.empty());
      begin("failed");
    } else {
      begin("parsed");
      text_ += std::to_string(consumed);
    }
  }
  const std::string& text() const { return text_; }

 private:
  void begin(std::string_view name) {
    is_in_body_ = false;
    text_.append("\n").append(name).append(" ");
  }
  void add_fields(const HeaderFields& fields) {
    RONDO_ASSERT(fields.ends.size() % 2 == 0);
    RONDO_ASSERT(std::is_sorted(fields.ends.begin(), fields.ends.end()));
    RONDO_ASSERT(fields.ends.empty() || fields.ends.back() <= fields.bytes.size());
    for (size_t i = 0; i < fields.ends.size(); ++i) text_.append(fields.at(i)).append("|");
  }

  const size_t head_limit_;
  unsigned answers_;
  bool is_in_body_ = false;
  bool is_upgrade_ = false;
  bool is_over_ = false;
  std::string text_;
};

// Feeds the stream in pieces of at most `step` bytes, in memory of exactly that size.
std::string parse(MessageParser& parser, const MessageParser::Options& options, unsigned answers,
                  const std::vector<char>& stream, size_t step) {
  parser.reset(options);
  Recorder recorder(static_cast<size_t>(options.head_limit), answers);
  MessageParser::Outcome outcome{Status::parsed, 0};
  size_t consumed = 0;
  while (consumed < stream.size()) {
    const auto from = stream.begin() + static_cast<ptrdiff_t>(consumed);
    const size_t size = std::min(step, stream.size() - consumed);
    const std::vector<char> piece(from, from + static_cast<ptrdiff_t>(size));
    outcome = parser.execute(recorder, piece.data(), size);
    RONDO_ASSERT(outcome.consumed <= size);
    consumed += outcome.consumed;
    if (outcome.status != Status::parsed || outcome.consumed < size || recorder.is_over()) break;
  }
  if (outcome.status == Status::parsed && consumed == stream.size() && !recorder.is_over()) {
    outcome = parser.finish(recorder);
  }
  recorder.finish(outcome, parser, consumed);
  return recorder.text();
}

}  // namespace
}  // namespace rondo::bindings

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace rondo::bindings;
  FuzzInput input(data, size);
  const unsigned kind = input.byte();
  MessageParser::Options options;
  options.kind = (kind & 1) != 0 ? MessageParser::Kind::response : MessageParser::Kind::request;
  if ((kind & 2) != 0) options.lenient_flags = llhttp::kHeaderValueRelaxed;
  if ((kind & 4) != 0) options.lenient_flags |= llhttp::kHeaderValueRelaxed - 1;
  options.head_limit = (kind & 8) != 0 ? 64 : 16 * 1024;
  options.pair_limit = (kind & 16) != 0 ? 4 : 2000;
  const unsigned answers = (kind & 32) != 0 ? input.word() : 0;
  const size_t step = 1 + input.below(16);
  std::vector<char> stream;
  while (!input.is_empty()) stream.push_back(static_cast<char>(input.byte()));
  MessageParser parser;
  const std::string whole = parse(parser, options, answers, stream, stream.size() + 1);
  const std::string split = parse(parser, options, answers, stream, step);
  if (split != whole) {
    std::fprintf(stderr, "whole:%s\n\nsplit:%s\n", whole.c_str(), split.c_str());
    RONDO_ASSERT(split == whole);
  }
  return 0;
}
