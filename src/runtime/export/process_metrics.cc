#include "runtime/export/process_metrics.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>

#include "base/fd.h"

namespace rondo::runtime {

namespace {

void add(std::string& text, const char* name, const char* type, const char* help, double value) {
  char number[64];
  const auto result = std::to_chars(number, number + sizeof number, value);
  text += std::string("# HELP ") + name + " " + help + "\n# TYPE " + name + " " + type + "\n" +
          name + " " + std::string(number, result.ptr) + "\n";
}

std::string read_small(const char* path) {
  const Fd file(::open(path, O_RDONLY | O_CLOEXEC));
  if (!file) return {};
  char text[4096];
  const ssize_t size = ::read(file.get(), text, sizeof text);
  return size > 0 ? std::string(text, static_cast<size_t>(size)) : std::string();
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

// The number of open descriptors; negative if it is not known.
int count_descriptors() {
  DIR* const entries = ::opendir("/proc/self/fd");
  if (entries == nullptr) return -1;
  int count = 0;
  while (const dirent* const entry = ::readdir(entries)) count += entry->d_name[0] != '.' ? 1 : 0;
  ::closedir(entries);
  return count - 1;  // Without the one that reads the list.
}

// The n-th field of /proc/self/stat, counted as in proc(5), behind the name of the program, which
// may contain anything.
double stat_field(const std::string& stat, int number) {
  size_t at = stat.rfind(')');
  if (at == std::string::npos) return 0;
  for (int field = 2; field < number; ++field) {
    at = stat.find(' ', at + 1);
    if (at == std::string::npos) return 0;
  }
  return std::strtod(stat.c_str() + at + 1, nullptr);
}

double now_of(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

}  // namespace

std::string process_metrics() {
  std::string text;
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  add(text, "process_cpu_seconds_total", "counter", "Processor time of all threads.",
      seconds(usage.ru_utime) + seconds(usage.ru_stime));
  add(text, "process_cpu_user_seconds_total", "counter", "Processor time in user mode.",
      seconds(usage.ru_utime));
  add(text, "process_cpu_system_seconds_total", "counter", "Processor time in the kernel.",
      seconds(usage.ru_stime));
  const std::string stat = read_small("/proc/self/stat");
  if (!stat.empty()) {
    add(text, "process_resident_memory_bytes", "gauge", "Resident memory.",
        stat_field(stat, 24) * static_cast<double>(::sysconf(_SC_PAGESIZE)));
    add(text, "process_virtual_memory_bytes", "gauge", "Address space.", stat_field(stat, 23));
    add(text, "process_threads", "gauge", "Threads.", stat_field(stat, 20));
    const double started = stat_field(stat, 22) / static_cast<double>(::sysconf(_SC_CLK_TCK));
    add(text, "process_start_time_seconds", "gauge", "When the process started, since 1970.",
        now_of(CLOCK_REALTIME) - (now_of(CLOCK_BOOTTIME) - started));
  }
  if (const int open = count_descriptors(); open >= 0) {
    add(text, "process_open_fds", "gauge", "Open descriptors.", open);
  }
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    add(text, "process_max_fds", "gauge", "The limit of open descriptors.",
        static_cast<double>(limit.rlim_cur));
  }
  return text;
}

}  // namespace rondo::runtime
