// Points of small order on the curves of Ed25519 and Ed448: anyone can make a "signature" with them
// that is valid for some messages.
#pragma once

#include <openssl/evp.h>

#include <cstdint>
#include <vector>

namespace rondo::bindings::crypto {

// True if the signature, or the key, has such a point. False for keys of other algorithms.
bool has_weak_point(const EVP_PKEY* key, const std::vector<uint8_t>& signature);

}  // namespace rondo::bindings::crypto
