// internalBinding('crypto_hash'): digests and message authentication codes. lib/internal/crypto
// checks the arguments; the object of a finished hash is empty.
// Uses the older functions for message authentication codes, which OpenSSL 3 deprecates: they take
// an algorithm that was fetched before; the newer ones fetch it each time, and take twice as long.
#define OPENSSL_SUPPRESS_DEPRECATED  // NOLINT(readability-identifier-naming): OpenSSL's name
#include <openssl/err.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <cctype>
#include <climits>
#include <string>
#include <vector>

#include "bindings/crypto/openssl.h"
#include "runtime/values/binding.h"
#include "runtime/values/wrap.h"

namespace rondo::bindings {

namespace crypto {

namespace {

using runtime::Arguments;
using runtime::Realm;
using runtime::Wrap;

// Approximate size of OpenSSL's allocations for an object, which V8 does not see.
constexpr int64_t kContextBytes = 512;

class HashContext final : public Wrap {
 public:
  HashContext(Realm& realm, DigestContext context, const EVP_MD* digest, size_t size)
      : Wrap(realm, kind_of<HashContext>()),
        context_(std::move(context)),
        digest_(digest),
        size_(size) {
    realm.isolate()->AdjustAmountOfExternalAllocatedMemory(kContextBytes);
    release();
  }
  ~HashContext() override { isolate()->AdjustAmountOfExternalAllocatedMemory(-kContextBytes); }

  EVP_MD_CTX* context() { return context_.get(); }
  const EVP_MD* digest() const { return digest_; }
  size_t size() const { return size_; }

