#include "adopt.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "compact.h"
#include "constructors.h"
#include "symbol_tables.h"

namespace engine_tool {
namespace {

class Adoption {
 public:
  Adoption(ElfImage& image, const SymbolTables& tables, const Changes& changes)
      : image_(image), tables_(tables), changes_(changes) {}

  std::optional<Error> plan();
  void carry_out(Report& report);

 private:
  std::string_view name_at(std::size_t offset) const { return tables_.name(image_, offset); }
  Elf64_Sym symbol(std::size_t index) const { return tables_.symbol(image_, index); }
  std::optional<Error> choose_symbols();
  std::optional<Error> note_used_strings();
  std::optional<Error> note_versions(std::int64_t tag, bool is_needed);
  std::optional<Error> use_string(std::size_t offset);
  std::optional<Error> plan_dynamics();
  std::optional<std::size_t> place_string(std::string_view text);

  ElfImage& image_;
  const SymbolTables& tables_;
  const Changes& changes_;
  std::vector<std::size_t> to_hide_;
  std::size_t kept_ = 0;
  std::vector<bool> is_used_;    // By byte of the string table.
  std::vector<bool> is_pinned_;  // The same, for strings not only used by symbols.
  std::vector<std::pair<std::size_t, std::string_view>> new_strings_;
  std::vector<Elf64_Dyn> dynamics_;
};

std::optional<Error> Adoption::use_string(std::size_t offset) {
  if (offset >= tables_.strings.size) return Error{"a name lies outside the table of names"};
  const std::size_t size = name_at(offset).size() + 1;
  std::fill_n(is_used_.begin() + static_cast<std::ptrdiff_t>(offset), size, true);
  return std::nullopt;
}

// Data that ld.so copies into the program (R_X86_64_COPY) must be found there by its library, under
// each of its names: `environ` is also `__environ`. Returns addresses.
std::set<Elf64_Addr> copied_data(const ElfImage& image, const SymbolTables& tables) {
  std::set<Elf64_Addr> copied;
  for (const FileRange& range : tables.relocations) {
    for (std::size_t at = range.offset; at != range.end(); at += sizeof(Elf64_Rela)) {
      const auto entry = image.load<Elf64_Rela>(at);
      if (ELF64_R_TYPE(entry.r_info) != R_X86_64_COPY) continue;
      copied.insert(tables.symbol(image, ELF64_R_SYM(entry.r_info)).st_value);
    }
  }
  return copied;
}

std::optional<Error> Adoption::choose_symbols() {
  const std::set<Elf64_Addr> copied = copied_data(image_, tables_);
  std::set<std::string_view> missing(changes_.exports.begin(), changes_.exports.end());
  for (std::size_t i = 1; i < tables_.count; ++i) {
    const Elf64_Sym entry = symbol(i);
    const bool is_local = ELF64_ST_BIND(entry.st_info) == STB_LOCAL;
    if (is_local && entry.st_name == 0 && entry.st_shndx != SHN_UNDEF) continue;  // Hidden.
    const std::string_view name = name_at(entry.st_name);
    const bool is_exported = changes_.exports.find(name) != changes_.exports.end();
    const bool is_defined = entry.st_shndx != SHN_UNDEF;
    if (is_exported && is_defined) missing.erase(name);
    if (!is_defined || is_local || is_exported || is_v8_name(name) ||
        copied.contains(entry.st_value)) {
      if (is_defined) ++kept_;
      if (auto error = use_string(entry.st_name)) return error;
    } else {
      to_hide_.push_back(i);
    }
  }
  if (missing.empty()) return std::nullopt;
  return Error{"it does not export " + std::string(*missing.begin())};
}

// Version tables refer to libraries and versions in the same string table.
std::optional<Error> Adoption::note_versions(std::int64_t tag, bool is_needed) {
  const auto address = image_.dynamic(tag);
  if (!address) return std::nullopt;
  const Error outside{"its version tables lie outside the loaded segments"};
  Elf64_Addr at = *address;
  for (unsigned guard = 0; guard < 1024; ++guard) {
    const auto range = image_.find(at, is_needed ? sizeof(Elf64_Verneed) : sizeof(Elf64_Verdef));
    if (!range) return outside;
    if (tables_.overlap(image_, *range)) return Error{kOverlap};
    unsigned count;
    Elf64_Addr inner;
    Elf64_Word next;
    if (is_needed) {
      const auto entry = image_.load<Elf64_Verneed>(range->offset);
      if (auto error = use_string(entry.vn_file)) return error;
      count = entry.vn_cnt;
      inner = at + entry.vn_aux;
      next = entry.vn_next;
    } else {
      const auto entry = image_.load<Elf64_Verdef>(range->offset);
      count = entry.vd_cnt;
      inner = at + entry.vd_aux;
      next = entry.vd_next;
    }
    for (unsigned i = 0; i < count; ++i) {
      const auto aux =
          image_.find(inner, is_needed ? sizeof(Elf64_Vernaux) : sizeof(Elf64_Verdaux));
      if (!aux) return outside;
      if (tables_.overlap(image_, *aux)) return Error{kOverlap};
      const auto name = is_needed ? image_.load<Elf64_Vernaux>(aux->offset).vna_name
                                  : image_.load<Elf64_Verdaux>(aux->offset).vda_name;
      const auto step = is_needed ? image_.load<Elf64_Vernaux>(aux->offset).vna_next
                                  : image_.load<Elf64_Verdaux>(aux->offset).vda_next;
      if (auto error = use_string(name)) return error;
      inner += step;
    }
    if (next == 0) return std::nullopt;
    at += next;
  }
  return Error{"its version tables have no end"};
}

std::optional<Error> Adoption::note_used_strings() {
  is_used_[0] = true;  // The empty name.
  for (const Elf64_Dyn& entry : image_.dynamics()) {
    switch (entry.d_tag) {
      case DT_NEEDED:
      case DT_SONAME:
      case DT_RPATH:
      case DT_RUNPATH:
      case DT_AUXILIARY:
      case DT_FILTER:
        if (auto error = use_string(entry.d_un.d_val)) return error;
        break;
      default: break;
    }
  }
  if (auto error = note_versions(DT_VERNEED, true)) return error;
  return note_versions(DT_VERDEF, false);
}

// Puts a new string into the space of hidden names.
std::optional<std::size_t> Adoption::place_string(std::string_view text) {
  const std::size_t size = text.size() + 1;
  std::size_t run = 0;
  for (std::size_t i = 1; i < is_used_.size(); ++i) {
    run = is_used_[i] ? 0 : run + 1;
    if (run != size) continue;
    const std::size_t at = i + 1 - size;
    std::fill_n(is_used_.begin() + static_cast<std::ptrdiff_t>(at), size, true);
    std::fill_n(is_pinned_.begin() + static_cast<std::ptrdiff_t>(at), size, true);
    new_strings_.emplace_back(at, text);
    return at;
  }
  return std::nullopt;
}

std::optional<Error> Adoption::plan_dynamics() {
  const std::vector<Elf64_Dyn> before = image_.dynamics();
  std::vector<std::string_view> needed;
  for (const Elf64_Dyn& entry : before) {
    if (entry.d_tag == DT_NEEDED) needed.push_back(name_at(entry.d_un.d_val));
    if (entry.d_tag == DT_RPATH) return Error{"it has a search path for libraries already"};
  }
  const bool is_loading =
      needed.size() >= changes_.needed.size() &&
      std::equal(changes_.needed.begin(), changes_.needed.end(), needed.begin());
  const auto runpath = image_.dynamic(DT_RUNPATH);
  if (runpath && name_at(*runpath) != changes_.runpath) {
    return Error{"it has a search path for libraries already"};
  }
  if (!is_loading) {
    for (const std::string& name : changes_.needed) {
      if (std::find(needed.begin(), needed.end(), name) != needed.end()) {
        return Error{"it loads " + name + " already, but not first"};
      }
    }
    if (runpath) return Error{"it is adopted already, for other libraries"};
  }
  const Error full{"there is no room for the names of libraries"};
  if (!is_loading) {
    for (const std::string& name : changes_.needed) {
      const auto at = place_string(name);
      if (!at) return full;
      dynamics_.push_back({DT_NEEDED, {*at}});
    }
  }
  if (!runpath) {
    const auto at = place_string(changes_.runpath);
    if (!at) return full;
    dynamics_.push_back({DT_RUNPATH, {*at}});
  }
  if (dynamics_.empty()) return std::nullopt;
  dynamics_.insert(dynamics_.end(), before.begin(), before.end());
  if (!image_.has_room_for_dynamics(dynamics_.size())) {
    return Error{"its dynamic section has no room for more entries"};
  }
  return std::nullopt;
}

std::optional<Error> Adoption::plan() {
  is_used_.assign(tables_.strings.size, false);
  if (auto error = note_used_strings()) return error;
  is_pinned_ = is_used_;
  if (auto error = choose_symbols()) return error;
  return plan_dynamics();
}

void Adoption::carry_out(Report& report) {
  for (const std::size_t index : to_hide_) {
    Elf64_Sym entry = symbol(index);
    // ld.so skips local symbols at any position, and never looks up the empty name.
    entry.st_info = ELF64_ST_INFO(STB_LOCAL, ELF64_ST_TYPE(entry.st_info));
    entry.st_name = 0;
    image_.store(tables_.symbols.offset + index * sizeof(Elf64_Sym), entry);
  }
  for (const auto& [at, text] : new_strings_) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      image_.store(tables_.strings.offset + at + i, text[i]);
    }
    image_.store(tables_.strings.offset + at + text.size(), '\0');
  }
  if (!dynamics_.empty()) image_.set_dynamics(dynamics_);
  remove_hidden_symbols(image_, tables_, is_pinned_);
  report.kept = kept_;
  report.hidden = to_hide_.size();
  report.is_changed = image_.is_changed();
}

}  // namespace

