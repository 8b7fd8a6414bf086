// startup_bench PROGRAM UNBOUND_LIBRARY [ROUNDS]: start-up of a V8 program with the library as
// packaged and as bound, taken in turns so that a busy machine is unfair to both alike. Prints one
// table.

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kDefaultRounds = 40;

struct Run {
  double elapsed_ms = 0;
  double processor_ms = 0;  // User and system time: what a busy machine distorts least.
};

double to_ms(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
}

std::optional<Run> run_once(char* program, char* environment) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  char* arguments[] = {program, nullptr};
  char* variables[] = {environment, nullptr};
  pid_t child = 0;
  int status = -1;
  rusage usage = {};
  const auto start = Clock::now();
  if (posix_spawn(&child, program, &actions, nullptr, arguments, variables) == 0) {
    while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) continue;
  }
  const std::chrono::duration<double, std::milli> elapsed = Clock::now() - start;
  posix_spawn_file_actions_destroy(&actions);
  if (status != 0) return std::nullopt;
  return Run{elapsed.count(), to_ms(usage.ru_utime) + to_ms(usage.ru_stime)};
}

void print(const char* name, std::vector<Run>& runs) {
  const auto ranked = [&runs](double Run::*field, std::size_t rank) {
    std::sort(runs.begin(), runs.end(),
              [field](const Run& left, const Run& right) { return left.*field < right.*field; });
    return runs[rank].*field;
  };
  const std::size_t middle = runs.size() / 2;
  std::printf("%-12s %9.1f %9.1f %9.1f %9.1f\n", name, ranked(&Run::elapsed_ms, 0),
              ranked(&Run::elapsed_ms, middle), ranked(&Run::processor_ms, 0),
              ranked(&Run::processor_ms, middle));
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 3 ? std::atoi(argv[3]) : kDefaultRounds;
  if (argc < 3 || argc > 4 || rounds <= 0) {
    std::fputs("usage: startup_bench PROGRAM UNBOUND_LIBRARY [ROUNDS]\n", stderr);
    return 2;
  }
  // A preloaded library takes the place of the one with the same SONAME that the program asks for.
  std::string preload = std::string("LD_PRELOAD=") + argv[2];
  std::string nothing = "LC_ALL=C";
  std::vector<Run> packaged;
  std::vector<Run> bound;
  for (int i = 0; i < rounds; ++i) {
    const std::optional<Run> with_packaged = run_once(argv[1], preload.data());
    const std::optional<Run> with_bound = run_once(argv[1], nothing.data());
    if (!with_packaged || !with_bound) {
      std::fprintf(stderr, "startup_bench: %s failed\n", argv[1]);
      return 1;
    }
    packaged.push_back(*with_packaged);
    bound.push_back(*with_bound);
  }
  std::printf("%-12s %19s %19s   (ms, %d runs each)\n", "", "elapsed", "processor", rounds);
  std::printf("%-12s %9s %9s %9s %9s\n", "library", "least", "median", "least", "median");
  print("as packaged", packaged);
  print("bound", bound);
  return 0;
}
