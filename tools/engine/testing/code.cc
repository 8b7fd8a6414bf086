// The library that the edited host loads. Its main() prints one line for each error.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace v8 {
extern int flag;
int version();
}  // namespace v8

extern "C" int wanted_function();
// The host also has a function of this name; it must not replace the library's own.
extern "C" int hidden_function();
extern "C" int hidden_function() { return 80; }

namespace {

int failures = 0;

void expect(const char* what, bool is_true) {
  if (is_true) return;
  std::printf("not true: %s\n", what);
  ++failures;
}

bool is_visible(const char* name) { return ::dlsym(RTLD_DEFAULT, name) != nullptr; }

void check_symbols() {
  for (const char* const name :
       {"_ZN2v87versionEv", "_ZN2v84flagE", "_ZNK2v88Platform6numberEv", "_ZTVN2v88PlatformE",
        "_ZN12v8_inspector7versionEv", "_ZN5cppgc7versionEv", "wanted_function", "environ",
        "__environ", "_environ"}) {
    expect(name, is_visible(name));
  }
  for (const char* const name :
       {"_ZN4node5startEv", "_ZN4node4dataE", "_ZN4node3useERKN2v88PlatformE",
        "_ZN6not_v87versionEv", "a_function", "hidden_a_function", "also_hidden_a_function",
        "hidden_function", "main"}) {
    if (is_visible(name)) {
      std::printf("visible: %s\n", name);
      ++failures;
    }
  }
}

// libc and the host use one `environ`: ld.so copied it into the host, and libc must find it there
// under its other names.
void check_copied_data() {
  void* const environs[] = {::dlsym(RTLD_DEFAULT, "environ"), ::dlsym(RTLD_DEFAULT, "__environ")};
  expect("environ and __environ are one", environs[0] == environs[1]);
  expect("setenv() works", ::setenv("ENGINE_TEST", "value", 1) == 0);
  bool is_found = false;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    is_found = is_found || std::strcmp(*entry, "ENGINE_TEST=value") == 0;
  }
  expect("environ has what setenv() wrote", is_found);
}

}  // namespace

int main(int argc, char** argv) {
  expect("arguments arrive", argc == 2 && std::strcmp(argv[1], "argument") == 0);
  v8::flag = 3;
  expect("v8::version() sees v8::flag", v8::version() == 16);
  expect("wanted_function() is the host's", wanted_function() == 7);
  expect("hidden_function() is the library's", hidden_function() == 80);
  check_symbols();
  check_copied_data();
  if (failures == 0) std::printf("the library's main\n");
  return failures == 0 ? 0 : 1;
}
