// internalBinding('process'): the native part of the process object.
#include <fcntl.h>
#include <openssl/opensslv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <span>
#include <sstream>
#include <string>

#include "runtime/engine/realm.h"
#include "runtime/values/binding.h"
#include "runtime/values/icu.h"
#include "runtime/values/values.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): not declared everywhere.

#ifndef RONDO_ARES_VERSION  // With RONDO_V8_ROOT: c-ares is a library with all functions.
extern "C" const char* ares_version(int* number);
#define RONDO_ARES_VERSION ::ares_version(nullptr)
#endif

namespace rondo::bindings {

namespace {

using runtime::Arguments;
using runtime::Realm;
using runtime::to_std;

v8::Local<v8::Array> strings(v8::Isolate* isolate, const std::vector<std::string>& list) {
  const v8::Local<v8::Array> array = v8::Array::New(isolate, static_cast<int>(list.size()));
  for (uint32_t i = 0; i < list.size(); ++i) {
    array->Set(isolate->GetCurrentContext(), i, runtime::to_js(isolate, list[i]).ToLocalChecked())
        .Check();
  }
  return array;
}

// info(): values that are fixed when the program starts.
void info_of_start(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const runtime::RealmOptions& options = Realm::of(isolate).options();
  const v8::Local<v8::Object> result = v8::Object::New(isolate);
  runtime::set(isolate, result, "args", strings(isolate, options.args));
  runtime::set(isolate, result, "execArgv", strings(isolate, options.exec_args));
  runtime::set(isolate, result, "execPath", std::string_view(options.exec_path));
  runtime::set(isolate, result, "argv0", std::string_view(options.argv0));
  runtime::set(isolate, result, "source", std::string_view(options.source));
  runtime::set(isolate, result, "pid", ::getpid());
  runtime::set(isolate, result, "ppid", ::getppid());
  // [[name, value]...]: an option may be given more than once.
  const v8::Local<v8::Array> flags = v8::Array::New(isolate);
  uint32_t count = 0;
  for (const auto& [name, value] : options.flags) {
    flags->Set(isolate->GetCurrentContext(), count++, strings(isolate, {name, value})).Check();
  }
  runtime::set(isolate, result, "flags", flags);
  info.GetReturnValue().Set(result);
}

void parent_pid(const Arguments& info) { info.GetReturnValue().Set(::getppid()); }

// cwd(): its path or a negative errno.
void cwd(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  char* const path = ::getcwd(nullptr, 0);
  if (path == nullptr) {
    info.GetReturnValue().Set(-errno);
    return;
  }
  v8::Local<v8::String> text;
  if (runtime::to_js(isolate, path).ToLocal(&text)) info.GetReturnValue().Set(text);
  std::free(path);
}

// chdir(path): 0 or a negative errno.
void chdir(const Arguments& info) {
  const std::string path = to_std(info.GetIsolate(), info[0]);
  info.GetReturnValue().Set(::chdir(path.c_str()) == 0 ? 0 : -errno);
}

// umask() or umask(mask): the mask before.
void umask(const Arguments& info) {
  mode_t before = 0;
  if (info[0]->IsUint32()) {
    before = ::umask(static_cast<mode_t>(info[0].As<v8::Uint32>()->Value()));
  } else {
    before = ::umask(0);
    ::umask(before);
  }
  info.GetReturnValue().Set(static_cast<uint32_t>(before));
}

// kill(pid, signal): 0 or a negative errno.
void kill(const Arguments& info) {
  RONDO_EXPECT(info, info[0]->IsNumber());
  RONDO_EXPECT(info, info[1]->IsNumber());  // Not IsInt32(), which -0 is not.
  const auto pid = static_cast<pid_t>(info[0].As<v8::Number>()->Value());
  const auto signal = static_cast<int>(info[1].As<v8::Number>()->Value());
  info.GetReturnValue().Set(::kill(pid, signal) == 0 ? 0 : -errno);
}

void exit_now(const Arguments& info) {
  Realm::of(info.GetIsolate()).exit(info[0]->IsInt32() ? info[0].As<v8::Int32>()->Value() : 0);
  // The realm terminates JavaScript that JsEntry called. This may be other JavaScript: a function
  // of the program that the report of an uncaught error calls.
  info.GetIsolate()->TerminateExecution();
}

void abort(const Arguments&) { std::abort(); }

// env is a view of the real environment: children and C libraries see changes.
// Any thread may change it, and the C library reallocates it then, so all threads of the process
// use this lock.
std::mutex environment_lock;

void env_get(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const std::lock_guard lock(environment_lock);
  const char* const value = ::getenv(to_std(isolate, info[0]).c_str());
  if (value == nullptr) return;
  v8::Local<v8::String> text;
  if (runtime::to_js(isolate, value).ToLocal(&text)) info.GetReturnValue().Set(text);
}

// V8 and the C library cache the value of the variable.
void follow_time_zone(v8::Isolate* isolate) {
  ::tzset();
  isolate->DateTimeConfigurationChangeNotification(v8::Isolate::TimeZoneDetection::kRedetect);
}

void env_set(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  const std::string name = to_std(isolate, info[0]);
  const std::string value = to_std(isolate, info[1]);
  const std::lock_guard lock(environment_lock);
  ::setenv(name.c_str(), value.c_str(), 1);
  if (name == "TZ") follow_time_zone(isolate);
}

void env_delete(const Arguments& info) {
  const std::string name = to_std(info.GetIsolate(), info[0]);
  const std::lock_guard lock(environment_lock);
  ::unsetenv(name.c_str());
  if (name == "TZ") follow_time_zone(info.GetIsolate());
}

void env_keys(const Arguments& info) {
  std::vector<std::string> names;
  std::unique_lock lock(environment_lock);
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const char* const end = std::strchr(*entry, '=');
    if (end != nullptr && end != *entry)
      names.emplace_back(*entry, static_cast<size_t>(end - *entry));
  }
  lock.unlock();
  info.GetReturnValue().Set(strings(info.GetIsolate(), names));
}

double to_micros(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_usec);
}

