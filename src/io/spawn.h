// Starting a program: the part of Process that knows no loop.
// Thread: any.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace rondo {

// What a child finds at one of its descriptors.
struct Stdio {
  enum class Kind : uint8_t { ignore, inherit, pipe };
  enum class Direction : uint8_t {
    child_reads,   // A pipe(2).
    child_writes,  // A pipe(2).
    duplex,        // A pair of Unix sockets. A child cannot open /dev/stdin on one.
  };

  // /dev/null at 0, 1 and 2; above them, closed.
  static Stdio ignore() { return {}; }
  // The parent's descriptor, which may be that of a stream, and may be close-on-exec. Where it is a
  // terminal or pipe that was made non-blocking here, the child gets a blocking one of its own at
  // 0, 1 and 2, for programs expect that; a socket becomes blocking for both.
  static Stdio inherit(int fd) { return {Kind::inherit, Direction::duplex, fd}; }
  // A new channel between the two.
  static Stdio pipe(Direction direction) { return {Kind::pipe, direction, -1}; }

  Kind kind = Kind::ignore;
  Direction direction = Direction::duplex;
  int fd = -1;
};

struct ProcessOptions {
  // With a slash: this file, relative to `cwd`. Without: searched in the PATH that the child gets;
  // /usr/bin and /bin where it gets none.
  std::string file;
  std::vector<std::string> args;  // The first one is the child's argv[0]. None: `file` alone.
  std::optional<std::vector<std::string>> env;  // "NAME=value". None: the parent's.
  std::string cwd;                              // Empty: the parent's.
  // Needs the right to; other groups are given up. Costs a fork(2), which copies page tables.
  std::optional<uid_t> uid;
  std::optional<gid_t> gid;
  bool detached = false;  // Leads a session of its own: the terminal's signals pass it by.
  // The kernel kills it (SIGKILL) when the thread that called spawn() ends, however that comes
  // about. Costs a fork(2), too.
  bool ends_with_parent = false;
  std::vector<Stdio> stdio;  // By descriptor; what is missing of the first three is ignored.
};

struct Spawned {
  pid_t pid = -1;
  Fd pidfd;               // None where the kernel refuses pidfd_open(2).
  std::vector<Fd> stdio;  // Our ends of the pipes, non-blocking; by descriptor, none where no pipe.
};

// Starts the program with default signal actions and no signal blocked. What goes wrong before it
// runs is the result: ENOENT, EACCES, E2BIG, EMFILE..., of the call "spawn"; nothing is left
// behind. A file that the kernel does not take for a program (ENOEXEC) is run by /bin/sh, as
// execvp(3) does.
Result<Spawned> spawn(const ProcessOptions& options);

}  // namespace rondo
