// Reads the options that send figures out of the process: --metrics and --trace-otlp.
#pragma once

#include <string>

#include "cli/options.h"

namespace rondo::cli {

// Reads the options from the flags, which must be complete. Returns an error message, or an empty
// string.
std::string read_export_options(Options& options);

}  // namespace rondo::cli
