// The texts of lib, kept outside V8's heap: the snapshot refers to them by number, so that starting
// neither copies nor checks them, and the pages that nobody reads are never loaded.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/v8.h"

namespace rondo::runtime {

// A text in memory that outlives the isolate. One byte per character: Latin-1.
class SourceText final : public v8::String::ExternalOneByteStringResource {
 public:
  explicit SourceText(std::string_view text) : text_(text) {}
  const char* data() const override { return text_.data(); }
  size_t length() const override { return text_.size(); }

 protected:
  void Dispose() override {}  // Whoever made it owns it.

 private:
  std::string_view text_;
};
using SourceTexts = std::vector<std::unique_ptr<SourceText>>;

// Nothing if a character needs more than a byte, or the text is no UTF-8.
std::optional<std::string> to_latin1(std::string_view utf8);

// What the program holds: the texts, then V8's blob.
struct Package {
  SourceTexts texts;  // Views of the packed bytes.
  std::string_view blob;
};
std::string pack(const std::vector<std::string>& texts, std::string_view blob);
// Nothing if the bytes are not what pack() made. They must outlive the package.
std::optional<Package> unpack(std::string_view packed);

}  // namespace rondo::runtime
