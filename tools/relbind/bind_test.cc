#include "bind.h"

#include <gtest/gtest.h>

#include <string>

#include "testing/tiny_library.h"

namespace relbind {
namespace {

constexpr Elf64_Addr kValue = 0x10040;

Report bind(std::vector<std::byte>& library) {
  const Outcome<Report> outcome = bind_relative(library);
  if (const auto* error = std::get_if<Error>(&outcome)) ADD_FAILURE() << error->what;
  const auto* report = std::get_if<Report>(&outcome);
  return report != nullptr ? *report : Report{};
}

std::string refusal(std::vector<std::byte> library) {
  const std::vector<std::byte> before = library;
  const Outcome<Report> outcome = bind_relative(library);
  EXPECT_EQ(library, before) << "a refused library was changed";
  const auto* error = std::get_if<Error>(&outcome);
  return error != nullptr ? error->what : "accepted";
}

// Rewrites one field of type T at `offset`.
template <class T>
std::vector<std::byte> with(std::vector<std::byte> library, std::size_t offset, T value) {
  std::memcpy(library.data() + offset, &value, sizeof(T));
  return library;
}

// Rewrites the value of a dynamic tag, or the tag itself with `new_tag`.
std::vector<std::byte> with_tag(std::vector<std::byte> library, std::int64_t tag,
                                std::uint64_t value, std::int64_t new_tag = -1) {
  Elf64_Phdr dynamic;
  std::memcpy(&dynamic, library.data() + sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr), sizeof(dynamic));
  for (std::size_t at = dynamic.p_offset;; at += sizeof(Elf64_Dyn)) {
    Elf64_Dyn entry;
    std::memcpy(&entry, library.data() + at, sizeof(entry));
    if (entry.d_tag != tag) continue;
    const Elf64_Dyn changed = {new_tag == -1 ? tag : new_tag, {value}};
    std::memcpy(library.data() + at, &changed, sizeof(changed));
    return library;
  }
}

std::string text(const Elf64_Rela& entry) {
  return "type " + std::to_string(ELF64_R_TYPE(entry.r_info)) + " symbol " +
         std::to_string(ELF64_R_SYM(entry.r_info)) + " addend " + std::to_string(entry.r_addend) +
         " at " + std::to_string(entry.r_offset);
}

std::string relative(Elf64_Addr slot, std::int64_t addend) {
  return text({slot, R_X86_64_RELATIVE, addend});
}

// A library with one reference of each kind to one of its own functions, and one to another's.
TinyLibrary ordinary() {
  TinyLibrary library;
  const auto own = library.add_symbol(kValue);
  const auto other = library.add_symbol(0, TinyLibrary::kGlobalFunction, SHN_UNDEF);
  library.add_relocation(R_X86_64_64, other, 24);       // slot 0
  library.add_relocation(R_X86_64_64, own, 16);         // slot 1
  library.add_relocation(R_X86_64_GLOB_DAT, own);       // slot 2
  library.add_relocation(R_X86_64_JUMP_SLOT, other);    // slot 3
  library.add_relocation(R_X86_64_JUMP_SLOT, own);      // slot 4
  library.add_relocation(R_X86_64_RELATIVE, 0, 0x123);  // slot 5
  return library;
}

TEST(Bind, OwnReferencesBecomeRelativeInFrontAndCounted) {
  const TinyLibrary tiny = ordinary();
  auto file = tiny.build();
  const Report report = bind(file);
  const Loaded loaded = load(file);

  ASSERT_EQ(loaded.dyn.size(), 6u);
  EXPECT_EQ(text(loaded.dyn[0]), relative(tiny.slot(1), kValue + 16));
  EXPECT_EQ(text(loaded.dyn[1]), relative(tiny.slot(2), kValue));
  EXPECT_EQ(text(loaded.dyn[2]), relative(tiny.slot(4), kValue));
  EXPECT_EQ(text(loaded.dyn[3]), relative(tiny.slot(5), 0x123));
  EXPECT_EQ(text(loaded.dyn[4]), text({tiny.slot(0), ELF64_R_INFO(2ul, R_X86_64_64), 24}));
  EXPECT_EQ(text(loaded.dyn[5]), text({tiny.slot(3), ELF64_R_INFO(2ul, R_X86_64_GLOB_DAT), 0}));
  EXPECT_EQ(loaded.tag(DT_RELACOUNT), 4u);

  EXPECT_TRUE(report.is_changed);
  EXPECT_TRUE(report.has_relative_count);
  EXPECT_EQ(report.pointers, 1u);
  EXPECT_EQ(report.got_entries, 1u);
  EXPECT_EQ(report.calls, 1u);
  EXPECT_EQ(report.relative, 4u);
  EXPECT_EQ(report.by_name, 2u);
}

TEST(Bind, PltTableIsLeftEmptyBehindTheOther) {
  auto file = ordinary().build();
  const Loaded before = load(file);
  bind(file);
  const Loaded after = load(file);
  EXPECT_EQ(after.tag(DT_PLTRELSZ), 0u);
  EXPECT_EQ(after.tag(DT_RELASZ), 6 * sizeof(Elf64_Rela));
  EXPECT_EQ(after.tag(DT_JMPREL), after.tag(DT_RELA) + after.tag(DT_RELASZ));
  EXPECT_EQ(after.sections[2].sh_size, after.tag(DT_RELASZ));
  EXPECT_EQ(after.sections[3].sh_size, 0u);
  EXPECT_EQ(after.sections[3].sh_addr, after.tag(DT_JMPREL));
  EXPECT_EQ(after.sections[3].sh_offset, before.sections[3].sh_offset + before.sections[3].sh_size);
}

TEST(Bind, SecondRunChangesNoByte) {
  auto file = ordinary().build();
  bind(file);
  const auto once = file;
  const Report again = bind(file);
  EXPECT_EQ(file, once);
  EXPECT_FALSE(again.is_changed);
  EXPECT_EQ(again.bound(), 0u);
  EXPECT_EQ(again.relative, 4u);
  EXPECT_EQ(again.by_name, 2u);
}

TEST(Bind, BoundSymbolsBecomeProtectedAndOthersStay) {
  TinyLibrary tiny = ordinary();
  const auto unused = tiny.add_symbol(kValue);
  const auto hidden =
      tiny.add_symbol(kValue, TinyLibrary::kGlobalFunction, TinyLibrary::kHere, STV_HIDDEN);
  tiny.add_relocation(R_X86_64_64, hidden);
  auto file = tiny.build();
  bind(file);
  const Loaded loaded = load(file);
  EXPECT_EQ(loaded.symbols[1].st_other, STV_PROTECTED);
  EXPECT_EQ(loaded.symbols[2].st_other, STV_DEFAULT);
  EXPECT_EQ(loaded.symbols[unused].st_other, STV_DEFAULT);
  EXPECT_EQ(loaded.symbols[hidden].st_other, STV_HIDDEN);
}

TEST(Bind, DataAndWeakDefinitionsAreBoundLikeFunctions) {
  for (const unsigned binding : {STB_GLOBAL, STB_WEAK}) {
    for (const unsigned type : {STT_NOTYPE, STT_OBJECT, STT_FUNC}) {
      TinyLibrary tiny;
      tiny.add_relocation(
          R_X86_64_64,
          tiny.add_symbol(kValue, static_cast<unsigned char>(ELF64_ST_INFO(binding, type))));
      auto file = tiny.build();
      EXPECT_EQ(bind(file).pointers, 1u) << "binding " << binding << " type " << type;
    }
  }
}

TEST(Bind, WeakDataIsBoundOnlyWhereNobodyCanWrite) {
  const unsigned char weak = ELF64_ST_INFO(STB_WEAK, STT_OBJECT);
  const unsigned char global = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT);
  for (const bool has_relro : {false, true}) {
    TinyLibrary tiny;
    tiny.has_relro = has_relro;
    tiny.add_relocation(R_X86_64_64, tiny.add_symbol(tiny.slot(0), weak));
    tiny.add_relocation(R_X86_64_64, tiny.add_symbol(tiny.slot(1), global));
    auto file = tiny.build();
    EXPECT_EQ(bind(file).pointers, has_relro ? 2u : 1u);
    EXPECT_EQ(text(load(file).dyn[0]),
              relative(tiny.slot(has_relro ? 0 : 1),
                       static_cast<std::int64_t>(tiny.slot(has_relro ? 0 : 1))));
  }
}

