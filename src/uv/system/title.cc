// uv_setup_args() and the process's title, which overwrites the arguments in memory, as ps(1) reads
// them from there.
#include <sys/prctl.h>
#include <uv.h>

#include <algorithm>
#include <cstring>
#include <mutex>

#include "uv/core/memory.h"

namespace rondo::uv {
namespace {

// Once per process, like its arguments.
std::mutex title_mutex;
char* area = nullptr;   // Begins with the program's name.
size_t capacity = 0;    // Up to the NUL of the last argument.
size_t title_size = 0;  // Without its NUL.
void* copied_args = nullptr;

}  // namespace
}  // namespace rondo::uv

using namespace rondo::uv;

extern "C" {

// The program uses the returned copies from now on: one block of pointers and texts.
char** uv_setup_args(int argc, char** argv) {
  if (argc <= 0 || copied_args != nullptr) return argv;
  const auto count = static_cast<size_t>(argc);
  const size_t pointers = (count + 1) * sizeof(char*);
  size_t size = 0;
  for (size_t i = 0; i < count; ++i) size += std::strlen(argv[i]) + 1;
  auto* const copies = static_cast<char**>(allocate(pointers + size));
  if (copies == nullptr) return argv;
  auto* text = reinterpret_cast<char*>(copies + count + 1);
  for (size_t i = 0; i < count; ++i) {
    const size_t length = std::strlen(argv[i]) + 1;
    copies[i] = static_cast<char*>(std::memcpy(text, argv[i], length));
    text += length;
  }
  copies[count] = nullptr;
  const std::lock_guard lock(title_mutex);
  area = argv[0];
  title_size = std::strlen(argv[0]);
  const char* const end = argv[count - 1] + std::strlen(argv[count - 1]);
  capacity = static_cast<size_t>(end - argv[0]);
  copied_args = copies;
  return copies;
}

int uv_set_process_title(const char* title) {
  const std::lock_guard lock(title_mutex);
  if (copied_args == nullptr) return UV_ENOBUFS;
  title_size = std::min(std::strlen(title), capacity);
  std::memcpy(area, title, title_size);
  std::memset(area + title_size, 0, capacity - title_size);
  ::prctl(PR_SET_NAME, area);
  return 0;
}

int uv_get_process_title(char* buffer, size_t size) {
  if (buffer == nullptr || size == 0) return UV_EINVAL;
  const std::lock_guard lock(title_mutex);
  if (copied_args == nullptr) return UV_ENOBUFS;
  if (size <= title_size) return UV_ENOBUFS;
  std::memcpy(buffer, area, title_size);
  buffer[title_size] = '\0';
  return 0;
}

}  // extern "C"
