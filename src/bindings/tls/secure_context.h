// A SecureContext of JavaScript: what the connections of a server or client have in common. Owns
// OpenSSL's SSL_CTX. Connections share it; it may be closed or collected before they end.
#pragma once

#include <array>
#include <string>

#include "bindings/tls/openssl_tls.h"
#include "runtime/values/wrap.h"

namespace rondo::bindings::tls {

// The keys that encrypt session tickets, as in the option ticketKeys.
struct TicketKeys {
  static constexpr size_t kPart = 16;
  static constexpr size_t kSize = 3 * kPart;
  std::array<uint8_t, kPart> name{};
  std::array<uint8_t, kPart> hmac{};
  std::array<uint8_t, kPart> aes{};
};

class SecureContext final : public runtime::Wrap {
 public:
  SecureContext(runtime::Realm& realm, v8::Local<v8::Object> pattern);
  ~SecureContext() override;

  // Null before init() and after close().
  SSL_CTX* get() const { return context_.get(); }
  // Protocols are SSL_METHODs; versions are those of OpenSSL. False with errors in the queue.
  bool init(const SSL_METHOD* method, int min_version, int max_version);
  void close();

  // The functions below return false, with errors in the queue, if they fail.
  // The first certificate of a list in PEM is the own one, the others are its chain.
  bool use_certificates(BIO* pem);
  bool use_chain(Certificate certificate, STACK_OF(X509) * chain);
  bool use_crl(BIO* pem);
  // Adds all certificates of the text to those that are trusted. Never fails, as in Node.
  void add_authorities(BIO* pem);
  void trust(X509* certificate);
  void use_root_certificates();
  void allow_partial_chain() { X509_STORE_set_flags(own_store(), X509_V_FLAG_PARTIAL_CHAIN); }

  X509* certificate() const { return certificate_.get(); }
  X509* issuer() const { return issuer_.get(); }
  TicketKeys& ticket_keys() { return ticket_keys_; }

  // Certificate compression: the algorithms in order of preference, with the compressed
  // certificates.
  struct Compressed {
    int algorithm;
    std::string bytes;
    size_t original_size;
  };
  bool set_compression(std::vector<int> algorithms);
  // Copies the settings of the certificate to a connection.
  bool apply_to(SSL* ssl) const;

 private:
  // A store that no other context has.
  X509_STORE* own_store();

  SslContext context_;
  Certificate certificate_;
  Certificate issuer_;
  bool uses_shared_store_ = false;
  TicketKeys ticket_keys_;
  std::vector<int> compression_;
  std::vector<Compressed> compressed_;
};

// The receiver of a method; null, with an exception pending, if it is no open context.
SecureContext* context_of(const runtime::Arguments& info);
void throw_operation_failed(v8::Isolate* isolate, std::string_view message);

}  // namespace rondo::bindings::tls
