// Running a program and waiting for its end, without a loop: what spawnSync() is made of.
// Thread: any; it blocks the one that calls.
#pragma once

#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/time.h"
#include "io/process.h"
#include "io/spawn.h"

namespace rondo {

// Bytes that grow, in memory from malloc(3), so that whoever wants them may take them as they are.
class ByteBuffer {
 public:
  // Room for at least `size` more bytes; null if there is no memory.
  uint8_t* make_room(size_t size);
  void grow(size_t size) { size_ += size; }
  size_t size() const { return size_; }
  // Null if nothing was ever added. The caller frees it.
  uint8_t* release() { return data_.release(); }

 private:
  struct Free {
    void operator()(uint8_t* data) const noexcept { std::free(data); }
  };
  std::unique_ptr<uint8_t, Free> data_;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

struct RunOptions {
  // Its pipes must be duplex. That at descriptor 0 is the child's input; the others are output.
  ProcessOptions process;
  std::span<const uint8_t> input;  // What the child is to read there, before the end.
  Nanos timeout{0};                // 0: none.
  size_t most_output = 0;          // Of all pipes together; 0: no limit.
  int kill_signal = 0;             // For a child that is over one of the two.
};

struct RunResult {
  pid_t pid = 0;  // 0: it never ran.
  // None if it never ran, or somebody else has waited for it.
  std::optional<ProcessExit> exit;
  // The first thing that went wrong, as an errno: of spawning, ETIMEDOUT, ENOBUFS (too much
  // output), ENOMEM; or else of the first pipe that failed. 0: nothing.
  int error = 0;
  // By descriptor; empty where the child does not write into a pipe.
  std::vector<ByteBuffer> outputs;
};

// Returns when the child has ended and all of its pipes are closed, which a grandchild may put off.
// One that is killed is waited for, but its pipes are not.
RunResult run_to_end(const RunOptions& options);

}  // namespace rondo
