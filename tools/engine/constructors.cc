#include "constructors.h"

#include <map>
#include <string_view>

namespace engine_tool {
namespace {

// The functions with these names by address. Several symbols may have the same name, from different
// files.
std::multimap<Elf64_Addr, std::string_view> find_functions(
    const ElfImage& image, const std::set<std::string, std::less<>>& names) {
  std::multimap<Elf64_Addr, std::string_view> functions;
  const FileRange& headers = image.sections();
  for (std::size_t at = headers.offset; at != headers.end(); at += sizeof(Elf64_Shdr)) {
    const auto header = image.load<Elf64_Shdr>(at);
    if (header.sh_type != SHT_SYMTAB || header.sh_link >= headers.size / sizeof(Elf64_Shdr)) {
      continue;
    }
    const auto strings =
        image.load<Elf64_Shdr>(headers.offset + header.sh_link * sizeof(Elf64_Shdr));
    const auto symbol_bytes = image.find_in_file(header.sh_offset, header.sh_size);
    const auto string_bytes = image.find_in_file(strings.sh_offset, strings.sh_size);
    if (!symbol_bytes || !string_bytes || string_bytes->size == 0 ||
        image.load<char>(string_bytes->end() - 1) != 0) {
      continue;
    }
    for (std::size_t i = 0; i < symbol_bytes->size / sizeof(Elf64_Sym); ++i) {
      const auto symbol = image.load<Elf64_Sym>(symbol_bytes->offset + i * sizeof(Elf64_Sym));
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_name >= string_bytes->size) {
        continue;
      }
      const auto name =
          names.find(std::string_view(image.text(string_bytes->offset + symbol.st_name)));
      if (name != names.end()) functions.emplace(symbol.st_value, *name);
    }
  }
  return functions;
}

}  // namespace

Outcome<ConstructorPlan> find_constructors(const ElfImage& image, const SymbolTables& tables,
                                           const std::set<std::string, std::less<>>& names) {
  ConstructorPlan plan;
  if (names.empty()) return plan;
  const auto array = image.dynamic(DT_INIT_ARRAY);
  const auto size = image.dynamic(DT_INIT_ARRAYSZ);
  const auto nothing = image.dynamic(DT_FINI);  // GNU ld's _fini() does nothing.
  if (!array || !size || !nothing) return Error{"it has no list of constructors"};
  const auto range = image.find(*array, *size / sizeof(Elf64_Addr) * sizeof(Elf64_Addr));
  if (!range) return Error{"its list of constructors lies outside the loaded segments"};
  if (tables.overlap(image, *range)) return Error{kOverlap};
  plan.replacement = *nothing;
  const auto functions = find_functions(image, names);
  std::set<std::string_view> missing(names.begin(), names.end());
  bool was_done_before = false;
  for (std::size_t at = range->offset; at != range->end(); at += sizeof(Elf64_Addr)) {
    const auto address = image.load<Elf64_Addr>(at);
    was_done_before = was_done_before || address == plan.replacement;
    const auto [first, last] = functions.equal_range(address);
    for (auto function = first; function != last; ++function) missing.erase(function->second);
    if (first != last) plan.entries.push_back(at);
  }
  if (missing.empty() || was_done_before) return plan;
  return Error{"it has no constructor " + std::string(*missing.begin())};
}

void switch_off(ElfImage& image, const ConstructorPlan& plan) {
  for (const std::size_t at : plan.entries) image.store(at, plan.replacement);
}

}  // namespace engine_tool
