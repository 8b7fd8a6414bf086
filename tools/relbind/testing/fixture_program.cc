// fixture_program ONE_OR_TWO: checks the library from outside. The argument is what the library's
// own call of own() must answer: 2, the program's definition, while it asks the dynamic linker; 1,
// its own, once it is bound.

#include <cstdio>
#include <cstdlib>
#include <thread>

#include "fixture.h"

namespace fixture {
int own() { return 2; }
}  // namespace fixture

namespace {

int failures = 0;

void expect(const char* what, long actual, long expected) {
  if (actual == expected) return;
  std::printf("%s is %ld, not %ld\n", what, actual, expected);
  ++failures;
}

class Square final : public fixture::Shape {
 public:
  int corners() const override { return 4; }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const long own = std::strtol(argv[1], nullptr, 10);
  expect("a call through the PLT", fixture::call_own(), own);
  expect("a call through a pointer", fixture::call_own_pointer(), own);
  expect("a call from the program", fixture::own(), 2);

  fixture::Shape shape;
  Square square;
  expect("a virtual call inside", shape.twice(), 6);
  expect("a virtual call out of the library", square.twice(), 8);

  expect("the library's count", fixture::count_up(), 1);
  expect("the program's count", ++fixture::shared_counter(), 2);
  expect("the library's count again", fixture::count_up(), 3);

  expect("one function address", fixture::address_of_call_own() == &fixture::call_own, 1);
  expect("one address of data", fixture::address_of_data() == &fixture::data, 1);
  expect("the data", fixture::data, 42);
  expect("one address per thread", fixture::address_of_per_thread() == &fixture::per_thread, 1);
  std::thread([] {
    ++fixture::per_thread;
    expect("the other thread's", *fixture::address_of_per_thread(), 6);
  }).join();
  expect("this thread's", *fixture::address_of_per_thread(), 5);
  expect("a function chosen at load", fixture::chosen_at_load(), 7);
  expect("the same from inside", fixture::call_chosen_at_load(), 7);
  if (failures == 0) std::puts("all is well");
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
