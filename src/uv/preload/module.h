// A program or library in the memory of this process, and the functions that it exports. Reads the
// tables that the dynamic linker uses; a program that is stripped has them, too.
// Thread: any, as long as no library is loaded or unloaded.
#pragma once

#include <link.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::uv {

class Module {
 public:
  struct Function {
    const char* name;
    uintptr_t address;
    size_t size;
  };

  // All modules of the process; the first is the program.
  static std::vector<Module> loaded();

  explicit Module(const dl_phdr_info& info);

  const std::string& path() const { return path_; }  // The program's is empty.
  uintptr_t begin() const { return begin_; }
  uintptr_t end() const { return end_; }
  bool contains(uintptr_t address) const { return begin_ <= address && address < end_; }
  // The protection (PROT_*) of the segment at `address`; 0 if there is none.
  int protection(uintptr_t address) const;

  // True if it was linked with the library of this name: "libuv.so.1".
  bool needs(std::string_view library) const;
  // True if it uses the function of another module: "dlopen".
  bool imports(const char* name) const;
  std::optional<Function> function(const char* name) const;
  std::vector<Function> functions() const;  // All, in the order of the table.

 private:
  struct Segment {
    uintptr_t begin;
    uintptr_t end;
    int protection;
  };

  void read_dynamic(const ElfW(Dyn) * entry);
  // The number of the symbol in the table; 0 if there is none.
  uint32_t index_of(const char* name) const;
  uint32_t symbol_count() const;
  std::optional<Function> at(uint32_t index) const;

  std::string path_;
  uintptr_t base_ = 0;
  uintptr_t begin_ = UINTPTR_MAX;
  uintptr_t end_ = 0;
  std::vector<Segment> segments_;
  const ElfW(Sym) * symbols_ = nullptr;
  const char* strings_ = nullptr;
  const uint32_t* gnu_hash_ = nullptr;
  const uint32_t* hash_ = nullptr;
  std::vector<size_t> needed_;  // Offsets into strings_.
};

}  // namespace rondo::uv
