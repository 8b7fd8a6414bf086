// The start-up snapshot: all of lib compiled, and the part that every program needs already run.
// Made once at build time by rondo_mksnapshot, from the same bindings that the program has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "runtime/engine/sources.h"
#include "runtime/values/binding.h"

namespace rondo::runtime {

struct SourceFile {
  std::string id;    // "internal/errors"
  std::string text;  // UTF-8
};

// Functions that the snapshot exports by number.
enum class SnapshotData : size_t { start };

// The blob, or an error message if lib does not run.
struct SnapshotResult {
  std::string blob;
  std::string message;
};
SnapshotResult make_snapshot(const std::vector<SourceFile>& files, Bindings bindings);

// A snapshot for an Engine. V8 would abort if it were damaged, or made by another V8 or a program
// with other bindings: `problem` then describes that, and is empty otherwise.
struct OpenSnapshot {
  Package package;
  std::vector<intptr_t> references;
  std::string problem;
};
// The blob must outlive the result.
OpenSnapshot open_snapshot(std::string_view blob, Bindings bindings);

}  // namespace rondo::runtime
