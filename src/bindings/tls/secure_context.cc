#include "bindings/tls/secure_context.h"

#include <openssl/core_names.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <cstring>

#include "bindings/tls/root_store.h"

namespace rondo::bindings::tls {

namespace {

// OpenSSL's index for data of programs, under which a context finds its SecureContext.
SecureContext* owner_of(const SSL* ssl) {
  return static_cast<SecureContext*>(SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl)));
}

// Encrypts and decrypts tickets with keys that programs can share between servers: OpenSSL's own
// keys would be longer than Node's format.
int use_ticket_key(SSL* ssl, unsigned char* name, unsigned char* iv, EVP_CIPHER_CTX* cipher,
                   EVP_MAC_CTX* mac, int encrypts) {
  SecureContext* const owner = owner_of(ssl);
  // The context was closed: its connections get no tickets any more.
  if (owner == nullptr) return encrypts == 1 ? -1 : 0;
  TicketKeys& keys = owner->ticket_keys();
  OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, keys.hmac.data(), keys.hmac.size()),
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, const_cast<char*>("SHA256"), 0),
      OSSL_PARAM_construct_end(),
  };
  if (encrypts == 1) {
    std::memcpy(name, keys.name.data(), keys.name.size());
    if (RAND_bytes(iv, TicketKeys::kPart) != 1) return -1;
    if (EVP_EncryptInit_ex(cipher, EVP_aes_128_cbc(), nullptr, keys.aes.data(), iv) != 1) return -1;
    return EVP_MAC_CTX_set_params(mac, parameters) == 1 ? 1 : -1;
  }
  if (std::memcmp(name, keys.name.data(), keys.name.size()) != 0) return 0;
  if (EVP_DecryptInit_ex(cipher, EVP_aes_128_cbc(), nullptr, keys.aes.data(), iv) != 1) return -1;
  return EVP_MAC_CTX_set_params(mac, parameters) == 1 ? 1 : -1;
}

bool fill_with_random(TicketKeys* keys) {
  return RAND_bytes(keys->name.data(), TicketKeys::kPart) == 1 &&
         RAND_bytes(keys->hmac.data(), TicketKeys::kPart) == 1 &&
         RAND_bytes(keys->aes.data(), TicketKeys::kPart) == 1;
}

// The certificate that has issued this one, from the trusted ones; null if it is not there.
Certificate find_issuer(SSL_CTX* context, X509* certificate) {
  const std::unique_ptr<X509_STORE_CTX, FreeWith<X509_STORE_CTX_free>> search(X509_STORE_CTX_new());
  X509* issuer = nullptr;
  if (search != nullptr &&
      X509_STORE_CTX_init(search.get(), SSL_CTX_get_cert_store(context), nullptr, nullptr) == 1 &&
      X509_STORE_CTX_get1_issuer(&issuer, search.get(), certificate) == 1) {
    return Certificate(issuer);
  }
  return nullptr;
}

}  // namespace

SecureContext::SecureContext(runtime::Realm& realm, v8::Local<v8::Object> pattern)
    : Wrap(realm, kind_of<SecureContext>(), pattern) {
  release();
}

SecureContext::~SecureContext() { close(); }

void SecureContext::close() {
  // Connections may still use the SSL_CTX.
  if (context_ != nullptr) SSL_CTX_set_app_data(context_.get(), nullptr);
  context_.reset();
  certificate_.reset();
  issuer_.reset();
  uses_shared_store_ = false;
}

bool SecureContext::init(const SSL_METHOD* method, int min_version, int max_version) {
  close();
  context_.reset(SSL_CTX_new(method));
  SSL_CTX* const context = context_.get();
  if (context == nullptr) return false;
  SSL_CTX_set_app_data(context, this);
  SSL_CTX_set_options(context, SSL_OP_NO_SSLv3 | SSL_OP_ALLOW_CLIENT_RENEGOTIATION);
  SSL_CTX_set1_cert_comp_preference(context, nullptr, 0);
  SSL_CTX_set_session_cache_mode(
      context, SSL_SESS_CACHE_BOTH | SSL_SESS_CACHE_NO_INTERNAL | SSL_SESS_CACHE_NO_AUTO_CLEAR);
  SSL_CTX_set_min_proto_version(context, min_version);
  SSL_CTX_set_max_proto_version(context, max_version);
  if (!fill_with_random(&ticket_keys_)) return false;
  SSL_CTX_set_tlsext_ticket_key_evp_cb(context, use_ticket_key);
  return true;
}

X509_STORE* SecureContext::own_store() {
  if (uses_shared_store_) {
    SSL_CTX_set_cert_store(context_.get(), realm().state<RootStore>().make().release());
    uses_shared_store_ = false;
  }
  return SSL_CTX_get_cert_store(context_.get());
}

void SecureContext::use_root_certificates() {
  X509_STORE* const shared = realm().state<RootStore>().shared();
  X509_STORE_up_ref(shared);
  SSL_CTX_set_cert_store(context_.get(), shared);
  uses_shared_store_ = true;
}

