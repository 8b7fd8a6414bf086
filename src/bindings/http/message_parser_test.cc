#include "bindings/http/message_parser.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace rondo::bindings {

namespace {

using std::literals::operator""sv;
using Status = MessageParser::Outcome::Status;
using Next = MessageListener::Next;

class Log final : public MessageListener {
 public:
  void on_begin() override { text += "begin\n"; }
  Next on_head(const MessageHead& head) override {
    text += "head " + std::to_string(head.code) + ' ' + std::string(head.text) + ' ';
    add(head.fields);
    flags = head.flags;
    if (parser != nullptr) parser->pause();
    return next;
  }
  bool on_body(const char* bytes, size_t size) override {
    text.append("body ").append(bytes, size).append("\n");
    return true;
  }
  bool on_end(const HeaderFields& trailers) override {
    text += "end ";
    add(trailers);
    return true;
  }

  std::string text;
  uint32_t flags = 0;
  Next next = Next::body;
  MessageParser* parser = nullptr;  // To pause after each head.

 private:
  void add(const HeaderFields& fields) {
    for (size_t i = 0; i < fields.ends.size(); i += 2) {
      text.append(fields.at(i)).append("=").append(fields.at(i + 1)).append(";");
    }
    text += '\n';
  }
};

class Messages : public testing::Test {
 public:
  static constexpr auto kResponse = MessageParser::Kind::response;

  MessageParser::Outcome execute(std::string_view bytes) {
    return parser.execute(log, bytes.data(), bytes.size());
  }
  // The code of the error, or an empty text.
  std::string error_of(std::string_view bytes) {
    return execute(bytes).status == Status::failed ? std::string(parser.error().code) : "";
  }
  void reset(MessageParser::Options options) {
    parser.reset(options);
    log.text.clear();
  }

