// The codecs: decoding reverses encoding, sizes are as computed, and nothing is accessed outside of
// the allocated memory, which has exactly the size that the headers require.
#include <algorithm>
#include <vector>

#include "base/assert.h"
#include "base/encoding/ascii.h"
#include "base/encoding/base64.h"
#include "base/encoding/hex.h"
#include "base/encoding/search.h"
#include "base/encoding/utf8.h"
#include "fuzz/input.h"

namespace rondo::encoding {
namespace {

using Bytes = std::vector<uint8_t>;

void check_hex(const Bytes& data) {
  Bytes digits(2 * data.size());
  encode_hex(data.data(), data.size(), digits.data());
  Bytes back(data.size());
  RONDO_ASSERT(decode_hex(digits.data(), digits.size(), back.data(), back.size()) == data.size());
  RONDO_ASSERT(back == data);
  // The input as digits.
  Bytes half(data.size() / 2);
  const size_t written = decode_hex(data.data(), data.size(), half.data(), half.size());
  RONDO_ASSERT(written <= half.size());
}

void check_base64(const Bytes& data, size_t capacity) {
  for (const auto alphabet : {Base64Alphabet::standard, Base64Alphabet::url}) {
    Bytes text(base64_length(data.size(), alphabet));
    encode_base64(data.data(), data.size(), alphabet, text.data());
    Bytes back(data.size());
    RONDO_ASSERT(decode_base64(text.data(), text.size(), back.data(), back.size()) == data.size());
    RONDO_ASSERT(back == data);
  }
  // The input as text; both decoders give the same result if the strict one accepts it.
  Bytes some(capacity);
  RONDO_ASSERT(decode_base64(data.data(), data.size(), some.data(), capacity) <= capacity);
  Bytes strict(decoded_base64_bound(data.size()));
  Bytes loose(strict.size());
  size_t written = 0;
  if (decode_base64_strictly(data.data(), data.size(), strict.data(), &written) ==
      StrictBase64::ok) {
    RONDO_ASSERT(decode_base64(data.data(), data.size(), loose.data(), loose.size()) == written);
    RONDO_ASSERT(std::equal(strict.begin(), strict.begin() + static_cast<ptrdiff_t>(written),
                            loose.begin()));
  }
}

void check_utf8(const Bytes& data, size_t capacity) {
  std::vector<char16_t> units(data.size());
  const Utf8Decoded decoded = decode_utf8(data.data(), data.size(), units.data());
  RONDO_ASSERT(decoded.units <= units.size());
  RONDO_ASSERT(decoded.has_errors == !is_utf8(data.data(), data.size()));
  RONDO_ASSERT(decoded.fits_latin1 == fits_latin1(units.data(), decoded.units));
  const size_t length = utf8_length_of_utf16(units.data(), decoded.units);
  Bytes again(length);
  const Utf8Encoded encoded =
      encode_utf16_as_utf8(units.data(), decoded.units, again.data(), length);
  RONDO_ASSERT(encoded.read == decoded.units);
  RONDO_ASSERT(encoded.written == length);
  RONDO_ASSERT(is_utf8(again.data(), length));
  if (!decoded.has_errors) RONDO_ASSERT(again == data);

  Bytes latin1(data.size());
  size_t written = 0;
  const bool is_latin1 = decode_utf8_to_latin1(data.data(), data.size(), latin1.data(), &written);
  RONDO_ASSERT(is_latin1 == (decoded.fits_latin1 && !decoded.has_errors));
  if (is_latin1) RONDO_ASSERT(written == decoded.units);

  // Split anywhere, the two halves give the same text if the incomplete tail is kept for the
  // second.
  const size_t cut = std::min(capacity, data.size());
  const Bytes head(data.begin(), data.begin() + static_cast<ptrdiff_t>(cut));
  const size_t tail = incomplete_utf8_tail(head.data(), cut);
  RONDO_ASSERT(tail <= 3 && tail <= cut);
  const Utf8Decoded first = decode_utf8(head.data(), cut - tail, units.data());
  const Utf8Decoded second =
      decode_utf8(data.data() + cut - tail, data.size() - cut + tail, units.data() + first.units);
  RONDO_ASSERT(first.units + second.units == decoded.units);

  // A small buffer gets whole characters.
  Bytes small(capacity);
  const Utf8Encoded part = encode_latin1_as_utf8(data.data(), data.size(), small.data(), capacity);
  RONDO_ASSERT(part.written == utf8_length_of_latin1(data.data(), part.read));
  RONDO_ASSERT(is_utf8(small.data(), part.written));
}

void check_search(const Bytes& data, size_t from, size_t needle_size) {
  const Bytes needle(data.begin(),
                     data.begin() + static_cast<ptrdiff_t>(std::min(needle_size, data.size())));
  const size_t first = find_bytes(data.data(), data.size(), needle.data(), needle.size(), from);
  const size_t last = find_last_bytes(data.data(), data.size(), needle.data(), needle.size(), from);
  if (needle.empty()) {
    RONDO_ASSERT(first == kNotFound && last == kNotFound);
    return;
  }
  RONDO_ASSERT(last != kNotFound && last <= from);
  RONDO_ASSERT(first == kNotFound || first >= from);
}

}  // namespace
}  // namespace rondo::encoding

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace rondo::encoding;
  FuzzInput input(data, size);
  const size_t capacity = input.byte();
  const size_t from = input.byte();
  const size_t needle_size = input.below(8);
  Bytes bytes;
  while (!input.is_empty()) bytes.push_back(input.byte());
  check_hex(bytes);
  check_base64(bytes, capacity);
  check_utf8(bytes, capacity);
  check_search(bytes, from, needle_size);
  return 0;
}
