// The options of recording: --trace-file, --trace-buffer, --trace-on.
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"

namespace rondo::cli {

// Reads them from the flags, which must be complete; `arguments` are those of the whole command
// line. What is wrong, or nothing.
std::string read_trace_options(Options& options, const std::vector<std::string>& arguments);

}  // namespace rondo::cli
