#include "cli/options_environment.h"

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "loop/poller/poller.h"
#include "loop/pool/thread_pool.h"

namespace rondo::cli {

namespace {

constexpr uint64_t kMostSpin = 10'000;  // Microseconds: see src/loop/phases/poll.cc.

// The value of an environment variable; empty if it is not set.
std::string_view value_of(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

bool is_number_within(std::string_view text, uint64_t least, uint64_t most) {
  uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [parsed, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && parsed == end && number >= least && number <= most;
}

std::string problem_of_number(const char* name, std::string_view what, uint64_t least,
                              uint64_t most) {
  const std::string_view value = value_of(name);
  if (value.empty() || is_number_within(value, least, most)) return {};
  return std::string(name) + " must be " + std::string(what) + " from " + std::to_string(least) +
         " to " + std::to_string(most) + ", not '" + std::string(value) + "'";
}

}  // namespace

std::string problem_of_environment() {
  if (const std::string backend(value_of("RONDO_BACKEND"));
      !backend.empty() && !parse_backend(backend.c_str())) {
    return "RONDO_BACKEND must be epoll or uring, not '" + backend + "'";
  }
  std::string problem =
      problem_of_number("RONDO_THREADPOOL_SIZE", "a number of threads", 1, ThreadPool::kMaxSize);
  if (problem.empty()) {
    problem = problem_of_number("RONDO_SPIN", "a number of microseconds", 0, kMostSpin);
  }
  return problem;
}

}  // namespace rondo::cli
