#include "uv/preload/patch.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstring>

namespace rondo::uv {
namespace {

using Code = std::vector<uint8_t>;
using Function = int (*)();

int answer() { return 42; }
int other_answer() { return 43; }

Replacement replacement_of(const Code& code, size_t size) {
  return {"f", reinterpret_cast<uintptr_t>(code.data()), size, 0, 0};
}

bool fits(Code code, size_t size) {
  code.resize(64, 0x55);  // push %rbp: the next function.
  return has_room(replacement_of(code, size));
}

// A page of functions, executable and not writable. Each begins at a multiple of 16 and returns its
// number.
class Page {
 public:
  explicit Page(bool has_endbr = false) : function_size_(has_endbr ? 10 : 6) {
    size_ = static_cast<size_t>(::sysconf(_SC_PAGESIZE)) * 2;
    memory_ = static_cast<uint8_t*>(
        ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    std::memset(memory_, 0xCC, size_);
    for (size_t i = 0; i * 16 < size_; ++i) {
      uint8_t* at = memory_ + i * 16;
      if (has_endbr) at = std::copy_n(std::array<uint8_t, 4>{0xF3, 0x0F, 0x1E, 0xFA}.data(), 4, at);
      *at++ = 0xB8;  // mov $i, %eax
      const auto number = static_cast<uint32_t>(i);
      std::memcpy(at, &number, sizeof number);
      at[4] = 0xC3;  // ret
    }
    ::mprotect(memory_, size_, PROT_READ | PROT_EXEC);
  }
  ~Page() { ::munmap(memory_, size_); }
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  uintptr_t begin() const { return reinterpret_cast<uintptr_t>(memory_); }
  uintptr_t end() const { return begin() + size_; }
  size_t count() const { return size_ / 16; }
  int call(size_t number) const { return reinterpret_cast<Function>(memory_ + number * 16)(); }
  Replacement replace(size_t number, Function by) const {
    return {"f", begin() + number * 16, function_size_, reinterpret_cast<uintptr_t>(by),
            PROT_READ | PROT_EXEC};
  }
  // "r-xp", as the kernel describes the page of the function.
  std::string protection(size_t number) const {
    std::FILE* const file = std::fopen("/proc/self/maps", "re");
    char line[512];
    char found[8] = "";
    while (std::fgets(line, sizeof line, file) != nullptr) {
      unsigned long first = 0;
      unsigned long last = 0;
      char bits[8];
      if (std::sscanf(line, "%lx-%lx %7s", &first, &last, bits) != 3) continue;
      const uintptr_t address = begin() + number * 16;
      if (first <= address && address < last) std::strcpy(found, bits);
    }
    std::fclose(file);
    return found;
  }

 private:
  size_t function_size_;
  size_t size_;
  uint8_t* memory_;
};

TEST(UvPatch, AFunctionOfFiveBytesHasRoom) {
  EXPECT_TRUE(fits({0xB8, 1, 0, 0, 0, 0xC3}, 6));
  EXPECT_TRUE(fits({0x31, 0xC0, 0x90, 0x90, 0xC3}, 5));
}

TEST(UvPatch, PaddingAfterAShortFunctionIsRoom) {
  EXPECT_TRUE(fits({0xC3, 0xCC, 0xCC, 0xCC, 0xCC}, 1));
  EXPECT_TRUE(fits({0xC3, 0x90, 0x66, 0x90, 0x90}, 1));
  EXPECT_TRUE(fits({0xC3, 0x0F, 0x1F, 0x44, 0x00, 0x00}, 1));
  EXPECT_TRUE(fits({0xC3, 0x66, 0x2E, 0x0F, 0x1F, 0x84, 0, 0, 0, 0, 0}, 1));
  EXPECT_TRUE(fits({0x31, 0xC0, 0xC3, 0x0F, 0x1F, 0x00}, 3));
}

TEST(UvPatch, AnotherFunctionAfterAShortOneIsNoRoom) {
  EXPECT_FALSE(fits({0xC3}, 1));
  EXPECT_FALSE(fits({0x31, 0xC0, 0xC3, 0x90}, 3));
  EXPECT_FALSE(fits({0xC3, 0x66, 0x66, 0x55}, 1));
  EXPECT_FALSE(fits({0xC3, 0x0F, 0x0B}, 1));
}

TEST(UvPatch, AMarkOfIndirectCallsStays) {
  EXPECT_FALSE(fits({0xF3, 0x0F, 0x1E, 0xFA, 0x31, 0xC0, 0xC3}, 7));
  EXPECT_TRUE(fits({0xF3, 0x0F, 0x1E, 0xFA, 0x31, 0xC0, 0xC3, 0x66, 0x90}, 7));
  const Page page(true);
  ASSERT_EQ(patch({page.replace(3, &answer)}, page.begin(), page.end()), "");
  EXPECT_EQ(page.call(3), 42);
  const uint8_t* const code = reinterpret_cast<const uint8_t*>(page.begin() + 3 * 16);
  EXPECT_EQ(code[0], 0xF3);
  EXPECT_EQ(code[4], 0xE9);
}

TEST(UvPatch, ReplacesOnlyTheGivenFunctions) {
  const Page page;
  const size_t last = page.count() - 1;
  ASSERT_EQ(page.call(last), static_cast<int>(last));
  ASSERT_EQ(patch({page.replace(last, &other_answer), page.replace(7, &answer)}, page.begin(),
                  page.end()),
            "");
  EXPECT_EQ(page.call(6), 6);
  EXPECT_EQ(page.call(7), 42);
  EXPECT_EQ(page.call(8), 8);
  EXPECT_EQ(page.call(last), 43);
  EXPECT_EQ(page.call(last - 1), static_cast<int>(last) - 1);
}

TEST(UvPatch, MemoryIsNeverLeftWritable) {
  const Page page;
  ASSERT_EQ(patch({page.replace(0, &answer)}, page.begin(), page.end()), "");
  EXPECT_EQ(page.protection(0), "r-xp");
  EXPECT_EQ(page.protection(page.count() - 1), "r-xp");
}

TEST(UvPatch, ReplacesNothingIfOneFunctionCannotBeReplaced) {
  const Page page;
  Replacement same = page.replace(1, &answer);
  same.name = "g";
  const std::string shared =
      patch({page.replace(1, &answer), page.replace(2, &answer), same}, page.begin(), page.end());
  EXPECT_NE(shared.find(" share their code"), std::string::npos) << shared;
  Replacement tiny = page.replace(3, &answer);
  tiny.address += 5;  // The instruction `ret`, and padding up to the next function.
  tiny.size = 1;
  EXPECT_EQ(patch({tiny}, page.begin(), page.end()), "");
  tiny = page.replace(4, &answer);
  tiny.size = 0;
  EXPECT_EQ(patch({page.replace(2, &answer), tiny}, page.begin(), page.end()),
            "f is too short for a jump");
  EXPECT_EQ(page.call(1), 1);
  EXPECT_EQ(page.call(2), 2);
}

}  // namespace
}  // namespace rondo::uv
