// Names of C and C++ functions by address, for traces. Thread: any; a table of a file is read once.
#pragma once

#include <cstdint>
#include <string>

namespace rondo::uv {

struct FunctionName {
  std::string function;  // "on_timer", "node::Environment::RunTimers"; "+0x1f20" if unknown.
  std::string file;      // The program or library that contains it: "node", "libfoo.so".
};

FunctionName name_of_function(uintptr_t address);
// Reads the program's table, which takes a fraction of a second for a large program, now and not in
// a callback.
void load_symbols_of_program();

// The name of a C++ function without parameters and template arguments, from the linker's name.
// Other names are returned unchanged.
std::string readable_name(const char* linker_name);

}  // namespace rondo::uv
