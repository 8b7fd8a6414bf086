// internalBinding('os'): information about the system, or a negative errno.
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netpacket/packet.h>
#include <pwd.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/process/os_constants.h"
#include "runtime/values/binding.h"
#include "runtime/values/contract.h"
#include "runtime/values/values.h"

namespace rondo::bindings {

namespace {

using runtime::Arguments;

// An array that is filled from the front. Strings that V8 cannot hold become null.
class List {
 public:
  explicit List(v8::Isolate* isolate) : isolate_(isolate), array_(v8::Array::New(isolate)) {}
  void add(v8::Local<v8::Value> value) {
    array_->Set(isolate_->GetCurrentContext(), size_++, value).Check();
  }
  void add(double value) { add(v8::Number::New(isolate_, value).As<v8::Value>()); }
  void add(std::string_view text) {
    v8::Local<v8::String> string;
    if (runtime::to_js(isolate_, text).ToLocal(&string)) {
      add(string.As<v8::Value>());
    } else {
      add(v8::Null(isolate_).As<v8::Value>());
    }
  }
  void add(bool value) { add(v8::Boolean::New(isolate_, value).As<v8::Value>()); }
  v8::Local<v8::Array> array() const { return array_; }

 private:
  v8::Isolate* isolate_;
  v8::Local<v8::Array> array_;
  uint32_t size_ = 0;
};

std::string read_file(const char* path) {
  std::string text;
  std::FILE* const file = std::fopen(path, "re");
  if (file == nullptr) return text;
  std::array<char, 4096> chunk;
  size_t size = 0;
  while ((size = std::fread(chunk.data(), 1, chunk.size(), file)) > 0) {
    text.append(chunk.data(), size);
  }
  std::fclose(file);
  return text;
}

void hostname(const Arguments& info) {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) {
    info.GetReturnValue().Set(-errno);
    return;
  }
  v8::Local<v8::String> text;
  if (runtime::to_js(info.GetIsolate(), name.data()).ToLocal(&text)) {
    info.GetReturnValue().Set(text);
  }
}

// uname(): [system, version, release, machine].
void uname(const Arguments& info) {
  struct utsname names;
  if (::uname(&names) != 0) {
    info.GetReturnValue().Set(-errno);
    return;
  }
  List list(info.GetIsolate());
  list.add(std::string_view(names.sysname));
  list.add(std::string_view(names.version));
  list.add(std::string_view(names.release));
  list.add(std::string_view(names.machine));
  info.GetReturnValue().Set(list.array());
}

// loadavg(Float64Array of three).
void loadavg(const Arguments& info) {
  RONDO_EXPECT(info, info[0]->IsFloat64Array());
  const v8::Local<v8::Float64Array> out = info[0].As<v8::Float64Array>();
  RONDO_EXPECT(info, out->Length() >= 3);
  std::array<double, 3> values{};
  if (::getloadavg(values.data(), 3) != 3) values.fill(0);
  char* const data = static_cast<char*>(out->Buffer()->GetBackingStore()->Data());
  std::memcpy(data + out->ByteOffset(), values.data(), sizeof(values));
}

// Seconds since the system started, to the hundredth, including sleep.
void uptime(const Arguments& info) {
  struct timespec time;
  if (::clock_gettime(CLOCK_BOOTTIME, &time) != 0) {
    info.GetReturnValue().Set(-errno);
    return;
  }
  const double seconds = static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
  info.GetReturnValue().Set(std::floor(seconds * 100) / 100);
}

// The bytes that a line of /proc/meminfo gives in KiB; 0 if it is not there.
double meminfo(std::string_view name) {
  const std::string text = read_file("/proc/meminfo");
  const size_t at = text.find(name);
  if (at == std::string::npos) return 0;
  return std::strtod(text.c_str() + at + name.size(), nullptr) * 1024;
}

void freemem(const Arguments& info) {
  double bytes = meminfo("MemAvailable:");
  struct sysinfo system;
  if (bytes == 0 && ::sysinfo(&system) == 0) {
    bytes = static_cast<double>(system.freeram) * system.mem_unit;
  }
  info.GetReturnValue().Set(bytes);
}

void totalmem(const Arguments& info) {
  double bytes = meminfo("MemTotal:");
  struct sysinfo system;
  if (bytes == 0 && ::sysinfo(&system) == 0) {
    bytes = static_cast<double>(system.totalram) * system.mem_unit;
  }
  info.GetReturnValue().Set(bytes);
}

// The processors this process may run on, which a container often limits.
void available_parallelism(const Arguments& info) {
  cpu_set_t set;
  int count = 0;
  if (::sched_getaffinity(0, sizeof(set), &set) == 0) {
    count = CPU_COUNT(&set);
  } else {
    count = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
  }
  info.GetReturnValue().Set(count < 1 ? 1 : count);
}

// The value after "name : " in each paragraph of /proc/cpuinfo, by processor.
std::vector<std::string> cpuinfo(std::string_view name) {
  std::vector<std::string> values;
  const std::string text = read_file("/proc/cpuinfo");
  size_t at = 0;
  while (at < text.size()) {
    size_t end = text.find('\n', at);
    if (end == std::string::npos) end = text.size();
    const std::string_view line = std::string_view(text).substr(at, end - at);
    if (line.starts_with(name)) {
      const size_t colon = line.find(": ");
      values.emplace_back(colon == std::string_view::npos ? "" : line.substr(colon + 2));
    }
    at = end + 1;
  }
  return values;
}

double cpu_speed_mhz(int cpu) {
  const std::string path =
      "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cpufreq/scaling_cur_freq";
  const std::string text = read_file(path.c_str());
  return text.empty() ? 0 : std::floor(std::strtod(text.c_str(), nullptr) / 1000);
}

// cpus(): [model, speed, user, nice, sys, idle, irq, model, ...], times in milliseconds.
void cpus(const Arguments& info) {
  const std::string stat = read_file("/proc/stat");
  const std::vector<std::string> models = cpuinfo("model name");
  const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
  const double ms_per_tick = ticks > 0 ? 1000 / ticks : 10;
  List list(info.GetIsolate());
  size_t at = 0;
  while (at < stat.size()) {
    size_t end = stat.find('\n', at);
    if (end == std::string::npos) end = stat.size();
    const std::string line = stat.substr(at, end - at);
    at = end + 1;
    int cpu = 0;
    // user, nice, system, idle, iowait, irq
    std::array<double, 6> t{};
    if (std::sscanf(line.c_str(), "cpu%d %lf %lf %lf %lf %lf %lf", &cpu, &t[0], &t[1], &t[2], &t[3],
                    &t[4], &t[5]) != 7) {
      continue;
    }
    const auto index = static_cast<size_t>(cpu);
    list.add(std::string_view(index < models.size() ? models[index] : "unknown"));
    list.add(cpu_speed_mhz(cpu));
    list.add(t[0] * ms_per_tick);
    list.add(t[1] * ms_per_tick);
    list.add(t[2] * ms_per_tick);
    list.add(t[3] * ms_per_tick);
    list.add(t[5] * ms_per_tick);
  }
  info.GetReturnValue().Set(list.array());
}

bool is_address(const ifaddrs& entry) {
  if ((entry.ifa_flags & IFF_UP) == 0 || (entry.ifa_flags & IFF_RUNNING) == 0) return false;
  if (entry.ifa_addr == nullptr) return false;
  return entry.ifa_addr->sa_family == AF_INET || entry.ifa_addr->sa_family == AF_INET6;
}

std::string mac_of(const ifaddrs* all, const char* name) {
  for (const ifaddrs* entry = all; entry != nullptr; entry = entry->ifa_next) {
    if (entry->ifa_addr == nullptr || entry->ifa_addr->sa_family != AF_PACKET) continue;
    // An alias, such as "eth0:1", has the address of its device.
    const size_t size = std::strlen(entry->ifa_name);
    if (std::strncmp(entry->ifa_name, name, size) != 0 || (name[size] != 0 && name[size] != ':')) {
      continue;
    }
    const auto* const link = reinterpret_cast<const sockaddr_ll*>(entry->ifa_addr);
    std::array<char, 18> text{};
    const unsigned char* const b = link->sll_addr;
    std::snprintf(text.data(), text.size(), "%02x:%02x:%02x:%02x:%02x:%02x", b[0], b[1], b[2], b[3],
                  b[4], b[5]);
    return text.data();
  }
  return "00:00:00:00:00:00";
}

const void* bytes_of(const sockaddr* address) {
  if (address->sa_family == AF_INET) {
    return &reinterpret_cast<const sockaddr_in*>(address)->sin_addr;
  }
  return &reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr;
}

// networkInterfaces(): eight values for each address (lib/os.js names them).
void network_interfaces(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) {
    info.GetReturnValue().Set(-errno);
    return;
  }
  List list(isolate);
  for (const ifaddrs* entry = all; entry != nullptr; entry = entry->ifa_next) {
    if (!is_address(*entry)) continue;
    const int family = entry->ifa_addr->sa_family;
    std::array<char, INET6_ADDRSTRLEN> address{};
    std::array<char, INET6_ADDRSTRLEN> netmask{};
    std::array<unsigned char, 16> mask{};
    const size_t mask_size = family == AF_INET ? 4 : 16;
    ::inet_ntop(family, bytes_of(entry->ifa_addr), address.data(), address.size());
    if (entry->ifa_netmask != nullptr) {
      // Some systems leave out the family of a netmask; its bytes are at the same offset as in an
      // address.
      sockaddr_storage storage{};
      std::memcpy(&storage, entry->ifa_netmask,
                  family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6));
      storage.ss_family = static_cast<sa_family_t>(family);
      std::memcpy(mask.data(), bytes_of(reinterpret_cast<const sockaddr*>(&storage)), mask_size);
    }
    ::inet_ntop(family, mask.data(), netmask.data(), netmask.size());
    List mask_bytes(isolate);
    for (size_t i = 0; i < mask_size; ++i) mask_bytes.add(static_cast<double>(mask[i]));

