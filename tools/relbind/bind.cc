#include "bind.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace relbind {

namespace {

constexpr std::uint64_t kRelaSize = sizeof(Elf64_Rela);

bool is_relative(const Elf64_Rela& entry) { return entry.r_info == R_X86_64_RELATIVE; }

// A run of relocations, where ld.so finds it and where the file has it.
struct Table {
  Elf64_Addr address = 0;
  FileRange range;

  Elf64_Addr end() const { return address + range.size; }
};

class Binder {
 public:
  explicit Binder(ElfImage& image) : image_(image) {}

  // Everything that can be refused is refused in prepare(); apply() only writes.
  std::optional<Error> prepare();
  Report apply();

 private:
  std::optional<Error> find_tables();
  std::optional<Error> find_table(const char* name, std::int64_t address_tag, std::int64_t size_tag,
                                  Table& table) const;
  std::optional<Error> find_symbols();
  std::optional<Error> bind(Elf64_Rela& entry);
  std::optional<Elf64_Sym> symbol(std::uint32_t index) const;
  bool is_bound_at_load() const;
  void protect_bound_symbols();
  void set_relative_count();
  void set_table_sizes();

  ElfImage& image_;
  Table dyn_;
  Table plt_;
  bool joins_plt_ = false;  // The PLT's table is emptied into .rela.dyn.
  FileRange symbols_;
  std::size_t symbols_used_ = 0;  // The first so many are all that relocations name.
  std::vector<Elf64_Rela> entries_;
  std::vector<std::uint32_t> bound_;  // Indices of symbols; repeats until prepare() ends.
  Report report_;
};

// Whether a reference to the symbol may be settled now: what -Bsymbolic binds, and what ld.so would
// have found in this library if nobody interposed.
bool is_bindable(const ElfImage& image, const Elf64_Sym& symbol) {
  const unsigned type = ELF64_ST_TYPE(symbol.st_info);
  const unsigned binding = ELF64_ST_BIND(symbol.st_info);
  // Undefined, absolute (which the load address does not move) and other special indices.
  if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= SHN_LORESERVE) return false;
  if (symbol.st_value == 0) return false;  // ld.so takes it for undefined.
  if (type != STT_NOTYPE && type != STT_OBJECT && type != STT_FUNC) return false;
  if (binding == STB_GLOBAL) return true;
  // Weak data that can be written may be the state of an inline function (Clang marks it weak where
  // GCC says unique), which library and program must share. Weak code and vtables are the same on
  // both sides.
  return binding == STB_WEAK && !image.is_writable(symbol.st_value);
}

std::optional<Error> Binder::find_table(const char* name, std::int64_t address_tag,
                                        std::int64_t size_tag, Table& table) const {
  const auto address = image_.dynamic(address_tag);
  const auto size = image_.dynamic(size_tag);
  if (!address || !size) return std::nullopt;
  if (*size % kRelaSize != 0) return Error{std::string(name) + " has a broken entry at its end"};
  const auto range = image_.find(*address, *size);
  if (!range) return Error{std::string(name) + " lies outside the loaded segments"};
  if (image_.is_structure(*range)) return Error{std::string(name) + " overlaps a header"};
  table = {*address, *range};
  return std::nullopt;
}

std::optional<Error> Binder::find_tables() {
  if (image_.dynamic(DT_REL)) return Error{"relocations without addends, which x86-64 never has"};
  if (image_.dynamic(DT_RELAENT).value_or(kRelaSize) != kRelaSize) {
    return Error{"relocations of an unknown size"};
  }
  if (image_.dynamic(DT_PLTREL).value_or(DT_RELA) != DT_RELA) {
    return Error{"PLT relocations without addends, which x86-64 never has"};
  }
  if (auto error = find_table(".rela.dyn", DT_RELA, DT_RELASZ, dyn_)) return error;
  if (auto error = find_table(".rela.plt", DT_JMPREL, DT_PLTRELSZ, plt_)) return error;
  if (dyn_.range.overlaps(plt_.range)) return Error{".rela.dyn and .rela.plt overlap"};
  joins_plt_ = is_bound_at_load() && dyn_.range.size != 0 && plt_.range.size != 0 &&
               dyn_.end() == plt_.address && dyn_.range.end() == plt_.range.offset;
  return std::nullopt;
}

