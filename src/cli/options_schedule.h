// Reads the options for a run under a schedule, with which `rondo explore` and `rondo replay` start
// programs.
#pragma once

#include <string>

#include "cli/options.h"

namespace rondo::cli {

// Reads the options from the flags, which must be complete. Returns an error message, or an empty
// string.
std::string read_schedule_options(Options& options);

}  // namespace rondo::cli
