// uv_random().
#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>

#include "base/fd.h"
#include "uv/work/job.h"

namespace rondo::uv {
namespace {

// For kernels and sandboxes that refuse getrandom(2).
int fill_from_device(unsigned char* out, size_t size) {
  const Fd device(::open("/dev/urandom", O_RDONLY | O_CLOEXEC));
  if (!device) return -errno;
  while (size > 0) {
    const ssize_t count = ::read(device.get(), out, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count < 0 ? -errno : UV_EIO;
    out += count;
    size -= static_cast<size_t>(count);
  }
  return 0;
}

int fill(void* buffer, size_t size) {
  auto* out = static_cast<unsigned char*>(buffer);
  while (size > 0) {
    // At most this much is never interrupted or short.
    const ssize_t count = ::getrandom(out, std::min<size_t>(size, 256), 0);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && (errno == ENOSYS || errno == EPERM)) return fill_from_device(out, size);
    if (count < 0) return -errno;
    out += count;
    size -= static_cast<size_t>(count);
  }
  return 0;
}

void work(uv_req_t* any) {
  auto* const req = reinterpret_cast<uv_random_t*>(any);
  req->status = fill(req->buf, req->buflen);
}

void done(uv_req_t* any, int status) {
  auto* const req = reinterpret_cast<uv_random_t*>(any);
  if (status == 0) status = req->status;
  req->cb(req, status, req->buf, req->buflen);
}

}  // namespace
}  // namespace rondo::uv

extern "C" int uv_random(uv_loop_t* loop, uv_random_t* req, void* buf, size_t buflen,
                         unsigned flags, uv_random_cb cb) {
  if (buflen > INT_MAX) return UV_E2BIG;
  if (flags != 0) return UV_EINVAL;
  if (cb == nullptr) return rondo::uv::fill(buf, buflen);
  req->loop = loop;
  req->status = 0;
  req->cb = cb;
  req->buf = buf;
  req->buflen = buflen;
  rondo::uv::Job::submit(loop, req, UV_RANDOM, "random", rondo::uv::work, rondo::uv::done, cb);
  return 0;
}
