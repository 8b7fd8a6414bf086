#include "runtime/snapshot.h"

#include <gtest/gtest.h>

#include "runtime/testing.h"

namespace rondo::runtime {

namespace {

std::string problem(const std::vector<SourceFile>& files) {
  testing::platform();
  const SnapshotResult made = make_snapshot(files, testing::kBindings);
  EXPECT_TRUE(made.blob.empty());
  return made.message;
}

TEST(Snapshot, SaysWhichFileDoesNotCompileAndWhere) {
  const std::string message = problem({{"internal/bootstrap/realm", "return () => {};"},
                                       {"internal/broken", "'use strict';\nlet let = ;"}});
  EXPECT_NE(message.find("internal/broken"), std::string::npos) << message;
  EXPECT_NE(message.find("node:internal/broken:2"), std::string::npos) << message;
}

TEST(Snapshot, SaysWhatTheBootstrapThrew) {
  const std::string message =
      problem({{"internal/bootstrap/realm", "\n\nthrow new Error('no such thing');"}});
  EXPECT_NE(message.find("no such thing"), std::string::npos) << message;
  EXPECT_NE(message.find("node:internal/bootstrap/realm:3"), std::string::npos) << message;
}

TEST(Snapshot, NeedsALoaderThatReturnsTheStartFunction) {
  EXPECT_NE(problem({{"events", ""}}).find("internal/bootstrap/realm"), std::string::npos);
  EXPECT_NE(problem({{"internal/bootstrap/realm", "return 5;"}}).find("start function"),
            std::string::npos);
}

TEST(Snapshot, FilesAreFunctionsOfTheLoaderAndStateSurvives) {
  testing::platform();
  testing::printed().clear();
  const std::string loader = R"(
    const made = { n: 41 };
    exports['internal/other'](made);
    const binding = internalBinding.test;
    return () => {
      binding.setHooks(Array.from({ length: 12 }, () => () => 0), new Uint32Array(16));
      binding.print(`${made.n} ${typeof made.later}`);
    };)";
  const SnapshotResult made =
      make_snapshot({{"internal/bootstrap/realm", loader},
                     {"internal/other", "exports.n++; exports.later = function later() {};"}},
                    testing::kBindings);
  ASSERT_FALSE(made.blob.empty()) << made.message;
  Loop loop;
  EngineOptions options;
  options.snapshot = made.blob;
  options.bindings = testing::kBindings;
  options.realm.watchdog.warns = false;
  Engine engine(testing::platform(), loop, std::move(options));
  EXPECT_EQ(engine.run("x"), 0);
  EXPECT_EQ(testing::printed(), std::vector<std::string>{"42 function"});
}

TEST(Binding, ReferencesHoldEveryFunctionAndEndWithZero) {
  const std::vector<intptr_t> references = external_references(testing::kBindings);
  EXPECT_EQ(references.size(), std::size(testing::kMethods) + 1);
  EXPECT_EQ(references.back(), 0);
}

}  // namespace

}  // namespace rondo::runtime
