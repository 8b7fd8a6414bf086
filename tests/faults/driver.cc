// Runs the scenarios with every system call of calls.def failing once with each of its errors, on
// one backend. Each run is a separate process, which must end by itself, in time, without a crash,
// with all operations reported, and with as many descriptors, threads and children as before.
//
//   faults_driver --backend=epoll [--scenario=NAME] [--call=NAME] [--error=NAME] [--nth=N] [--all]
//   [--reached]
//
// --all: every occurrence of every call, not a selection. --reached: only checks that every row
// which the table gives to this driver is reached, on any backend.
#include <dirent.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "inject.h"
#include "scenario.h"
#include "support/faults.h"
#include "support/temp_dir.h"

#ifdef RONDO_ASAN
#include <sanitizer/lsan_interface.h>
#endif

namespace rondo::faults {
namespace {

// Far more than a run takes, even on a busy machine.
constexpr unsigned kDeadlineSeconds = 10;
constexpr int kHangs = 3;
// Of one call in one scenario, with --all.
constexpr uint64_t kMostOccurrences = 60;

// A sanitizer makes calls of its own, which must not fail.
#ifdef RONDO_ASAN
constexpr bool kHasSanitizer = true;
#else
constexpr bool kHasSanitizer = false;
#endif

struct Options {
  Backend backend = Backend::epoll;
  std::string scenario, call, error;
  uint64_t nth = 0;
  bool all = false;
  bool reached = false;
};

struct Fault {
  size_t row = kNoRow;
  int error = 0;
  uint64_t nth = 0;
};

std::string describe(const Fault& fault) {
  if (fault.row == kNoRow) return "without a fault";
  const Row& row = rows()[fault.row];
  return "--call='" + label_of(row) + "' --error=" + error_name(row, fault.error) +
         " --nth=" + std::to_string(fault.nth);
}

// Results of io_uring operations pass through the seam.
class Completions final : public sys::Faults {
 public:
  Completions() { sys::fault_plan.store(this); }
  ~Completions() override { sys::fault_plan.store(nullptr); }
  bool inject(const char* call, int, long& result) override {
    if (!is_on() || std::strncmp(call, "completion_", 11) != 0) return false;
    const size_t row = first_row(call);
    const int error = row == kNoRow ? 0 : strike(row);
    if (error == 0) return false;
    errno = error;
    result = -1;
    return true;
  }
};

std::vector<std::string> entries_of(const char* path) {
  std::vector<std::string> entries;
  DIR* directory = ::opendir(path);
  if (directory == nullptr) return entries;
  while (const dirent* entry = ::readdir(directory)) entries.emplace_back(entry->d_name);
  ::closedir(directory);
  std::sort(entries.begin(), entries.end());
  return entries;
}

// By number, with the target of each.
std::map<std::string, std::string> descriptors() {
  std::map<std::string, std::string> found;
  for (const std::string& number : entries_of("/proc/self/fd")) {
    char target[256] = {};
    const ssize_t size = ::readlink(("/proc/self/fd/" + number).c_str(), target, sizeof target - 1);
    if (size > 0) found[number] = target;
  }
  return found;
}

const Account* current_account = nullptr;

void on_deadline(int) {
  constexpr char kText[] = "  did not end in time\n";
  (void)!::write(STDERR_FILENO, kText, sizeof kText - 1);
  if (current_account != nullptr) current_account->print_open();
  ::_exit(kHangs);
}

// Runs in the child. Returns its exit code.
int run_child(const Scenario& scenario, const Options& options, const std::string& dir) {
  ::setpgid(0, 0);
  if (::chdir(dir.c_str()) != 0) return 1;
  Context context{options.backend, dir, {}};
  current_account = &context.account;
  ::signal(SIGALRM, on_deadline);
  ::alarm(kDeadlineSeconds);
  const auto fds_before = descriptors();
  size_t threads_before = entries_of("/proc/self/task").size();
  if (scenario.uses_uv) threads_before += ThreadPool::shared().size();
  {
    Completions completions;
    control->is_on.store(1);
    scenario.run(context);
    control->is_on.store(0);
  }
  std::vector<std::string> problems = context.account.problems();
  for (const auto& [number, target] : descriptors()) {
    const auto before = fds_before.find(number);
    if (before == fds_before.end())
      problems.push_back("descriptor " + number + " is left: " + target);
  }
  for (const auto& [number, target] : fds_before) {
    if (descriptors().count(number) == 0 && target.find("/proc/") != 0)
      problems.push_back("descriptor " + number + " is gone");
  }
  // A joined thread, or a kernel thread of an io_uring, may still be listed for a while.
  constexpr int kMostLooks = 5000;
  size_t threads = 0;
  for (int looks = 0; looks < kMostLooks; ++looks) {
    threads = entries_of("/proc/self/task").size();
    if (threads <= threads_before) break;
    ::usleep(1000);
  }
  if (threads > threads_before)
    problems.push_back(std::to_string(threads - threads_before) + " threads are left");
  if (::waitpid(-1, nullptr, WNOHANG) >= 0) problems.push_back("a child process is left");
#ifdef RONDO_ASAN
  if (__lsan_do_recoverable_leak_check() != 0) problems.push_back("memory is left");
#endif
  for (const std::string& problem : problems) std::fprintf(stderr, "  %s\n", problem.c_str());
  return problems.empty() ? 0 : 1;
}

class Run {
 public:
  explicit Run(const Options& options) : options_(options) {}

