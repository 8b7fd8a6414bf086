// The functions of the Keccak family that OpenSSL does not have: cSHAKE (NIST SP 800-185),
// TurboSHAKE and KangarooTwelve (RFC 9861). Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rondo::bindings::crypto {

using ByteSpan = std::span<const uint8_t>;

// Each function fills `out`. `strength` is 128 or 256.
void cshake(int strength, ByteSpan function_name, ByteSpan customization, ByteSpan data,
            std::span<uint8_t> out);
void turbo_shake(int strength, uint8_t domain, ByteSpan data, std::span<uint8_t> out);
void kangaroo_twelve(int strength, ByteSpan customization, ByteSpan data, std::span<uint8_t> out);

}  // namespace rondo::bindings::crypto
