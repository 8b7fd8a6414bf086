// The options of a run under a schedule: those that `rondo explore` and `rondo replay` start
// programs with.
#pragma once

#include <string>

#include "main/options.h"

namespace rondo::main_program {

// Reads them from the flags, which must be complete. What is wrong, or nothing.
std::string read_schedule_options(Options& options);

}  // namespace rondo::main_program
