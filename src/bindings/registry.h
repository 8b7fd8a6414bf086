// All bindings, in one list: what the snapshot is made with and what the program offers.
#pragma once

#include "runtime/binding.h"

namespace rondo::bindings {

runtime::Bindings all();

}  // namespace rondo::bindings
