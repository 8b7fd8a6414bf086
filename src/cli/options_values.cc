#include "cli/options_values.h"

#include <charconv>
#include <chrono>
#include <ctime>

namespace rondo::cli {

const std::string* find_flag(const Options& options, std::string_view name) {
  const std::string* last = nullptr;
  for (const auto& [key, value] : options.realm.flags) {
    if (key == name) last = &value;
  }
  return last;
}

bool parse_number(std::string_view text, uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

bool parse_date(const std::string& text, Nanos& since_1970) {
  for (const char* const format : {"%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d"}) {
    tm parts = {};
    const char* const rest = ::strptime(text.c_str(), format, &parts);
    if (rest == nullptr) continue;
    std::string_view tail(rest);
    int64_t millis = 0;
    if (tail.starts_with('.')) {
      tail.remove_prefix(1);
      int64_t scale = 100;
      while (!tail.empty() && tail[0] >= '0' && tail[0] <= '9') {
        millis += (tail[0] - '0') * scale;
        scale /= 10;
        tail.remove_prefix(1);
      }
    }
    if (!tail.empty() && tail != "Z") continue;
    since_1970 = std::chrono::seconds(::timegm(&parts)) + Millis(millis);
    return true;
  }
  return false;
}

std::optional<std::vector<std::string>> split_words(std::string_view text) {
  std::vector<std::string> words;
  bool is_quoted = false;
  bool begins = true;
  for (size_t i = 0; i < text.size(); ++i) {
    char letter = text[i];
    if (letter == '\\' && is_quoted) {
      if (i + 1 == text.size()) return std::nullopt;
      letter = text[++i];
    } else if (letter == ' ' && !is_quoted) {
      begins = true;
      continue;
    } else if (letter == '"') {
      is_quoted = !is_quoted;
      continue;
    }
    if (begins) words.emplace_back();
    begins = false;
    words.back() += letter;
  }
  if (is_quoted) return std::nullopt;
  return words;
}

}  // namespace rondo::cli
