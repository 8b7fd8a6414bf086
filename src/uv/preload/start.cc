// Runs when the dynamic linker has loaded the library, before main(). `rondo uv` preloads the
// library and names the process that it starts in RONDO_UV_PID. In that process a failure is an
// error. The children of the program inherit the preloaded library, but not the variable: those
// that use libuv get this one, and others run as without it.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "uv/control/inspected.h"
#include "uv/core/loop.h"
#include "uv/preload/program.h"
#include "uv/preload/settings.h"
#include "uv/run/process.h"

namespace {

// The variable that `rondo uv` sets to the process id.
constexpr const char* kProcess = "RONDO_UV_PID";

// The process that finish() examines: one that did not use libuv at its start. A child made by
// fork() has another id. 0: none.
pid_t uncertain_process = 0;

bool is_preloaded() {
  const char* const list = ::secure_getenv("LD_PRELOAD");
  return list != nullptr && std::string(list).find("/libuv.so.1") != std::string::npos;
}

std::string& name_of_program() {
  static auto* const name = new std::string("the program");  // Outlives the program's own objects.
  return *name;
}

[[gnu::constructor]] void start() {
  using namespace rondo::uv;
  if (!is_preloaded()) return;  // Linked: the program has asked for this library itself.
  const char* const pid = ::getenv(kProcess);
  const bool is_started_by_rondo = pid != nullptr && pid == std::to_string(::getpid());
  ::unsetenv(kProcess);
  const Outcome outcome = take_over(Module::loaded(), reinterpret_cast<uintptr_t>(&start));
  if (!is_started_by_rondo) return;
  if (const char* const name = ::getenv(kProgramVariable); name != nullptr) {
    name_of_program() = name;
  }
  if (outcome.problem.empty()) {
    read_settings();
    if (outcome.may_load_later) uncertain_process = ::getpid();
    start_process();
    return;
  }
  std::fprintf(stderr, "rondo uv: %s %s\n", name_of_program().c_str(), outcome.problem.c_str());
  ::_exit(1);
}

[[gnu::destructor]] void finish() {
  rondo::uv::end_inspection();
  if (uncertain_process != ::getpid() || rondo::uv::has_created_a_loop()) return;
  const std::string text = "rondo uv: " + name_of_program() +
                           " loaded no library that uses libuv, so nothing ran on Rondo's loop\n";
  const ssize_t ignored = ::write(STDERR_FILENO, text.data(), text.size());
  static_cast<void>(ignored);
}

}  // namespace
