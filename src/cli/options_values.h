// Parses the values of options.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"

namespace rondo::cli {

// The value of an option's last occurrence, or null.
const std::string* find_flag(const Options& options, std::string_view name);

// Parses a decimal number. Returns false if any other character is in the text.
bool parse_number(std::string_view text, uint64_t& number);

// Parses 2026-01-31 or 2026-01-31T12:30:00, with or without a Z: always UTC.
bool parse_date(const std::string& text, Nanos& since_1970);

// Splits a text into words at blanks. Between double quotes a blank is part of the word, and a
// backslash escapes the next character. Empty if a quote is not closed.
std::optional<std::vector<std::string>> split_words(std::string_view text);

}  // namespace rondo::cli