    list.add(std::string_view(entry->ifa_name));
    list.add(std::string_view(address.data()));
    list.add(std::string_view(netmask.data()));
    list.add(mask_bytes.array().As<v8::Value>());
    list.add(std::string_view(family == AF_INET ? "IPv4" : "IPv6"));
    list.add(std::string_view(mac_of(all, entry->ifa_name)));
    list.add((entry->ifa_flags & IFF_LOOPBACK) != 0);
    list.add(family == AF_INET
                 ? -1.0
                 : static_cast<double>(
                       reinterpret_cast<const sockaddr_in6*>(entry->ifa_addr)->sin6_scope_id));
  }
  ::freeifaddrs(all);
  info.GetReturnValue().Set(list.array());
}

// userInfo(): [name, uid, gid, home, shell] of the effective user.
void user_info(const Arguments& info) {
  struct passwd entry;
  struct passwd* found = nullptr;
  std::vector<char> buffer(2000);
  int result = 0;
  while (true) {
    result = ::getpwuid_r(::geteuid(), &entry, buffer.data(), buffer.size(), &found);
    if (result == EINTR) continue;
    // An entry longer than a megabyte is not valid.
    if (result != ERANGE || buffer.size() > 1'000'000) break;
    buffer.resize(buffer.size() * 2);
  }
  if (result != 0 || found == nullptr) {
    info.GetReturnValue().Set(result != 0 ? -result : -ENOENT);
    return;
  }
  List list(info.GetIsolate());
  list.add(std::string_view(entry.pw_name));
  list.add(static_cast<double>(entry.pw_uid));
  list.add(static_cast<double>(entry.pw_gid));
  list.add(std::string_view(entry.pw_dir));
  list.add(std::string_view(entry.pw_shell));
  info.GetReturnValue().Set(list.array());
}

