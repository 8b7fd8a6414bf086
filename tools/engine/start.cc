// Starts our main() in V8's host program. The host's first instructions call __libc_start_main with
// the host's own main(); this library is loaded before libc, so the function below is called.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

int main(int argc,
         char** argv);  // NOLINT(readability-redundant-declaration): ours, in another file.

namespace {

using Main = int (*)(int, char**, char**);
using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);

int run_main(int argc, char** argv, char**) { return main(argc, argv); }

}  // namespace

extern "C" [[gnu::visibility("default")]] int __libc_start_main(Main, int argc, char** argv,
                                                                void (*init)(), void (*fini)(),
                                                                void (*rtld_fini)(),
                                                                void* stack_end) {
  const auto start = reinterpret_cast<Start>(::dlsym(RTLD_NEXT, "__libc_start_main"));
  if (start == nullptr) {
    std::fputs("rondo: libc has no __libc_start_main: this system is not supported\n", stderr);
    std::abort();
  }
  return start(run_main, argc, argv, init, fini, rtld_fini, stack_end);
}
