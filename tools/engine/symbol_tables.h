// The tables in which ld.so looks up symbols: symbols, names, the hash table, the versions, and the
// relocations that refer to symbols by number.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "elf_image.h"

namespace engine_tool {

inline constexpr char kOverlap[] = "its symbol table overlaps other tables";

struct SymbolTables {
  FileRange symbols;
  FileRange strings;
  FileRange hash;      // DT_GNU_HASH.
  FileRange versions;  // One half-word for each symbol; empty if there are none.
  std::vector<FileRange> relocations;
  std::size_t count = 0;    // Symbols.
  std::size_t buckets = 0;  // Of the hash table,
  std::size_t words = 0;    // and words of its Bloom filter.

  // The tables are written to, as are the headers and the dynamic section: nothing else may overlap
  // them.
  bool overlap(const ElfImage& image, const FileRange& other) const;

  Elf64_Sym symbol(const ElfImage& image, std::size_t index) const {
    return image.load<Elf64_Sym>(symbols.offset + index * sizeof(Elf64_Sym));
  }
  // `offset` must be less than the size of the strings, which end with NUL.
  std::string_view name(const ElfImage& image, std::size_t offset) const {
    return image.text(strings.offset + offset);
  }
};

// Checks that the tables lie inside the file and do not overlap, and that all names of symbols, and
// all symbols of relocations, lie inside their tables.
Outcome<SymbolTables> find_tables(const ElfImage& image);

}  // namespace engine_tool
