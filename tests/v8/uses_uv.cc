// A program that only_v8_api.sh must reject. It is linked, never run.
#include <v8.h>

extern "C" const char* uv_version_string();

int main() { return v8::V8::GetVersion() == uv_version_string() ? 1 : 0; }
