// Values of options, as texts and as what they mean.
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

// The whole text is a decimal number.
bool parse_number(std::string_view text, uint64_t& number);

// 2026-01-31 or 2026-01-31T12:30:00, with or without a Z: always UTC.
bool parse_date(const std::string& text, Nanos& since_1970);

// Words between blanks; a blank between double quotes belongs to its word, and a backslash there
// takes the meaning of what follows. Nothing if a quote stays open.
std::optional<std::vector<std::string>> split_words(std::string_view text);

}  // namespace rondo::cli
