#include "uv/preload/module.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

namespace rondo::uv {

namespace {

// The hash function of DT_GNU_HASH.
uint32_t gnu_hash_of(const char* name) {
  uint32_t hash = 5381;
  for (; *name != '\0'; ++name) hash = hash * 33 + static_cast<unsigned char>(*name);
  return hash;
}

// The parts of a DT_GNU_HASH table.
struct GnuHash {
  explicit GnuHash(const uint32_t* table)
      : bucket_count(table[0]),
        first(table[1]),
        filter_size(table[2]),
        shift(table[3]),
        filter(reinterpret_cast<const ElfW(Addr) *>(table + 4)),
        buckets(reinterpret_cast<const uint32_t*>(filter + filter_size)),
        chains(buckets + bucket_count) {}

  // False if no symbol has this hash; usually true if one has.
  bool may_have(uint32_t hash) const {
    constexpr uint32_t kBits = sizeof(ElfW(Addr)) * 8;
    const ElfW(Addr) word = filter[(hash / kBits) % filter_size];
    return ((word >> (hash % kBits)) & (word >> ((hash >> shift) % kBits)) & 1) != 0;
  }

  uint32_t bucket_count;
  uint32_t first;  // The first symbol of the table that is in a bucket.
  uint32_t filter_size;
  uint32_t shift;
  const ElfW(Addr) * filter;
  const uint32_t* buckets;
  const uint32_t* chains;  // The hash of each symbol; the lowest bit ends a bucket.
};

}  // namespace

std::vector<Module> Module::loaded() {
  std::vector<Module> modules;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        static_cast<std::vector<Module>*>(data)->emplace_back(*info);
        return 0;
      },
      &modules);
  return modules;
}

Module::Module(const dl_phdr_info& info)
    : path_(info.dlpi_name == nullptr ? "" : info.dlpi_name), base_(info.dlpi_addr) {
  const ElfW(Dyn)* dynamic = nullptr;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info.dlpi_phdr[i];
    const uintptr_t address = base_ + header.p_vaddr;
    if (header.p_type == PT_DYNAMIC) dynamic = reinterpret_cast<const ElfW(Dyn)*>(address);
    if (header.p_type != PT_LOAD) continue;
    const int protection = ((header.p_flags & PF_R) != 0 ? PROT_READ : 0) |
                           ((header.p_flags & PF_W) != 0 ? PROT_WRITE : 0) |
                           ((header.p_flags & PF_X) != 0 ? PROT_EXEC : 0);
    segments_.push_back({address, address + header.p_memsz, protection});
    begin_ = std::min(begin_, address);
    end_ = std::max(end_, address + header.p_memsz);
  }
  if (dynamic != nullptr) read_dynamic(dynamic);
}

void Module::read_dynamic(const ElfW(Dyn) * entry) {
  // The dynamic linker of glibc has replaced offsets by addresses, except in the kernel's vDSO.
  const auto address = [this](const ElfW(Dyn) & of) {
    return of.d_un.d_ptr < base_ ? base_ + of.d_un.d_ptr : of.d_un.d_ptr;
  };
  for (; entry->d_tag != DT_NULL; ++entry) {
    switch (entry->d_tag) {
      case DT_SYMTAB: symbols_ = reinterpret_cast<const ElfW(Sym)*>(address(*entry)); break;
      case DT_STRTAB: strings_ = reinterpret_cast<const char*>(address(*entry)); break;
      case DT_GNU_HASH: gnu_hash_ = reinterpret_cast<const uint32_t*>(address(*entry)); break;
      case DT_HASH: hash_ = reinterpret_cast<const uint32_t*>(address(*entry)); break;
      case DT_NEEDED: needed_.push_back(entry->d_un.d_val); break;
      default: break;
    }
  }
}

int Module::protection(uintptr_t address) const {
  for (const Segment& segment : segments_) {
    if (segment.begin <= address && address < segment.end) return segment.protection;
  }
  return 0;
}

bool Module::needs(std::string_view library) const {
  return std::any_of(needed_.begin(), needed_.end(),
                     [&](size_t offset) { return library == strings_ + offset; });
}

bool Module::imports(const char* name) const {
  if (symbols_ == nullptr || strings_ == nullptr) return false;
  // Hash tables have only the functions that a module defines.
  const uint32_t count = symbol_count();
  for (uint32_t i = 1; i < count; ++i) {
    if (symbols_[i].st_shndx == SHN_UNDEF && std::strcmp(strings_ + symbols_[i].st_name, name) == 0)
      return true;
  }
  return false;
}

std::optional<Module::Function> Module::at(uint32_t index) const {
  const ElfW(Sym)& symbol = symbols_[index];
  const bool is_exported = symbol.st_shndx != SHN_UNDEF && symbol.st_shndx != SHN_ABS &&
                           ELF64_ST_TYPE(symbol.st_info) == STT_FUNC &&
                           ELF64_ST_BIND(symbol.st_info) != STB_LOCAL;
  if (!is_exported) return std::nullopt;
  return Function{strings_ + symbol.st_name, base_ + symbol.st_value, symbol.st_size};
}

uint32_t Module::symbol_count() const {
  if (hash_ != nullptr) return hash_[1];
  if (gnu_hash_ == nullptr) return 0;
  const GnuHash table(gnu_hash_);
  uint32_t last = 0;
  for (uint32_t i = 0; i < table.bucket_count; ++i) last = std::max(last, table.buckets[i]);
  if (last < table.first) return table.first;
  while ((table.chains[last - table.first] & 1) == 0) ++last;
  return last + 1;
}

uint32_t Module::index_of(const char* name) const {
  const auto is_same = [&](uint32_t index) {
    return std::strcmp(strings_ + symbols_[index].st_name, name) == 0;
  };
  if (gnu_hash_ == nullptr) {
    for (uint32_t i = 1; i < symbol_count(); ++i) {
      if (is_same(i)) return i;
    }
    return 0;
  }
  const GnuHash table(gnu_hash_);
  const uint32_t hash = gnu_hash_of(name);
  if (table.bucket_count == 0 || !table.may_have(hash)) return 0;
  uint32_t index = table.buckets[hash % table.bucket_count];
  if (index < table.first) return 0;
  for (;; ++index) {
    const uint32_t other = table.chains[index - table.first];
    if ((other | 1) == (hash | 1) && is_same(index)) return index;
    if ((other & 1) != 0) return 0;
  }
}

std::optional<Module::Function> Module::function(const char* name) const {
  if (symbols_ == nullptr || strings_ == nullptr) return std::nullopt;
  const uint32_t index = index_of(name);
  return index == 0 ? std::nullopt : at(index);
}

std::vector<Module::Function> Module::functions() const {
  std::vector<Function> all;
  if (symbols_ == nullptr || strings_ == nullptr) return all;
  const uint32_t count = symbol_count();
  for (uint32_t i = 1; i < count; ++i) {
    if (const std::optional<Function> function = at(i)) all.push_back(*function);
  }
  return all;
}

}  // namespace rondo::uv