TEST(Bind, WhatOnlyTheDynamicLinkerCanSettleIsLeftToIt) {
  struct Case {
    const char* what;
    Elf64_Addr value;
    unsigned char info;
    std::uint16_t section;
  };
  const Case cases[] = {
      {"undefined", 0, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), SHN_UNDEF},
      {"undefined, with a canonical PLT", kValue, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), SHN_UNDEF},
      {"weak and undefined", 0, ELF64_ST_INFO(STB_WEAK, STT_NOTYPE), SHN_UNDEF},
      {"absolute", kValue, ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE), SHN_ABS},
      {"common", kValue, ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT), SHN_COMMON},
      {"without a value", 0, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), TinyLibrary::kHere},
      {"thread-local", kValue, ELF64_ST_INFO(STB_GLOBAL, STT_TLS), TinyLibrary::kHere},
      {"chosen at load", kValue, ELF64_ST_INFO(STB_GLOBAL, STT_GNU_IFUNC), TinyLibrary::kHere},
      {"one per process", kValue, ELF64_ST_INFO(STB_GNU_UNIQUE, STT_OBJECT), TinyLibrary::kHere},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(each.what);
    TinyLibrary tiny;
    const auto symbol = tiny.add_symbol(each.value, each.info, each.section);
    tiny.add_relocation(R_X86_64_64, symbol, 8);
    tiny.add_relocation(R_X86_64_GLOB_DAT, symbol);
    tiny.add_relocation(R_X86_64_JUMP_SLOT, symbol);
    auto file = tiny.build();
    const Loaded before = load(file);
    EXPECT_EQ(bind(file).bound(), 0u);
    const Loaded after = load(file);
    ASSERT_EQ(after.dyn.size(), 3u);
    EXPECT_EQ(text(after.dyn[0]), text(before.dyn[0]));
    EXPECT_EQ(text(after.dyn[1]), text(before.dyn[1]));
    EXPECT_EQ(ELF64_R_TYPE(after.dyn[2].r_info), static_cast<unsigned>(R_X86_64_GLOB_DAT));
    EXPECT_EQ(ELF64_R_SYM(after.dyn[2].r_info), symbol);
    EXPECT_EQ(after.symbols[symbol].st_other, STV_DEFAULT);
    EXPECT_EQ(after.tag(DT_RELACOUNT), 0u);
  }
}

