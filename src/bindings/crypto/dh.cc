// internalBinding('crypto_dh'): the objects DiffieHellman and DiffieHellmanGroup, whose keys are
// plain numbers. lib/internal/crypto checks the arguments.
#include <openssl/dh.h>
#include <openssl/err.h>

#include <climits>
#include <utility>

#include "bindings/crypto/groups.h"
#include "bindings/crypto/job.h"
#include "bindings/crypto/key.h"
#include "runtime/values/binding.h"

// OpenSSL's newer interface cannot change one number of a key, nor check parameters that it does
// not accept for a key.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace rondo::bindings {

namespace crypto {

namespace {

using runtime::Arguments;
using runtime::ErrorClass;
using runtime::Realm;
using runtime::throw_coded;
using runtime::Wrap;
struct FreeDh {
  void operator()(DH* dh) const { DH_free(dh); }
};
using Dh = std::unique_ptr<DH, FreeDh>;

constexpr int kLeastBits = 512;        // The smallest prime for which OpenSSL generates keys.
constexpr int64_t kStateBytes = 2048;  // Approximate size of OpenSSL's allocations.

class DhState final : public Wrap {
 public:
  DhState(Realm& realm, Dh dh) : Wrap(realm, kind_of<DhState>()), dh_(std::move(dh)) {
    isolate()->AdjustAmountOfExternalAllocatedMemory(kStateBytes);
    release();
  }
  ~DhState() override { isolate()->AdjustAmountOfExternalAllocatedMemory(-kStateBytes); }
  DH* dh() { return dh_.get(); }