bool Binder::is_bound_at_load() const {
  return image_.dynamic(DT_BIND_NOW).has_value() ||
         (image_.dynamic(DT_FLAGS).value_or(0) & DF_BIND_NOW) != 0 ||
         (image_.dynamic(DT_FLAGS_1).value_or(0) & DF_1_NOW) != 0;
}

// The dynamic section does not say where the symbol table ends, and nothing but the hash tables
// depends on it. The section header does, and without one the segment is the bound.
std::optional<Error> Binder::find_symbols() {
  const auto address = image_.dynamic(DT_SYMTAB);
  if (!address) return Error{"no symbol table"};
  if (image_.dynamic(DT_SYMENT).value_or(sizeof(Elf64_Sym)) != sizeof(Elf64_Sym)) {
    return Error{"symbols of an unknown size"};
  }
  std::optional<FileRange> range = image_.find_rest(*address);
  const FileRange sections = image_.sections();
  for (std::size_t at = sections.offset; at != sections.end(); at += sizeof(Elf64_Shdr)) {
    const auto section = image_.load<Elf64_Shdr>(at);
    if (section.sh_type != SHT_DYNSYM || section.sh_addr != *address) continue;
    range = image_.find(*address, section.sh_size);
  }
  if (!range) return Error{"the symbol table lies outside the loaded segments"};
  symbols_ = *range;
  return std::nullopt;
}

std::optional<Elf64_Sym> Binder::symbol(std::uint32_t index) const {
  if (index >= symbols_.size / sizeof(Elf64_Sym)) return std::nullopt;
  return image_.load<Elf64_Sym>(symbols_.offset + index * sizeof(Elf64_Sym));
}

std::optional<Error> Binder::bind(Elf64_Rela& entry) {
  const std::uint64_t type = ELF64_R_TYPE(entry.r_info);
  const auto index = static_cast<std::uint32_t>(ELF64_R_SYM(entry.r_info));
  const bool writes_address = type == R_X86_64_RELATIVE || type == R_X86_64_64 ||
                              type == R_X86_64_GLOB_DAT || type == R_X86_64_JUMP_SLOT;
  if (writes_address && !image_.is_loaded(entry.r_offset, sizeof(Elf64_Addr))) {
    return Error{"a relocation writes outside the loaded segments"};
  }
  if (index == 0) return std::nullopt;
  const auto target = symbol(index);
  if (!target)
    return Error{"a relocation names symbol " + std::to_string(index) + " of " +
                 std::to_string(symbols_.size / sizeof(Elf64_Sym))};

  symbols_used_ = std::max<std::size_t>(symbols_used_, std::size_t{index} + 1);

  std::size_t* count = nullptr;
  std::uint64_t addend = 0;  // GLOB_DAT and JUMP_SLOT are the symbol's address, addend or not.
  if (type == R_X86_64_64) {
    count = &report_.pointers;
    addend = static_cast<std::uint64_t>(entry.r_addend);
  } else if (type == R_X86_64_GLOB_DAT) {
    count = &report_.got_entries;
  } else if (type == R_X86_64_JUMP_SLOT) {
    count = &report_.calls;
  }
  if (count != nullptr && is_bindable(image_, *target)) {
    ++*count;
    entry.r_info = R_X86_64_RELATIVE;
    entry.r_addend = static_cast<Elf64_Sxword>(target->st_value + addend);
    bound_.push_back(index);
  } else if (type == R_X86_64_JUMP_SLOT) {
    entry.r_info = ELF64_R_INFO(static_cast<std::uint64_t>(index), R_X86_64_GLOB_DAT);
  }
  return std::nullopt;
}

