// Host names with characters outside of ASCII, for the resolver.
// Thread: any.
#pragma once

#include <string>

namespace rondo::uv {

// Converts UTF-8 to the ASCII form of RFC 3492: "bücher.example" to "xn--bcher-kva.example". Full
// stops of other scripts count as dots. UV_EINVAL for invalid UTF-8 or a name above
// 255 bytes. As in libuv, the resolver refuses labels that are too long.
int to_ascii(const char* name, std::string& out);

}  // namespace rondo::uv
