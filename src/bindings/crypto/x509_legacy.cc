// The object of getPeerCertificate() and of X509Certificate's toLegacyObject().
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/objects.h>
#include <openssl/x509v3.h>

#include <array>

#include "bindings/crypto/x509.h"

namespace rondo::bindings::crypto {

namespace {

// All properties, in Node's order. Those that a certificate does not have are undefined.
constexpr const char* kNames[] = {
    "subject",      "issuer",      "subjectaltname", "infoAccess",     "ca",
    "modulus",      "exponent",    "pubkey",         "bits",           "valid_from",
    "valid_to",     "fingerprint", "fingerprint256", "fingerprint512", "ext_key_usage",
    "serialNumber", "raw",         "asn1Curve",      "nistCurve",
};

// Builds an object from the parts that the certificate has.
class Builder {
 public:
  Builder(v8::Isolate* isolate, v8::Local<v8::Object> target)
      : isolate_(isolate), target_(target) {}

  void text(const char* name, std::string_view value) {
    v8::Local<v8::String> text;
    if (runtime::to_js(isolate_, value).ToLocal(&text)) {
      runtime::set(isolate_, target_, name, text.As<v8::Value>());
    }
  }
  void number(const char* name, int value) {
    runtime::set(isolate_, target_, name, static_cast<double>(value));
  }
  void value(const char* name, v8::Local<v8::Value> value) {
    runtime::set(isolate_, target_, name, value);
  }
  // As an ArrayBuffer, of which lib makes a Buffer.
  void bytes(const char* name, const void* data, size_t size) {
    v8::Local<v8::Value> result;
    if (to_output(isolate_, static_cast<const uint8_t*>(data), size, v8::Undefined(isolate_))
            .ToLocal(&result)) {
      runtime::set(isolate_, target_, name, result);
    }
  }

 private:
  v8::Isolate* isolate_;
  v8::Local<v8::Object> target_;
};

std::string entry_name(const X509_NAME_ENTRY* entry) {
  const ASN1_OBJECT* const object = X509_NAME_ENTRY_get_object(entry);
  const int nid = OBJ_obj2nid(object);
  if (nid != NID_undef) return OBJ_nid2sn(nid);
  std::array<char, 80> text{};
  OBJ_obj2txt(text.data(), text.size(), object, 0);
  return text.data();
}

std::string entry_value(const X509_NAME_ENTRY* entry) {
  unsigned char* utf8 = nullptr;
  const int size = ASN1_STRING_to_UTF8(&utf8, X509_NAME_ENTRY_get_data(entry));
  if (size < 0) return "";
  std::string text(reinterpret_cast<const char*>(utf8), static_cast<size_t>(size));
  OPENSSL_free(utf8);
  return text;
}

// {CN: 'localhost', OU: ['first', 'second']}, without a prototype: the names are the certificate's.
v8::Local<v8::Object> name_object(v8::Isolate* isolate, const X509_NAME* name) {
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  const v8::Local<v8::Object> result =
      v8::Object::New(isolate, v8::Null(isolate), nullptr, nullptr, 0);
  for (int i = 0; i < X509_NAME_entry_count(name); ++i) {
    const X509_NAME_ENTRY* const entry = X509_NAME_get_entry(name, i);
    v8::Local<v8::String> key;
    v8::Local<v8::String> value;
    v8::Local<v8::Value> known;
    if (!runtime::to_js(isolate, entry_name(entry)).ToLocal(&key) ||
        !runtime::to_js(isolate, entry_value(entry)).ToLocal(&value) ||
        !result->Get(context, key).ToLocal(&known)) {
      continue;
    }
    v8::Local<v8::Value> stored = value;
    if (known->IsArray()) {
      const v8::Local<v8::Array> list = known.As<v8::Array>();
      std::ignore = list->Set(context, list->Length(), value);
      continue;
    }
    if (!known->IsUndefined()) {
      v8::Local<v8::Value> both[] = {known, value};
      stored = v8::Array::New(isolate, both, 2);
    }
    std::ignore = result->Set(context, key, stored);
  }
  return result;
}

void add_rsa(const EVP_PKEY* key, Builder& builder) {
  const Number modulus = number_of_key(key, OSSL_PKEY_PARAM_RSA_N);
  const Number exponent = number_of_key(key, OSSL_PKEY_PARAM_RSA_E);
  const Bio modulus_text(BIO_new(BIO_s_mem()));
  const Bio exponent_text(BIO_new(BIO_s_mem()));
  if (!modulus || !exponent || !modulus_text || !exponent_text) return;
  BN_print(modulus_text.get(), modulus.get());
  BN_print(exponent_text.get(), exponent.get());
  builder.text("modulus", contents(modulus_text.get()));
  builder.text("exponent", "0x" + std::string(contents(exponent_text.get())));
  unsigned char* bytes = nullptr;
  const int size = i2d_PUBKEY(key, &bytes);
  if (size > 0) builder.bytes("pubkey", bytes, static_cast<size_t>(size));
  OPENSSL_free(bytes);
  builder.number("bits", BN_num_bits(modulus.get()));
}

void add_ec(const EVP_PKEY* key, Builder& builder) {
  size_t size = 0;
  if (EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, nullptr, 0, &size) == 1) {
    std::vector<uint8_t> point(size);
    if (EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size(),
                                        &size) == 1) {
      builder.bytes("pubkey", point.data(), size);
    }
  }
  const Number order = number_of_key(key, OSSL_PKEY_PARAM_EC_ORDER);
  if (order) builder.number("bits", BN_num_bits(order.get()));
  std::array<char, 80> name{};
  if (EVP_PKEY_get_group_name(key, name.data(), name.size(), nullptr) != 1) return;
  builder.text("asn1Curve", name.data());
  const char* const nist = EC_curve_nid2nist(OBJ_sn2nid(name.data()));
  if (nist != nullptr) builder.text("nistCurve", nist);
}

