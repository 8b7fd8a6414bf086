// internalBinding('crypto_keygen'): new key pairs. lib/internal/crypto/keygen checks the arguments.
#include <openssl/core_names.h>
#include <openssl/dh.h>
#include <openssl/dsa.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>

#include <climits>
#include <optional>
#include <utility>

#include "bindings/crypto/groups.h"
#include "bindings/crypto/job.h"
#include "bindings/crypto/key.h"
#include "runtime/values/binding.h"

namespace rondo::bindings {

namespace crypto {

namespace {

using runtime::Arguments;
using runtime::Realm;

// The base of all tasks: makes two handles, public and private, for the generated key.
struct KeyPairTask {
  static constexpr const char* kLabel = "key pair";
  static constexpr const char* kFailed = "Key generation failed";
  static constexpr bool kShowsCause = true;
  Pkey key;

  // [publicKey, privateKey]
  v8::Local<v8::Value> result(v8::Isolate* isolate) {
    Realm& realm = Realm::of(isolate);
    v8::Local<v8::Value> pair[] = {
        KeyHandle::create(realm, KeyKind::public_key, share(key.get())),
        KeyHandle::create(realm, KeyKind::private_key, share(key.get())),
    };
    return v8::Array::New(isolate, pair, 2);
  }

 protected:
  bool generate(EVP_PKEY_CTX* context) {
    EVP_PKEY* made = nullptr;
    if (context == nullptr || EVP_PKEY_generate(context, &made) != 1) return false;
    key.reset(made);
    return true;
  }
  // A key with the parameters of another one.
  bool generate_from(const Pkey& params) {
    if (params == nullptr) return false;
    const PkeyContext context(EVP_PKEY_CTX_new_from_pkey(nullptr, params.get(), nullptr));
    return context != nullptr && EVP_PKEY_keygen_init(context.get()) == 1 &&
           generate(context.get());
  }
};

PkeyContext context_of(const char* algorithm) {
  return PkeyContext(EVP_PKEY_CTX_new_from_name(nullptr, algorithm, nullptr));
}

struct NamedPair : KeyPairTask {
  const char* algorithm = nullptr;

  bool run() {
    const PkeyContext context = context_of(algorithm);
    return context != nullptr && EVP_PKEY_keygen_init(context.get()) == 1 &&
           generate(context.get());
  }
};

// named(algorithm, callback): for algorithms without parameters.
void named(const Arguments& info) {
  NamedPair task;
  task.algorithm = openssl_name(runtime::to_std(info.GetIsolate(), info[0]));
  RONDO_EXPECT(info, task.algorithm != nullptr);
  run_or_submit(info, std::move(task), info[1]);
}

struct RsaPair : KeyPairTask {
  bool is_pss = false;
  int bits = 0;
  uint32_t exponent = 0;
  Digest digest;
  Digest mgf1_digest;
  int salt_length = -1;

  bool run() {
    const PkeyContext context = context_of(is_pss ? "RSA-PSS" : "RSA");
    const Number number(BN_new());
    if (context == nullptr || number == nullptr || BN_set_word(number.get(), exponent) != 1 ||
        EVP_PKEY_keygen_init(context.get()) != 1 ||
        EVP_PKEY_CTX_set_rsa_keygen_bits(context.get(), bits) != 1) {
      return false;
    }
    if (EVP_PKEY_CTX_set1_rsa_keygen_pubexp(context.get(), number.get()) != 1) return false;
    return (!is_pss || restrict(context.get())) && generate(context.get());
  }

 private:
  // As in Node, the digest also determines what the program does not say.
  bool restrict(EVP_PKEY_CTX* context) const {
    const EVP_MD* const mgf1 = mgf1_digest ? mgf1_digest.get() : digest.get();
    int salt = salt_length;
    if (salt < 0 && digest) salt = EVP_MD_get_size(digest.get());
    return (!digest || EVP_PKEY_CTX_set_rsa_pss_keygen_md(context, digest.get()) == 1) &&
           (mgf1 == nullptr || EVP_PKEY_CTX_set_rsa_pss_keygen_mgf1_md(context, mgf1) == 1) &&
           (salt < 0 || EVP_PKEY_CTX_set_rsa_pss_keygen_saltlen(context, salt) == 1);
  }
};

int int_of(v8::Local<v8::Value> value) {
  if (!value->IsNumber()) return 0;
  const double number = value.As<v8::Number>()->Value();
  return number > INT_MAX ? INT_MAX : static_cast<int>(number);
}

// rsa(isPss, modulusLength, publicExponent, digest, mgf1Digest, saltLength, callback): 'digest' or
// 'mgf1Digest' if there is no such digest.
void rsa(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RsaPair task;
  task.is_pss = info[0]->IsTrue();
  task.bits = int_of(info[1]);
  RONDO_EXPECT(info, info[2]->IsUint32());
  task.exponent = info[2].As<v8::Uint32>()->Value();
  const auto digest_at = [&](int index, const char* name, Digest* digest) {
    if (!info[index]->IsString()) return true;
    *digest = share(digest_of(isolate, info[index]));
    ERR_clear_error();
    if (*digest == nullptr) info.GetReturnValue().Set(runtime::literal(isolate, name));
    return *digest != nullptr;
  };
  if (!digest_at(3, "digest", &task.digest) || !digest_at(4, "mgf1Digest", &task.mgf1_digest)) {
    return;
  }
  if (info[5]->IsInt32()) task.salt_length = info[5].As<v8::Int32>()->Value();
  run_or_submit(info, std::move(task), info[6]);
}

struct DsaPair : KeyPairTask {
  int bits = 0;
  int divisor_bits = -1;

