// The start-up snapshot contains all of lib compiled, and the part that every program needs already
// run. rondo_mksnapshot creates it at build time, from the same bindings that the program has.
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

// The blob, or an error message if lib fails to run.
struct SnapshotResult {
  std::string blob;
  std::string message;
};
SnapshotResult make_snapshot(const std::vector<SourceFile>& files, Bindings bindings);

// A snapshot for an Engine. `problem` is empty, or says why the snapshot is unusable: it is
// damaged, or was made by another V8 or by a program with other bindings. V8 would abort on it.
struct OpenSnapshot {
  Package package;
  std::vector<intptr_t> references;
  std::string problem;
};
// The blob must outlive the result.
OpenSnapshot open_snapshot(std::string_view blob, Bindings bindings);

}  // namespace rondo::runtime
