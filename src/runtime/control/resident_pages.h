// Releases resident memory that was only needed at start: pages of mapped program files, which the
// kernel maps again from its page cache on demand.
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

// The private, read-only file mappings in a text of /proc/PID/smaps, without those that have
// modified pages, which relocations and debugger breakpoints cause.
std::vector<AddressRange> unchanged_file_ranges(std::string_view smaps);

// Removes the pages of these mappings from the process's resident memory. Thread: any. Does nothing
// on failure.
void release_file_pages();

}  // namespace rondo::runtime
