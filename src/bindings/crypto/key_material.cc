// internalBinding('crypto_key_material'): the contents of keys: raw bytes, numbers, points of a
// curve. lib/internal/crypto checks the arguments.
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/objects.h>
#include <openssl/param_build.h>

#include <algorithm>
#include <array>
#include <climits>
#include <utility>

#include "bindings/crypto/key.h"
#include "runtime/values/binding.h"
#include "runtime/values/contract.h"

namespace rondo::bindings {

namespace crypto {

namespace {

using runtime::Arguments;
using runtime::Wrap;
using Builder = std::unique_ptr<OSSL_PARAM_BLD, FreeWith<OSSL_PARAM_BLD_free>>;
using Params = std::unique_ptr<OSSL_PARAM, FreeWith<OSSL_PARAM_free>>;
using Group = std::unique_ptr<EC_GROUP, FreeWith<EC_GROUP_free>>;
using Point = std::unique_ptr<EC_POINT, FreeWith<EC_POINT_clear_free>>;

constexpr runtime::Constant kPoints[] = {
    {"kCompressed", POINT_CONVERSION_COMPRESSED},
    {"kUncompressed", POINT_CONVERSION_UNCOMPRESSED},
    {"kHybrid", POINT_CONVERSION_HYBRID},
};

int int_of(v8::Local<v8::Value> value) {
  return value->IsInt32() ? value.As<v8::Int32>()->Value() : 0;
}

// ---- Raw keys

using RawReader = int (*)(const EVP_PKEY* key, unsigned char* out, size_t* size);

// Bytes of a key; undefined if it has none of this kind.
void return_raw(const Arguments& info, RawReader read) {
  auto* const handle = Wrap::of<KeyHandle>(info[0]);
  RONDO_EXPECT(info, handle != nullptr);
  size_t size = 0;
  if (read(handle->key(), nullptr, &size) == 1) {
    Secret bytes(size);
    if (read(handle->key(), bytes.data(), &size) == 1 && size <= bytes.size()) {
      return_bytes(info, bytes.data(), size);
    }
  }
  ERR_clear_error();
}

// rawPublic(key)
void raw_public(const Arguments& info) { return_raw(info, EVP_PKEY_get_raw_public_key); }

// rawPrivate(key)
void raw_private(const Arguments& info) { return_raw(info, EVP_PKEY_get_raw_private_key); }

// rawSeed(key): of keys that were made from one.
void raw_seed(const Arguments& info) {
  return_raw(info, [](const EVP_PKEY* key, unsigned char* out, size_t* size) {
    // The name of the parameter is the same for ML-DSA and ML-KEM.
    return EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_ML_KEM_SEED, out,
                                           out == nullptr ? 0 : *size, size);
  });
}

// fromRaw(algorithm, bytes, isPrivate): for algorithms whose keys are strings of bytes. Undefined
// if the bytes are no such key.
void from_raw(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const char* const name = openssl_name(runtime::to_std(isolate, info[0]));
  RONDO_EXPECT(info, name != nullptr);
  const Input bytes(isolate, info[1]);
  if (!bytes.is_valid()) return;
  const bool is_private = info[2]->IsTrue();
  Pkey key(
      is_private
          ? EVP_PKEY_new_raw_private_key_ex(nullptr, name, nullptr, bytes.data(), bytes.size())
          : EVP_PKEY_new_raw_public_key_ex(nullptr, name, nullptr, bytes.data(), bytes.size()));
  ERR_clear_error();
  if (key == nullptr) return;
  return_key(info, is_private ? KeyKind::private_key : KeyKind::public_key, std::move(key));
}

Pkey from_params(const char* algorithm, int selection, OSSL_PARAM* params) {
  const PkeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, algorithm, nullptr));
  EVP_PKEY* key = nullptr;
  if (context == nullptr || EVP_PKEY_fromdata_init(context.get()) != 1 ||
      EVP_PKEY_fromdata(context.get(), &key, selection, params) != 1) {
    return nullptr;
  }
  return Pkey(key);
}

