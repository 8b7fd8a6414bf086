// Prepares V8's host program to run our code. The npm package that provides V8 is a whole program,
// `bin/node`. adopt() edits a copy of it in place so that it
// - loads our library before all others: that library defines __libc_start_main, which starts our
//   main() instead of the host's;
// - exports only V8's symbols and those in `exports`: its functions of OpenSSL, c-ares, zlib, libuv
//   and others must not replace functions with the same names elsewhere. The others are removed
//   from the tables (compact.h);
// - does not run the static constructors in `constructors` (constructors.h).
// The size of the file does not change. docs/adr/runtime/0036 has the reasons.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "elf_image.h"

namespace engine_tool {

struct Changes {
  std::vector<std::string> needed;  // Libraries to load first, in this order.
  std::string runpath;              // Their folder; "$ORIGIN" is the program's own folder.
  std::set<std::string, std::less<>> exports;       // Symbols to keep beside V8's.
  std::set<std::string, std::less<>> constructors;  // Constructors to skip.
};

struct Report {
  std::size_t kept = 0;
  std::size_t hidden = 0;  // By this call: a second one hides none.
  bool is_changed = false;
};

// Rejected bytes are not changed. A second call with the same changes changes nothing.
Outcome<Report> adopt(std::span<std::byte> program, const Changes& changes);

// True for names, as the linker sees them, in the namespaces v8, v8_inspector and cppgc, including
// their vtables, type information and guards.
bool is_v8_name(std::string_view name);

}  // namespace engine_tool
