#include "elf_image.h"

#include <gtest/gtest.h>

#include "testing/fixture.h"

namespace engine_tool {
namespace {

// Changes a field of Elf64_Ehdr.
Bytes with_header(std::size_t offset, auto value) { return with(host(), offset, value); }

TEST(ElfImage, RejectsFilesThatAreNotElf) {
  EXPECT_EQ(refusal({}), "too short for an ELF file");
  EXPECT_EQ(refusal(Bytes(sizeof(Elf64_Ehdr) - 1)), "too short for an ELF file");
  EXPECT_EQ(refusal(Bytes(4096)), "not an ELF file");
}

TEST(ElfImage, RefusesOtherClassesMachinesAndTypes) {
  EXPECT_EQ(refusal(with_header(EI_CLASS, std::uint8_t{ELFCLASS32})), "not a 64-bit ELF file");
  EXPECT_EQ(refusal(with_header(EI_DATA, std::uint8_t{ELFDATA2MSB})),
            "not a little-endian ELF file");
  EXPECT_EQ(refusal(with_header(EI_VERSION, std::uint8_t{9})), "ELF of an unknown version");
  EXPECT_EQ(refusal(with_header(offsetof(Elf64_Ehdr, e_machine), std::uint16_t{EM_AARCH64})),
            "built for machine 183, not for x86-64");
}

TEST(ElfImage, RefusesSharedLibrariesAndPie) {
  EXPECT_EQ(refusal(read_file(FIXTURE_CODE)), "not an executable with a fixed address");
  EXPECT_EQ(refusal(read_file(FIXTURE_PIE)), "not an executable with a fixed address");
}

TEST(ElfImage, RefusesHeadersThatLeadOutOfTheFile) {
  const std::size_t size = host().size();
  for (const std::uint64_t offset : {size - 8, ~std::size_t{0}, ~std::size_t{0} - 111}) {
    EXPECT_EQ(refusal(with_header(offsetof(Elf64_Ehdr, e_phoff), offset)),
              "truncated: the program headers end past the end of the file");
    EXPECT_EQ(refusal(with_header(offsetof(Elf64_Ehdr, e_shoff), offset)),
              "truncated: the section headers end past the end of the file");
  }
  EXPECT_EQ(refusal(with_header(offsetof(Elf64_Ehdr, e_phnum), std::uint16_t{0xfffe})),
            "too many program headers (65534)");
  EXPECT_EQ(refusal(with_header(offsetof(Elf64_Ehdr, e_phnum), std::uint16_t{0})),
            "no program headers");
  EXPECT_EQ(refusal(with_header(offsetof(Elf64_Ehdr, e_phentsize), std::uint16_t{1})),
            "program headers of an unknown size");
  EXPECT_EQ(refusal(with_header(offsetof(Elf64_Ehdr, e_shentsize), std::uint16_t{1})),
            "section headers of an unknown size");
  EXPECT_EQ(refusal(with_header(offsetof(Elf64_Ehdr, e_shoff), std::uint64_t{32})),
            "its headers overlap");
}

TEST(ElfImage, RefusesSegmentsThatCannotBe) {
  const Bytes sound = host();
  const Loaded loaded(sound);
  // The file offset of a member of the first program header of this type.
  const auto field = [&](std::uint32_t type, std::size_t member) {
    std::size_t index = 0;
    while (loaded.segments[index].p_type != type) ++index;
    return loaded.header.e_phoff + index * sizeof(Elf64_Phdr) + member;
  };
  const auto refused = [&](std::uint32_t type, std::size_t member, auto value) {
    return refusal(with(sound, field(type, member), value));
  };
  const std::uint64_t huge = ~std::uint64_t{0};
  const std::string impossible = " has an impossible size";
  EXPECT_TRUE(refused(PT_LOAD, offsetof(Elf64_Phdr, p_filesz), huge).starts_with("truncated: seg"));
  EXPECT_TRUE(refused(PT_LOAD, offsetof(Elf64_Phdr, p_memsz), huge).ends_with(impossible));
  EXPECT_TRUE(
      refused(PT_LOAD, offsetof(Elf64_Phdr, p_memsz), std::uint64_t{1}).ends_with(impossible));
  EXPECT_TRUE(refused(PT_LOAD, offsetof(Elf64_Phdr, p_vaddr), huge).ends_with(impossible));
  EXPECT_EQ(refused(PT_DYNAMIC, offsetof(Elf64_Phdr, p_type), std::uint32_t{PT_NOTE}),
            "not dynamically linked: there is no dynamic section");
  EXPECT_EQ(refused(PT_DYNAMIC, offsetof(Elf64_Phdr, p_vaddr), std::uint64_t{0}),
            "the dynamic section lies outside the loaded segments");
  EXPECT_EQ(refused(PT_DYNAMIC, offsetof(Elf64_Phdr, p_filesz), std::uint64_t{40}),
            "the dynamic section has no end");
}

TEST(ElfImage, StrippedSectionHeadersDoNotMatter) {
  Bytes stripped = with_header(offsetof(Elf64_Ehdr, e_shnum), std::uint16_t{0});
  EXPECT_EQ(refusal(with(stripped, offsetof(Elf64_Ehdr, e_shoff), std::uint64_t{0})), "");
}

}  // namespace
}  // namespace engine_tool