// resourceUsage(): sixteen numbers in getrusage's order; the first two are microseconds of CPU.
void resource_usage(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  const double values[] = {
      to_micros(usage.ru_utime),
      to_micros(usage.ru_stime),
      static_cast<double>(usage.ru_maxrss),
      static_cast<double>(usage.ru_ixrss),
      static_cast<double>(usage.ru_idrss),
      static_cast<double>(usage.ru_isrss),
      static_cast<double>(usage.ru_minflt),
      static_cast<double>(usage.ru_majflt),
      static_cast<double>(usage.ru_nswap),
      static_cast<double>(usage.ru_inblock),
      static_cast<double>(usage.ru_oublock),
      static_cast<double>(usage.ru_msgsnd),
      static_cast<double>(usage.ru_msgrcv),
      static_cast<double>(usage.ru_nsignals),
      static_cast<double>(usage.ru_nvcsw),
      static_cast<double>(usage.ru_nivcsw),
  };
  v8::Local<v8::Value> numbers[std::size(values)];
  for (size_t i = 0; i < std::size(values); ++i) numbers[i] = v8::Number::New(isolate, values[i]);
  info.GetReturnValue().Set(v8::Array::New(isolate, numbers, std::size(values)));
}

// threadCpuUsage(): [user, system] of the calling thread, in microseconds.
void thread_cpu_usage(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  rusage usage = {};
  ::getrusage(RUSAGE_THREAD, &usage);
  v8::Local<v8::Value> numbers[] = {
      v8::Number::New(isolate, to_micros(usage.ru_utime)),
      v8::Number::New(isolate, to_micros(usage.ru_stime)),
      v8::Number::New(isolate, static_cast<double>(usage.ru_inblock)),
      v8::Number::New(isolate, static_cast<double>(usage.ru_oublock))};
  info.GetReturnValue().Set(v8::Array::New(isolate, numbers, std::size(numbers)));
}

std::vector<std::string> to_strings(v8::Isolate* isolate, v8::Local<v8::Array> array) {
  std::vector<std::string> list;
  for (uint32_t i = 0; i < array->Length(); ++i) {
    v8::Local<v8::Value> item;
    if (!array->Get(isolate->GetCurrentContext(), i).ToLocal(&item)) break;
    list.push_back(to_std(isolate, item));
  }
  return list;
}

std::vector<char*> pointers_to(std::vector<std::string>& list) {
  std::vector<char*> pointers;
  for (std::string& item : list) pointers.push_back(item.data());
  pointers.push_back(nullptr);
  return pointers;
}

// execve(path, arguments, environment): replaces the program. Returns only if that failed, with a
// negative errno. The new program inherits the standard descriptors and an empty signal mask.
void execve(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  RONDO_EXPECT(info, info[0]->IsString());
  RONDO_EXPECT(info, info[1]->IsArray());
  RONDO_EXPECT(info, info[2]->IsArray());
  const std::string path = to_std(isolate, info[0]);
  std::vector<std::string> arguments = to_strings(isolate, info[1].As<v8::Array>());
  std::vector<std::string> environment = to_strings(isolate, info[2].As<v8::Array>());
  int flags[3] = {};
  for (int fd = 0; fd < 3; ++fd) {
    flags[fd] = ::fcntl(fd, F_GETFD);
    if (flags[fd] >= 0) ::fcntl(fd, F_SETFD, flags[fd] & ~FD_CLOEXEC);
  }
  ::execve(path.c_str(), pointers_to(arguments).data(), pointers_to(environment).data());
  const int error = errno;
  for (int fd = 0; fd < 3; ++fd) {
    if (flags[fd] >= 0) ::fcntl(fd, F_SETFD, flags[fd]);
  }
  info.GetReturnValue().Set(-error);
}

double resident_bytes() {
  std::FILE* const file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return 0;
  unsigned long long total = 0;
  unsigned long long resident = 0;
  const int fields = std::fscanf(file, "%llu %llu", &total, &resident);
  std::fclose(file);
  return fields == 2 ? static_cast<double>(resident) * static_cast<double>(::getpagesize()) : 0;
}

void rss(const Arguments& info) { info.GetReturnValue().Set(resident_bytes()); }

