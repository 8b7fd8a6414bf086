// The start-up snapshot: all of lib compiled, and the part that every program needs already run.
// Made once at build time by rondo_mksnapshot, from the same bindings that the program has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "runtime/binding.h"

namespace rondo::runtime {

struct SourceFile {
  std::string id;    // "internal/errors"
  std::string text;  // UTF-8
};

// Which functions the snapshot hands over by number.
enum class SnapshotData : size_t { start };

// The blob, or why lib does not run. `message` is what to print.
struct SnapshotResult {
  std::string blob;
  std::string message;
};
SnapshotResult make_snapshot(const std::vector<SourceFile>& files, Bindings bindings);

// Why an Engine cannot start from the blob: it is damaged, or another V8 or a program with other
// bindings made it. V8 would abort. Empty if it fits.
std::string snapshot_problem(std::string_view blob, Bindings bindings);

}  // namespace rondo::runtime