 private:
  Dh dh_;
};

void return_state(const Arguments& info, Dh dh) {
  ERR_clear_error();
  info.GetReturnValue().Set((new DhState(Realm::of(info.GetIsolate()), std::move(dh)))->object());
}

Dh with_parameters(Number prime, Number generator) {
  Dh dh(DH_new());
  if (dh == nullptr || prime == nullptr || generator == nullptr ||
      DH_set0_pqg(dh.get(), prime.get(), nullptr, generator.get()) != 1) {
    return nullptr;
  }
  // The DH owns both numbers now.
  std::ignore = prime.release();
  std::ignore = generator.release();
  return dh;
}

Number number_of(unsigned int value) {
  Number number(BN_new());
  if (number != nullptr && BN_set_word(number.get(), value) != 1) return nullptr;
  return number;
}

// Null if memory is exhausted, or if there are too many bytes; then an exception may be pending.
Number read_number(v8::Isolate* isolate, v8::Local<v8::Value> value, const char* too_big) {
  const Input input(isolate, value);
  if (!input.is_valid()) return nullptr;
  if (input.size() > INT_MAX) {
    throw_coded(isolate, ErrorClass::range_error, "ERR_OUT_OF_RANGE", too_big);
    return nullptr;
  }
  return Number(BN_bin2bn(input.data(), static_cast<int>(input.size()), BN_secure_new()));
}

void throw_dh_error(v8::Isolate* isolate, int reason, const char* otherwise) {
  ERR_clear_error();
  ERR_raise(ERR_LIB_DH, reason);
  throw_openssl_error(isolate, otherwise);
}

// The generator is a number or bytes. Null if an error was thrown.
Number read_generator(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  Number generator;
  if (value->IsInt32()) {
    const int32_t number = value.As<v8::Int32>()->Value();
    if (number >= 2) generator = number_of(static_cast<unsigned int>(number));
  } else {
    const v8::TryCatch attempt(isolate);
    generator = read_number(isolate, value, "generator is too big");
    if (generator != nullptr && BN_cmp(generator.get(), BN_value_one()) <= 0) generator.reset();
  }
  if (generator == nullptr) throw_dh_error(isolate, DH_R_BAD_GENERATOR, "Invalid generator");
  return generator;
}

// create(prime or its length in bits, generator)
void create(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  Dh dh;
  if (info[0]->IsInt32()) {
    const int32_t bits = info[0].As<v8::Int32>()->Value();
    if (bits < 2) return throw_dh_error(isolate, DH_R_MODULUS_TOO_SMALL, "Invalid prime length");
    if (!info[1]->IsInt32()) {
      return throw_coded(isolate, ErrorClass::type_error, "ERR_INVALID_ARG_TYPE",
                         "Second argument must be an int32");
    }
    const int32_t generator = info[1].As<v8::Int32>()->Value();
    if (generator < 2) return throw_dh_error(isolate, DH_R_BAD_GENERATOR, "Invalid generator");
    dh.reset(DH_new());
    if (dh != nullptr && DH_generate_parameters_ex(dh.get(), bits, generator, nullptr) != 1) {
      dh.reset();
    }
  } else {
    Number prime = read_number(isolate, info[0], "prime is too big");
    if (prime == nullptr) {
      ERR_clear_error();
      return throw_coded(isolate, ErrorClass::type_error, "ERR_INVALID_ARG_VALUE", "Invalid prime");
    }
    Number generator = read_generator(isolate, info[1]);
    if (generator == nullptr) return;
    if (BN_num_bits(prime.get()) >= kLeastBits && BN_cmp(generator.get(), prime.get()) >= 0) {
      return throw_dh_error(isolate, DH_R_BAD_GENERATOR, "Invalid generator");
    }
    dh = with_parameters(std::move(prime), std::move(generator));
  }
  ERR_clear_error();
  if (dh == nullptr) {
    return throw_coded(isolate, ErrorClass::type_error, "ERR_INVALID_ARG_VALUE",
                       "Invalid DH parameters");
  }
  return_state(info, std::move(dh));
}

// createGroup(name): undefined if there is no such group.
void create_group(const Arguments& info) {
  Number prime = prime_of_group(runtime::to_std(info.GetIsolate(), info[0]));
  if (prime == nullptr) return;
  Dh dh = with_parameters(std::move(prime), number_of(kGroupGenerator));
  if (dh != nullptr) return_state(info, std::move(dh));
}

void return_number(const Arguments& info, const BIGNUM* number) {
  Secret bytes(static_cast<size_t>(BN_num_bytes(number)));
  BN_bn2binpad(number, bytes.data(), static_cast<int>(bytes.size()));
  return_bytes(info, bytes.data(), bytes.size());
}

void throw_failed(v8::Isolate* isolate, const char* message) {
  ERR_clear_error();
  throw_coded(isolate, ErrorClass::error, "ERR_CRYPTO_OPERATION_FAILED", message);
}

// OpenSSL refuses primes that are too small to be secure; Node generates keys for them. A private
// key that was set stays.
bool generate_small(DH* dh) {
  const std::unique_ptr<BN_CTX, FreeWith<BN_CTX_free>> scratch(BN_CTX_new());
  const BIGNUM* const prime = DH_get0_p(dh);
  const BIGNUM* secret = DH_get0_priv_key(dh);
  Number made;
  Number point(BN_new());
  if (scratch == nullptr || point == nullptr) return false;
  if (secret == nullptr) {
    made.reset(BN_secure_new());
    if (made == nullptr || BN_is_zero(prime) != 0) return false;
    do {
      if (BN_priv_rand_range(made.get(), prime) != 1) return false;
    } while (BN_is_zero(made.get()) != 0 && BN_is_one(prime) == 0);
    secret = made.get();
  }
  if (BN_mod_exp(point.get(), DH_get0_g(dh), secret, prime, scratch.get()) != 1 ||
      DH_set0_key(dh, point.get(), made.get()) != 1) {
    return false;
  }
  std::ignore = point.release();
  std::ignore = made.release();
  return true;
}

// generateKeys(dh): the public key.
void generate_keys(const Arguments& info) {
  auto* const state = Wrap::of<DhState>(info[0]);
  RONDO_EXPECT(info, state != nullptr);
  const bool is_made = DH_bits(state->dh()) < kLeastBits ? generate_small(state->dh())
                                                         : DH_generate_key(state->dh()) == 1;
  if (!is_made) {
    return throw_failed(info.GetIsolate(), "Key generation failed");
  }
  ERR_clear_error();
  const BIGNUM* const number = DH_get0_pub_key(state->dh());
  return_number(info, number);
}

// computeSecret(dh, publicKey)
void compute_secret(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto* const state = Wrap::of<DhState>(info[0]);
  RONDO_EXPECT(info, state != nullptr);
  const Number peer = read_number(isolate, info[1], "secret is too big");
  if (isolate->HasPendingException()) return;
  int codes = 0;
  const bool is_checked = peer != nullptr && DH_check_pub_key(state->dh(), peer.get(), &codes) == 1;
  ERR_clear_error();
  if (!is_checked) {
    return throw_coded(isolate, ErrorClass::range_error, "ERR_CRYPTO_INVALID_KEYTYPE",
                       "Unspecified validation error");
  }
  if ((codes & DH_CHECK_PUBKEY_TOO_SMALL) != 0 || (codes & DH_CHECK_PUBKEY_TOO_LARGE) != 0) {
    return throw_coded(isolate, ErrorClass::range_error, "ERR_CRYPTO_INVALID_KEYLEN",
                       (codes & DH_CHECK_PUBKEY_TOO_SMALL) != 0 ? "Supplied key is too small"
                                                                : "Supplied key is too large");
  }
  if (codes != 0) {
    return throw_coded(isolate, ErrorClass::range_error, "ERR_CRYPTO_INVALID_KEYTYPE",
                       "Supplied key is invalid");
  }
  Secret secret(static_cast<size_t>(std::max(DH_size(state->dh()), 1)));
  const int size = DH_compute_key_padded(secret.data(), peer.get(), state->dh());
  if (size <= 0) return throw_failed(isolate, "Failed to compute shared secret");
  ERR_clear_error();
  return_bytes(info, secret.data(), static_cast<size_t>(size));
}

using Reader = const BIGNUM* (*)(const DH* dh);

// Functions that return one of the numbers, or undefined.
template <Reader kReader>
void read(const Arguments& info) {
  auto* const state = Wrap::of<DhState>(info[0]);
  RONDO_EXPECT(info, state != nullptr);
  const BIGNUM* const number = kReader(state->dh());
  if (number != nullptr) return_number(info, number);
}

using Writer = int (*)(DH* dh, BIGNUM* number);

template <Writer kWriter>
void write(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto* const state = Wrap::of<DhState>(info[0]);
  RONDO_EXPECT(info, state != nullptr);
  Number number = read_number(isolate, info[1], "buf is too big");
  if (isolate->HasPendingException()) return;
  const bool is_set = number != nullptr && kWriter(state->dh(), number.get()) == 1;
  if (is_set) std::ignore = number.release();
  ERR_clear_error();
  info.GetReturnValue().Set(is_set);
}

int set_public(DH* dh, BIGNUM* number) { return DH_set0_key(dh, number, nullptr); }
int set_private(DH* dh, BIGNUM* number) { return DH_set0_key(dh, nullptr, number); }

// verifyError(dh): bits of DH_check(); undefined if the parameters cannot be checked.
void verify_error(const Arguments& info) {
  auto* const state = Wrap::of<DhState>(info[0]);
  RONDO_EXPECT(info, state != nullptr);
  int codes = 0;
  const bool is_checked = DH_check(state->dh(), &codes) == 1;
  ERR_clear_error();
  if (is_checked) info.GetReturnValue().Set(codes);
}

constexpr runtime::Method kMethods[] = {
    {"create", create},
    {"createGroup", create_group},
    {"generateKeys", generate_keys},
    {"computeSecret", compute_secret},
    {"getPrime", read<DH_get0_p>},
    {"getGenerator", read<DH_get0_g>},
    {"getPublicKey", read<DH_get0_pub_key>},
    {"getPrivateKey", read<DH_get0_priv_key>},
    {"setPublicKey", write<set_public>},
    {"setPrivateKey", write<set_private>},
    {"verifyError", verify_error},
};

}  // namespace

}  // namespace crypto

extern const runtime::Binding crypto_dh;
const runtime::Binding crypto_dh{"crypto_dh", crypto::kMethods};

}  // namespace rondo::bindings