TEST(Bind, OtherRelocationTypesOfOwnSymbolsStay) {
  TinyLibrary tiny;
  const auto own = tiny.add_symbol(kValue);
  for (const unsigned type : {R_X86_64_DTPMOD64, R_X86_64_DTPOFF64, R_X86_64_COPY, R_X86_64_SIZE64,
                              R_X86_64_IRELATIVE, R_X86_64_TPOFF64, R_X86_64_32}) {
    tiny.add_relocation(type, own);
  }
  auto file = tiny.build();
  const auto before = file;
  EXPECT_FALSE(bind(file).is_changed);
  EXPECT_EQ(file, before);
}

TEST(Bind, ResolversAtTheEndOfThePltTableStayLast) {
  TinyLibrary tiny;
  const auto own = tiny.add_symbol(kValue);
  const auto other = tiny.add_symbol(0, TinyLibrary::kGlobalFunction, SHN_UNDEF);
  tiny.add_relocation(R_X86_64_GLOB_DAT, other);
  tiny.add_relocation(R_X86_64_JUMP_SLOT, other);
  tiny.add_relocation(R_X86_64_JUMP_SLOT, own);
  tiny.add_to_plt(R_X86_64_IRELATIVE, 0, kValue);
  auto file = tiny.build();
  const Report report = bind(file);
  EXPECT_EQ(report.by_name, 2u);
  const Loaded loaded = load(file);
  ASSERT_EQ(loaded.dyn.size(), 4u);
  EXPECT_EQ(text(loaded.dyn[3]), text({tiny.slot(3), R_X86_64_IRELATIVE, kValue}));
}

TEST(Bind, PltOfALibraryBoundLazilyKeepsItsIndices) {
  TinyLibrary tiny = ordinary();
  tiny.bind_now = false;
  auto file = tiny.build();
  const Loaded before = load(file);
  const Report report = bind(file);
  const Loaded after = load(file);
  EXPECT_EQ(report.calls, 0u);
  EXPECT_EQ(report.bound(), 2u);
  EXPECT_EQ(report.by_name, 3u);
  ASSERT_EQ(after.plt.size(), 2u);
  EXPECT_EQ(text(after.plt[0]), text(before.plt[0]));
  EXPECT_EQ(text(after.plt[1]), text(before.plt[1]));
  EXPECT_EQ(after.tag(DT_RELASZ), before.tag(DT_RELASZ));
}

TEST(Bind, PltTableThatIsNotAdjacentStays) {
  TinyLibrary tiny = ordinary();
  tiny.gap_before_plt = 8;
  auto file = tiny.build();
  const Loaded before = load(file);
  EXPECT_EQ(bind(file).calls, 0u);
  const Loaded after = load(file);
  EXPECT_EQ(after.tag(DT_JMPREL), before.tag(DT_JMPREL));
  ASSERT_EQ(after.plt.size(), 2u);
  EXPECT_EQ(text(after.plt[1]), text(before.plt[1]));
}

