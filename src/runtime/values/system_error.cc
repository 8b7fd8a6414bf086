#include "runtime/values/system_error.h"

#include <cerrno>

#include "runtime/values/values.h"

namespace rondo::runtime {

namespace {

struct Row {
  int code;
  const char* name;
  const char* words;
};

// Node's names for the errors of Linux, equal to lib/internal/errors/uv.js.
constexpr Row kRows[] = {
    {E2BIG, "E2BIG", "argument list too long"},
    {EACCES, "EACCES", "permission denied"},
    {EADDRINUSE, "EADDRINUSE", "address already in use"},
    {EADDRNOTAVAIL, "EADDRNOTAVAIL", "address not available"},
    {EAFNOSUPPORT, "EAFNOSUPPORT", "address family not supported"},
    {EAGAIN, "EAGAIN", "resource temporarily unavailable"},
    {EALREADY, "EALREADY", "connection already in progress"},
    {EBADF, "EBADF", "bad file descriptor"},
    {EBUSY, "EBUSY", "resource busy or locked"},
    {ECANCELED, "ECANCELED", "operation canceled"},
    {ECONNABORTED, "ECONNABORTED", "software caused connection abort"},
    {ECONNREFUSED, "ECONNREFUSED", "connection refused"},
    {ECONNRESET, "ECONNRESET", "connection reset by peer"},
    {EDESTADDRREQ, "EDESTADDRREQ", "destination address required"},
    {EEXIST, "EEXIST", "file already exists"},
    {EFAULT, "EFAULT", "bad address in system call argument"},
    {EFBIG, "EFBIG", "file too large"},
    {EHOSTDOWN, "EHOSTDOWN", "host is down"},
    {EHOSTUNREACH, "EHOSTUNREACH", "host is unreachable"},
    {EILSEQ, "EILSEQ", "illegal byte sequence"},
    {EINTR, "EINTR", "interrupted system call"},
    {EINVAL, "EINVAL", "invalid argument"},
    {EIO, "EIO", "i/o error"},
    {EISCONN, "EISCONN", "socket is already connected"},
    {EISDIR, "EISDIR", "illegal operation on a directory"},
    {ELOOP, "ELOOP", "too many symbolic links encountered"},
    {EMFILE, "EMFILE", "too many open files"},
    {EMLINK, "EMLINK", "too many links"},
    {EMSGSIZE, "EMSGSIZE", "message too long"},
    {ENAMETOOLONG, "ENAMETOOLONG", "name too long"},
    {ENETDOWN, "ENETDOWN", "network is down"},
    {ENETUNREACH, "ENETUNREACH", "network is unreachable"},
    {ENFILE, "ENFILE", "file table overflow"},
    {ENOBUFS, "ENOBUFS", "no buffer space available"},
    {ENODATA, "ENODATA", "no data available"},
    {ENODEV, "ENODEV", "no such device"},
    {ENOENT, "ENOENT", "no such file or directory"},
    {ENOMEM, "ENOMEM", "not enough memory"},
    {ENONET, "ENONET", "machine is not on the network"},
    {ENOPROTOOPT, "ENOPROTOOPT", "protocol not available"},
    {ENOSPC, "ENOSPC", "no space left on device"},
    {ENOSYS, "ENOSYS", "function not implemented"},
    {ENOTCONN, "ENOTCONN", "socket is not connected"},
    {ENOTDIR, "ENOTDIR", "not a directory"},
    {ENOTEMPTY, "ENOTEMPTY", "directory not empty"},
    {ENOTSOCK, "ENOTSOCK", "socket operation on non-socket"},
    {ENOTSUP, "ENOTSUP", "operation not supported on socket"},
    {ENOTTY, "ENOTTY", "inappropriate ioctl for device"},
    {ENXIO, "ENXIO", "no such device or address"},
    {EOVERFLOW, "EOVERFLOW", "value too large for defined data type"},
    {EPERM, "EPERM", "operation not permitted"},
    {EPIPE, "EPIPE", "broken pipe"},
    {EPROTO, "EPROTO", "protocol error"},
    {EPROTONOSUPPORT, "EPROTONOSUPPORT", "protocol not supported"},
    {EPROTOTYPE, "EPROTOTYPE", "protocol wrong type for socket"},
    {ERANGE, "ERANGE", "result too large"},
    {EREMOTEIO, "EREMOTEIO", "remote I/O error"},
    {EROFS, "EROFS", "read-only file system"},
    {ESHUTDOWN, "ESHUTDOWN", "cannot send after transport endpoint shutdown"},
    {ESOCKTNOSUPPORT, "ESOCKTNOSUPPORT", "socket type not supported"},
    {ESPIPE, "ESPIPE", "invalid seek"},
    {ESRCH, "ESRCH", "no such process"},
    {ETIMEDOUT, "ETIMEDOUT", "connection timed out"},
    {ETXTBSY, "ETXTBSY", "text file is busy"},
    {EUNATCH, "EUNATCH", "protocol driver not attached"},
    {EXDEV, "EXDEV", "cross-device link not permitted"},
};

v8::Local<v8::String> text_of(v8::Isolate* isolate, std::string_view text) {
  // A string that is too long for V8 cannot be a valid path.
  return to_js(isolate, text).FromMaybe(v8::String::Empty(isolate));
}

}  // namespace

SystemErrorText system_error_text(int code) {
  for (const Row& row : kRows) {
    if (row.code == code) return {row.name, row.words};
  }
  const std::string unknown = "Unknown system error " + std::to_string(-code);
  return {unknown, unknown};
}

v8::Local<v8::Object> system_error(v8::Isolate* isolate, const Error& error, std::string_view path,
                                   std::string_view dest) {
  const SystemErrorText text = system_error_text(error.code);
  std::string message = text.name + ": " + text.words + ", " + error.syscall;
  if (path.data() != nullptr) message.append(" '").append(path).append("'");
  if (dest.data() != nullptr) message.append(" -> '").append(dest).append("'");
  const v8::Local<v8::Object> object =
      v8::Exception::Error(text_of(isolate, message)).As<v8::Object>();
  set(isolate, object, "errno", -error.code);
  set(isolate, object, "code", text.name);
  set(isolate, object, "syscall", std::string_view(error.syscall));
  if (path.data() != nullptr) set(isolate, object, "path", text_of(isolate, path));
  if (dest.data() != nullptr) set(isolate, object, "dest", text_of(isolate, dest));
  return object;
}

}  // namespace rondo::runtime
