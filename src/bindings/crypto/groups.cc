#include "bindings/crypto/groups.h"

#include <openssl/core_names.h>
#include <openssl/param_build.h>

#include <cctype>
#include <string>

namespace rondo::bindings::crypto {

namespace {

using Builder = std::unique_ptr<OSSL_PARAM_BLD, FreeWith<OSSL_PARAM_BLD_free>>;
using Params = std::unique_ptr<OSSL_PARAM, FreeWith<OSSL_PARAM_free>>;

struct NamedGroup {
  const char* name;
  BIGNUM* (*prime)(BIGNUM* into);
};
constexpr NamedGroup kGroups[] = {
    {"modp1", BN_get_rfc2409_prime_768},   {"modp2", BN_get_rfc2409_prime_1024},
    {"modp5", BN_get_rfc3526_prime_1536},  {"modp14", BN_get_rfc3526_prime_2048},
    {"modp15", BN_get_rfc3526_prime_3072}, {"modp16", BN_get_rfc3526_prime_4096},
    {"modp17", BN_get_rfc3526_prime_6144}, {"modp18", BN_get_rfc3526_prime_8192},
};

}  // namespace

Number prime_of_group(std::string_view name) {
  std::string small(name);
  for (char& letter : small) {
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  for (const NamedGroup& group : kGroups) {
    if (small == group.name) return Number(group.prime(nullptr));
  }
  return nullptr;
}

Pkey dh_parameters(const BIGNUM* prime, const BIGNUM* generator) {
  const Builder builder(OSSL_PARAM_BLD_new());
  if (builder == nullptr ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_FFC_P, prime) != 1 ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_FFC_G, generator) != 1) {
    return nullptr;
  }
  const Params params(OSSL_PARAM_BLD_to_param(builder.get()));
  const PkeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, "DH", nullptr));
  EVP_PKEY* key = nullptr;
  if (params == nullptr || context == nullptr || EVP_PKEY_fromdata_init(context.get()) != 1 ||
      EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_KEY_PARAMETERS, params.get()) != 1) {
    return nullptr;
  }
  return Pkey(key);
}

}  // namespace rondo::bindings::crypto
