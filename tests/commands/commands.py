#!/usr/bin/env python3
"""commands.py --rondo RONDO [TEST...]: rondo's commands under signals, on full disks, and with their output files removed.

Each test is a function of this file whose name begins with `test_`; without names all are run. Ends with 77 if the only
one that was selected cannot run here."""
import contextlib
import os
import resource
import signal
import subprocess
import sys

sys.path.append(f"{sys.path[0]}/../support")
from harness import cases  # noqa: E402
from harness import context as base  # noqa: E402
from harness.checks import Skipped, check  # noqa: E402
from harness.waiting import wait_until  # noqa: E402

MANY = "let n = 0; (function again() { if (++n < 60000) setImmediate(again); else console.log('done'); })();"
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def processes_with(word):
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read()
            with open(f"/proc/{pid}/stat", "rb") as file:
                state = file.read().rsplit(b")", 1)[1].split()[0]
            if word.encode() in words and state not in (b"Z", b"X") and int(pid) != os.getpid():
                found.append(int(pid))
    return found


class Context(base.Context):
    def environment(self, **more):
        os.makedirs(self.path("tmp"), exist_ok=True)
        return super().environment(**{"TMPDIR": self.path("tmp"), **more})

    def call(self, *arguments, **more):
        return super().call(*arguments, **{"timeout": 300, **more})

    def temporary_files(self):
        return os.listdir(self.path("tmp"))

    def up(self):
        """JavaScript that makes the file which running() waits for."""
        return f"require('fs').writeFileSync({self.path('up')!r}, '');"

    @contextlib.contextmanager
    def running(self, *arguments):
        """A command in a session of its own, whose program has made the file `up`."""
        with contextlib.suppress(OSError):
            os.remove(self.path("up"))
        try:
            with self.started(*arguments, stdin=subprocess.DEVNULL, start_new_session=True) as process:
                check(wait_until(lambda: os.path.exists(self.path("up")) or process.poll() is not None), "the program did not start")
                yield process
        finally:
            for pid in processes_with(self.scratch):
                os.kill(pid, signal.SIGKILL)


def test_signals_end_tests(context):
    """rondo test kills its files, also those that ignore signals, and writes the report."""
    for number, rest in zip(SIGNALS, ("", "process.on('SIGTERM', () => {});", "for (;;);")):
        path = context.write("waits.test.js", "const { test } = require('node:test'); test('passes', () => {});"
                     f"test('waits', async () => {{ {context.up()} {rest} setInterval(() => {{}}, 1000); await new Promise(() => {{}}); }});")
        for options in ([], ["--explore=3"]):
            with context.running("test", *options, path) as process:
                process.send_signal(number)
                out, err = process.communicate(timeout=120)
                check(process.returncode == 1, f"{number} {options}: ended with {process.returncode}\n{out}{err}")
                check(f"interrupted by {number.name}" in out, f"{number} {options}: no report:\n{out}{err}")
                check(options or "cancelled 1" in out, f"{number}: no summary:\n{out}{err}")
                check(wait_until(lambda: not processes_with(path)), f"{number} {options}: a test process lives on")


def test_signals_end_explore(context):
    """rondo explore ends its runs before it removes their folders."""
    programs = (context.up() + "for (;;);",
                context.up() + "const fs = require('fs'); for (let i = 0; ; i++) fs.writeFileSync(require('os').tmpdir() + '/' + i, '');")
    for source in programs:
        path = context.write("busy.js", source)
        for number in (*SIGNALS, signal.SIGKILL):
            with context.running("explore", "--timeout=1000", path) as process:
                process.send_signal(number)
                out, err = process.communicate(timeout=120)
                wanted = -9 if number == signal.SIGKILL else 128 + number
                check(process.returncode == wanted and err == "" and out == "",
                      f"{number}: ended with {process.returncode}\n{out}{err}")
                check(wait_until(lambda: not processes_with(path)), f"{number}: a process lives on")
                check(wait_until(lambda: not context.temporary_files()), f"{number}: left behind: {context.temporary_files()}")


def test_program_ends_with_command(context):
    """Also if the command is killed."""
    path = context.write("waits.js", context.up() + "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);")
    for command in (["trace", path], ["order", path], ["replay", "-", path], ["test", path]):
        with context.running(*command) as process:
            process.kill()
            process.wait()
            check(wait_until(lambda: not processes_with(path)), f"{command[0]}: the program lives on")


def test_record_on_a_full_disk(context):
    path = context.write("app.js", "setTimeout(() => console.log('done'), 5);")
    result = context.call("--record=/dev/full", path)
    check(result.returncode == 9 and "No space left on device" in result.stderr, f"{result.returncode} {result.stderr}")
    many = context.write("many.js", "let n = 0; (function again() { if (++n < 2000) require('fs').stat('.', again); })();")

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))

    result = context.call(f"--record={context.scratch}/a.record", many, preexec_fn=limit)
    check(result.returncode == 1 and "is not complete" in result.stderr, f"{result.returncode} {result.stderr}")


def test_virtual_time_ends(context):
    path = context.write("forever.js", "setInterval(() => {}, 2 ** 31 - 1);")
    result = context.call("--clock=virtual", path)
    check(result.returncode != 0 and "virtual time has reached its end" in result.stderr, f"{result.returncode} {result.stderr}")