 private:
  DigestContext context_;
  const EVP_MD* digest_;
  size_t size_;
};

// The size of the result: the requested one. False if the algorithm has another, fixed size.
bool choose_size(const EVP_MD* digest, v8::Local<v8::Value> requested, size_t* size) {
  *size = digest_size(digest);
  if (!requested->IsUint32() || requested.As<v8::Uint32>()->Value() == *size) return true;
  if ((EVP_MD_get_flags(digest) & EVP_MD_FLAG_XOF) == 0) return false;
  *size = requested.As<v8::Uint32>()->Value();
  return true;
}

// As choose_size(), but throws OpenSSL's error if the digest has no such size.
bool output_size(v8::Isolate* isolate, const EVP_MD* digest, v8::Local<v8::Value> requested,
                 size_t* size) {
  if (choose_size(digest, requested, size)) return true;
  ERR_raise(ERR_LIB_EVP, EVP_R_NOT_XOF_OR_INVALID_LENGTH);
  throw_openssl_error(isolate, "Digest method not supported");
  return false;
}

// createHash(algorithm, outputLength)
void create_hash(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  ERR_clear_error();
  const EVP_MD* const digest = digest_of(isolate, info[0]);
  size_t size = 0;
  DigestContext context;
  if (digest != nullptr) {
    if (!output_size(isolate, digest, info[1], &size)) return;
    context.reset(EVP_MD_CTX_new());
  }
  if (context == nullptr || EVP_DigestInit_ex(context.get(), digest, nullptr) != 1) {
    throw_openssl_error(isolate, "Digest method not supported");
    return;
  }
  auto* const hash = new HashContext(Realm::of(isolate), std::move(context), digest, size);
  info.GetReturnValue().Set(hash->object());
}

// copyHash(hash, outputLength)
void copy_hash(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto* const from = Wrap::of<HashContext>(info[0]);
  if (from == nullptr) return;
  ERR_clear_error();
  size_t size = 0;
  if (!output_size(isolate, from->digest(), info[1], &size)) return;
  DigestContext context(EVP_MD_CTX_new());
  if (context == nullptr || EVP_MD_CTX_copy_ex(context.get(), from->context()) != 1) {
    throw_openssl_error(isolate, "Digest copy error");
    return;
  }
  auto* const hash = new HashContext(Realm::of(isolate), std::move(context), from->digest(), size);
  info.GetReturnValue().Set(hash->object());
}

// updateHash(hash, data): whether it succeeded
void update_hash(const Arguments& info) {
  auto* const hash = Wrap::of<HashContext>(info[0]);
  if (hash == nullptr) return;
  const Input data(info.GetIsolate(), info[1]);
  if (!data.is_valid()) return;
  info.GetReturnValue().Set(EVP_DigestUpdate(hash->context(), data.data(), data.size()) == 1);
}

bool finish(EVP_MD_CTX* context, const EVP_MD* digest, uint8_t* out, size_t size) {
  if (size == 0) return true;
  if ((EVP_MD_get_flags(digest) & EVP_MD_FLAG_XOF) == 0) {
    return EVP_DigestFinal_ex(context, out, nullptr) == 1;
  }
  return EVP_DigestFinalXOF(context, out, size) == 1;
}

// digestHash(hash, encoding): text or an ArrayBuffer; the hash is freed.
void digest_hash(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto* const hash = Wrap::of<HashContext>(info[0]);
  if (hash == nullptr) return;
  ERR_clear_error();
  uint8_t small[EVP_MAX_MD_SIZE];
  Memory big;
  const size_t size = hash->size();
  if (size > sizeof small) {
    big = allocate(isolate, size);
    if (big == nullptr) return;
  }
  const bool is_done =
      finish(hash->context(), hash->digest(), big != nullptr ? big.get() : small, size);
  hash->destroy();
  if (!is_done) {
    throw_openssl_error(isolate, "Digest failed");
    return;
  }
  if (big != nullptr) {
    info.GetReturnValue().Set(runtime::own_memory(isolate, big.release(), size));
    return;
  }
  v8::Local<v8::Value> result;
  if (to_output(isolate, small, size, info[1]).ToLocal(&result)) info.GetReturnValue().Set(result);
}

// hash(algorithm, data, encoding, outputLength): the digest in one call. Undefined if there is no
// such algorithm, null if its results have another length.
void hash_at_once(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  ERR_clear_error();
  const EVP_MD* const digest = digest_of(isolate, info[0]);
  if (digest == nullptr) return;
  const Input data(isolate, info[1]);
  if (!data.is_valid()) return;
  size_t size = 0;
  if (!choose_size(digest, info[3], &size)) {
    info.GetReturnValue().SetNull();
    return;
  }
  uint8_t small[EVP_MAX_MD_SIZE];
  Memory big;
  if (size > sizeof small) {
    big = allocate(isolate, size);
    if (big == nullptr) return;
  }
  EVP_MD_CTX* const context = Realm::of(isolate).state<Algorithms>().scratch();
  if (EVP_DigestInit_ex(context, digest, nullptr) != 1 ||
      EVP_DigestUpdate(context, data.data(), data.size()) != 1 ||
      !finish(context, digest, big != nullptr ? big.get() : small, size)) {
    throw_openssl_error(isolate, "Digest method not supported");
    return;
  }
  if (big != nullptr) {
    info.GetReturnValue().Set(runtime::own_memory(isolate, big.release(), size));
    return;
  }
  v8::Local<v8::Value> result;
  if (to_output(isolate, small, size, info[2]).ToLocal(&result)) info.GetReturnValue().Set(result);
}

using Hmac = std::unique_ptr<HMAC_CTX, FreeWith<HMAC_CTX_free>>;

class HmacContext final : public Wrap {
 public:
  HmacContext(Realm& realm, Hmac context)
      : Wrap(realm, kind_of<HmacContext>()), context_(std::move(context)) {
    realm.isolate()->AdjustAmountOfExternalAllocatedMemory(kContextBytes);
    release();
  }
  ~HmacContext() override { isolate()->AdjustAmountOfExternalAllocatedMemory(-kContextBytes); }

  HMAC_CTX* context() { return context_.get(); }

