// Switches off static constructors. V8's host runs those of Node at every start, although no
// code of Node runs after them: they fill tables of options, for example.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "symbol_tables.h"

namespace engine_tool {

// Entries of the program's list of constructors, by offset in the file.
struct ConstructorPlan {
  std::vector<std::size_t> entries;
  Elf64_Addr replacement = 0;  // A function that does nothing.
};

// Finds the constructors with these names in the debug symbol table. An error if one is missing,
// unless all missing ones were switched off before.
Outcome<ConstructorPlan> find_constructors(const ElfImage& image, const SymbolTables& tables,
                                           const std::set<std::string, std::less<>>& names);
void switch_off(ElfImage& image, const ConstructorPlan& plan);

}  // namespace engine_tool