def test_output_on_a_full_disk(context):
    app = context.write("app.js", "setTimeout(() => {}, 5);")
    good = context.write("good.test.js", "require('node:test').test('passes', () => {});")
    recording = context.path("a.rtrace")
    check(context.call("trace", "-q", "-o", recording, app).returncode == 0, "no recording")
    with open("/dev/full", "wb") as full:
        for command in (["trace", recording], ["order", recording], ["explore", app], ["explore", "--json", app], ["test", good],
                        ["test", "--explore=2", good]):
            result = context.call(*command, stdout=full)
            check(result.returncode == 1 and result.stderr.startswith(f"rondo {command[0]}: cannot write to stdout: ") and
                  result.stderr.count("\n") == 1, f"{command}: {result.returncode} {result.stderr}")
        for command in (["trace", app], ["order", app]):
            result = context.call(*command, stderr=full)
            check(result.returncode == 1, f"{command}: {result.returncode}")
    for command in (["trace", "--report=/dev/full", app], ["order", "-o", "/dev/full", app],
                    ["test", "--reporter=spec", "--reporter-destination=/dev/full", good]):
        result = context.call(*command)
        check(result.returncode == 1 and "/dev/full" in result.stderr and result.stderr.count("\n") == 1,
              f"{command}: {result.returncode} {result.stderr}")


def test_bad_tmpdir(context):
    app = context.write("app.js", "")
    for command in (["trace", app], ["order", app], ["explore", app], ["replay", "-", app]):
        result = context.call(*command, env=context.environment(TMPDIR="/does/not/exist"))
        check(result.returncode == 1 and result.stderr.startswith(f"rondo {command[0]}: cannot make a folder") and
              result.stderr.count("\n") == 1, f"{command}: {result.returncode} {result.stderr}")


def test_explore_fails(context):
    """A program that fails in every order gives a failure exit code."""
    sometimes = context.write("sometimes.js", "setTimeout(() => process.exit(0), 0); setImmediate(() => process.exit(5));")
    always = context.write("always.js", "throw new Error('always');")
    broken = context.write("broken.js", "let let;")
    for path, what in (("missing.js", "Cannot find module"), (always, "Error: always"), (broken, "SyntaxError")):
        result = context.call("explore", path)
        check(result.returncode == 1 and "the program fails in every order: " in result.stderr and what in result.stderr,
              f"{path}: {result.returncode} {result.stderr}")
        check(context.call("explore", "--json", path).returncode == 1, f"{path}: --json")
    check(context.call("explore", sometimes).returncode == 0, "a program that fails in some orders is what explore is for")


def on_small_disk(context, size, script):
    """Runs a shell script with $DISK, a file system of that size."""
    disk = context.path("disk")
    os.makedirs(disk, exist_ok=True)
    mount = f"mount -t tmpfs -o size={size} rondo-test {disk}"
    if context.run(["unshare", "-m", "sh", "-c", mount]).returncode != 0:
        raise Skipped("a file system cannot be mounted here")
    return context.run(["unshare", "-m", "sh", "-c", f"{mount} && {script}"], timeout=300,
                       env=context.environment(DISK=disk, RONDO=context.rondo))


def test_trace_on_a_full_disk(context):
    app = context.write("many.js", MANY)
    result = on_small_disk(context, "1500k", f"\"$RONDO\" --trace-file=$DISK/a.rtrace {app}; echo code $?; \"$RONDO\" trace $DISK/a.rtrace")
    check("done\ncode 0\n" in result.stdout and "rondo: the disk was full" in result.stderr and
          "The disk was full: only the first" in result.stdout, result.stdout + result.stderr)
    # The recording of the command itself: the program runs to its end, and the report lists what is missing.
    result = on_small_disk(context, "1500k", f"TMPDIR=$DISK \"$RONDO\" trace {app}")
    check(result.stdout == "done\n" and "The disk was full: only the first" in result.stderr,
          result.stdout + result.stderr)


LOSES = """
const fs = require('fs');
const file = /\\S*\\.rtrace/.exec(fs.readFileSync('/proc/self/maps', 'latin1'))[0];
let n = 0;
(function again() {
  if (++n === 10000) LOSE;
  if (n < 60000) setImmediate(again); else console.log('done');
})();
"""


def test_lost_recording(context):
    """The program survives if its recording is truncated or removed, and both report it."""
    for lose, what in (("fs.truncateSync(file, 0)", "truncated"), ("fs.truncateSync(file, 5000)", "truncated"),
                       ("fs.truncateSync(file, 20000000)", "truncated"), ("fs.unlinkSync(file)", "removed"),
                       ("fs.rmSync(require('path').dirname(file), { recursive: true })", "removed")):
        app = context.write("loses.js", LOSES.replace("LOSE", lose))
        own = context.path("own")
        os.makedirs(own, exist_ok=True)
        result = context.call(f"--trace-file={own}/a.rtrace", app)
        check(result.returncode == 0 and result.stdout == "done\n" and "is lost: another process " + what in result.stderr,
              f"{lose}: {result.returncode} {result.stdout}{result.stderr}")
        for command in ("trace", "order"):
            result = context.call(command, app)
            is_cut = "truncate" in lose and "file, 0)" not in lose  # The rest can be read.
            check(result.stdout == "done\n" and what in result.stderr and (is_cut or result.returncode == 1),
                  f"{command} {lose}: {result.returncode} {result.stdout}{result.stderr}")


if __name__ == "__main__":
    cases.main(__doc__, cases.collect(sys.modules[__name__]), Context, option="--rondo", prefix="rondo-commands-")
