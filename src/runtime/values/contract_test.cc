#include "runtime/values/contract.h"

#include <gtest/gtest.h>

#include <string>

#include "runtime/engine/testing.h"

namespace rondo::runtime {

namespace {

enum class Pet : uint8_t { cat, dog, count };
constexpr Constant kPets[] = {{"cat", Pet::cat}, {"dog", Pet::dog}};
static_assert(names_all(kPets, Pet::count));
constexpr Constant kOnePet[] = {{"cat", Pet::cat}};
static_assert(!names_all(kOnePet, Pet::count));
constexpr Constant kWrongOrder[] = {{"dog", Pet::dog}, {"cat", Pet::cat}};
static_assert(!names_all(kWrongOrder, Pet::count));

class ContractTest : public testing::EngineTest {
 protected:
  // Calls take_functions() with the value of the expression. Returns the numbers that were taken,
  // or "thrown".
  std::string take(std::string_view expression) {
    const v8::TryCatch caught(isolate());
    const v8::Local<v8::Value> functions = evaluate(expression).ToLocalChecked();
    std::string taken;
    const bool is_complete = take_functions(
        isolate(), functions, kPets,
        [&taken](size_t number, v8::Local<v8::Function>) { taken += std::to_string(number); });
    EXPECT_EQ(is_complete, !caught.HasCaught());
    return is_complete ? taken : "thrown";
  }
};

TEST_F(ContractTest, TakesFunctionsByNameInAnyOrder) {
  EXPECT_EQ(take("({ dog() {}, cat() {} })"), "01");
}

TEST_F(ContractTest, RefusesMissingAndUnknownFunctions) {
  EXPECT_EQ(take("({ cat() {} })"), "thrown");
  EXPECT_EQ(take("({ cat() {}, dog() {}, cow() {} })"), "thrown");
  EXPECT_EQ(take("({ cat() {}, cow() {} })"), "thrown");
  EXPECT_EQ(take("({ cat() {}, dog: 1 })"), "thrown");
  EXPECT_EQ(take("1"), "thrown");
}

TEST_F(ContractTest, ConstantsAreNumbersUnderTheirNames) {
  const v8::Local<v8::Object> target = v8::Object::New(isolate());
  set_constants(isolate(), target, "pets", kPets);
  constexpr const char* kTexts[] = {"a", "b"};
  set_texts(isolate(), target, "texts", kTexts);
  v8::Local<v8::String> json;
  ASSERT_TRUE(v8::JSON::Stringify(context(), target).ToLocal(&json));
  EXPECT_EQ(to_std(isolate(), json), R"({"pets":{"cat":0,"dog":1},"texts":["a","b"]})");
}

}  // namespace

}  // namespace rondo::runtime
