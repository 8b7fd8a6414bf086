#include "bindings/crypto/openssl.h"

#include <openssl/err.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <utility>

#include "base/encoding/base64.h"
#include "base/encoding/hex.h"
#include "bindings/crypto/job.h"

namespace rondo::bindings::crypto {

namespace {

// Programs may pass any name: those without an algorithm are not remembered, and algorithms have
// few aliases.
constexpr size_t kMostNames = 512;

// The part of an error code that names the library; Node omits it for others.
constexpr std::pair<int, const char*> kLibraries[] = {
    {ERR_LIB_SYS, "SYS_"},       {ERR_LIB_BN, "BN_"},         {ERR_LIB_RSA, "RSA_"},
    {ERR_LIB_DH, "DH_"},         {ERR_LIB_EVP, "EVP_"},       {ERR_LIB_BUF, "BUF_"},
    {ERR_LIB_OBJ, "OBJ_"},       {ERR_LIB_PEM, "PEM_"},       {ERR_LIB_DSA, "DSA_"},
    {ERR_LIB_X509, "X509_"},     {ERR_LIB_ASN1, "ASN1_"},     {ERR_LIB_CONF, "CONF_"},
    {ERR_LIB_CRYPTO, "CRYPTO_"}, {ERR_LIB_EC, "EC_"},         {ERR_LIB_SSL, "SSL_"},
    {ERR_LIB_BIO, "BIO_"},       {ERR_LIB_PKCS7, "PKCS7_"},   {ERR_LIB_X509V3, "X509V3_"},
    {ERR_LIB_RAND, "RAND_"},     {ERR_LIB_ENGINE, "ENGINE_"}, {ERR_LIB_HMAC, "HMAC_"},
};

std::string code_of(unsigned long error, const char* reason) {
  const bool is_tls = ERR_GET_LIB(error) == ERR_LIB_SSL;
  std::string code = is_tls ? "ERR_" : "ERR_OSSL_";
  for (const auto& [library, prefix] : kLibraries) {
    if (library == ERR_GET_LIB(error)) code += prefix;
  }
  for (const char* at = reason; *at != '\0'; ++at) {
    code += *at == ' ' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(*at)));
  }
  return code;
}

v8::Local<v8::String> text(v8::Isolate* isolate, std::string_view utf8) {
  return runtime::to_js(isolate, utf8).FromMaybe(v8::String::Empty(isolate));
}

v8::MaybeLocal<v8::Value> as_value(v8::MaybeLocal<v8::String> string) {
  v8::Local<v8::String> result;
  if (!string.ToLocal(&result)) return {};
  return result.As<v8::Value>();
}

// Sets library, reason and code of `object` to those of the OpenSSL error.
void describe(v8::Isolate* isolate, v8::Local<v8::Object> object, unsigned long error) {
  if (const char* library = ERR_lib_error_string(error); library != nullptr) {
    runtime::set(isolate, object, "library", std::string_view(library));
  }
  if (const char* reason = ERR_reason_error_string(error); reason != nullptr) {
    runtime::set(isolate, object, "reason", std::string_view(reason));
    runtime::set(isolate, object, "code", std::string_view(code_of(error, reason)));
  }
}

}  // namespace

// The table's entry for a name, added if it is new. `same` returns whether two are the same
// algorithm: a full table has nearly all of them under some name.
template <class Owner, class Same>
static auto* remember(std::unordered_map<std::string, Owner>& table, const std::string& name,
                      Owner algorithm, Same same) {
  if (table.size() >= kMostNames) {
    for (auto& entry : table) {
      if (same(algorithm.get(), entry.second.get())) return entry.second.get();
    }
  }
  return table.emplace(name, std::move(algorithm)).first->second.get();
}

size_t digest_size(const EVP_MD* digest) {
  const int size = EVP_MD_get_size(digest);
  if (size > 0) return static_cast<size_t>(size);
  // OpenSSL's sizes for these before 3.4, which programs rely on.
  constexpr size_t kShake128 = 16;
  constexpr size_t kShake256 = 32;
  if (EVP_MD_is_a(digest, "SHAKE128") == 1) return kShake128;
  if (EVP_MD_is_a(digest, "SHAKE256") == 1) return kShake256;
  return 0;
}

