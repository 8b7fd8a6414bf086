#include "uv/trace/symbols.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "base/fd.h"

namespace rondo::uv {

namespace {

// The functions of a file's symbol table, which has more of them than the dynamic one: static
// functions, and those of a program that exports none. Stripped files have no table.
class SymbolTable {
 public:
  explicit SymbolTable(const char* path) {
    const Fd fd(::open(path, O_RDONLY | O_CLOEXEC));
    struct stat status;
    if (!fd || ::fstat(fd.get(), &status) != 0) return;
    size_ = static_cast<size_t>(status.st_size);
    void* const memory = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd.get(), 0);
    if (memory == MAP_FAILED) return;
    data_ = static_cast<const char*>(memory);
    read();
    ::munmap(memory, size_);
    std::sort(functions_.begin(), functions_.end(),
              [](const Function& a, const Function& b) { return a.begin < b.begin; });
  }

  // The linker's name of the function at the offset from the file's base; empty if there is none.
  std::string name_at(uintptr_t offset) const {
    auto after =
        std::upper_bound(functions_.begin(), functions_.end(), offset,
                         [](uintptr_t value, const Function& each) { return value < each.begin; });
    if (after == functions_.begin()) return "";
    const Function& found = *--after;
    return offset - found.begin < std::max<uint64_t>(found.size, 1) ? names_.c_str() + found.name
                                                                    : "";
  }

 private:
  struct Function {
    uint64_t begin;
    uint64_t size;
    uint32_t name;  // Offset into names_.
  };

  // The object of type T at the offset; null if it is not in the file.
  template <class T>
  const T* at(uint64_t offset, uint64_t count = 1) const {
    const bool is_inside = offset <= size_ && count <= (size_ - offset) / sizeof(T);
    return is_inside ? reinterpret_cast<const T*>(data_ + offset) : nullptr;
  }

  void read() {
    const auto* const header = at<Elf64_Ehdr>(0);
    if (header == nullptr || std::string_view(data_, SELFMAG) != ELFMAG) return;
    const auto* const sections = at<Elf64_Shdr>(header->e_shoff, header->e_shnum);
    if (sections == nullptr) return;
    for (uint16_t i = 0; i < header->e_shnum; ++i) {
      const Elf64_Shdr& section = sections[i];
      if (section.sh_type != SHT_SYMTAB || section.sh_link >= header->e_shnum) continue;
      read_symbols(section, sections[section.sh_link]);
    }
  }

  void read_symbols(const Elf64_Shdr& section, const Elf64_Shdr& names) {
    const uint64_t count = section.sh_size / sizeof(Elf64_Sym);
    const auto* const symbols = at<Elf64_Sym>(section.sh_offset, count);
    const auto* const text = at<char>(names.sh_offset, names.sh_size);
    if (symbols == nullptr || text == nullptr || names.sh_size == 0) return;
    if (text[names.sh_size - 1] != '\0') return;
    for (uint64_t i = 0; i < count; ++i) {
      const Elf64_Sym& symbol = symbols[i];
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
      if (symbol.st_name < names.sh_size) {
        functions_.push_back({symbol.st_value, symbol.st_size, symbol.st_name});
      }
    }
    names_.assign(text, names.sh_size);  // A file has one table with names.
  }

  const char* data_ = nullptr;
  size_t size_ = 0;
  std::vector<Function> functions_;
  std::string names_;
};

const SymbolTable& table_of(const std::string& path) {
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<SymbolTable>> tables;
  const std::lock_guard lock(mutex);
  std::unique_ptr<SymbolTable>& table = tables[path];
  if (table == nullptr) table = std::make_unique<SymbolTable>(path.c_str());
  return *table;
}

std::string path_of_program() {
  char path[4096];
  const ssize_t size = ::readlink("/proc/self/exe", path, sizeof path);
  return std::string(path, size < 0 ? 0 : static_cast<size_t>(size));
}

constexpr std::string_view kAnonymous = "(anonymous namespace)";
constexpr std::string_view kCall = "operator()";

// The position behind the bracket that closes the one at `at`; the end if there is none.
size_t behind_bracket(std::string_view name, size_t at) {
  const char open = name[at];
  const char close = open == '<' ? '>' : ')';
  int depth = 0;
  for (; at < name.size(); ++at) {
    if (name[at] == open) ++depth;
    if (name[at] == close && --depth == 0) return at + 1;
  }
  return at;
}

// Removes parameters, template arguments and what follows them: "f<int>(int) const" becomes "f".
// Traces have room for the name only.
std::string without_parameters(std::string_view name) {
  std::string result;
  for (size_t at = 0; at < name.size();) {
    const std::string_view rest = name.substr(at);
    if (rest.starts_with(kAnonymous)) {
      result += kAnonymous;
      at += kAnonymous.size();
    } else if (rest.starts_with(kCall)) {
      result += kCall;
      at += kCall.size();
    } else if (rest[0] == '(' || (rest[0] == '<' && !result.ends_with("operator") &&
                                  !result.ends_with("operator<"))) {
      at = behind_bracket(name, at);
      if (name.substr(at).starts_with(" const")) at += std::string_view(" const").size();
    } else {
      result += rest[0];
      ++at;
    }
  }
  return result;
}

}  // namespace

void load_symbols_of_program() { (void)table_of(path_of_program()); }

std::string readable_name(const char* linker_name) {
  int failed = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(linker_name, nullptr, nullptr, &failed), &std::free);
  if (text == nullptr) return linker_name;
  return without_parameters(text.get());
}

FunctionName name_of_function(uintptr_t address) {
  Dl_info info{};
  link_map* map = nullptr;
  if (::dladdr1(reinterpret_cast<void*>(address), &info, reinterpret_cast<void**>(&map),
                RTLD_DL_LINKMAP) == 0) {
    return {"unknown function", "generated code"};
  }
  const bool is_program = map->l_name == nullptr || map->l_name[0] == '\0';
  const std::string path = is_program ? path_of_program() : map->l_name;
  const uintptr_t offset = address - map->l_addr;
  std::string name = info.dli_sname != nullptr ? info.dli_sname : table_of(path).name_at(offset);
  if (name.empty()) {
    char text[32];
    std::snprintf(text, sizeof text, "+0x%zx", static_cast<size_t>(offset));
    name = text;
  }
  return {readable_name(name.c_str()), path.substr(path.rfind('/') + 1)};
}

}  // namespace rondo::uv
