// Replaces functions of a program in memory: the first bytes of each become a jump to the
// replacement. The jump goes through a table within 2 GiB of the program, so that it takes only
// five bytes. Memory is never writable and executable at once. Thread: the only one, before main();
// no other thread may execute the functions meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace rondo::uv {

struct Replacement {
  const char* name;
  uintptr_t address;      // Of the function to replace.
  size_t size;            // Its size, without the padding that follows it.
  uintptr_t replacement;  // The function that is called instead.
  int protection;         // PROT_* of the memory of the function, before and afterwards.
};

// The number of bytes that replacing a function overwrites. A first instruction `endbr64`, which
// marks a valid target of indirect calls, stays.
size_t patched_size(const uint8_t* code);
// True if that many bytes belong to the function or to padding after it.
bool has_room(const Replacement& replacement);

// Replaces all functions, or none: returns the reason, or an empty string. `replacements` must be
// of one program or library, whose memory is from `begin` to `end`.
std::string patch(std::vector<Replacement> replacements, uintptr_t begin, uintptr_t end);

}  // namespace rondo::uv
