// Finds the program of `rondo uv`, and checks that a library can be preloaded into it. Whether it
// uses libuv is known only when its libraries are loaded: src/uv/preload checks that.
#pragma once

#include <string>
#include <vector>

namespace rondo::cli {

struct Target {
  std::string problem;  // Empty, or why the program cannot be run: a sentence with its name.
  std::string name;     // For messages.
  std::string path;     // The file to execute.
  std::vector<std::string> arguments;
};

// `words` are the program's name, which is looked up on PATH if it has no slash, and its arguments.
// The target of a script is its interpreter.
Target find_target(std::vector<std::string> words);

// The program `node` on PATH, or that of the engine's package in the build tree. Empty if there is
// neither.
std::string find_node();

// The path of our libuv.so.1, which is installed or built beside the program; empty if there is
// none.
std::string find_library();

}  // namespace rondo::cli