  // One run in its own process. Counts the calls of each function.
  bool run(const Scenario& scenario, const Fault& fault) {
    control->fired.store(0);
    control->row.store(fault.row == kNoRow ? -1 : static_cast<int32_t>(fault.row));
    control->error.store(fault.error);
    control->left.store(static_cast<int64_t>(fault.nth));
    for (auto& count : control->counts) count.store(0);
    const TempDir dir;
    std::fflush(stdout);
    std::fflush(stderr);
    const pid_t child = ::fork();
    if (child < 0) fatal("the driver cannot fork");
    if (child == 0) ::_exit(run_child(scenario, options_, dir.path()));
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    control->is_on.store(0);
    ++runs_;
    if (::kill(-child, SIGKILL) == 0 && status == 0) {
      std::fprintf(stderr, "  a process of the scenario is left\n");
      status = 1;
    }
    if (status == 0) return true;
    ++failures_;
    std::fprintf(stderr, "FAILED (%s) --backend=%s --scenario=%s %s\n", how(status).c_str(),
                 backend_name(options_.backend), scenario.name, describe(fault).c_str());
    return false;
  }

  void run_all(const Scenario& scenario) {
    if (!run(scenario, {})) return;  // Further runs would be useless.
    std::vector<uint64_t> counts;
    for (const auto& count : control->counts) counts.push_back(count.load());
    for (size_t row = 0; row < rows().size(); ++row) {
      const bool is_ours =
          rows()[row].driver != Driver::runtime || (scenario.uses_uv && !kHasSanitizer);
      if (counts[row] == 0 || !is_ours) continue;
      if (!options_.call.empty() && label_of(rows()[row]) != options_.call) continue;
      run_row(scenario, row, counts[row]);
    }
  }

  int failures() const { return failures_; }
  int runs() const { return runs_; }

 private:
  static std::string how(int status) {
    if (WIFSIGNALED(status)) return std::string("signal ") + ::sigabbrev_np(WTERMSIG(status));
    if (WIFEXITED(status) && WEXITSTATUS(status) == kHangs) return "hangs";
    return "exit code " + std::to_string(WEXITSTATUS(status));
  }

