// Reading and writing encoded keys.
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/encoder.h>
#include <openssl/err.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>

#include <climits>
#include <cstring>
#include <mutex>

#include "bindings/crypto/key.h"

namespace rondo::bindings::crypto {

namespace {

using Pkcs8 = std::unique_ptr<PKCS8_PRIV_KEY_INFO, FreeWith<PKCS8_PRIV_KEY_INFO_free>>;
using PublicInfo = std::unique_ptr<X509_PUBKEY, FreeWith<X509_PUBKEY_free>>;
using Encoder = std::unique_ptr<OSSL_ENCODER_CTX, FreeWith<OSSL_ENCODER_CTX_free>>;

constexpr uint8_t kSequence = 0x30;
constexpr uint8_t kInteger = 0x02;

// The content of an ASN.1 sequence that begins at `data`; empty if there is none. `data` may be
// shorter than the sequence.
std::string_view content_of_sequence(const uint8_t* data, size_t size) {
  if (size < 2 || data[0] != kSequence) return {};
  size_t header = 2;
  if ((data[1] & 0x80) != 0) header += data[1] & 0x7F;
  if (header >= size) return {};
  return {reinterpret_cast<const char*>(data) + header, size - header};
}

// EncryptedPrivateKeyInfo begins with an algorithm, PrivateKeyInfo with a version.
bool is_encrypted_pkcs8(const uint8_t* data, size_t size) {
  const std::string_view content = content_of_sequence(data, size);
  return !content.empty() && content[0] != kInteger;
}

// RSAPrivateKey begins with the version 0 or 1, RSAPublicKey with the modulus.
bool is_rsa_private_key(const uint8_t* data, size_t size) {
  const std::string_view content = content_of_sequence(data, size);
  return content.size() >= 3 && content[0] == kInteger && content[1] == 1 &&
         (content[2] & 0xFE) == 0;
}

// Reads the first block of this name.
template <class Parse>
Pkey read_block(const uint8_t* data, size_t size, const char* name, Parse parse) {
  const Bio bio = read_only(data, size);
  if (bio == nullptr) return nullptr;
  unsigned char* bytes = nullptr;
  long length = 0;  // NOLINT(google-runtime-int): the type of OpenSSL's function
  ERR_set_mark();
  const bool is_read =
      PEM_bytes_read_bio(&bytes, &length, nullptr, name, bio.get(), give_passphrase, nullptr) == 1;
  ERR_pop_to_mark();
  if (!is_read) return nullptr;
  const unsigned char* at = bytes;
  Pkey key(parse(&at, length));
  OPENSSL_clear_free(bytes, static_cast<size_t>(length));
  return key;
}

// As in Node, a block that cannot be read is skipped; its errors stay in the queue.
Pkey read_public_pem(const uint8_t* data, size_t size) {
  // NOLINTBEGIN(google-runtime-int): the types of OpenSSL's functions
  Pkey key = read_block(data, size, "PUBLIC KEY", [](const unsigned char** at, long length) {
    return d2i_PUBKEY(nullptr, at, length);
  });
  if (key != nullptr) return key;
  key = read_block(data, size, "RSA PUBLIC KEY", [](const unsigned char** at, long length) {
    return d2i_PublicKey(EVP_PKEY_RSA, nullptr, at, length);
  });
  if (key != nullptr) return key;
  return read_block(data, size, "CERTIFICATE",
                    [](const unsigned char** at, long length) -> EVP_PKEY* {
                      const Certificate certificate(d2i_X509(nullptr, at, length));
                      return certificate ? X509_get_pubkey(certificate.get()) : nullptr;
                    });
  // NOLINTEND(google-runtime-int)
}

Pkey read_pkcs8(const uint8_t* data, size_t size, const Secret* passphrase) {
  const Bio bio = read_only(data, size);
  if (bio == nullptr) return nullptr;
  if (is_encrypted_pkcs8(data, size)) {
    return Pkey(d2i_PKCS8PrivateKey_bio(bio.get(), nullptr, give_passphrase,
                                        const_cast<Secret*>(passphrase)));
  }
  const Pkcs8 info(d2i_PKCS8_PRIV_KEY_INFO_bio(bio.get(), nullptr));
  return Pkey(info ? EVP_PKCS82PKEY(info.get()) : nullptr);
}

// OpenSSL's provider encodes keys with a curve that has no number as if they were explicit.
bool lacks_curve_oid(const EVP_PKEY* key) {
  if (!is_algorithm(key, "EC")) return false;
  char encoding[16] = {};
  char name[80] = {};
  if (EVP_PKEY_get_utf8_string_param(key, OSSL_PKEY_PARAM_EC_ENCODING, encoding, sizeof encoding,
                                     nullptr) != 1 ||
      std::strcmp(encoding, OSSL_PKEY_EC_ENCODING_GROUP) != 0) {
    return false;
  }
  if (EVP_PKEY_get_group_name(key, name, sizeof name, nullptr) != 1) return true;
  const ASN1_OBJECT* const object = OBJ_nid2obj(OBJ_sn2nid(name));
  return object == nullptr || OBJ_length(object) == 0;
}

bool encode(EVP_PKEY* key, int selection, const KeyEncoding& encoding, const char* structure,
            BIO* out) {
  const Encoder encoder(OSSL_ENCODER_CTX_new_for_pkey(
      key, selection, encoding.format == KeyFormat::pem ? "PEM" : "DER", structure, nullptr));
  if (encoder == nullptr || OSSL_ENCODER_CTX_get_num_encoders(encoder.get()) == 0) return false;
  if (encoding.cipher != nullptr && encoding.format == KeyFormat::pem) {
    const uint8_t none = 0;
    const bool has_bytes = encoding.passphrase.size() > 0;
    if (OSSL_ENCODER_CTX_set_cipher(encoder.get(), EVP_CIPHER_get0_name(encoding.cipher.get()),
                                    nullptr) != 1 ||
        OSSL_ENCODER_CTX_set_passphrase(encoder.get(),
                                        has_bytes ? encoding.passphrase.data() : &none,
                                        encoding.passphrase.size()) != 1) {
      return false;
    }
  }
  return OSSL_ENCODER_to_bio(encoder.get(), out) == 1;
}

// As in Node, keys of ML-DSA and ML-KEM that have a seed are written as the seed only. The setting
// is one of the process.
void prefer_seeds() {
  static std::once_flag once;
  std::call_once(once, [] {
    OSSL_PROVIDER_do_all(
        nullptr,
        [](OSSL_PROVIDER* provider, void*) {
          OSSL_PROVIDER_add_conf_parameter(provider, "ml-kem.output_formats",
                                           "seed-only,priv-only");
          OSSL_PROVIDER_add_conf_parameter(provider, "ml-dsa.output_formats",
                                           "seed-only,priv-only");
          return 1;
        },
        nullptr);
  });
}

bool write_pkcs8(EVP_PKEY* key, const KeyEncoding& encoding, BIO* out) {
  prefer_seeds();
  // A null passphrase would make OpenSSL ask for one.
  static const char kEmpty[] = "";
  const char* const passphrase = encoding.passphrase.size() > 0
                                     ? reinterpret_cast<const char*>(encoding.passphrase.data())
                                     : kEmpty;
  const auto size = static_cast<int>(encoding.passphrase.size());
  if (encoding.format == KeyFormat::pem) {
    return PEM_write_bio_PKCS8PrivateKey(out, key, encoding.cipher.get(), passphrase, size, nullptr,
                                         nullptr) == 1;
  }
  return i2d_PKCS8PrivateKey_bio(out, key, encoding.cipher.get(), passphrase, size, nullptr,
                                 nullptr) == 1;
}

bool write_spki(EVP_PKEY* key, KeyFormat format, BIO* out) {
  if (lacks_curve_oid(key)) {
    ERR_raise(ERR_LIB_EC, EC_R_MISSING_OID);
    return false;
  }
  if (format == KeyFormat::der) return i2d_PUBKEY_bio(out, key) == 1;
  X509_PUBKEY* info = nullptr;
  const bool is_set = X509_PUBKEY_set(&info, key) == 1;
  const PublicInfo owner(info);
  return is_set && PEM_write_bio_X509_PUBKEY(out, info) == 1;
}

}  // namespace

Bio read_only(const void* data, size_t size) {
  if (size > INT_MAX) return nullptr;
  // A null pointer would create a BIO that can be written.
  return Bio(BIO_new_mem_buf(size > 0 ? data : "", static_cast<int>(size)));
}

std::string_view contents(BIO* bio) {
  char* data = nullptr;
  const auto size = BIO_get_mem_data(bio, &data);
  if (data == nullptr || size <= 0) return {};
  return {data, static_cast<size_t>(size)};
}

int give_passphrase(char* buffer, int size, int /*is_writing*/, void* passphrase) {
  if (passphrase == nullptr) return -1;
  const auto& secret = *static_cast<const Secret*>(passphrase);
  if (size < 0 || secret.size() > static_cast<size_t>(size)) return -1;
  if (secret.size() > 0) std::memcpy(buffer, secret.data(), secret.size());
  return static_cast<int>(secret.size());
}

ReadKey read_private_key(KeyFormat format, KeyStructure structure, const uint8_t* data, size_t size,
                         const Secret* passphrase) {
  ReadKey result;
  result.is_private = true;
  const Bio bio = read_only(data, size);
  if (bio == nullptr) return result;
  if (format == KeyFormat::pem) {
    result.key.reset(PEM_read_bio_PrivateKey(bio.get(), nullptr, give_passphrase,
                                             const_cast<Secret*>(passphrase)));
  } else if (structure == KeyStructure::pkcs8) {
    result.key = read_pkcs8(data, size, passphrase);
  } else {
    result.key.reset(d2i_PrivateKey_bio(bio.get(), nullptr));
  }
  if (result.key == nullptr && passphrase == nullptr) {
    const unsigned long error = ERR_peek_error();  // NOLINT(google-runtime-int): OpenSSL's type
    result.needs_passphrase =
        ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_BAD_PASSWORD_READ;
  }
  return result;
}

ReadKey read_any_key(KeyFormat format, KeyStructure structure, const uint8_t* data, size_t size,
                     const Secret* passphrase) {
  if (format == KeyFormat::pem) {
    ReadKey result;
    result.key = read_public_pem(data, size);
    if (result.key != nullptr) return result;
    return read_private_key(format, structure, data, size, passphrase);
  }
  ReadKey result;
  // NOLINTNEXTLINE(google-runtime-int): the type of OpenSSL's functions
  const long length = size > LONG_MAX ? LONG_MAX : static_cast<long>(size);
  const unsigned char* at = data;
  if (structure == KeyStructure::spki) {
    result.key.reset(d2i_PUBKEY(nullptr, &at, length));
    return result;
  }
  if (structure == KeyStructure::pkcs1 && !is_rsa_private_key(data, size)) {
    result.key.reset(d2i_PublicKey(EVP_PKEY_RSA, nullptr, &at, length));
    return result;
  }
  return read_private_key(format, structure, data, size, passphrase);
}

std::optional<Secret> write_key(EVP_PKEY* key, KeyKind kind, const KeyEncoding& encoding) {
  if (encoding.passphrase.size() > INT_MAX) return std::nullopt;
  const Bio out(BIO_new(BIO_s_secmem()));
  if (out == nullptr) return std::nullopt;
  const bool is_private = kind == KeyKind::private_key;
  const int selection = is_private ? OSSL_KEYMGMT_SELECT_ALL : OSSL_KEYMGMT_SELECT_PUBLIC_KEY;
  bool is_written = false;
  switch (encoding.structure) {
    case KeyStructure::pkcs1:
      is_written = is_algorithm(key, "RSA") && encode(key, selection, encoding, "pkcs1", out.get());
      break;
    case KeyStructure::sec1:
      is_written = is_private && is_algorithm(key, "EC") &&
                   encode(key, selection, encoding, "type-specific", out.get());
      break;
    case KeyStructure::pkcs8:
      is_written = is_private && write_pkcs8(key, encoding, out.get());
      break;
    case KeyStructure::spki:
    case KeyStructure::none: is_written = write_spki(key, encoding.format, out.get()); break;
  }
  if (!is_written) return std::nullopt;
  const std::string_view bytes = contents(out.get());
  return Secret(bytes.data(), bytes.size());
}

bool read_certificates(const uint8_t* data, size_t size, std::vector<Certificate>* certificates) {
  const Bio bio = read_only(data, size);
  if (bio == nullptr) return false;
  while (true) {
    ERR_set_mark();
    Certificate certificate(PEM_read_bio_X509_AUX(bio.get(), nullptr, give_passphrase, nullptr));
    if (certificate == nullptr) {
      const unsigned long error = ERR_peek_last_error();  // NOLINT(google-runtime-int): OpenSSL's
      const bool is_end =
          ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
      if (is_end) {
        ERR_pop_to_mark();
      } else {
        ERR_clear_last_mark();
      }
      return is_end;
    }
    ERR_clear_last_mark();
    certificates->push_back(std::move(certificate));
  }
}

}  // namespace rondo::bindings::crypto
