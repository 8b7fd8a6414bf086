// `rondo uv PROGRAM` and `rondo node`: run an installed program that uses libuv on Rondo's loop.
// The process becomes the program, with the library libuv.so.1 preloaded (src/uv/preload).
#pragma once

namespace rondo::cli {

// Runs the command of this command line. Returns only if the command line has neither of the two
// commands (-1), or if the program cannot be run: then it has printed why, and returns the exit
// code.
int launch(int argc, char** argv);

}  // namespace rondo::cli
