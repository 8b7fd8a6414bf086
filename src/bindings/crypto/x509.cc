// internalBinding('crypto_x509'): certificates. lib/internal/crypto/x509 checks the arguments.
#include "bindings/crypto/x509.h"

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <array>
#include <climits>
#include <ctime>
#include <utility>

#include "runtime/values/binding.h"
#include "runtime/values/contract.h"

namespace rondo::bindings {

namespace crypto {

namespace {

using runtime::Arguments;
using runtime::ErrorClass;
using runtime::Realm;
using runtime::throw_coded;
using runtime::Wrap;

constexpr int64_t kCertificateBytes = 4096;  // Approximate size of OpenSSL's allocations.

v8::Local<v8::Value> to_text(v8::Isolate* isolate, std::string_view utf8) {
  v8::Local<v8::String> text;
  if (!runtime::to_js(isolate, utf8).ToLocal(&text)) return v8::Undefined(isolate);
  return text;
}

v8::Local<v8::Value> text_or_undefined(v8::Isolate* isolate, bool has_text, std::string_view utf8) {
  if (!has_text) return v8::Undefined(isolate);
  return to_text(isolate, utf8);
}

v8::Local<v8::Value> to_bytes(v8::Isolate* isolate, std::string_view bytes) {
  v8::Local<v8::Value> result;
  if (!to_output(isolate, reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size(),
                 v8::Undefined(isolate))
           .ToLocal(&result)) {
    return v8::Undefined(isolate);
  }
  return result;
}

using Reader = v8::Local<v8::Value> (*)(v8::Isolate* isolate, X509* certificate);

// A function of the binding that returns one part of a certificate.
template <Reader kReader>
void read(const Arguments& info) {
  auto* const handle = Wrap::of<CertificateHandle>(info[0]);
  RONDO_EXPECT(info, handle != nullptr);
  info.GetReturnValue().Set(kReader(info.GetIsolate(), handle->certificate()));
  ERR_clear_error();
}

v8::Local<v8::Value> subject(v8::Isolate* isolate, X509* certificate) {
  const std::string text = name_text(X509_get_subject_name(certificate));
  return text_or_undefined(isolate, !text.empty(), text);
}

v8::Local<v8::Value> issuer(v8::Isolate* isolate, X509* certificate) {
  const std::string text = name_text(X509_get_issuer_name(certificate));
  return text_or_undefined(isolate, !text.empty(), text);
}

v8::Local<v8::Value> subject_alt_name(v8::Isolate* isolate, X509* certificate) {
  std::string text;
  const bool has_text = extension_text(certificate, NID_subject_alt_name, &text);
  return text_or_undefined(isolate, has_text, text);
}

v8::Local<v8::Value> info_access(v8::Isolate* isolate, X509* certificate) {
  std::string text;
  const bool has_text = extension_text(certificate, NID_info_access, &text);
  return text_or_undefined(isolate, has_text, text);
}

v8::Local<v8::Value> valid_from(v8::Isolate* isolate, X509* certificate) {
  return to_text(isolate, time_text(X509_get0_notBefore(certificate)));
}

v8::Local<v8::Value> valid_to(v8::Isolate* isolate, X509* certificate) {
  return to_text(isolate, time_text(X509_get0_notAfter(certificate)));
}

v8::Local<v8::Value> milliseconds(v8::Isolate* isolate, const ASN1_TIME* time) {
  std::tm fields{};
  if (ASN1_TIME_to_tm(time, &fields) != 1) return v8::Undefined(isolate);
  return v8::Number::New(isolate, static_cast<double>(timegm(&fields)) * 1000);
}

v8::Local<v8::Value> valid_from_ms(v8::Isolate* isolate, X509* certificate) {
  return milliseconds(isolate, X509_get0_notBefore(certificate));
}

v8::Local<v8::Value> valid_to_ms(v8::Isolate* isolate, X509* certificate) {
  return milliseconds(isolate, X509_get0_notAfter(certificate));
}

template <const char* kDigest>
v8::Local<v8::Value> fingerprint_with(v8::Isolate* isolate, X509* certificate) {
  const std::string text =
      fingerprint(certificate, Realm::of(isolate).state<Algorithms>().digest(kDigest));
  return text_or_undefined(isolate, !text.empty(), text);
}
constexpr char kSha1[] = "sha1";
constexpr char kSha256[] = "sha256";
constexpr char kSha512[] = "sha512";

v8::Local<v8::Value> extended_key_usage(v8::Isolate* isolate, X509* certificate) {
  std::vector<std::string> usages;
  if (!key_usage(certificate, &usages)) return v8::Undefined(isolate);
  std::vector<v8::Local<v8::Value>> list;
  for (const std::string& usage : usages) list.push_back(to_text(isolate, usage));
  return v8::Array::New(isolate, list.data(), list.size());
}

v8::Local<v8::Value> serial(v8::Isolate* isolate, X509* certificate) {
  const std::string text = serial_number(certificate);
  return text_or_undefined(isolate, !text.empty(), text);
}

v8::Local<v8::Value> signature_algorithm(v8::Isolate* isolate, X509* certificate) {
  const int nid = X509_get_signature_nid(certificate);
  const char* const name = nid == NID_undef ? nullptr : OBJ_nid2ln(nid);
  return text_or_undefined(isolate, name != nullptr, name != nullptr ? name : "");
}

v8::Local<v8::Value> signature_algorithm_oid(v8::Isolate* isolate, X509* certificate) {
  const X509_ALGOR* algorithm = nullptr;
  X509_get0_signature(nullptr, &algorithm, certificate);
  const ASN1_OBJECT* object = nullptr;
  if (algorithm != nullptr) X509_ALGOR_get0(&object, nullptr, nullptr, algorithm);
  std::array<char, 128> text{};
  const int size = object == nullptr ? -1 : OBJ_obj2txt(text.data(), text.size(), object, 1);
  const bool has_text = size >= 0 && static_cast<size_t>(size) < text.size();
  return text_or_undefined(isolate, has_text, text.data());
}

v8::Local<v8::Value> pem(v8::Isolate* isolate, X509* certificate) {
  const Bio bio(BIO_new(BIO_s_mem()));
  const bool is_written = bio != nullptr && PEM_write_bio_X509(bio.get(), certificate) == 1;
  return text_or_undefined(isolate, is_written, is_written ? contents(bio.get()) : "");
}

v8::Local<v8::Value> der(v8::Isolate* isolate, X509* certificate) {
  const Bio bio(BIO_new(BIO_s_mem()));
  if (bio == nullptr || i2d_X509_bio(bio.get(), certificate) != 1) return v8::Undefined(isolate);
  return to_bytes(isolate, contents(bio.get()));
}

v8::Local<v8::Value> is_ca(v8::Isolate* isolate, X509* certificate) {
  return v8::Boolean::New(isolate, X509_check_ca(certificate) == 1);
}

v8::Local<v8::Value> legacy(v8::Isolate* isolate, X509* certificate) {
  v8::Local<v8::Object> object;
  if (!to_legacy_object(isolate, certificate).ToLocal(&object)) return v8::Undefined(isolate);
  return object;
}

// parse(bytes): the certificate, in PEM or DER.
void parse(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const Input input(isolate, info[0]);
  if (!input.is_valid()) return;
  ERR_clear_error();
  const Bio bio = read_only(input.data(), input.size());
  if (bio == nullptr) return throw_openssl_error(isolate, "Failed to read certificate");
  Certificate certificate(PEM_read_bio_X509_AUX(bio.get(), nullptr, give_passphrase, nullptr));
  if (certificate == nullptr) {
    const Bio again = read_only(input.data(), input.size());
    if (again != nullptr) certificate.reset(d2i_X509_bio(again.get(), nullptr));
  }
  if (certificate == nullptr) return throw_openssl_error(isolate, "Failed to read certificate");
  ERR_clear_error();
  info.GetReturnValue().Set(CertificateHandle::create(Realm::of(isolate), std::move(certificate)));
}

// publicKey(certificate): a native key.
void public_key(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto* const handle = Wrap::of<CertificateHandle>(info[0]);
  RONDO_EXPECT(info, handle != nullptr);
  ERR_clear_error();
  Pkey key(X509_get_pubkey(handle->certificate()));
  if (key == nullptr) return throw_openssl_error(isolate, "Failed to read public key");
  info.GetReturnValue().Set(
      KeyHandle::create(Realm::of(isolate), KeyKind::public_key, std::move(key)));
}

// issuerCertificate(certificate): the next one of its chain; undefined at its end.
void issuer_certificate(const Arguments& info) {
  auto* const handle = Wrap::of<CertificateHandle>(info[0]);
  RONDO_EXPECT(info, handle != nullptr);
  if (handle->issuers().empty()) return;
  std::vector<Certificate> above;
  for (size_t i = 1; i < handle->issuers().size(); ++i) {
    above.push_back(share(handle->issuers()[i].get()));
  }
  info.GetReturnValue().Set(CertificateHandle::create(
      handle->realm(), share(handle->issuers().front().get()), std::move(above)));
}

// Throws for the answers of X509_check_*() that are neither yes nor no.
bool is_match(v8::Isolate* isolate, int answer) {
  ERR_clear_error();
  if (answer == 1) return true;
  if (answer == -2) {
    throw_coded(isolate, ErrorClass::type_error, "ERR_INVALID_ARG_VALUE", "Invalid name");
  } else if (answer != 0) {
    throw_coded(isolate, ErrorClass::error, "ERR_CRYPTO_OPERATION_FAILED",
                "Crypto operation failed");
  }
  return false;
}

// checkHost(certificate, name, flags): the matching name of the certificate, or undefined.
void check_host(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto* const handle = Wrap::of<CertificateHandle>(info[0]);
  RONDO_EXPECT(info, handle != nullptr && info[1]->IsString() && info[2]->IsUint32());
  const std::string name = runtime::to_std(isolate, info[1]);
  char* peer = nullptr;
  const int answer = X509_check_host(handle->certificate(), name.data(), name.size(),
                                     info[2].As<v8::Uint32>()->Value(), &peer);
  const std::string found = peer != nullptr ? peer : name;
  OPENSSL_free(peer);
  if (is_match(isolate, answer)) info.GetReturnValue().Set(to_text(isolate, found));
}

// checkEmail(certificate, name, flags): the name, or undefined.
void check_email(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto* const handle = Wrap::of<CertificateHandle>(info[0]);
  RONDO_EXPECT(info, handle != nullptr && info[1]->IsString() && info[2]->IsUint32());
  const std::string name = runtime::to_std(isolate, info[1]);
  const int answer = X509_check_email(handle->certificate(), name.data(), name.size(),
                                      info[2].As<v8::Uint32>()->Value());
  if (is_match(isolate, answer)) info.GetReturnValue().Set(info[1]);
}

// checkIP(certificate, address, flags): the address, or undefined.
void check_ip(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto* const handle = Wrap::of<CertificateHandle>(info[0]);
  RONDO_EXPECT(info, handle != nullptr && info[1]->IsString() && info[2]->IsUint32());
  const std::string address = runtime::to_std(isolate, info[1]);
  const int answer =
      X509_check_ip_asc(handle->certificate(), address.c_str(), info[2].As<v8::Uint32>()->Value());
  if (is_match(isolate, answer)) info.GetReturnValue().Set(info[1]);
}

// checkIssued(certificate, issuer): whether the second is the issuer of the first.
void check_issued(const Arguments& info) {
  auto* const handle = Wrap::of<CertificateHandle>(info[0]);
  auto* const above = Wrap::of<CertificateHandle>(info[1]);
  RONDO_EXPECT(info, handle != nullptr && above != nullptr);
  info.GetReturnValue().Set(X509_check_issued(above->certificate(), handle->certificate()) ==
                            X509_V_OK);
  ERR_clear_error();
}

// checkPrivateKey(certificate, key)
void check_private_key(const Arguments& info) {
  auto* const handle = Wrap::of<CertificateHandle>(info[0]);
  auto* const key = Wrap::of<KeyHandle>(info[1]);
  RONDO_EXPECT(info, handle != nullptr && key != nullptr);
  info.GetReturnValue().Set(X509_check_private_key(handle->certificate(), key->key()) == 1);
  ERR_clear_error();
}

// verify(certificate, key): whether the key has signed the certificate.
void verify(const Arguments& info) {
  auto* const handle = Wrap::of<CertificateHandle>(info[0]);
  auto* const key = Wrap::of<KeyHandle>(info[1]);
  RONDO_EXPECT(info, handle != nullptr && key != nullptr);
  info.GetReturnValue().Set(X509_verify(handle->certificate(), key->key()) == 1);
  ERR_clear_error();
}

constexpr runtime::Constant kFlags[] = {
    {"kAlwaysCheckSubject", X509_CHECK_FLAG_ALWAYS_CHECK_SUBJECT},
    {"kNeverCheckSubject", X509_CHECK_FLAG_NEVER_CHECK_SUBJECT},
    {"kNoWildcards", X509_CHECK_FLAG_NO_WILDCARDS},
    {"kNoPartialWildcards", X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS},
    {"kMultiLabelWildcards", X509_CHECK_FLAG_MULTI_LABEL_WILDCARDS},
    {"kSingleLabelSubdomains", X509_CHECK_FLAG_SINGLE_LABEL_SUBDOMAINS},
};

void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  runtime::set_constants(isolate, target, kFlags);
}

constexpr runtime::Method kMethods[] = {
    {"parse", parse},
    {"subject", read<subject>},
    {"issuer", read<issuer>},
    {"subjectAltName", read<subject_alt_name>},
    {"infoAccess", read<info_access>},
    {"validFrom", read<valid_from>},
    {"validTo", read<valid_to>},
    {"validFromTime", read<valid_from_ms>},
    {"validToTime", read<valid_to_ms>},
    {"fingerprint", read<fingerprint_with<kSha1>>},
    {"fingerprint256", read<fingerprint_with<kSha256>>},
    {"fingerprint512", read<fingerprint_with<kSha512>>},
    {"keyUsage", read<extended_key_usage>},
    {"serialNumber", read<serial>},
    {"signatureAlgorithm", read<signature_algorithm>},
    {"signatureAlgorithmOid", read<signature_algorithm_oid>},
    {"pem", read<pem>},
    {"raw", read<der>},
    {"ca", read<is_ca>},
    {"toLegacy", read<legacy>},
    {"publicKey", public_key},
    {"issuerCertificate", issuer_certificate},
    {"checkHost", check_host},
    {"checkEmail", check_email},
    {"checkIP", check_ip},
    {"checkIssued", check_issued},
    {"checkPrivateKey", check_private_key},
    {"verify", verify},
};

}  // namespace

CertificateHandle::CertificateHandle(Realm& realm, Certificate certificate,
                                     std::vector<Certificate> issuers)
    : Wrap(realm, kind_of<CertificateHandle>()),
      certificate_(std::move(certificate)),
      issuers_(std::move(issuers)) {
  isolate()->AdjustAmountOfExternalAllocatedMemory(kCertificateBytes);
  release();
}

CertificateHandle::~CertificateHandle() {
  isolate()->AdjustAmountOfExternalAllocatedMemory(-kCertificateBytes);
}

v8::Local<v8::Object> CertificateHandle::create(Realm& realm, Certificate certificate,
                                                std::vector<Certificate> issuers) {
  return (new CertificateHandle(realm, std::move(certificate), std::move(issuers)))->object();
}

}  // namespace crypto

extern const runtime::Binding crypto_x509;
const runtime::Binding crypto_x509{"crypto_x509", crypto::kMethods, crypto::add_constants};

}  // namespace rondo::bindings