bool is_v8_name(std::string_view name) {
  if (!name.starts_with("_Z")) return false;
  name.remove_prefix(2);
  // Vtables, type information, guards, thunks, local entities and qualifiers precede the name.
  for (const std::string_view prefix : {"TV", "TT", "TI", "TS", "GV", "GR", "TW", "TH", "Z"}) {
    if (name.starts_with(prefix)) {
      name.remove_prefix(prefix.size());
      break;
    }
  }
  if (name.starts_with("Th") || name.starts_with("Tv") || name.starts_with("Tc")) {
    const std::size_t nested = name.find("_N");
    if (nested == std::string_view::npos) return false;
    name.remove_prefix(nested + 1);
  }
  if (!name.starts_with("N")) return false;
  name.remove_prefix(1);
  while (name.starts_with("K") || name.starts_with("V") || name.starts_with("R") ||
         name.starts_with("O")) {
    name.remove_prefix(1);
  }
  return name.starts_with("2v8") || name.starts_with("12v8_inspector") ||
         name.starts_with("5cppgc");
}

Outcome<Report> adopt(std::span<std::byte> program, const Changes& changes) {
  Outcome<ElfImage> parsed = ElfImage::parse(program);
  if (const auto* error = std::get_if<Error>(&parsed)) return *error;
  ElfImage& image = *std::get_if<ElfImage>(&parsed);
  const Outcome<SymbolTables> found = find_tables(image);
  if (const auto* error = std::get_if<Error>(&found)) return *error;
  Adoption adoption(image, *std::get_if<SymbolTables>(&found), changes);
  if (auto error = adoption.plan()) return *error;
  const Outcome<ConstructorPlan> constructors =
      find_constructors(image, *std::get_if<SymbolTables>(&found), changes.constructors);
  if (const auto* error = std::get_if<Error>(&constructors)) return *error;
  switch_off(image, *std::get_if<ConstructorPlan>(&constructors));
  Report report;
  adoption.carry_out(report);
  return report;
}

}  // namespace engine_tool
