// internalBinding('crypto_sign'): signatures. lib/internal/crypto/sign checks the arguments.
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/rsa.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstring>
#include <utility>

#include "bindings/crypto/job.h"
#include "bindings/crypto/key.h"
#include "bindings/crypto/weak_points.h"
#include "runtime/values/binding.h"

namespace rondo::bindings {

namespace crypto {

namespace {

using runtime::Arguments;
using runtime::ErrorClass;
using runtime::Realm;
using runtime::throw_coded;
using runtime::Wrap;
using Pair = std::unique_ptr<ECDSA_SIG, FreeWith<ECDSA_SIG_free>>;

constexpr int64_t kContextBytes = 512;  // Approximate size of OpenSSL's allocations.
constexpr int kNoSalt = INT_MIN;
constexpr int kDefaultPadding = 0;

struct Options {
  int padding = kDefaultPadding;
  int salt = kNoSalt;
  bool is_p1363 = false;
};

Options options_of(v8::Local<v8::Value> padding, v8::Local<v8::Value> salt,
                   v8::Local<v8::Value> is_p1363) {
  Options options;
  if (padding->IsInt32()) options.padding = padding.As<v8::Int32>()->Value();
  if (salt->IsInt32()) options.salt = salt.As<v8::Int32>()->Value();
  options.is_p1363 = is_p1363->IsTrue();
  return options;
}

bool apply(const EVP_PKEY* key, EVP_PKEY_CTX* context, const Options& options) {
  if (!is_any_rsa(key)) return true;
  int padding = options.padding;
  if (padding == kDefaultPadding) {
    padding = is_algorithm(key, "RSA-PSS") ? RSA_PKCS1_PSS_PADDING : RSA_PKCS1_PADDING;
  }
  if (EVP_PKEY_CTX_set_rsa_padding(context, padding) <= 0) return false;
  if (padding != RSA_PKCS1_PSS_PADDING || options.salt == kNoSalt) return true;
  return EVP_PKEY_CTX_set_rsa_pss_saltlen(context, options.salt) > 0;
}

// True for algorithms whose signatures are pairs of numbers.
bool has_pair(const EVP_PKEY* key) { return is_algorithm(key, "EC") || is_algorithm(key, "DSA"); }

// Algorithms that need the whole message, and cannot sign a digest of it.
bool needs_message(const EVP_PKEY* key) {
  const char* const name = algorithm_of(key);
  const std::string_view algorithm = name == nullptr ? "" : name;
  return algorithm.starts_with("ed") || algorithm.starts_with("ml-dsa") ||
         algorithm.starts_with("slh-dsa");
}

// Bytes of each number of a pair; 0 if the key has other signatures.
int bytes_of_number(const EVP_PKEY* key) {
  if (!has_pair(key)) return 0;
  const Number order = number_of_key(
      key, is_algorithm(key, "EC") ? OSSL_PKEY_PARAM_EC_ORDER : OSSL_PKEY_PARAM_FFC_Q);
  return order ? BN_num_bytes(order.get()) : 0;
}

// Both numbers, one behind the other. False if the signature is not in DER.
bool to_p1363(const EVP_PKEY* key, std::vector<uint8_t>* signature) {
  const int size = bytes_of_number(key);
  const unsigned char* at = signature->data();
  // NOLINTNEXTLINE(google-runtime-int): the type of OpenSSL's function
  const Pair pair(d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(signature->size())));
  if (size == 0 || pair == nullptr) return false;
  std::vector<uint8_t> out(2 * static_cast<size_t>(size));
  if (BN_bn2binpad(ECDSA_SIG_get0_r(pair.get()), out.data(), size) != size ||
      BN_bn2binpad(ECDSA_SIG_get0_s(pair.get()), out.data() + size, size) != size) {
    return false;
  }
  *signature = std::move(out);
  return true;
}

// Converts the two numbers back to DER. False if the signature has the wrong size.
bool to_der(const EVP_PKEY* key, std::vector<uint8_t>* signature) {
  const int size = bytes_of_number(key);
  if (size == 0) return true;
  if (signature->size() != 2 * static_cast<size_t>(size)) return false;
  const Pair pair(ECDSA_SIG_new());
  BIGNUM* const r = BN_bin2bn(signature->data(), size, nullptr);
  BIGNUM* const s = BN_bin2bn(signature->data() + size, size, nullptr);
  if (pair == nullptr || r == nullptr || s == nullptr || ECDSA_SIG_set0(pair.get(), r, s) != 1) {
    BN_free(r);
    BN_free(s);
    return false;
  }
  unsigned char* der = nullptr;
  const int length = i2d_ECDSA_SIG(pair.get(), &der);
  if (length <= 0) return false;
  signature->assign(der, der + length);
  OPENSSL_free(der);
  return true;
}

std::vector<uint8_t> copy_of(const Input& input) {
  return {input.data(), input.data() + input.size()};
}

void return_signature(const Arguments& info, const std::vector<uint8_t>& signature) {
  return_bytes(info, signature.data(), signature.size());
}

// ---- Sign and Verify: the digest of a message that comes in parts

class Message final : public Wrap {
 public:
  Message(Realm& realm, DigestContext context)
      : Wrap(realm, kind_of<Message>()), context_(std::move(context)) {
    isolate()->AdjustAmountOfExternalAllocatedMemory(kContextBytes);
    release();
  }
  ~Message() override { isolate()->AdjustAmountOfExternalAllocatedMemory(-kContextBytes); }

