// The trace file of a loop, for programs that run under `rondo uv --trace-file`. Besides the loop's
// own events it has the program's functions that the loop calls.
// Thread: the loop's only.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "loop/trace/file.h"

namespace rondo::uv {

class Recording {
 public:
  // Null if the program is not traced. A file that cannot be written ends the process with a
  // message. The file of the default loop has the name that the user gave, others have .w1, .w2...
  static std::unique_ptr<Recording> open(bool is_default_loop);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  TraceFile& file() { return *file_; }
  // The loop runs: if the program has no default loop, the first that runs on the main thread takes
  // the name that the user gave.
  void loop_runs();
  // The handle is closed now: this, not its start, is the cause of the callbacks that follow.
  void closed(uint64_t id, const char* label, uintptr_t function);
  // Around a call of the program's function for a handle or request.
  void begin(uint64_t id, uintptr_t function);
  void end(uint64_t id);

 private:
  Recording(std::unique_ptr<TraceFile> file, std::string path, uint32_t number);
  uint32_t place_of(uintptr_t function);
  static void finish_all(int code, void*);

  std::unique_ptr<TraceFile> file_;
  std::string path_;
  uint32_t number_;  // 0 is the main loop.
  pid_t thread_;     // Which created the loop.
  std::unordered_map<uintptr_t, uint32_t> places_;
};

}  // namespace rondo::uv
