// relbind INPUT OUTPUT: writes a copy of a shared library that finds its own symbols without the
// dynamic linker's help. bind.h says what changes; this file reads, writes and reports.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "bind.h"

namespace {

using relbind::Error;
using relbind::Outcome;

constexpr int kFailed = 1;
constexpr int kBadUsage = 2;

// Far above any library, and low enough that the copy in memory can always be had.
constexpr off_t kMaxFileSize = off_t{256} << 20;

constexpr char kHelp[] =
    "Usage: relbind INPUT OUTPUT\n"
    "\n"
    "Writes OUTPUT, a copy of the x86-64 shared library INPUT in which references to the\n"
    "library's own symbols are relative, as if it had been linked with -Bsymbolic: it loads\n"
    "faster, and programs can no longer put their own definitions in place of the library's.\n"
    "OUTPUT appears complete or not at all, and may be INPUT itself.\n"
    "\n"
    "Ends with 0 if OUTPUT is written, 1 if INPUT cannot be bound or OUTPUT not be written,\n"
    "2 for wrong arguments.\n";

Error system_error(const char* what) { return {std::string(what) + ": " + std::strerror(errno)}; }

class File {
 public:
  explicit File(int fd) : fd_(fd) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }

  int fd() const { return fd_; }
  bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

struct Library {
  std::unique_ptr<std::byte[]> data;
  std::size_t size = 0;
  mode_t mode = 0;

  std::span<std::byte> bytes() const { return {data.get(), size}; }
};

Outcome<Library> read_library(const char* path) {
  File file(::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // A FIFO must not hang us.
  if (file.fd() < 0) return system_error("cannot be opened");
  struct stat status;
  if (::fstat(file.fd(), &status) != 0) return system_error("cannot be examined");
  if (!S_ISREG(status.st_mode)) return Error{"not a regular file"};
  if (status.st_size > kMaxFileSize) return Error{"larger than 256 MiB"};

  Library library;
  library.size = static_cast<std::size_t>(status.st_size);
  library.mode = status.st_mode & 0777;
  library.data.reset(new (std::nothrow) std::byte[library.size]);
  if (!library.data) return Error{"does not fit into memory"};
  std::size_t done = 0;
  while (done < library.size) {
    const ssize_t n = ::read(file.fd(), library.data.get() + done, library.size - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return system_error("cannot be read");
    if (n == 0) return Error{"became shorter while it was read"};
    done += static_cast<std::size_t>(n);
  }
  return library;
}

bool write_all(int fd, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return true;
}

// A build that is killed half-way must not leave a library that looks finished, so the bytes go to
// a neighbour first, and reach the disk before the name does.
std::optional<Error> write_library(const char* path, const Library& library) {
  std::string temporary = std::string(path) + ".XXXXXX";
  File file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (file.fd() < 0) return system_error("cannot be created");
  std::optional<Error> error;
  if (!write_all(file.fd(), library.bytes()) || ::fchmod(file.fd(), library.mode) != 0 ||
      ::fsync(file.fd()) != 0 || !file.close()) {
    error = system_error("cannot be written");
  } else if (::rename(temporary.c_str(), path) != 0) {
    error = system_error("cannot be replaced");
  }
  if (error) ::unlink(temporary.c_str());
  return error;
}

bool is_same_file(const char* left, const char* right) {
  struct stat a;
  struct stat b;
  return ::stat(left, &a) == 0 && ::stat(right, &b) == 0 && a.st_dev == b.st_dev &&
         a.st_ino == b.st_ino;
}

int fail(const char* path, const Error& error) {
  std::fprintf(stderr, "relbind: %s: %s\n", path, error.what.c_str());
  return kFailed;
}

void print(const char* path, const relbind::Report& report) {
  if (!report.is_changed) {
    std::printf("relbind: %s: already bound (%zu relative, %zu by name)\n", path, report.relative,
                report.by_name);
    return;
  }
  std::printf(
      "relbind: %s: bound %zu (%zu pointers, %zu GOT entries, %zu calls); %zu relative, "
      "%zu by name%s\n",
      path, report.bound(), report.pointers, report.got_entries, report.calls, report.relative,
      report.by_name, report.has_relative_count ? "" : "; no room for DT_RELACOUNT");
}

int run(const char* input, const char* output) {
  Outcome<Library> read = read_library(input);
  if (const auto* error = std::get_if<Error>(&read)) return fail(input, *error);
  const Library& library = *std::get_if<Library>(&read);
  const Outcome<relbind::Report> bound = relbind::bind_relative(library.bytes());
  if (const auto* error = std::get_if<Error>(&bound)) return fail(input, *error);
  const relbind::Report& report = *std::get_if<relbind::Report>(&bound);
  if (report.is_changed || !is_same_file(input, output)) {
    if (const auto error = write_library(output, library)) return fail(output, *error);
  }
  print(output, report);
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && (std::string_view(argv[1]) == "--help" || std::string_view(argv[1]) == "-h")) {
    std::fputs(kHelp, stdout);
    return EXIT_SUCCESS;
  }
  if (argc != 3) {
    std::fputs("relbind: takes an input and an output file (see relbind --help)\n", stderr);
    return kBadUsage;
  }
  return run(argv[1], argv[2]);
}
