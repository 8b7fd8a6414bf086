// Timers, an immediate and a repeating timer: which phase runs which callback, and when.
//   ./dev run examples/timer.cc               in real time
//   ./dev run examples/timer.cc --virtual     at once, and the same on every run
#include <rondo.h>

#include <cstdio>
#include <cstring>

using namespace std::chrono_literals;

int main(int argc, char** argv) {
  rondo::VirtualClock still;  // Jumps to the next due time when nothing is left to do.
  const bool is_virtual = argc > 1 && std::strcmp(argv[1], "--virtual") == 0;
  rondo::Loop loop({.clock = is_virtual ? &still : nullptr});
  const rondo::Nanos start = loop.now();
  const auto say = [&loop, start](const char* what) {
    const auto ms = std::chrono::duration_cast<rondo::Millis>(loop.now() - start).count();
    std::printf("%3d ms  %-8s %s\n", static_cast<int>(ms), phase_name(loop.phase()), what);
  };

  rondo::Immediate immediate(loop);
  immediate.set([&say] { say("the immediate, right after the first poll"); });

  auto once = loop.make<rondo::Timer>();
  once->start(25ms, [&say](rondo::Timer&) { say("once"); });

  auto again = loop.make<rondo::Timer>();
  int left = 3;
  again->start(
      10ms,
      [&](rondo::Timer& timer) {
        say("every 10 ms");
        if (--left == 0) timer.stop();
      },
      10ms);

  loop.run();  // Until nothing is alive any more.
}
