// The table of command line options, by name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rondo::cli {

extern const char* const kHelp;

enum class Takes : uint8_t { nothing, value, optional_value };

struct Option {
  std::string_view name;   // With leading dashes.
  std::string_view alias;  // One letter with its dash, or empty.
  Takes takes;
  std::string_view flag;  // The name for lib.
};

// Finds an option by name or alias; null if there is none.
const Option* find_option(std::string_view name);
// True if the next argument is the value of this one: `-r MODULE`.
bool takes_next_argument(const std::string& argument);
// True for Rondo's own programs that are run by name: `rondo trace app.js` (lib/internal/commands).
bool is_command(std::string_view name);
// The option or command that a word is most likely a misspelling of; empty if none is close.
std::string_view nearest_option(std::string_view name);
std::string_view nearest_command(std::string_view word);

}  // namespace rondo::cli
