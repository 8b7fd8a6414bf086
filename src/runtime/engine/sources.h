// The files of lib that are embedded in the program, outside V8's heap: the snapshot refers to
// texts by number, so that a start neither copies nor checks them, and unused pages are never
// loaded. A file that the snapshot has not run is compiled on first use, with V8's code cache.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/values/v8.h"

namespace rondo::runtime {

// A Latin-1 text, one byte per character, in memory that outlives the isolate.
class SourceText final : public v8::String::ExternalOneByteStringResource {
 public:
  explicit SourceText(std::string_view text) : text_(text) {}
  const char* data() const override { return text_.data(); }
  size_t length() const override { return text_.size(); }

 protected:
  void Dispose() override {}  // Owned by its creator.

 private:
  std::string_view text_;
};
using SourceTexts = std::vector<std::unique_ptr<SourceText>>;

// Empty if a character needs more than one byte, or if the text is not UTF-8.
std::optional<std::string> to_latin1(std::string_view utf8);

struct PackedFile {
  std::string_view id;    // "internal/errors"
  std::string_view text;  // Latin-1 if is_latin1, otherwise UTF-8.
  bool is_latin1 = true;
  std::string_view cache;  // V8's code cache; empty if the snapshot has the file.
};

// Identifies the engine and bindings that a snapshot was made with. It works only with the same
// ones.
struct Origin {
  std::string engine;       // V8's version, of which at most 47 characters are stored.
  uint64_t references = 0;  // Number of functions and texts that the blob may refer to.

  bool operator==(const Origin&) const = default;
};

// The data embedded in the executable: the origin, the files sorted by id, then V8's snapshot.
struct Package {
  Origin origin;
  std::vector<PackedFile> files;  // Views of the packed bytes.
  SourceTexts texts;              // One per file; null if it is empty or not Latin-1.
  std::string_view blob;

  // The number of the file; empty if there is none with this id.
  std::optional<size_t> find(std::string_view id) const;
};
std::string pack(const Origin& origin, const std::vector<PackedFile>& files, std::string_view blob);
// Empty if `packed` is not a result of pack(). The bytes must outlive the package.
std::optional<Package> unpack(std::string_view packed);
SourceTexts make_texts(const std::vector<PackedFile>& files);

}  // namespace rondo::runtime
