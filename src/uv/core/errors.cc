// Error numbers: libuv's are the negative ones of the system, and a few of its own.
#include <uv.h>

#include <cstdio>
#include <cstring>

#include "uv/core/memory.h"

namespace {

const char* name_of(int code) {
  switch (code) {
#define RONDO_CASE(name, text) \
  case UV_##name: return #name;
    UV_ERRNO_MAP(RONDO_CASE)
#undef RONDO_CASE
    default: return nullptr;
  }
}

const char* text_of(int code) {
  switch (code) {
#define RONDO_CASE(name, text) \
  case UV_##name: return text;
    UV_ERRNO_MAP(RONDO_CASE)
#undef RONDO_CASE
    default: return nullptr;
  }
}

char* copy(const char* text, int code, char* buffer, size_t size) {
  if (text != nullptr) {
    std::snprintf(buffer, size, "%s", text);
  } else {
    std::snprintf(buffer, size, "Unknown system error %d", code);
  }
  return buffer;
}

// The caller never frees the text, so that of an unknown code stays allocated, as in libuv.
const char* unknown(int code) {
  char text[32];
  copy(nullptr, code, text, sizeof text);
  const char* const kept = rondo::uv::duplicate(text);
  return kept != nullptr ? kept : "Unknown system error";
}

}  // namespace

extern "C" {

const char* uv_err_name(int err) {
  const char* const name = name_of(err);
  return name != nullptr ? name : unknown(err);
}

const char* uv_strerror(int err) {
  const char* const text = text_of(err);
  return text != nullptr ? text : unknown(err);
}

char* uv_err_name_r(int err, char* buf, size_t buflen) {
  return copy(name_of(err), err, buf, buflen);
}

char* uv_strerror_r(int err, char* buf, size_t buflen) {
  return copy(text_of(err), err, buf, buflen);
}

int uv_translate_sys_error(int sys_errno) { return sys_errno <= 0 ? sys_errno : -sys_errno; }

}  // extern "C"
