// internalBinding('tls_details'): what a TLS connection has negotiated. All functions are methods
// of the object, and return undefined once the connection is destroyed, unless stated otherwise.
#include <openssl/x509v3.h>

#include <string>
#include <string_view>

#include "bindings/crypto/x509.h"
#include "bindings/tls/handle.h"
#include "io/net/address.h"
#include "runtime/values/binding.h"
#include "runtime/values/contract.h"

namespace rondo::bindings {

using runtime::Arguments;
using runtime::Wrap;

namespace tls {

namespace {

SSL* ssl_of(const Arguments& info) {
  const auto* const handle = Wrap::of<TlsHandle>(info.This());
  ERR_clear_error();
  return handle == nullptr ? nullptr : handle->ssl();
}

void set_text(const Arguments& info, const char* text) {
  if (text == nullptr) return;
  v8::Local<v8::String> string;
  if (runtime::to_js(info.GetIsolate(), text).ToLocal(&string)) info.GetReturnValue().Set(string);
}

// getServername(): false if there is none.
void get_servername(const Arguments& info) {
  SSL* const ssl = ssl_of(info);
  if (ssl == nullptr) return;
  const char* const name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
  if (name == nullptr) return info.GetReturnValue().Set(false);
  set_text(info, name);
}

// getALPNNegotiatedProtocol(): false if there is none.
void get_alpn(const Arguments& info) {
  SSL* const ssl = ssl_of(info);
  if (ssl == nullptr) return;
  const unsigned char* name = nullptr;
  unsigned int size = 0;
  SSL_get0_alpn_selected(ssl, &name, &size);
  if (size == 0) return info.GetReturnValue().Set(false);
  v8::Local<v8::String> string;
  if (runtime::latin1_string(info.GetIsolate(), name, size).ToLocal(&string)) {
    info.GetReturnValue().Set(string);
  }
}

void get_protocol(const Arguments& info) {
  SSL* const ssl = ssl_of(info);
  if (ssl != nullptr) set_text(info, SSL_get_version(ssl));
}

// getCipher(): {name, standardName, version}
void get_cipher(const Arguments& info) {
  SSL* const ssl = ssl_of(info);
  const SSL_CIPHER* const cipher = ssl == nullptr ? nullptr : SSL_get_current_cipher(ssl);
  if (cipher == nullptr) return;
  v8::Isolate* const isolate = info.GetIsolate();
  const v8::Local<v8::Object> result = v8::Object::New(isolate);
  const auto set = [&](std::string_view name, const char* text) {
    if (text != nullptr) runtime::set(isolate, result, name, std::string_view(text));
  };
  set("name", SSL_CIPHER_get_name(cipher));
  set("standardName", SSL_CIPHER_standard_name(cipher));
  set("version", SSL_CIPHER_get_version(cipher));
  info.GetReturnValue().Set(result);
}

// {type, name, size} of the key that the peer has sent for the key exchange.
bool describe_key(v8::Isolate* isolate, v8::Local<v8::Object> result, EVP_PKEY* key) {
  const int type = EVP_PKEY_get_base_id(key);
  if (type == EVP_PKEY_DH) {
    runtime::set(isolate, result, "type", std::string_view("DH"));
  } else if (type == EVP_PKEY_EC || type == EVP_PKEY_X25519 || type == EVP_PKEY_X448) {
    const char* name = OBJ_nid2sn(type);
    char group[80];
    size_t size = 0;
    if (type == EVP_PKEY_EC) {
      if (EVP_PKEY_get_group_name(key, group, sizeof group, &size) != 1) return false;
      name = group;
    }
    if (name == nullptr) return false;
    runtime::set(isolate, result, "type", std::string_view("ECDH"));
    runtime::set(isolate, result, "name", std::string_view(name));
  } else {
    return false;
  }
  runtime::set(isolate, result, "size", static_cast<double>(EVP_PKEY_get_bits(key)));
  return true;
}

// getEphemeralKeyInfo(): null for servers.
void get_ephemeral_key_info(const Arguments& info) {
  SSL* const ssl = ssl_of(info);
  if (ssl == nullptr) return;
  if (SSL_is_server(ssl) == 1) return info.GetReturnValue().SetNull();
  v8::Isolate* const isolate = info.GetIsolate();
  const v8::Local<v8::Object> result = v8::Object::New(isolate);
  // All properties exist, in this order.
  for (const char* name : {"type", "name", "size"}) {
    runtime::set(isolate, result, name, v8::Undefined(isolate).As<v8::Value>());
  }
  EVP_PKEY* pointer = nullptr;
  const bool has_key = SSL_get_peer_tmp_key(ssl, &pointer) == 1;
  const Key key(pointer);
  if (!has_key || !describe_key(isolate, result, key.get())) {
    if (const char* const group = SSL_get0_group_name(ssl)) {
      runtime::set(isolate, result, "type", std::string_view("TLSGroup"));
      runtime::set(isolate, result, "name", std::string_view(group));
    }
  }
  ERR_clear_error();
  info.GetReturnValue().Set(result);
}

// [name of the signature + "+" + name of the digest, ...]
void get_shared_sigalgs(const Arguments& info) {
  SSL* const ssl = ssl_of(info);
  if (ssl == nullptr) return;
  v8::Isolate* const isolate = info.GetIsolate();
  const auto name_of = [](int id) -> std::string {
    switch (id) {
      case EVP_PKEY_RSA: return "RSA";
      case EVP_PKEY_RSA_PSS: return "RSA-PSS";
      case EVP_PKEY_DSA: return "DSA";
      case EVP_PKEY_EC: return "ECDSA";
      case NID_ED25519: return "Ed25519";
      case NID_ED448: return "Ed448";
      default: break;
    }
    const char* const name = OBJ_nid2sn(id);
    return name != nullptr ? name : "UNDEF";
  };
  const int count = SSL_get_shared_sigalgs(ssl, 0, nullptr, nullptr, nullptr, nullptr, nullptr);
  std::vector<v8::Local<v8::Value>> list;
  for (int i = 0; i < count; ++i) {
    int signature = 0;
    int digest = 0;
    SSL_get_shared_sigalgs(ssl, i, &signature, &digest, nullptr, nullptr, nullptr);
    const char* const digest_name = OBJ_nid2sn(digest);
    const std::string text =
        name_of(signature) + "+" + (digest_name != nullptr ? digest_name : "UNDEF");
    list.emplace_back(runtime::literal(isolate, text));
  }
  info.GetReturnValue().Set(v8::Array::New(isolate, list.data(), list.size()));
}

using Finished = size_t (*)(const SSL* ssl, void* out, size_t size);

void set_finished(const Arguments& info, Finished get) {
  SSL* const ssl = ssl_of(info);
  if (ssl == nullptr) return;
  char bytes[EVP_MAX_MD_SIZE];
  const size_t size = get(ssl, bytes, sizeof bytes);
  if (size > 0) info.GetReturnValue().Set(copy_of(info.GetIsolate(), bytes, size));
}
void finished_bytes(const Arguments& info) { set_finished(info, SSL_get_finished); }
void peer_finished_bytes(const Arguments& info) { set_finished(info, SSL_get_peer_finished); }

void session_bytes(const Arguments& info) {
  SSL* const ssl = ssl_of(info);
  SSL_SESSION* const session = ssl == nullptr ? nullptr : SSL_get_session(ssl);
  if (session == nullptr) return;
  unsigned char* bytes = nullptr;
  const int size = i2d_SSL_SESSION(session, &bytes);
  if (size <= 0) return;
  info.GetReturnValue().Set(copy_of(info.GetIsolate(), bytes, static_cast<size_t>(size)));
  OPENSSL_free(bytes);
}

void ticket_bytes(const Arguments& info) {
  SSL* const ssl = ssl_of(info);
  SSL_SESSION* const session = ssl == nullptr ? nullptr : SSL_get_session(ssl);
  if (session == nullptr) return;
  const unsigned char* ticket = nullptr;
  size_t size = 0;
  SSL_SESSION_get0_ticket(session, &ticket, &size);
  if (ticket != nullptr) info.GetReturnValue().Set(copy_of(info.GetIsolate(), ticket, size));
}

void is_session_reused(const Arguments& info) {
  SSL* const ssl = ssl_of(info);
  if (ssl != nullptr) info.GetReturnValue().Set(SSL_session_reused(ssl) == 1);
}

// Node's names of the problems; others are UNSPECIFIED.
struct Problem {
  long number;
  const char* name;
};
#define RONDO_PROBLEM(name) \
  Problem { X509_V_ERR_##name, #name }
constexpr Problem kProblems[] = {
    RONDO_PROBLEM(UNABLE_TO_GET_ISSUER_CERT),
    RONDO_PROBLEM(UNABLE_TO_GET_CRL),
    RONDO_PROBLEM(UNABLE_TO_DECRYPT_CERT_SIGNATURE),
    RONDO_PROBLEM(UNABLE_TO_DECRYPT_CRL_SIGNATURE),
    RONDO_PROBLEM(UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY),
    RONDO_PROBLEM(CERT_SIGNATURE_FAILURE),
    RONDO_PROBLEM(CRL_SIGNATURE_FAILURE),
    RONDO_PROBLEM(CERT_NOT_YET_VALID),
    RONDO_PROBLEM(CERT_HAS_EXPIRED),
    RONDO_PROBLEM(CRL_NOT_YET_VALID),
    RONDO_PROBLEM(CRL_HAS_EXPIRED),
    RONDO_PROBLEM(ERROR_IN_CERT_NOT_BEFORE_FIELD),
    RONDO_PROBLEM(ERROR_IN_CERT_NOT_AFTER_FIELD),
    RONDO_PROBLEM(ERROR_IN_CRL_LAST_UPDATE_FIELD),
    RONDO_PROBLEM(ERROR_IN_CRL_NEXT_UPDATE_FIELD),
    RONDO_PROBLEM(OUT_OF_MEM),
    RONDO_PROBLEM(DEPTH_ZERO_SELF_SIGNED_CERT),
    RONDO_PROBLEM(SELF_SIGNED_CERT_IN_CHAIN),
    RONDO_PROBLEM(UNABLE_TO_GET_ISSUER_CERT_LOCALLY),
    RONDO_PROBLEM(UNABLE_TO_VERIFY_LEAF_SIGNATURE),
    RONDO_PROBLEM(CERT_CHAIN_TOO_LONG),
    RONDO_PROBLEM(CERT_REVOKED),
    RONDO_PROBLEM(INVALID_CA),
    RONDO_PROBLEM(PATH_LENGTH_EXCEEDED),
    RONDO_PROBLEM(INVALID_PURPOSE),
    RONDO_PROBLEM(CERT_UNTRUSTED),
    RONDO_PROBLEM(CERT_REJECTED),
    RONDO_PROBLEM(HOSTNAME_MISMATCH),
};
#undef PROBLEM

const char* problem_name(long number) {
  for (const Problem& problem : kProblems) {
    if (problem.number == number) return problem.name;
  }
  return "UNSPECIFIED";
}

// verifyResult(): [number, text, name] of the first problem with the peer's certificate; undefined
// if there is none.
void verify_result(const Arguments& info) {
  SSL* const ssl = ssl_of(info);
  if (ssl == nullptr) return;
  const auto code_of = [ssl]() -> long {
    const Certificate peer(SSL_get1_peer_certificate(ssl));
    if (peer != nullptr) return SSL_get_verify_result(ssl);
    // Both sides know a secret, and need no certificate.
    const SSL_CIPHER* const cipher = SSL_get_current_cipher(ssl);
    const SSL_SESSION* const session = SSL_get_session(ssl);
    if (cipher != nullptr && SSL_CIPHER_get_auth_nid(cipher) == NID_auth_psk) return X509_V_OK;
    if (session != nullptr && SSL_SESSION_get_protocol_version(session) == TLS1_3_VERSION &&
        SSL_session_reused(ssl) == 1) {
      return X509_V_OK;
    }
    return X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT;
  };
  const long code = code_of();
  if (code == X509_V_OK) return;
  v8::Isolate* const isolate = info.GetIsolate();
  v8::Local<v8::Value> pair[] = {
      v8::Number::New(isolate, static_cast<double>(code)),
      runtime::literal(isolate, X509_verify_cert_error_string(code)),
      runtime::literal(isolate, problem_name(code)),
  };
  info.GetReturnValue().Set(v8::Array::New(isolate, pair, std::size(pair)));
}

// exportedBytes(length, label[, context])
void exported_bytes(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  SSL* const ssl = ssl_of(info);
  RONDO_EXPECT(info, info[0]->IsUint32());
  if (ssl == nullptr) return;
  const size_t size = info[0].As<v8::Uint32>()->Value();
  const std::string label = runtime::to_std(isolate, info[1]);
  const bool has_context = !info[2]->IsUndefined();
  const crypto::Input context(isolate, info[2]);
  if (!context.is_valid()) return;
  crypto::Memory bytes = crypto::allocate(isolate, size);
  if (bytes == nullptr) return;
  if (SSL_export_keying_material(ssl, bytes.get(), size, label.data(), label.size(), context.data(),
                                 context.size(), has_context ? 1 : 0) != 1) {
    return crypto::throw_openssl_error(isolate, "SSL_export_keying_material");
  }
  info.GetReturnValue().Set(runtime::own_memory(isolate, bytes.release(), size));
}

// certificateHandle(): of the own certificate; undefined if there is none.
void certificate_handle(const Arguments& info) {
  SSL* const ssl = ssl_of(info);
  X509* const certificate = ssl == nullptr ? nullptr : SSL_get_certificate(ssl);
  if (certificate == nullptr) return;
  X509_up_ref(certificate);
  info.GetReturnValue().Set(crypto::CertificateHandle::create(runtime::Realm::of(info.GetIsolate()),
                                                              Certificate(certificate)));
}

// The certificates that the peer has sent, its own one first.
std::vector<Certificate> peer_certificates(SSL* ssl) {
  std::vector<Certificate> list;
  const auto add = [&list](X509* certificate) {
    X509_up_ref(certificate);
    list.emplace_back(certificate);
  };
  // On servers, OpenSSL's list does not begin with the client's own certificate.
  if (SSL_is_server(ssl) == 1) {
    Certificate own(SSL_get1_peer_certificate(ssl));
    if (own != nullptr) list.push_back(std::move(own));
  }
  const STACK_OF(X509)* const sent = SSL_get_peer_cert_chain(ssl);
  for (int i = 0; i < sk_X509_num(sent); ++i) add(sk_X509_value(sent, i));
  return list;
}

Certificate issuer_of(SSL* ssl, X509* certificate) {
  X509_STORE* const store = SSL_CTX_get_cert_store(SSL_get_SSL_CTX(ssl));
  const std::unique_ptr<X509_STORE_CTX, FreeWith<X509_STORE_CTX_free>> search(X509_STORE_CTX_new());
  X509* issuer = nullptr;
  if (search == nullptr || X509_STORE_CTX_init(search.get(), store, nullptr, nullptr) != 1 ||
      X509_STORE_CTX_get1_issuer(&issuer, search.get(), certificate) != 1) {
    return nullptr;
  }
  return Certificate(issuer);
}

bool is_self_issued(X509* certificate) {
  return X509_check_issued(certificate, certificate) == X509_V_OK;
}

// The first certificate, and its issuers as far as they are among the others or trusted.
std::vector<Certificate> order_chain(SSL* ssl, std::vector<Certificate> others) {
  std::vector<Certificate> chain;
  chain.push_back(std::move(others.front()));
  others.erase(others.begin());
  for (bool is_found = true; is_found;) {
    is_found = false;
    for (auto next = others.begin(); next != others.end(); ++next) {
      if (X509_check_issued(next->get(), chain.back().get()) != X509_V_OK) continue;
      chain.push_back(std::move(*next));
      others.erase(next);
      is_found = true;
      break;
    }
  }
  while (!is_self_issued(chain.back().get())) {
    Certificate issuer = issuer_of(ssl, chain.back().get());
    // A certificate may be found as its own issuer without being allowed to issue any.
    if (issuer == nullptr || X509_cmp(issuer.get(), chain.back().get()) == 0) break;
    chain.push_back(std::move(issuer));
  }
  return chain;
}

// peerCertificates(with issuers): [handle...], the peer's own one first, each followed by its
// issuer; undefined if there is none. The last element is true if the last certificate has issued
// itself.
void peer_certificate_handles(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  SSL* const ssl = ssl_of(info);
  if (ssl == nullptr) return;
  std::vector<Certificate> list = peer_certificates(ssl);
  if (list.empty()) return;
  if (info[0]->IsTrue()) {
    list = order_chain(ssl, std::move(list));
  } else {
    list.resize(1);
  }
  const bool is_root = is_self_issued(list.back().get());
  std::vector<v8::Local<v8::Value>> values;
  for (Certificate& certificate : list) {
    values.emplace_back(
        crypto::CertificateHandle::create(runtime::Realm::of(isolate), std::move(certificate)));
  }
  values.emplace_back(v8::Boolean::New(isolate, is_root));
  ERR_clear_error();
  info.GetReturnValue().Set(v8::Array::New(isolate, values.data(), values.size()));
}

// peerCertificate(): the handle of the peer's certificate, with those that it has sent as issuers.
void peer_certificate(const Arguments& info) {
  SSL* const ssl = ssl_of(info);
  if (ssl == nullptr) return;
  std::vector<Certificate> list = peer_certificates(ssl);
  if (list.empty()) return;
  Certificate own = std::move(list.front());
  list.erase(list.begin());
  info.GetReturnValue().Set(crypto::CertificateHandle::create(runtime::Realm::of(info.GetIsolate()),
                                                              std::move(own), std::move(list)));
}

// canonicalAddress(text): the shortest form of an IP address; undefined if it is none.
void canonical_address(const Arguments& info) {
  const std::string text = runtime::to_std(info.GetIsolate(), info[0]);
  const Result<SocketAddress> address = SocketAddress::ip(text, 0);
  if (address) set_text(info, address->host().c_str());
}

constexpr runtime::Constant kNumbers[] = {
    {"X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT", X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT},
    {"X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT", X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT},
    {"X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE", X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE},
};

void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  runtime::set_constants(isolate, target, kNumbers);
}

constexpr runtime::Method kMethods[] = {
    {"getServername", get_servername},
    {"getALPNNegotiatedProtocol", get_alpn},
    {"getProtocol", get_protocol},
    {"getCipher", get_cipher},
    {"getEphemeralKeyInfo", get_ephemeral_key_info},
    {"getSharedSigalgs", get_shared_sigalgs},
    {"finishedBytes", finished_bytes},
    {"peerFinishedBytes", peer_finished_bytes},
    {"sessionBytes", session_bytes},
    {"ticketBytes", ticket_bytes},
    {"isSessionReused", is_session_reused},
    {"verifyResult", verify_result},
    {"exportedBytes", exported_bytes},
    {"certificateHandle", certificate_handle},
    {"peerCertificates", peer_certificate_handles},
    {"peerCertificate", peer_certificate},
    {"canonicalAddress", canonical_address},
};

}  // namespace

}  // namespace tls

extern const runtime::Binding tls_details;
const runtime::Binding tls_details{"tls_details", tls::kMethods, tls::add_constants};

}  // namespace rondo::bindings