  EVP_MD_CTX* context() { return context_.get(); }
  // Moves the digest out: a message is signed or verified once.
  DigestContext take() { return std::move(context_); }

 private:
  DigestContext context_;
};

void throw_not_initialised(v8::Isolate* isolate) {
  throw_coded(isolate, ErrorClass::error, "ERR_CRYPTO_INVALID_STATE", "Not initialised");
}

// Throws OpenSSL's error, or Node's if there is none.
void throw_failed(v8::Isolate* isolate, std::string_view message) {
  if (ERR_peek_error() != 0) {
    // As in Node, the message is that of the oldest error.
    const unsigned long error = ERR_get_error();  // NOLINT(google-runtime-int): OpenSSL's type
    std::vector<unsigned long> rest = take_errors();
    rest.insert(rest.begin(), error);
    isolate->ThrowException(make_error(isolate, rest, message));
    return;
  }
  throw_coded(isolate, ErrorClass::error, "ERR_CRYPTO_OPERATION_FAILED", message);
}

// create(digest): undefined if there is no such digest.
void create(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const EVP_MD* const digest = digest_of(isolate, info[0]);
  DigestContext context(EVP_MD_CTX_new());
  ERR_clear_error();
  if (digest == nullptr || context == nullptr) return;
  if (EVP_DigestInit_ex(context.get(), digest, nullptr) != 1) {
    return throw_failed(isolate, "EVP_SignInit_ex failed");
  }
  info.GetReturnValue().Set((new Message(Realm::of(isolate), std::move(context)))->object());
}

// update(message, data)
void update(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto* const message = Wrap::of<Message>(info[0]);
  RONDO_EXPECT(info, message != nullptr);
  if (message->context() == nullptr) return throw_not_initialised(isolate);
  const Input data(isolate, info[1]);
  if (!data.is_valid()) return;
  if (data.size() > INT_MAX) {
    return throw_coded(isolate, ErrorClass::range_error, "ERR_OUT_OF_RANGE", "data is too long");
  }
  ERR_clear_error();
  if (EVP_DigestUpdate(message->context(), data.data(), data.size()) != 1) {
    throw_failed(isolate, "EVP_SignUpdate failed");
  }
}

// The digest of a message and the context of the operation with a key. `init` is
// EVP_PKEY_sign_init() or EVP_PKEY_verify_init().
struct Prepared {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  PkeyContext context;
  bool is_ready = false;
  bool is_unsupported = false;
};
template <class Init>
Prepared prepare(DigestContext message, EVP_PKEY* key, const Options& options, Init init) {
  Prepared result;
  if (EVP_DigestFinal_ex(message.get(), result.digest.data(), &result.size) != 1) {
    result.is_unsupported = true;
    return result;
  }
  result.context.reset(EVP_PKEY_CTX_new_from_pkey(nullptr, key, nullptr));
  if (result.context == nullptr) return result;
  const int answer = init(result.context.get());
  result.is_unsupported = answer == -2;
  result.is_ready =
      answer > 0 && apply(key, result.context.get(), options) &&
      EVP_PKEY_CTX_set_signature_md(result.context.get(), EVP_MD_CTX_get0_md(message.get())) > 0;
  return result;
}

void throw_unsupported(v8::Isolate* isolate) {
  throw_coded(isolate, ErrorClass::error, "ERR_CRYPTO_UNSUPPORTED_OPERATION",
              "Unsupported crypto operation");
}

// sign(message, key, padding, saltLength, isP1363): an ArrayBuffer.
void sign(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto* const message = Wrap::of<Message>(info[0]);
  auto* const handle = Wrap::of<KeyHandle>(info[1]);
  RONDO_EXPECT(info, message != nullptr && handle != nullptr && handle->is_private());
  const Options options = options_of(info[2], info[3], info[4]);
  EVP_PKEY* const key = handle->key();
  ERR_clear_error();
  if (needs_message(key)) return throw_unsupported(isolate);
  if (message->context() == nullptr) return throw_not_initialised(isolate);
  const Prepared prepared = prepare(message->take(), key, options, EVP_PKEY_sign_init);
  size_t size = static_cast<size_t>(std::max(EVP_PKEY_get_size(key), 0));
  std::vector<uint8_t> signature(size);
  // Without memory, OpenSSL would only return the size.
  if (!prepared.is_ready || size == 0 ||
      EVP_PKEY_sign(prepared.context.get(), signature.data(), &size, prepared.digest.data(),
                    prepared.size) != 1) {
    return throw_failed(isolate, "PEM_read_bio_PrivateKey failed");
  }
  signature.resize(size);
  if (options.is_p1363) std::ignore = to_p1363(key, &signature);
  ERR_clear_error();
  return_signature(info, signature);
}

// verify(message, key, signature, padding, saltLength, isP1363): a boolean.
void verify(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto* const message = Wrap::of<Message>(info[0]);
  auto* const handle = Wrap::of<KeyHandle>(info[1]);
  RONDO_EXPECT(info, message != nullptr && handle != nullptr);
  const Options options = options_of(info[3], info[4], info[5]);
  EVP_PKEY* const key = handle->key();
  ERR_clear_error();
  if (needs_message(key)) return throw_unsupported(isolate);
  const Input given(isolate, info[2]);
  if (!given.is_valid()) return;
  std::vector<uint8_t> signature = copy_of(given);
  if (options.is_p1363 && !to_der(key, &signature)) {
    ERR_clear_error();
    return throw_coded(isolate, ErrorClass::error, "ERR_CRYPTO_OPERATION_FAILED",
                       "Malformed signature");
  }
  if (message->context() == nullptr) return throw_not_initialised(isolate);
  const Prepared prepared = prepare(message->take(), key, options, EVP_PKEY_verify_init);
  if (prepared.is_unsupported) return throw_failed(isolate, "PEM_read_bio_PUBKEY failed");
  const bool is_valid = prepared.is_ready &&
                        EVP_PKEY_verify(prepared.context.get(), signature.data(), signature.size(),
                                        prepared.digest.data(), prepared.size) == 1;
  ERR_clear_error();
  info.GetReturnValue().Set(is_valid);
}

// ---- sign() and verify(): a whole message at once

struct Once {
  static constexpr const char* kLabel = "signature";
  static constexpr bool kShowsCause = true;
  Pkey key;
  std::vector<uint8_t> data;
  Digest digest;
  Options options;
  std::vector<uint8_t> context_text;
  bool has_context = false;

