#include "runtime/engine/snapshot.h"

#include <gtest/gtest.h>

#include "runtime/engine/sources.h"
#include "runtime/engine/testing.h"

namespace rondo::runtime {

namespace {

std::string problem(const std::vector<SourceFile>& files) {
  testing::platform();
  const SnapshotResult made = make_snapshot(files, testing::kBindings);
  EXPECT_TRUE(made.blob.empty());
  return made.message;
}

TEST(Snapshot, ReportsFileAndPlaceOfASyntaxError) {
  const std::string message = problem({{"internal/bootstrap/realm", "return () => {};"},
                                       {"internal/broken", "'use strict';\nlet let = ;"}});
  EXPECT_NE(message.find("internal/broken"), std::string::npos) << message;
  EXPECT_NE(message.find("node:internal/broken:2"), std::string::npos) << message;
}

TEST(Snapshot, ReportsAnExceptionOfTheBootstrap) {
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
    require('internal/other')(made);
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

class SnapshotProblem : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::platform();
    made_ = make_snapshot({{"internal/bootstrap/realm", "return () => {};"}}, testing::kBindings);
    ASSERT_FALSE(made_.blob.empty()) << made_.message;
  }

  // Returns the same blob with another origin.
  std::string with_origin(const Origin& origin) const {
    const std::optional<Package> package = unpack(made_.blob);
    return pack(origin, package->files, package->blob);
  }
  static std::string problem_of(std::string_view blob, Bindings bindings) {
    return open_snapshot(blob, bindings).problem;
  }
  Origin origin() const { return unpack(made_.blob)->origin; }

  SnapshotResult made_;
};

TEST_F(SnapshotProblem, IsNoneForAFittingBlob) {
  EXPECT_EQ(problem_of(made_.blob, testing::kBindings), "");
  EXPECT_EQ(problem_of(with_origin(origin()), testing::kBindings), "");
}

TEST_F(SnapshotProblem, NamesBothVersionsOfV8) {
  const std::string version = v8::V8::GetVersion();
  EXPECT_EQ(problem_of(with_origin({"13.0.1", origin().references}), testing::kBindings),
            "the start-up snapshot is for V8 13.0.1, but this is V8 " + version);
}

// V8 writes its version into the blob, too.
TEST_F(SnapshotProblem, ChecksV8sVersionAsWell) {
  std::string blob = made_.blob;
  const size_t at = blob.rfind(v8::V8::GetVersion());
  ASSERT_GT(at, blob.find(v8::V8::GetVersion()));
  blob[at] = '9';
  EXPECT_EQ(problem_of(blob, testing::kBindings),
            "the start-up snapshot is for another build of V8");
}

TEST_F(SnapshotProblem, CountsTheBindings) {
  const std::string other = "the start-up snapshot is for another version of rondo";
  EXPECT_EQ(problem_of(made_.blob, {}), other);
  EXPECT_EQ(problem_of(with_origin({origin().engine, 1}), testing::kBindings), other);
}

TEST_F(SnapshotProblem, IsSaidOfDamagedBlobs) {
  const std::string damaged = "the start-up snapshot is damaged";
  EXPECT_EQ(problem_of("", testing::kBindings), damaged);
  EXPECT_EQ(problem_of("no snapshot at all", testing::kBindings), damaged);
  EXPECT_EQ(problem_of(pack(origin(), {}, "short"), testing::kBindings), damaged);
}

TEST(Binding, ReferencesHoldEveryFunctionAndEndWithZero) {
  const std::vector<intptr_t> references = external_references(testing::kBindings);
  EXPECT_EQ(references.size(), std::size(testing::kMethods) + 2);
  EXPECT_EQ(references.back(), 0);
}

}  // namespace

}  // namespace rondo::runtime
