// internalBinding('crypto_ecdh'): the object ECDH, whose keys are encoded points and numbers.
// lib/internal/crypto checks the arguments.
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/objects.h>

#include <climits>
#include <utility>

#include "bindings/crypto/job.h"
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
using Group = std::unique_ptr<EC_GROUP, FreeWith<EC_GROUP_free>>;
using Point = std::unique_ptr<EC_POINT, FreeWith<EC_POINT_clear_free>>;

constexpr int64_t kStateBytes = 2048;  // Approximate size of OpenSSL's allocations.

class EcdhState final : public Wrap {
 public:
  EcdhState(Realm& realm, Group its_group)
      : Wrap(realm, kind_of<EcdhState>()), group_(std::move(its_group)) {
    isolate()->AdjustAmountOfExternalAllocatedMemory(kStateBytes);
    release();
  }
  ~EcdhState() override { isolate()->AdjustAmountOfExternalAllocatedMemory(-kStateBytes); }

  const EC_GROUP* group() const { return group_.get(); }
  Number secret;
  Point point;

  bool is_in_range(const BIGNUM* number) const {
    return BN_is_zero(number) == 0 && BN_is_negative(number) == 0 &&
           BN_cmp(number, EC_GROUP_get0_order(group())) < 0;
  }
  // The public key of a private number; null if OpenSSL cannot compute it.
  Point point_of(const BIGNUM* number) const {
    Point result(EC_POINT_new(group()));
    if (result == nullptr ||
        EC_POINT_mul(group(), result.get(), number, nullptr, nullptr, nullptr) != 1) {
      return nullptr;
    }
    return result;
  }
  // True if the public key belongs to the private key.
  bool is_pair() const {
    if (secret == nullptr || point == nullptr || !is_in_range(secret.get())) return false;
    const Point expected = point_of(secret.get());
    return expected != nullptr && EC_POINT_cmp(group(), expected.get(), point.get(), nullptr) == 0;
  }

 private:
  Group group_;
};

void throw_failed(v8::Isolate* isolate, const char* message) {
  ERR_clear_error();
  throw_coded(isolate, ErrorClass::error, "ERR_CRYPTO_OPERATION_FAILED", message);
}

// create(curve): undefined if there is no such curve.
void create(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const int nid = OBJ_sn2nid(runtime::to_std(isolate, info[0]).c_str());
  Group group(nid == NID_undef ? nullptr : EC_GROUP_new_by_curve_name(nid));
  ERR_clear_error();
  if (group == nullptr) return;
  info.GetReturnValue().Set((new EcdhState(Realm::of(isolate), std::move(group)))->object());
}

// generateKeys(ecdh)
void generate_keys(const Arguments& info) {
  auto* const state = Wrap::of<EcdhState>(info[0]);
  RONDO_EXPECT(info, state != nullptr);
  Number secret(BN_secure_new());
  bool is_made = secret != nullptr;
  do {
    is_made = is_made && BN_priv_rand_range(secret.get(), EC_GROUP_get0_order(state->group())) == 1;
  } while (is_made && BN_is_zero(secret.get()) != 0);
  Point point = is_made ? state->point_of(secret.get()) : nullptr;
  if (point == nullptr) return throw_failed(info.GetIsolate(), "Failed to generate key");
  state->secret = std::move(secret);
  state->point = std::move(point);
}

// Null if it is not a point of the curve.
Point read_point(const EC_GROUP* group, const Input& input) {
  Point point(EC_POINT_new(group));
  if (point == nullptr ||
      EC_POINT_oct2point(group, point.get(), input.data(), input.size(), nullptr) != 1) {
    return nullptr;
  }
  return point;
}

// computeSecret(ecdh, publicKey): undefined if that is not a point of the curve.
void compute_secret(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto* const state = Wrap::of<EcdhState>(info[0]);
  RONDO_EXPECT(info, state != nullptr);
  const Input input(isolate, info[1]);
  if (!input.is_valid()) return;
  const Point peer = read_point(state->group(), input);
  if (peer == nullptr) {
    ERR_clear_error();
    return;
  }
  if (!state->is_pair()) {
    ERR_clear_error();
    return throw_coded(isolate, ErrorClass::range_error, "ERR_CRYPTO_INVALID_KEYPAIR",
                       "Invalid key pair");
  }
  const Point shared(EC_POINT_new(state->group()));
  const Number x(BN_secure_new());
  Secret secret((static_cast<size_t>(EC_GROUP_get_degree(state->group())) + 7) / 8);
  const bool is_done = shared != nullptr && x != nullptr &&
                       EC_POINT_mul(state->group(), shared.get(), nullptr, peer.get(),
                                    state->secret.get(), nullptr) == 1 &&
                       EC_POINT_get_affine_coordinates(state->group(), shared.get(), x.get(),
                                                       nullptr, nullptr) == 1 &&
                       BN_bn2binpad(x.get(), secret.data(), static_cast<int>(secret.size())) >= 0;
  if (!is_done) return throw_failed(isolate, "Failed to compute ECDH key");
  ERR_clear_error();
  return_bytes(info, secret.data(), secret.size());
}

