// internalBinding('crypto_spkac'): signed public keys with a challenge. lib/internal/crypto checks
// the arguments.
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <climits>
#include <utility>

#include "bindings/crypto/key.h"
#include "runtime/values/binding.h"

namespace rondo::bindings {

namespace crypto {

namespace {

using runtime::Arguments;
using Spki = std::unique_ptr<NETSCAPE_SPKI, FreeWith<NETSCAPE_SPKI_free>>;

// Null if the bytes are not a SPKAC in base64.
Spki decode(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  const Input input(isolate, value);
  if (!input.is_valid() || input.size() == 0 || input.size() > INT_MAX) return nullptr;
  // OpenSSL modifies nothing, but reads a size of 0 or less as that of a text. Like Node, spaces
  // and line ends behind it are ignored.
  size_t size = input.size();
  while (size > 0 && (input.data()[size - 1] == ' ' || input.data()[size - 1] == '\n' ||
                      input.data()[size - 1] == '\r' || input.data()[size - 1] == '\t')) {
    --size;
  }
  if (size == 0) return nullptr;
  return Spki(NETSCAPE_SPKI_b64_decode(reinterpret_cast<const char*>(input.data()),
                                       static_cast<int>(size)));
}

// verify(spkac): whether it is signed with its key.
void verify(const Arguments& info) {
  const Spki spki = decode(info.GetIsolate(), info[0]);
  bool is_valid = false;
  if (spki != nullptr) {
    const Pkey key(NETSCAPE_SPKI_get_pubkey(spki.get()));
    is_valid = key != nullptr && NETSCAPE_SPKI_verify(spki.get(), key.get()) > 0;
  }
  ERR_clear_error();
  info.GetReturnValue().Set(is_valid);
}

// publicKey(spkac): its key in PEM, as an ArrayBuffer; undefined if there is none.
void public_key(const Arguments& info) {
  const Spki spki = decode(info.GetIsolate(), info[0]);
  const Pkey key(spki == nullptr ? nullptr : NETSCAPE_SPKI_get_pubkey(spki.get()));
  const Bio bio(BIO_new(BIO_s_mem()));
  const bool is_written =
      key != nullptr && bio != nullptr && PEM_write_bio_PUBKEY(bio.get(), key.get()) == 1;
  ERR_clear_error();
  if (!is_written) return;
  const std::string_view text = contents(bio.get());
  return_bytes(info, reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

// challenge(spkac): an ArrayBuffer; undefined if there is none.
void challenge(const Arguments& info) {
  const Spki spki = decode(info.GetIsolate(), info[0]);
  ERR_clear_error();
  if (spki == nullptr) return;
  unsigned char* text = nullptr;
  const int size = ASN1_STRING_to_UTF8(&text, spki->spkac->challenge);
  ERR_clear_error();
  if (size < 0) return;
  return_bytes(info, text, static_cast<size_t>(size));
  OPENSSL_free(text);
}

constexpr runtime::Method kMethods[] = {
    {"verify", verify},
    {"publicKey", public_key},
    {"challenge", challenge},
};

}  // namespace

}  // namespace crypto

extern const runtime::Binding crypto_spkac;
const runtime::Binding crypto_spkac{"crypto_spkac", crypto::kMethods};

}  // namespace rondo::bindings
