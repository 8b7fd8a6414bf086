// Makes the program of this process use this library's functions. A program that was linked with
// libuv.so.1 does so already, because the preloaded library has that name. In a program or library
// that contains libuv and exports its functions, as Node does, each of them is replaced.
// Thread: the only one, before main().
#pragma once

#include <string>
#include <vector>

#include "uv/preload/module.h"

namespace rondo::uv {

// Returns an empty string, or why the program cannot use the library. `modules` are all of the
// process, and `own` is an address in this library.
std::string take_over(const std::vector<Module>& modules, uintptr_t own);

}  // namespace rondo::uv
