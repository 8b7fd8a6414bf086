#!/usr/bin/env python3
"""Calls all public functions, and every native binding, with random arguments, and checks that the process survives.

  api.py sample --rondo RONDO [--seed S] [--count N] [--calls N]    the runs of seeds S to S+N-1
  api.py fuzz --rondo RONDO [--seconds N] [--seed S] [--save DIR]   new runs until the time is over

fuzz.js and bindings.js make the calls, each for every seed. A run fails if it is killed by a signal, by an assertion or a sanitizer, or does not
finish; it is then repeated with a log, whose last lines are shown."""
import os
import random
import shutil
import sys
import tempfile
import time

sys.path.append(f"{sys.path[0]}/../support")
from harness import arguments, environment, files, programs  # noqa: E402

FOLDER = os.path.dirname(os.path.abspath(__file__))
DONE = 42  # Exit code of a program that finished.
TIMEOUT = 120


def run(rondo, program, seed, calls, log=()):
    """The exit code and the last lines of stderr."""
    with files.Scratch("api") as scratch, tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as nothing:
        # A separate folder with its files: calls may write beside it. Its streams are separate files, too: a call that
        # changes the mode of descriptor 0 must not affect a shared device.
        for name in (program, "values.js"):
            shutil.copy(os.path.join(FOLDER, name), scratch.folder)
        done = programs.run([rondo, "--expose-internals", program, seed, calls, *log], timeout=TIMEOUT, may_hang=True,
                            cwd=scratch.folder, env=environment.minimal(scratch.folder, NO_COLOR="1"),
                            stdin=nothing, stdout=nothing, stderr=err)
        code = f"none after {TIMEOUT} s" if done.returncode is None else done.returncode
        err.seek(0, os.SEEK_END)
        err.seek(max(0, err.tell() - 20000))
        return code, err.read().decode(errors="replace")


def check(rondo, program, seed, calls, folder):
    """True if the run of a seed survives."""
    code, text = run(rondo, program, seed, calls)
    if code == DONE and "ERROR: AddressSanitizer" not in text and "runtime error:" not in text:
        return True
    print(f"{program}, seed {seed}, {calls} calls: ended with {code} instead of {DONE}")
    again, log = run(rondo, program, seed, calls, ("log",))
    tail = "\n  ".join(line[:300] for line in (log if again != DONE else text).splitlines()[-25:])
    print(f"  {tail}", flush=True)
    if folder:
        os.makedirs(folder, exist_ok=True)
        files.write(os.path.join(folder, f"{program}-{seed}.log"), f"{code}\n{log}\n{text}")
    return False


def main(words):
    parser = arguments.parser(__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("sample", "fuzz"):
        command = commands.add_parser(name)
        command.add_argument("--rondo", required=True)
        command.add_argument("--seed", type=int, default=1 if name == "sample" else None)
        command.add_argument("--count", type=int, default=5)
        command.add_argument("--calls", type=int, default=3000)
        command.add_argument("--seconds", type=float, default=60)
        command.add_argument("--save", default=None, help="where the logs of runs that fail go")
    options = parser.parse_args(words)
    rondo = programs.absolute(options.rondo)
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
    programs.exit_with(main)
