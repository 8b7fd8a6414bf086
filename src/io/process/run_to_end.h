// Runs a program and waits for its end, without a loop: the base of spawnSync(). Thread: any;
// blocks the calling thread.
#pragma once

#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/time/time.h"
#include "io/process/process.h"
#include "io/process/spawn.h"

namespace rondo {

// A growing buffer from malloc(3), so that the memory can be handed over without copying.
class ByteBuffer {
 public:
  // Makes room for at least `size` more bytes; null if there is no memory.
  uint8_t* make_room(size_t size);
  void grow(size_t size) { size_ += size; }
  size_t size() const { return size_; }
  // Null if nothing was added. The caller frees it.
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
  // Pipes must be duplex. The one at descriptor 0 is the child's input; the others are output.
  ProcessOptions process;
  std::span<const uint8_t> input;  // Written to the child's input, followed by its end.
  Nanos timeout{0};                // 0: none.
  size_t most_output = 0;          // Of all pipes together; 0: no limit.
  int kill_signal = 0;             // Sent to a child that exceeds one of the two limits.
};

struct RunResult {
  pid_t pid = 0;  // 0: never started.
  // Empty if the child never started, or if other code has waited for it.
  std::optional<ProcessExit> exit;
  // The first error as an errno: of spawning, ETIMEDOUT, ENOBUFS (too much output), ENOMEM;
  // otherwise of the first pipe that failed. 0: none.
  int error = 0;
  // By descriptor; empty where the child does not write to a pipe.
  std::vector<ByteBuffer> outputs;
};

// Returns when the child has ended and all of its pipes are closed, which a grandchild may delay.
// For a killed child, only its end is waited for, not its pipes.
RunResult run_to_end(const RunOptions& options);

}  // namespace rondo
