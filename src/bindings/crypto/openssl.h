// Shared by the bindings of node:crypto: owners for OpenSSL's objects, its errors in Node's form,
// and the algorithms by name.
// Thread: the loop's only, unless it says otherwise.
#pragma once

#include <openssl/evp.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/engine/realm.h"
#include "runtime/values/text.h"
#include "runtime/values/values.h"

static_assert(OPENSSL_VERSION_NUMBER >= 0x30200000L, "node:crypto needs OpenSSL 3.2: Argon2");

namespace rondo::bindings::crypto {

template <auto kFree>
struct FreeWith {
  template <class T>
  void operator()(T* object) const {
    kFree(object);
  }
};
using DigestContext = std::unique_ptr<EVP_MD_CTX, FreeWith<EVP_MD_CTX_free>>;
using Digest = std::unique_ptr<EVP_MD, FreeWith<EVP_MD_free>>;
using Cipher = std::unique_ptr<EVP_CIPHER, FreeWith<EVP_CIPHER_free>>;
using CipherContext = std::unique_ptr<EVP_CIPHER_CTX, FreeWith<EVP_CIPHER_CTX_free>>;
using Memory = std::unique_ptr<uint8_t, FreeWith<std::free>>;

// Algorithms by name, fetched once: OpenSSL's own look-up takes longer than a small hash.
class Algorithms {
 public:
  explicit Algorithms(runtime::Realm&) {}
  // Null if there is none of that name; OpenSSL's error queue may have the reason. Valid as long as
  // the realm.
  EVP_MD* digest(const std::string& name);
  EVP_CIPHER* cipher(const std::string& name);
  // For a digest that begins and ends in one call.
  EVP_MD_CTX* scratch() { return scratch_.get(); }

 private:
  std::unordered_map<std::string, Digest> digests_;
  std::unordered_map<std::string, Cipher> ciphers_;
  DigestContext scratch_{EVP_MD_CTX_new()};
};

// For a worker, which may outlive the realm: null if there is none.
inline Digest share(EVP_MD* digest) {
  return Digest(digest != nullptr && EVP_MD_up_ref(digest) == 1 ? digest : nullptr);
}

// The default size of the result; 0 if there is none.
size_t digest_size(const EVP_MD* digest);

inline EVP_MD* digest_of(v8::Isolate* isolate, v8::Local<v8::Value> name) {
  return runtime::Realm::of(isolate).state<Algorithms>().digest(runtime::to_std(isolate, name));
}

// Empties the error queue, oldest first. Any thread: the queue is per thread.
std::vector<unsigned long> take_errors();
// An Error with Node's code, library and reason; `otherwise` is its message if there are no errors.
v8::Local<v8::Value> make_error(v8::Isolate* isolate, const std::vector<unsigned long>& errors,
                                std::string_view otherwise);
// The same with a message of our own; all of OpenSSL's errors are in its opensslErrorStack.
v8::Local<v8::Value> make_failure(v8::Isolate* isolate, const std::vector<unsigned long>& errors,
                                  std::string_view message);
void throw_openssl_error(v8::Isolate* isolate, std::string_view otherwise);
// "error:030000AC:digital envelope routines::memory limit exceeded"
std::string error_text(unsigned long error);

// The bytes of an argument: the UTF-8 of a string, or the memory of a view or an ArrayBuffer. It
// must not be used after JavaScript has run again.
class Input {
 public:
  Input(v8::Isolate* isolate, v8::Local<v8::Value> value);
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  // False if memory is exhausted: an exception is pending.
  bool is_valid() const { return is_valid_; }
  const uint8_t* data() const { return data_; }
  size_t size() const { return size_; }
  std::string copy() const { return {reinterpret_cast<const char*>(data_), size_}; }

 private:
  static constexpr size_t kInline = 512;

  uint8_t inline_[kInline];
  Memory own_;
  const uint8_t* data_ = inline_;
  size_t size_ = 0;
  bool is_valid_ = true;
};

// Bytes as text of one of lib's encodings: 'hex', 'base64', 'base64url' and 'latin1' as numbers of
// encodingsMap in lib/internal/util.js; anything else gives an ArrayBuffer with a copy.
v8::MaybeLocal<v8::Value> to_output(v8::Isolate* isolate, const uint8_t* data, size_t size,
                                    v8::Local<v8::Value> encoding);

// Returns the names to lib as a sorted list in which each occurs once.
void return_names(const runtime::Arguments& info, std::vector<std::string> names);

// Memory for a result; null, with an exception pending, if there is none.
Memory allocate(v8::Isolate* isolate, size_t size);

}  // namespace rondo::bindings::crypto
