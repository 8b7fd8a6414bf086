// internalBinding('tls_context'): SecureContext. Except for create() and the functions of the list
// of ciphers, these are methods of the object, under the names that Node's contexts have.
#include <openssl/pem.h>

#include <array>
#include <cstring>
#include <optional>
#include <utility>

#include "bindings/tls/secure_context.h"
#include "runtime/values/binding.h"
#include "runtime/values/contract.h"

namespace rondo::bindings {

using runtime::Arguments;
using runtime::ErrorClass;
using runtime::Realm;
using runtime::Wrap;

namespace tls {

SecureContext* context_of(const Arguments& info) {
  auto* const context = Wrap::of<SecureContext>(info.This());
  if (context != nullptr && context->get() != nullptr) {
    ERR_clear_error();
    return context;
  }
  runtime::throw_type_error(info.GetIsolate(), "Illegal invocation");
  return nullptr;
}

void throw_operation_failed(v8::Isolate* isolate, std::string_view message) {
  runtime::throw_coded(isolate, ErrorClass::error, "ERR_CRYPTO_OPERATION_FAILED", message);
}

namespace {

struct ContextPattern {
  explicit ContextPattern(Realm&) {}
  v8::Global<v8::Object> object;
};

int32_t int_of(v8::Local<v8::Value> value) {
  return value->IsInt32() ? value.As<v8::Int32>()->Value() : 0;
}

// makePattern(prototype)
void make_pattern(const Arguments& info) {
  RONDO_EXPECT(info, info[0]->IsObject());
  Realm& realm = Realm::of(info.GetIsolate());
  realm.state<ContextPattern>().object.Reset(info.GetIsolate(), Wrap::make_pattern(realm, info[0]));
}

// create(): call init() before anything else.
void create(const Arguments& info) {
  Realm& realm = Realm::of(info.GetIsolate());
  const v8::Global<v8::Object>& pattern = realm.state<ContextPattern>().object;
  RONDO_EXPECT(info, !pattern.IsEmpty());
  auto* const context = new SecureContext(realm, pattern.Get(info.GetIsolate()));
  info.GetReturnValue().Set(context->object());
}

// The values of the option secureProtocol. A version of 0 means that there is no limit; kGiven
// that the options minVersion and maxVersion apply.
constexpr int kGiven = -1;
struct Protocol {
  std::string_view name;
  const SSL_METHOD* (*method)();
  int min_version;
  int max_version;
};
const Protocol kProtocols[] = {
    {"SSLv23_method", TLS_method, kGiven, TLS1_2_VERSION},
    {"SSLv23_server_method", TLS_server_method, kGiven, TLS1_2_VERSION},
    {"SSLv23_client_method", TLS_client_method, kGiven, TLS1_2_VERSION},
    {"TLS_method", TLS_method, 0, TLS1_3_VERSION},
    {"TLS_server_method", TLS_server_method, 0, TLS1_3_VERSION},
    {"TLS_client_method", TLS_client_method, 0, TLS1_3_VERSION},
    {"TLSv1_method", TLS_method, TLS1_VERSION, TLS1_VERSION},
    {"TLSv1_server_method", TLS_server_method, TLS1_VERSION, TLS1_VERSION},
    {"TLSv1_client_method", TLS_client_method, TLS1_VERSION, TLS1_VERSION},
    {"TLSv1_1_method", TLS_method, TLS1_1_VERSION, TLS1_1_VERSION},
    {"TLSv1_1_server_method", TLS_server_method, TLS1_1_VERSION, TLS1_1_VERSION},
    {"TLSv1_1_client_method", TLS_client_method, TLS1_1_VERSION, TLS1_1_VERSION},
    {"TLSv1_2_method", TLS_method, TLS1_2_VERSION, TLS1_2_VERSION},
    {"TLSv1_2_server_method", TLS_server_method, TLS1_2_VERSION, TLS1_2_VERSION},
    {"TLSv1_2_client_method", TLS_client_method, TLS1_2_VERSION, TLS1_2_VERSION},
};

// Empty, with an exception pending, if there is no such protocol.
std::optional<Protocol> find_protocol(v8::Isolate* isolate, const std::string& name) {
  for (const Protocol& protocol : kProtocols) {
    if (protocol.name == name) return protocol;
  }
  std::string message = "Unknown method: " + name;
  for (const char* version : {"SSLv2", "SSLv3"}) {
    const std::string prefix = std::string(version) + "_";
    if (name == prefix + "method" || name == prefix + "server_method" ||
        name == prefix + "client_method") {
      message = std::string(version) + " methods disabled";
    }
  }
  runtime::throw_coded(isolate, ErrorClass::type_error, "ERR_TLS_INVALID_PROTOCOL_METHOD", message);
  return {};
}

// init(secureProtocol or undefined, min version, max version)
void init(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto* const context = Wrap::of<SecureContext>(info.This());
  RONDO_EXPECT(info, context != nullptr);
  ERR_clear_error();
  std::optional<Protocol> protocol(Protocol{"", TLS_method, kGiven, kGiven});
  if (info[0]->IsString()) protocol = find_protocol(isolate, runtime::to_std(isolate, info[0]));
  if (!protocol) return;
  if (protocol->min_version == kGiven) protocol->min_version = int_of(info[1]);
  if (protocol->max_version == kGiven) protocol->max_version = int_of(info[2]);
  if (protocol->max_version == 0) protocol->max_version = TLS1_3_VERSION;
  if (!context->init(protocol->method(), protocol->min_version, protocol->max_version)) {
    crypto::throw_openssl_error(isolate, "SSL_CTX_new");
  }
}

// Calls `read(context, bio)` with the text of the first argument. False if there is nothing to
// read, or with an exception pending.
template <class Read>
void read_pem(const Arguments& info, Read read) {
  SecureContext* const context = context_of(info);
  if (context == nullptr) return;
  const crypto::Input pem(info.GetIsolate(), info[0]);
  if (!pem.is_valid()) return;
  const Bio bio = reader_of(pem);
  if (bio != nullptr) read(*context, bio.get());
}

// setCert(pem): the certificate, and those that it depends on.
void set_cert(const Arguments& info) {
  read_pem(info, [&info](SecureContext& context, BIO* pem) {
    if (context.use_certificates(pem)) return;
    crypto::throw_openssl_error(info.GetIsolate(), "SSL_CTX_use_certificate_chain");
  });
}

void add_ca_cert(const Arguments& info) {
  read_pem(info, [](SecureContext& context, BIO* pem) { context.add_authorities(pem); });
}

void add_crl(const Arguments& info) {
  read_pem(info, [&info](SecureContext& context, BIO* pem) {
    if (context.use_crl(pem)) return;
    ERR_clear_error();
    throw_operation_failed(info.GetIsolate(), "Failed to parse CRL");
  });
}

void add_root_certs(const Arguments& info) {
  if (SecureContext* const context = context_of(info)) context->use_root_certificates();
}

void set_allow_partial_trust_chain(const Arguments& info) {
  if (SecureContext* const context = context_of(info)) context->allow_partial_chain();
}

// setCipherSuites(list): of TLS 1.3.
void set_cipher_suites(const Arguments& info) {
  SecureContext* const context = context_of(info);
  if (context == nullptr) return;
  const std::string list = runtime::to_std(info.GetIsolate(), info[0]);
  if (SSL_CTX_set_ciphersuites(context->get(), list.c_str()) == 1) return;
  crypto::throw_openssl_error(info.GetIsolate(), "Failed to set ciphers");
}

// setCiphers(list): of the versions before. An empty list is allowed.
void set_ciphers(const Arguments& info) {
  SecureContext* const context = context_of(info);
  if (context == nullptr) return;
  const std::string list = runtime::to_std(info.GetIsolate(), info[0]);
  if (SSL_CTX_set_cipher_list(context->get(), list.c_str()) == 1) return;
  if (list.empty() && ERR_GET_REASON(ERR_peek_error()) == SSL_R_NO_CIPHER_MATCH) {
    ERR_clear_error();
    return;
  }
  crypto::throw_openssl_error(info.GetIsolate(), "Failed to set ciphers");
}

void set_sigalgs(const Arguments& info) {
  SecureContext* const context = context_of(info);
  if (context == nullptr) return;
  const std::string list = runtime::to_std(info.GetIsolate(), info[0]);
  if (SSL_CTX_set1_sigalgs_list(context->get(), list.c_str()) == 1) return;
  // OpenSSL does not say why, and Node has no text of its own.
  crypto::throw_openssl_error(info.GetIsolate(), crypto::error_text(0));
}

void set_ecdh_curve(const Arguments& info) {
  SecureContext* const context = context_of(info);
  if (context == nullptr) return;
  const std::string list = runtime::to_std(info.GetIsolate(), info[0]);
  if (list == "auto" || SSL_CTX_set1_groups_list(context->get(), list.c_str()) == 1) return;
  ERR_clear_error();
  throw_operation_failed(info.GetIsolate(), "Failed to set ECDH curve");
}

void set_min_proto(const Arguments& info) {
  SecureContext* const context = context_of(info);
  if (context != nullptr) SSL_CTX_set_min_proto_version(context->get(), int_of(info[0]));
}
void set_max_proto(const Arguments& info) {
  SecureContext* const context = context_of(info);
  if (context != nullptr) SSL_CTX_set_max_proto_version(context->get(), int_of(info[0]));
}
void get_min_proto(const Arguments& info) {
  SecureContext* const context = context_of(info);
  if (context == nullptr) return;
  info.GetReturnValue().Set(static_cast<int>(SSL_CTX_get_min_proto_version(context->get())));
}
void get_max_proto(const Arguments& info) {
  SecureContext* const context = context_of(info);
  if (context == nullptr) return;
  info.GetReturnValue().Set(static_cast<int>(SSL_CTX_get_max_proto_version(context->get())));
}

// setOptions(bits)
void set_options(const Arguments& info) {
  SecureContext* const context = context_of(info);
  if (context == nullptr) return;
  RONDO_EXPECT(info, info[0]->IsNumber());
  const int64_t bits = info[0]->IntegerValue(info.GetIsolate()->GetCurrentContext()).FromMaybe(0);
  SSL_CTX_set_options(context->get(), static_cast<uint64_t>(bits));
}

void set_session_id_context(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  SecureContext* const context = context_of(info);
  if (context == nullptr) return;
  const std::string id = runtime::to_std(isolate, info[0]);
  if (SSL_CTX_set_session_id_context(context->get(),
                                     reinterpret_cast<const unsigned char*>(id.data()),
                                     static_cast<unsigned>(id.size())) == 1) {
    return;
  }
  const std::vector<unsigned long> errors = crypto::take_errors();
  runtime::throw_type_error(isolate, errors.empty() ? "SSL_CTX_set_session_id_context error"
                                                    : crypto::error_text(errors.front()));
}

void set_session_timeout(const Arguments& info) {
  SecureContext* const context = context_of(info);
  if (context != nullptr) SSL_CTX_set_timeout(context->get(), int_of(info[0]));
}

// setCertificateCompression([number of an algorithm...])
void set_certificate_compression(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  SecureContext* const context = context_of(info);
  if (context == nullptr) return;
  RONDO_EXPECT(info, info[0]->IsArray());
  const auto max_version = SSL_CTX_get_max_proto_version(context->get());
  if (max_version != 0 && max_version < TLS1_3_VERSION) {
    return runtime::throw_coded(
        isolate, ErrorClass::type_error, "ERR_INVALID_ARG_VALUE",
        "certificateCompression requires a TLS protocol range that includes TLSv1.3");
  }
  const v8::Local<v8::Array> list = info[0].As<v8::Array>();
  std::vector<int> algorithms;
  for (uint32_t i = 0; i < list->Length(); ++i) {
    v8::Local<v8::Value> number;
    if (!list->Get(isolate->GetCurrentContext(), i).ToLocal(&number)) return;
    algorithms.push_back(int_of(number));
  }
  if (context->set_compression(std::move(algorithms))) return;
  ERR_clear_error();
  throw_operation_failed(isolate, "Failed to set certificate compression preference");
}

void close(const Arguments& info) {
  if (auto* const context = Wrap::of<SecureContext>(info.This())) context->close();
}

// setTicketKeys(view of 48 bytes)
void set_ticket_keys(const Arguments& info) {
  SecureContext* const context = context_of(info);
  if (context == nullptr) return;
  const crypto::Input bytes(info.GetIsolate(), info[0]);
  RONDO_EXPECT(info, bytes.is_valid() && bytes.size() == TicketKeys::kSize);
  TicketKeys& keys = context->ticket_keys();
  std::memcpy(keys.name.data(), bytes.data(), TicketKeys::kPart);
  std::memcpy(keys.hmac.data(), bytes.data() + TicketKeys::kPart, TicketKeys::kPart);
  std::memcpy(keys.aes.data(), bytes.data() + 2 * TicketKeys::kPart, TicketKeys::kPart);
}

void get_ticket_keys(const Arguments& info) {
  SecureContext* const context = context_of(info);
  if (context == nullptr) return;
  const TicketKeys& keys = context->ticket_keys();
  std::array<uint8_t, TicketKeys::kSize> bytes;
  std::memcpy(bytes.data(), keys.name.data(), TicketKeys::kPart);
  std::memcpy(bytes.data() + TicketKeys::kPart, keys.hmac.data(), TicketKeys::kPart);
  std::memcpy(bytes.data() + 2 * TicketKeys::kPart, keys.aes.data(), TicketKeys::kPart);
  info.GetReturnValue().Set(copy_of(info.GetIsolate(), bytes.data(), bytes.size()));
}

// certificateBytes(), issuerBytes(): in DER, or null.
void certificate_bytes(const Arguments& info) {
  auto* const context = Wrap::of<SecureContext>(info.This());
  if (context == nullptr || context->certificate() == nullptr) {
    return info.GetReturnValue().SetNull();
  }
  info.GetReturnValue().Set(der_of(info.GetIsolate(), context->certificate()));
}
void issuer_bytes(const Arguments& info) {
  auto* const context = Wrap::of<SecureContext>(info.This());
  if (context == nullptr || context->issuer() == nullptr) return info.GetReturnValue().SetNull();
  info.GetReturnValue().Set(der_of(info.GetIsolate(), context->issuer()));
}

void is_context(const Arguments& info) {
  info.GetReturnValue().Set(Wrap::of<SecureContext>(info[0]) != nullptr);
}

// external(): the SSL_CTX, for native code of others; undefined for any other receiver.
void external(const Arguments& info) {
  auto* const context = Wrap::of<SecureContext>(info.This());
  if (context == nullptr) return;
  info.GetReturnValue().Set(
      v8::External::New(info.GetIsolate(), context->get(), v8::kExternalPointerTypeTagDefault));
}

// cipherNames(): in lower case, as tls.getCiphers() has them; may contain a name twice.
void cipher_names(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  ERR_clear_error();
  const SslContext context(SSL_CTX_new(TLS_method()));
  const Ssl ssl(context != nullptr ? SSL_new(context.get()) : nullptr);
  if (ssl == nullptr) return crypto::throw_openssl_error(isolate, "SSL_new");
  const STACK_OF(SSL_CIPHER)* const ciphers = SSL_get_ciphers(ssl.get());
  std::vector<v8::Local<v8::Value>> names;
  // Not all of TLS 1.3 are enabled, but all can be.
  for (const char* suite :
       {"tls_aes_256_gcm_sha384", "tls_chacha20_poly1305_sha256", "tls_aes_128_gcm_sha256",
        "tls_aes_128_ccm_8_sha256", "tls_aes_128_ccm_sha256"}) {
    names.emplace_back(runtime::literal(isolate, suite));
  }
  for (int i = 0; i < sk_SSL_CIPHER_num(ciphers); ++i) {
    std::string name = SSL_CIPHER_get_name(sk_SSL_CIPHER_value(ciphers, i));
    for (char& letter : name) letter = static_cast<char>(std::tolower(letter));
    names.emplace_back(runtime::literal(isolate, name));
  }
  info.GetReturnValue().Set(v8::Array::New(isolate, names.data(), names.size()));
}

// compressionNames(): the algorithms for certificates that this OpenSSL has.
void compression_names(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  std::vector<v8::Local<v8::Value>> names;
  if (BIO_f_zlib() != nullptr) names.emplace_back(runtime::literal(isolate, "zlib"));
  if (BIO_f_brotli() != nullptr) names.emplace_back(runtime::literal(isolate, "brotli"));
  if (BIO_f_zstd() != nullptr) names.emplace_back(runtime::literal(isolate, "zstd"));
  info.GetReturnValue().Set(v8::Array::New(isolate, names.data(), names.size()));
}

constexpr runtime::Method kMethods[] = {
    {"makePattern", make_pattern},
    {"create", create},
    {"isContext", is_context},
    {"cipherNames", cipher_names},
    {"compressionNames", compression_names},
    {"init", init},
    {"setCert", set_cert},
    {"addCACert", add_ca_cert},
    {"addCRL", add_crl},
    {"addRootCerts", add_root_certs},
    {"setAllowPartialTrustChain", set_allow_partial_trust_chain},
    {"setCipherSuites", set_cipher_suites},
    {"setCiphers", set_ciphers},
    {"setSigalgs", set_sigalgs},
    {"setECDHCurve", set_ecdh_curve},
    {"setMinProto", set_min_proto},
    {"setMaxProto", set_max_proto},
    {"getMinProto", get_min_proto},
    {"getMaxProto", get_max_proto},
    {"setOptions", set_options},
    {"setSessionIdContext", set_session_id_context},
    {"setSessionTimeout", set_session_timeout},
    {"setCertificateCompression", set_certificate_compression},
    {"close", close},
    {"setTicketKeys", set_ticket_keys},
    {"getTicketKeys", get_ticket_keys},
    {"certificateBytes", certificate_bytes},
    {"issuerBytes", issuer_bytes},
    {"external", external},
};

constexpr runtime::Constant kNumbers[] = {
    {"TLS1_VERSION", TLS1_VERSION},
    {"TLS1_1_VERSION", TLS1_1_VERSION},
    {"TLS1_2_VERSION", TLS1_2_VERSION},
    {"TLS1_3_VERSION", TLS1_3_VERSION},
    {"kCompressZlib", TLSEXT_comp_cert_zlib},
    {"kCompressBrotli", TLSEXT_comp_cert_brotli},
    {"kCompressZstd", TLSEXT_comp_cert_zstd},
    {"kTicketKeySize", TicketKeys::kSize},
    {"SSL_OP_CIPHER_SERVER_PREFERENCE", SSL_OP_CIPHER_SERVER_PREFERENCE},
};

void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  runtime::set_constants(isolate, target, kNumbers);
}

}  // namespace

}  // namespace tls

extern const runtime::Binding tls_context;
const runtime::Binding tls_context{"tls_context", tls::kMethods, tls::add_constants};

}  // namespace rondo::bindings
