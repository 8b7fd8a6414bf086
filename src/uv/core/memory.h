// Memory that the C API hands out or frees: from malloc(), or from the program's own functions
// after uv_replace_allocator(). Handles and loops of C++ use operator new. Thread: any.
#pragma once

#include <cstddef>

namespace rondo::uv {

void* allocate(size_t size);  // Null if there is no memory.
void* allocate_zeroed(size_t count, size_t size);
void* reallocate(void* memory, size_t size);
void release(void* memory);  // Null is allowed. Keeps errno.
char* duplicate(const char* text);
char* duplicate(const char* text, size_t size);  // Adds a NUL.

}  // namespace rondo::uv
