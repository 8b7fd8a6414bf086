// The parts of uv_tcp_t that streams in general need.
// Thread: the loop's only.
#pragma once

#include <uv.h>

namespace rondo::uv {

// Applies options that were set before there was a descriptor.
int apply_options(const uv_tcp_t* handle);
// Reports an error of uv_tcp_bind(), and binds a handle that is not bound yet.
int prepare_to_listen(uv_tcp_t* handle);

// The address of a socket or its peer. `name` has room for *size bytes.
int socket_name(int fd, bool is_peer, sockaddr* name, int* size);
// The size of an IPv4, IPv6 or Unix address; 0 for other families.
socklen_t size_of(const sockaddr* address);

}  // namespace rondo::uv
