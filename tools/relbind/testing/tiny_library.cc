#include "testing/tiny_library.h"

#include <cstdlib>
#include <cstring>

namespace relbind {

namespace {

template <class T>
void put(std::vector<std::byte>& file, std::size_t offset, const T& value) {
  if (file.size() < offset + sizeof(T)) file.resize(offset + sizeof(T));
  std::memcpy(file.data() + offset, &value, sizeof(T));
}

template <class T>
void put_all(std::vector<std::byte>& file, std::size_t offset, const std::vector<T>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) put(file, offset + i * sizeof(T), values[i]);
}

template <class T>
std::size_t append(std::vector<std::byte>& file, const std::vector<T>& values) {
  const std::size_t offset = file.size();
  put_all(file, offset, values);
  return offset;
}

template <class T>
std::vector<T> take(std::span<const std::byte> file, std::uint64_t offset, std::uint64_t count) {
  std::vector<T> values(count);
  if (offset + count * sizeof(T) > file.size()) std::abort();
  if (count != 0) std::memcpy(values.data(), file.data() + offset, count * sizeof(T));
  return values;
}

constexpr unsigned kSegments = 4;

Elf64_Ehdr make_header() {
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_DYN;
  header.e_machine = EM_X86_64;
  header.e_version = EV_CURRENT;
  header.e_ehsize = sizeof(Elf64_Ehdr);
  header.e_phoff = sizeof(Elf64_Ehdr);
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = kSegments;
  header.e_shentsize = sizeof(Elf64_Shdr);
  return header;
}

Elf64_Shdr make_section(std::uint32_t type, std::size_t offset, std::size_t size) {
  Elf64_Shdr section = {};
  section.sh_type = type;
  section.sh_addr = TinyLibrary::kBase + offset;
  section.sh_offset = offset;
  section.sh_size = size;
  return section;
}

}  // namespace

std::uint32_t TinyLibrary::add_symbol(Elf64_Addr value, unsigned char info, std::uint16_t section,
                                      unsigned char visibility) {
  symbols_.push_back({0, info, visibility, section, value, 8});
  return static_cast<std::uint32_t>(symbols_.size() - 1);
}

void TinyLibrary::add_relocation(std::uint32_t type, std::uint32_t symbol, std::int64_t addend) {
  if (type == R_X86_64_JUMP_SLOT) return add_to_plt(type, symbol, addend);
  dyn_.push_back({slot(slots_++), ELF64_R_INFO(std::uint64_t{symbol}, type), addend});
}

void TinyLibrary::add_to_plt(std::uint32_t type, std::uint32_t symbol, std::int64_t addend) {
  plt_.push_back({slot(slots_++), ELF64_R_INFO(std::uint64_t{symbol}, type), addend});
}

std::vector<std::byte> TinyLibrary::build() const {
  std::vector<std::byte> file(sizeof(Elf64_Ehdr) + kSegments * sizeof(Elf64_Phdr));
  const std::size_t symbols = append(file, symbols_);
  const std::size_t dyn = append(file, dyn_);
  file.resize(file.size() + gap_before_plt);
  const std::size_t plt = append(file, plt_);
  const std::size_t dyn_size = dyn_.size() * sizeof(Elf64_Rela);
  const std::size_t plt_size = plt_.size() * sizeof(Elf64_Rela);

  std::vector<Elf64_Dyn> dynamics = {
      {DT_SYMTAB, {kBase + symbols}}, {DT_SYMENT, {sizeof(Elf64_Sym)}},
      {DT_RELA, {kBase + dyn}},       {DT_RELASZ, {dyn_size}},
      {DT_PLTREL, {DT_RELA}},         {DT_RELAENT, {sizeof(Elf64_Rela)}},
      {DT_JMPREL, {kBase + plt}},     {DT_PLTRELSZ, {plt_size}},
  };
  if (bind_now) dynamics.push_back({DT_FLAGS, {DF_BIND_NOW}});
  if (has_relative_count) dynamics.push_back({DT_RELACOUNT, {0}});
  dynamics.resize(dynamics.size() + 1 + spare_dynamics);
  const std::size_t dynamic = append(file, dynamics);
  const std::size_t loaded = file.size();

  Elf64_Ehdr header = make_header();
  if (has_sections) {
    header.e_shoff = append(file, std::vector<Elf64_Shdr>{
                                      Elf64_Shdr{},
                                      make_section(SHT_DYNSYM, symbols, dyn - symbols),
                                      make_section(SHT_RELA, dyn, dyn_size),
                                      make_section(SHT_RELA, plt, plt_size),
                                  });
    header.e_shnum = 4;
  }
  put(file, 0, header);
  const std::size_t dynamic_size = dynamics.size() * sizeof(Elf64_Dyn);
  const Elf64_Addr data = slot(0);
  const std::size_t data_size = slots_ * sizeof(Elf64_Addr);
  put_all(file, header.e_phoff,
          std::vector<Elf64_Phdr>{
              {PT_LOAD, PF_R | PF_X, 0, kBase, kBase, loaded, loaded, 0x1000},
              {PT_DYNAMIC, PF_R, dynamic, kBase + dynamic, kBase + dynamic, dynamic_size,
               dynamic_size, 8},
              {PT_LOAD, PF_R | PF_W, loaded, data, data, 0, data_size, 0x1000},
              {has_relro ? Elf64_Word{PT_GNU_RELRO} : Elf64_Word{PT_NULL}, PF_R, loaded, data, data,
               0, data_size, 1},
          });
  return file;
}

std::uint64_t Loaded::tag(std::int64_t tag) const {
  for (const Elf64_Dyn& entry : dynamics) {
    if (entry.d_tag == tag) return entry.d_un.d_val;
  }
  return 0;
}

Loaded load(std::span<const std::byte> library) {
  Loaded loaded;
  const auto header = take<Elf64_Ehdr>(library, 0, 1)[0];
  const auto segments = take<Elf64_Phdr>(library, header.e_phoff, header.e_phnum);
  loaded.sections = take<Elf64_Shdr>(library, header.e_shoff, header.e_shnum);
  loaded.dynamics =
      take<Elf64_Dyn>(library, segments[1].p_offset, segments[1].p_filesz / sizeof(Elf64_Dyn));
  std::size_t count = 0;
  while (loaded.dynamics[count].d_tag != DT_NULL) ++count;
  loaded.dynamics.resize(count);
  const auto offset = [&](std::int64_t tag) { return loaded.tag(tag) - TinyLibrary::kBase; };
  loaded.symbols = take<Elf64_Sym>(library, offset(DT_SYMTAB),
                                   (offset(DT_RELA) - offset(DT_SYMTAB)) / sizeof(Elf64_Sym));
  loaded.dyn =
      take<Elf64_Rela>(library, offset(DT_RELA), loaded.tag(DT_RELASZ) / sizeof(Elf64_Rela));
  loaded.plt =
      take<Elf64_Rela>(library, offset(DT_JMPREL), loaded.tag(DT_PLTRELSZ) / sizeof(Elf64_Rela));
  return loaded;
}

}  // namespace relbind