EVP_MD* Algorithms::digest(const std::string& name) {
  const auto found = digests_.find(name);
  if (found != digests_.end()) return found->second.get();
  if (name.find('\0') != std::string::npos) return nullptr;
  // OpenSSL's former name of SHA-1 with DSA.
  const bool is_dss1 = name == "dss1" || name == "DSS1";
  Digest digest(EVP_MD_fetch(nullptr, is_dss1 ? "SHA1" : name.c_str(), nullptr));
  if (digest == nullptr) {
    // Names such as RSA-SHA256 are only in the older tables.
    ERR_clear_error();
    const EVP_MD* const alias = EVP_get_digestbyname(name.c_str());
    if (alias == nullptr || EVP_MD_get_type(alias) == NID_undef) return nullptr;
    digest.reset(EVP_MD_fetch(nullptr, EVP_MD_get0_name(alias), nullptr));
    if (digest == nullptr) return nullptr;
  }
  // "null" has no output. Digests of variable length have no default size, either.
  if (digest_size(digest.get()) == 0) return nullptr;
  return remember(digests_, name, std::move(digest), [](const EVP_MD* left, const EVP_MD* right) {
    return EVP_MD_is_a(left, EVP_MD_get0_name(right)) == 1;
  });
}

EVP_CIPHER* Algorithms::cipher(const std::string& name) {
  const auto found = ciphers_.find(name);
  if (found != ciphers_.end()) return found->second.get();
  if (name.find('\0') != std::string::npos) return nullptr;
  const EVP_CIPHER* const known = EVP_get_cipherbyname(name.c_str());
  ERR_clear_error();
  if (known == nullptr) return nullptr;
  // Ciphers that no provider has are listed, too; the error queue then says that they are not
  // supported.
  Cipher cipher(EVP_CIPHER_fetch(nullptr, EVP_CIPHER_get0_name(known), nullptr));
  if (cipher == nullptr) return nullptr;
  return remember(ciphers_, name, std::move(cipher),
                  [](const EVP_CIPHER* left, const EVP_CIPHER* right) {
                    return EVP_CIPHER_is_a(left, EVP_CIPHER_get0_name(right)) == 1;
                  });
}

std::vector<unsigned long> take_errors() {
  std::vector<unsigned long> errors;
  while (const unsigned long error = ERR_get_error()) errors.push_back(error);
  return errors;
}

std::string error_text(unsigned long error) {
  std::array<char, 256> message{};
  ERR_error_string_n(error, message.data(), message.size());
  return message.data();
}

// As in Node, the oldest error is the error itself, and the later ones, the last first, are its
// opensslErrorStack.
v8::Local<v8::Value> make_error(v8::Isolate* isolate, const std::vector<unsigned long>& errors,
                                std::string_view otherwise) {
  if (errors.empty()) return v8::Exception::Error(text(isolate, otherwise));
  const unsigned long first = errors.front();
  const v8::Local<v8::Object> error =
      v8::Exception::Error(text(isolate, error_text(first))).As<v8::Object>();
  if (errors.size() > 1) {
    std::vector<v8::Local<v8::Value>> stack;
    for (size_t i = errors.size(); i-- > 1;) stack.push_back(text(isolate, error_text(errors[i])));
    runtime::set(isolate, error, "opensslErrorStack",
                 v8::Array::New(isolate, stack.data(), stack.size()).As<v8::Value>());
  }
  describe(isolate, error, first);
  return error;
}

v8::Local<v8::Value> make_failure(v8::Isolate* isolate, const std::vector<unsigned long>& errors,
                                  std::string_view message) {
  const v8::Local<v8::Object> failure =
      v8::Exception::Error(text(isolate, message)).As<v8::Object>();
  if (errors.empty()) return failure;
  std::vector<v8::Local<v8::Value>> stack;
  for (size_t i = errors.size(); i-- > 0;) stack.push_back(text(isolate, error_text(errors[i])));
  runtime::set(isolate, failure, "opensslErrorStack",
               v8::Array::New(isolate, stack.data(), stack.size()).As<v8::Value>());
  describe(isolate, failure, errors.front());
  return failure;
}

