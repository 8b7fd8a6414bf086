#include "bindings/crypto/key.h"

#include <gtest/gtest.h>
#include <openssl/err.h>

#include "bindings/crypto/x509.h"
#include "runtime/engine/testing.h"

namespace rondo::bindings::crypto {

namespace {

class Keys : public runtime::testing::EngineTest {
 protected:
  static Pkey make() {
    const PkeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, "ED25519", nullptr));
    EVP_PKEY* key = nullptr;
    EXPECT_EQ(EVP_PKEY_keygen_init(context.get()), 1);
    EXPECT_EQ(EVP_PKEY_generate(context.get(), &key), 1);
    return Pkey(key);
  }
};

TEST_F(Keys, AreReadAsTheyWereWritten) {
  const Pkey key = make();
  ASSERT_NE(key, nullptr);
  EXPECT_STREQ(algorithm_of(key.get()), "ed25519");
  for (const KeyFormat format : {KeyFormat::pem, KeyFormat::der}) {
    KeyEncoding encoding;
    encoding.format = format;
    encoding.structure = KeyStructure::pkcs8;
    const std::optional<Secret> text = write_key(key.get(), KeyKind::private_key, encoding);
    ASSERT_TRUE(text.has_value());
    const ReadKey read =
        read_private_key(format, KeyStructure::pkcs8, text->data(), text->size(), nullptr);
    ASSERT_NE(read.key, nullptr);
    EXPECT_EQ(EVP_PKEY_eq(key.get(), read.key.get()), 1);
    EXPECT_TRUE(read.is_private);
  }
}

TEST_F(Keys, NeedTheirPassphrase) {
  const Pkey key = make();
  KeyEncoding encoding;
  encoding.structure = KeyStructure::pkcs8;
  encoding.cipher.reset(EVP_CIPHER_fetch(nullptr, "aes-128-cbc", nullptr));
  encoding.passphrase = Secret("sesame", 6);
  const std::optional<Secret> text = write_key(key.get(), KeyKind::private_key, encoding);
  ASSERT_TRUE(text.has_value());
  ERR_clear_error();
  const auto read = [&](const Secret* passphrase) {
    return read_private_key(KeyFormat::pem, KeyStructure::none, text->data(), text->size(),
                            passphrase);
  };
  EXPECT_EQ(read(nullptr).key, nullptr);
  ERR_clear_error();
  const Secret wrong("wrong", 5);
  const ReadKey refused = read(&wrong);
  EXPECT_EQ(refused.key, nullptr);
  EXPECT_FALSE(refused.needs_passphrase);
  ERR_clear_error();
  EXPECT_NE(read(&encoding.passphrase).key, nullptr);
}

TEST_F(Keys, ThatAreDamagedAreNotRead) {
  for (const std::string& text : {std::string(), std::string("\x30\x84\xff\xff\xff\xff", 6),
                                  std::string(1000, '\x30'), std::string("-----BEGIN ")}) {
    const auto* const data = reinterpret_cast<const uint8_t*>(text.data());
    for (const KeyFormat format : {KeyFormat::pem, KeyFormat::der}) {
      for (const KeyStructure structure :
           {KeyStructure::pkcs1, KeyStructure::pkcs8, KeyStructure::spki, KeyStructure::sec1}) {
        EXPECT_EQ(read_any_key(format, structure, data, text.size(), nullptr).key, nullptr);
        EXPECT_EQ(read_private_key(format, structure, data, text.size(), nullptr).key, nullptr);
        ERR_clear_error();
      }
    }
  }
}

TEST_F(Keys, ThatArePublicAreWrittenWithoutPrivateParts) {
  const Pkey key = make();
  KeyEncoding encoding;
  encoding.format = KeyFormat::der;
  const std::optional<Secret> text = write_key(key.get(), KeyKind::public_key, encoding);
  ASSERT_TRUE(text.has_value());
  EXPECT_EQ(text->size(), 44U);
  encoding.structure = KeyStructure::pkcs8;
  EXPECT_FALSE(write_key(key.get(), KeyKind::public_key, encoding).has_value());
  ERR_clear_error();
}

TEST_F(Keys, HaveHandlesThatAreRecognised) {
  const v8::Local<v8::Object> object = KeyHandle::create(realm(), KeyKind::private_key, make());
  auto* const handle = runtime::Wrap::of<KeyHandle>(object);
  ASSERT_NE(handle, nullptr);
  EXPECT_TRUE(handle->is_private());
  EXPECT_EQ(runtime::Wrap::of<CertificateHandle>(object), nullptr);
}

TEST_F(Keys, CertificatesOfAnEmptyTextAreNone) {
  std::vector<Certificate> certificates;
  EXPECT_TRUE(read_certificates(nullptr, 0, &certificates));
  EXPECT_TRUE(certificates.empty());
  const std::string damaged = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
  EXPECT_FALSE(read_certificates(reinterpret_cast<const uint8_t*>(damaged.data()), damaged.size(),
                                 &certificates));
  EXPECT_TRUE(certificates.empty());
  ERR_clear_error();
}

}  // namespace

}  // namespace rondo::bindings::crypto
