#include "runtime/sources.h"

#include <cstring>

namespace rondo::runtime {

namespace {

constexpr uint32_t kMagic = 0x6f646e72;  // "rndo"
// V8 reads its blob as numbers.
constexpr size_t kAlignment = 64;

struct Header {
  uint32_t magic;
  uint32_t texts;
  uint64_t blob_offset;
};

void append(std::string& to, const void* data, size_t size) {
  to.append(static_cast<const char*>(data), size);
}

}  // namespace

std::optional<std::string> to_latin1(std::string_view utf8) {
  std::string result;
  result.reserve(utf8.size());
  for (size_t i = 0; i < utf8.size(); ++i) {
    const auto byte = static_cast<unsigned char>(utf8[i]);
    if (byte < 0x80) {
      result += utf8[i];
      continue;
    }
    // Two bytes that begin with C2 or C3 are what lies between 80 and FF.
    if ((byte != 0xc2 && byte != 0xc3) || i + 1 == utf8.size()) return std::nullopt;
    const auto next = static_cast<unsigned char>(utf8[++i]);
    if ((next & 0xc0) != 0x80) return std::nullopt;
    result += static_cast<char>((byte & 0x03) << 6 | (next & 0x3f));
  }
  return result;
}

std::string pack(const std::vector<std::string>& texts, std::string_view blob) {
  size_t offset = sizeof(Header) + texts.size() * sizeof(uint64_t);
  for (const std::string& text : texts) offset += text.size();
  offset = (offset + kAlignment - 1) / kAlignment * kAlignment;
  std::string packed;
  packed.reserve(offset + blob.size());
  const Header header{kMagic, static_cast<uint32_t>(texts.size()), offset};
  append(packed, &header, sizeof header);
  for (const std::string& text : texts) {
    const uint64_t size = text.size();
    append(packed, &size, sizeof size);
  }
  for (const std::string& text : texts) packed += text;
  packed.resize(offset);
  packed += blob;
  return packed;
}

std::optional<Package> unpack(std::string_view packed) {
  Header header{};
  if (packed.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, packed.data(), sizeof header);
  if (header.magic != kMagic || header.blob_offset > packed.size()) return std::nullopt;
  const size_t sizes_end = sizeof header + size_t{header.texts} * sizeof(uint64_t);
  if (sizes_end > header.blob_offset) return std::nullopt;
  Package package;
  package.texts.reserve(header.texts);
  size_t position = sizes_end;
  for (uint32_t i = 0; i < header.texts; ++i) {
    uint64_t size = 0;
    std::memcpy(&size, packed.data() + sizeof header + i * sizeof size, sizeof size);
    if (size > header.blob_offset - position) return std::nullopt;
    package.texts.push_back(std::make_unique<SourceText>(packed.substr(position, size)));
    position += size;
  }
  package.blob = packed.substr(header.blob_offset);
  return package;
}

}  // namespace rondo::runtime
