// Makes one system call fail: the n-th call of one row of calls.def, with one errno. The functions
// of libc are replaced by entry points (wrap.cc at link time, preload.cc with LD_PRELOAD) which
// call strike() before each call. Thread: any, also signal handlers and the child between fork(2)
// and exec(2): the state is in shared memory, and atomic.
#pragma once

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::faults {

enum class Style : uint8_t { minus_one, null, number, gai, after, completion };
enum class Driver : uint8_t { loop, runtime, uv };

// Kinds of descriptors that a row may be limited to. Commands of fcntl(2) and the like are smaller
// numbers.
enum Variant : long { any = -1, on_file = 1L << 40, on_pipe, on_socket, on_terminal, on_other };

struct Row {
  const char* name;     // "read", "SYS_openat2", "completion_read"
  const char* variant;  // "on_file", "F_SETFL" or "any"
  long value;           // Of the variant.
  Style style;
  Driver driver;
  const char* errors;  // Names, with spaces between them.
};

inline constexpr Row kRows[] = {
#define CALL(name, style, driver, ...) \
  {#name, "any", any, Style::style, Driver::driver, #__VA_ARGS__},
#define CALL_BY(name, style, driver) {#name, nullptr, 0, Style::style, Driver::driver, ""},
#define WHEN(name, variant, driver, ...) \
  {#name, #variant, static_cast<long>(variant), Style::minus_one, Driver::driver, #__VA_ARGS__},
#define SYSCALL(name, driver, ...) \
  {"SYS_" #name, "any", SYS_##name, Style::minus_one, Driver::driver, #__VA_ARGS__},
#define COMPLETION(name, driver, ...) \
  {"completion_" #name, "any", any, Style::completion, Driver::driver, #__VA_ARGS__},
#define EXEMPT(name, reason)
#define PURE(...)
#include "calls.def"
#undef CALL
#undef CALL_BY
#undef WHEN
#undef SYSCALL
#undef COMPLETION
#undef EXEMPT
#undef PURE
};
inline constexpr std::span<const Row> rows() { return kRows; }
std::string label_of(const Row& row);  // "read(on_file)"
std::vector<int> errors_of(const Row& row);
std::string error_name(const Row& row, int error);

// In memory that is shared with child processes, or a mapped file.
struct Control {
  static constexpr size_t kMostRows = 256;
  std::atomic<uint32_t> is_on;  // Otherwise calls are not even counted.
  std::atomic<uint32_t> fired;
  std::atomic<int32_t> row;  // -1: no call fails.
  std::atomic<int32_t> error;
  std::atomic<int64_t> left;  // The call that brings it to 0 fails.
  std::atomic<uint64_t> counts[kMostRows];
};
// Null: no call fails.
extern Control* control;
// Per process, unlike the members of Control: the test itself makes calls.
extern std::atomic<int> quiet_scopes;
inline bool is_on() {
  return control != nullptr && control->is_on.load(std::memory_order_relaxed) != 0 &&
         quiet_scopes.load(std::memory_order_relaxed) == 0;
}

static_assert(std::size(kRows) <= Control::kMostRows);

constexpr size_t kNoRow = SIZE_MAX;
// The first row of a name; the others follow it.
constexpr size_t first_row(std::string_view name) {
  for (size_t i = 0; i < std::size(kRows); ++i) {
    if (name == kRows[i].name) return i;
  }
  return kNoRow;
}
// The row of a direct system call; kNoRow for those that the table leaves alone.
constexpr size_t row_of_number(long number, long second) {
  constexpr long kOperation = 127, kWait = 0;  // FUTEX_WAIT without its flags.
  if (number == SYS_futex && (second & kOperation) != kWait) return kNoRow;
  for (size_t i = 0; i < std::size(kRows); ++i) {
    if (kRows[i].value == number && std::string_view(kRows[i].name).starts_with("SYS_")) return i;
  }
  return kNoRow;
}
// The row for a call with these arguments. `row` is that of the function.
size_t row_of(size_t row, long first, long second);
// Counts the call and returns the errno with which it must fail, or 0.
int strike(size_t row);
// True if the real call must be made although an error is reported.
bool takes_effect(const Row& row, int error);
// Returns the value with which the function reports this error, and sets errno if it uses that.
long failure(const Row& row, int error);

// A function of libc, called with its arguments in registers and, if it has seven, on the stack;
// functions with fewer ignore the rest. None takes floating-point numbers.
using Function = long (*)(long, long, long, long, long, long, long);

inline long enter(size_t first, Function real, long a, long b, long c, long d, long e, long f,
                  long g) {
  if (!is_on()) return real(a, b, c, d, e, f, g);
  const size_t row = row_of(first, a, b);
  const int error = row == kNoRow ? 0 : strike(row);
  if (error == 0) return real(a, b, c, d, e, f, g);
  if (takes_effect(rows()[row], error)) real(a, b, c, d, e, f, g);
  return failure(rows()[row], error);
}

}  // namespace rondo::faults
