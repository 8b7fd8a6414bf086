#!/usr/bin/env python3
"""commands.py --rondo RONDO [TEST...]: rondo's commands under signals, on full disks, and with what they write taken away.

Each test is a function of this file whose name begins with `test_`; without names all are run. Ends with 77 if the only
one that was asked for cannot be run here."""
import argparse
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time

SKIP = 77
RONDO = ""
SCRATCH = ""
MANY = "let n = 0; (function again() { if (++n < 60000) setImmediate(again); else console.log('done'); })();"


class Skipped(Exception):
    pass


def check(is_so, message):
    if not is_so:
        raise AssertionError(message)


def write(name, text):
    path = os.path.join(SCRATCH, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def environment(**more):
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("NODE_", "RONDO_"))}
    temporary = os.path.join(SCRATCH, "tmp")
    os.makedirs(temporary, exist_ok=True)
    return {**variables, "TMPDIR": temporary, "NO_COLOR": "1", "RONDO_NO_CONTROL": "1", **more}


def rondo(*arguments, env=None, **more):
    return subprocess.run([RONDO, *arguments], text=True, cwd=SCRATCH, env=env or environment(), check=False, timeout=300,
                          **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more})


def eventually(holds, message):
    """What the kernel does after a process has ended takes a moment."""
    end = time.monotonic() + 60
    while not holds():
        check(time.monotonic() < end, message)
        time.sleep(0.02)


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


@contextlib.contextmanager
def started(*arguments):
    """A command that runs in a session of its own, whose program has made the file `up`."""
    up = os.path.join(SCRATCH, "up")
    with contextlib.suppress(OSError):
        os.remove(up)
    process = subprocess.Popen([RONDO, *arguments], text=True, cwd=SCRATCH, env=environment(), stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    try:
        eventually(lambda: os.path.exists(up) or process.poll() is not None, "the program did not start")
        yield process
    finally:
        process.kill()
        process.communicate()
        for pid in processes_with(SCRATCH):
            os.kill(pid, signal.SIGKILL)


def temporary_files():
    return os.listdir(os.path.join(SCRATCH, "tmp"))


SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def up():
    return f"require('fs').writeFileSync({os.path.join(SCRATCH, 'up')!r}, '');"


def test_signals_end_tests():
    """rondo test kills its files, also those that do not want to end, and writes the report."""
    for number, rest in zip(SIGNALS, ("", "process.on('SIGTERM', () => {});", "for (;;);")):
        path = write("waits.test.js", "const { test } = require('node:test'); test('passes', () => {});"
                     f"test('waits', async () => {{ {up()} {rest} setInterval(() => {{}}, 1000); await new Promise(() => {{}}); }});")
        for options in ([], ["--explore=3"]):
            with started("test", *options, path) as process:
                process.send_signal(number)
                out, err = process.communicate(timeout=120)
                check(process.returncode == 1, f"{number} {options}: ended with {process.returncode}\n{out}{err}")
                check(f"interrupted by {number.name}" in out, f"{number} {options}: no report:\n{out}{err}")
                check(options or "cancelled 1" in out, f"{number}: no summary:\n{out}{err}")
                eventually(lambda: not processes_with(path), f"{number} {options}: a test process lives on")


def test_signals_end_explore():
    """rondo explore ends its runs before it removes their folders, whatever they are doing."""
    programs = (up() + "for (;;);",
                up() + "const fs = require('fs'); for (let i = 0; ; i++) fs.writeFileSync(require('os').tmpdir() + '/' + i, '');")
    for source in programs:
        path = write("busy.js", source)
        for number in (*SIGNALS, signal.SIGKILL):
            with started("explore", "--timeout=1000", path) as process:
                process.send_signal(number)
                out, err = process.communicate(timeout=120)
                wanted = -9 if number == signal.SIGKILL else 128 + number
                check(process.returncode == wanted and err == "" and out == "",
                      f"{number}: ended with {process.returncode}\n{out}{err}")
                eventually(lambda: not processes_with(path), f"{number}: a process lives on")
                eventually(lambda: not temporary_files(), f"{number}: left behind: {temporary_files()}")


def test_program_ends_with_command():
    """Also if the command is killed."""
    path = write("waits.js", up() + "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);")
    for command in (["trace", path], ["order", path], ["replay", "-", path], ["test", path]):
        with started(*command) as process:
            process.kill()
            process.wait()
            eventually(lambda: not processes_with(path), f"{command[0]}: the program lives on")


def test_record_on_a_full_disk():
    path = write("app.js", "setTimeout(() => console.log('done'), 5);")
    result = rondo("--record=/dev/full", path)
    check(result.returncode == 9 and "No space left on device" in result.stderr, f"{result.returncode} {result.stderr}")
    many = write("many.js", "let n = 0; (function again() { if (++n < 2000) require('fs').stat('.', again); })();")

    def limit():
        import resource
        resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))

    result = rondo(f"--record={SCRATCH}/a.record", many, preexec_fn=limit)
    check(result.returncode == 1 and "is not complete" in result.stderr, f"{result.returncode} {result.stderr}")


def test_virtual_time_ends():
    path = write("forever.js", "setInterval(() => {}, 2 ** 31 - 1);")
    result = rondo("--clock=virtual", path)
    check(result.returncode != 0 and "virtual time has come to its end" in result.stderr, f"{result.returncode} {result.stderr}")


