// A program that only_v8_api.sh must reject. It is linked, never run.
#include <v8.h>

namespace node {
void ResetStdio();  // NOLINT(readability-identifier-naming): Node's.
}

int main() {
  if (v8::V8::GetVersion() == nullptr) node::ResetStdio();
}
