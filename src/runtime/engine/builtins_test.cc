#include "runtime/engine/builtins.h"

#include <gtest/gtest.h>

#include "runtime/engine/snapshot.h"
#include "runtime/engine/testing.h"

namespace rondo::runtime {

namespace {

// A loader whose start function compiles files when the program runs, not while the snapshot is
// made.
constexpr const char* kLoader = R"(
  const compileFile = require;
  const binding = internalBinding.test;
  return () => {
    binding.setHooks(Array.from({ length: 13 }, () => () => 0), new Uint32Array(16));
    const made = {};
    compileFile('internal/later')(made);
    binding.print(`${made.word} ${typeof compileFile('internal/none')} ${typeof compileFile(7)}`);
  };)";

SnapshotResult make(const std::string& later) {
  testing::platform();
  return make_snapshot({{"internal/bootstrap/realm", kLoader}, {"internal/later", later}},
                       testing::kBindings);
}

std::vector<std::string> run(const std::string& blob) {
  testing::printed().clear();
  Loop loop;
  EngineOptions options;
  options.snapshot = blob;
  options.bindings = testing::kBindings;
  options.realm.watchdog.warns = false;
  Engine engine(testing::platform(), loop, std::move(options));
  EXPECT_EQ(engine.run("x"), 0);
  return testing::printed();
}

TEST(Builtins, FilesAreCompiledOnFirstUse) {
  const SnapshotResult made = make("exports.word = 'later';");
  ASSERT_FALSE(made.blob.empty()) << made.message;
  EXPECT_EQ(run(made.blob), std::vector<std::string>{"later undefined undefined"});
}

TEST(Builtins, TextsBeyondLatin1Work) {
  const SnapshotResult made = make("exports.word = 'sp\xc3\xa4ter \xe2\x80\xa6';");
  ASSERT_FALSE(made.blob.empty()) << made.message;
  EXPECT_EQ(run(made.blob),
            std::vector<std::string>{"sp\xc3\xa4ter \xe2\x80\xa6 undefined undefined"});
}

// V8 rejects the cache and compiles the source text.
TEST(Builtins, ADamagedCacheIsNotUsed) {
  const SnapshotResult made = make("exports.word = 'later';");
  const std::optional<Package> package = unpack(made.blob);
  ASSERT_TRUE(package);
  std::vector<PackedFile> files = package->files;
  std::string damaged(files.back().cache);
  ASSERT_GT(damaged.size(), 64u);
  for (size_t i = 0; i < damaged.size(); i += 7) damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
  files.back().cache = damaged;
  EXPECT_EQ(run(pack(package->origin, files, package->blob)),
            std::vector<std::string>{"later undefined undefined"});
}

}  // namespace

}  // namespace rondo::runtime
