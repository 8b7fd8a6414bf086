#include "base/result.h"

#include <netdb.h>

#include <cstring>

namespace rondo {
namespace {

const char* eai_name(int code) {
  switch (code) {
    case EAI_AGAIN: return "EAI_AGAIN";
    case EAI_BADFLAGS: return "EAI_BADFLAGS";
    case EAI_FAIL: return "EAI_FAIL";
    case EAI_FAMILY: return "EAI_FAMILY";
    case EAI_MEMORY: return "EAI_MEMORY";
    case EAI_NONAME: return "EAI_NONAME";
    case EAI_OVERFLOW: return "EAI_OVERFLOW";
    case EAI_SERVICE: return "EAI_SERVICE";
    case EAI_SOCKTYPE: return "EAI_SOCKTYPE";
    default: return "EAI_UNKNOWN";
  }
}

}  // namespace

const char* Error::name() const {
  if (code < 0) return eai_name(code);
  const char* found = ::strerrorname_np(code);
  return found != nullptr ? found : "UNKNOWN";
}

std::string Error::message() const {
  const char* text = code < 0 ? ::gai_strerror(code) : ::strerrordesc_np(code);
  std::string out = syscall;
  if (!out.empty()) out += ": ";
  out += text != nullptr ? text : "unknown error";
  return out + " (" + name() + ")";
}

}  // namespace rondo
