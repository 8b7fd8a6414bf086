#include "symbol_tables.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace engine_tool {
namespace {

// A DT_GNU_HASH table has no number of symbols: the longest chain ends with the last one.
bool read_hash_table(const ElfImage& image, SymbolTables& tables) {
  const auto address = image.dynamic(DT_GNU_HASH);
  if (!address) return false;
  const auto range = image.find_rest(*address);
  if (!range || range->size < 4 * sizeof(std::uint32_t)) return false;
  const auto word = [&](std::size_t index) -> std::optional<std::uint32_t> {
    if (index >= range->size / sizeof(std::uint32_t)) return std::nullopt;
    return image.load<std::uint32_t>(range->offset + index * sizeof(std::uint32_t));
  };
  tables.buckets = *word(0);
  tables.words = *word(2);
  if (tables.buckets == 0 || !std::has_single_bit(tables.words)) return false;
  const std::size_t first = *word(1);
  const std::size_t first_bucket = 4 + tables.words * 2;
  std::size_t last = 0;
  for (std::size_t i = 0; i < tables.buckets; ++i) {
    const auto head = word(first_bucket + i);
    if (!head) return false;
    last = std::max<std::size_t>(last, *head);
  }
  const std::size_t chains = first_bucket + tables.buckets;
  tables.count = first;
  if (last >= first) {
    for (bool is_end = false; !is_end; ++last) {
      const auto hash = word(chains + (last - first));
      if (!hash) return false;
      is_end = (*hash & 1) != 0;
    }
    tables.count = last;
  }
  tables.hash = {range->offset, (chains + (tables.count - first)) * sizeof(std::uint32_t)};
  return true;
}

std::optional<Error> read_relocations(const ElfImage& image, SymbolTables& tables) {
  const Error outside{"its relocations lie outside its tables"};
  for (const auto& [start, length] : {std::pair{DT_RELA, DT_RELASZ}, {DT_JMPREL, DT_PLTRELSZ}}) {
    const auto address = image.dynamic(start);
    const auto size = image.dynamic(length);
    if (!address || !size) continue;
    const auto range = image.find(*address, *size / sizeof(Elf64_Rela) * sizeof(Elf64_Rela));
    if (!range) return outside;
    tables.relocations.push_back(*range);
    for (std::size_t at = range->offset; at != range->end(); at += sizeof(Elf64_Rela)) {
      if (ELF64_R_SYM(image.load<Elf64_Rela>(at).r_info) >= tables.count) return outside;
    }
  }
  return std::nullopt;
}

bool are_apart(const ElfImage& image, const SymbolTables& tables) {
  std::vector<FileRange> ranges = tables.relocations;
  ranges.insert(ranges.end(), {tables.symbols, tables.strings, tables.hash, tables.versions});
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (image.is_structure(ranges[i])) return false;
    for (std::size_t j = 0; j < i; ++j) {
      if (ranges[i].overlaps(ranges[j])) return false;
    }
  }
  return true;
}

}  // namespace

bool SymbolTables::overlap(const ElfImage& image, const FileRange& other) const {
  return symbols.overlaps(other) || strings.overlaps(other) || hash.overlaps(other) ||
         versions.overlaps(other) || image.is_structure(other) ||
         std::any_of(relocations.begin(), relocations.end(),
                     [&](const FileRange& range) { return range.overlaps(other); });
}

Outcome<SymbolTables> find_tables(const ElfImage& image) {
  const auto symbols = image.dynamic(DT_SYMTAB);
  const auto strings = image.dynamic(DT_STRTAB);
  const auto string_size = image.dynamic(DT_STRSZ);
  SymbolTables tables;
  if (!symbols || !strings || !string_size || !read_hash_table(image, tables)) {
    return Error{"no symbol table of the GNU kind: this is no program that exports its symbols"};
  }
  const auto symbol_range = image.find(*symbols, tables.count * sizeof(Elf64_Sym));
  const auto string_range = image.find(*strings, *string_size);
  if (!symbol_range || !string_range || string_range->size == 0 || tables.count == 0) {
    return Error{"its symbol table lies outside the loaded segments"};
  }
  tables.symbols = *symbol_range;
  tables.strings = *string_range;
  if (const auto versions = image.dynamic(DT_VERSYM)) {
    const auto range = image.find(*versions, tables.count * sizeof(Elf64_Half));
    if (!range) return Error{"its version tables lie outside the loaded segments"};
    tables.versions = *range;
  }
  if (tables.symbols.overlaps(tables.strings) || tables.symbols.overlaps(tables.hash)) {
    return Error{kOverlap};
  }
  if (auto error = read_relocations(image, tables)) return *error;
  if (!are_apart(image, tables)) return Error{kOverlap};
  if (image.load<char>(tables.strings.end() - 1) != 0) return Error{"its names have no end"};
  for (std::size_t i = 0; i < tables.count; ++i) {
    if (tables.symbol(image, i).st_name >= tables.strings.size) {
      return Error{"a name lies outside the table of names"};
    }
  }
  return tables;
}

}  // namespace engine_tool