std::optional<Error> Binder::prepare() {
  if (auto error = find_tables()) return error;
  if (auto error = find_symbols()) return error;
  const std::size_t size = dyn_.range.size + (joins_plt_ ? plt_.range.size : 0);
  entries_.reserve(size / kRelaSize);
  for (std::size_t at = dyn_.range.offset; at != dyn_.range.offset + size; at += kRelaSize) {
    entries_.push_back(image_.load<Elf64_Rela>(at));
    if (auto error = bind(entries_.back())) return error;
  }
  std::sort(bound_.begin(), bound_.end());
  bound_.erase(std::unique(bound_.begin(), bound_.end()), bound_.end());
  const FileRange used = {symbols_.offset, symbols_used_ * sizeof(Elf64_Sym)};
  if (image_.is_structure(used) || used.overlaps({dyn_.range.offset, size})) {
    return Error{"the symbol table overlaps another table"};
  }

  // Both stable: the linker's order of the others is by symbol, which ld.so's cache likes, with
  // IRELATIVE last, whose resolvers may use what stands before.
  const auto others = std::stable_partition(entries_.begin(), entries_.end(), is_relative);
  std::stable_sort(entries_.begin(), others, [](const Elf64_Rela& left, const Elf64_Rela& right) {
    return left.r_offset < right.r_offset;
  });
  report_.relative = static_cast<std::size_t>(others - entries_.begin());
  report_.by_name =
      static_cast<std::size_t>(std::count_if(others, entries_.end(), [](const Elf64_Rela& entry) {
        return ELF64_R_SYM(entry.r_info) != 0;
      }));
  if (!joins_plt_) report_.by_name += plt_.range.size / kRelaSize;
  return std::nullopt;
}

Report Binder::apply() {
  std::size_t at = dyn_.range.offset;
  for (const Elf64_Rela& entry : entries_) {
    image_.store(at, entry);
    at += kRelaSize;
  }
  protect_bound_symbols();
  set_relative_count();
  if (joins_plt_) set_table_sizes();
  report_.is_changed = image_.is_changed();
  return report_;
}

void Binder::protect_bound_symbols() {
  for (const std::uint32_t index : bound_) {
    const std::size_t at = symbols_.offset + index * sizeof(Elf64_Sym);
    auto target = image_.load<Elf64_Sym>(at);
    if (ELF64_ST_VISIBILITY(target.st_other) != STV_DEFAULT) continue;  // Narrower already.
    target.st_other |= STV_PROTECTED;
    image_.store(at, target);
  }
}

void Binder::set_relative_count() {
  if (image_.dynamic(DT_RELACOUNT)) {
    image_.set_dynamic(DT_RELACOUNT, report_.relative);
    report_.has_relative_count = true;
  } else {
    report_.has_relative_count =
        report_.relative != 0 && image_.add_dynamic(DT_RELACOUNT, report_.relative);
  }
}

// .rela.dyn takes over the bytes of .rela.plt, which stays as an empty table at its end. The
// section headers follow, for debuggers and for whoever strips or inspects the library.
void Binder::set_table_sizes() {
  const std::uint64_t size = dyn_.range.size + plt_.range.size;
  image_.set_dynamic(DT_RELASZ, size);
  image_.set_dynamic(DT_JMPREL, plt_.end());
  image_.set_dynamic(DT_PLTRELSZ, 0);
  const FileRange sections = image_.sections();
  for (std::size_t at = sections.offset; at != sections.end(); at += sizeof(Elf64_Shdr)) {
    auto section = image_.load<Elf64_Shdr>(at);
    if (section.sh_type != SHT_RELA) continue;
    if (section.sh_addr == dyn_.address && section.sh_size == dyn_.range.size) {
      section.sh_size = size;
    } else if (section.sh_addr == plt_.address && section.sh_size == plt_.range.size) {
      section.sh_addr = plt_.end();
      section.sh_offset = plt_.range.end();
      section.sh_size = 0;
    }
    image_.store(at, section);
  }
}

}  // namespace

Outcome<Report> bind_relative(std::span<std::byte> library) {
  Outcome<ElfImage> parsed = ElfImage::parse(library);
  if (const auto* error = std::get_if<Error>(&parsed)) return *error;
  Binder binder(*std::get_if<ElfImage>(&parsed));
  if (auto error = binder.prepare()) return *error;
  return binder.apply();
}

}  // namespace relbind
