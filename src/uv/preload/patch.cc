#include "uv/preload/patch.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "base/assert.h"

namespace rondo::uv {

namespace {

constexpr uint8_t kEndbr[] = {0xF3, 0x0F, 0x1E, 0xFA};
constexpr size_t kJumpSize = 5;  // jmp rel32
constexpr uint8_t kJump = 0xE9;
// jmp *2(%rip); two bytes that are not executed; the address.
constexpr uint8_t kIndirectJump[] = {0xFF, 0x25, 0x02, 0, 0, 0, 0x0F, 0x0B};
constexpr size_t kEntrySize = sizeof kIndirectJump + sizeof(uint64_t);
// The farthest that a jump may reach, less the size of the largest table.
constexpr uintptr_t kReach = (uintptr_t{1} << 31) - (uintptr_t{1} << 20);

uintptr_t page_size() { return static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE)); }
uintptr_t page_of(uintptr_t address) { return address & ~(page_size() - 1); }

std::string text_of(int error) { return std::generic_category().message(error); }

// The length of the padding instruction at `code`: int3, or a nop of up to 11 bytes as compilers
// and linkers write them. 0: another instruction, or longer than `most`.
size_t padding_size(const uint8_t* code, size_t most) {
  size_t prefixes = 0;  // Operand size, and the segment prefix of long nops.
  while (prefixes < most && (code[prefixes] == 0x66 || code[prefixes] == 0x2E)) ++prefixes;
  if (prefixes == most) return 0;
  const uint8_t* const at = code + prefixes;
  if (*at == 0x90) return prefixes + 1;
  if (*at == 0xCC) return prefixes == 0 ? 1 : 0;
  if (most - prefixes < 3 || at[0] != 0x0F || at[1] != 0x1F) return 0;
  const uint8_t mode = at[2] >> 6;
  const bool has_index = mode != 3 && (at[2] & 7) == 4;
  const size_t displacement = mode == 1 ? 1 : mode == 2 ? 4 : 0;
  return prefixes + 3 + (has_index ? 1 : 0) + displacement;
}

// Maps a table of `size` bytes within reach of [begin, end). Null if there is no free memory.
uint8_t* map_near(uintptr_t begin, uintptr_t end, size_t size) {
  const uintptr_t lowest = end > kReach ? end - kReach : page_size() * 16;
  const uintptr_t highest = begin + kReach;
  const auto map_at = [size](uintptr_t address) -> uint8_t* {
    void* const memory = ::mmap(reinterpret_cast<void*>(address), size, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    if (reinterpret_cast<uintptr_t>(memory) == address) return static_cast<uint8_t*>(memory);
    ::munmap(memory, size);  // A kernel before 4.17, which takes the address for a hint.
    return nullptr;
  };
  // Below the program first: the heap grows above it.
  constexpr uintptr_t kStep = uintptr_t{1} << 20;
  for (uintptr_t at = page_of(begin); at > lowest + kStep;) {
    at -= kStep;
    if (uint8_t* const memory = map_at(at); memory != nullptr) return memory;
  }
  if (begin > page_of(lowest) + size) {
    if (uint8_t* const memory = map_at(page_of(lowest) + page_size()); memory != nullptr) {
      return memory;
    }
  }
  for (uintptr_t at = page_of(highest) - kStep; at > end; at -= kStep) {
    if (uint8_t* const memory = map_at(at); memory != nullptr) return memory;
  }
  return nullptr;
}

// Neighbouring pages with the same protection.
struct Pages {
  uintptr_t begin;
  uintptr_t end;
  int protection;

  int protect(int wanted) const {
    void* const memory = reinterpret_cast<void*>(begin);
    return ::mprotect(memory, end - begin, wanted) == 0 ? 0 : errno;
  }
};

std::vector<Pages> pages_of(const std::vector<Replacement>& sorted) {
  std::vector<Pages> all;
  for (const Replacement& each : sorted) {
    const auto* const code = reinterpret_cast<const uint8_t*>(each.address);
    const uintptr_t begin = page_of(each.address);
    const uintptr_t end = page_of(each.address + patched_size(code) - 1) + page_size();
    if (!all.empty() && begin <= all.back().end && all.back().protection == each.protection) {
      all.back().end = std::max(all.back().end, end);
    } else {
      all.push_back({begin, end, each.protection});
    }
  }
  return all;
}

void write_jump(const Replacement& of, const uint8_t* entry) {
  auto* code = reinterpret_cast<uint8_t*>(of.address);
  code += patched_size(code) - kJumpSize;
  const auto distance = static_cast<int32_t>(entry - (code + kJumpSize));
  *code = kJump;
  std::memcpy(code + 1, &distance, sizeof distance);
}

// Why replacing is not possible, before anything has been changed.
std::string problem_of(const std::vector<Replacement>& sorted) {
  const Replacement* previous = nullptr;
  for (const Replacement& each : sorted) {
    if (!has_room(each)) return std::string(each.name) + " is too short for a jump";
    if (previous != nullptr && previous->address == each.address) {
      return std::string(previous->name) + " and " + each.name + " share their code";
    }
    previous = &each;
  }
  return "";
}

}  // namespace