v8::Local<v8::Value> make_coded(v8::Isolate* isolate, const Refused& refused) {
  const v8::Local<v8::Object> error =
      v8::Exception::Error(text(isolate, refused.message)).As<v8::Object>();
  runtime::set(isolate, error, "code", std::string_view(refused.code));
  return error;
}

void throw_openssl_error(v8::Isolate* isolate, std::string_view otherwise) {
  isolate->ThrowException(make_error(isolate, take_errors(), otherwise));
}

Input::Input(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  if (!value->IsString()) {
    runtime::Bytes bytes;
    if (runtime::bytes_of(value, &bytes) && bytes.size > 0) {
      data_ = bytes.data;
      size_ = bytes.size;
    }
    return;
  }
  const v8::Local<v8::String> string = value.As<v8::String>();
  // One unit of a string becomes at most three bytes.
  if (static_cast<size_t>(string->Length()) <= kInline / 3) {
    size_ = runtime::write_utf8(isolate, string, inline_, kInline).bytes;
    return;
  }
  own_.reset(runtime::utf8_copy(isolate, string, &size_));
  data_ = own_.get();
  if (own_ == nullptr) {
    is_valid_ = false;
    runtime::throw_out_of_memory(isolate);
  }
}

void return_names(const runtime::Arguments& info, std::vector<std::string> names) {
  v8::Isolate* const isolate = info.GetIsolate();
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::vector<v8::Local<v8::Value>> list;
  list.reserve(names.size());
  for (const std::string& name : names) list.push_back(runtime::literal(isolate, name));
  info.GetReturnValue().Set(v8::Array::New(isolate, list.data(), list.size()));
}

Memory allocate(v8::Isolate* isolate, size_t size) {
  Memory memory(static_cast<uint8_t*>(std::malloc(std::max<size_t>(size, 1))));
  if (memory == nullptr) runtime::throw_out_of_memory(isolate);
  return memory;
}

v8::MaybeLocal<v8::Value> to_output(v8::Isolate* isolate, const uint8_t* data, size_t size,
                                    v8::Local<v8::Value> encoding) {
  using encoding::Base64Alphabet;
  constexpr int kBase64 = 2;
  constexpr int kLatin1 = 4;
  constexpr int kHex = 5;
  constexpr int kBase64Url = 7;
  // Long output comes from the program's outputLength; Buffer's methods handle that.
  constexpr size_t kMostText = 4096;
  const int id = encoding->IsInt32() ? encoding.As<v8::Int32>()->Value() : -1;
  if (size <= kMostText && (id == kBase64 || id == kBase64Url)) {
    const Base64Alphabet alphabet = id == kBase64 ? Base64Alphabet::standard : Base64Alphabet::url;
    const size_t length = encoding::base64_length(size, alphabet);
    runtime::Scratch<uint8_t> chars(length);
    if (!runtime::is_allocated(isolate, chars)) return {};
    encoding::encode_base64(data, size, alphabet, chars.data());
    return as_value(runtime::latin1_string(isolate, chars.data(), length));
  }
  if (size <= kMostText && id == kHex) {
    runtime::Scratch<uint8_t> chars(2 * size);
    if (!runtime::is_allocated(isolate, chars)) return {};
    encoding::encode_hex(data, size, chars.data());
    return as_value(runtime::latin1_string(isolate, chars.data(), 2 * size));
  }
  if (size <= kMostText && id == kLatin1) {
    return as_value(runtime::latin1_string(isolate, data, size));
  }
  Memory memory = allocate(isolate, size);
  if (memory == nullptr) return {};
  if (size > 0) std::memcpy(memory.get(), data, size);
  return runtime::own_memory(isolate, memory.release(), size).As<v8::Value>();
}

}  // namespace rondo::bindings::crypto
