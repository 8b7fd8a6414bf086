#include "runtime/engine/sources.h"

#include <algorithm>
#include <cstring>

namespace rondo::runtime {

namespace {

constexpr uint32_t kMagic = 0x336f6472;  // "rdo3"
constexpr size_t kAlignment = 64;

struct Header {
  uint32_t magic;
  uint32_t files;
  uint64_t blob_offset;
  uint64_t references;
  char engine[48];  // Ends with NUL.
};

// Describes one file. The header is followed by all records, then the id, text and cache of each
// file.
struct Record {
  uint32_t id_size;
  uint32_t is_latin1;
  uint64_t text_size;
  uint64_t cache_size;
};

// Aligns an offset, because caches and the blob are read as integers.
size_t aligned(size_t offset) { return (offset + kAlignment - 1) / kAlignment * kAlignment; }

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
    // Two-byte sequences that begin with C2 or C3 encode U+0080 to U+00FF.
    if ((byte != 0xc2 && byte != 0xc3) || i + 1 == utf8.size()) return std::nullopt;
    const auto next = static_cast<unsigned char>(utf8[++i]);
    if ((next & 0xc0) != 0x80) return std::nullopt;
    result += static_cast<char>((byte & 0x03) << 6 | (next & 0x3f));
  }
  return result;
}

std::string pack(const Origin& origin, const std::vector<PackedFile>& files,
                 std::string_view blob) {
  std::string packed(sizeof(Header), '\0');
  for (const PackedFile& file : files) {
    const Record record{static_cast<uint32_t>(file.id.size()), file.is_latin1 ? 1U : 0U,
                        file.text.size(), file.cache.size()};
    append(packed, &record, sizeof record);
  }
  for (const PackedFile& file : files) {
    packed += file.id;
    packed += file.text;
    packed.resize(aligned(packed.size()));
    packed += file.cache;
  }
  packed.resize(aligned(packed.size()));
  Header header{kMagic, static_cast<uint32_t>(files.size()), packed.size(), origin.references, {}};
  origin.engine.copy(header.engine, sizeof header.engine - 1);
  std::memcpy(packed.data(), &header, sizeof header);
  packed += blob;
  return packed;
}

SourceTexts make_texts(const std::vector<PackedFile>& files) {
  SourceTexts texts;
  texts.reserve(files.size());
  for (const PackedFile& file : files) {
    // V8 always allocates empty strings on its heap.
    const bool is_outside = file.is_latin1 && !file.text.empty();
    texts.push_back(is_outside ? std::make_unique<SourceText>(file.text) : nullptr);
  }
  return texts;
}

std::optional<size_t> Package::find(std::string_view id) const {
  const auto found = std::lower_bound(
      files.begin(), files.end(), id,
      [](const PackedFile& file, std::string_view wanted) { return file.id < wanted; });
  if (found == files.end() || found->id != id) return std::nullopt;
  return static_cast<size_t>(found - files.begin());
}

std::optional<Package> unpack(std::string_view packed) {
  Header header{};
  if (packed.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, packed.data(), sizeof header);
  if (header.magic != kMagic || header.blob_offset > packed.size()) return std::nullopt;
  size_t position = sizeof header + size_t{header.files} * sizeof(Record);
  if (position > header.blob_offset) return std::nullopt;
  // Takes the next `size` bytes; empty if there are not enough before the blob.
  const auto take = [&](uint64_t size) -> std::optional<std::string_view> {
    if (position > header.blob_offset || size > header.blob_offset - position) return std::nullopt;
    const std::string_view bytes = packed.substr(position, size);
    position += size;
    return bytes;
  };
  if (header.engine[sizeof header.engine - 1] != '\0') return std::nullopt;
  Package package;
  package.origin = {header.engine, header.references};
  package.files.reserve(header.files);
  for (uint32_t i = 0; i < header.files; ++i) {
    Record record{};
    std::memcpy(&record, packed.data() + sizeof header + i * sizeof record, sizeof record);
    const auto id = take(record.id_size);
    const auto text = id ? take(record.text_size) : std::nullopt;
    if (!text) return std::nullopt;
    position = aligned(position);
    const auto cache = take(record.cache_size);
    if (!cache) return std::nullopt;
    package.files.push_back({*id, *text, record.is_latin1 != 0, *cache});
  }
  package.texts = make_texts(package.files);
  package.blob = packed.substr(header.blob_offset);
  return package;
}

}  // namespace rondo::runtime
