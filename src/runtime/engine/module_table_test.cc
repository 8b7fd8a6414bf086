#include "runtime/engine/module_table.h"

#include <gtest/gtest.h>

#include <memory>

#include "runtime/engine/testing.h"

namespace rondo::runtime {

namespace {

class Modules : public testing::EngineTest {
 protected:
  ModuleTable& table() { return realm().state<ModuleTable>(); }
  uint32_t compile(std::string_view source) {
    const std::optional<uint32_t> id = table().compile(string("file:///m.mjs"), string(source));
    EXPECT_TRUE(id.has_value()) << source;
    return id.value_or(0);
  }
  // The value of the module's export `name`, once it has run.
  std::string exported(uint32_t id, std::string_view name) {
    const v8::Local<v8::Module> module = table().module(id);
    EXPECT_TRUE(table().instantiate(id).FromMaybe(false));
    EXPECT_FALSE(module->Evaluate(context()).IsEmpty());
    isolate()->PerformMicrotaskCheckpoint();
    const v8::Local<v8::Object> space = module->GetModuleNamespace().As<v8::Object>();
    return to_std(isolate(), space->Get(context(), string(name)).ToLocalChecked());
  }
};

TEST_F(Modules, HaveNumbersInTheOrderOfTheirMaking) {
  EXPECT_FALSE(table().has(0));
  EXPECT_EQ(compile("1"), 0U);
  EXPECT_EQ(compile("2"), 1U);
  EXPECT_TRUE(table().has(1));
  EXPECT_FALSE(table().has(2));
}

TEST_F(Modules, AnInvalidModuleThrowsAndHasNoNumber) {
  const v8::TryCatch caught(isolate());
  EXPECT_FALSE(table().compile(string("x"), string("import from;")).has_value());
  EXPECT_TRUE(caught.HasCaught());
  EXPECT_FALSE(table().has(0));
}

TEST_F(Modules, AreLinkedByTheFunctionOfLib) {
  const uint32_t leaf = compile("export const word = 'leaf';");
  const uint32_t other = compile("export const word = 'other';");
  const uint32_t root = compile(
      "import { word as a } from 'x'; import { word as b } from 'y'; export const both = a + b;");
  table().link(leaf, {});
  table().link(other, {});
  table().link(root, {other, leaf});
  EXPECT_EQ(exported(root, "both"), "otherleaf");
}

TEST_F(Modules, AreCompiledFromACodeCacheThatV8Accepts) {
  const std::string_view text = "export const word = 'cached';";
  const uint32_t first = compile(text);
  std::unique_ptr<v8::ScriptCompiler::CachedData> made(
      v8::ScriptCompiler::CreateCodeCache(table().module(first)->GetUnboundModuleScript()));
  ASSERT_TRUE(made);
  bool is_rejected = true;
  const std::optional<uint32_t> again =
      table().compile(string("file:///m.mjs"), string(text), made.release(), &is_rejected);
  ASSERT_TRUE(again.has_value());
  EXPECT_FALSE(is_rejected);
  table().link(*again, {});
  EXPECT_EQ(exported(*again, "word"), "cached");
}

TEST_F(Modules, AreCompiledAllTheSameIfTheCodeCacheIsOfNoUse) {
  constexpr int kSize = 64;
  bool is_rejected = false;
  const std::optional<uint32_t> id =
      table().compile(string("file:///m.mjs"), string("export const word = 'plain';"),
                      new v8::ScriptCompiler::CachedData(
                          new uint8_t[kSize](), kSize, v8::ScriptCompiler::CachedData::BufferOwned),
                      &is_rejected);
  ASSERT_TRUE(id.has_value());
  EXPECT_TRUE(is_rejected);
  table().link(*id, {});
  EXPECT_EQ(exported(*id, "word"), "plain");
}

TEST_F(Modules, MayFormACycle) {
  const uint32_t one = compile("import { b } from 'two'; export const a = () => 1 + b();");
  const uint32_t two = compile("import { a } from 'one'; export const b = () => typeof a;");
  table().link(one, {two});
  table().link(two, {one});
  EXPECT_EQ(exported(one, "a").substr(0, 2), "()");
}

TEST_F(Modules, CannotBeInstantiatedBeforeTheyAreLinked) {
  const uint32_t id = compile("import 'x';");
  const v8::TryCatch caught(isolate());
  EXPECT_TRUE(table().instantiate(id).IsNothing());
  ASSERT_TRUE(caught.HasCaught());
  EXPECT_NE(to_std(isolate(), caught.Exception()).find("before it was linked"), std::string::npos);
}

TEST_F(Modules, WithoutASourceRunAFunctionInTheirPlace) {
  const v8::Local<v8::Function> evaluate_it =
      evaluate("globalThis.runs = 0; (() => { ++runs; })").ToLocalChecked().As<v8::Function>();
  const uint32_t id = table().create(string("node:x"), {string("default")}, evaluate_it);
  const uint32_t root = compile("import x from 'x'; export const kind = typeof x;");
  table().link(root, {id});
  EXPECT_EQ(exported(root, "kind"), "undefined");
  EXPECT_EQ(to_std(isolate(), evaluate("runs").ToLocalChecked()), "1");
}

TEST_F(Modules, GiveTheirSourceObjectToTheSourcePhase) {
  const uint32_t leaf = compile("export default 'evaluated';");
  const uint32_t root = compile(
      "import source object from 'x'; import word from 'x'; export const both = object.w + word;");
  table().set_source(leaf, evaluate("({ w: 'source ' })").ToLocalChecked().As<v8::Object>());
  table().link(leaf, {});
  table().link(root, {leaf, leaf});
  EXPECT_EQ(exported(root, "both"), "source evaluated");
}

TEST_F(Modules, WithoutASourceObjectCannotBeImportedInTheSourcePhase) {
  const uint32_t leaf = compile("1");
  const uint32_t root = compile("import source object from 'x';");
  table().link(leaf, {});
  table().link(root, {leaf});
  const v8::TryCatch caught(isolate());
  EXPECT_TRUE(table().instantiate(root).IsNothing());
  EXPECT_TRUE(caught.HasCaught());
}

}  // namespace

}  // namespace rondo::runtime
