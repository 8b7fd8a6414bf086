// Runs a part of a test in a forked process. Under TSan the child must not start threads.
#pragma once

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace rondo {

// Waits for a child; true if it exited with code 0.
inline bool child_succeeded(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return false;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Runs `child` in a forked process; true if it returned true.
template <class Child>
bool succeeds_in_child(Child&& child) {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(child() ? 0 : 1);
  return pid > 0 && child_succeeded(pid);
}

}  // namespace rondo
