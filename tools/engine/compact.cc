#include "compact.h"

#include <algorithm>
#include <bit>
#include <map>
#include <string>

namespace engine_tool {
namespace {

// Bits of the Bloom filter for each symbol; GNU ld has about as many.
constexpr std::size_t kBitsPerSymbol = 12;
constexpr std::size_t kWordBits = 64;
constexpr std::uint32_t kBloomShift = 14;

std::uint32_t hash_of(std::string_view name) {
  std::uint32_t hash = 5381;
  for (const char c : name) hash = hash * 33 + static_cast<unsigned char>(c);
  return hash;
}

bool is_local(const Elf64_Sym& symbol) { return ELF64_ST_BIND(symbol.st_info) == STB_LOCAL; }

class Compaction {
 public:
  Compaction(ElfImage& image, const SymbolTables& tables, const std::vector<bool>& pinned)
      : image_(image), tables_(tables), pinned_(pinned) {}

  void run() {
    choose();
    if (order_.size() == tables_.count) return;
    sort_by_bucket();
    pack_names();
    write_relocations();
    write_symbols();
    write_hash();
    write_section_headers();
  }

 private:
  struct Entry {
    std::size_t old_index = 0;
    Elf64_Sym symbol{};
    std::string name;
    std::uint32_t hash = 0;
  };

  bool is_hashed(const Entry& entry) const {
    return entry.old_index != 0 && !is_local(entry.symbol) && entry.symbol.st_shndx != SHN_UNDEF;
  }
  void choose();
  void sort_by_bucket();
  void pack_names();
  void write_relocations();
  void write_symbols();
  void write_hash();
  void write_section_headers();
  // Fills the rest of a table with zeros.
  void clear(std::size_t from, std::size_t to) {
    for (; from < to; ++from) image_.store(from, '\0');
  }

