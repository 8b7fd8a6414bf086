#include "uv/trace/recording.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <mutex>
#include <vector>

#include "base/encoding/json.h"
#include "base/fd.h"
#include "uv/preload/settings.h"
#include "uv/trace/symbols.h"

namespace rondo::uv {

namespace {

// Ids of the loop are small numbers. Ids of callbacks begin here, where those of JavaScript have no
// meaning for the readers of traces: 1 is the main script.
constexpr double kFirstId = 1099511627776.0;  // 2^40

// All recordings of the process, for its end. Once per process, like the end.
std::mutex mutex;
std::vector<Recording*> recordings;
uint32_t last_number = 0;
bool has_main = false;

// The command line as JSON.
std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string all((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::string json = "[";
  while (!all.empty()) {
    const size_t end = all.find('\0');
    if (json.size() > 1) json += ',';
    json += encoding::json_of_utf8(std::string_view(all).substr(0, end));
    all.erase(0, end == std::string::npos ? all.size() : end + 1);
  }
  return json + "]";
}

bool is_main_thread() { return ::gettid() == ::getpid(); }

}  // namespace

Recording::Recording(std::unique_ptr<TraceFile> file, std::string path, uint32_t number)
    : file_(std::move(file)), path_(std::move(path)), number_(number), thread_(::gettid()) {
  recordings.push_back(this);
}

std::unique_ptr<Recording> Recording::open(bool is_default_loop) {
  const TraceRequest& request = settings().trace;
  if (request.path.empty()) return nullptr;
  const std::lock_guard lock(mutex);
  const bool is_main = is_default_loop && !has_main;
  if (is_main) has_main = true;
  TraceRingOptions options;
  options.thread_id = is_main ? 0 : ++last_number;
  options.path = request.path;
  if (!is_main) options.path += ".w" + std::to_string(options.thread_id);
  options.bytes = request.bytes;
  options.command = command_line();
  Result<std::unique_ptr<TraceFile>> file = TraceFile::create(options);
  if (!file) {
    std::fprintf(stderr, "rondo uv: cannot record to '%s': %s\n", options.path.c_str(),
                 file.error().message().c_str());
    ::_exit(1);
  }
  load_symbols_of_program();
  static const int kRegistered = ::on_exit(&Recording::finish_all, nullptr);
  (void)kRegistered;
  return std::unique_ptr<Recording>(
      new Recording(std::move(*file), options.path, options.thread_id));
}

Recording::~Recording() {
  const std::lock_guard lock(mutex);
  recordings.erase(std::find(recordings.begin(), recordings.end(), this));
}

// Only the loops of this thread: others may still be recording.
void Recording::finish_all(int code, void*) {
  const std::lock_guard lock(mutex);
  for (Recording* each : recordings) {
    if (each->thread_ == ::gettid()) each->file_->finish(code);
  }
}

void Recording::loop_runs() {
  if (number_ == 0 || !is_main_thread()) return;
  const std::lock_guard lock(mutex);
  if (has_main) return;
  const std::string& path = settings().trace.path;
  // The mapping of the file is shared, so its header can be changed through the file.
  const Fd file(::open(path_.c_str(), O_WRONLY | O_CLOEXEC));
  const uint32_t number = 0;
  const auto offset = static_cast<off_t>(offsetof(TraceHeader, thread_id));
  if (::pwrite(file.get(), &number, sizeof number, offset) != sizeof number) return;
  if (::rename(path_.c_str(), path.c_str()) != 0) return;
  has_main = true;
  number_ = 0;
  path_ = path;
}

void Recording::begin(uint64_t id, uintptr_t function) {
  file_->begin(TraceCode::callback, 0, place_of(function), kFirstId + static_cast<double>(id), 0);
}

void Recording::closed(uint64_t id, const char* label, uintptr_t function) {
  const uint32_t place = function == 0 ? 0 : place_of(function);
  file_->schedule(file_->label(label), kFirstId + static_cast<double>(id), 0, place, false);
}

void Recording::end(uint64_t id) { file_->end(kFirstId + static_cast<double>(id)); }

uint32_t Recording::place_of(uintptr_t function) {
  const auto [found, is_new] = places_.try_emplace(function, 0);
  if (!is_new) return found->second;
  const FunctionName name = name_of_function(function);
  TraceRing& ring = file_->ring();
  return found->second = ring.place(ring.text(name.function), ring.text(name.file), 0, 0);
}

}  // namespace rondo::uv