// fromSeed(algorithm, bytes): undefined if the bytes are no seed.
void from_seed(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const char* const name = openssl_name(runtime::to_std(isolate, info[0]));
  RONDO_EXPECT(info, name != nullptr);
  const Input bytes(isolate, info[1]);
  if (!bytes.is_valid()) return;
  OSSL_PARAM params[] = {
      OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_ML_KEM_SEED,
                                        const_cast<uint8_t*>(bytes.data()), bytes.size()),
      OSSL_PARAM_construct_end(),
  };
  Pkey key = from_params(name, EVP_PKEY_KEYPAIR, params);
  ERR_clear_error();
  if (key != nullptr) return_key(info, KeyKind::private_key, std::move(key));
}

// ---- Keys as numbers, for JWK

// numbers(key, names, size): an ArrayBuffer for each of OpenSSL's names of numbers, padded to
// `size` bytes if it is not 0; undefined for a number that the key does not have.
void numbers(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  auto* const handle = Wrap::of<KeyHandle>(info[0]);
  RONDO_EXPECT(info, handle != nullptr && info[1]->IsArray());
  const int padded = int_of(info[2]);
  const v8::Local<v8::Array> names = info[1].As<v8::Array>();
  std::vector<v8::Local<v8::Value>> list;
  for (uint32_t i = 0; i < names->Length(); ++i) {
    v8::Local<v8::Value> name;
    if (!names->Get(context, i).ToLocal(&name)) return;
    const Number number = number_of_key(handle->key(), runtime::to_std(isolate, name).c_str());
    if (!number) {
      list.emplace_back(v8::Undefined(isolate));
      continue;
    }
    const int size = std::max(padded, BN_num_bytes(number.get()));
    const v8::Local<v8::ArrayBuffer> bytes =
        v8::ArrayBuffer::New(isolate, static_cast<size_t>(size));
    BN_bn2binpad(number.get(), static_cast<unsigned char*>(bytes->Data()), size);
    list.emplace_back(bytes);
  }
  ERR_clear_error();
  info.GetReturnValue().Set(v8::Array::New(isolate, list.data(), list.size()));
}

constexpr const char* kRsaNumbers[] = {
    OSSL_PKEY_PARAM_RSA_N,         OSSL_PKEY_PARAM_RSA_E,
    OSSL_PKEY_PARAM_RSA_D,         OSSL_PKEY_PARAM_RSA_FACTOR1,
    OSSL_PKEY_PARAM_RSA_FACTOR2,   OSSL_PKEY_PARAM_RSA_EXPONENT1,
    OSSL_PKEY_PARAM_RSA_EXPONENT2, OSSL_PKEY_PARAM_RSA_COEFFICIENT1,
};
constexpr size_t kPublicNumbers = 2;
constexpr size_t kFirstFactor = 3;

bool has_these_factors(const std::vector<Number>& values) {
  const Number product(BN_new());
  const std::unique_ptr<BN_CTX, FreeWith<BN_CTX_free>> scratch(BN_CTX_new());
  return product != nullptr && scratch != nullptr &&
         BN_mul(product.get(), values[kFirstFactor].get(), values[kFirstFactor + 1].get(),
                scratch.get()) == 1 &&
         BN_cmp(product.get(), values[0].get()) == 0;
}

