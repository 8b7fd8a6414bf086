// The list of all bindings, for the snapshot and for the program.
#pragma once

#include "runtime/values/binding.h"

namespace rondo::bindings {

runtime::Bindings all();

}  // namespace rondo::bindings
