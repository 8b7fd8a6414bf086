// make_engine: writes a copy of V8's host program that starts our code. adopt.h documents the
// changes; this file reads, writes and reports.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "adopt.h"

namespace {

using engine_tool::Error;
using engine_tool::Outcome;

constexpr int kFailed = 1;
constexpr int kBadUsage = 2;

// Far above any program, and small enough to fit in memory.
constexpr off_t kMaxFileSize = off_t{512} << 20;

constexpr char kHelp[] =
    "Usage: make_engine --needed=NAME... --runpath=PATH [--exports=FILE] [--skip=FILE] INPUT "
    "OUTPUT\n"
    "\n"
    "Writes OUTPUT, a copy of the x86-64 executable INPUT that loads the program NAME first, "
    "found\n"
    "in PATH, and exports V8's symbols and those listed in FILE (one per line, # for comments) "
    "only.\n"
    "Static constructors listed in the FILE of --skip are not run by OUTPUT.\n"
    "OUTPUT appears complete or not at all, and may be INPUT itself.\n"
    "\n"
    "Ends with 0 if OUTPUT is written, 1 if INPUT cannot be used or OUTPUT not be written,\n"
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

struct Program {
  std::unique_ptr<std::byte[]> data;
  std::size_t size = 0;
  mode_t mode = 0;

  std::span<std::byte> bytes() const { return {data.get(), size}; }
};

Outcome<Program> read_program(const char* path) {
  File file(::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // A FIFO must not block.
  if (file.fd() < 0) return system_error("cannot be opened");
  struct stat status;
  if (::fstat(file.fd(), &status) != 0) return system_error("cannot be examined");
  if (!S_ISREG(status.st_mode)) return Error{"not a regular file"};
  if (status.st_size > kMaxFileSize) return Error{"larger than 512 MiB"};

  Program program;
  program.size = static_cast<std::size_t>(status.st_size);
  program.mode = status.st_mode & 0777;
  program.data.reset(new (std::nothrow) std::byte[program.size]);
  if (!program.data) return Error{"does not fit into memory"};
  std::size_t done = 0;
  while (done < program.size) {
    const ssize_t n = ::read(file.fd(), program.data.get() + done, program.size - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return system_error("cannot be read");
    if (n == 0) return Error{"became shorter while it was read"};
    done += static_cast<std::size_t>(n);
  }
  return program;
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

// An interrupted build must not leave a program that looks finished, so the bytes are written to a
// temporary file and synced before it is renamed.
std::optional<Error> write_program(const char* path, const Program& program) {
  std::string temporary = std::string(path) + ".XXXXXX";
  File file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (file.fd() < 0) return system_error("cannot be created");
  std::optional<Error> error;
  if (!write_all(file.fd(), program.bytes()) || ::fchmod(file.fd(), program.mode) != 0 ||
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
  std::fprintf(stderr, "make_engine: %s: %s\n", path, error.what.c_str());
  return kFailed;
}

// Reads one symbol per line.
std::optional<Error> read_symbols(const char* path, std::set<std::string, std::less<>>& symbols) {
  std::ifstream file(path);
  if (!file) return system_error("cannot be opened");
  std::string line;
  while (std::getline(file, line)) {
    line.erase(std::min(line.find('#'), line.size()));
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back())) != 0) {
      line.pop_back();
    }
    if (!line.empty()) symbols.insert(line);
  }
  if (file.bad()) return system_error("cannot be read");
  return std::nullopt;
}

int run(const char* input, const char* output, const engine_tool::Changes& changes) {
  Outcome<Program> read = read_program(input);
  if (const auto* error = std::get_if<Error>(&read)) return fail(input, *error);
  const Program& program = *std::get_if<Program>(&read);
  const Outcome<engine_tool::Report> adopted = engine_tool::adopt(program.bytes(), changes);
  if (const auto* error = std::get_if<Error>(&adopted)) return fail(input, *error);
  const engine_tool::Report& report = *std::get_if<engine_tool::Report>(&adopted);
  if (report.is_changed || !is_same_file(input, output)) {
    if (const auto error = write_program(output, program)) return fail(output, *error);
  }
  std::printf("make_engine: %s: %zu symbols exported, %zu hidden\n", output, report.kept,
              report.hidden);
  return EXIT_SUCCESS;
}

int bad_usage(const std::string& what) {
  std::fprintf(stderr, "make_engine: %s (see make_engine --help)\n", what.c_str());
  return kBadUsage;
}

}  // namespace

int main(int argc, char** argv) {
  engine_tool::Changes changes;
  std::vector<const char*> files;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const auto value = [&](std::string_view option) {
      return argument.starts_with(option) ? argv[i] + option.size() : nullptr;
    };
    if (argument == "--help" || argument == "-h") {
      std::fputs(kHelp, stdout);
      return EXIT_SUCCESS;
    }
    if (const char* const name = value("--needed=")) {
      changes.needed.emplace_back(name);
    } else if (const char* const path = value("--runpath=")) {
      changes.runpath = path;
    } else if (const char* const list = value("--exports=")) {
      if (const auto error = read_symbols(list, changes.exports)) return fail(list, *error);
    } else if (const char* const skipped = value("--skip=")) {
      if (const auto error = read_symbols(skipped, changes.constructors))
        return fail(skipped, *error);
    } else if (argument.starts_with("-")) {
      return bad_usage("there is no option " + std::string(argument));
    } else {
      files.push_back(argv[i]);
    }
  }
  if (files.size() != 2) return bad_usage("takes an input and an output file");
  if (changes.needed.empty() || changes.runpath.empty()) {
    return bad_usage("needs --needed and --runpath");
  }
  return run(files[0], files[1], changes);
}
