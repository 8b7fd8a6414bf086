// Copies of results into a program's buffer, by libuv's convention: `*size` is the room, and then
// the length without the NUL; or UV_ENOBUFS and the room that is needed.
// Thread: any.
#pragma once

#include <uv.h>

#include <cstring>
#include <string_view>

namespace rondo::uv {

inline int copy_out(std::string_view text, char* buffer, size_t* size) {
  if (*size <= text.size()) {
    *size = text.size() + 1;
    return UV_ENOBUFS;
  }
  std::memcpy(buffer, text.data(), text.size());
  buffer[text.size()] = '\0';
  *size = text.size();
  return 0;
}

}  // namespace rondo::uv