// rsaFromNumbers(numbers): n and e, and for a private key also d, p, q, dp, dq and qi, as bytes.
// Undefined if OpenSSL does not accept them, or if n is not p * q.
void rsa_from_numbers(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const v8::Local<v8::Context> context = isolate->GetCurrentContext();
  RONDO_EXPECT(info, info[0]->IsArray());
  const v8::Local<v8::Array> list = info[0].As<v8::Array>();
  const size_t count = list->Length();
  RONDO_EXPECT(info, count == kPublicNumbers || count == std::size(kRsaNumbers));
  const bool is_private = count > kPublicNumbers;
  const Builder builder(OSSL_PARAM_BLD_new());
  if (builder == nullptr) return;
  std::vector<Number> values;
  for (uint32_t i = 0; i < count; ++i) {
    v8::Local<v8::Value> value;
    if (!list->Get(context, i).ToLocal(&value)) return;
    const Input bytes(isolate, value);
    if (!bytes.is_valid() || bytes.size() > INT_MAX) return;
    values.emplace_back(BN_bin2bn(bytes.data(), static_cast<int>(bytes.size()), BN_secure_new()));
    if (values.back() == nullptr ||
        OSSL_PARAM_BLD_push_BN(builder.get(), kRsaNumbers[i], values.back().get()) != 1) {
      ERR_clear_error();
      return;
    }
  }
  const Params params(OSSL_PARAM_BLD_to_param(builder.get()));
  Pkey key;
  if (params && (!is_private || has_these_factors(values))) {
    key = from_params("RSA", is_private ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, params.get());
  }
  ERR_clear_error();
  if (key == nullptr) return;
  return_key(info, is_private ? KeyKind::private_key : KeyKind::public_key, std::move(key));
}

// ---- Elliptic curves

// A key of a curve, from the point, the number, or both.
Pkey make_ec(int nid, const std::vector<uint8_t>* point, const BIGNUM* number) {
  const char* const name = OBJ_nid2sn(nid);
  const Builder builder(OSSL_PARAM_BLD_new());
  if (builder == nullptr || name == nullptr ||
      OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, name, 0) != 1) {
    return nullptr;
  }
  if (point != nullptr && OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY,
                                                           point->data(), point->size()) != 1) {
    return nullptr;
  }
  if (number != nullptr &&
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_PRIV_KEY, number) != 1) {
    return nullptr;
  }
  const Params params(OSSL_PARAM_BLD_to_param(builder.get()));
  if (!params) return nullptr;
  return from_params("EC", number != nullptr ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY,
                     params.get());
}

bool encode_point(const EC_GROUP* group, const EC_POINT* point, point_conversion_form_t form,
                  std::vector<uint8_t>* out) {
  const size_t size = EC_POINT_point2oct(group, point, form, nullptr, 0, nullptr);
  if (size == 0) return false;
  out->resize(size);
  return EC_POINT_point2oct(group, point, form, out->data(), size, nullptr) == size;
}

// curveSize(name): bytes of a coordinate and of a private key; undefined if there is no such curve.
void curve_size(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const int nid = curve_nid(runtime::to_std(isolate, info[0]));
  const Group group(nid == NID_undef ? nullptr : EC_GROUP_new_by_curve_name(nid));
  ERR_clear_error();
  if (group == nullptr) return;
  v8::Local<v8::Value> sizes[] = {
      v8::Integer::New(isolate, (EC_GROUP_get_degree(group.get()) + 7) / 8),
      v8::Integer::New(isolate, (EC_GROUP_order_bits(group.get()) + 7) / 8),
  };
  info.GetReturnValue().Set(v8::Array::New(isolate, sizes, 2));
}

// ecFromPoint(curve, point, number): a key from an encoded point, and the private number unless it
// is undefined. Undefined if the point is not on the curve, or the number does not belong to it.
void ec_from_point(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const int nid = curve_nid(runtime::to_std(isolate, info[0]));
  const Input point(isolate, info[1]);
  const Input secret(isolate, info[2]);
  if (!point.is_valid() || !secret.is_valid() || secret.size() > INT_MAX) return;
  const bool is_private = !info[2]->IsUndefined();
  const Group group(nid == NID_undef ? nullptr : EC_GROUP_new_by_curve_name(nid));
  Pkey key;
  if (group != nullptr) {
    const Point decoded(EC_POINT_new(group.get()));
    std::vector<uint8_t> encoded;
    const Number number(
        is_private ? BN_bin2bn(secret.data(), static_cast<int>(secret.size()), BN_secure_new())
                   : nullptr);
    if (decoded != nullptr && (!is_private || number != nullptr) &&
        EC_POINT_oct2point(group.get(), decoded.get(), point.data(), point.size(), nullptr) == 1 &&
        EC_POINT_is_on_curve(group.get(), decoded.get(), nullptr) == 1 &&
        encode_point(group.get(), decoded.get(), POINT_CONVERSION_UNCOMPRESSED, &encoded)) {
      key = make_ec(nid, &encoded, number.get());
    }
  }
  ERR_clear_error();
  if (key == nullptr) return;
  return_key(info, is_private ? KeyKind::private_key : KeyKind::public_key, std::move(key));
}