TEST(Bind, EveryWayToSayBindNowCounts) {
  TinyLibrary tiny = ordinary();
  const auto flags = tiny.build();
  for (const auto& file : {
           with_tag(flags, DT_FLAGS, DF_BIND_NOW),
           with_tag(flags, DT_FLAGS, DF_1_NOW, DT_FLAGS_1),
           with_tag(flags, DT_FLAGS, 0, DT_BIND_NOW),
       }) {
    auto copy = file;
    EXPECT_EQ(bind(copy).calls, 1u);
  }
}

TEST(Bind, MissingRelativeCountTakesASpareEntry) {
  TinyLibrary tiny = ordinary();
  tiny.has_relative_count = false;
  tiny.spare_dynamics = 1;
  auto file = tiny.build();
  EXPECT_TRUE(bind(file).has_relative_count);
  EXPECT_EQ(load(file).tag(DT_RELACOUNT), 4u);
  const auto once = file;
  EXPECT_FALSE(bind(file).is_changed);
  EXPECT_EQ(file, once);
}

TEST(Bind, MissingRelativeCountWithoutRoomIsReportedAndTheRestIsDone) {
  TinyLibrary tiny = ordinary();
  tiny.has_relative_count = false;
  tiny.spare_dynamics = 0;
  auto file = tiny.build();
  const Report report = bind(file);
  EXPECT_FALSE(report.has_relative_count);
  EXPECT_EQ(report.bound(), 3u);
  EXPECT_EQ(load(file).dyn[0].r_info, static_cast<unsigned>(R_X86_64_RELATIVE));
}

TEST(Bind, StrippedSectionHeadersDoNotMatter) {
  TinyLibrary tiny = ordinary();
  tiny.has_sections = false;
  auto file = tiny.build();
  EXPECT_EQ(bind(file).bound(), 3u);
}

TEST(Bind, LibraryWithoutRelocationsIsBoundAlready) {
  auto file = TinyLibrary().build();
  const auto before = file;
  EXPECT_FALSE(bind(file).is_changed);
  EXPECT_EQ(file, before);
}

TEST(BindRefuses, WhatIsNoElfFile) {
  EXPECT_EQ(refusal({}), "too short for an ELF file");
  EXPECT_EQ(refusal(std::vector<std::byte>(63)), "too short for an ELF file");
  EXPECT_EQ(refusal(std::vector<std::byte>(4096)), "not an ELF file");
}

TEST(BindRefuses, OtherClassesMachinesAndTypes) {
  const auto file = ordinary().build();
  EXPECT_EQ(refusal(with(file, EI_CLASS, std::uint8_t{ELFCLASS32})), "not a 64-bit ELF file");
  EXPECT_EQ(refusal(with(file, EI_DATA, std::uint8_t{ELFDATA2MSB})),
            "not a little-endian ELF file");
  EXPECT_EQ(refusal(with(file, EI_VERSION, std::uint8_t{9})), "ELF of an unknown version");
  EXPECT_EQ(refusal(with(file, offsetof(Elf64_Ehdr, e_machine), std::uint16_t{EM_AARCH64})),
            "built for machine 183, not for x86-64");
  EXPECT_EQ(refusal(with(file, offsetof(Elf64_Ehdr, e_type), std::uint16_t{ET_EXEC})),
            "not a shared library");
}

TEST(BindRefuses, HeadersThatLeadOutOfTheFile) {
  const auto file = ordinary().build();
  for (const std::uint64_t offset : {file.size() - 8, ~std::size_t{0}, ~std::size_t{0} - 111}) {
    EXPECT_EQ(refusal(with(file, offsetof(Elf64_Ehdr, e_phoff), offset)),
              "truncated: the program headers end past the end of the file");
    EXPECT_EQ(refusal(with(file, offsetof(Elf64_Ehdr, e_shoff), offset)),
              "truncated: the section headers end past the end of the file");
  }
  EXPECT_EQ(refusal(with(file, offsetof(Elf64_Ehdr, e_phnum), std::uint16_t{0xfffe})),
            "too many program headers (65534)");
  EXPECT_EQ(refusal(with(file, offsetof(Elf64_Ehdr, e_phnum), std::uint16_t{0})),
            "no program headers");
  EXPECT_EQ(refusal(with(file, offsetof(Elf64_Ehdr, e_phentsize), std::uint16_t{1})),
            "program headers of an unknown size");
  EXPECT_EQ(refusal(with(file, offsetof(Elf64_Ehdr, e_shentsize), std::uint16_t{1})),
            "section headers of an unknown size");
  EXPECT_EQ(refusal(with(file, offsetof(Elf64_Ehdr, e_shoff), std::uint64_t{32})),
            "its headers overlap");
}

