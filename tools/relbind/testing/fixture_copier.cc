// A program that would have a copy of the library's data of its own: against a bound library it
// must not link, or the two would not see each other's changes.
#include "fixture.h"

int main() { return fixture::data; }
