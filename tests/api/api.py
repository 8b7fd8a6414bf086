#!/usr/bin/env python3
"""Calls everything public, and every native binding, with random arguments, and looks whether the process survives.

  api.py sample --rondo RONDO [--seed S] [--count N] [--calls N]    the runs of seeds S to S+N-1
  api.py fuzz --rondo RONDO [--seconds N] [--seed S] [--save DIR]   new runs until the time is over

fuzz.js and bindings.js make the calls, each for every seed. A run fails if it is killed by a signal, by an assertion or a sanitizer, or does not
come to its end; it is repeated with a log then, whose last lines are shown."""
import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
DONE = 42  # Their word for having come to its end.
TIMEOUT = 120
PASSED_ON = ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "RONDO_BACKEND")


def run(rondo, program, seed, calls, log=()):
    """The exit code and the last lines of stderr."""
    environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    with tempfile.TemporaryDirectory(prefix="api") as scratch, tempfile.TemporaryFile() as err, \
            tempfile.TemporaryFile() as nothing:
        environment.update(PATH=os.environ.get("PATH", ""), HOME=scratch, TMPDIR=scratch, NO_COLOR="1")
        # A folder of its own, with what it needs: calls may write beside it. Its streams are files of its own, too: whoever
        # changes the mode of descriptor 0 must not hit the device that all share.
        for name in (program, "values.js"):
            shutil.copy(os.path.join(FOLDER, name), scratch)
        try:
            code = subprocess.run([rondo, "--expose-internals", program, str(seed), str(calls), *log], cwd=scratch, env=environment,
                                  stdin=nothing, stdout=nothing, stderr=err,
                                  timeout=TIMEOUT, check=False).returncode
        except subprocess.TimeoutExpired:
            code = f"none after {TIMEOUT} s"
        err.seek(0, os.SEEK_END)
        err.seek(max(0, err.tell() - 20000))
        return code, err.read().decode(errors="replace")


def check(rondo, program, seed, calls, folder):
    """Whether the run of a seed survives."""
    code, text = run(rondo, program, seed, calls)
    if code == DONE and "ERROR: AddressSanitizer" not in text and "runtime error:" not in text:
        return True
    print(f"{program}, seed {seed}, {calls} calls: ended with {code} instead of {DONE}")
    again, log = run(rondo, program, seed, calls, ("log",))
    tail = "\n  ".join(line[:300] for line in (log if again != DONE else text).splitlines()[-25:])
    print(f"  {tail}", flush=True)
    if folder:
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, f"{program}-{seed}.log"), "w", encoding="utf-8") as file:
            file.write(f"{code}\n{log}\n{text}")
    return False


def main(arguments):
    parser = argparse.ArgumentParser(prog="api", description="random calls of everything public")
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("sample", "fuzz"):
        command = commands.add_parser(name)
        command.add_argument("--rondo", required=True)
        command.add_argument("--seed", type=int, default=1 if name == "sample" else None)
        command.add_argument("--count", type=int, default=5)
        command.add_argument("--calls", type=int, default=3000)
        command.add_argument("--seconds", type=float, default=60)
        command.add_argument("--save", default=None, help="where the logs of runs that fail go")
    options = parser.parse_args(arguments)
    rondo = os.path.abspath(options.rondo)
    first = options.seed if options.seed is not None else random.SystemRandom().randrange(10**9)
    until = time.monotonic() + options.seconds if options.command == "fuzz" else None
    failed = seed = 0
    print(f"from seed {first}", flush=True)
    while failed < 3 and (time.monotonic() < until if until else seed < options.count):
        for program in ("fuzz.js", "bindings.js"):
            failed += not check(rondo, program, first + seed, options.calls, options.save)
        seed += 1
    print(f"{2 * seed} runs of {options.calls} calls, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