  MessageParser parser;
  Log log;
};

constexpr std::string_view kPost =
    "POST /a?b HTTP/1.1\r\nHost: c\r\nX:  d e \r\nTransfer-Encoding: chunked\r\n\r\n"
    "3;x=y\r\nfgh\r\n0\r\nT: u\r\n\r\n";

TEST_F(Messages, AHeadIsDeliveredWhole) {
  const MessageParser::Outcome outcome = execute(kPost);
  EXPECT_EQ(outcome.status, Status::parsed);
  EXPECT_EQ(outcome.consumed, kPost.size());
  EXPECT_EQ(log.text,
            "begin\nhead 3 /a?b Host=c;X=d e;Transfer-Encoding=chunked;\nbody fgh\nend T=u;\n");
  EXPECT_EQ(log.flags, kShouldKeepAlive | kHasHost | kIsChunked | kHasBody);
}

TEST_F(Messages, SingleBytesGiveTheSameHead) {
  for (const char& byte : kPost) ASSERT_EQ(execute({&byte, 1}).status, Status::parsed);
  EXPECT_EQ(log.text,
            "begin\nhead 3 /a?b Host=c;X=d e;Transfer-Encoding=chunked;\n"
            "body f\nbody g\nbody h\nend T=u;\n");
}

TEST_F(Messages, AResponseMayEndWithTheConnection) {
  reset({.kind = kResponse});
  execute("HTTP/1.1 200 Very Good\r\n\r\nabc");
  EXPECT_EQ(log.text, "begin\nhead 200 Very Good \nbody abc\n");
  EXPECT_EQ(log.flags, kHasBody);
  EXPECT_EQ(parser.finish(log).status, Status::parsed);
  EXPECT_EQ(log.text, "begin\nhead 200 Very Good \nbody abc\nend \n");
}

TEST_F(Messages, ARequestOfAnotherEncodingFailsBehindItsHead) {
  EXPECT_EQ(execute("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: x\r\n\r\n").status,
            Status::failed);
  EXPECT_EQ(log.text, "begin\nhead 1 / Host=a;Transfer-Encoding=x;\n");
  EXPECT_NE(log.flags & kHasBody, 0u);
}

TEST_F(Messages, ARequestMustNotEndWithTheConnection) {
  execute("POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\na");
  EXPECT_EQ(parser.finish(log).status, Status::failed);
  EXPECT_EQ(parser.error().code, "HPE_INVALID_EOF_STATE");
}

TEST_F(Messages, HeadsAreLimited) {
  for (const size_t size : {97, 98}) {
    reset({.head_limit = 100});
    // One byte for the URL, one for the name.
    const std::string text = "GET / HTTP/1.1\r\nX: " + std::string(size, 'a') + "\r\n\r\n";
    EXPECT_EQ(error_of(text), size == 97 ? "" : "HPE_HEADER_OVERFLOW");
  }
  reset({.pair_limit = 4});
  EXPECT_EQ(error_of("GET / HTTP/1.1\r\nA: a\r\nB: b\r\n\r\n"), "");
  EXPECT_EQ(error_of("GET / HTTP/1.1\r\nA: a\r\nB: b\r\nC: c\r\n\r\n"), "HPE_HEADER_OVERFLOW");
}

TEST_F(Messages, ChunkExtensionsAreLimited) {
  EXPECT_EQ(error_of("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;" +
                     std::string(20'000, 'x') + "\r\na\r\n"),
            "HPE_CHUNK_EXTENSIONS_OVERFLOW");
}

TEST_F(Messages, AmbiguousLengthsAreRefused) {
  EXPECT_EQ(error_of("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n"),
            "HPE_UNEXPECTED_CONTENT_LENGTH");
  reset({});
  EXPECT_EQ(error_of("POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"),
            "HPE_INVALID_TRANSFER_ENCODING");
}

TEST_F(Messages, AFailureIsReportedAgain) {
  EXPECT_EQ(error_of("nonsense\r\n"), "HPE_INVALID_METHOD");
  const MessageParser::Outcome outcome = execute("GET / HTTP/1.1\r\n\r\n");
  EXPECT_EQ(outcome.status, Status::failed);
  EXPECT_EQ(outcome.consumed, 0U);
}

TEST_F(Messages, NothingIsParsedAfterAnUpgrade) {
  constexpr std::string_view head = "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n";
  const MessageParser::Outcome outcome = execute(std::string(head) + "bytes");
  EXPECT_EQ(outcome.status, Status::parsed);
  EXPECT_EQ(outcome.consumed, head.size());
  EXPECT_NE(log.flags & kIsUpgrade, 0U);
}

TEST_F(Messages, TheListenerDecidesAboutTheBody) {
  reset({.kind = kResponse});
  log.next = Next::no_body;
  execute("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nHTTP/1.1 201 OK\r\n\r\n");
  EXPECT_EQ(log.text, "begin\nhead 200 OK Content-Length=3;\nend \nbegin\nhead 201 OK \nend \n");
  reset({.kind = kResponse});
  log.next = Next::stop;
  EXPECT_EQ(execute("HTTP/1.1 200 OK\r\n\r\nabc").status, Status::stopped);
}

TEST_F(Messages, APausedParserConsumesNothing) {
  log.parser = &parser;
  constexpr std::string_view request = "POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\n";
  EXPECT_EQ(execute(std::string(request) + "a").consumed, request.size());
  EXPECT_EQ(execute("a").consumed, 0U);
  parser.resume();
  EXPECT_EQ(execute("a").consumed, 1U);
  EXPECT_EQ(log.text, "begin\nhead 3 / Content-Length=1;\nbody a\nend \n");
}

TEST_F(Messages, RelaxedValuesKeepZeroBytesOutOfLlhttp) {
  reset({.lenient_flags = llhttp::kHeaderValueRelaxed});
  EXPECT_EQ(error_of("GET / HTTP/1.1\r\nX: a\1b\r\nY: \0"sv), "HPE_INVALID_HEADER_TOKEN");
  reset({.lenient_flags = llhttp::kHeaderValueRelaxed});
  execute("POST / HTTP/1.1\r\nX: \1\r\nContent-Length: 3\r\n\r\na\0b"sv);
  EXPECT_EQ(log.text, "begin\nhead 3 / X=\1;Content-Length=3;\nbody a\0b\nend \n"sv);
}

}  // namespace

}  // namespace rondo::bindings
