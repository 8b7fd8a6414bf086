#include "bindings/crypto/openssl.h"

#include <gtest/gtest.h>
#include <openssl/err.h>

#include "bindings/crypto/job.h"
#include "runtime/engine/testing.h"

namespace rondo::bindings::crypto {

namespace {

class OpenSsl : public runtime::testing::EngineTest {
 protected:
  Algorithms& algorithms() { return realm().state<Algorithms>(); }
  std::string bytes_of(std::string_view code) {
    const Input input(isolate(), evaluate(code).ToLocalChecked());
    EXPECT_TRUE(input.is_valid());
    return input.copy();
  }
  std::string output(std::string_view bytes, int encoding) {
    v8::Local<v8::Value> result;
    EXPECT_TRUE(to_output(isolate(), reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size(),
                          v8::Integer::New(isolate(), encoding))
                    .ToLocal(&result));
    return result->IsString() ? runtime::to_std(isolate(), result) : "bytes";
  }
  std::string property(v8::Local<v8::Value> object, const char* name) {
    return runtime::to_std(isolate(), object.As<v8::Object>()
                                          ->Get(context(), runtime::literal(isolate(), name))
                                          .ToLocalChecked());
  }
};

TEST_F(OpenSsl, AlgorithmsAreFetchedOnce) {
  EVP_MD* const digest = algorithms().digest("sha256");
  ASSERT_NE(digest, nullptr);
  EXPECT_EQ(algorithms().digest("sha256"), digest);
  EXPECT_EQ(EVP_MD_get_size(digest), 32);
  EVP_CIPHER* const cipher = algorithms().cipher("aes-128-cbc");
  ASSERT_NE(cipher, nullptr);
  EXPECT_EQ(algorithms().cipher("aes-128-cbc"), cipher);
}

TEST_F(OpenSsl, SignaturesNameTheirDigest) {
  EVP_MD* const digest = algorithms().digest("RSA-SHA1");
  ASSERT_NE(digest, nullptr);
  EXPECT_EQ(EVP_MD_is_a(digest, "SHA1"), 1);
}

TEST_F(OpenSsl, AnUnknownAlgorithmIsNotFound) {
  for (const std::string& name : {std::string(), std::string("nope"), std::string("sha1\0", 5),
                                  std::string("null"), std::string(100000, 'x')}) {
    EXPECT_EQ(algorithms().digest(name), nullptr);
    EXPECT_EQ(algorithms().cipher(name), nullptr);
  }
}

TEST_F(OpenSsl, NamesDoNotFillMemory) {
  for (int bits = 0; bits < 1 << 10; ++bits) {
    std::string name = "blake2b512";
    for (size_t i = 0; i < name.size(); ++i) {
      if ((bits >> i & 1) != 0) name[i] = static_cast<char>(std::toupper(name[i]));
    }
    const EVP_MD* const digest = algorithms().digest(name);
    ASSERT_NE(digest, nullptr) << name;
    EXPECT_EQ(EVP_MD_get_size(digest), 64);
  }
}

TEST_F(OpenSsl, InputIsTextAsUtf8OrTheBytesOfAView) {
  EXPECT_EQ(bytes_of("'h\\u00e9\\u20ac'"), "h\xc3\xa9\xe2\x82\xac");
  EXPECT_EQ(bytes_of("'\\u20ac'.repeat(1000)").size(), 3000U);
  EXPECT_EQ(bytes_of("new Uint8Array([120, 97, 98]).subarray(1)"), "ab");
  EXPECT_EQ(bytes_of("new Uint8Array([97, 98]).buffer"), "ab");
  EXPECT_EQ(bytes_of("new Uint8Array(0)"), "");
  EXPECT_EQ(bytes_of("({})"), "");
}

TEST_F(OpenSsl, OutputIsTextWhereItIsQuick) {
  EXPECT_EQ(output("\x01\xff", 5), "01ff");
  EXPECT_EQ(output("\x01\xff", 2), "Af8=");
  EXPECT_EQ(output("\x01\xff", 7), "Af8");
  EXPECT_EQ(output("a", 4), "a");
  EXPECT_EQ(output("a", 1), "bytes");
  EXPECT_EQ(output(std::string(5000, 'x'), 5), "bytes");
}

TEST_F(OpenSsl, ErrorsHaveTheCodesOfNode) {
  ERR_clear_error();
  ERR_raise(ERR_LIB_EVP, EVP_R_NOT_XOF_OR_INVALID_LENGTH);
  ERR_raise(ERR_LIB_EVP, EVP_R_INITIALIZATION_ERROR);
  const v8::Local<v8::Value> error = make_error(isolate(), take_errors(), "otherwise");
  EXPECT_EQ(property(error, "code"), "ERR_OSSL_EVP_NOT_XOF_OR_INVALID_LENGTH");
  EXPECT_EQ(property(error, "library"), "digital envelope routines");
  EXPECT_EQ(property(error, "reason"), "not XOF or invalid length");
  EXPECT_EQ(property(error, "opensslErrorStack"),
            "error:03000086:digital envelope routines::initialization error");
  EXPECT_EQ(property(make_error(isolate(), take_errors(), "otherwise"), "message"), "otherwise");
}

struct Count {
  static constexpr const char* kLabel = "count";
  static constexpr const char* kFailed = "No";
  static inline int alive = 0;
  bool is_mine = true;

  Count() { ++alive; }
  Count(Count&& other) noexcept : is_mine(std::exchange(other.is_mine, false)) {}
  ~Count() { alive -= is_mine ? 1 : 0; }
  bool run() { return true; }
  v8::Local<v8::Value> result(v8::Isolate* isolate) { return v8::Undefined(isolate); }
};

TEST_F(OpenSsl, JobsOfARealmThatEndsAreFreed) {
  {
    const v8::Local<v8::Function> callback =
        evaluate("() => {}").ToLocalChecked().As<v8::Function>();
    for (int i = 0; i < 100; ++i) (new Job<Count>(realm(), Count(), callback))->submit();
    EXPECT_EQ(Count::alive, 100);
  }
  realm().drop_states();
  while (loop_->run_nowait()) {
  }
  EXPECT_EQ(Count::alive, 0);
}

}  // namespace

}  // namespace rondo::bindings::crypto
