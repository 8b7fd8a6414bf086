// Starts a program: the part of Process that does not need a loop. Thread: any.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace rondo {

// One of the child's descriptors.
struct Stdio {
  enum class Kind : uint8_t { ignore, inherit, pipe };
  enum class Direction : uint8_t {
    child_reads,   // A pipe(2).
    child_writes,  // A pipe(2).
    duplex,        // A pair of Unix sockets. A child cannot open /dev/stdin on one.
  };

  // /dev/null at 0, 1 and 2; above them, closed.
  static Stdio ignore() { return {}; }
  // The parent's descriptor, which may belong to a stream and may be close-on-exec. If it is a
  // terminal or pipe that Rondo made non-blocking, the child gets its own blocking description at
  // 0, 1 and 2, as programs expect; a socket becomes blocking for both processes.
  static Stdio inherit(int fd) { return {Kind::inherit, Direction::duplex, fd}; }
  // A new channel between parent and child.
  static Stdio pipe(Direction direction) { return {Kind::pipe, direction, -1}; }

  Kind kind = Kind::ignore;
  Direction direction = Direction::duplex;
  int fd = -1;
};

struct ProcessOptions {
  // With a slash: this file, relative to `cwd`. Without: searched in the child's PATH, or in
  // /usr/bin and /bin if it has none.
  std::string file;
  std::vector<std::string> args;  // The first is the child's argv[0]. Empty: `file` alone.
  std::optional<std::vector<std::string>> env;  // "NAME=value". None: the parent's.
  std::string cwd;                              // Empty: the parent's.
  // Needs privileges; supplementary groups are dropped. Costs a fork(2), which copies page tables.
  std::optional<uid_t> uid;
  std::optional<gid_t> gid;
  bool detached = false;  // Leads its own session: the terminal's signals do not reach it.
  // The kernel kills the child (SIGKILL) when the thread that called spawn() ends, for any reason.
  // Also costs a fork(2).
  bool ends_with_parent = false;
  std::vector<Stdio> stdio;  // By descriptor; missing ones of the first three are ignored.
};

struct Spawned {
  pid_t pid = -1;
  Fd pidfd;  // None if the kernel does not support pidfd_open(2).
  // The parent's ends of the pipes, non-blocking; by descriptor, empty where there is no pipe.
  std::vector<Fd> stdio;
};

// Starts the program with default signal actions and no signal blocked. Errors before it runs are
// returned: ENOENT, EACCES, E2BIG, EMFILE..., of the call "spawn"; no resources are left behind. A
// file that the kernel does not recognise as a program (ENOEXEC) is run by /bin/sh, as execvp(3)
// does.
Result<Spawned> spawn(const ProcessOptions& options);

}  // namespace rondo
