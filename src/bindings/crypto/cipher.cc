// internalBinding('crypto_cipher'): symmetric encryption.
// lib/internal/crypto checks the arguments.
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/objects.h>

#include <algorithm>
#include <climits>
#include <string>
#include <vector>

#include "bindings/crypto/openssl.h"
#include "runtime/values/binding.h"
#include "runtime/values/contract.h"
#include "runtime/values/wrap.h"

namespace rondo::bindings {

namespace crypto {

namespace {

using runtime::Arguments;
using runtime::Realm;
using runtime::Wrap;

constexpr int64_t kContextBytes = 1024;  // Approximate size of OpenSSL's allocations for an object.
constexpr int kDefaultTag = 16;
constexpr int kMostTag = 16;

// Reasons for which lib throws errors.
enum class Refusal : int32_t { unknown, key_length, iv, tag_required, tag_length };
constexpr runtime::Constant kRefusals[] = {
    {"kUnknownCipher", Refusal::unknown},
    {"kKeyLength", Refusal::key_length},
    {"kIv", Refusal::iv},
    {"kTagRequired", Refusal::tag_required},
    {"kTagLength", Refusal::tag_length},
};

bool has_mode(const EVP_CIPHER* cipher, int mode) { return EVP_CIPHER_get_mode(cipher) == mode; }

// OpenSSL reports it as a stream cipher: only the nid identifies it.
bool is_chacha_poly(const EVP_CIPHER* cipher) {
  return EVP_CIPHER_get_nid(cipher) == NID_chacha20_poly1305;
}

bool is_authenticated(const EVP_CIPHER* cipher) {
  return has_mode(cipher, EVP_CIPH_GCM_MODE) || has_mode(cipher, EVP_CIPH_CCM_MODE) ||
         has_mode(cipher, EVP_CIPH_OCB_MODE) || is_chacha_poly(cipher);
}

bool is_gcm_tag(int length) { return length == 4 || length == 8 || (length >= 12 && length <= 16); }

class CipherState final : public Wrap {
 public:
  CipherState(Realm& realm, CipherContext context, bool encrypts)
      : Wrap(realm, kind_of<CipherState>()), context_(std::move(context)), encrypts_(encrypts) {
    realm.isolate()->AdjustAmountOfExternalAllocatedMemory(kContextBytes);
    release();
  }
  ~CipherState() override { isolate()->AdjustAmountOfExternalAllocatedMemory(-kContextBytes); }

  bool is_open() const { return context_ != nullptr; }
  bool encrypts() const { return encrypts_; }
  bool is_open_authenticated() const { return is_open() && is_authenticated(cipher()); }
  bool is_ccm() const { return is_open() && has_mode(cipher(), EVP_CIPH_CCM_MODE); }
  EVP_CIPHER_CTX* context() { return context_.get(); }
  const EVP_CIPHER* cipher() const { return EVP_CIPHER_CTX_get0_cipher(context_.get()); }

  int tag_length = -1;  // -1: not set.
  std::string tag;      // Decrypting: the expected tag. Encrypting: the resulting tag.
  bool is_tag_known = false;
  bool is_tag_passed = false;
  bool has_failed = false;  // CCM fails with the data, and reports it at the end.
  int64_t most_message = INT_MAX;

  // Decrypting: passes the tag to OpenSSL as late as possible.
  bool pass_tag() {
    if (encrypts_ || !is_tag_known || is_tag_passed || !is_authenticated(cipher())) return true;
    is_tag_passed = true;
    return EVP_CIPHER_CTX_ctrl(context(), EVP_CTRL_AEAD_SET_TAG, static_cast<int>(tag.size()),
                               tag.data()) == 1;
  }
  bool fits(size_t size) const { return static_cast<int64_t>(size) <= most_message; }
  void close() { context_.reset(); }