void return_point(const Arguments& info, const EC_GROUP* group, const EC_POINT* point,
                  v8::Local<v8::Value> form) {
  const auto conversion = static_cast<point_conversion_form_t>(
      form->IsInt32() ? form.As<v8::Int32>()->Value() : POINT_CONVERSION_UNCOMPRESSED);
  const size_t size = EC_POINT_point2oct(group, point, conversion, nullptr, 0, nullptr);
  std::vector<uint8_t> bytes(size);
  if (size == 0 ||
      EC_POINT_point2oct(group, point, conversion, bytes.data(), size, nullptr) != size) {
    return throw_failed(info.GetIsolate(), "Failed to encode public key");
  }
  return_bytes(info, bytes.data(), size);
}

// getPublicKey(ecdh, form)
void get_public_key(const Arguments& info) {
  auto* const state = Wrap::of<EcdhState>(info[0]);
  RONDO_EXPECT(info, state != nullptr);
  if (state->point == nullptr) {
    return throw_failed(info.GetIsolate(), "Failed to get ECDH public key");
  }
  return_point(info, state->group(), state->point.get(), info[1]);
}

// getPrivateKey(ecdh)
void get_private_key(const Arguments& info) {
  auto* const state = Wrap::of<EcdhState>(info[0]);
  RONDO_EXPECT(info, state != nullptr);
  if (state->secret == nullptr) {
    return throw_failed(info.GetIsolate(), "Failed to get ECDH private key");
  }
  Secret bytes(static_cast<size_t>(BN_num_bytes(state->secret.get())));
  BN_bn2bin(state->secret.get(), bytes.data());
  return_bytes(info, bytes.data(), bytes.size());
}

// setPrivateKey(ecdh, bytes)
void set_private_key(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto* const state = Wrap::of<EcdhState>(info[0]);
  RONDO_EXPECT(info, state != nullptr);
  const Input input(isolate, info[1]);
  if (!input.is_valid()) return;
  if (input.size() > INT_MAX) {
    return throw_coded(isolate, ErrorClass::range_error, "ERR_OUT_OF_RANGE", "key is too big");
  }
  Number secret(BN_bin2bn(input.data(), static_cast<int>(input.size()), BN_secure_new()));
  if (secret == nullptr) return throw_failed(isolate, "Failed to convert Buffer to BN");
  if (!state->is_in_range(secret.get())) {
    return throw_coded(isolate, ErrorClass::range_error, "ERR_CRYPTO_INVALID_KEYTYPE",
                       "Private key is not valid for specified curve.");
  }
  Point point = state->point_of(secret.get());
  if (point == nullptr) return throw_failed(isolate, "Failed to generate ECDH public key");
  state->secret = std::move(secret);
  state->point = std::move(point);
}

// setPublicKey(ecdh, bytes)
void set_public_key(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto* const state = Wrap::of<EcdhState>(info[0]);
  RONDO_EXPECT(info, state != nullptr);
  const Input input(isolate, info[1]);
  if (!input.is_valid()) return;
  Point point = read_point(state->group(), input);
  if (point == nullptr) return throw_failed(isolate, "Failed to convert Buffer to EC_POINT");
  state->point = std::move(point);
}

// convertKey(bytes, curve, form): undefined if there is no such curve.
void convert_key(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const Input input(isolate, info[0]);
  if (!input.is_valid()) return;
  const int nid = OBJ_sn2nid(runtime::to_std(isolate, info[1]).c_str());
  const Group group(nid == NID_undef ? nullptr : EC_GROUP_new_by_curve_name(nid));
  ERR_clear_error();
  if (nid == NID_undef) return;
  if (group == nullptr) return throw_failed(isolate, "Failed to get EC_GROUP");
  const Point point = read_point(group.get(), input);
  if (point == nullptr) return throw_failed(isolate, "Failed to convert Buffer to EC_POINT");
  return_point(info, group.get(), point.get(), info[2]);
}

constexpr runtime::Method kMethods[] = {
    {"create", create},
    {"generateKeys", generate_keys},
    {"computeSecret", compute_secret},
    {"getPublicKey", get_public_key},
    {"getPrivateKey", get_private_key},
    {"setPublicKey", set_public_key},
    {"setPrivateKey", set_private_key},
    {"convertKey", convert_key},
};

}  // namespace

}  // namespace crypto

extern const runtime::Binding crypto_ecdh;
const runtime::Binding crypto_ecdh{"crypto_ecdh", crypto::kMethods};

}  // namespace rondo::bindings
