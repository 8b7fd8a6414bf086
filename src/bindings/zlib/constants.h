// The names and numbers of Node's zlib.constants.
#pragma once

#include <span>

#include "runtime/values/contract.h"

namespace rondo::bindings::zlib {

// In Node's order.
std::span<const runtime::Constant> constants();
// "ZSTD_error_GENERIC" if the number is unknown.
const char* zstd_error_name(int error);

}  // namespace rondo::bindings::zlib
