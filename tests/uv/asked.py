"""`rondo why` and `rondo top` ask programs that `rondo uv` and `rondo node` run.

  asked.py --rondo RONDO [TEST...]

The program is compiled with Debian's libuv1-dev; without it the tests are skipped."""
import contextlib
import json
import os
import re
import shutil
import signal
import sys

sys.path.append(f"{sys.path[0]}/../support")
sys.path.append(f"{sys.path[0]}/../why")
from context import Context as WhyContext  # noqa: E402
from harness import cases, programs, reference  # noqa: E402
from harness.checks import Skipped, check  # noqa: E402
from harness.waiting import eventually, wait_until  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))


class Context(WhyContext):
    @contextlib.contextmanager
    def asked(self, mode="", options=(), **more):
        """The program, once it is ready."""
        path = self.path("asked")
        if shutil.which("gcc") is None:
            raise Skipped("there is no gcc")
        done = programs.run(["gcc", "-w", "-O1", "-o", path, f"{HERE}/programs/asked.c", "-luv"])
        if done.returncode != 0:
            raise Skipped("libuv1-dev is not installed")
        with self.started(*options, "uv", path, mode, env=self.environment(**more)) as process:
            check(process.stdout.readline() == "ready\n", "the program did not start")
            yield process

    def top(self, process, *options):
        return self.call("top", "--once", *options, process.pid)


TIMER = r"timer, every 60\.0 s, callback on_tick \(asked\), due in \d+\.\d s"


def test_lines(run):
    with run.asked("handles") as process:
        run.answers(process, TIMER,
                    r"TCP server on 127\.0\.0\.1:\d+, callback on_connection \(asked\)",
                    r"UDP socket on 127\.0\.0\.1:\d+, callback on_datagram \(asked\)",
                    r"child process \d+ \(cat\), callback on_exit_of_child \(asked\)",
                    r"handler of SIGUSR1, callback on_signal \(asked\)",
                    r"watcher of '\.', callback on_change \(asked\)",
                    r"pipe, descriptor \d+, callback on_data \(asked\)",
                    r"job on the pool, callback after_work \(asked\)")
        answer = json.loads("\n".join(run.why(process, "--json")))
        server = next(each for each in answer["alive"] if each["type"] == "tcp server")
        check(server["place"] == {"function": "on_connection", "file": "asked"}, f"{server}")
        check(os.path.exists(f"/proc/{process.pid}/fd/{server['details']['fd']}"), f"{server}")
        timer = next(each for each in answer["alive"] if each["type"] == "timer")
        check(0 < timer["details"]["dueIn"] <= 100_000 and timer["details"]["repeat"] == 60_000, f"{timer}")


def test_blocked(run):
    with run.asked("spin") as process:
        run.answers(process, r"a callback that has been running for \d+(\.\d)? m?s, in block \(asked\)")
        done = run.top(process)
        check(done.returncode == 1 and "does not answer: a callback that has been running" in done.stderr, done.stderr)
    with run.asked("read") as process:
        run.answers(process, r"a callback that has been running for \d+(\.\d)? m?s, in block \(asked\), "
                             r"in the system call read of descriptor 0 \(pipe:\[\d+\]\)")


def test_no_loop_runs(run):
    """A program that has not called uv_run() has no socket."""
    with run.asked("idle") as process:
        done = run.call("why", process.pid)
        check(done.returncode == 1 and "it has not run a loop of libuv" in done.stderr, done.stderr)


def test_top(run):
    with run.asked("sleep") as process:
        text = run.top(process).stdout
        for part in (r"rates +turns/s \d+ +callbacks/s \d+", r"queues +timers 2 +handles 2 +requests 0", r"memory +rss [\d.]+ MB\n",
                     r"timers +\d+\.\d %", rf"rondo top +{process.pid} +up .* {run.path('asked')} sleep"):
            check(re.search(part, text), f"no {part} in {text}")

        def slow():
            result = json.loads(run.top(process, "--json", "--interval=1000").stdout)
            check(result["slow"] and result["slow"][0]["stack"] == [{"function": "block", "file": "asked"}], f"{result['slow']}")
            check(result["slow"][0]["duration"] >= 20 and result["lag"]["count"] > 0, f"{result}")
            check(0.05 < result["utilization"] <= 1 and result["phases"]["timers"] > 0, f"{result}")
            check("heapUsed" not in result["memory"] and result["memory"]["rss"] > 100_000, f"{result['memory']}")
        eventually(slow)


def test_threads(run):
    with run.asked("threads") as process:
        run.answers(process, TIMER, r"loop of thread \d+ \(asked\): timer, callback on_tick \(asked\), due in \d+\.\d s")


def test_end(run):
    """The socket is gone when the program has ended; a child made by fork() leaves it alone; --no-control opens none."""
    with run.asked("fork") as process:
        door = run.await_door(process)
        run.answers(process, TIMER)
        check(os.path.exists(door), "the child has removed the socket")
    with run.asked("closed") as process:
        # It has closed all descriptors, also the socket's.
        done = run.call("why", process.pid)
        check(done.returncode == 1 and f"process {process.pid} does not answer" in done.stderr, done.stderr)
        check(process.poll() is None, f"the program ended with {process.returncode}")
    program = run.write("ends.c", r"""
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>
static void on_timer(uv_timer_t* timer) { if (getchar() == 'x') exit(3); }
int main(void) {
  uv_timer_t timer;
  uv_timer_init(uv_default_loop(), &timer);
  uv_timer_start(&timer, on_timer, 1, 0);
  return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}
""")
    check(programs.run(["gcc", "-w", "-o", run.path("ends"), program, "-luv"]).returncode == 0, "gcc")
    with run.started("uv", run.path("ends"), env=run.environment()) as process:
        door = run.await_door(process)
        programs.send(process, "x")
        check(process.wait(60) == 3 and not os.path.exists(door), f"code {process.returncode}")
    for options, more in ((["--no-control"], {}), ([], {"RONDO_NO_CONTROL": "1"})):
        with run.asked(options=options, **more) as process:
            done = run.call("why", process.pid)
            check(done.returncode == 1 and "is not a rondo process" in done.stderr, done.stderr)
            check(not os.path.exists(run.door(process)), "it has a socket")


def test_node(run):
    node = reference.node()
    if node is None:
        raise Skipped("there is no Node")
    script = run.write("server.js", """
require('http').createServer(() => {}).listen(0, '127.0.0.1', () => console.log('ready'));
new (require('worker_threads').Worker)('setInterval(() => {}, 1000000)', { eval: true });
""")
    with run.started("uv", node, script, env=run.environment()) as process:
        check(process.stdout.readline() == "ready\n", "it did not start")

        def answers():
            lines = run.why(process)
            check(any(re.fullmatch(r"TCP server on 127\.0\.0\.1:\d+, callback node::ConnectionWrap::OnConnection \(node\)", line)
                      for line in lines), f"{lines}")
            check(any(re.fullmatch(r"loop of thread \d+ \(WorkerThread\): timer, callback node::Environment::RunTimers \(node\), due in .*",
                                   line) for line in lines), f"{lines}")
        eventually(answers)
        process.send_signal(signal.SIGTERM)
        check(wait_until(lambda: process.poll() is not None), "it does not end")


if __name__ == "__main__":
    cases.main(__doc__, cases.collect(sys.modules[__name__]), Context, option="--rondo")