  // Each error once: the first at the first call, the last at the last, the others in between.
  void run_row(const Scenario& scenario, size_t row, uint64_t count) {
    const std::vector<int> errors = errors_of(rows()[row]);
    for (size_t i = 0; i < errors.size(); ++i) {
      if (!options_.error.empty() && error_name(rows()[row], errors[i]) != options_.error) continue;
      if (options_.nth > 0) {
        run(scenario, {row, errors[i], options_.nth});
      } else if (options_.all) {
        for (uint64_t n = 1; n <= std::min(count, kMostOccurrences); ++n)
          run(scenario, {row, errors[i], n});
      } else {
        const uint64_t nth =
            errors.size() == 1 ? (count + 1) / 2 : 1 + i * (count - 1) / (errors.size() - 1);
        run(scenario, {row, errors[i], nth});
      }
    }
  }

  const Options& options_;
  int failures_ = 0;
  int runs_ = 0;
};

bool is_built(Driver driver) {
#ifdef RONDO_WITH_UV
  if (driver == Driver::uv) return true;
#endif
  return driver == Driver::loop;
}

// Rows of this driver that no scenario reaches on either backend.
int check_reached(Options options) {
  std::vector<uint64_t> reached(rows().size());
  for (const Backend backend : {Backend::epoll, Backend::uring}) {
    options.backend = backend;
    Run run(options);
    for (const Scenario& scenario : scenarios()) {
      if (!run.run(scenario, {})) return 1;
      for (size_t i = 0; i < reached.size(); ++i) reached[i] += control->counts[i].load();
    }
  }
  int missing = 0;
  for (size_t i = 0; i < reached.size(); ++i) {
    const Row& row = rows()[i];
    if (row.variant == nullptr || reached[i] > 0 || !is_built(row.driver)) continue;
    if (row.value == SYS_setgroups && ::geteuid() != 0) continue;  // Only root is permitted to.
    std::printf("no scenario reaches %s: add it to tests/faults/scenario_*.cc\n",
                label_of(row).c_str());
    ++missing;
  }
  return missing == 0 ? 0 : 1;
}

bool parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const std::string value = argument.substr(std::min(argument.size(), argument.find('=') + 1));
    if (argument.starts_with("--backend=")) {
      const Result<Backend> backend = parse_backend(value.c_str());
      if (!backend) return false;
      options.backend = *backend;
    } else if (argument.starts_with("--scenario=")) {
      options.scenario = value;
    } else if (argument.starts_with("--call=")) {
      options.call = value;
    } else if (argument.starts_with("--error=")) {
      options.error = value;
    } else if (argument.starts_with("--nth=")) {
      options.nth = std::strtoull(value.c_str(), nullptr, 10);
    } else if (argument == "--all") {
      options.all = true;
    } else if (argument == "--reached") {
      options.reached = true;
    } else {
      return false;
    }
  }
  return true;
}

bool are_errors_known() {
  bool are_known = true;
  for (const Row& row : rows()) {
    for (const int error : errors_of(row)) {
      if (error != 0) continue;
      std::printf("calls.def: an error of %s is unknown: %s\n", row.name, row.errors);
      are_known = false;
    }
  }
  return are_known;
}

int run_program(int argc, char** argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    std::fprintf(stderr, "see the head of tests/faults/driver.cc for the options\n");
    return 2;
  }
  if (!are_errors_known()) return 1;
  constexpr int kSkipped = 77;
  const Backend needed = options.reached ? Backend::uring : options.backend;
  if (!make_poller(needed)) {
    std::printf("SKIPPED: this system refuses %s\n", backend_name(needed));
    return kSkipped;
  }
  void* const memory =
      ::mmap(nullptr, sizeof(Control), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fatal("the driver has no memory");
  control = static_cast<Control*>(memory);
  if (options.reached) return check_reached(options);
  Run run(options);
  for (const Scenario& scenario : scenarios()) {
    if (options.scenario.empty() || options.scenario == scenario.name) run.run_all(scenario);
  }
  std::printf("%d runs, %d failed\n", run.runs(), run.failures());
  return run.failures() == 0 && run.runs() > 0 ? 0 : 1;
}

}  // namespace
}  // namespace rondo::faults

int main(int argc, char** argv) { return rondo::faults::run_program(argc, argv); }
