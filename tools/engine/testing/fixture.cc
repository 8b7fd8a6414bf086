#include "testing/fixture.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace engine_tool {

Bytes read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  Bytes bytes(text.size());
  if (!bytes.empty()) std::memcpy(bytes.data(), text.data(), bytes.size());
  return bytes;
}

Bytes host() {
  static const Bytes kBytes = read_file(FIXTURE_HOST);
  return kBytes;
}

Changes ordinary() {
  Changes changes;
  changes.needed = {"libengine_fixture_code.so"};
  changes.runpath = "$ORIGIN";
  changes.exports = {"wanted_function"};
  return changes;
}

std::string refusal(const Bytes& bytes, const Changes& changes) {
  Bytes copy = bytes;
  copy.shrink_to_fit();
  const Outcome<Report> outcome = adopt(copy, changes);
  const auto* const error = std::get_if<Error>(&outcome);
  if (error == nullptr) return "";
  EXPECT_EQ(copy, bytes) << "refused, but changed: " << error->what;
  return error->what;
}

Bytes adopted(const Bytes& bytes, const Changes& changes) {
  Bytes copy = bytes;
  const Outcome<Report> outcome = adopt(copy, changes);
  const auto* const error = std::get_if<Error>(&outcome);
  EXPECT_EQ(error, nullptr) << error->what;
  return copy;
}

namespace {

template <class T>
T load(const Bytes& bytes, std::size_t offset) {
  T value{};
  if (offset + sizeof value <= bytes.size()) {
    std::memcpy(&value, bytes.data() + offset, sizeof value);
  } else {
    ADD_FAILURE() << "offset " << offset << " is outside the file";
  }
  return value;
}

}  // namespace

Loaded::Loaded(const Bytes& program) : bytes(program), header(load<Elf64_Ehdr>(program, 0)) {
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    segments.push_back(load<Elf64_Phdr>(bytes, header.e_phoff + i * sizeof(Elf64_Phdr)));
    if (segments.back().p_type != PT_DYNAMIC) continue;
    dynamic_offset = segments.back().p_offset;
    dynamic_room = segments.back().p_filesz / sizeof(Elf64_Dyn);
  }
  for (std::size_t i = 0; i < dynamic_room; ++i) {
    const auto entry = load<Elf64_Dyn>(bytes, dynamic_offset + i * sizeof(Elf64_Dyn));
    if (entry.d_tag == DT_NULL) break;
    dynamics.push_back(entry);
  }
  // GNU ld puts the strings right after the symbols.
  const std::size_t first = offset_of(tag(DT_SYMTAB));
  const std::size_t count = (offset_of(tag(DT_STRTAB)) - first) / sizeof(Elf64_Sym);
  for (std::size_t i = 0; i < count; ++i) {
    symbols.push_back(load<Elf64_Sym>(bytes, first + i * sizeof(Elf64_Sym)));
    const Elf64_Sym& symbol = symbols.back();
    if (symbol.st_shndx == SHN_UNDEF || ELF64_ST_BIND(symbol.st_info) == STB_LOCAL) continue;
    exported.emplace(name_at(symbol.st_name), symbol);
  }
}

std::uint64_t Loaded::tag(std::int64_t wanted) const {
  for (const Elf64_Dyn& entry : dynamics) {
    if (entry.d_tag == wanted) return entry.d_un.d_val;
  }
  return 0;
}

std::size_t Loaded::entry_of(std::int64_t wanted) const {
  for (std::size_t i = 0; i < dynamics.size(); ++i) {
    if (dynamics[i].d_tag == wanted) return dynamic_offset + i * sizeof(Elf64_Dyn);
  }
  ADD_FAILURE() << "there is no dynamic entry with tag " << wanted;
  return dynamic_offset;
}

std::size_t Loaded::offset_of(Elf64_Addr address) const {
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type != PT_LOAD || address < segment.p_vaddr) continue;
    if (address - segment.p_vaddr < segment.p_filesz) {
      return segment.p_offset + (address - segment.p_vaddr);
    }
  }
  ADD_FAILURE() << "no segment holds the address " << address;
  return 0;
}

std::string Loaded::name_at(std::uint64_t offset) const {
  return reinterpret_cast<const char*>(bytes.data() + offset_of(tag(DT_STRTAB)) + offset);
}

std::vector<std::string> Loaded::strings(std::int64_t tag) const {
  std::vector<std::string> found;
  for (const Elf64_Dyn& entry : dynamics) {
    if (entry.d_tag == tag) found.push_back(name_at(entry.d_un.d_val));
  }
  return found;
}

}  // namespace engine_tool
