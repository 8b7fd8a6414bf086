#include "runtime/values/values.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>

#include "runtime/engine/testing.h"

namespace rondo::runtime {

namespace {

class Values : public testing::EngineTest {
 protected:
  std::string property(v8::Local<v8::Value> object, std::string_view name) {
    const v8::Local<v8::Value> value =
        object.As<v8::Object>()->Get(context(), string(name)).ToLocalChecked();
    return to_std(isolate(), value);
  }
};

TEST_F(Values, AFailedSystemCallIsAnErrorAsNodeHasIt) {
  const v8::TryCatch caught(isolate());
  throw_error(isolate(), Error{ENOENT, "open"});
  ASSERT_TRUE(caught.HasCaught());
  EXPECT_EQ(property(caught.Exception(), "code"), "ENOENT");
  EXPECT_EQ(property(caught.Exception(), "errno"), "-2");
  EXPECT_EQ(property(caught.Exception(), "syscall"), "open");
  EXPECT_TRUE(property(caught.Exception(), "message").starts_with("ENOENT: "));
}

TEST_F(Values, SmallIntegersAreReadWithoutACall) {
  int32_t number = 0;
  for (const int32_t expected : {0, 1, -1, INT32_MAX, INT32_MIN}) {
    EXPECT_TRUE(small_integer(v8::Integer::New(isolate(), expected), &number));
    EXPECT_EQ(number, expected);
  }
  EXPECT_FALSE(small_integer(v8::Number::New(isolate(), 1.5), &number));
  EXPECT_FALSE(small_integer(v8::Number::New(isolate(), 4294967296.0), &number));
  EXPECT_FALSE(small_integer(string("1"), &number));
  EXPECT_FALSE(small_integer(v8::Undefined(isolate()), &number));
}

TEST_F(Values, MisuseOfABindingIsReportedWithItsPlace) {
  const v8::TryCatch caught(isolate());
  throw_misuse(isolate(), "info[0]->IsString()", "/some/where/bindings/x.cc", 12);
  ASSERT_TRUE(caught.HasCaught());
  EXPECT_EQ(property(caught.Exception(), "code"), "ERR_INTERNAL_ASSERTION");
  EXPECT_EQ(property(caught.Exception(), "message"),
            "A binding was misused: info[0]->IsString() does not hold (x.cc:12)");
}

TEST_F(Values, ValuesWithoutATextGiveAnEmptyString) {
  const v8::TryCatch caught(isolate());
  const v8::Local<v8::Value> hostile = evaluate("({ toString() { throw 1; } })").ToLocalChecked();
  EXPECT_EQ(to_std(isolate(), hostile), "");
  EXPECT_EQ(to_std(isolate(), v8::Symbol::New(isolate())), "");
}

TEST_F(Values, TextThatIsTooLongForV8IsRefused) {
  const std::string text(static_cast<size_t>(v8::String::kMaxLength) + 1, 'x');
  EXPECT_TRUE(to_js(isolate(), text).IsEmpty());
}

TEST_F(Values, SetMakesPropertiesOfEachKind) {
  const v8::Local<v8::Object> object = v8::Object::New(isolate());
  set(isolate(), object, "number", 1.5);
  set(isolate(), object, "text", std::string_view("\xc3\xa4"));
  set(isolate(), object, "value", v8::True(isolate()));
  EXPECT_EQ(property(object, "number"), "1.5");
  EXPECT_EQ(property(object, "text"), "\xc3\xa4");
  EXPECT_EQ(property(object, "value"), "true");
}

}  // namespace

}  // namespace rondo::runtime