  bool run() {
    const PkeyContext context = context_of("DSA");
    EVP_PKEY* params = nullptr;
    if (context == nullptr || EVP_PKEY_paramgen_init(context.get()) != 1 ||
        EVP_PKEY_CTX_set_dsa_paramgen_bits(context.get(), bits) != 1 ||
        (divisor_bits != -1 &&
         EVP_PKEY_CTX_set_dsa_paramgen_q_bits(context.get(), divisor_bits) != 1) ||
        EVP_PKEY_paramgen(context.get(), &params) != 1) {
      return false;
    }
    return generate_from(Pkey(params));
  }
};

// dsa(modulusLength, divisorLength or -1, callback)
void dsa(const Arguments& info) {
  DsaPair task;
  task.bits = int_of(info[0]);
  task.divisor_bits = int_of(info[1]);
  run_or_submit(info, std::move(task), info[2]);
}

struct EcPair : KeyPairTask {
  int nid = 0;
  bool is_explicit = false;

  bool run() {
    const PkeyContext context = context_of("EC");
    EVP_PKEY* params = nullptr;
    if (context == nullptr || EVP_PKEY_paramgen_init(context.get()) != 1 ||
        EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context.get(), nid) != 1 ||
        EVP_PKEY_CTX_set_ec_param_enc(
            context.get(), is_explicit ? OPENSSL_EC_EXPLICIT_CURVE : OPENSSL_EC_NAMED_CURVE) != 1 ||
        EVP_PKEY_paramgen(context.get(), &params) != 1) {
      return false;
    }
    return generate_from(Pkey(params));
  }
};

// ec(curve, isExplicit, callback): false if there is no such curve.
void ec(const Arguments& info) {
  EcPair task;
  task.nid = curve_nid(runtime::to_std(info.GetIsolate(), info[0]));
  if (task.nid == NID_undef) return info.GetReturnValue().Set(false);
  task.is_explicit = info[1]->IsTrue();
  run_or_submit(info, std::move(task), info[2]);
}

struct DhPair : KeyPairTask {
  Number prime;
  int prime_bits = 0;
  int generator = 2;

  bool run() { return generate_from(prime ? parameters() : new_parameters()); }

 private:
  Pkey parameters() const {
    const Number number(BN_new());
    if (number == nullptr || BN_set_word(number.get(), static_cast<BN_ULONG>(generator)) != 1) {
      return nullptr;
    }
    return dh_parameters(prime.get(), number.get());
  }
  Pkey new_parameters() const {
    const PkeyContext context = context_of("DH");
    EVP_PKEY* params = nullptr;
    if (context == nullptr || EVP_PKEY_paramgen_init(context.get()) != 1 ||
        EVP_PKEY_CTX_set_dh_paramgen_prime_len(context.get(), prime_bits) != 1 ||
        EVP_PKEY_CTX_set_dh_paramgen_generator(context.get(), generator) != 1 ||
        EVP_PKEY_paramgen(context.get(), &params) != 1) {
      return nullptr;
    }
    return Pkey(params);
  }
};

// dh(group, prime or its length in bits, generator, callback): false if there is no such group.
void dh(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  DhPair task;
  task.generator = int_of(info[2]);
  if (info[0]->IsString()) {
    task.prime = prime_of_group(runtime::to_std(isolate, info[0]));
    if (task.prime == nullptr) return info.GetReturnValue().Set(false);
    task.generator = kGroupGenerator;
  } else if (info[1]->IsNumber()) {
    task.prime_bits = int_of(info[1]);
  } else {
    const Input bytes(isolate, info[1]);
    if (!bytes.is_valid()) return;
    if (bytes.size() <= INT_MAX) {
      task.prime.reset(BN_bin2bn(bytes.data(), static_cast<int>(bytes.size()), nullptr));
    }
    if (task.prime == nullptr) return throw_openssl_error(isolate, "Invalid prime");
  }
  run_or_submit(info, std::move(task), info[3]);
}

constexpr runtime::Method kMethods[] = {
    {"named", named}, {"rsa", rsa}, {"dsa", dsa}, {"ec", ec}, {"dh", dh},
};

}  // namespace

}  // namespace crypto

extern const runtime::Binding crypto_keygen;
const runtime::Binding crypto_keygen{"crypto_keygen", crypto::kMethods};

}  // namespace rondo::bindings
