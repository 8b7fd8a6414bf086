// bind_relative: what linking a shared library with -Bsymbolic would have done, done afterwards.
//
// A library linked without -Bsymbolic asks the dynamic linker, by name, for its own functions and
// data, in case the program brings a definition that comes first. V8's library has 55,000 such
// references, and looking them up is two thirds of the start-up of a small program. Binding turns
// each into "load address plus constant":
//
//   R_X86_64_64, R_X86_64_GLOB_DAT      become R_X86_64_RELATIVE if the symbol is the library's
//   own. R_X86_64_JUMP_SLOT                  the same, in a library that is bound at load
//   (BIND_NOW) and
//                                       has .rela.plt right behind .rela.dyn. What is left of the
//                                       PLT's table becomes GLOB_DAT, which at load means the same,
//                                       and joins .rela.dyn: the index that a lazy PLT stub pushes
//                                       would no longer fit a table with holes.
//   the rest                            stays: other libraries' symbols, TLS, IFUNC, absolute ones,
//                                       and data of which a process must have only one: that is
//                                       STB_GNU_UNIQUE, and STB_WEAK in writable memory.
//
// Relative entries go to the front, by address, counted by DT_RELACOUNT. A symbol that was bound
// becomes STV_PROTECTED. That tells the linker the truth: a program that would need its own copy of
// the library's data (a copy relocation), or its own address for a function, no longer links.
#pragma once

#include <cstddef>
#include <span>

#include "elf_image.h"

namespace relbind {

struct Report {
  std::size_t pointers = 0;         // R_X86_64_64 bound: vtables and other tables of addresses.
  std::size_t got_entries = 0;      // R_X86_64_GLOB_DAT bound.
  std::size_t calls = 0;            // R_X86_64_JUMP_SLOT bound.
  std::size_t relative = 0;         // R_X86_64_RELATIVE entries in all, afterwards.
  std::size_t by_name = 0;          // Entries that are still looked up, afterwards.
  bool has_relative_count = false;  // False if DT_RELACOUNT was missing and found no room.
  bool is_changed = false;          // False if the library was bound before.

  std::size_t bound() const { return pointers + got_entries + calls; }
};

// Binds in place. On an Error, and if there is nothing to do, no byte has changed; running it on
// its own output changes nothing.
Outcome<Report> bind_relative(std::span<std::byte> library);

}  // namespace relbind