// ecFromNumber(curve, number): the key pair of a private number; undefined if there is none.
void ec_from_number(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const int nid = curve_nid(runtime::to_std(isolate, info[0]));
  const Input secret(isolate, info[1]);
  if (!secret.is_valid() || secret.size() > INT_MAX) return;
  const Group group(nid == NID_undef ? nullptr : EC_GROUP_new_by_curve_name(nid));
  const Number number(BN_bin2bn(secret.data(), static_cast<int>(secret.size()), BN_secure_new()));
  Pkey key;
  if (group != nullptr && number != nullptr) {
    const Point point(EC_POINT_new(group.get()));
    std::vector<uint8_t> encoded;
    const bool is_in_range =
        BN_is_zero(number.get()) == 0 && BN_cmp(number.get(), EC_GROUP_get0_order(group.get())) < 0;
    if (point != nullptr && is_in_range &&
        EC_POINT_mul(group.get(), point.get(), number.get(), nullptr, nullptr, nullptr) == 1 &&
        encode_point(group.get(), point.get(), POINT_CONVERSION_UNCOMPRESSED, &encoded)) {
      key = make_ec(nid, &encoded, number.get());
    }
  }
  ERR_clear_error();
  if (key != nullptr) return_key(info, KeyKind::private_key, std::move(key));
}

// ecPoint(key, form): the encoded point of a key; undefined if it has none.
void ec_point(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  auto* const handle = Wrap::of<KeyHandle>(info[0]);
  RONDO_EXPECT(info, handle != nullptr);
  const std::string curve = text_of_key(handle->key(), OSSL_PKEY_PARAM_GROUP_NAME);
  const Group group(EC_GROUP_new_by_curve_name(OBJ_sn2nid(curve.c_str())));
  const Number x = number_of_key(handle->key(), OSSL_PKEY_PARAM_EC_PUB_X);
  const Number y = number_of_key(handle->key(), OSSL_PKEY_PARAM_EC_PUB_Y);
  std::vector<uint8_t> encoded;
  bool is_encoded = false;
  if (group != nullptr && x && y) {
    const Point point(EC_POINT_new(group.get()));
    is_encoded =
        point != nullptr &&
        EC_POINT_set_affine_coordinates(group.get(), point.get(), x.get(), y.get(), nullptr) == 1 &&
        encode_point(group.get(), point.get(),
                     static_cast<point_conversion_form_t>(int_of(info[1])), &encoded);
  }
  ERR_clear_error();
  v8::Local<v8::Value> result;
  if (is_encoded &&
      to_output(isolate, encoded.data(), encoded.size(), v8::Undefined(isolate)).ToLocal(&result)) {
    info.GetReturnValue().Set(result);
  }
}

void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  runtime::set_constants(isolate, target, kPoints);
}

constexpr runtime::Method kMethods[] = {
    {"rawPublic", raw_public},
    {"rawPrivate", raw_private},
    {"rawSeed", raw_seed},
    {"fromRaw", from_raw},
    {"fromSeed", from_seed},
    {"numbers", numbers},
    {"rsaFromNumbers", rsa_from_numbers},
    {"curveSize", curve_size},
    {"ecFromPoint", ec_from_point},
    {"ecFromNumber", ec_from_number},
    {"ecPoint", ec_point},
};

}  // namespace

}  // namespace crypto

extern const runtime::Binding crypto_key_material;
const runtime::Binding crypto_key_material{"crypto_key_material", crypto::kMethods,
                                           crypto::add_constants};

}  // namespace rondo::bindings
