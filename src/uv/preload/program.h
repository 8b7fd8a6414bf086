// Makes the program of this process use this library's functions. A program that was linked with
// libuv.so.1 does so already, because the preloaded library has that name. In a program or library
// that contains libuv and exports its functions, as Node does, each of them is replaced.
// Thread: the only one, before main().
#pragma once

#include <string>
#include <vector>

#include "uv/preload/module.h"

namespace rondo::uv {

struct Outcome {
  std::string problem;  // Why the program cannot use the library; empty if it can.
  // The program does not use libuv yet, but can load a library that does, as Python loads uvloop.
  // Such a library is linked with libuv.so.1 and gets the preloaded one by its name.
  bool may_load_later = false;
};

// `modules` are all of the process, and `own` is an address in this library.
Outcome take_over(const std::vector<Module>& modules, uintptr_t own);

}  // namespace rondo::uv
