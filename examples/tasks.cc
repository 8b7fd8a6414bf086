// Coroutines on the loop: concurrent tasks, a time limit, and an orderly end.
//   ./dev run examples/tasks.cc               in real time, about a second
//   ./dev run examples/tasks.cc --virtual     at once, and the same on every run
#include <rondo.h>

#include <cstdio>
#include <cstring>

using namespace std::chrono_literals;
using rondo::Error, rondo::Loop, rondo::Millis, rondo::Nanos, rondo::Result, rondo::Task;

void say(Loop& loop, Nanos start, const char* who, const char* what) {
  const auto ms = std::chrono::duration_cast<Millis>(loop.now() - start).count();
  std::printf("%4d ms  %-6s %s\n", static_cast<int>(ms), who, what);
}

// Works until cancelled: a cancelled sleep is an error, and ends the loop.
Task<void> tick(Loop& loop, Nanos start, const char* name, Nanos every) {
  for (;;) {
    const rondo::Slept slept = co_await loop.sleep(every);
    if (!slept) break;
    say(loop, start, name, "ticks");
  }
  say(loop, start, name, "was cancelled, and says goodbye");
}

// Stands for any slow operation; the awaiting task gets the error.
Task<Result<int>> answer(Loop& loop, Nanos after) {
  Result<void> slept = co_await loop.sleep(after);
  if (!slept) co_return slept.error();
  co_return 42;
}

Task<void> app(Loop& loop) {
  const Nanos start = loop.now();
  rondo::TaskGroup group(loop);  // Tasks spawned here end here.
  group.spawn(tick(loop, start, "fast", 200ms));
  group.spawn(tick(loop, start, "slow", 300ms));

  Result<int> number = co_await rondo::with_timeout(500ms, answer(loop, 250ms));
  say(loop, start, "app", number ? "got an answer" : number.error().name());
  number = co_await rondo::with_timeout(500ms, answer(loop, 1h));
  say(loop, start, "app", number ? "got an answer" : number.error().name());

  // The first of several; the others are cancelled and awaited.
  auto [winner, answers] = co_await rondo::when_any(answer(loop, 1h), answer(loop, 100ms));
  say(loop, start, "app", winner == 1 ? "the second was faster" : "the first was faster");

  group.cancel();
  Result<void> joined = co_await group.join();
  say(loop, start, "app", joined ? "all have ended" : joined.error().name());
}

int main(int argc, char** argv) {
  rondo::VirtualClock still;  // Jumps to the next due time when nothing is left to do.
  const bool is_virtual = argc > 1 && std::strcmp(argv[1], "--virtual") == 0;
  Loop loop({.clock = is_virtual ? &still : nullptr});
  loop.run_task(app(loop));
}
