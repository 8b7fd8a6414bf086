#include "base/encoding/search.h"

#include <cstring>

namespace rondo::encoding {

size_t find_bytes(const uint8_t* data, size_t size, const uint8_t* needle, size_t needle_size,
                  size_t from, size_t step) {
  if (needle_size == 0 || needle_size > size) return kNotFound;
  while (from <= size - needle_size) {
    const void* found = needle_size == 1 ? std::memchr(data + from, needle[0], size - from)
                                         : ::memmem(data + from, size - from, needle, needle_size);
    if (found == nullptr) return kNotFound;
    from = static_cast<size_t>(static_cast<const uint8_t*>(found) - data);
    if (from % step == 0) return from;
    ++from;
  }
  return kNotFound;
}

size_t find_last_bytes(const uint8_t* data, size_t size, const uint8_t* needle, size_t needle_size,
                       size_t from, size_t step) {
  if (needle_size == 0 || needle_size > size) return kNotFound;
  // One more than the place that is looked at next.
  size_t end = (from < size - needle_size ? from : size - needle_size) + 1;
  while (end > 0) {
    const void* found = ::memrchr(data, needle[0], end);
    if (found == nullptr) return kNotFound;
    const auto at = static_cast<size_t>(static_cast<const uint8_t*>(found) - data);
    if (at % step == 0 && std::memcmp(data + at, needle, needle_size) == 0) return at;
    end = at;
  }
  return kNotFound;
}

}  // namespace rondo::encoding
