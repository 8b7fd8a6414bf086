#include "cli/leak_check.h"

#include <dirent.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string_view>
#include <thread>
#include <vector>

#include "base/file_name.h"

namespace rondo::cli {

namespace {

using namespace std::chrono_literals;

// The most checks for other threads: a joined thread stays in /proc until the kernel has cleaned
// up.
constexpr int kMostLooks = 1000;
constexpr std::string_view kPoolWorker = "rondo-pool-";

template <class Visit>
void for_each_number(const char* folder, Visit visit) {
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(folder), ::closedir);
  if (!entries) return;
  const int own = ::dirfd(entries.get());
  while (const dirent* const entry = ::readdir(entries.get())) {
    if (entry->d_name[0] == '.') continue;
    if (const int number = std::atoi(entry->d_name); number != own) visit(number);
  }
}

// True for the pidfd of a child that has not been reaped: kept until then
// (src/io/process/process.cc).
bool is_of_child(int fd, const std::string& name) {
  if (name != "anon_inode:[pidfd]") return false;
  std::ifstream file("/proc/self/fdinfo/" + std::to_string(fd));
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("Pid:")) return std::atoi(line.c_str() + 4) > 0;
  }
  return false;
}

std::map<int, std::string> open_descriptors() {
  std::map<int, std::string> found;
  for_each_number("/proc/self/fd", [&found](int fd) { found[fd] = name_of_descriptor(fd); });
  return found;
}

// The names of all threads except this one and the workers of the pool, which lives as long as the
// process.
std::vector<std::string> other_threads() {
  std::vector<std::string> names;
  for_each_number("/proc/self/task", [&names](int thread) {
    if (thread == ::getpid()) return;
    std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/comm");
    std::string name;
    if (std::getline(file, name) && !name.starts_with(kPoolWorker)) names.push_back(name);
  });
  return names;
}

}  // namespace

LeakCheck::LeakCheck() : is_wanted_(std::getenv("RONDO_CHECK_LEAKS") != nullptr) {
  if (is_wanted_) descriptors_ = open_descriptors();
}

int LeakCheck::finish(int code) const {
  if (!is_wanted_) return code;
  bool leaks = false;
  for (const auto& [fd, name] : open_descriptors()) {
    const auto before = descriptors_.find(fd);
    if (before != descriptors_.end() && before->second == name) continue;
    if (is_of_child(fd, name)) continue;
    std::fprintf(stderr, "rondo: leak: descriptor %d, %s\n", fd, name.c_str());
    leaks = true;
  }
  std::vector<std::string> threads = other_threads();
  for (int looks = 0; !threads.empty() && looks < kMostLooks; ++looks) {
    std::this_thread::sleep_for(1ms);
    threads = other_threads();
  }
  for (const std::string& name : threads) {
    std::fprintf(stderr, "rondo: leak: thread %s\n", name.c_str());
    leaks = true;
  }
  return leaks ? kLeaks : code;
}

}  // namespace rondo::cli