 private:
  Hmac context_;
};

// createHmac(algorithm, key): undefined if there is no such algorithm.
void create_hmac(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  ERR_clear_error();
  const EVP_MD* const digest = digest_of(isolate, info[0]);
  if (digest == nullptr) {
    ERR_clear_error();
    return;
  }
  const Input key(isolate, info[1]);
  if (!key.is_valid()) return;
  Hmac context(HMAC_CTX_new());
  // A null key would mean the one from before: an empty key needs an address, too.
  if (context == nullptr || key.size() > INT_MAX ||
      HMAC_Init_ex(context.get(), key.data(), static_cast<int>(key.size()), digest, nullptr) != 1) {
    throw_openssl_error(isolate, "The algorithm cannot be used for a message authentication code");
    return;
  }
  auto* const hmac = new HmacContext(Realm::of(isolate), std::move(context));
  info.GetReturnValue().Set(hmac->object());
}

// updateHmac(hmac, data): whether it succeeded
void update_hmac(const Arguments& info) {
  auto* const hmac = Wrap::of<HmacContext>(info[0]);
  if (hmac == nullptr) return;
  const Input data(info.GetIsolate(), info[1]);
  if (!data.is_valid()) return;
  info.GetReturnValue().Set(HMAC_Update(hmac->context(), data.data(), data.size()) == 1);
}

// digestHmac(hmac, encoding): text or an ArrayBuffer; the hmac is freed.
void digest_hmac(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto* const hmac = Wrap::of<HmacContext>(info[0]);
  if (hmac == nullptr) return;
  uint8_t out[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  const bool is_done = HMAC_Final(hmac->context(), out, &size) == 1;
  hmac->destroy();
  if (!is_done) {
    throw_openssl_error(isolate, "Digest failed");
    return;
  }
  v8::Local<v8::Value> result;
  if (to_output(isolate, out, size, info[1]).ToLocal(&result)) info.GetReturnValue().Set(result);
}

// OpenSSL's own list, with the names of signatures that imply a digest, as in Node. It includes
// algorithms that no provider has (such as MD4) and that cannot be used.
void collect(const EVP_MD*, const char* name, const char*, void* list) {
  const EVP_MD* const digest = EVP_get_digestbyname(name);
  if (digest == nullptr) return;
  const Digest usable(EVP_MD_fetch(nullptr, EVP_MD_get0_name(digest), nullptr));
  if (usable != nullptr) static_cast<std::vector<std::string>*>(list)->emplace_back(name);
}

// The names of a digest that a provider has, in lower case. Numbers of ASN.1 are skipped.
void collect_name(const char* name, void* list) {
  if (std::isdigit(static_cast<unsigned char>(*name)) != 0) return;
  std::string small(name);
  std::transform(small.begin(), small.end(), small.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  static_cast<std::vector<std::string>*>(list)->push_back(std::move(small));
}

void collect_provided(EVP_MD* digest, void* list) {
  // All but "null", which has no output.
  const bool is_usable =
      digest_size(digest) > 0 || (EVP_MD_get_flags(digest) & EVP_MD_FLAG_XOF) != 0;
  if (is_usable) EVP_MD_names_do_all(digest, collect_name, list);
}

// getHashes(): sorted, each once.
void get_hashes(const Arguments& info) {
  std::vector<std::string> names;
  EVP_MD_do_all_sorted(collect, &names);
  EVP_MD_do_all_provided(nullptr, collect_provided, &names);
  ERR_clear_error();
  return_names(info, std::move(names));
}

constexpr runtime::Method kMethods[] = {
    {"createHash", create_hash}, {"copyHash", copy_hash},     {"updateHash", update_hash},
    {"digestHash", digest_hash}, {"hash", hash_at_once},      {"createHmac", create_hmac},
    {"updateHmac", update_hmac}, {"digestHmac", digest_hmac}, {"getHashes", get_hashes},
};

}  // namespace

}  // namespace crypto

extern const runtime::Binding crypto_hash;
const runtime::Binding crypto_hash{"crypto_hash", crypto::kMethods};

}  // namespace rondo::bindings
