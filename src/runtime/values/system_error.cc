#include "runtime/values/system_error.h"

#include <cerrno>

#include "base/assert.h"
#include "runtime/values/values.h"

namespace rondo::runtime {

namespace {

// In the order of util.getSystemErrorMap() of Node. Numbers below -3000 are libuv's: they have no
// errno.
constexpr SystemErrorRow kRows[] = {
    {-E2BIG, "E2BIG", "argument list too long"},
    {-EACCES, "EACCES", "permission denied"},
    {-EADDRINUSE, "EADDRINUSE", "address already in use"},
    {-EADDRNOTAVAIL, "EADDRNOTAVAIL", "address not available"},
    {-EAFNOSUPPORT, "EAFNOSUPPORT", "address family not supported"},
    {-EAGAIN, "EAGAIN", "resource temporarily unavailable"},
    {-3000, "EAI_ADDRFAMILY", "address family not supported"},
    {-3001, "EAI_AGAIN", "temporary failure"},
    {-3002, "EAI_BADFLAGS", "bad ai_flags value"},
    {-3013, "EAI_BADHINTS", "invalid value for hints"},
    {-3003, "EAI_CANCELED", "request canceled"},
    {-3004, "EAI_FAIL", "permanent failure"},
    {-3005, "EAI_FAMILY", "ai_family not supported"},
    {-3006, "EAI_MEMORY", "out of memory"},
    {-3007, "EAI_NODATA", "no address"},
    {-3008, "EAI_NONAME", "unknown node or service"},
    {-3009, "EAI_OVERFLOW", "argument buffer overflow"},
    {-3014, "EAI_PROTOCOL", "resolved protocol is unknown"},
    {-3010, "EAI_SERVICE", "service not available for socket type"},
    {-3011, "EAI_SOCKTYPE", "socket type not supported"},
    {-EALREADY, "EALREADY", "connection already in progress"},
    {-EBADF, "EBADF", "bad file descriptor"},
    {-EBUSY, "EBUSY", "resource busy or locked"},
    {-ECANCELED, "ECANCELED", "operation canceled"},
    {-4080, "ECHARSET", "invalid Unicode character"},
    {-ECONNABORTED, "ECONNABORTED", "software caused connection abort"},
    {-ECONNREFUSED, "ECONNREFUSED", "connection refused"},
    {-ECONNRESET, "ECONNRESET", "connection reset by peer"},
    {-EDESTADDRREQ, "EDESTADDRREQ", "destination address required"},
    {-EEXIST, "EEXIST", "file already exists"},
    {-EFAULT, "EFAULT", "bad address in system call argument"},
    {-EFBIG, "EFBIG", "file too large"},
    {-EHOSTUNREACH, "EHOSTUNREACH", "host is unreachable"},
    {-EINTR, "EINTR", "interrupted system call"},
    {-EINVAL, "EINVAL", "invalid argument"},
    {-EIO, "EIO", "i/o error"},
    {-EISCONN, "EISCONN", "socket is already connected"},
    {-EISDIR, "EISDIR", "illegal operation on a directory"},
    {-ELOOP, "ELOOP", "too many symbolic links encountered"},
    {-EMFILE, "EMFILE", "too many open files"},
    {-EMSGSIZE, "EMSGSIZE", "message too long"},
    {-ENAMETOOLONG, "ENAMETOOLONG", "name too long"},
    {-ENETDOWN, "ENETDOWN", "network is down"},
    {-ENETUNREACH, "ENETUNREACH", "network is unreachable"},
    {-ENFILE, "ENFILE", "file table overflow"},
    {-ENOBUFS, "ENOBUFS", "no buffer space available"},
    {-ENODEV, "ENODEV", "no such device"},
    {-ENOENT, "ENOENT", "no such file or directory"},
    {-ENOMEM, "ENOMEM", "not enough memory"},
    {-ENONET, "ENONET", "machine is not on the network"},
    {-ENOPROTOOPT, "ENOPROTOOPT", "protocol not available"},
    {-ENOSPC, "ENOSPC", "no space left on device"},
    {-ENOSYS, "ENOSYS", "function not implemented"},
    {-ENOTCONN, "ENOTCONN", "socket is not connected"},
    {-ENOTDIR, "ENOTDIR", "not a directory"},
    {-ENOTEMPTY, "ENOTEMPTY", "directory not empty"},
    {-ENOTSOCK, "ENOTSOCK", "socket operation on non-socket"},
    {-ENOTSUP, "ENOTSUP", "operation not supported on socket"},
    {-EOVERFLOW, "EOVERFLOW", "value too large for defined data type"},
    {-EPERM, "EPERM", "operation not permitted"},
    {-EPIPE, "EPIPE", "broken pipe"},
    {-EPROTO, "EPROTO", "protocol error"},
    {-EPROTONOSUPPORT, "EPROTONOSUPPORT", "protocol not supported"},
    {-EPROTOTYPE, "EPROTOTYPE", "protocol wrong type for socket"},
    {-ERANGE, "ERANGE", "result too large"},
    {-EROFS, "EROFS", "read-only file system"},
    {-ESHUTDOWN, "ESHUTDOWN", "cannot send after transport endpoint shutdown"},
    {-ESPIPE, "ESPIPE", "invalid seek"},
    {-ESRCH, "ESRCH", "no such process"},
    {-ETIMEDOUT, "ETIMEDOUT", "connection timed out"},
    {-ETXTBSY, "ETXTBSY", "text file is busy"},
    {-EXDEV, "EXDEV", "cross-device link not permitted"},
    {-4094, "UNKNOWN", "unknown error"},
    {-4095, "EOF", "end of file"},
    {-ENXIO, "ENXIO", "no such device or address"},
    {-EMLINK, "EMLINK", "too many links"},
    {-EHOSTDOWN, "EHOSTDOWN", "host is down"},
    {-EREMOTEIO, "EREMOTEIO", "remote I/O error"},
    {-ENOTTY, "ENOTTY", "inappropriate ioctl for device"},
    {-4028, "EFTYPE", "inappropriate file type or format"},
    {-EILSEQ, "EILSEQ", "illegal byte sequence"},
    {-ESOCKTNOSUPPORT, "ESOCKTNOSUPPORT", "socket type not supported"},
    {-ENODATA, "ENODATA", "no data available"},
    {-EUNATCH, "EUNATCH", "protocol driver not attached"},
};

v8::Local<v8::String> text_of(v8::Isolate* isolate, std::string_view text) {
  // A string that is too long for V8 cannot be a valid path.
  return to_js(isolate, text).FromMaybe(v8::String::Empty(isolate));
}

}  // namespace

std::span<const SystemErrorRow> system_error_rows() { return kRows; }

int system_error_number(std::string_view name) {
  for (const SystemErrorRow& row : kRows) {
    if (row.name == name) return row.number;
  }
  fatal("system_error_number() was called with a name that is not in its table");
}

SystemErrorText system_error_text(int code) {
  for (const SystemErrorRow& row : kRows) {
    if (row.number == -code) return {row.name, row.words};
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
