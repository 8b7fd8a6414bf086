// ElfImage: an x86-64 executable held in memory, as the dynamic linker sees it.
//
// Every access is bounds-checked, so a truncated or hostile file gives an Error with a message for
// the user, never an access outside the buffer. The image is a view: it does not own the bytes, and
// stores go directly into them.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace engine_tool {

// Describes the problem with the input. `what` completes the message "make_engine: FILE: ...".
struct Error {
  std::string what;
};

template <class T>
using Outcome = std::variant<T, Error>;

// A run of bytes in the file. The empty range is at offset zero.
struct FileRange {
  std::size_t offset = 0;
  std::size_t size = 0;

  std::size_t end() const { return offset + size; }
  bool overlaps(const FileRange& other) const {
    return size != 0 && other.size != 0 && offset < other.end() && other.offset < end();
  }
};

class ElfImage {
 public:
  // Accepts a 64-bit little-endian x86-64 executable with a fixed address (ET_EXEC) whose program
  // headers, section headers and dynamic section lie inside `bytes`.
  static Outcome<ElfImage> parse(std::span<std::byte> bytes);

  // The file bytes for [address, address + size), if one segment contains all of them.
  std::optional<FileRange> find(Elf64_Addr address, std::uint64_t size) const;

  // From `address` to the end of the file bytes of its segment, for a table of unstated length.
  std::optional<FileRange> find_rest(Elf64_Addr address) const;

  // The same by offset in the file, if it is inside.
  std::optional<FileRange> find_in_file(std::uint64_t offset, std::uint64_t size) const {
    if (!is_inside(offset, size)) return std::nullopt;
    return FileRange{offset, size};
  }

  // The value of a dynamic tag; the last one counts if a tag is repeated, as in ld.so.
  std::optional<std::uint64_t> dynamic(std::int64_t tag) const;
  // All entries before the first DT_NULL.
  std::vector<Elf64_Dyn> dynamics() const;
  // True if this many entries and the final DT_NULL fit.
  bool has_room_for_dynamics(std::size_t count) const;
  // Replaces them; there must be room.
  void set_dynamics(std::span<const Elf64_Dyn> entries);

  // The table of section headers; empty if there is none.
  const FileRange& sections() const { return sections_; }

  // True if `range` touches a header, a header table or the dynamic section.
  bool is_structure(const FileRange& range) const;

  // `offset` must come from find(); an offset outside the file is a bug, and aborts.
  template <class T>
  T load(std::size_t offset) const {
    static_assert(std::is_trivially_copyable_v<T>);
    check(offset, sizeof(T));
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof(T));
    return value;
  }

  template <class T>
  void store(std::size_t offset, const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    check(offset, sizeof(T));
    if (std::memcmp(bytes_.data() + offset, &value, sizeof(T)) == 0) return;
    std::memcpy(bytes_.data() + offset, &value, sizeof(T));
    changed_ = true;
  }

  // A string that ends with NUL; the caller ensures that there is one before the end of the file.
  const char* text(std::size_t offset) const {
    check(offset, 1);
    return reinterpret_cast<const char*>(bytes_.data() + offset);
  }

  bool is_changed() const { return changed_; }  // True once a store has altered a byte.

 private:
  explicit ElfImage(std::span<std::byte> bytes) : bytes_(bytes) {}

  std::optional<Error> read_segments(const Elf64_Ehdr& header);
  std::optional<Error> read_sections(const Elf64_Ehdr& header);
  std::optional<Error> read_dynamics(const Elf64_Phdr& segment);
  bool is_inside(std::uint64_t offset, std::uint64_t size) const;
  void check(std::size_t offset, std::size_t size) const;

  std::span<std::byte> bytes_;
  std::vector<Elf64_Phdr> loads_;
  FileRange segments_;
  FileRange sections_;
  FileRange dynamics_;
  std::size_t dynamic_count_ = 0;  // Entries before the first DT_NULL.
  bool changed_ = false;
};

}  // namespace engine_tool
