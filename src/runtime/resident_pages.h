// Gives back memory that a process holds only because it has started: pages of program files that
// were mapped while it started, and that the kernel maps again, from its cache, if they are needed.
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

// The mappings of files in a text of /proc/PID/smaps that are private, not writable, and have no
// page that differs from its file: relocations, and breakpoints of debuggers, leave such pages.
std::vector<AddressRange> unchanged_file_ranges(std::string_view smaps);

// Takes these pages out of the process's resident memory. Any thread; does nothing when it fails.
void release_file_pages();

}  // namespace rondo::runtime
