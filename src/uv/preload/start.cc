// Runs when the dynamic linker has loaded the library, before main(). `rondo uv` preloads the
// library and names the process that it starts in RONDO_UV_PID. In that process a failure is an
// error. The children of the program inherit the preloaded library, but not the variable: those
// that use libuv get this one, and others run as without it.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "uv/preload/program.h"
#include "uv/preload/settings.h"

namespace {

// The variable that `rondo uv` sets to the process id.
constexpr const char* kProcess = "RONDO_UV_PID";

bool is_preloaded() {
  const char* const list = ::secure_getenv("LD_PRELOAD");
  return list != nullptr && std::string(list).find("/libuv.so.1") != std::string::npos;
}

[[gnu::constructor]] void start() {
  using namespace rondo::uv;
  if (!is_preloaded()) return;  // Linked: the program has asked for this library itself.
  const char* const pid = ::getenv(kProcess);
  const bool is_started_by_rondo = pid != nullptr && pid == std::to_string(::getpid());
  ::unsetenv(kProcess);
  const std::string problem = take_over(Module::loaded(), reinterpret_cast<uintptr_t>(&start));
  if (!is_started_by_rondo) return;
  if (problem.empty()) {
    read_settings();
    return;
  }
  const char* const name = ::getenv(kProgramVariable);
  std::fprintf(stderr, "rondo uv: %s %s\n", name != nullptr ? name : "the program",
               problem.c_str());
  ::_exit(1);
}

}  // namespace
