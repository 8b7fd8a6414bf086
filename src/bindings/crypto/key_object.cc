// internalBinding('crypto_keys'): native handles of public and private keys.
// lib/internal/crypto/keys checks the arguments.
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/objects.h>

#include <algorithm>
#include <utility>

#include "bindings/crypto/key.h"
#include "runtime/values/binding.h"
#include "runtime/values/contract.h"

namespace rondo::bindings {

namespace crypto {

namespace {

using runtime::Arguments;
using runtime::ErrorClass;
using runtime::Realm;
using runtime::throw_coded;
using runtime::Wrap;

constexpr runtime::Constant kFormats[] = {
    {"kFormatPem", KeyFormat::pem},
    {"kFormatDer", KeyFormat::der},
};
constexpr runtime::Constant kStructures[] = {
    {"kNoStructure", KeyStructure::none}, {"kPkcs1", KeyStructure::pkcs1},
    {"kPkcs8", KeyStructure::pkcs8},      {"kSpki", KeyStructure::spki},
    {"kSec1", KeyStructure::sec1},
};

template <class T>
T enum_of(v8::Local<v8::Value> value) {
  return static_cast<T>(value->IsInt32() ? value.As<v8::Int32>()->Value() : 0);
}

// parse(bytes, format, structure, passphrase, wantsPrivate): a key, which is public only if it is
// not `wantsPrivate`.
void parse(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const Input input(isolate, info[0]);
  const Input typed(isolate, info[3]);
  if (!input.is_valid() || !typed.is_valid()) return;
  const Secret passphrase(typed);
  const Secret* const given = info[3]->IsNullOrUndefined() ? nullptr : &passphrase;
  ERR_clear_error();
  const auto format = enum_of<KeyFormat>(info[1]);
  const auto structure = enum_of<KeyStructure>(info[2]);
  const bool wants_private = info[4]->IsTrue();
  ReadKey read = wants_private
                     ? read_private_key(format, structure, input.data(), input.size(), given)
                     : read_any_key(format, structure, input.data(), input.size(), given);
  if (read.key != nullptr) {
    return return_key(info, read.is_private ? KeyKind::private_key : KeyKind::public_key,
                      std::move(read.key));
  }
  if (read.needs_passphrase) {
    ERR_clear_error();
    return throw_coded(isolate, ErrorClass::type_error, "ERR_MISSING_PASSPHRASE",
                       "Passphrase required for encrypted key");
  }
  // As in Node, the stack also contains the first error, and the message of public keys in DER is
  // not OpenSSL's.
  const std::vector<unsigned long> errors = take_errors();
  std::string message = "Failed to read asymmetric key";
  if (read.is_private) {
    message = errors.empty() ? "Failed to read private key" : error_text(errors.front());
  }
  isolate->ThrowException(make_failure(isolate, errors, message));
}

// isPrivate(key)
void is_private(const Arguments& info) {
  auto* const handle = Wrap::of<KeyHandle>(info[0]);
  RONDO_EXPECT(info, handle != nullptr);
  info.GetReturnValue().Set(handle->is_private());
}

// asPublic(key): the same key as a public one.
void as_public(const Arguments& info) {
  auto* const handle = Wrap::of<KeyHandle>(info[0]);
  RONDO_EXPECT(info, handle != nullptr);
  return_key(info, KeyKind::public_key, handle->share());
}

// algorithm(key): Node's name, or undefined.
void algorithm(const Arguments& info) {
  auto* const handle = Wrap::of<KeyHandle>(info[0]);
  RONDO_EXPECT(info, handle != nullptr);
  const char* const name = algorithm_of(handle->key());
  if (name != nullptr) info.GetReturnValue().Set(runtime::literal(info.GetIsolate(), name));
}

// equals(key, key): true or false; undefined if their algorithm cannot be compared.
void equals(const Arguments& info) {
  auto* const left = Wrap::of<KeyHandle>(info[0]);
  auto* const right = Wrap::of<KeyHandle>(info[1]);
  RONDO_EXPECT(info, left != nullptr && right != nullptr);
  const int answer = EVP_PKEY_eq(left->key(), right->key());
  ERR_clear_error();
  if (answer != -2) info.GetReturnValue().Set(answer == 1);
}

// Node's names of digests are OpenSSL's long names.
std::string digest_name(const std::string& name) {
  const EVP_MD* const digest = EVP_get_digestbyname(name.c_str());
  const int nid = digest == nullptr ? NID_undef : EVP_MD_get_type(digest);
  if (nid != NID_undef) return OBJ_nid2ln(nid);
  const Digest fetched(EVP_MD_fetch(nullptr, name.c_str(), nullptr));
  const int other = fetched == nullptr ? NID_undef : EVP_MD_get_type(fetched.get());
  return other == NID_undef ? name : OBJ_nid2ln(other);
}

// Keys for PSS may be restricted to a digest and a length of the salt.
void describe_pss(v8::Isolate* isolate, const EVP_PKEY* key, v8::Local<v8::Object> target) {
  int salt = 0;
  if (EVP_PKEY_get_int_param(key, OSSL_PKEY_PARAM_RSA_PSS_SALTLEN, &salt) != 1) return;
  const auto digest = [&](const char* param) {
    return digest_name(text_of_key(key, param, "sha1"));
  };
  runtime::set(isolate, target, "hashAlgorithm",
               std::string_view(digest(OSSL_PKEY_PARAM_RSA_DIGEST)));
  runtime::set(isolate, target, "mgf1HashAlgorithm",
               std::string_view(digest(OSSL_PKEY_PARAM_RSA_MGF1_DIGEST)));
  runtime::set(isolate, target, "saltLength", static_cast<double>(salt));
}

// details(key): asymmetricKeyDetails, in which publicExponent is bytes.
void details(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto* const handle = Wrap::of<KeyHandle>(info[0]);
  RONDO_EXPECT(info, handle != nullptr);
  const EVP_PKEY* const key = handle->key();
  // Without a prototype, so that a program cannot intercept what is set.
  const v8::Local<v8::Object> result =
      v8::Object::New(isolate, v8::Null(isolate), nullptr, nullptr, 0);
  const auto bits = [&](const char* name, const char* param) {
    const Number number = number_of_key(key, param);
    if (number) {
      runtime::set(isolate, result, name, static_cast<double>(BN_num_bits(number.get())));
    }
  };
  if (is_any_rsa(key)) {
    bits("modulusLength", OSSL_PKEY_PARAM_RSA_N);
    const Number exponent = number_of_key(key, OSSL_PKEY_PARAM_RSA_E);
    if (exponent) {
      const auto size = static_cast<size_t>(BN_num_bytes(exponent.get()));
      const v8::Local<v8::ArrayBuffer> bytes = v8::ArrayBuffer::New(isolate, size);
      BN_bn2bin(exponent.get(), static_cast<unsigned char*>(bytes->Data()));
      runtime::set(isolate, result, "publicExponent", bytes.As<v8::Value>());
    }
    if (is_algorithm(key, "RSA-PSS")) describe_pss(isolate, key, result);
  } else if (is_algorithm(key, "DSA")) {
    bits("modulusLength", OSSL_PKEY_PARAM_FFC_P);
    bits("divisorLength", OSSL_PKEY_PARAM_FFC_Q);
  } else if (is_algorithm(key, "EC")) {
    const std::string curve = text_of_key(key, OSSL_PKEY_PARAM_GROUP_NAME);
    if (!curve.empty()) runtime::set(isolate, result, "namedCurve", std::string_view(curve));
  }
  ERR_clear_error();
  info.GetReturnValue().Set(result);
}

// write(key, isPrivate, format, structure, cipher, passphrase): text or an ArrayBuffer; null if
// there is no such cipher.
void write(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto* const handle = Wrap::of<KeyHandle>(info[0]);
  RONDO_EXPECT(info, handle != nullptr);
  KeyEncoding encoding;
  encoding.format = enum_of<KeyFormat>(info[2]);
  encoding.structure = enum_of<KeyStructure>(info[3]);
  ERR_clear_error();
  if (info[4]->IsString()) {
    EVP_CIPHER* const cipher =
        Realm::of(isolate).state<Algorithms>().cipher(runtime::to_std(isolate, info[4]));
    if (cipher == nullptr || EVP_CIPHER_up_ref(cipher) != 1) {
      ERR_clear_error();
      return info.GetReturnValue().SetNull();
    }
    encoding.cipher.reset(cipher);
    const Input passphrase(isolate, info[5]);
    if (!passphrase.is_valid()) return;
    encoding.passphrase = Secret(passphrase);
  }
  const KeyKind kind = info[1]->IsTrue() ? KeyKind::private_key : KeyKind::public_key;
  const std::optional<Secret> bytes = write_key(handle->key(), kind, encoding);
  if (!bytes) {
    std::vector<unsigned long> errors = take_errors();
    errors.resize(std::min<size_t>(errors.size(), 1));
    const char* const otherwise = kind == KeyKind::private_key ? "Failed to encode private key"
                                                               : "Failed to encode public key";
    isolate->ThrowException(make_error(isolate, errors, otherwise));
    return;
  }
  ERR_clear_error();
  if (encoding.format == KeyFormat::der) return return_bytes(info, bytes->data(), bytes->size());
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  v8::Local<v8::String> result;
  if (runtime::to_js(isolate, text).ToLocal(&result)) info.GetReturnValue().Set(result);
}

// check(key): whether the key is valid, and its halves belong together.
void check(const Arguments& info) {
  auto* const handle = Wrap::of<KeyHandle>(info[0]);
  RONDO_EXPECT(info, handle != nullptr);
  const PkeyContext context(EVP_PKEY_CTX_new_from_pkey(nullptr, handle->key(), nullptr));
  const bool is_valid =
      context != nullptr && (handle->is_private() ? EVP_PKEY_check(context.get()) == 1
                                                  : EVP_PKEY_public_check(context.get()) == 1);
  ERR_clear_error();
  info.GetReturnValue().Set(is_valid);
}

void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  runtime::set_constants(isolate, target, kFormats);
  runtime::set_constants(isolate, target, kStructures);
}

constexpr runtime::Method kMethods[] = {
    {"parse", parse},         {"isPrivate", is_private}, {"asPublic", as_public},
    {"algorithm", algorithm}, {"equals", equals},        {"details", details},
    {"write", write},         {"check", check},
};

}  // namespace

}  // namespace crypto

extern const runtime::Binding crypto_keys;
const runtime::Binding crypto_keys{"crypto_keys", crypto::kMethods, crypto::add_constants};

}  // namespace rondo::bindings