size_t patched_size(const uint8_t* code) {
  const bool has_endbr = std::memcmp(code, kEndbr, sizeof kEndbr) == 0;
  return kJumpSize + (has_endbr ? sizeof kEndbr : 0);
}

bool has_room(const Replacement& replacement) {
  const auto* const code = reinterpret_cast<const uint8_t*>(replacement.address);
  const size_t wanted = patched_size(code);
  constexpr size_t kLongestPadding = 15;
  for (size_t size = replacement.size; size < wanted;) {
    const size_t padding = padding_size(code + size, kLongestPadding);
    if (padding == 0) return false;
    size += padding;
  }
  return true;
}

std::string patch(std::vector<Replacement> replacements, uintptr_t begin, uintptr_t end) {
  std::sort(replacements.begin(), replacements.end(),
            [](const Replacement& a, const Replacement& b) { return a.address < b.address; });
  if (std::string problem = problem_of(replacements); !problem.empty()) return problem;
  const size_t size = replacements.size() * kEntrySize;
  uint8_t* const table = map_near(begin, end, size);
  if (table == nullptr) return "there is no free memory within 2 GiB of its code";
  for (size_t i = 0; i < replacements.size(); ++i) {
    uint8_t* const entry = table + i * kEntrySize;
    std::memcpy(entry, kIndirectJump, sizeof kIndirectJump);
    std::memcpy(entry + sizeof kIndirectJump, &replacements[i].replacement, sizeof(uint64_t));
  }
  const char* const advice = "; a policy of this system, such as SELinux's, forbids changing code";
  if (::mprotect(table, size, PROT_READ | PROT_EXEC) != 0) {
    const int error = errno;
    ::munmap(table, size);
    return "mprotect: " + text_of(error) + advice;
  }
  const std::vector<Pages> pages = pages_of(replacements);
  int error = 0;
  size_t writable = 0;
  while (writable < pages.size() && error == 0) {
    error = pages[writable].protect(PROT_READ | PROT_WRITE);
    if (error == 0) ++writable;
  }
  if (error == 0) {
    for (size_t i = 0; i < replacements.size(); ++i) {
      write_jump(replacements[i], table + i * kEntrySize);
    }
  }
  for (size_t i = 0; i < writable; ++i) {
    // A program whose code is not executable any more cannot even end itself.
    if (pages[i].protect(pages[i].protection) != 0) {
      fatal(
          "rondo uv: the system does not allow changed code to be executed; a policy such as "
          "SELinux's forbids it");
    }
  }
  return error == 0 ? "" : "mprotect: " + text_of(error) + advice;
}

}  // namespace rondo::uv
