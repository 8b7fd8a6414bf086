// A minimal V8 program. Prints its results, and ends with 1 if any is wrong. Its start-up time is
// used to measure how the library is bound.

#include <cstdio>
#include <cstdlib>

#include "engine.h"

namespace {

bool all_right = true;

void expect(rondo::v8_test::Engine& engine, const char* source, const char* expected) {
  const std::string actual = engine.run(source);
  std::printf("%s -> %s\n", source, actual.c_str());
  if (actual == expected) return;
  std::printf("expected %s\n", expected);
  all_right = false;
}

}  // namespace

int main() {
  rondo::v8_test::Engine engine;
  expect(engine, "6 * 7", "42");
  expect(engine, "JSON.stringify({ rondo: [1, 'two', null] })", R"({"rondo":[1,"two",null]})");
  expect(engine, "var seen = 'nothing'; Promise.resolve('kept').then(it => { seen = it; }); seen",
         "nothing");
  expect(engine, "seen", "nothing");
  engine.run_microtasks();
  expect(engine, "seen", "kept");
  return all_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
