// rondo_mksnapshot OUT DIR...: compiles the JavaScript below the folders, runs the part that every
// program needs, and writes the start-up snapshot. Part of the build, never installed.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "bindings/registry.h"
#include "runtime/engine/platform.h"
#include "runtime/engine/snapshot.h"

namespace {

namespace fs = std::filesystem;
using rondo::runtime::SourceFile;

bool collect(const fs::path& root, std::vector<SourceFile>& files) {
  std::error_code error;
  for (fs::recursive_directory_iterator it(root, error), end; it != end; it.increment(error)) {
    if (error) break;
    if (it->path().filename() == "node_modules") it.disable_recursion_pending();
    // Skips tests, NAME.test.js, which are beside the files that they test.
    if (it->path().extension() != ".js" || it->path().stem().extension() == ".test") continue;
    std::ifstream stream(it->path(), std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    if (!stream) {
      std::fprintf(stderr, "rondo_mksnapshot: cannot read %s\n", it->path().c_str());
      return false;
    }
    std::string id = fs::relative(it->path(), root, error).replace_extension().string();
    files.push_back({std::move(id), std::move(text)});
  }
  if (error) {
    std::fprintf(stderr, "rondo_mksnapshot: cannot list %s: %s\n", root.c_str(),
                 error.message().c_str());
    return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: rondo_mksnapshot OUT DIR...\n");
    return 2;
  }
  std::vector<SourceFile> files;
  for (int i = 2; i < argc; ++i) {
    if (!collect(argv[i], files)) return 1;
  }
  // The snapshot must not depend on the order of files, which varies between file systems.
  std::sort(files.begin(), files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.id < b.id; });
  // Makes the blob reproducible: hash seeds and addresses would differ otherwise.
  v8::V8::SetFlagsFromString("--random-seed=42");
  rondo::runtime::Platform platform(rondo::RealClock::instance());
  const rondo::runtime::SnapshotResult made =
      rondo::runtime::make_snapshot(files, rondo::bindings::all());
  if (made.blob.empty()) {
    std::fprintf(stderr, "rondo_mksnapshot: %s\n", made.message.c_str());
    return 1;
  }
  std::ofstream out(argv[1], std::ios::binary);
  out.write(made.blob.data(), static_cast<std::streamsize>(made.blob.size()));
  out.close();
  if (!out) {
    std::fprintf(stderr, "rondo_mksnapshot: cannot write %s\n", argv[1]);
    return 1;
  }
  return 0;
}