  ElfImage& image_;
  const SymbolTables& tables_;
  const std::vector<bool>& pinned_;
  std::vector<Entry> order_;    // Local symbols, undefined ones, those in the hash table.
  std::size_t locals_ = 0;      // The number of local symbols,
  std::size_t first_hash_ = 0;  // and the first symbol of the hash table.
  std::size_t buckets_ = 1;
  std::size_t hash_end_ = 0;
};

void Compaction::choose() {
  std::vector<bool> is_referred_to(tables_.count, false);
  for (const FileRange& range : tables_.relocations) {
    for (std::size_t at = range.offset; at != range.end(); at += sizeof(Elf64_Rela)) {
      is_referred_to[ELF64_R_SYM(image_.load<Elf64_Rela>(at).r_info)] = true;
    }
  }
  for (std::size_t i = 0; i < tables_.count; ++i) {
    const Elf64_Sym symbol = tables_.symbol(image_, i);
    const bool is_hidden = is_local(symbol) && symbol.st_name == 0 && symbol.st_shndx != SHN_UNDEF;
    if (i != 0 && is_hidden && !is_referred_to[i]) continue;
    std::string name(tables_.name(image_, symbol.st_name));
    const std::uint32_t hash = hash_of(name);
    order_.push_back({i, symbol, std::move(name), hash});
  }
}

void Compaction::sort_by_bucket() {
  const auto rank = [&](const Entry& entry) {
    if (entry.old_index == 0) return 0;
    return is_local(entry.symbol) ? 1 : is_hashed(entry) ? 3 : 2;
  };
  const auto count = [&](int least) {
    return static_cast<std::size_t>(std::count_if(
        order_.begin(), order_.end(), [&](const Entry& entry) { return rank(entry) >= least; }));
  };
  locals_ = order_.size() - count(2);
  first_hash_ = order_.size() - count(3);
  buckets_ = std::clamp<std::size_t>(count(3) / 2, 1, tables_.buckets);
  std::stable_sort(order_.begin(), order_.end(), [&](const Entry& a, const Entry& b) {
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    return is_hashed(a) && a.hash % buckets_ < b.hash % buckets_;
  });
}

// Moves the names of symbols to the beginning of the table, around pinned ones. If they do not fit,
// which can happen if many share their ends, all stay.
void Compaction::pack_names() {
  std::map<std::string_view, std::size_t> places{{"", 0}};
  std::vector<bool> is_used = pinned_;
  is_used[0] = true;
  std::size_t at = 1;
  for (const Entry& entry : order_) {
    if (places.contains(entry.name)) continue;
    const std::size_t size = entry.name.size() + 1;
    std::size_t run = 0;
    for (; run < size && at + run < is_used.size();) {
      if (is_used[at + run]) {
        at += run + 1;
        run = 0;
      } else {
        ++run;
      }
    }
    if (run < size) return;
    places.emplace(entry.name, at);
    at += size;
  }
  for (std::size_t i = 1; i < is_used.size(); ++i) {
    if (!pinned_[i]) image_.store(tables_.strings.offset + i, '\0');
  }
  for (Entry& entry : order_) {
    const std::size_t place = places.at(entry.name);
    entry.symbol.st_name = static_cast<Elf64_Word>(place);
    for (std::size_t i = 0; i < entry.name.size(); ++i) {
      image_.store(tables_.strings.offset + place + i, entry.name[i]);
    }
  }
}

void Compaction::write_relocations() {
  std::vector<std::size_t> new_index(tables_.count, 0);
  for (std::size_t i = 0; i < order_.size(); ++i) new_index[order_[i].old_index] = i;
  for (const FileRange& range : tables_.relocations) {
    for (std::size_t at = range.offset; at != range.end(); at += sizeof(Elf64_Rela)) {
      auto entry = image_.load<Elf64_Rela>(at);
      const std::uint64_t index = new_index[ELF64_R_SYM(entry.r_info)];
      entry.r_info = ELF64_R_INFO(index, ELF64_R_TYPE(entry.r_info));
      image_.store(at, entry);
    }
  }
}

void Compaction::write_symbols() {
  std::vector<Elf64_Half> versions;
  for (const Entry& entry : order_) {
    if (tables_.versions.size == 0) break;
    versions.push_back(
        image_.load<Elf64_Half>(tables_.versions.offset + entry.old_index * sizeof(Elf64_Half)));
  }
  for (std::size_t i = 0; i < order_.size(); ++i) {
    image_.store(tables_.symbols.offset + i * sizeof(Elf64_Sym), order_[i].symbol);
  }
  for (std::size_t i = 0; i < versions.size(); ++i) {
    image_.store(tables_.versions.offset + i * sizeof(Elf64_Half), versions[i]);
  }
  clear(tables_.symbols.offset + order_.size() * sizeof(Elf64_Sym), tables_.symbols.end());
  clear(tables_.versions.offset + versions.size() * sizeof(Elf64_Half), tables_.versions.end());
}

// Not larger than the old one: it has no more buckets, words and symbols.
void Compaction::write_hash() {
  const std::size_t count = order_.size() - first_hash_;
  const std::size_t wanted = std::bit_ceil(count * kBitsPerSymbol / kWordBits + 1);
  const std::size_t words = std::min(wanted, tables_.words);
  std::vector<std::uint64_t> bloom(words, 0);
  std::vector<std::uint32_t> heads(buckets_, 0);
  std::vector<std::uint32_t> chains;
  for (std::size_t i = first_hash_; i < order_.size(); ++i) {
    const std::uint32_t hash = order_[i].hash;
    bloom[hash / kWordBits % words] |= std::uint64_t{1} << hash % kWordBits |
                                       std::uint64_t{1} << (hash >> kBloomShift) % kWordBits;
    const std::size_t bucket = hash % buckets_;
    if (heads[bucket] == 0) heads[bucket] = static_cast<std::uint32_t>(i);
    const bool is_last = i + 1 == order_.size() || order_[i + 1].hash % buckets_ != bucket;
    chains.push_back((hash & ~1u) | (is_last ? 1u : 0u));
  }
  std::vector<std::uint32_t> table = {static_cast<std::uint32_t>(buckets_),
                                      static_cast<std::uint32_t>(first_hash_),
                                      static_cast<std::uint32_t>(words), kBloomShift};
  for (const std::uint64_t word : bloom) {
    table.push_back(static_cast<std::uint32_t>(word));
    table.push_back(static_cast<std::uint32_t>(word >> 32));
  }
  table.insert(table.end(), heads.begin(), heads.end());
  table.insert(table.end(), chains.begin(), chains.end());
  hash_end_ = tables_.hash.offset + table.size() * sizeof(std::uint32_t);
  for (std::size_t i = 0; i < table.size(); ++i) {
    image_.store(tables_.hash.offset + i * sizeof(std::uint32_t), table[i]);
  }
  clear(hash_end_, tables_.hash.end());
}

// For tools that list symbols: ld.so does not read section headers.
void Compaction::write_section_headers() {
  const FileRange& headers = image_.sections();
  for (std::size_t at = headers.offset; at != headers.end(); at += sizeof(Elf64_Shdr)) {
    auto header = image_.load<Elf64_Shdr>(at);
    if (header.sh_type == SHT_DYNSYM && header.sh_offset == tables_.symbols.offset) {
      header.sh_size = order_.size() * sizeof(Elf64_Sym);
      header.sh_info = static_cast<Elf64_Word>(locals_);
    } else if (header.sh_type == SHT_GNU_versym && header.sh_offset == tables_.versions.offset) {
      header.sh_size = order_.size() * sizeof(Elf64_Half);
    } else if (header.sh_type == SHT_GNU_HASH && header.sh_offset == tables_.hash.offset) {
      header.sh_size = hash_end_ - tables_.hash.offset;
    }
    image_.store(at, header);
  }
}

}  // namespace

void remove_hidden_symbols(ElfImage& image, const SymbolTables& tables,
                           const std::vector<bool>& pinned) {
  Compaction(image, tables, pinned).run();
}

}  // namespace engine_tool
