// Removes hidden symbols from the tables by which ld.so finds symbols. Every start looks up some
// thousand names: in small tables that takes half the time, and fewer pages are read.
#pragma once

#include <vector>

#include "symbol_tables.h"

namespace engine_tool {

// Hidden symbols are local, defined, and without a name. Those that relocations refer to stay.
// Tables keep their places and strings their total size. `pinned` says by byte which strings are
// used by others than symbols: they are not moved. Does nothing if there is nothing to remove.
void remove_hidden_symbols(ElfImage& image, const SymbolTables& tables,
                           const std::vector<bool>& pinned);

}  // namespace engine_tool
