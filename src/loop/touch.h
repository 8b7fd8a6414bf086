// The files that an operation touches outside the program: one or two paths.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace rondo {

struct Touch {
  std::string first;  // Absolute if known.
  std::string second;
  bool writes = false;

  bool is_nothing() const { return first.empty(); }

  // True if the order of the two can make a difference. A folder and its contents conflict: making
  // or removing one shows in the other.
  bool conflicts_with(const Touch& other) const {
    if (!writes && !other.writes) return false;
    return overlap(first, other.first) || overlap(first, other.second) ||
           overlap(second, other.first) || overlap(second, other.second);
  }
  std::string text() const { return second.empty() ? first : first + " -> " + second; }

 private:
  static bool overlap(std::string_view one, std::string_view other) {
    if (one.empty() || other.empty()) return false;
    if (one.size() > other.size()) std::swap(one, other);
    if (!other.starts_with(one)) return false;
    return one.size() == other.size() || one.ends_with('/') || other[one.size()] == '/';
  }
};

}  // namespace rondo
