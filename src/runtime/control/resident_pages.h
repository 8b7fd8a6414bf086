// Releases memory that is only needed at start: pages of program files that were mapped then, and
// that the kernel maps again from its cache on demand.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace rondo::runtime {

struct AddressRange {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  friend bool operator==(const AddressRange&, const AddressRange&) = default;
};

// The private, read-only file mappings in a text of /proc/PID/smaps without modified pages, which
// relocations and debugger breakpoints leave.
std::vector<AddressRange> unchanged_file_ranges(std::string_view smaps);

// Removes these pages from the process's resident memory. Any thread; does nothing if it fails.
void release_file_pages();

}  // namespace rondo::runtime
