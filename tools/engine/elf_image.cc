#include "elf_image.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <utility>

namespace engine_tool {

static_assert(std::endian::native == std::endian::little, "the structures are used as they lie");

namespace {

// Programs have about a dozen program headers. The limit keeps address look-ups cheap on hostile
// input, where there is one per symbol.
constexpr unsigned kMaxSegments = 256;

std::optional<Error> check_identity(const Elf64_Ehdr& header) {
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return Error{"not an ELF file"};
  if (header.e_ident[EI_CLASS] != ELFCLASS64) return Error{"not a 64-bit ELF file"};
  if (header.e_ident[EI_DATA] != ELFDATA2LSB) return Error{"not a little-endian ELF file"};
  if (header.e_ident[EI_VERSION] != EV_CURRENT) return Error{"ELF of an unknown version"};
  if (header.e_machine != EM_X86_64) {
    return Error{"built for machine " + std::to_string(header.e_machine) + ", not for x86-64"};
  }
  if (header.e_type != ET_EXEC) return Error{"not an executable with a fixed address"};
  return std::nullopt;
}

}  // namespace

Outcome<ElfImage> ElfImage::parse(std::span<std::byte> bytes) {
  ElfImage image(bytes);
  if (!image.is_inside(0, sizeof(Elf64_Ehdr))) return Error{"too short for an ELF file"};
  const auto header = image.load<Elf64_Ehdr>(0);
  if (auto error = check_identity(header)) return *error;
  if (auto error = image.read_segments(header)) return *error;
  if (auto error = image.read_sections(header)) return *error;
  const FileRange first = {0, sizeof(Elf64_Ehdr)};
  if (first.overlaps(image.segments_) || first.overlaps(image.sections_) ||
      first.overlaps(image.dynamics_) || image.segments_.overlaps(image.sections_) ||
      image.segments_.overlaps(image.dynamics_) || image.sections_.overlaps(image.dynamics_)) {
    return Error{"its headers overlap"};
  }
  return image;
}

std::optional<Error> ElfImage::read_segments(const Elf64_Ehdr& header) {
  if (header.e_phentsize != sizeof(Elf64_Phdr)) return Error{"program headers of an unknown size"};
  if (header.e_phnum == 0) return Error{"no program headers"};
  if (header.e_phnum > kMaxSegments) {
    return Error{"too many program headers (" + std::to_string(header.e_phnum) + ")"};
  }
  const std::size_t size = header.e_phnum * sizeof(Elf64_Phdr);
  if (!is_inside(header.e_phoff, size)) {
    return Error{"truncated: the program headers end past the end of the file"};
  }
  segments_ = {header.e_phoff, size};

  std::optional<Elf64_Phdr> dynamic_segment;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const auto segment = load<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr));
    if (segment.p_type == PT_DYNAMIC) dynamic_segment = segment;
    if (segment.p_type != PT_LOAD) continue;
    if (!is_inside(segment.p_offset, segment.p_filesz)) {
      return Error{"truncated: segment " + std::to_string(i) + " ends past the end of the file"};
    }
    if (segment.p_filesz > segment.p_memsz || segment.p_vaddr + segment.p_memsz < segment.p_vaddr) {
      return Error{"segment " + std::to_string(i) + " has an impossible size"};
    }
    loads_.push_back(segment);
  }
  if (!dynamic_segment) return Error{"not dynamically linked: there is no dynamic section"};
  return read_dynamics(*dynamic_segment);
}

std::optional<Error> ElfImage::read_sections(const Elf64_Ehdr& header) {
  // ld.so never reads section headers, so a stripped program is fine. They are at the very end of a
  // file, which makes them the best check for a truncated download.
  if (header.e_shnum == 0) return std::nullopt;
  if (header.e_shentsize != sizeof(Elf64_Shdr)) return Error{"section headers of an unknown size"};
  const std::size_t size = header.e_shnum * sizeof(Elf64_Shdr);
  if (!is_inside(header.e_shoff, size)) {
    return Error{"truncated: the section headers end past the end of the file"};
  }
  sections_ = {header.e_shoff, size};
  return std::nullopt;
}

std::optional<Error> ElfImage::read_dynamics(const Elf64_Phdr& segment) {
  const auto range = find(segment.p_vaddr, segment.p_filesz);
  if (!range) return Error{"the dynamic section lies outside the loaded segments"};
  dynamics_ = {range->offset, range->size / sizeof(Elf64_Dyn) * sizeof(Elf64_Dyn)};
  for (std::size_t at = dynamics_.offset; at != dynamics_.end(); at += sizeof(Elf64_Dyn)) {
    if (load<Elf64_Dyn>(at).d_tag == DT_NULL) return std::nullopt;
    ++dynamic_count_;
  }
  return Error{"the dynamic section has no end"};
}

std::optional<FileRange> ElfImage::find(Elf64_Addr address, std::uint64_t size) const {
  for (const Elf64_Phdr& load : loads_) {
    if (address < load.p_vaddr) continue;
    const std::uint64_t into = address - load.p_vaddr;
    if (into > load.p_filesz || size > load.p_filesz - into) continue;
    return FileRange{load.p_offset + into, size};
  }
  return std::nullopt;
}

std::optional<FileRange> ElfImage::find_rest(Elf64_Addr address) const {
  for (const Elf64_Phdr& load : loads_) {
    if (address < load.p_vaddr || address - load.p_vaddr > load.p_filesz) continue;
    const std::uint64_t into = address - load.p_vaddr;
    return FileRange{load.p_offset + into, load.p_filesz - into};
  }
  return std::nullopt;
}

std::vector<Elf64_Dyn> ElfImage::dynamics() const {
  std::vector<Elf64_Dyn> entries;
  for (std::size_t i = 0; i < dynamic_count_; ++i) {
    entries.push_back(load<Elf64_Dyn>(dynamics_.offset + i * sizeof(Elf64_Dyn)));
  }
  return entries;
}

std::optional<std::uint64_t> ElfImage::dynamic(std::int64_t tag) const {
  std::optional<std::uint64_t> value;
  for (const Elf64_Dyn& entry : dynamics()) {
    if (entry.d_tag == tag) value = entry.d_un.d_val;
  }
  return value;
}

bool ElfImage::has_room_for_dynamics(std::size_t count) const {
  return count < dynamics_.size / sizeof(Elf64_Dyn);
}

void ElfImage::set_dynamics(std::span<const Elf64_Dyn> entries) {
  if (!has_room_for_dynamics(entries.size())) std::abort();
  const std::size_t room = dynamics_.size / sizeof(Elf64_Dyn);
  for (std::size_t i = 0; i < room; ++i) {
    const Elf64_Dyn entry = i < entries.size() ? entries[i] : Elf64_Dyn{DT_NULL, {0}};
    store(dynamics_.offset + i * sizeof(Elf64_Dyn), entry);
  }
  dynamic_count_ = entries.size();
}

bool ElfImage::is_structure(const FileRange& range) const {
  return range.overlaps({0, sizeof(Elf64_Ehdr)}) || range.overlaps(segments_) ||
         range.overlaps(sections_) || range.overlaps(dynamics_);
}

bool ElfImage::is_inside(std::uint64_t offset, std::uint64_t size) const {
  return offset <= bytes_.size() && size <= bytes_.size() - offset;
}

void ElfImage::check(std::size_t offset, std::size_t size) const {
  if (!is_inside(offset, size)) std::abort();
}

}  // namespace engine_tool
