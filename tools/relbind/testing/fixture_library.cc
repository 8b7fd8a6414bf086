#include "fixture.h"

namespace fixture {

Shape::~Shape() = default;
int Shape::corners() const { return 3; }
int Shape::twice() const { return 2 * corners(); }

int own() { return 1; }
int call_own() { return own(); }
Function address_of_call_own() { return &call_own; }
int count_up() { return ++shared_counter(); }

Function own_table[] = {&own};
int call_own_pointer() { return own_table[0](); }

int data = 42;
int* address_of_data() { return &data; }

thread_local int per_thread = 5;
int* address_of_per_thread() { return &per_thread; }

namespace {
int seven() { return 7; }
}  // namespace
extern "C" Function fixture_resolver() { return &seven; }
__attribute__((ifunc("fixture_resolver"))) int chosen_at_load();
int call_chosen_at_load() { return chosen_at_load(); }

}  // namespace fixture
