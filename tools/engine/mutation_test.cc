// Tens of thousands of damaged programs. The tests assert little (a rejected program is unchanged,
// an accepted one keeps its size and is not changed by a second run): ASan and UBSan do the rest.
#include <gtest/gtest.h>

#include <random>

#include "testing/fixture.h"

namespace engine_tool {
namespace {

// The copy is allocated exactly, so that ASan reports an access right after it.
void try_to_adopt(const Bytes& damaged) {
  Bytes program = damaged;
  program.shrink_to_fit();
  const Outcome<Report> outcome = adopt(program, ordinary());
  if (const auto* const error = std::get_if<Error>(&outcome)) {
    ASSERT_EQ(program, damaged) << error->what;
    ASSERT_FALSE(error->what.empty());
    return;
  }
  ASSERT_EQ(std::get_if<Report>(&outcome)->is_changed, program != damaged);
  const Bytes once = program;
  const Outcome<Report> again = adopt(program, ordinary());
  const auto* const error = std::get_if<Error>(&again);
  ASSERT_EQ(error, nullptr) << "the second run: " << error->what;
  ASSERT_EQ(program, once) << "the second run changed something";
}

// The parts of the file that the tool reads. Damage elsewhere has no effect.
std::vector<FileRange> tables() {
  const Bytes sound = host();
  const Loaded loaded(sound);
  std::vector<FileRange> ranges = {
      {0, sizeof(Elf64_Ehdr)},
      {loaded.header.e_phoff, loaded.header.e_phnum * sizeof(Elf64_Phdr)},
      {loaded.dynamic_offset, loaded.dynamic_room * sizeof(Elf64_Dyn)},
      {loaded.offset_of(loaded.tag(DT_RELA)), loaded.tag(DT_RELASZ)},
      {loaded.offset_of(loaded.tag(DT_VERNEED)), 96},
  };
  // The hash table, the symbols and their names lie in this order.
  const std::size_t first = loaded.offset_of(loaded.tag(DT_GNU_HASH));
  const std::size_t last = loaded.offset_of(loaded.tag(DT_STRTAB)) + loaded.tag(DT_STRSZ);
  ranges.push_back({first, last - first});
  return ranges;
}

TEST(Mutation, EveryTruncationIsRefused) {
  const Bytes sound = host();
  for (std::size_t size = 0; size < sound.size(); ++size) {
    Bytes program(sound.begin(), sound.begin() + static_cast<std::ptrdiff_t>(size));
    ASSERT_TRUE(std::holds_alternative<Error>(adopt(program, ordinary()))) << size << " bytes";
  }
}

TEST(Mutation, EveryByteMayBeAnything) {
  Bytes damaged = host();
  for (const FileRange& range : tables()) {
    for (std::size_t at = range.offset; at < range.end(); ++at) {
      const std::byte sound = damaged[at];
      for (const unsigned value : {0x00u, 0x01u, 0x7fu, 0x80u, 0xffu}) {
        damaged[at] = static_cast<std::byte>(value);
        ASSERT_NO_FATAL_FAILURE(try_to_adopt(damaged)) << "byte " << at << " is " << value;
      }
      damaged[at] = sound;
    }
  }
}

TEST(Mutation, EveryFieldMayHoldAnExtremeNumber) {
  const Bytes sound = host();
  const std::uint64_t size = sound.size();
  const std::uint64_t base = 0x400000;  // The address at which GNU ld loads programs.
  const std::uint64_t numbers[] = {0,           size - 1,   size,       base,
                                   base + size, 0x7fffffff, 0xffffffff, 1ull << 63,
                                   ~0ull - 23,  ~0ull / 24, ~0ull};
  Bytes damaged = sound;
  for (const FileRange& range : tables()) {
    for (std::size_t at = range.offset; at + 8 <= range.end(); at += 4) {
      for (const std::uint64_t number : numbers) {
        std::memcpy(damaged.data() + at, &number, sizeof number);
        ASSERT_NO_FATAL_FAILURE(try_to_adopt(damaged)) << "offset " << at << " is " << number;
      }
      std::memcpy(damaged.data() + at, sound.data() + at, 8);
    }
  }
}

TEST(Mutation, SeveralFieldsMayBeWrongAtOnce) {
  const Bytes sound = host();
  const std::vector<FileRange> ranges = tables();
  std::mt19937_64 random(20221);  // Fixed: a failure can be reproduced.
  for (int round = 0; round < 20000; ++round) {
    Bytes damaged = sound;
    for (unsigned count = 1 + random() % 5; count > 0; --count) {
      // Small numbers and addresses inside the program pass the first checks.
      const std::uint64_t kinds[] = {random(), random() % 4096, random() % 8,
                                     0x400000 + random() % (sound.size() + 64)};
      const std::uint64_t value = kinds[random() % 4];
      const std::size_t width = std::size_t{1} << random() % 4;
      const FileRange& range = ranges[random() % ranges.size()];
      std::memcpy(damaged.data() + range.offset + random() % (range.size - width), &value, width);
    }
    if (random() % 8 == 0) damaged.resize(random() % damaged.size());
    ASSERT_NO_FATAL_FAILURE(try_to_adopt(damaged)) << "round " << round;
  }
}

}  // namespace
}  // namespace engine_tool
