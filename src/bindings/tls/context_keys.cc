// internalBinding('tls_keys'): methods of SecureContext that load keys.
// Engines are deprecated, but Node's options for them exist.
#define OPENSSL_SUPPRESS_DEPRECATED  // NOLINT(readability-identifier-naming): OpenSSL's name
#include <openssl/engine.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>

#include <algorithm>
#include <string>
#include <utility>

#include "bindings/tls/secure_context.h"
#include "runtime/values/binding.h"

namespace rondo::bindings {

using runtime::Arguments;
using runtime::ErrorClass;

namespace tls {

namespace {

int give_passphrase(char* buffer, int size, int, void* given) {
  const auto& passphrase = *static_cast<const std::string*>(given);
  if (passphrase.size() > static_cast<size_t>(size)) return -1;
  std::copy(passphrase.begin(), passphrase.end(),
            buffer);  // OpenSSL takes the size from the result.
  return static_cast<int>(passphrase.size());
}

// setKey(pem[, passphrase])
void set_key(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  SecureContext* const context = context_of(info);
  if (context == nullptr) return;
  const crypto::Input pem(isolate, info[0]);
  if (!pem.is_valid()) return;
  const Bio bio = reader_of(pem);
  if (bio == nullptr) return;
  // Without a passphrase an encrypted key cannot be decrypted, as with a wrong one.
  std::string passphrase;
  if (info[1]->IsString()) passphrase = runtime::to_std(isolate, info[1]);
  const Key key(PEM_read_bio_PrivateKey(bio.get(), nullptr, give_passphrase, &passphrase));
  OPENSSL_cleanse(passphrase.data(), passphrase.size());
  if (key == nullptr) {
    return crypto::throw_openssl_error(isolate, "PEM_read_bio_PrivateKey");
  }
  if (SSL_CTX_use_PrivateKey(context->get(), key.get()) != 1) {
    crypto::throw_openssl_error(isolate, "SSL_CTX_use_PrivateKey");
  }
}

// setDHParam(pem or true): the text of a warning, or undefined. Other parameters than those of DH
// are ignored, as in Node.
void set_dh_param(const Arguments& info) {
  constexpr int kLeastBits = 1024;
  constexpr int kSafeBits = 2048;
  v8::Isolate* const isolate = info.GetIsolate();
  SecureContext* const context = context_of(info);
  if (context == nullptr) return;
  if (info[0]->IsTrue()) {
    SSL_CTX_set_dh_auto(context->get(), 1);
    return;
  }
  const crypto::Input pem(isolate, info[0]);
  if (!pem.is_valid()) return;
  const Bio bio = reader_of(pem);
  if (bio == nullptr) return;
  Key parameters(PEM_read_bio_Parameters(bio.get(), nullptr));
  ERR_clear_error();
  if (parameters == nullptr || EVP_PKEY_get_base_id(parameters.get()) != EVP_PKEY_DH) return;
  const int bits = EVP_PKEY_get_bits(parameters.get());
  if (bits < kLeastBits) {
    return runtime::throw_coded(isolate, ErrorClass::type_error, "ERR_INVALID_ARG_VALUE",
                                "DH parameter is less than 1024 bits");
  }
  if (SSL_CTX_set0_tmp_dh_pkey(context->get(), parameters.get()) != 1) {
    ERR_clear_error();
    return throw_operation_failed(isolate, "Error setting temp DH parameter");
  }
  static_cast<void>(parameters.release());
  if (bits < kSafeBits) {
    info.GetReturnValue().Set(runtime::literal(isolate, "DH parameter is less than 2048 bits"));
  }
}

// False, with errors in the queue or a message in `missing`, if the file cannot be used.
bool use_pkcs12(SecureContext& context, PKCS12* file, const char* passphrase,
                const char** missing) {
  EVP_PKEY* key_pointer = nullptr;
  X509* certificate_pointer = nullptr;
  STACK_OF(X509)* chain_pointer = nullptr;
  if (PKCS12_parse(file, passphrase, &key_pointer, &certificate_pointer, &chain_pointer) != 1) {
    return false;
  }
  const Key key(key_pointer);
  Certificate certificate(certificate_pointer);
  const Certificates chain(chain_pointer);
  if (key == nullptr) {
    *missing = "Unable to load private key from PFX data";
    return false;
  }
  if (certificate == nullptr) {
    *missing = "Unable to load certificate from PFX data";
    return false;
  }
  if (!context.use_chain(std::move(certificate), chain.get())) return false;
  if (SSL_CTX_use_PrivateKey(context.get(), key.get()) != 1) return false;
  for (int i = 0; i < sk_X509_num(chain.get()); ++i) context.trust(sk_X509_value(chain.get(), i));
  return true;
}

// loadPKCS12(bytes[, passphrase as a view])
void load_pkcs12(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  SecureContext* const context = context_of(info);
  if (context == nullptr) return;
  const crypto::Input bytes(isolate, info[0]);
  if (!bytes.is_valid()) return;
  const Bio bio = reader_of(bytes);
  if (bio == nullptr) return throw_operation_failed(isolate, "Unable to load PFX certificate");
  const crypto::Input passphrase(isolate, info[1]);
  if (!passphrase.is_valid()) return;
  std::string text = passphrase.copy();
  const std::unique_ptr<PKCS12, FreeWith<PKCS12_free>> file(d2i_PKCS12_bio(bio.get(), nullptr));
  const char* missing = nullptr;
  const bool is_used =
      file != nullptr &&
      use_pkcs12(*context, file.get(), info[1]->IsUndefined() ? nullptr : text.c_str(), &missing);
  OPENSSL_cleanse(text.data(), text.size());
  const unsigned long error = ERR_get_error();
  ERR_clear_error();
  if (is_used) return;
  if (missing != nullptr) return throw_operation_failed(isolate, missing);
  if (ERR_GET_REASON(error) == ERR_R_UNSUPPORTED) {
    return runtime::throw_coded(isolate, ErrorClass::error, "ERR_CRYPTO_UNSUPPORTED_OPERATION",
                                "Unsupported PKCS12 PFX data");
  }
  const char* const reason = ERR_reason_error_string(error);
  isolate->ThrowException(v8::Exception::Error(
      runtime::literal(isolate, reason != nullptr ? reason : "Unknown error")));
}

// Engines are loaded from libraries by their id.
ENGINE* find_engine(const char* id) {
  ENGINE* engine = ENGINE_by_id(id);
  if (engine != nullptr) return engine;
  engine = ENGINE_by_id("dynamic");
  if (engine == nullptr) return nullptr;
  if (ENGINE_ctrl_cmd_string(engine, "SO_PATH", id, 0) == 0 ||
      ENGINE_ctrl_cmd_string(engine, "LOAD", nullptr, 0) == 0) {
    ENGINE_free(engine);
    return nullptr;
  }
  return engine;
}

void throw_no_engine(v8::Isolate* isolate, const std::string& id) {
  const std::vector<unsigned long> errors = crypto::take_errors();
  isolate->ThrowException(
      crypto::make_failure(isolate, errors, "Engine \"" + id + "\" was not found"));
}

// setEngineKey(name of the key, id of the engine)
void set_engine_key(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  SecureContext* const context = context_of(info);
  if (context == nullptr) return;
  const std::string id = runtime::to_std(isolate, info[1]);
  ENGINE* const engine = find_engine(id.c_str());
  if (engine == nullptr) return throw_no_engine(isolate, id);
  if (ENGINE_init(engine) != 1) {
    ENGINE_free(engine);
    return throw_operation_failed(isolate, "Failure to initialize engine");
  }
  const std::string name = runtime::to_std(isolate, info[0]);
  const Key key(ENGINE_load_private_key(engine, name.c_str(), nullptr, nullptr));
  ENGINE_finish(engine);
  ENGINE_free(engine);
  if (key == nullptr) return crypto::throw_openssl_error(isolate, "ENGINE_load_private_key");
  if (SSL_CTX_use_PrivateKey(context->get(), key.get()) != 1) {
    crypto::throw_openssl_error(isolate, "SSL_CTX_use_PrivateKey");
  }
}

// setClientCertEngine(id)
void set_client_cert_engine(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  SecureContext* const context = context_of(info);
  if (context == nullptr) return;
  const std::string id = runtime::to_std(isolate, info[0]);
  ENGINE* const engine = find_engine(id.c_str());
  if (engine == nullptr) return throw_no_engine(isolate, id);
  const bool is_set = SSL_CTX_set_client_cert_engine(context->get(), engine) == 1;
  ENGINE_free(engine);
  if (!is_set) crypto::throw_openssl_error(isolate, "SSL_CTX_set_client_cert_engine");
}

constexpr runtime::Method kMethods[] = {
    {"setKey", set_key},
    {"setDHParam", set_dh_param},
    {"loadPKCS12", load_pkcs12},
    {"setEngineKey", set_engine_key},
    {"setClientCertEngine", set_client_cert_engine},
};

}  // namespace

}  // namespace tls

extern const runtime::Binding tls_keys;
const runtime::Binding tls_keys{"tls_keys", tls::kMethods};

}  // namespace rondo::bindings
