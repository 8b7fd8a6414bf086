// The settings that Rondo reads from the environment.
#pragma once

#include <string>

namespace rondo::main_program {

// What is wrong with the first variable of ours whose value cannot be used, with the values that
// can; empty if all are right. Variables that Node has, too, are not judged.
std::string problem_of_environment();

}  // namespace rondo::main_program
