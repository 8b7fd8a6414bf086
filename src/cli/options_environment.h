// Checks the settings that Rondo reads from the environment.
#pragma once

#include <string>

namespace rondo::cli {

// The error message for the first invalid RONDO_ variable, with the allowed values; empty if all
// are valid. Variables that Node reads as well are not checked.
std::string problem_of_environment();

}  // namespace rondo::cli
