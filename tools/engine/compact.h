// Removes hidden symbols from the tables in which ld.so looks up symbols. Every start looks up some
// thousand names: small tables take half the time, and fewer pages are read.
#pragma once

#include <vector>

#include "symbol_tables.h"

namespace engine_tool {

// Hidden symbols are local, defined, and without a name. Those that relocations refer to stay.
// Tables keep their positions and strings their total size. `pinned` marks by byte the strings that
// are not only used by symbols: they are not moved. Does nothing if there is nothing to remove.
void remove_hidden_symbols(ElfImage& image, const SymbolTables& tables,
                           const std::vector<bool>& pinned);

}  // namespace engine_tool
