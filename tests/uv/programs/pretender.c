// Exports functions with libuv's names that cannot be replaced. Compiled with one of the macros:
// VERSION (of another libuv), SMALL (structures that are too small), SHORT (a function without
// room for a jump), PARTIAL (not all of libuv).
#include <stddef.h>
#include <stdio.h>

int uv_loop_init(void* loop) { return loop == NULL; }
int uv_run(void* loop, int mode) { return loop == NULL && mode == 0; }
#ifndef PARTIAL
size_t uv_loop_size(void) {
#ifdef SMALL
  return 100;
#else
  return 10000;
#endif
}
size_t uv_handle_size(int type) { return 10000 + (size_t)type; }
size_t uv_req_size(int type) { return 10000 + (size_t)type; }
#endif
#ifdef VERSION
unsigned uv_version(void) { return VERSION; }
#endif
#ifdef SHORT
__asm__(
    ".text\n"
    ".globl uv_stop, uv_now\n"
    ".type uv_stop, @function\n"
    ".type uv_now, @function\n"
    "uv_stop: ret\n"
    ".size uv_stop, 1\n"
    "uv_now: xor %eax, %eax\n"
    "ret\n"
    ".size uv_now, 3\n");
#endif

int main(void) {
  puts("main() ran");
  return uv_run(NULL, 0) == 1 ? 0 : 1;
}
