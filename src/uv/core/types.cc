// Sizes, names and plain accessors of handles and requests.
#include <uv.h>

#include <cstdio>

#include "uv/core/handle.h"
#include "uv/core/memory.h"

using namespace rondo::uv;

extern "C" {

size_t uv_handle_size(uv_handle_type type) {
  switch (type) {
#define RONDO_CASE(upper, lower) \
  case UV_##upper: return sizeof(uv_##lower##_t);
    UV_HANDLE_TYPE_MAP(RONDO_CASE)
#undef RONDO_CASE
    default: return static_cast<size_t>(-1);
  }
}

const char* uv_handle_type_name(uv_handle_type type) {
  switch (type) {
#define RONDO_CASE(upper, lower) \
  case UV_##upper: return #lower;
    UV_HANDLE_TYPE_MAP(RONDO_CASE)
#undef RONDO_CASE
    case UV_FILE: return "file";
    default: return nullptr;
  }
}

size_t uv_req_size(uv_req_type type) {
  switch (type) {
#define RONDO_CASE(upper, lower) \
  case UV_##upper: return sizeof(uv_##lower##_t);
    UV_REQ_TYPE_MAP(RONDO_CASE)
#undef RONDO_CASE
    default: return static_cast<size_t>(-1);
  }
}

const char* uv_req_type_name(uv_req_type type) {
  switch (type) {
#define RONDO_CASE(upper, lower) \
  case UV_##upper: return #lower;
    UV_REQ_TYPE_MAP(RONDO_CASE)
#undef RONDO_CASE
    default: return nullptr;
  }
}

uv_handle_type uv_handle_get_type(const uv_handle_t* handle) { return handle->type; }
void* uv_handle_get_data(const uv_handle_t* handle) { return handle->data; }
uv_loop_t* uv_handle_get_loop(const uv_handle_t* handle) { return handle->loop; }
void uv_handle_set_data(uv_handle_t* handle, void* data) { handle->data = data; }

uv_req_type uv_req_get_type(const uv_req_t* req) { return req->type; }
void* uv_req_get_data(const uv_req_t* req) { return req->data; }
void uv_req_set_data(uv_req_t* req, void* data) { req->data = data; }

uv_buf_t uv_buf_init(char* base, unsigned int len) {
  uv_buf_t buffer{};
  buffer.base = base;
  buffer.len = len;
  return buffer;
}

unsigned int uv_version(void) { return UV_VERSION_HEX; }

const char* uv_version_string(void) {
#define RONDO_TEXT(number) #number
#define RONDO_DOTTED(major, minor, patch) \
  RONDO_TEXT(major) "." RONDO_TEXT(minor) "." RONDO_TEXT(patch)
  return RONDO_DOTTED(UV_VERSION_MAJOR, UV_VERSION_MINOR, UV_VERSION_PATCH);
#undef RONDO_DOTTED
#undef RONDO_TEXT
}

static void print_handles(uv_loop_t* loop, FILE* stream, bool only_active) {
  if (loop == nullptr) loop = uv_default_loop();
  for (uv__queue* link = loop->handle_queue.next; link != &loop->handle_queue; link = link->next) {
    const uv_handle_t* const handle = queue_owner(link, &uv_handle_t::handle_queue);
    if (only_active && !has_flags(handle, kActive)) continue;
    const char* const name = uv_handle_type_name(handle->type);
    std::fprintf(stream, "[%c%c%c] %-8s %p\n", has_flags(handle, kRef) ? 'R' : '-',
                 has_flags(handle, kActive) ? 'A' : '-', has_flags(handle, kInternal) ? 'I' : '-',
                 name == nullptr ? "<unknown>" : name, static_cast<const void*>(handle));
  }
}

void uv_print_all_handles(uv_loop_t* loop, FILE* stream) { print_handles(loop, stream, false); }
void uv_print_active_handles(uv_loop_t* loop, FILE* stream) { print_handles(loop, stream, true); }

}  // extern "C"
