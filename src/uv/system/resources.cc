// Time, memory and processors of the machine and the process.
#include <sched.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <unistd.h>
#include <uv.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "uv/core/memory.h"
#include "uv/run/process.h"

namespace rondo::uv {
namespace {

// The value of "NAME: 123 kB" in a file of /proc, in bytes; 0 if it is not there.
uint64_t kilobytes_in(const char* file, const std::string& name) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, name.size(), name) != 0) continue;
    return std::strtoull(line.c_str() + name.size(), nullptr, 10) * 1024;
  }
  return 0;
}

// The number in a file of a control group. "max" and missing files mean no limit.
uint64_t number_in(const std::string& file) {
  std::ifstream in(file);
  uint64_t value = 0;
  return in >> value ? value : UINT64_MAX;
}

// The folder of this process's control group for memory, of version 2 or 1.
std::string memory_group(bool& is_v2) {
  std::ifstream lines("/proc/self/cgroup");
  for (std::string line; std::getline(lines, line);) {
    is_v2 = line.rfind("0::/", 0) == 0;
    if (is_v2) return "/sys/fs/cgroup/" + line.substr(4);
    const size_t found = line.find(":memory:/");
    if (found != std::string::npos) return "/sys/fs/cgroup/memory/" + line.substr(found + 9);
  }
  return {};
}

struct Limits {
  uint64_t most = UINT64_MAX;
  uint64_t used = UINT64_MAX;
};

Limits memory_limits() {
  bool is_v2 = false;
  const std::string folder = memory_group(is_v2);
  if (folder.empty()) return {};
  if (!is_v2) {
    return {number_in(folder + "/memory.limit_in_bytes"),
            number_in(folder + "/memory.usage_in_bytes")};
  }
  const uint64_t high = number_in(folder + "/memory.high");
  return {std::min(number_in(folder + "/memory.max"), high), number_in(folder + "/memory.current")};
}

int usage_of(int whose, uv_rusage_t* out) {
  rusage found{};
  if (::getrusage(whose, &found) < 0) return -errno;
  std::memset(out, 0, sizeof *out);
  out->ru_utime = {found.ru_utime.tv_sec, found.ru_utime.tv_usec};
  out->ru_stime = {found.ru_stime.tv_sec, found.ru_stime.tv_usec};
  out->ru_maxrss = static_cast<uint64_t>(found.ru_maxrss);
  out->ru_minflt = static_cast<uint64_t>(found.ru_minflt);
  out->ru_majflt = static_cast<uint64_t>(found.ru_majflt);
  out->ru_nswap = static_cast<uint64_t>(found.ru_nswap);
  out->ru_inblock = static_cast<uint64_t>(found.ru_inblock);
  out->ru_oublock = static_cast<uint64_t>(found.ru_oublock);
  out->ru_nvcsw = static_cast<uint64_t>(found.ru_nvcsw);
  out->ru_nivcsw = static_cast<uint64_t>(found.ru_nivcsw);
  return 0;
}

std::string model_of_processor() {
  std::ifstream lines("/proc/cpuinfo");
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, 10, "model name") != 0) continue;
    const size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

int speed_of(unsigned number) {
  const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(number);
  std::ifstream in(folder + "/cpufreq/scaling_cur_freq");
  uint64_t kilohertz = 0;
  return in >> kilohertz ? static_cast<int>(kilohertz / 1000) : 0;
}

}  // namespace
}  // namespace rondo::uv

using namespace rondo::uv;

