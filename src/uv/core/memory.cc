#include "uv/core/memory.h"

#include <uv.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace rondo::uv {
namespace {

struct Allocator {
  uv_malloc_func malloc = std::malloc;
  uv_realloc_func realloc = std::realloc;
  uv_calloc_func calloc = std::calloc;
  uv_free_func free = std::free;
};
// One per process, as uv_replace_allocator() says.
Allocator allocator;

}  // namespace

void* allocate(size_t size) { return size == 0 ? nullptr : allocator.malloc(size); }

void* allocate_zeroed(size_t count, size_t size) { return allocator.calloc(count, size); }

void* reallocate(void* memory, size_t size) {
  if (size != 0) return allocator.realloc(memory, size);
  release(memory);
  return nullptr;
}

void release(void* memory) {
  const int code = errno;
  allocator.free(memory);
  errno = code;
}

char* duplicate(const char* text, size_t size) {
  auto* const copy = static_cast<char*>(allocate(size + 1));
  if (copy == nullptr) return nullptr;
  std::memcpy(copy, text, size);
  copy[size] = '\0';
  return copy;
}

char* duplicate(const char* text) { return duplicate(text, std::strlen(text)); }

}  // namespace rondo::uv

extern "C" int uv_replace_allocator(uv_malloc_func malloc_func, uv_realloc_func realloc_func,
                                    uv_calloc_func calloc_func, uv_free_func free_func) {
  if (malloc_func == nullptr || realloc_func == nullptr || calloc_func == nullptr ||
      free_func == nullptr) {
    return UV_EINVAL;
  }
  rondo::uv::allocator = {malloc_func, realloc_func, calloc_func, free_func};
  return 0;
}
