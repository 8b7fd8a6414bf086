#include "scenario.h"

#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

#include "inject.h"

namespace rondo::faults {

Quietly::Quietly() { ++quiet_scopes; }
Quietly::~Quietly() { --quiet_scopes; }

uint32_t Account::open(const char* what) {
  if (count_ == kMost) fatal("raise Account::kMost");
  entries_[count_].what = what;
  return count_++;
}

void Account::settle(uint32_t entry) { ++entries_[entry].calls; }

void Account::expect(bool is_so, const std::string& otherwise) {
  if (!is_so) failures_.push_back(otherwise);
}

void Account::print_open() const {
  int lines = 10;
  for (uint32_t i = 0; i < count_ && lines > 0; ++i) {
    if (entries_[i].calls > 0) continue;
    --lines;
    (void)!::write(STDERR_FILENO, "  waits for: ", 13);
    (void)!::write(STDERR_FILENO, entries_[i].what, std::strlen(entries_[i].what));
    (void)!::write(STDERR_FILENO, "\n", 1);
  }
}

std::vector<std::string> Account::problems() const {
  std::vector<std::string> all = failures_;
  for (uint32_t i = 0; i < count_; ++i) {
    const Entry& entry = entries_[i];
    if (entry.calls == 0) all.push_back(std::string(entry.what) + " never called back");
    if (entry.calls > 1) all.push_back(std::string(entry.what) + " called back more than once");
  }
  return all;
}

std::string Context::content(const std::string& path) const {
  const Quietly quietly;
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

void Context::write(const std::string& path, std::string_view text) const {
  const Quietly quietly;
  std::ofstream(path, std::ios::binary) << text;
}

void Context::with_loop(const std::function<void(Loop&)>& program, LoopOptions options) {
  ThreadPool pool(3);
  options.backend = backend;
  options.pool = &pool;
  Result<std::unique_ptr<Loop>> loop = Loop::create(std::move(options));
  if (!loop) return;
  program(**loop);
  (*loop)->run();
}

std::span<const Scenario> scenarios() {
  static constexpr Scenario kAll[] = {
      {"timers-and-pool", run_timers_and_pool},
      {"files", run_files},
      {"directories", run_directories},
      {"callbacks", run_callbacks},
      {"copies", run_copies},
      {"tcp", run_tcp},
      {"unix-sockets", run_unix_sockets},
      {"pipes", run_pipes},
      {"datagrams", run_datagrams},
      {"virtual-time", run_virtual_time},
      {"channel", run_channel},
      {"children", run_children},
      {"forked-children", run_forked_children},
      {"run-to-end", run_to_the_end},
      {"signals", run_signals},
      {"fork", run_fork},
      {"watchers", run_watchers},
      {"terminal", run_terminal},
      {"names", run_names},
      {"traces", run_traces},
#ifdef RONDO_WITH_UV
      {"uv-loop", run_uv_loop, true},
      {"uv-system", run_uv_system, true},
      {"uv-files", run_uv_files, true},
      {"uv-streams", run_uv_streams, true},
      {"uv-datagrams", run_uv_datagrams, true},
      {"uv-processes", run_uv_processes, true},
      {"uv-terminal", run_uv_terminal, true},
#endif
  };
  return kAll;
}

}  // namespace rondo::faults
