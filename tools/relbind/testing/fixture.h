// A shared library with every kind of reference to itself, and the program's side of it.
#pragma once

namespace fixture {

// The key function is in the library, so its vtable is, too.
class Shape {
 public:
  virtual ~Shape();
  virtual int corners() const;
  int twice() const;  // 2 * corners(), called from inside the library.
};

// Weak in both; one counter for the whole process, or the two sides would not agree.
inline int& shared_counter() {
  static int counter = 0;
  return counter;
}

int own();               // 1. The program defines one too, which answers 2.
int call_own();          // own(), called from inside the library through its PLT.
int call_own_pointer();  // The same through a table of pointers.
using Function = int (*)();
Function address_of_call_own();  // As the library sees it.
int count_up();                  // ++shared_counter(), as the library sees it.

extern int data;
int* address_of_data();  // As the library sees it.

extern thread_local int per_thread;
int* address_of_per_thread();

int chosen_at_load();  // An IFUNC: 7.
int call_chosen_at_load();

}  // namespace fixture
