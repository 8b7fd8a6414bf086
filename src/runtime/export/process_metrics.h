// Figures of the process for --metrics, which need no JavaScript. Thread: any.
#pragma once

#include <string>

namespace rondo::runtime {

// In the text format of Prometheus, with the names that its clients use.
std::string process_metrics();

}  // namespace rondo::runtime
