// The parser of HTTP/1.1 messages: the same bytes give the same events, however they are split, and
// nothing is accessed outside of them. Three bytes of options; the rest is the stream.
#include <algorithm>
#include <string>
#include <vector>

#include "base/assert.h"
#include "fuzz/input.h"
#include "io/http/parser.h"

namespace rondo {
namespace {

std::string text_of(const HttpHead& head, const HttpFields& fields) {
  std::string text = std::string(head.method()) + ' ' + std::string(head.target()) + ' ' +
                     std::to_string(head.status()) + ' ' + std::to_string(head.length());
  for (size_t i = 0; i < fields.size(); ++i) {
    RONDO_ASSERT(http::is_token(fields[i].name));
    RONDO_ASSERT(http::all_of(fields[i].value, http::kText));
    text.append("|").append(fields[i].name).append(":").append(fields[i].value);
  }
  return text;
}

// Takes at most `most` bytes of a body at once.
std::string parse(HttpParser& parser, const std::vector<char>& stream, size_t step, size_t most) {
  HttpHead head;
  std::string text;
  bool is_in_body = false;
  parser.reset();
  for (size_t at = 0; at < stream.size();) {
    const size_t size = std::min(step, stream.size() - at);
    const auto from = stream.begin() + static_cast<ptrdiff_t>(at);
    const std::vector<char> piece(from, from + static_cast<ptrdiff_t>(size));
    at += size;
    std::string_view input(piece.data(), piece.size());
    for (;;) {
      const HttpEvent event = parser.next(input, head);
      if (event == HttpEvent::more) break;
      if (event == HttpEvent::body) {
        if (!is_in_body) text += "\nbody ";
        is_in_body = true;
        const size_t taken = std::min(most, parser.body().size());
        text += parser.body().substr(0, taken);
        parser.take(input, taken);
        continue;
      }
      is_in_body = false;
      if (event == HttpEvent::failed) return text + "\n" + http_text_of(parser.fault());
      text += event == HttpEvent::head ? "\nhead " + text_of(head, head.fields())
                                       : "\nend " + text_of(head, head.trailers());
    }
    RONDO_ASSERT(input.empty());
  }
  const HttpEvent last = parser.finish();
  if (last == HttpEvent::failed) return text + "\n" + http_text_of(parser.fault());
  return last == HttpEvent::end ? text + "\nend by close" : text;
}

}  // namespace
}  // namespace rondo

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace rondo;
  FuzzInput input(data, size);
  const unsigned kind = input.byte();
  HttpLimits limits;
  if ((kind & 2) != 0) limits = {64, 16, 4, 8, 32};
  const size_t step = 1 + input.below(16);
  const size_t most = 1 + input.below(8);
  std::vector<char> stream;
  while (!input.is_empty()) stream.push_back(static_cast<char>(input.byte()));
  HttpParser parser((kind & 1) != 0 ? HttpParser::Kind::response : HttpParser::Kind::request,
                    limits);
  const std::string whole = parse(parser, stream, stream.size() + 1, SIZE_MAX);
  RONDO_ASSERT(parse(parser, stream, step, most) == whole);
  return 0;
}
