// Keeps the process alive when the file behind a shared mapping becomes shorter than the mapping:
// another process truncates it, or its disk is full. Without a guard the next access raises SIGBUS.
// With one, the rest of the mapping is replaced by private memory, and was_hit() says so from then
// on. Thread: made and destroyed by any; accesses to the mapping by any.
#pragma once

#include <cstddef>

namespace rondo {

class MappingGuard {
 public:
  // Mappings beyond this number are not guarded.
  static constexpr size_t kMost = 256;

  // `begin` and `size` are multiples of the page size.
  MappingGuard(void* begin, size_t size);
  ~MappingGuard();
  MappingGuard(const MappingGuard&) = delete;
  MappingGuard& operator=(const MappingGuard&) = delete;

  bool was_hit() const;

 private:
  size_t slot_ = kMost;
};

}  // namespace rondo
