// TinyLibrary: a shared library of a few hundred bytes, written field by field, so that a test can
// hold exactly the symbols and relocations that it is about. It is not meant to be run.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace relbind {

class TinyLibrary {
 public:
  static constexpr Elf64_Addr kBase = 0x10000;  // Where byte 0 of the file is loaded.
  static constexpr std::uint16_t kHere = 5;     // A section index that means "defined".
  static constexpr unsigned char kGlobalFunction = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);

  bool bind_now = true;            // DT_FLAGS with BIND_NOW.
  bool has_relative_count = true;  // DT_RELACOUNT is there.
  bool has_relro = false;          // The slots become read-only after relocation.
  bool has_sections = true;        // Section headers are there.
  unsigned spare_dynamics = 2;     // DT_NULLs behind the one that ends the dynamic section.
  std::size_t gap_before_plt = 0;  // Bytes between .rela.dyn and .rela.plt.

  // Returns the symbol's index.
  std::uint32_t add_symbol(Elf64_Addr value, unsigned char info = kGlobalFunction,
                           std::uint16_t section = kHere, unsigned char visibility = STV_DEFAULT);

  // To .rela.dyn, or to .rela.plt for a JUMP_SLOT. Each writes the next slot of the data.
  void add_relocation(std::uint32_t type, std::uint32_t symbol, std::int64_t addend = 0);
  void add_to_plt(std::uint32_t type, std::uint32_t symbol, std::int64_t addend = 0);

  // The slots are the library's writable memory; all else is read-only.
  static Elf64_Addr slot(unsigned index) { return kBase + 0x8000 + index * 8; }

  std::vector<std::byte> build() const;

 private:
  std::vector<Elf64_Sym> symbols_ = {Elf64_Sym{}};
  std::vector<Elf64_Rela> dyn_;
  std::vector<Elf64_Rela> plt_;
  unsigned slots_ = 0;
};

// What ld.so would find in a library's bytes, which must be sound.
struct Loaded {
  std::vector<Elf64_Rela> dyn;
  std::vector<Elf64_Rela> plt;
  std::vector<Elf64_Sym> symbols;
  std::vector<Elf64_Shdr> sections;
  std::vector<Elf64_Dyn> dynamics;  // Up to DT_NULL.

  std::uint64_t tag(std::int64_t tag) const;  // Zero if it is absent.
};
Loaded load(std::span<const std::byte> library);

}  // namespace relbind
