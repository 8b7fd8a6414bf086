// uv_getaddrinfo_t and uv_getnameinfo_t. Results are the C library's own structures, which programs
// free with uv_freeaddrinfo().
#include <net/if.h>
#include <netdb.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "uv/core/memory.h"
#include "uv/stream/tcp.h"
#include "uv/work/idna.h"
#include "uv/work/job.h"

namespace rondo::uv {
namespace {

int translate(int code) {
  switch (code) {
    case 0: return 0;
    case EAI_ADDRFAMILY: return UV_EAI_ADDRFAMILY;
    case EAI_AGAIN: return UV_EAI_AGAIN;
    case EAI_BADFLAGS: return UV_EAI_BADFLAGS;
    case EAI_CANCELED: return UV_EAI_CANCELED;
    case EAI_FAIL: return UV_EAI_FAIL;
    case EAI_FAMILY: return UV_EAI_FAMILY;
    case EAI_MEMORY: return UV_EAI_MEMORY;
    case EAI_NODATA: return UV_EAI_NODATA;
    case EAI_NONAME: return UV_EAI_NONAME;
    case EAI_OVERFLOW: return UV_EAI_OVERFLOW;
    case EAI_SERVICE: return UV_EAI_SERVICE;
    case EAI_SOCKTYPE: return UV_EAI_SOCKTYPE;
    case EAI_SYSTEM: return -errno;
    default: return UV_EAI_FAIL;
  }
}

void free_arguments(uv_getaddrinfo_t* req) {
  release(req->hints);
  release(req->hostname);
  release(req->service);
  req->hints = nullptr;
  req->hostname = nullptr;
  req->service = nullptr;
}

void look_up_address(uv_req_t* any) {
  auto* const req = reinterpret_cast<uv_getaddrinfo_t*>(any);
  req->retcode = translate(::getaddrinfo(req->hostname, req->service, req->hints, &req->addrinfo));
}

void found_address(uv_req_t* any, int status) {
  auto* const req = reinterpret_cast<uv_getaddrinfo_t*>(any);
  free_arguments(req);
  if (status == UV_ECANCELED) req->retcode = UV_EAI_CANCELED;
  if (req->cb != nullptr) req->cb(req, req->retcode, req->addrinfo);
}

// Copies the arguments, as the program's need not outlive the call.
int take_arguments(uv_getaddrinfo_t* req, const char* node, const char* service,
                   const addrinfo* hints) {
  req->hostname = nullptr;
  req->service = nullptr;
  req->hints = nullptr;
  if (node != nullptr) {
    std::string ascii;
    if (const int refused = to_ascii(node, ascii); refused != 0) return refused;
    req->hostname = duplicate(ascii.c_str());
    if (req->hostname == nullptr) return UV_ENOMEM;
  }
  if (service != nullptr) {
    req->service = duplicate(service);
    if (req->service == nullptr) return UV_ENOMEM;
  }
  if (hints != nullptr) {
    req->hints = static_cast<addrinfo*>(allocate(sizeof *hints));
    if (req->hints == nullptr) return UV_ENOMEM;
    *req->hints = *hints;
  }
  return 0;
}

void look_up_name(uv_req_t* any) {
  auto* const req = reinterpret_cast<uv_getnameinfo_t*>(any);
  const auto* const address = reinterpret_cast<const sockaddr*>(&req->storage);
  req->retcode = translate(::getnameinfo(address, size_of(address), req->host, sizeof req->host,
                                         req->service, sizeof req->service, req->flags));
}

void found_name(uv_req_t* any, int status) {
  auto* const req = reinterpret_cast<uv_getnameinfo_t*>(any);
  if (status == UV_ECANCELED) req->retcode = UV_EAI_CANCELED;
  const bool is_found = req->retcode == 0;
  if (req->getnameinfo_cb == nullptr) return;
  req->getnameinfo_cb(req, req->retcode, is_found ? req->host : nullptr,
                      is_found ? req->service : nullptr);
}

}  // namespace
}  // namespace rondo::uv

using namespace rondo;
using namespace rondo::uv;

extern "C" {

int uv_getaddrinfo(uv_loop_t* loop, uv_getaddrinfo_t* req, uv_getaddrinfo_cb getaddrinfo_cb,
                   const char* node, const char* service, const addrinfo* hints) {
  if (req == nullptr || (node == nullptr && service == nullptr)) return UV_EINVAL;
  req->loop = loop;
  req->type = UV_GETADDRINFO;
  req->cb = getaddrinfo_cb;
  req->addrinfo = nullptr;
  req->retcode = 0;
  if (const int refused = take_arguments(req, node, service, hints); refused != 0) {
    free_arguments(req);
    return refused;
  }
  if (getaddrinfo_cb != nullptr) {
    Job::submit(loop, req, UV_GETADDRINFO, "getaddrinfo", look_up_address, found_address,
                getaddrinfo_cb, JobKind::slow);
    return 0;
  }
  look_up_address(reinterpret_cast<uv_req_t*>(req));
  free_arguments(req);
  return req->retcode;
}

void uv_freeaddrinfo(addrinfo* ai) {
  if (ai != nullptr) ::freeaddrinfo(ai);
}

int uv_getnameinfo(uv_loop_t* loop, uv_getnameinfo_t* req, uv_getnameinfo_cb getnameinfo_cb,
                   const sockaddr* addr, int flags) {
  if (req == nullptr || addr == nullptr) return UV_EINVAL;
  if (addr->sa_family != AF_INET && addr->sa_family != AF_INET6) return UV_EINVAL;
  std::memset(&req->storage, 0, sizeof req->storage);
  std::memcpy(&req->storage, addr, size_of(addr));
  req->getnameinfo_cb = getnameinfo_cb;
  req->flags = flags;
  req->type = UV_GETNAMEINFO;
  req->loop = loop;
  req->retcode = 0;
  if (getnameinfo_cb != nullptr) {
    Job::submit(loop, req, UV_GETNAMEINFO, "getnameinfo", look_up_name, found_name, getnameinfo_cb,
                JobKind::slow);
    return 0;
  }
  look_up_name(reinterpret_cast<uv_req_t*>(req));
  return req->retcode;
}

int uv_if_indextoname(unsigned int ifindex, char* buffer, size_t* size) {
  if (buffer == nullptr || size == nullptr || *size == 0) return UV_EINVAL;
  char name[UV_IF_NAMESIZE];
  if (::if_indextoname(ifindex, name) == nullptr) return -errno;
  const size_t length = ::strnlen(name, sizeof name);
  if (*size <= length) {
    *size = length + 1;
    return UV_ENOBUFS;
  }
  std::memcpy(buffer, name, length);
  buffer[length] = '\0';
  *size = length;
  return 0;
}

int uv_if_indextoiid(unsigned int ifindex, char* buffer, size_t* size) {
  return uv_if_indextoname(ifindex, buffer, size);
}

}  // extern "C"