def test_output_on_a_full_disk():
    app = write("app.js", "setTimeout(() => {}, 5);")
    good = write("good.test.js", "require('node:test').test('passes', () => {});")
    recording = os.path.join(SCRATCH, "a.rtrace")
    check(rondo("trace", "-q", "-o", recording, app).returncode == 0, "no recording")
    with open("/dev/full", "wb") as full:
        for command in (["trace", recording], ["order", recording], ["explore", app], ["explore", "--json", app], ["test", good],
                        ["test", "--explore=2", good]):
            result = rondo(*command, stdout=full)
            check(result.returncode == 1 and result.stderr.startswith(f"rondo {command[0]}: cannot write to stdout: ") and
                  result.stderr.count("\n") == 1, f"{command}: {result.returncode} {result.stderr}")
        for command in (["trace", app], ["order", app]):
            result = rondo(*command, stderr=full)
            check(result.returncode == 1, f"{command}: {result.returncode}")
    for command in (["trace", "--report=/dev/full", app], ["order", "-o", "/dev/full", app],
                    ["test", "--reporter=spec", "--reporter-destination=/dev/full", good]):
        result = rondo(*command)
        check(result.returncode == 1 and "/dev/full" in result.stderr and result.stderr.count("\n") == 1,
              f"{command}: {result.returncode} {result.stderr}")


def test_bad_tmpdir():
    app = write("app.js", "")
    for command in (["trace", app], ["order", app], ["explore", app], ["replay", "-", app]):
        result = rondo(*command, env=environment(TMPDIR="/does/not/exist"))
        check(result.returncode == 1 and result.stderr.startswith(f"rondo {command[0]}: cannot make a folder") and
              result.stderr.count("\n") == 1, f"{command}: {result.returncode} {result.stderr}")


def test_explore_fails():
    """A program that fails in every order is no success."""
    sometimes = write("sometimes.js", "setTimeout(() => process.exit(0), 0); setImmediate(() => process.exit(5));")
    always = write("always.js", "throw new Error('always');")
    broken = write("broken.js", "let let;")
    for path, what in (("missing.js", "Cannot find module"), (always, "Error: always"), (broken, "SyntaxError")):
        result = rondo("explore", path)
        check(result.returncode == 1 and "the program fails in every order: " in result.stderr and what in result.stderr,
              f"{path}: {result.returncode} {result.stderr}")
        check(rondo("explore", "--json", path).returncode == 1, f"{path}: --json")
    check(rondo("explore", sometimes).returncode == 0, "a program that fails in some orders is what explore is for")


def on_small_disk(size, script):
    """Runs a shell script with $DISK, a file system of that size."""
    disk = os.path.join(SCRATCH, "disk")
    os.makedirs(disk, exist_ok=True)
    mount = f"mount -t tmpfs -o size={size} rondo-test {disk}"
    if subprocess.run(["unshare", "-m", "sh", "-c", mount], capture_output=True, check=False).returncode != 0:
        raise Skipped("a file system cannot be mounted here")
    return subprocess.run(["unshare", "-m", "sh", "-c", f"{mount} && {script}"], capture_output=True, text=True, timeout=300,
                          cwd=SCRATCH, env={**environment(), "DISK": disk, "RONDO": RONDO}, check=False)


def test_trace_on_a_full_disk():
    app = write("many.js", MANY)
    result = on_small_disk("1500k", f"\"$RONDO\" --trace-file=$DISK/a.rtrace {app}; echo code $?; \"$RONDO\" trace $DISK/a.rtrace")
    check("done\ncode 0\n" in result.stdout and "rondo: the disk was full" in result.stderr and
          "The disk was full: nothing after the first" in result.stdout, result.stdout + result.stderr)
    # The recording of the command itself: the program runs to its end, and the report says what is missing.
    result = on_small_disk("1500k", f"TMPDIR=$DISK \"$RONDO\" trace {app}")
    check(result.stdout == "done\n" and "The disk was full: nothing after the first" in result.stderr,
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


def test_lost_recording():
    """The program survives that its recording is truncated or removed, and both say so."""
    for lose, what in (("fs.truncateSync(file, 0)", "truncated"), ("fs.truncateSync(file, 5000)", "truncated"),
                       ("fs.truncateSync(file, 20000000)", "truncated"), ("fs.unlinkSync(file)", "removed"),
                       ("fs.rmSync(require('path').dirname(file), { recursive: true })", "removed")):
        app = write("loses.js", LOSES.replace("LOSE", lose))
        own = os.path.join(SCRATCH, "own")
        os.makedirs(own, exist_ok=True)
        result = rondo(f"--trace-file={own}/a.rtrace", app)
        check(result.returncode == 0 and result.stdout == "done\n" and "is lost: another process " + what in result.stderr,
              f"{lose}: {result.returncode} {result.stdout}{result.stderr}")
        for command in ("trace", "order"):
            result = rondo(command, app)
            is_cut = "truncate" in lose and "file, 0)" not in lose  # What is left of it can be read.
            check(result.stdout == "done\n" and what in result.stderr and (is_cut or result.returncode == 1),
                  f"{command} {lose}: {result.returncode} {result.stdout}{result.stderr}")


def main():
    global RONDO, SCRATCH
    parser = argparse.ArgumentParser()
    parser.add_argument("--rondo", required=True)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    RONDO = os.path.abspath(options.rondo)
    names = options.names or [name[5:] for name in globals() if name.startswith("test_")]
    for name in names:
        with tempfile.TemporaryDirectory(prefix="rondo-commands-") as SCRATCH:
            try:
                globals()["test_" + name]()
            except Skipped as reason:
                print(f"{name}: Skipped\n{reason}")
                if len(names) == 1:
                    return SKIP
    return 0


if __name__ == "__main__":
    sys.exit(main())