void add_key(const EVP_PKEY* key, Builder& builder) {
  if (key == nullptr) return;
  if (is_any_rsa(key)) add_rsa(key, builder);
  if (is_algorithm(key, "EC")) add_ec(key, builder);
}

void add_extension(X509* certificate, int nid, const char* name, Builder& builder) {
  std::string text;
  if (extension_text(certificate, nid, &text)) builder.text(name, text);
}

void add_fingerprints(v8::Isolate* isolate, X509* certificate, Builder& builder) {
  Algorithms& algorithms = runtime::Realm::of(isolate).state<Algorithms>();
  builder.text("fingerprint", fingerprint(certificate, algorithms.digest("sha1")));
  builder.text("fingerprint256", fingerprint(certificate, algorithms.digest("sha256")));
  builder.text("fingerprint512", fingerprint(certificate, algorithms.digest("sha512")));
}

}  // namespace

v8::MaybeLocal<v8::Object> to_legacy_object(v8::Isolate* isolate, X509* certificate) {
  v8::EscapableHandleScope scope(isolate);
  const v8::Local<v8::Object> result = v8::Object::New(isolate);
  Builder builder(isolate, result);
  for (const char* name : kNames) builder.value(name, v8::Undefined(isolate));
  builder.value("subject", name_object(isolate, X509_get_subject_name(certificate)));
  builder.value("issuer", name_object(isolate, X509_get_issuer_name(certificate)));
  add_extension(certificate, NID_subject_alt_name, "subjectaltname", builder);
  add_extension(certificate, NID_info_access, "infoAccess", builder);
  builder.value("ca", v8::Boolean::New(isolate, X509_check_ca(certificate) == 1));
  add_key(X509_get0_pubkey(certificate), builder);
  builder.text("valid_from", time_text(X509_get0_notBefore(certificate)));
  builder.text("valid_to", time_text(X509_get0_notAfter(certificate)));
  add_fingerprints(isolate, certificate, builder);
  std::vector<std::string> usages;
  if (key_usage(certificate, &usages)) {
    std::vector<v8::Local<v8::Value>> list;
    for (const std::string& usage : usages) list.push_back(runtime::literal(isolate, usage));
    builder.value("ext_key_usage", v8::Array::New(isolate, list.data(), list.size()));
  }
  const std::string serial = serial_number(certificate);
  if (!serial.empty()) builder.text("serialNumber", serial);
  unsigned char* der = nullptr;
  const int size = i2d_X509(certificate, &der);
  if (size > 0) builder.bytes("raw", der, static_cast<size_t>(size));
  OPENSSL_free(der);
  ERR_clear_error();
  return scope.Escape(result);
}

}  // namespace rondo::bindings::crypto
