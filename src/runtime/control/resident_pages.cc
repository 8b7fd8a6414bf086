#include "runtime/control/resident_pages.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <string>

#include "base/fd.h"

namespace rondo::runtime {
namespace {

std::string_view take_until(std::string_view& text, char end) {
  const size_t length = text.find(end);
  const std::string_view taken = text.substr(0, length);
  text.remove_prefix(length == std::string_view::npos ? text.size() : length + 1);
  return taken;
}

bool read_hex(std::string_view text, uintptr_t& value) {
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value, 16);
  return result.ec == std::errc() && result.ptr == end;
}

// The first line of a mapping: "begin-end rwxp offset device inode path".
struct Head {
  AddressRange range;
  bool is_candidate = false;
};

bool read_head(std::string_view line, Head& head) {
  std::string_view first = take_until(line, ' ');
  if (!read_hex(take_until(first, '-'), head.range.begin) || !read_hex(first, head.range.end)) {
    return false;
  }
  const std::string_view access = take_until(line, ' ');
  if (access.size() != 4) return false;
  take_until(line, ' ');  // Skips the offset
  take_until(line, ' ');  // and the device.
  const std::string_view inode = take_until(line, ' ');
  head.is_candidate = access[0] == 'r' && access[1] == '-' && access[3] == 'p' && inode != "0";
  return true;
}

bool is_zero(std::string_view value) {
  const size_t first = value.find_first_not_of(' ');
  return first != std::string_view::npos && value.substr(first) == "0 kB";
}

std::string read_smaps() {
  std::string text;
  const Fd file(::open("/proc/self/smaps", O_RDONLY | O_CLOEXEC));
  std::array<char, 16384> piece;
  while (file) {
    const ssize_t size = ::read(file.get(), piece.data(), piece.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    text.append(piece.data(), static_cast<size_t>(size));
  }
  return text;
}

}  // namespace

std::vector<AddressRange> unchanged_file_ranges(std::string_view smaps) {
  constexpr std::string_view kAnonymous = "Anonymous:";
  std::vector<AddressRange> ranges;
  Head head;
  while (!smaps.empty()) {
    const std::string_view line = take_until(smaps, '\n');
    if (line.starts_with(kAnonymous)) {
      if (head.is_candidate && is_zero(line.substr(kAnonymous.size()))) {
        ranges.push_back(head.range);
      }
      head.is_candidate = false;
    } else if (Head next; read_head(line, next)) {
      head = next;
    }
  }
  return ranges;
}

void release_file_pages() {
  for (const AddressRange& range : unchanged_file_ranges(read_smaps())) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel gives the address as a number.
    ::madvise(reinterpret_cast<void*>(range.begin), range.end - range.begin, MADV_DONTNEED);
  }
}

}  // namespace rondo::runtime
