#include "inject.h"

#include <netdb.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cerrno>
#include <cstring>
#include <sstream>
#include <string_view>

namespace rondo::faults {
namespace {

struct NamedError {
  const char* name;
  int value;
};
constexpr NamedError kResolverErrors[] = {{"EAI_AGAIN", EAI_AGAIN},   {"EAI_FAIL", EAI_FAIL},
                                          {"EAI_FAMILY", EAI_FAMILY}, {"EAI_MEMORY", EAI_MEMORY},
                                          {"EAI_NONAME", EAI_NONAME}, {"EAI_SYSTEM", EAI_SYSTEM}};
// Aliases of some errors.
constexpr NamedError kAliases[] = {{"EWOULDBLOCK", EWOULDBLOCK}};

int error_of(std::string_view name) {
  for (const NamedError& error : kResolverErrors) {
    if (name == error.name) return error.value;
  }
  for (const NamedError& error : kAliases) {
    if (name == error.name) return error.value;
  }
  for (int code = 1; code < 134; ++code) {
    const char* known = ::strerrorname_np(code);
    if (known != nullptr && name == known) return code;
  }
  return 0;
}

// Calls fstat(2) directly: the library's function is replaced.
bool status_of(long fd, struct stat* status) {
  long result;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(SYS_fstat), "D"(fd), "S"(status)
               : "rcx", "r11", "memory");
  return result == 0;
}

long kind_of(long fd) {
  struct stat status {};
  if (!status_of(fd, &status)) return on_other;
  constexpr unsigned kFirstPty = 136, kLastPty = 143, kTty = 4, kConsoles = 5;
  const unsigned device = major(status.st_rdev);
  switch (status.st_mode & S_IFMT) {
    case S_IFIFO: return on_pipe;
    case S_IFSOCK: return on_socket;
    case S_IFCHR:
      return (device >= kFirstPty && device <= kLastPty) || device == kTty || device == kConsoles
                 ? on_terminal
                 : on_file;
    case 0: return on_other;  // Kernel objects without a file: eventfd, inotify.
    default: return on_file;
  }
}

}  // namespace

Control* control = nullptr;
std::atomic<int> quiet_scopes{0};

std::string label_of(const Row& row) {
  if (row.value == any || std::string_view(row.variant) == "any") return row.name;
  return std::string(row.name) + '(' + row.variant + ')';
}

std::vector<int> errors_of(const Row& row) {
  std::vector<int> errors;
  std::istringstream names(row.errors);
  for (std::string name; names >> name;) errors.push_back(error_of(name));
  return errors;
}

std::string error_name(const Row& row, int error) {
  if (row.style == Style::gai) {
    for (const NamedError& known : kResolverErrors) {
      if (known.value == error) return known.name;
    }
  }
  const char* name = ::strerrorname_np(error);
  return name == nullptr ? std::to_string(error) : name;
}

size_t row_of(size_t row, long first, long second) {
  const Row& function = kRows[row];
  if (function.variant != nullptr) return row;
  const bool is_by_kind = std::strcmp(function.name, "fcntl") != 0 &&
                          std::strcmp(function.name, "ioctl") != 0 &&
                          std::strcmp(function.name, "prctl") != 0;
  long wanted = std::strcmp(function.name, "prctl") == 0 ? first : second;
  if (is_by_kind) wanted = kind_of(first);
  wanted = is_by_kind ? wanted : static_cast<long>(static_cast<uint32_t>(wanted));
  for (size_t i = row + 1; i < std::size(kRows) && std::strcmp(kRows[i].name, function.name) == 0;
       ++i) {
    if (kRows[i].value == wanted) return i;
  }
  return kNoRow;
}

int strike(size_t row) {
  control->counts[row].fetch_add(1, std::memory_order_relaxed);
  if (control->row.load(std::memory_order_relaxed) != static_cast<int32_t>(row)) return 0;
  if (control->left.fetch_sub(1, std::memory_order_relaxed) != 1) return 0;
  control->fired.store(1, std::memory_order_relaxed);
  return control->error.load(std::memory_order_relaxed);
}

bool takes_effect(const Row& row, int error) {
  // An interrupted connect(2) continues in the background.
  return row.style == Style::after || (error == EINTR && std::strcmp(row.name, "connect") == 0);
}

long failure(const Row& row, int error) {
  switch (row.style) {
    case Style::null: errno = error; return 0;
    case Style::number: return error;
    case Style::gai:
      if (error == EAI_SYSTEM) errno = EMFILE;
      return error;
    default: errno = error; return -1;
  }
}

}  // namespace rondo::faults
