// rondo-bench [--tiny] [--rounds N] [--only CONTESTANT] [--list] [ROW...]: ROW is a part of a row's
// name; --only leaves out all contestants but one, for profilers. Each measurement runs in its own
// process, so that none profits from another's memory.
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "loop/harness.h"

namespace bench {

double now_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double cpu_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

long resident_bytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) die("/proc/self/statm");
  long total = 0, resident = 0;
  if (std::fscanf(file, "%ld %ld", &total, &resident) != 2) die("/proc/self/statm");
  std::fclose(file);
  return resident * ::sysconf(_SC_PAGESIZE);
}

void pin_to_cpu(unsigned cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  ::sched_setaffinity(0, sizeof set, &set);
}

void die(const char* what) {
  std::fprintf(stderr, "rondo-bench: %s: %s\n", what, std::strerror(errno));
  std::_Exit(1);
}

namespace {

// NaN if the measurement failed, after an error message.
double measure_in_child(const Contestant& contestant, const Scale& scale) {
  int channel[2];
  if (::pipe(channel) < 0) die("pipe");
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0) die("fork");
  if (child == 0) {
    ::close(channel[0]);
    const double value = contestant.measure(scale);
    if (::write(channel[1], &value, sizeof value) != sizeof value) std::_Exit(1);
    std::_Exit(0);
  }
  ::close(channel[1]);
  double value = NAN;
  if (::read(channel[0], &value, sizeof value) != sizeof value) value = NAN;
  ::close(channel[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return status == 0 ? value : NAN;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? NAN : values[values.size() / 2];
}

std::string shorten(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
  return text;
}

// True if every contestant could be measured.
bool run_row(const Row& row, const Scale& scale, int rounds) {
  std::vector<std::vector<double>> results(row.contestants.size());
  for (int round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < row.contestants.size(); ++i) {
      const double value = measure_in_child(row.contestants[i], scale);
      if (std::isnan(value)) return false;
      results[i].push_back(value);
    }
  }
  double libuv = NAN;
  for (size_t i = 0; i < results.size(); ++i) {
    if (row.contestants[i].name == "libuv") libuv = median(results[i]);
  }
  std::printf("| %s | %s |", row.name.c_str(), row.unit.c_str());
  for (size_t i = 0; i < results.size(); ++i) {
    const double value = median(results[i]);
    std::printf(" %s %s", row.contestants[i].name.c_str(), shorten(value).c_str());
    if (row.contestants[i].name != "libuv" && !std::isnan(libuv)) {
      const double ratio = row.more_is_better ? value / libuv : libuv / value;
      std::printf(" (**%s×**)", shorten(ratio).c_str());
    }
    std::printf(i + 1 < results.size() ? " ·" : " |");
  }
  if (row.goal > 0) {
    std::printf(" %s× |\n", shorten(row.goal).c_str());
  } else {
    std::printf(" |\n");
  }
  std::fflush(stdout);
  return true;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::Scale scale;
  int rounds = 5;
  bool list = false;
  std::string only;
  std::vector<std::string> wanted;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--tiny") {
      scale.factor = 0.002;
      rounds = 1;
    } else if (argument == "--list") {
      list = true;
    } else if (argument == "--rounds" && i + 1 < argc && std::atoi(argv[i + 1]) > 0) {
      rounds = std::atoi(argv[++i]);
    } else if (argument == "--only" && i + 1 < argc) {
      only = argv[++i];
    } else if (argument.starts_with("-")) {
      std::fprintf(stderr,
                   "usage: rondo-bench [--tiny] [--rounds N] [--only CONTESTANT] [--list] "
                   "[ROW...]\n");
      return 2;
    } else {
      wanted.push_back(argument);
    }
  }
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);

  bench::Rows rows;
  bench::add_loop_rows(rows);
  bench::add_thread_rows(rows);
  bench::add_file_rows(rows);
  bench::add_net_rows(rows);
  std::erase_if(rows, [&wanted](const bench::Row& row) {
    return !wanted.empty() && std::none_of(wanted.begin(), wanted.end(), [&](const auto& part) {
      return row.name.find(part) != std::string::npos;
    });
  });
  for (bench::Row& row : rows) {
    std::erase_if(row.contestants, [&only](const bench::Contestant& contestant) {
      return !only.empty() && contestant.name != only;
    });
  }
  std::erase_if(rows, [](const bench::Row& row) { return row.contestants.empty(); });
  if (rows.empty()) {
    std::fprintf(stderr, "rondo-bench: no such row; --list names them\n");
    return 2;
  }
  if (list) {
    for (const bench::Row& row : rows) std::printf("%s\n", row.name.c_str());
    return 0;
  }
#ifndef RONDO_BENCH_LIBUV
  std::fprintf(stderr, "rondo-bench: built without libuv; no ratios\n");
#endif
  std::printf("| row | unit | median of %d (ratio to libuv, more is better) | goal |\n", rounds);
  std::printf("|---|---|---|---|\n");
  bool good = true;
  for (const bench::Row& row : rows) {
    if (bench::run_row(row, scale, rounds)) continue;
    std::fprintf(stderr, "rondo-bench: row '%s' could not be measured\n", row.name.c_str());
    good = false;
  }
  return good ? 0 : 1;
}
