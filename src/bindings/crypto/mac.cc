// internalBinding('crypto_mac'): message authentication codes of all kinds. lib/internal/crypto
// checks the arguments.
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/params.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "bindings/crypto/key.h"
#include "runtime/values/binding.h"

namespace rondo::bindings {

namespace crypto {

namespace {

using runtime::Arguments;
using runtime::ErrorClass;
using runtime::Realm;
using runtime::throw_coded;
using runtime::Wrap;
using Mac = std::unique_ptr<EVP_MAC, FreeWith<EVP_MAC_free>>;
using MacContext = std::unique_ptr<EVP_MAC_CTX, FreeWith<EVP_MAC_CTX_free>>;

constexpr int64_t kContextBytes = 1024;  // Approximate size of OpenSSL's allocations.

class MacState final : public Wrap {
 public:
  MacState(Realm& realm, MacContext context)
      : Wrap(realm, kind_of<MacState>()), context_(std::move(context)) {
    isolate()->AdjustAmountOfExternalAllocatedMemory(kContextBytes);
    release();
  }
  ~MacState() override { isolate()->AdjustAmountOfExternalAllocatedMemory(-kContextBytes); }
  EVP_MAC_CTX* context() { return context_.get(); }

 private:
  MacContext context_;
};

void throw_failed(v8::Isolate* isolate, const char* message) {
  std::vector<unsigned long> errors = take_errors();
  if (errors.empty()) {
    return throw_coded(isolate, ErrorClass::error, "ERR_CRYPTO_OPERATION_FAILED", message);
  }
  errors.erase(errors.begin() + 1, errors.end());
  isolate->ThrowException(make_error(isolate, errors, message));
}

// The options of a message authentication code. They own the memory that `params` refers to.
struct Options {
  std::vector<std::string> texts;
  std::vector<Secret> bytes;
  size_t size = 0;
  std::vector<OSSL_PARAM> params;
};

// Reads the options from info[2] on: texts, bytes and the size. Returns the name of an option that
// the algorithm does not support, or null.
const char* read_options(const Arguments& info, const EVP_MAC* mac, Options* options) {
  v8::Isolate* const isolate = info.GetIsolate();
  struct Option {
    const char* param;
    const char* name;
  };
  constexpr Option kOptions[] = {
      {OSSL_MAC_PARAM_DIGEST, "digest"}, {OSSL_MAC_PARAM_CIPHER, "cipher"},
      {OSSL_MAC_PARAM_IV, "iv"},         {OSSL_MAC_PARAM_CUSTOM, "customization"},
      {OSSL_MAC_PARAM_SALT, "salt"},     {OSSL_MAC_PARAM_SIZE, "outputLength"},
  };
  const OSSL_PARAM* const settable = EVP_MAC_settable_ctx_params(mac);
  options->texts.reserve(std::size(kOptions));
  options->bytes.reserve(std::size(kOptions));
  for (size_t i = 0; i < std::size(kOptions); ++i) {
    const v8::Local<v8::Value> value = info[static_cast<int>(i) + 2];
    if (value->IsUndefined()) continue;
    if (settable == nullptr || OSSL_PARAM_locate_const(settable, kOptions[i].param) == nullptr) {
      return kOptions[i].name;
    }
    if (value->IsString()) {
      std::string& text = options->texts.emplace_back(runtime::to_std(isolate, value));
      options->params.push_back(
          OSSL_PARAM_construct_utf8_string(kOptions[i].param, text.data(), 0));
    } else if (value->IsUint32()) {
      options->size = value.As<v8::Uint32>()->Value();
      options->params.push_back(OSSL_PARAM_construct_size_t(kOptions[i].param, &options->size));
    } else {
      Secret& bytes = options->bytes.emplace_back(Input(isolate, value));
      options->params.push_back(
          OSSL_PARAM_construct_octet_string(kOptions[i].param, bytes.data(), bytes.size()));
    }
  }
  options->params.push_back(OSSL_PARAM_construct_end());
  return nullptr;
}

// create(name, key, digest, cipher, iv, customization, salt, outputLength): undefined if there is
// no such code, or the name of an option that it does not support.
void create(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const Mac mac(EVP_MAC_fetch(nullptr, runtime::to_std(isolate, info[0]).c_str(), nullptr));
  ERR_clear_error();
  if (mac == nullptr) return;
  const Input key(isolate, info[1]);
  if (!key.is_valid()) return;
  Options options;
  if (const char* const name = read_options(info, mac.get(), &options); name != nullptr) {
    return info.GetReturnValue().Set(runtime::literal(isolate, name));
  }
  MacContext context(EVP_MAC_CTX_new(mac.get()));
  // OpenSSL takes a null pointer to mean that the key is set already.
  const uint8_t none = 0;
  if (context == nullptr || EVP_MAC_init(context.get(), key.size() > 0 ? key.data() : &none,
                                         key.size(), options.params.data()) != 1) {
    return throw_failed(isolate, "Failed to initialize MAC");
  }
  ERR_clear_error();
  info.GetReturnValue().Set((new MacState(Realm::of(isolate), std::move(context)))->object());
}

// update(mac, data): whether it succeeded.
void update(const Arguments& info) {
  auto* const state = Wrap::of<MacState>(info[0]);
  RONDO_EXPECT(info, state != nullptr);
  const Input data(info.GetIsolate(), info[1]);
  if (!data.is_valid()) return;
  info.GetReturnValue().Set(EVP_MAC_update(state->context(), data.data(), data.size()) == 1);
  ERR_clear_error();
}

// final(mac): an ArrayBuffer.
void finish(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto* const state = Wrap::of<MacState>(info[0]);
  RONDO_EXPECT(info, state != nullptr);
  size_t size = EVP_MAC_CTX_get_mac_size(state->context());
  const Memory out = allocate(isolate, size);
  if (out == nullptr) return;
  if (size > 0 && EVP_MAC_final(state->context(), out.get(), &size, size) != 1) {
    return throw_failed(isolate, "Failed to finalize MAC");
  }
  ERR_clear_error();
  return_bytes(info, out.get(), size);
}

void collect_name(const char* name, void* list) {
  if (std::isdigit(static_cast<unsigned char>(*name)) != 0) return;
  std::string small(name);
  std::transform(small.begin(), small.end(), small.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  static_cast<std::vector<std::string>*>(list)->push_back(std::move(small));
}

void collect(EVP_MAC* mac, void* list) { EVP_MAC_names_do_all(mac, collect_name, list); }

// getMacs(): sorted, each once.
void get_macs(const Arguments& info) {
  std::vector<std::string> names;
  EVP_MAC_do_all_provided(nullptr, collect, &names);
  ERR_clear_error();
  return_names(info, std::move(names));
}

constexpr runtime::Method kMethods[] = {
    {"create", create},
    {"update", update},
    {"final", finish},
    {"getMacs", get_macs},
};

}  // namespace

}  // namespace crypto

extern const runtime::Binding crypto_mac;
const runtime::Binding crypto_mac{"crypto_mac", crypto::kMethods};

}  // namespace rondo::bindings