// memoryUsage(): [rss, heapTotal, heapUsed, external, arrayBuffers]
void memory_usage(const Arguments& info) {
  v8::Isolate* const isolate = info.GetIsolate();
  v8::HeapStatistics heap;
  isolate->GetHeapStatistics(&heap);
  v8::Local<v8::Value> numbers[] = {
      v8::Number::New(isolate, resident_bytes()),
      v8::Number::New(isolate, static_cast<double>(heap.total_heap_size())),
      v8::Number::New(isolate, static_cast<double>(heap.used_heap_size())),
      v8::Number::New(isolate, static_cast<double>(heap.external_memory())),
      v8::Number::New(isolate, static_cast<double>(Realm::of(isolate).array_buffer_bytes())),
  };
  info.GetReturnValue().Set(v8::Array::New(isolate, numbers, std::size(numbers)));
}

// The memory of the process's arguments, which ps and others read. main() has copied them, so it is
// free for other use. Empty without /proc.
std::span<char> argument_area() {
  constexpr int kArgStart = 48;  // proc(5): fields count from 1; the second one is the name.
  constexpr int kFirstBehindName = 3;
  std::ifstream file("/proc/self/stat");
  std::string line;
  std::getline(file, line);
  // The name may contain any character, also parentheses and spaces.
  const size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return {};
  std::istringstream fields(line.substr(name_end + 1));
  std::string skipped;
  for (int i = kFirstBehindName; i < kArgStart; ++i) fields >> skipped;
  uintptr_t start = 0;
  uintptr_t end = 0;
  if (!(fields >> start >> end) || start == 0 || end <= start) return {};
  return {reinterpret_cast<char*>(start), end - start};
}

// title(text): sets the name of the process, fifteen bytes, and the arguments that ps shows.
// Returns the part of the text that fits, as in Node.
void title(const Arguments& info) {
  static const std::span<char> kArea = argument_area();  // The main thread's only.
  v8::Isolate* const isolate = info.GetIsolate();
  std::string text = to_std(isolate, info[0]);
  if (!kArea.empty()) {
    text.resize(std::min(text.size(), kArea.size() - 1));
    std::memset(kArea.data(), 0, kArea.size());
    text.copy(kArea.data(), text.size());
  }
  ::prctl(PR_SET_NAME, text.c_str());
  v8::Local<v8::String> stored;
  if (runtime::to_js(isolate, text).ToLocal(&stored)) info.GetReturnValue().Set(stored);
}

// The versions of ICU and of its data, under their names in process.versions.
void add_icu_versions(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  std::array<uint8_t, icu::kVersionParts> version{};
  const auto add = [&](std::string_view name) {
    std::array<char, icu::kVersionTextSize> text{};
    u_versionToString_78(version.data(), text.data());
    runtime::set(isolate, target, name, std::string_view(text.data()));
  };
  u_getVersion_78(version.data());
  add("icuVersion");
  u_getUnicodeVersion_78(version.data());
  add("unicodeVersion");
  UErrorCode status = icu::kNoError;
  ulocdata_getCLDRVersion_78(version.data(), &status);
  if (!icu::has_failed(status)) add("cldrVersion");
  status = icu::kNoError;
  const char* const zones = ucal_getTZDataVersion_78(&status);
  if (!icu::has_failed(status)) runtime::set(isolate, target, "tzVersion", std::string_view(zones));
}

void add_constants(v8::Isolate* isolate, v8::Local<v8::Object> target) {
  runtime::set(isolate, target, "v8Version", std::string_view(v8::V8::GetVersion()));
  runtime::set(isolate, target, "rondoVersion", std::string_view(RONDO_VERSION));
  runtime::set(isolate, target, "nodeVersion", std::string_view(RONDO_NODE_VERSION));
  runtime::set(isolate, target, "opensslVersion", std::string_view(OPENSSL_VERSION_STR));
  runtime::set(isolate, target, "aresVersion", std::string_view(RONDO_ARES_VERSION));
  runtime::set(isolate, target, "amaroVersion", std::string_view(RONDO_AMARO_VERSION));
  runtime::set(isolate, target, "lexerVersion", std::string_view(RONDO_LEXER_VERSION));
  runtime::set(isolate, target, "undiciVersion", std::string_view(RONDO_UNDICI_VERSION));
  add_icu_versions(isolate, target);
}

constexpr runtime::Method kMethods[] = {
    {"info", info_of_start},
    {"ppid", parent_pid},
    {"cwd", cwd},
    {"chdir", chdir},
    {"umask", umask},
    {"kill", kill},
    {"exit", exit_now},
    {"abort", abort},
    {"envGet", env_get},
    {"envSet", env_set},
    {"envDelete", env_delete},
    {"envKeys", env_keys},
    {"resourceUsage", resource_usage},
    {"threadCpuUsage", thread_cpu_usage},
    {"execve", execve},
    {"memoryUsage", memory_usage},
    {"rss", rss},
    {"title", title},
};

}  // namespace

extern const runtime::Binding process;
const runtime::Binding process{"process", kMethods, add_constants};

}  // namespace rondo::bindings
