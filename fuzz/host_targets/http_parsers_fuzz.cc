// The library's parser of HTTP messages and llhttp, Node's: where the library's accepts a message,
// llhttp finds the same one, with the same fields and body. Otherwise a request could be smuggled
// from one to the other. The bytes choose pieces of messages, so that many streams are nearly
// valid.
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string>
#include <vector>

#include "base/assert.h"
#include "bindings/http/message_parser.h"
#include "fuzz/input.h"
#include "io/http/parser.h"

namespace rondo::bindings {
namespace {

constexpr const char* kPieces[] = {
    "GET / HTTP/1.1\r\nHost: x\r\n",
    "POST /a?b HTTP/1.1\r\nHost: x\r\n",
    "PUT http://x/ HTTP/1.0\r\n",
    "OPTIONS * HTTP/1.1\r\nHost: [::1]:80\r\n",
    "HTTP/1.1 200 OK\r\n",
    "HTTP/1.1 204 No Content\r\n",
    "HTTP/1.0 404 \r\n",
    "HTTP/1.1 100 Continue\r\n",
    "\r\n",
    "Content-Length: 3\r\n",
    "Content-Length: 0\r\n",
    "content-length: 3, 3\r\n",
    "Content-Length : 3\r\n",
    "Transfer-Encoding: chunked\r\n",
    "Transfer-Encoding: gzip, chunked\r\n",
    "transfer-encoding: \tchunked \r\n",
    "Transfer-Encoding: chunked, identity\r\n",
    "Transfer-Encoding:\r\n",
    "Connection: close\r\n",
    "Connection: keep-alive, a\r\n",
    "A:  b c\t\r\n",
    "B:\r\n",
    " folded\r\n",
    "\t\r\n",
    "abc",
    "3\r\nabc\r\n",
    "3;a=\"b\"\r\nabc\r\n",
    "0\r\n",
    "0\r\n\r\n",
    "00000003\r\n",
    "3 \r\n",
    "0x3\r\n",
    "+3\r\n",
    "Sum: 1\r\n",
    "\r",
    "\n",
    " ",
    ":",
    ";",
    ",",
};

std::string lower(std::string_view text) {
  std::string copy(text);
  for (char& c : copy) c = http::to_lower(c);
  return copy;
}

// The messages of a stream, each as text: the target or status, the fields, the body.
using Messages = std::vector<std::string>;

class Recorder final : public MessageListener {
 public:
  void on_begin() override { text_.clear(); }
  Next on_head(const MessageHead& head) override {
    text_ = head.text;
    if (head.code >= 100) text_ = std::to_string(head.code);
    for (size_t i = 0; i < head.fields.ends.size(); i += 2) {
      text_.append("|").append(lower(head.fields.at(i))).append(":");
      text_.append(http::without_blanks(head.fields.at(i + 1)));
    }
    text_ += "\n";
    return Next::body;
  }
  bool on_body(const char* bytes, size_t size) override {
    text_.append(bytes, size);
    return true;
  }
  bool on_end(const HeaderFields&) override {
    messages_.push_back(text_);
    return true;
  }
  const Messages& messages() const { return messages_; }

 private:
  std::string text_;
  Messages messages_;
};

Messages parse_with_llhttp(bool is_response, const std::string& stream) {
  MessageParser parser;
  MessageParser::Options options;
  options.kind = is_response ? MessageParser::Kind::response : MessageParser::Kind::request;
  parser.reset(options);
  Recorder recorder;
  const auto outcome = parser.execute(recorder, stream.data(), stream.size());
  if (outcome.status == MessageParser::Outcome::Status::parsed) (void)parser.finish(recorder);
  return recorder.messages();
}

// llhttp knows only registered methods.
bool is_known(std::string_view method) {
  return method == "GET" || method == "POST" || method == "PUT" || method == "OPTIONS";
}

// Ends at a connection's last message, because llhttp parses none behind it.
Messages parse_with_ours(bool is_response, const std::string& stream) {
  const HttpLimits limits;
  HttpParser parser(is_response ? HttpParser::Kind::response : HttpParser::Kind::request, limits);
  HttpHead head;
  Messages messages;
  std::string text;
  std::string_view input = stream;
  for (;;) {
    HttpEvent event = parser.next(input, head);
    if (event == HttpEvent::more) event = parser.finish();
    if (event == HttpEvent::more || event == HttpEvent::failed) return messages;
    if (event == HttpEvent::head && !is_response && !is_known(head.method())) return messages;
    if (event == HttpEvent::head) {
      text = is_response ? std::to_string(head.status()) : std::string(head.target());
      for (size_t i = 0; i < head.fields().size(); ++i) {
        text.append("|").append(lower(head.fields()[i].name)).append(":");
        text.append(head.fields()[i].value);
      }
      text += "\n";
    } else if (event == HttpEvent::body) {
      text += parser.body();
      parser.take(input, parser.body().size());
    } else {
      messages.push_back(text);
      if (!head.keeps_alive()) return messages;
    }
  }
}

}  // namespace
}  // namespace rondo::bindings

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace rondo::bindings;
  FuzzInput input(data, size);
  const bool is_response = (input.byte() & 1) != 0;
  std::string stream;
  while (!input.is_empty()) stream += kPieces[input.below(std::size(kPieces))];
  const Messages ours = parse_with_ours(is_response, stream);
  const Messages theirs = parse_with_llhttp(is_response, stream);
  const bool is_prefix =
      ours.size() <= theirs.size() && std::equal(ours.begin(), ours.end(), theirs.begin());
  if (!is_prefix) {
    std::fprintf(stderr, "stream:\n%s\n", stream.c_str());
    for (const std::string& message : ours) std::fprintf(stderr, "ours: %s\n", message.c_str());
    for (const std::string& message : theirs) std::fprintf(stderr, "llhttp: %s\n", message.c_str());
  }
  RONDO_ASSERT(is_prefix);
  return 0;
}
