// The named groups of Diffie-Hellman.
#pragma once

#include <string_view>

#include "bindings/crypto/key.h"

namespace rondo::bindings::crypto {

// All named groups have this generator.
constexpr int kGroupGenerator = 2;

// The prime of a group such as "modp14"; null if there is none.
Number prime_of_group(std::string_view name);
// Parameters of Diffie-Hellman as a key without numbers; null if OpenSSL refuses them.
Pkey dh_parameters(const BIGNUM* prime, const BIGNUM* generator);

}  // namespace rondo::bindings::crypto
