// For tests of child processes.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "io/process/process.h"

namespace rondo {

// A command for /bin/sh.
inline ProcessOptions shell(std::string command) {
  ProcessOptions options;
  options.file = "/bin/sh";
  options.args = {"sh", "-c", std::move(command)};
  return options;
}

// Children of this process that have ended and that have not been waited for.
inline int zombies() {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    // By getline, which takes a process that has just ended for an empty line.
    std::ifstream file(entry.path() / "stat");
    std::string text;
    std::getline(file, text);
    const size_t paren = text.rfind(')');
    if (paren == std::string::npos) continue;
    char state = 0;
    int parent = 0;
    if (std::sscanf(text.c_str() + paren + 1, " %c %d", &state, &parent) != 2) continue;
    count += state == 'Z' && parent == ::getpid();
  }
  return count;
}

// Waits until the child is a zombie, and leaves it one.
inline void await_end(pid_t pid) {
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT), 0);
}

}  // namespace rondo