  Refused refusal() const {
    if (!is_context_refused) return {};
    return {"ERR_CRYPTO_OPERATION_FAILED", "Context parameter is unsupported"};
  }

 protected:
  bool is_context_refused = false;

  // `init` is EVP_DigestSignInit_ex() or EVP_DigestVerifyInit_ex().
  template <class Init>
  bool begin(EVP_MD_CTX* context, Init init) {
    if (context == nullptr) return false;
    if (has_context && !context_text.empty()) {
      if (!needs_message(key.get())) {
        is_context_refused = true;
        return false;
      }
      return begin_with_context(context, init);
    }
    EVP_PKEY_CTX* operation = nullptr;
    const char* const name = digest ? EVP_MD_get0_name(digest.get()) : nullptr;
    return init(context, &operation, name, nullptr, nullptr, key.get(), nullptr) == 1 &&
           apply(key.get(), operation, options);
  }

 private:
  template <class Init>
  bool begin_with_context(EVP_MD_CTX* context, Init init) {
    std::vector<OSSL_PARAM> params;
    // Plain Ed25519 has no context: select the instance that has one.
    std::string instance = "Ed25519ctx";
    if (is_algorithm(key.get(), "ED25519")) {
      params.push_back(
          OSSL_PARAM_construct_utf8_string(OSSL_SIGNATURE_PARAM_INSTANCE, instance.data(), 0));
    }
    params.push_back(OSSL_PARAM_construct_octet_string(OSSL_SIGNATURE_PARAM_CONTEXT_STRING,
                                                       context_text.data(), context_text.size()));
    params.push_back(OSSL_PARAM_construct_end());
    // As in Node, the digest is ignored.
    EVP_PKEY_CTX* operation = nullptr;
    return init(context, &operation, nullptr, nullptr, nullptr, key.get(), params.data()) == 1;
  }
};

struct SignOnce : Once {
  static constexpr const char* kFailed = "Deriving bits failed";
  std::vector<uint8_t> signature;

