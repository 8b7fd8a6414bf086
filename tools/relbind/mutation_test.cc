// Damaged libraries by the ten thousand. What is asserted is little (a refused library is
// unchanged, an accepted one keeps its size); the sanitizers of the asan preset do the watching.

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "bind.h"
#include "testing/tiny_library.h"

namespace relbind {
namespace {

using Bytes = std::vector<std::byte>;

Bytes sound_library() {
  TinyLibrary tiny;
  const auto own = tiny.add_symbol(0x10040);
  const auto weak = tiny.add_symbol(0x10080, ELF64_ST_INFO(STB_WEAK, STT_OBJECT));
  const auto other = tiny.add_symbol(0, TinyLibrary::kGlobalFunction, SHN_UNDEF);
  for (const auto symbol : {own, weak, other}) {
    tiny.add_relocation(R_X86_64_64, symbol, 16);
    tiny.add_relocation(R_X86_64_GLOB_DAT, symbol);
    tiny.add_relocation(R_X86_64_JUMP_SLOT, symbol);
  }
  tiny.add_relocation(R_X86_64_RELATIVE, 0, 0x123);
  return tiny.build();
}

// The copy is allocated to the byte, so that one byte too far is one too many for ASan.
void try_to_bind(const Bytes& damaged) {
  Bytes library = damaged;
  library.shrink_to_fit();
  const Outcome<Report> outcome = bind_relative(library);
  if (std::holds_alternative<Error>(outcome)) {
    ASSERT_EQ(library, damaged) << std::get_if<Error>(&outcome)->what;
    ASSERT_FALSE(std::get_if<Error>(&outcome)->what.empty());
    return;
  }
  ASSERT_EQ(std::get_if<Report>(&outcome)->is_changed, library != damaged);
  const Bytes once = library;
  ASSERT_TRUE(std::holds_alternative<Report>(bind_relative(library)));
  ASSERT_EQ(library, once) << "a second run changed something";
}

TEST(Mutation, EveryTruncationIsRefused) {
  const Bytes sound = sound_library();
  for (std::size_t size = 0; size < sound.size(); ++size) {
    Bytes library(sound.begin(), sound.begin() + static_cast<std::ptrdiff_t>(size));
    ASSERT_TRUE(std::holds_alternative<Error>(bind_relative(library))) << size << " bytes";
  }
}

TEST(Mutation, EveryByteMayBeAnything) {
  const Bytes sound = sound_library();
  for (std::size_t at = 0; at < sound.size(); ++at) {
    for (const unsigned value : {0x00u, 0x01u, 0x7fu, 0x80u, 0xfeu, 0xffu}) {
      Bytes damaged = sound;
      damaged[at] = static_cast<std::byte>(value);
      ASSERT_NO_FATAL_FAILURE(try_to_bind(damaged)) << "byte " << at << " is " << value;
    }
  }
}

TEST(Mutation, EveryFieldMayHoldAnExtremeNumber) {
  const Bytes sound = sound_library();
  const std::uint64_t size = sound.size();
  const std::uint64_t numbers[] = {0,
                                   1,
                                   size,
                                   size - 1,
                                   size - 8,
                                   size + 1,
                                   0x7fffffff,
                                   0xffffffff,
                                   1u << 31,
                                   1ull << 63,
                                   ~0ull,
                                   ~0ull - 7,
                                   ~0ull - 23,
                                   ~0ull / 24,
                                   0xffff0000ffffffff,
                                   TinyLibrary::kBase};
  for (std::size_t at = 0; at + 8 <= sound.size(); at += 2) {
    for (const std::uint64_t number : numbers) {
      Bytes damaged = sound;
      std::memcpy(damaged.data() + at, &number, sizeof(number));
      ASSERT_NO_FATAL_FAILURE(try_to_bind(damaged)) << "offset " << at << " is " << number;
    }
  }
}

TEST(Mutation, SeveralFieldsMayBeWrongAtOnce) {
  const Bytes sound = sound_library();
  std::mt19937_64 random(20221);  // Fixed: a failure can be repeated.
  for (int round = 0; round < 30000; ++round) {
    Bytes damaged = sound;
    for (unsigned count = 1 + random() % 6; count > 0; --count) {
      // Small numbers and addresses inside the library get past the first checks.
      const std::uint64_t kinds[] = {random(), random() % 4096, random() % 8,
                                     TinyLibrary::kBase + random() % (sound.size() + 64)};
      const std::uint64_t value = kinds[random() % 4];
      const std::size_t width = std::size_t{1} << random() % 4;
      std::memcpy(damaged.data() + random() % (sound.size() - width), &value, width);
    }
    if (random() % 8 == 0) damaged.resize(random() % damaged.size());
    ASSERT_NO_FATAL_FAILURE(try_to_bind(damaged)) << "round " << round;
  }
}

}  // namespace
}  // namespace relbind
