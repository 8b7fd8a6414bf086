// Reads the options of tracing: --trace-file, --trace-buffer, --trace-on.
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"

namespace rondo::cli {

// Reads the options from the flags, which must be complete; `arguments` are those of the whole
// command line. Returns an error message, or an empty string.
std::string read_trace_options(Options& options, const std::vector<std::string>& arguments);

}  // namespace rondo::cli