// A pid or priority that lib has checked to be a 32-bit integer.
int integer(v8::Local<v8::Value> value) {
  // Not IsInt32(), which is false for -0. Other values are not a valid pid.
  if (!value->IsNumber()) return -1;
  const double number = value.As<v8::Number>()->Value();
  return number >= INT_MIN && number <= INT_MAX ? static_cast<int>(number) : -1;
}

// getPriority(pid): the priority, or 1000 + errno.
void get_priority(const Arguments& info) {
  const int pid = integer(info[0]);
  errno = 0;
  // A negative pid is invalid, but the system would take it for a large one.
  const int priority = pid < 0 ? -1 : ::getpriority(PRIO_PROCESS, static_cast<id_t>(pid));
  if (pid < 0) errno = ESRCH;
  info.GetReturnValue().Set(priority == -1 && errno != 0 ? 1000 + errno : priority);
}

void set_priority(const Arguments& info) {
  const int pid = integer(info[0]);
  const int priority = integer(info[1]);
  if (pid < 0) {
    info.GetReturnValue().Set(-ESRCH);
    return;
  }
  const int result = ::setpriority(PRIO_PROCESS, static_cast<id_t>(pid), priority);
  info.GetReturnValue().Set(result == 0 ? 0 : -errno);
}

void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  runtime::set_constants(isolate, target, "errno", kErrno);
  runtime::set_constants(isolate, target, "signals", kSignals);
  runtime::set_constants(isolate, target, "dlopen", kDlopen);
  runtime::set(isolate, target, "isBigEndian",
               v8::Boolean::New(isolate, std::endian::native == std::endian::big).As<v8::Value>());
}

const runtime::Method kMethods[] = {
    {"availableParallelism", available_parallelism},
    {"cpus", cpus},
    {"freemem", freemem},
    {"getPriority", get_priority},
    {"hostname", hostname},
    {"loadavg", loadavg},
    {"networkInterfaces", network_interfaces},
    {"setPriority", set_priority},
    {"totalmem", totalmem},
    {"uname", uname},
    {"uptime", uptime},
    {"userInfo", user_info},
};

}  // namespace

extern const runtime::Binding os;
const runtime::Binding os{"os", kMethods, add_constants};

}  // namespace rondo::bindings