void SecureContext::trust(X509* certificate) {
  X509_STORE_add_cert(own_store(), certificate);
  SSL_CTX_add_client_CA(context_.get(), certificate);
}

void SecureContext::add_authorities(BIO* pem) {
  while (X509* next = PEM_read_bio_X509_AUX(pem, nullptr, no_passphrase, nullptr)) {
    const Certificate certificate(next);
    trust(certificate.get());
  }
  ERR_clear_error();
}

bool SecureContext::use_certificates(BIO* pem) {
  ERR_clear_error();
  certificate_.reset();
  issuer_.reset();
  Certificate first(PEM_read_bio_X509_AUX(pem, nullptr, no_passphrase, nullptr));
  if (first == nullptr) return false;
  const Certificates chain(sk_X509_new_null());
  while (X509* next = PEM_read_bio_X509(pem, nullptr, no_passphrase, nullptr)) {
    if (sk_X509_push(chain.get(), next) > 0) continue;
    X509_free(next);
    return false;
  }
  if (!is_end_of_pem()) return false;
  ERR_clear_error();
  return use_chain(std::move(first), chain.get());
}

bool SecureContext::use_chain(Certificate certificate, STACK_OF(X509) * chain) {
  SSL_CTX* const context = context_.get();
  if (SSL_CTX_use_certificate(context, certificate.get()) != 1) return false;
  SSL_CTX_clear_extra_chain_certs(context);
  issuer_.reset();
  for (int i = 0; i < sk_X509_num(chain); ++i) {
    X509* const next = sk_X509_value(chain, i);
    if (SSL_CTX_add1_chain_cert(context, next) != 1) return false;
    if (issuer_ == nullptr && X509_check_issued(next, certificate.get()) == X509_V_OK) {
      X509_up_ref(next);
      issuer_.reset(next);
    }
  }
  if (issuer_ == nullptr) issuer_ = find_issuer(context, certificate.get());
  certificate_ = std::move(certificate);
  return true;
}

bool SecureContext::use_crl(BIO* pem) {
  const std::unique_ptr<X509_CRL, FreeWith<X509_CRL_free>> list(
      PEM_read_bio_X509_CRL(pem, nullptr, no_passphrase, nullptr));
  if (list == nullptr) return false;
  X509_STORE* const store = own_store();
  X509_STORE_add_crl(store, list.get());
  return X509_STORE_set_flags(store, X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL) == 1;
}

bool SecureContext::set_compression(std::vector<int> algorithms) {
  if (SSL_CTX_set1_cert_comp_preference(get(), algorithms.data(), algorithms.size()) != 1) {
    return false;
  }
  // Fails if there is no certificate, or if it does not become smaller: then it is sent as it is.
  SSL_CTX_compress_certs(get(), 0);
  ERR_clear_error();
  compressed_.clear();
  for (const int algorithm : algorithms) {
    unsigned char* bytes = nullptr;
    size_t original_size = 0;
    const size_t size = SSL_CTX_get1_compressed_cert(get(), algorithm, &bytes, &original_size);
    if (size > 0) {
      compressed_.push_back(
          {algorithm, std::string(reinterpret_cast<const char*>(bytes), size), original_size});
    }
    OPENSSL_free(bytes);
  }
  ERR_clear_error();
  compression_ = std::move(algorithms);
  return true;
}

bool SecureContext::apply_to(SSL* ssl) const {
  X509* const certificate = SSL_CTX_get0_certificate(get());
  if (certificate != nullptr) {
    STACK_OF(X509)* chain = nullptr;
    SSL_CTX_get0_chain_certs(get(), &chain);
    // A certificate only replaces one with a key of its type: without this, the client could get
    // the default one of another type.
    SSL_certs_clear(ssl);
    if (SSL_use_certificate(ssl, certificate) != 1 ||
        SSL_use_PrivateKey(ssl, SSL_CTX_get0_privatekey(get())) != 1 ||
        (chain != nullptr && SSL_set1_chain(ssl, chain) != 1)) {
      return false;
    }
    if (SSL_set1_verify_cert_store(ssl, SSL_CTX_get_cert_store(get())) != 1) return false;
    // The connection owns this list.
    SSL_set_client_CA_list(ssl, SSL_dup_CA_list(SSL_CTX_get_client_CA_list(get())));
  }
  if (!compression_.empty()) {
    std::vector<int> algorithms = compression_;
    SSL_set1_cert_comp_preference(ssl, algorithms.data(), algorithms.size());
    for (const Compressed& one : compressed_) {
      std::string bytes = one.bytes;
      SSL_set1_compressed_cert(ssl, one.algorithm, reinterpret_cast<unsigned char*>(bytes.data()),
                               bytes.size(), one.original_size);
    }
    ERR_clear_error();
  }
  return true;
}

}  // namespace rondo::bindings::tls