TEST(BindRefuses, SegmentsThatCannotBe) {
  const auto file = ordinary().build();
  const std::size_t first = sizeof(Elf64_Ehdr);
  const std::size_t second = first + sizeof(Elf64_Phdr);
  EXPECT_EQ(refusal(with(file, first + offsetof(Elf64_Phdr, p_filesz), ~std::uint64_t{0})),
            "truncated: segment 0 ends past the end of the file");
  EXPECT_EQ(refusal(with(file, first + offsetof(Elf64_Phdr, p_memsz), std::uint64_t{1})),
            "segment 0 has an impossible size");
  EXPECT_EQ(refusal(with(file, first + offsetof(Elf64_Phdr, p_vaddr), ~std::uint64_t{0})),
            "segment 0 has an impossible size");
  EXPECT_EQ(refusal(with(file, second + offsetof(Elf64_Phdr, p_type), std::uint32_t{PT_NOTE})),
            "not dynamically linked: there is no dynamic section");
  EXPECT_EQ(refusal(with(file, second + offsetof(Elf64_Phdr, p_vaddr), std::uint64_t{0})),
            "the dynamic section lies outside the loaded segments");
  EXPECT_EQ(refusal(with(file, second + offsetof(Elf64_Phdr, p_filesz), std::uint64_t{40})),
            "the dynamic section has no end");
}

TEST(BindRefuses, TablesThatCannotBe) {
  const auto file = ordinary().build();
  const Loaded loaded = load(file);
  const std::uint64_t rela = loaded.tag(DT_RELA);
  const std::uint64_t huge = ~std::uint64_t{0} / 24 * 24;
  EXPECT_EQ(refusal(with_tag(file, DT_RELASZ, 25)), ".rela.dyn has a broken entry at its end");
  EXPECT_EQ(refusal(with_tag(file, DT_RELASZ, huge)), ".rela.dyn lies outside the loaded segments");
  EXPECT_EQ(refusal(with_tag(file, DT_PLTRELSZ, huge)),
            ".rela.plt lies outside the loaded segments");
  EXPECT_EQ(refusal(with_tag(file, DT_RELA, 8)), ".rela.dyn lies outside the loaded segments");
  EXPECT_EQ(refusal(with_tag(file, DT_RELA, TinyLibrary::kBase)), ".rela.dyn overlaps a header");
  EXPECT_EQ(refusal(with_tag(file, DT_JMPREL, rela)), ".rela.dyn and .rela.plt overlap");
  EXPECT_EQ(refusal(with_tag(file, DT_RELAENT, 16)), "relocations of an unknown size");
  EXPECT_EQ(refusal(with_tag(file, DT_SYMENT, 16)), "symbols of an unknown size");
  EXPECT_EQ(refusal(with_tag(file, DT_PLTREL, DT_REL)),
            "PLT relocations without addends, which x86-64 never has");
  EXPECT_EQ(refusal(with_tag(file, DT_RELA, rela, DT_REL)),
            "relocations without addends, which x86-64 never has");
  EXPECT_EQ(refusal(with_tag(file, DT_SYMTAB, 8)),
            "the symbol table lies outside the loaded segments");
  EXPECT_EQ(refusal(with_tag(file, DT_SYMTAB, 0, DT_DEBUG)), "no symbol table");
  EXPECT_EQ(refusal(with_tag(file, DT_SYMTAB, rela - 24)),
            "the symbol table overlaps another table");
}

TEST(BindRefuses, RelocationsThatCannotBe) {
  TinyLibrary no_symbol = ordinary();
  no_symbol.add_relocation(R_X86_64_64, 9);
  EXPECT_EQ(refusal(no_symbol.build()), "a relocation names symbol 9 of 3");

  const auto file = ordinary().build();
  const std::size_t first = load(file).tag(DT_RELA) - TinyLibrary::kBase;
  for (const std::uint64_t address :
       {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{0x1802a}}) {
    EXPECT_EQ(refusal(with(file, first, address)),
              "a relocation writes outside the loaded segments");
  }
}

}  // namespace
}  // namespace relbind
