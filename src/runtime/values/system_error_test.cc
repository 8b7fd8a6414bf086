#include "runtime/values/system_error.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "runtime/engine/testing.h"

namespace rondo::runtime {

namespace {

class SystemErrorTest : public testing::EngineTest {
 protected:
  std::string property(v8::Local<v8::Object> object, std::string_view name) {
    return to_std(isolate(), object->Get(context(), string(name)).ToLocalChecked());
  }
};

TEST_F(SystemErrorTest, HasNamesAndMessages) {
  EXPECT_EQ(system_error_text(ENOENT).name, "ENOENT");
  EXPECT_EQ(system_error_text(ENOENT).words, "no such file or directory");
  EXPECT_EQ(system_error_text(EADDRINUSE).name, "EADDRINUSE");
}

TEST_F(SystemErrorTest, NumbersAreNegative) {
  EXPECT_EQ(system_error_number("ENOENT"), -ENOENT);
  EXPECT_EQ(system_error_number("EAI_NONAME"), -3008);
  EXPECT_EQ(system_error_number("EOF"), -4095);
}

TEST_F(SystemErrorTest, AnUnknownNumberStillHasAName) {
  const SystemErrorText text = system_error_text(54321);
  EXPECT_FALSE(text.name.empty());
  EXPECT_FALSE(text.words.empty());
}

TEST_F(SystemErrorTest, HasWhatNodesHave) {
  const v8::Local<v8::Object> error = system_error(isolate(), Error{ENOENT, "rename"}, "/a", "/b");
  EXPECT_EQ(property(error, "message"), "ENOENT: no such file or directory, rename '/a' -> '/b'");
  EXPECT_EQ(property(error, "errno"), "-2");
  EXPECT_EQ(property(error, "code"), "ENOENT");
  EXPECT_EQ(property(error, "syscall"), "rename");
  EXPECT_EQ(property(error, "path"), "/a");
  EXPECT_EQ(property(error, "dest"), "/b");
}

TEST_F(SystemErrorTest, WithoutAPathThereIsNoneInIt) {
  const v8::Local<v8::Object> error = system_error(isolate(), Error{EBADF, "close"});
  EXPECT_EQ(property(error, "message"), "EBADF: bad file descriptor, close");
  EXPECT_EQ(property(error, "path"), "undefined");
}

}  // namespace

}  // namespace rondo::runtime
