// The programs of this folder as bytes, and the tables that ld.so would find in them.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "adopt.h"

namespace engine_tool {

using Bytes = std::vector<std::byte>;

// Empty if the file cannot be read.
Bytes read_file(const std::string& path);
Bytes host();        // An executable like V8's host.
Changes ordinary();  // Default changes of the tests.

// The error message for rejected bytes, which must stay unchanged; empty if they are accepted.
std::string refusal(const Bytes& bytes, const Changes& changes = ordinary());
// Edits a copy; the test fails if the bytes are rejected.
Bytes adopted(const Bytes& bytes, const Changes& changes = ordinary());

// Bytes with one value changed.
template <class T>
Bytes with(Bytes bytes, std::size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
  return bytes;
}

// The headers and tables that the dynamic linker reads, parsed from a valid program.
struct Loaded {
  explicit Loaded(const Bytes& program);

  std::uint64_t tag(std::int64_t wanted) const;              // Zero if it is absent.
  std::size_t offset_of(Elf64_Addr address) const;           // In the file.
  std::size_t entry_of(std::int64_t wanted) const;           // The offset of a dynamic entry.
  std::string name_at(std::uint64_t offset) const;           // In the table of strings.
  std::vector<std::string> strings(std::int64_t tag) const;  // Of each entry with the tag.

  const Bytes& bytes;
  Elf64_Ehdr header{};
  std::vector<Elf64_Phdr> segments;
  std::size_t dynamic_offset = 0;
  std::size_t dynamic_room = 0;     // Entries, DT_NULLs included.
  std::vector<Elf64_Dyn> dynamics;  // Up to DT_NULL.
  std::vector<Elf64_Sym> symbols;
  std::map<std::string, Elf64_Sym> exported;  // Defined and not local.
};

}  // namespace engine_tool
