// A small program like V8's host: not position-independent, exports its symbols, and has data that
// ld.so copies into it. Tests edit copies of it and run them.
#include <unistd.h>

#include <cstdio>

namespace v8 {

int flag = 1;

struct Platform {
  virtual ~Platform();
  virtual int number() const;
};
Platform::~Platform() = default;
int Platform::number() const { return 14; }

int version() { return Platform().number() + flag - 1; }

}  // namespace v8

namespace v8_inspector {
int version() { return 2; }
}  // namespace v8_inspector

namespace cppgc {
int version() { return 3; }
}  // namespace cppgc

// Not in V8's namespace, although its name ends in V8's.
namespace not_v8 {
int version() { return 4; }
}  // namespace not_v8

namespace node {
int start() { return 5; }
int data = 6;
// Arguments of V8's types do not make a function V8's.
int use(const v8::Platform& platform) { return platform.number(); }
}  // namespace node

extern "C" {

int wanted_function() { return 7; }
int hidden_function() { return 8; }
// Names with equal ends share their bytes in the string table.
int a_function() { return 9; }
int hidden_a_function() { return 10; }
int also_hidden_a_function() { return 11; }
// Room for the names of libraries and for a search path.
int hidden_function_with_a_name_that_is_long_enough_for_the_search_path_of_a_sanitizer() {
  return 12;
}

}  // extern "C"

// Only in the fixture for switching off constructors.
#if defined(FIXTURE_CONSTRUCTORS)
extern "C" {
[[gnu::constructor, gnu::visibility("hidden")]] void first_constructor() { std::printf("first "); }
[[gnu::constructor, gnu::visibility("hidden")]] void second_constructor() {
  std::printf("second ");
}
}  // extern "C"
#endif

// The program must export symbols of all kinds, not only those that it calls.
int main() {
  std::printf("the host's main, %s\n", environ == nullptr ? "no environment" : "with environment");
  return 9;
}