  bool run() {
    const DigestContext context(EVP_MD_CTX_new());
    if (!begin(context.get(), EVP_DigestSignInit_ex)) return false;
    size_t size = 0;
    if (EVP_DigestSign(context.get(), nullptr, &size, data.data(), data.size()) != 1) return false;
    signature.resize(size);
    if (EVP_DigestSign(context.get(), signature.data(), &size, data.data(), data.size()) != 1) {
      return false;
    }
    signature.resize(size);
    return !options.is_p1363 || !has_pair(key.get()) || to_p1363(key.get(), &signature);
  }
  v8::Local<v8::Value> result(v8::Isolate* isolate) {
    const v8::Local<v8::ArrayBuffer> bytes = v8::ArrayBuffer::New(isolate, signature.size());
    if (!signature.empty()) std::memcpy(bytes->Data(), signature.data(), signature.size());
    return bytes;
  }
};

struct VerifyOnce : Once {
  static constexpr const char* kFailed = "Deriving bits failed";
  std::vector<uint8_t> signature;
  bool is_malformed = false;
  bool is_valid = false;

  bool run() {
    const DigestContext context(EVP_MD_CTX_new());
    if (!begin(context.get(), EVP_DigestVerifyInit_ex)) return false;
    if (is_malformed || has_weak_point(key.get(), signature)) return true;
    is_valid = EVP_DigestVerify(context.get(), signature.data(), signature.size(), data.data(),
                                data.size()) == 1;
    return true;
  }
  v8::Local<v8::Value> result(v8::Isolate* isolate) { return v8::Boolean::New(isolate, is_valid); }
};

// Reads (key, data, digest, padding, saltLength, isP1363, context). False if an error was thrown.
bool read_once(const Arguments& info, Once* task) {
  v8::Isolate* const isolate = info.GetIsolate();
  task->key = Wrap::of<KeyHandle>(info[0])->share();
  const Input data(isolate, info[1]);
  if (!data.is_valid()) return false;
  const auto refuse = [&](const char* message) {
    throw_coded(isolate, ErrorClass::range_error, "ERR_OUT_OF_RANGE", message);
    return false;
  };
  if (data.size() > INT_MAX) return refuse("data is too big");
  task->data = copy_of(data);
  if (info[2]->IsString()) {
    task->digest = share(digest_of(isolate, info[2]));
    ERR_clear_error();
    if (task->digest == nullptr) {
      throw_coded(isolate, ErrorClass::type_error, "ERR_CRYPTO_INVALID_DIGEST",
                  "Invalid digest: " + runtime::to_std(isolate, info[2]));
      return false;
    }
  }
  task->options = options_of(info[3], info[4], info[5]);
  if (!info[6]->IsUndefined()) {
    const Input context(isolate, info[6]);
    if (!context.is_valid()) return false;
    if (context.size() > 255) return refuse("context string must be at most 255 bytes");
    task->has_context = true;
    task->context_text = copy_of(context);
  }
  return true;
}

// signOnce(key, data, digest, padding, saltLength, isP1363, context, callback): an ArrayBuffer.
void sign_once(const Arguments& info) {
  auto* const handle = Wrap::of<KeyHandle>(info[0]);
  RONDO_EXPECT(info, handle != nullptr && handle->is_private());
  SignOnce task;
  if (read_once(info, &task)) run_or_submit(info, std::move(task), info[7]);
}

// verifyOnce(key, data, digest, padding, saltLength, isP1363, context, signature, callback): a
// boolean.
void verify_once(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, Wrap::of<KeyHandle>(info[0]) != nullptr);
  VerifyOnce task;
  if (!read_once(info, &task)) return;
  const Input signature(isolate, info[7]);
  if (!signature.is_valid()) return;
  if (signature.size() > INT_MAX) {
    return throw_coded(isolate, ErrorClass::range_error, "ERR_OUT_OF_RANGE",
                       "signature is too big");
  }
  task.signature = copy_of(signature);
  if (task.options.is_p1363) task.is_malformed = !to_der(task.key.get(), &task.signature);
  ERR_clear_error();
  run_or_submit(info, std::move(task), info[8]);
}

constexpr runtime::Method kMethods[] = {
    {"create", create}, {"update", update},      {"sign", sign},
    {"verify", verify}, {"signOnce", sign_once}, {"verifyOnce", verify_once},
};

}  // namespace

}  // namespace crypto

extern const runtime::Binding crypto_sign;
const runtime::Binding crypto_sign{"crypto_sign", crypto::kMethods};

}  // namespace rondo::bindings