extern "C" {

uint64_t uv_hrtime(void) { return static_cast<uint64_t>(program_clock().now().count()); }

int uv_clock_gettime(uv_clock_id clock_id, uv_timespec64_t* ts) {
  if (ts == nullptr) return UV_EFAULT;
  if (clock_id != UV_CLOCK_MONOTONIC && clock_id != UV_CLOCK_REALTIME) return UV_EINVAL;
  const rondo::Clock& clock = program_clock();
  const rondo::Nanos now = clock_id == UV_CLOCK_MONOTONIC ? clock.now() : clock.wall();
  ts->tv_sec = now.count() / 1'000'000'000;
  ts->tv_nsec = static_cast<int32_t>(now.count() % 1'000'000'000);
  return 0;
}

int uv_gettimeofday(uv_timeval64_t* tv) {
  if (tv == nullptr) return UV_EINVAL;
  const int64_t micros = program_clock().wall().count() / 1000;
  tv->tv_sec = micros / 1'000'000;
  tv->tv_usec = static_cast<int32_t>(micros % 1'000'000);
  return 0;
}

void uv_sleep(unsigned int msec) { rondo::uv::sleep(rondo::Millis(msec)); }

int uv_uptime(double* uptime) {
  timespec now{};
  if (::clock_gettime(CLOCK_BOOTTIME, &now) != 0) return -errno;
  *uptime = static_cast<double>(now.tv_sec);
  return 0;
}

void uv_loadavg(double avg[3]) {
  if (::getloadavg(avg, 3) != 3) avg[0] = avg[1] = avg[2] = 0;
}

int uv_getrusage(uv_rusage_t* rusage) { return usage_of(RUSAGE_SELF, rusage); }
int uv_getrusage_thread(uv_rusage_t* rusage) { return usage_of(RUSAGE_THREAD, rusage); }

int uv_resident_set_memory(size_t* rss) {
  std::ifstream in("/proc/self/statm");
  size_t total = 0;
  size_t resident = 0;
  if (!(in >> total >> resident)) return UV_EINVAL;
  *rss = resident * static_cast<size_t>(::getpagesize());
  return 0;
}

uint64_t uv_get_free_memory(void) {
  if (const uint64_t found = kilobytes_in("/proc/meminfo", "MemAvailable:"); found != 0) {
    return found;
  }
  struct sysinfo info {};
  return ::sysinfo(&info) == 0 ? uint64_t{info.freeram} * info.mem_unit : 0;
}

uint64_t uv_get_total_memory(void) {
  if (const uint64_t found = kilobytes_in("/proc/meminfo", "MemTotal:"); found != 0) return found;
  struct sysinfo info {};
  return ::sysinfo(&info) == 0 ? uint64_t{info.totalram} * info.mem_unit : 0;
}

uint64_t uv_get_constrained_memory(void) { return memory_limits().most; }

uint64_t uv_get_available_memory(void) {
  const Limits limits = memory_limits();
  const uint64_t total = uv_get_total_memory();
  if (limits.most == 0 || limits.most > total) return uv_get_free_memory();
  return limits.used > limits.most ? 0 : limits.most - limits.used;
}

unsigned int uv_available_parallelism(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  const long count = ::sched_getaffinity(0, sizeof set, &set) == 0
                         ? static_cast<long>(CPU_COUNT(&set))
                         : ::sysconf(_SC_NPROCESSORS_ONLN);
  return count < 1 ? 1 : static_cast<unsigned>(count);
}

int uv_cpu_info(uv_cpu_info_t** cpu_infos, int* count) {
  *cpu_infos = nullptr;
  *count = 0;
  std::ifstream lines("/proc/stat");
  if (!lines) return UV_EIO;
  const long ticks = ::sysconf(_SC_CLK_TCK);
  const uint64_t millis = ticks > 0 ? 1000 / static_cast<uint64_t>(ticks) : 10;
  const std::string model = model_of_processor();
  std::vector<uv_cpu_info_t> found;
  for (std::string line; std::getline(lines, line);) {
    unsigned number = 0;
    unsigned long long t[6] = {};
    if (std::sscanf(line.c_str(), "cpu%u %llu %llu %llu %llu %llu %llu", &number, t, t + 1, t + 2,
                    t + 3, t + 4, t + 5) != 7) {
      continue;
    }
    uv_cpu_info_t info{};
    info.speed = speed_of(number);
    info.cpu_times = {t[0] * millis, t[1] * millis, t[2] * millis, t[3] * millis, t[5] * millis};
    found.push_back(info);
  }
  // One block: the processors, then the model's name.
  const size_t size = found.size() * sizeof(uv_cpu_info_t);
  auto* const block = static_cast<uv_cpu_info_t*>(allocate(size + model.size() + 1));
  if (block == nullptr) return UV_ENOMEM;
  char* const name = reinterpret_cast<char*>(block) + size;
  std::memcpy(name, model.c_str(), model.size() + 1);
  for (size_t i = 0; i < found.size(); ++i) {
    block[i] = found[i];
    block[i].model = name;
  }
  *cpu_infos = block;
  *count = static_cast<int>(found.size());
  return 0;
}

void uv_free_cpu_info(uv_cpu_info_t* cpu_infos, int /*count*/) { release(cpu_infos); }

}  // extern "C"