 private:
  CipherContext context_;
  bool encrypts_;
};

int int_of(v8::Local<v8::Value> value, int otherwise) {
  if (!value->IsUint32()) return otherwise;
  return static_cast<int>(std::min<uint32_t>(value.As<v8::Uint32>()->Value(), INT_MAX));
}

// Sets the lengths of tag and message. False if lib must throw, for the reason in `refusal`.
bool prepare_authenticated(CipherState& state, const EVP_CIPHER* cipher, size_t iv_size,
                           Refusal* refusal) {
  EVP_CIPHER_CTX* const context = state.context();
  *refusal = Refusal::iv;
  if (iv_size > INT_MAX || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN,
                                               static_cast<int>(iv_size), nullptr) != 1) {
    return false;
  }
  *refusal = Refusal::tag_length;
  if (has_mode(cipher, EVP_CIPH_GCM_MODE)) {
    return state.tag_length == -1 || is_gcm_tag(state.tag_length);
  }
  if (state.tag_length == -1) {
    if (!is_chacha_poly(cipher)) {
      *refusal = Refusal::tag_required;
      return false;
    }
    state.tag_length = kDefaultTag;
  }
  if (state.tag_length > kMostTag ||
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, state.tag_length, nullptr) != 1) {
    return false;
  }
  // The length field of the message has the bytes that the nonce leaves of 15.
  if (has_mode(cipher, EVP_CIPH_CCM_MODE)) {
    if (iv_size == 13) state.most_message = 65535;
    if (iv_size == 12) state.most_message = 16777215;
  }
  return true;
}

// create(name, encrypts, key, iv or null, tagLength): the cipher, or a number of Refusal.
void create(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const auto refuse = [&info](Refusal refusal) {
    ERR_clear_error();
    info.GetReturnValue().Set(static_cast<int32_t>(refusal));
  };
  ERR_clear_error();
  Realm& realm = Realm::of(isolate);
  const EVP_CIPHER* const cipher =
      realm.state<Algorithms>().cipher(runtime::to_std(isolate, info[0]));
  if (cipher == nullptr) {
    if (ERR_peek_error() == 0) return refuse(Refusal::unknown);
    return throw_openssl_error(isolate, "Unknown cipher");
  }
  const bool encrypts = info[1]->IsTrue();
  const Input key(isolate, info[2]);
  const Input iv(isolate, info[3]);
  if (!key.is_valid() || !iv.is_valid()) return;
  const bool has_iv = !info[3]->IsNull();
  const auto wanted_iv = static_cast<size_t>(EVP_CIPHER_get_iv_length(cipher));
  if (!has_iv && wanted_iv != 0) return refuse(Refusal::iv);
  if (has_iv && !is_authenticated(cipher) && iv.size() != wanted_iv) return refuse(Refusal::iv);
  if (is_chacha_poly(cipher) && iv.size() > 12) return refuse(Refusal::iv);

  CipherContext context(EVP_CIPHER_CTX_new());
  if (context == nullptr) return throw_openssl_error(isolate, "Failed to initialize cipher");
  if (has_mode(cipher, EVP_CIPH_WRAP_MODE)) {
    EVP_CIPHER_CTX_set_flags(context.get(), EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
  }
  if (EVP_CipherInit_ex(context.get(), cipher, nullptr, nullptr, nullptr, encrypts) != 1) {
    return throw_openssl_error(isolate, "Failed to initialize cipher");
  }
  auto* const state = new CipherState(realm, std::move(context), encrypts);
  state->tag_length = int_of(info[4], -1);
  Refusal refusal{};
  if (is_authenticated(cipher) && !prepare_authenticated(*state, cipher, iv.size(), &refusal)) {
    state->destroy();
    return refuse(refusal);
  }
  if (key.size() > INT_MAX ||
      EVP_CIPHER_CTX_set_key_length(state->context(), static_cast<int>(key.size())) != 1) {
    state->destroy();
    return refuse(Refusal::key_length);
  }
  if (EVP_CipherInit_ex(state->context(), nullptr, nullptr, key.data(),
                        has_iv && iv.size() > 0 ? iv.data() : nullptr, encrypts) != 1) {
    state->destroy();
    return throw_openssl_error(isolate, "Failed to initialize cipher");
  }
  info.GetReturnValue().Set(state->object());
}

// update(cipher, data): an ArrayBuffer; false if the message is longer than the mode allows.
void update(const Arguments& info) {
  constexpr const char* kFailed = "Trying to add data in unsupported state";
  v8::Isolate* const isolate = info.GetIsolate();
  auto* const state = Wrap::of<CipherState>(info[0]);
  RONDO_EXPECT(info, state != nullptr);
  ERR_clear_error();
  const Input data(isolate, info[1]);
  if (!data.is_valid()) return;
  // No data can be added after a message that failed authentication.
  const bool takes_data = state->is_open() && !state->has_failed;
  if (!takes_data || data.size() > INT_MAX - EVP_MAX_BLOCK_LENGTH) {
    return throw_openssl_error(isolate, kFailed);
  }
  if (state->is_ccm() && !state->fits(data.size())) return info.GetReturnValue().Set(false);
  if (!state->pass_tag()) return throw_openssl_error(isolate, kFailed);
  const int block = EVP_CIPHER_get_block_size(state->cipher());
  size_t size = data.size() + static_cast<size_t>(block);
  // Wrapping adds a block in front.
  if (has_mode(state->cipher(), EVP_CIPH_WRAP_MODE)) size += EVP_MAX_BLOCK_LENGTH;
  Memory out = allocate(isolate, size);
  if (out == nullptr) return;
  int written = 0;
  const bool is_done = EVP_CipherUpdate(state->context(), out.get(), &written, data.data(),
                                        static_cast<int>(data.size())) == 1;
  if (!is_done) {
    // A message that fails authentication gives no output; final() reports it.
    if (!state->is_ccm() || state->encrypts()) return throw_openssl_error(isolate, kFailed);
    ERR_clear_error();
    state->has_failed = true;
    written = 0;
  }
  info.GetReturnValue().Set(
      runtime::own_memory(isolate, out.release(), static_cast<size_t>(std::max(written, 0))));
}

// final(cipher): an ArrayBuffer; undefined if it was called before.
void finish(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto* const state = Wrap::of<CipherState>(info[0]);
  RONDO_EXPECT(info, state != nullptr);
  if (!state->is_open()) return;
  ERR_clear_error();
  const bool is_authentic_mode = state->is_open_authenticated();
  uint8_t out[EVP_MAX_BLOCK_LENGTH];
  int size = 0;
  bool is_done = state->pass_tag();
  if (state->is_ccm() && !state->encrypts()) {
    is_done = is_done && state->is_tag_known && !state->has_failed;
  } else if (is_authentic_mode && !state->encrypts() && !state->is_tag_known) {
    is_done = false;  // OpenSSL does not require it in every mode.
  } else if (is_done) {
    is_done = EVP_CipherFinal_ex(state->context(), out, &size) == 1;
  }
  if (is_done && is_authentic_mode && state->encrypts()) {
    if (state->tag_length == -1) state->tag_length = kDefaultTag;
    state->tag.resize(static_cast<size_t>(state->tag_length));
    is_done = EVP_CIPHER_CTX_ctrl(state->context(), EVP_CTRL_AEAD_GET_TAG, state->tag_length,
                                  state->tag.data()) == 1;
    state->is_tag_known = is_done;
  }
  state->close();
  if (!is_done) {
    return throw_openssl_error(isolate, is_authentic_mode
                                            ? "Unsupported state or unable to authenticate data"
                                            : "Unsupported state");
  }
  v8::Local<v8::Value> result;
  if (to_output(isolate, out, static_cast<size_t>(size), v8::Undefined(isolate)).ToLocal(&result)) {
    info.GetReturnValue().Set(result);
  }
}

// setAutoPadding(cipher, pads): false if it is too late.
void set_auto_padding(const Arguments& info) {
  auto* const state = Wrap::of<CipherState>(info[0]);
  RONDO_EXPECT(info, state != nullptr);
  info.GetReturnValue().Set(state->is_open() &&
                            EVP_CIPHER_CTX_set_padding(state->context(), info[1]->IsTrue()) == 1);
}

// getAuthTag(cipher): an ArrayBuffer; undefined if there is none yet.
void get_auth_tag(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto* const state = Wrap::of<CipherState>(info[0]);
  RONDO_EXPECT(info, state != nullptr);
  if (state->is_open() || !state->encrypts() || !state->is_tag_known) return;
  v8::Local<v8::Value> result;
  if (to_output(isolate, reinterpret_cast<const uint8_t*>(state->tag.data()), state->tag.size(),
                v8::Undefined(isolate))
          .ToLocal(&result)) {
    info.GetReturnValue().Set(result);
  }
}

// setAuthTag(cipher, tag): whether it was accepted; or its length, if that is wrong.
void set_auth_tag(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto* const state = Wrap::of<CipherState>(info[0]);
  RONDO_EXPECT(info, state != nullptr);
  if (!state->is_open_authenticated() || state->encrypts() || state->is_tag_known) {
    return info.GetReturnValue().Set(false);
  }
  const Input tag(isolate, info[1]);
  if (!tag.is_valid()) return;
  const int length = tag.size() > INT_MAX ? INT_MAX : static_cast<int>(tag.size());
  // A GCM tag that is shorter than usual is weaker: a program must request it explicitly.
  const int wanted = state->tag_length == -1 ? kDefaultTag : state->tag_length;
  bool is_right = wanted == length;
  if (has_mode(state->cipher(), EVP_CIPH_GCM_MODE)) is_right = is_right && is_gcm_tag(length);
  if (!is_right || length > kMostTag) return info.GetReturnValue().Set(length);
  state->tag = tag.copy();
  state->tag_length = length;
  state->is_tag_known = true;
  info.GetReturnValue().Set(true);
}

// setAAD(cipher, data, plaintextLength): whether it was accepted; null if CCM needs the length, or
// undefined if the message is longer than the mode allows.
void set_aad(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto* const state = Wrap::of<CipherState>(info[0]);
  RONDO_EXPECT(info, state != nullptr);
  if (!state->is_open_authenticated()) return info.GetReturnValue().Set(false);
  const Input data(isolate, info[1]);
  if (!data.is_valid()) return;
  int written = 0;
  if (state->is_ccm()) {
    if (!info[2]->IsUint32()) return info.GetReturnValue().SetNull();
    const uint32_t length = info[2].As<v8::Uint32>()->Value();
    if (!state->fits(length)) return;
    if (!state->pass_tag() || EVP_CipherUpdate(state->context(), nullptr, &written, nullptr,
                                               static_cast<int>(length)) != 1) {
      ERR_clear_error();
      return info.GetReturnValue().Set(false);
    }
  }
  const bool is_done =
      data.size() <= INT_MAX && EVP_CipherUpdate(state->context(), nullptr, &written, data.data(),
                                                 static_cast<int>(data.size())) == 1;
  ERR_clear_error();
  info.GetReturnValue().Set(is_done);
}

void collect(const EVP_CIPHER*, const char* name, const char*, void* list) {
  const EVP_CIPHER* const cipher = EVP_get_cipherbyname(name);
  if (cipher == nullptr) return;
  const Cipher usable(EVP_CIPHER_fetch(nullptr, EVP_CIPHER_get0_name(cipher), nullptr));
  if (usable != nullptr) static_cast<std::vector<std::string>*>(list)->emplace_back(name);
}

// getCiphers(): ciphers that OpenSSL lists and its providers support. It lists most names in both
// cases: the upper ones are left out.
void get_ciphers(const Arguments& info) {
  std::vector<std::string> names;
  EVP_CIPHER_do_all_sorted(collect, &names);
  ERR_clear_error();
  return_names(info, std::move(names));
}

// getCurves(): names of elliptic curves.
void get_curves(const Arguments& info) {
  std::vector<EC_builtin_curve> curves(EC_get_builtin_curves(nullptr, 0));
  EC_get_builtin_curves(curves.data(), curves.size());
  std::vector<std::string> names;
  for (const EC_builtin_curve& curve : curves) names.emplace_back(OBJ_nid2sn(curve.nid));
  return_names(info, std::move(names));
}

const char* mode_name(const EVP_CIPHER* cipher) {
  switch (EVP_CIPHER_get_mode(cipher)) {
    case EVP_CIPH_CBC_MODE: return "cbc";
    case EVP_CIPH_CCM_MODE: return "ccm";
    case EVP_CIPH_CFB_MODE: return "cfb";
    case EVP_CIPH_CTR_MODE: return "ctr";
    case EVP_CIPH_ECB_MODE: return "ecb";
    case EVP_CIPH_GCM_MODE: return "gcm";
    case EVP_CIPH_OCB_MODE: return "ocb";
    case EVP_CIPH_OFB_MODE: return "ofb";
    case EVP_CIPH_WRAP_MODE: return "wrap";
    case EVP_CIPH_XTS_MODE: return "xts";
    case EVP_CIPH_STREAM_CIPHER: return "stream";
    default: return "";
  }
}

// True if the cipher accepts keys and initialization vectors of these lengths; -1 for its default.
bool takes(const EVP_CIPHER* cipher, int key_length, int iv_length) {
  const CipherContext context(EVP_CIPHER_CTX_new());
  if (context == nullptr ||
      EVP_CipherInit_ex(context.get(), cipher, nullptr, nullptr, nullptr, 1) != 1) {
    return false;
  }
  if (key_length != -1 && EVP_CIPHER_CTX_set_key_length(context.get(), key_length) != 1) {
    return false;
  }
  if (iv_length == -1) return true;
  if (has_mode(cipher, EVP_CIPH_CCM_MODE)) return iv_length >= 7 && iv_length <= 13;
  if (is_authenticated(cipher)) {
    return EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_IVLEN, iv_length, nullptr) == 1;
  }
  return iv_length == EVP_CIPHER_get_iv_length(cipher);
}

// getCipherInfo(name or number, keyLength, ivLength): undefined if there is no such cipher, or if
// it does not accept these lengths.
void get_cipher_info(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  Algorithms& algorithms = Realm::of(isolate).state<Algorithms>();
  const EVP_CIPHER* cipher = nullptr;
  if (info[0]->IsString()) {
    cipher = algorithms.cipher(runtime::to_std(isolate, info[0]));
  } else if (info[0]->IsInt32()) {
    const char* const name = OBJ_nid2sn(info[0].As<v8::Int32>()->Value());
    if (name != nullptr) cipher = algorithms.cipher(name);
  }
  const int key_length = int_of(info[1], info[1]->IsUndefined() ? -1 : INT_MAX);
  const int iv_length = int_of(info[2], info[2]->IsUndefined() ? -1 : INT_MAX);
  const bool is_taken = cipher != nullptr && takes(cipher, key_length, iv_length);
  ERR_clear_error();
  if (!is_taken) return;
  const v8::Local<v8::Object> result = v8::Object::New(isolate);
  const auto number = [&](const char* name, int value) {
    runtime::set(isolate, result, name, static_cast<double>(value));
  };
  const int nid = EVP_CIPHER_get_nid(cipher);
  const char* const name = OBJ_nid2sn(nid);
  const int own_iv = EVP_CIPHER_get_iv_length(cipher);
  runtime::set(isolate, result, "mode", std::string_view(mode_name(cipher)));
  runtime::set(isolate, result, "name", std::string_view(name != nullptr ? name : ""));
  number("nid", nid);
  // Stream ciphers have no block size.
  if (!has_mode(cipher, EVP_CIPH_STREAM_CIPHER)) {
    number("blockSize", EVP_CIPHER_get_block_size(cipher));
  }
  if (own_iv != 0) number("ivLength", iv_length == -1 ? own_iv : iv_length);
  number("keyLength", key_length == -1 ? EVP_CIPHER_get_key_length(cipher) : key_length);
  info.GetReturnValue().Set(result);
}

void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  runtime::set_constants(isolate, target, kRefusals);
  runtime::set(isolate, target, "opensslVersion", static_cast<double>(OPENSSL_VERSION_NUMBER));
}

constexpr runtime::Method kMethods[] = {
    {"create", create},
    {"update", update},
    {"final", finish},
    {"setAutoPadding", set_auto_padding},
    {"getAuthTag", get_auth_tag},
    {"setAuthTag", set_auth_tag},
    {"setAAD", set_aad},
    {"getCiphers", get_ciphers},
    {"getCurves", get_curves},
    {"getCipherInfo", get_cipher_info},
};

}  // namespace

}  // namespace crypto

extern const runtime::Binding crypto_cipher;
const runtime::Binding crypto_cipher{"crypto_cipher", crypto::kMethods, crypto::add_constants};

}  // namespace rondo::bindings
