#include "io/http/parser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace rondo {
namespace {

// The events of a stream as text, given in pieces of at most `step` bytes.
std::string events_of(HttpParser::Kind kind, std::string_view stream, size_t step,
                      const HttpLimits& limits, bool answers_head) {
  HttpParser parser(kind, limits);
  if (answers_head) parser.expect_no_body();
  HttpHead head;
  std::string text;
  std::string body;
  const auto flush = [&] {
    if (!body.empty()) text += "body " + body + "\n";
    body.clear();
  };
  const auto add_fields = [&text](const HttpFields& fields) {
    for (size_t i = 0; i < fields.size(); ++i) {
      text += " [" + std::string(fields[i].name) + "=" + std::string(fields[i].value) + "]";
    }
  };
  while (!stream.empty()) {
    // Memory of exactly this size, for ASan.
    const std::vector<char> piece(
        stream.begin(), stream.begin() + static_cast<ptrdiff_t>(std::min(step, stream.size())));
    stream.remove_prefix(piece.size());
    std::string_view input(piece.data(), piece.size());
    for (;;) {
      const HttpEvent event = parser.next(input, head);
      if (event == HttpEvent::more) {
        EXPECT_TRUE(input.empty());
        break;
      }
      if (event == HttpEvent::body) {
        body += parser.body();
        parser.take(input, parser.body().size());
        continue;
      }
      flush();
      if (event == HttpEvent::failed) return text + http_text_of(parser.fault());
      if (event == HttpEvent::end) {
        text += "end";
        add_fields(head.trailers());
        text += "\n";
        continue;
      }
      text += kind == HttpParser::Kind::request
                  ? std::string(head.method()) + " " + std::string(head.target())
                  : std::to_string(head.status()) + " " + std::string(head.reason());
      add_fields(head.fields());
      text += "\n";
    }
  }
  const HttpEvent last = parser.finish();
  flush();
  if (last == HttpEvent::end) text += "end by close\n";
  if (last == HttpEvent::failed) text += http_text_of(parser.fault());
  return text;
}

std::string parse(HttpParser::Kind kind, std::string_view stream, const HttpLimits& limits = {},
                  bool answers_head = false) {
  const std::string whole = events_of(kind, stream, stream.size() + 1, limits, answers_head);
  for (size_t step = 1; step < 8; ++step) {
    EXPECT_EQ(events_of(kind, stream, step, limits, answers_head), whole) << "pieces of " << step;
  }
  return whole;
}
std::string request(std::string_view stream, const HttpLimits& limits = {}) {
  return parse(HttpParser::Kind::request, stream, limits);
}
std::string response(std::string_view stream, bool answers_head = false) {
  return parse(HttpParser::Kind::response, stream, {}, answers_head);
}
// A request with this line in addition to Host.
std::string with_line(const std::string& line, const std::string& body = "") {
  return request("POST / HTTP/1.1\r\nHost: x\r\n" + line + "\r\n\r\n" + body);
}
// A chunked request with this body.
std::string chunked(const std::string& body, const HttpLimits& limits = {}) {
  const std::string text =
      request("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + body, limits);
  return text.substr(text.find('\n') + 1);
}

TEST(HttpParser, ParsesRequestsThatFollowEachOther) {
  EXPECT_EQ(request("GET /a?b HTTP/1.1\r\nHost: x:80\r\nA:  b c\t \r\nEmpty:\r\n\r\n"
                    "\r\nPOST / HTTP/1.1\r\nhost: y\r\nContent-Length: 3\r\n\r\nabc"),
            "GET /a?b [Host=x:80] [A=b c] [Empty=]\nend\n"
            "POST / [host=y] [Content-Length=3]\nbody abc\nend\n");
  EXPECT_EQ(request("GET / HTTP/1.0\r\n\r\n"), "GET /\nend\n");
  EXPECT_EQ(request(""), "");
  EXPECT_EQ(request("GET / HTTP/1.1\r\nHost: x\r\n"), "truncated message");
}

TEST(HttpParser, ParsesChunkedBodies) {
  EXPECT_EQ(chunked("3\r\nabc\r\n00A;x=\"y;\" ;z\r\n0123456789\r\n0\r\n\r\n"),
            "body abc0123456789\nend\n");
  EXPECT_EQ(chunked("1\r\na\r\n0 ;q\r\nSum: 7\r\nB: c\r\n\r\n"), "body a\nend [Sum=7] [B=c]\n");
  EXPECT_EQ(chunked("5\r\nab"), "body ab\ntruncated message");
}

TEST(HttpParser, ParsesResponses) {
  EXPECT_EQ(response("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"),
            "200 OK [Content-Length=2]\nbody hi\nend\n");
  EXPECT_EQ(response("HTTP/1.0 404\r\n\r\nto the end"), "404 \nbody to the end\nend by close\n");
  EXPECT_EQ(response("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 \r\nContent-Length: 5\r\n\r\n"),
            "100 Continue\nend\n204  [Content-Length=5]\nend\n");
  EXPECT_EQ(response("HTTP/1.1 304 \r\nTransfer-Encoding: chunked\r\n\r\n"),
            "304  [Transfer-Encoding=chunked]\nend\n");
  EXPECT_EQ(response("HTTP/1.1 200 Ok\r\nContent-Length: 5\r\n\r\n", true),
            "200 Ok [Content-Length=5]\nend\n");
  EXPECT_EQ(response("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n"),
            "unknown transfer coding");
  for (const char* bad : {"HTTP/1.1 99 x", "HTTP/1.1 2000", "HTTP/1.1  200 OK", "HTTP/1.1", "",
                          "http/1.1 200 OK", "HTTP/1.1 20x OK", " HTTP/1.1 200 OK"}) {
    EXPECT_EQ(response(std::string(bad) + "\r\n\r\n"), "bad start line") << bad;
  }
}

TEST(HttpParser, HTTP_02_RefusesRequestLinesThatParsersMayReadDifferently) {
  for (const char* bad : {"GET  / HTTP/1.1",
                          "GET /  HTTP/1.1",
                          "GET / HTTP/1.1 ",
                          " GET / HTTP/1.1",
                          "GET /",
                          "GET / http/1.1",
                          "GET / HTTP/1.",
                          "GET / HTTP/11",
                          "GET /a b HTTP/1.1",
                          "G@T / HTTP/1.1",
                          "GET a HTTP/1.1",
                          "GET * HTTP/1.1",
                          "GET 1://x HTTP/1.1",
                          "CONNECT / HTTP/1.1",
                          "CONNECT a HTTP/1.1",
                          "CONNECT :1 HTTP/1.1",
                          "GET /\xC3\xA4 HTTP/1.1",
                          "GET",
                          "/ HTTP/1.1",
                          "GET\t/\tHTTP/1.1",
                          "GET / HTTP/x.1"}) {
    EXPECT_EQ(request(std::string(bad) + "\r\nHost: x\r\n\r\n"), "bad start line") << bad;
  }
  EXPECT_EQ(request("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), "unsupported version");
  EXPECT_EQ(request("GET / HTTP/1.1\nHost: x\n\n"), "control character or bare line feed");
  EXPECT_EQ(request("GET / HTTP/1.1\rHost: x\r\n\r\n"), "control character or bare line feed");
  EXPECT_EQ(request(std::string("GET /\0 HTTP/1.1", 15)), "control character or bare line feed");
  EXPECT_EQ(request("\x16\x03\x01\x02"), "control character or bare line feed");
  for (const char* good : {"OPTIONS * HTTP/1.1", "GET http://a/b HTTP/1.1", "CONNECT a:1 HTTP/1.1",
                           "GET /?q=://# HTTP/1.9"}) {
    const std::string line = good;
    EXPECT_EQ(request(line + "\r\nHost: x\r\n\r\n"),
              line.substr(0, line.rfind(' ')) + " [Host=x]\nend\n");
  }
}

TEST(HttpParser, HTTP_02_RefusesFieldsThatParsersMayReadDifferently) {
  for (const char* bad : {"A : b", " folded", "\tfolded", ": x", "A", "A b: c", "A\xC3: b"}) {
    EXPECT_EQ(with_line(bad), "bad header field") << bad;
  }
  for (const char* bad : {"A: b\n", "A: b\nC: d", "A: b\rC: d", "A: \x7f", "A: \x01", "A\n: b"}) {
    EXPECT_EQ(with_line(bad), "control character or bare line feed") << bad;
  }
  EXPECT_EQ(with_line("A: \xC3\xA4\t,"), "POST / [Host=x] [A=\xC3\xA4\t,]\nend\n");
  EXPECT_EQ(with_line("Host: x"), "bad host");
  EXPECT_EQ(request("GET / HTTP/1.1\r\n\r\n"), "bad host");
  EXPECT_EQ(request("GET / HTTP/1.1\r\nHost: a, b\r\n\r\n"), "bad host");
  EXPECT_EQ(request("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"), "bad host");
  EXPECT_EQ(with_line("Expect: more"), "unknown expectation");
}

TEST(HttpParser, HTTP_02_RefusesAmbiguousLengths) {
  for (const char* bad : {"", "-1", "+1", "1,1", "0x1", "1 1", "a", "1."}) {
    EXPECT_EQ(with_line("Content-Length: " + std::string(bad)), "bad content length") << bad;
  }
  EXPECT_EQ(with_line("Content-Length: 1\r\nContent-length: 1", "a"), "bad content length");
  EXPECT_EQ(with_line("Content-Length: 99999999999999999999"), "body too large");
  EXPECT_EQ(with_line("Content-Length: 003", "abc"),
            "POST / [Host=x] [Content-Length=003]\nbody abc\nend\n");
  EXPECT_EQ(with_line("Content-Length: 1\r\nTransfer-Encoding: chunked"), "bad transfer coding");
  EXPECT_EQ(with_line("Transfer-Encoding: chunked\r\nContent-Length: 1"), "bad transfer coding");
  for (const char* bad :
       {"", "chunked, chunked", "chunked\r\nTransfer-Encoding: chunked", ", chunked", "chunked,",
        "\r\nTransfer-Encoding: chunked", "gzip\r\nTransfer-Encoding: chunked"}) {
    EXPECT_EQ(with_line("Transfer-Encoding: " + std::string(bad)), "bad transfer coding") << bad;
  }
  for (const char* bad : {"gzip", "xchunked", "gzip, chunked", "chunked, gzip", "chunked;a=b",
                          "\"chunked\"", "identity"}) {
    EXPECT_EQ(with_line("Transfer-Encoding: " + std::string(bad)), "unknown transfer coding")
        << bad;
  }
  EXPECT_EQ(request("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"),
            "bad transfer coding");
}

TEST(HttpParser, HTTP_02_RefusesMalformedChunks) {
  for (const char* bad : {"\r\n", "g\r\n", "-1\r\n", "0x1\r\n", "1\n", " 1\r\n", "1 \r\n", "1\r\r",
                          ";a\r\n", "1;a\n", "1;a\rb", "1000000000000000\r\n", "1 x\r\n"}) {
    EXPECT_EQ(chunked(bad), "bad chunk") << bad;
  }
  EXPECT_EQ(chunked("1\r\nab\r\n"), "body a\nbad chunk");
  EXPECT_EQ(chunked("1\r\na\n"), "body a\nbad chunk");
  EXPECT_EQ(chunked("1\r\na\rb"), "body a\nbad chunk");
  EXPECT_EQ(chunked("0\r\nA : b\r\n\r\n"), "bad header field");
  for (const char* bad : {"Content-Length: 1", "transfer-encoding: chunked", "Host: x"}) {
    EXPECT_EQ(chunked("0\r\n" + std::string(bad) + "\r\n\r\n"), "bad header field");
  }
  EXPECT_EQ(chunked("0\r\nA: b\n\r\n"), "control character or bare line feed");
}

TEST(HttpParser, HTTP_03_SizesAreLimited) {
  HttpLimits limits;
  limits.head = 64;
  limits.target = 20;
  limits.fields = 3;
  limits.extensions = 8;
  limits.body = 10;
  const std::string start = "POST / HTTP/1.1\r\nHost: x\r\n";
  EXPECT_EQ(request("GET /" + std::string(20, 'a') + " HTTP/1.1\r\n\r\n", limits),
            "target too long");
  EXPECT_EQ(request("GET /" + std::string(200, 'a'), limits), "target too long");
  EXPECT_EQ(request(start + "A: " + std::string(200, 'a'), limits), "head too large");
  EXPECT_EQ(request(start + "A: " + std::string(31, 'a') + "\r\n\r\n", limits),
            "POST / [Host=x] [A=" + std::string(31, 'a') + "]\nend\n");
  EXPECT_EQ(request(start + "A: " + std::string(32, 'a') + "\r\n\r\n", limits), "head too large");
  EXPECT_EQ(request(start + "A:\r\nB:\r\nC:\r\n\r\n", limits), "head too large");
  EXPECT_EQ(request(std::string(70, '\r') + "\n", limits), "control character or bare line feed");
  std::string empty_lines;
  for (int i = 0; i < 40; ++i) empty_lines += "\r\n";
  EXPECT_EQ(request(empty_lines, limits), "target too long");
  EXPECT_EQ(request(start + "Content-Length: 11\r\n\r\n", limits), "body too large");
  limits.head = 128;
  EXPECT_EQ(chunked("6\r\nabcdef\r\n5\r\n", limits), "body abcdef\nbody too large");
  EXPECT_EQ(chunked("1;1234567\r\na\r\n0\r\n\r\n", limits), "body a\nend\n");
  EXPECT_EQ(chunked("1;1234\r\na\r\n1;1234\r\n", limits), "body a\nbad chunk");
  EXPECT_EQ(chunked("0\r\nA: " + std::string(200, 'a'), limits), "head too large");
  EXPECT_EQ(chunked("0\r\nA:\r\nB:\r\nC:\r\nD:\r\n\r\n", limits), "head too large");
}

TEST(HttpParser, InterpretsTheFieldsOfAConnection) {
  const auto head_of = [](std::string_view text) {
    const HttpLimits limits;
    HttpParser parser(HttpParser::Kind::request, limits);
    HttpHead head;
    EXPECT_EQ(parser.next(text, head), HttpEvent::head);
    return head;
  };
  EXPECT_TRUE(head_of("GET / HTTP/1.1\r\nHost: x\r\n\r\n").keeps_alive());
  EXPECT_FALSE(head_of("GET / HTTP/1.0\r\n\r\n").keeps_alive());
  EXPECT_TRUE(head_of("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n").keeps_alive());
  const HttpHead closing =
      head_of("GET / HTTP/1.1\r\nHost: x\r\nConnection: a,, Close ,upgrade\r\nUpgrade: b\r\n\r\n");
  EXPECT_FALSE(closing.keeps_alive());
  EXPECT_TRUE(closing.asks_upgrade());
  const HttpHead put = head_of("PUT /a?b?c HTTP/1.1\r\nHOST: x\r\nExpect: 100-Continue\r\n\r\n");
  EXPECT_TRUE(put.expects_continue());
  EXPECT_EQ(put.path(), "/a");
  EXPECT_EQ(put.query(), "b?c");
  EXPECT_EQ(put["host"], "x");
  EXPECT_EQ(put["missing"], "");
  EXPECT_TRUE(put.fields().has("expect"));
  EXPECT_FALSE(put.fields().has("exp"));
}

TEST(HttpParser, AFailureIsPermanent) {
  const HttpLimits limits;
  HttpParser parser(HttpParser::Kind::request, limits);
  HttpHead head;
  std::string_view input = "GET / HTTP/3.0\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n";
  EXPECT_EQ(parser.next(input, head), HttpEvent::failed);
  EXPECT_EQ(parser.next(input, head), HttpEvent::failed);
  EXPECT_EQ(parser.finish(), HttpEvent::failed);
  EXPECT_EQ(http_status_of(parser.fault()), 505);
}

}  // namespace
}  // namespace rondo
