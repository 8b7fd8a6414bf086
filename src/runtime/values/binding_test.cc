#include "runtime/values/binding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "runtime/engine/builtins.h"
#include "runtime/engine/testing.h"

namespace rondo::runtime {

namespace {

void answer(const Arguments& info) { info.GetReturnValue().Set(42); }
void answer_quickly(v8::Local<v8::Object>) {}
void add_limit(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  set(isolate, target, "limit", 7.0);
}

const FastFunction kFast = make_fast(answer_quickly);
constexpr Method kPlain[] = {{"answer", answer}, {"print", testing::print}};
const Method kQuick[] = {{"answer", answer, &kFast}};
constexpr intptr_t kMore[] = {4321};
const Binding kFirst{"first", kPlain, add_limit, {}};
const Binding kSecond{"second", kQuick, nullptr, kMore};
const Binding* const kBoth[] = {&kFirst, &kSecond};

class BindingTest : public testing::EngineTest {
 protected:
  // The result of `code`, in which `all` is the object of both bindings.
  std::string result_of(std::string_view code) {
    context()
        ->Global()
        ->Set(context(), string("all"), make_bindings(isolate(), context(), kBoth))
        .Check();
    const v8::TryCatch caught(isolate());
    v8::Local<v8::Value> value;
    if (!evaluate(code).ToLocal(&value)) return to_std(isolate(), caught.Exception());
    return to_std(isolate(), value);
  }
};

TEST_F(BindingTest, FunctionsAndConstantsHaveTheirNames) {
  EXPECT_EQ(result_of("Object.keys(all).join()"), "first,second");
  EXPECT_EQ(result_of("Object.keys(all.first).join()"), "answer,print,limit");
  EXPECT_EQ(result_of("all.first.answer() + all.second.answer() + all.first.limit"), "91");
  EXPECT_EQ(result_of("all.first.answer.name"), "answer");
}

TEST_F(BindingTest, NamesOfBindingsAreUnique) {
  EXPECT_EQ(result_of("'toString' in all"), "false");
  EXPECT_EQ(result_of("all.toString"), "undefined");
}

TEST_F(BindingTest, AFunctionOfABindingMakesNoObjects) {
  EXPECT_EQ(result_of("new all.first.answer()"),
            "TypeError: all.first.answer is not a constructor");
}

TEST_F(BindingTest, EverythingThatASnapshotMayReferToIsInTheTable) {
  const std::vector<intptr_t> table = external_references(kBoth);
  const auto has = [&](intptr_t address) {
    return std::find(table.begin(), table.end(), address) != table.end();
  };
  EXPECT_TRUE(has(reinterpret_cast<intptr_t>(&answer)));
  EXPECT_TRUE(has(reinterpret_cast<intptr_t>(&testing::print)));
  EXPECT_TRUE(has(reinterpret_cast<intptr_t>(kFast.address)));
  EXPECT_TRUE(has(reinterpret_cast<intptr_t>(kFast.signature)));
  EXPECT_TRUE(has(4321));
}

TEST_F(BindingTest, TheTableEndsWithItsOnlyZero) {
  const std::vector<intptr_t> table = external_references(kBoth);
  EXPECT_EQ(std::find(table.begin(), table.end(), 0), table.end() - 1);
  EXPECT_EQ(external_references({}), (std::vector<intptr_t>{Builtins::reference(), 0}));
}

}  // namespace

}  // namespace rondo::runtime
