#!/usr/bin/env python3
"""JavaScript programs with one failing system call of rondo.

  runtime.py --rondo RONDO --preload LIBRARY --backend epoll|uring [--program NAME] [--call NAME] [--error NAME] [--nth N]
             [--all] [--reached]

Each run makes the n-th call of one row of calls.def fail with one error. It must end in time, not by a signal, and without
leaks. With the exit code 0 every operation was reported once; any other code has a message on stderr.
By default, each row fails in one program that makes the call: rows that driver.cc covers with one of their errors, others with each.
--all: every error at every occurrence in every program. --reached: only checks that every row which calls.def gives to this test is reached."""
import ctypes
import mmap
import os
import pathlib
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import zlib

sys.path.append(f"{sys.path[0]}/../support")
from harness import arguments, checks, environment, files, programs  # noqa: E402

FOLDER = pathlib.Path(__file__).resolve().parent / "programs"
TIMEOUT = 30  # Seconds; a program that is still running then hangs.
MOST_ROWS = 256
LEAKS = 86  # LeakCheck::kLeaks
MOST_OCCURRENCES = 40  # Of one call in one program, with --all.
HEAD = struct.Struct("IIiiq")  # Control of inject.h: is_on, fired, row, error, left; then the counts.
COUNTS = struct.Struct(f"{MOST_ROWS}Q")
BROKEN = ("assertion failed", "Fatal error", "Sanitizer", "TWICE ", "WRONG ")

# Name: the arguments of rondo, in which {} is the folder of the programs, and the kind of its standard output.
PROGRAMS = {
    "files": (["{}/files.js"], "pipe"),
    "net": (["{}/net.js"], "pipe"),
    "children": (["{}/children.js"], "pipe"),
    "system": (["{}/system.js"], "pipe"),
    "output-terminal": (["{}/output.js"], "terminal"),
    "output-socket": (["{}/output.js"], "socket"),
    "output-file": (["{}/output.js"], "file"),
    "traced": (["--trace-file=trace.rtrace", "--blocked=50", "{}/small.js"], "pipe"),
    "trace": (["trace", "{}/small.js"], "pipe"),
    "explore": (["explore", "{}/small.js"], "pipe"),
}

WITH_CHILDREN = ("explore", "trace")  # Do their work in child processes.
# The write that fails is that of the report or message itself, on stderr or to a reader of stdout that has gone: nothing
# can be said about it, and the exit code tells.
SILENT = (("trace", "write(on_file)", None), ("explore", "write(on_pipe)", "EPIPE"))
NO_MESSAGE = "ended with 1 and no message"
# Faults that were found and fixed.
REGRESSIONS = (
    ("children", "SYS_pidfd_send_signal", "ENOSYS", 1),  # A sandbox: children could not be killed.
    ("children", "fstat", "ENOMEM", 7),  # A child whose input could not be opened waited for it forever.
    ("explore", "send", "ECONNRESET", 2),  # Ended without a message.
    ("net", "fstat", "EIO", 7),  # A server never closed: it had counted a socket that failed at once.
    ("net", "getsockname", "ENOBUFS", 1),  # server.address() was null.
)


class Row:
    def __init__(self, index, line):
        self.name, self.driver, *errors = line.split()
        self.index = index
        self.errors = [(name, int(value)) for name, value in (error.split("=") for error in errors)]


def read_rows(preload):
    library = ctypes.CDLL(preload)
    library.rondo_faults_rows.restype = ctypes.c_char_p
    lines = library.rondo_faults_rows().decode().splitlines()
    return [Row(index, line) for index, line in enumerate(lines) if not line.startswith("-")]


class Outcome:
    def __init__(self, status, out, err, counts, has_fired):
        self.status, self.out, self.err, self.counts, self.has_fired = status, out, err, counts, has_fired

    def problem(self, expected):
        """The error of the run; empty if there is none. `expected` are the names that a complete report has."""
        if self.status is None:
            return "hangs"
        if self.status < 0:
            return f"ended by signal {-self.status}"
        if self.status == LEAKS:
            return "leaks"
        for word in BROKEN:
            if word in self.out + self.err:
                return f"says {word!r}"
        if self.status != 0:
            return "" if self.err.strip() else f"ended with {self.status} and no message"
        lines = [line.strip() for line in self.out.splitlines()]
        if "LOST " in self.out:
            return "ended with 0 and without all callbacks"
        if "END" not in lines:
            return "ended with 0 and without its report"
        if self.has_fired:
            return ""
        missing = expected - report_names(self.out)
        return f"did not report {', '.join(sorted(missing))}" if missing else ""


def report_names(out):
    """Parses the lines "name outcome" of a report."""
    return {line.strip().rsplit(" ", 1)[0] for line in out.splitlines() if line.strip().endswith((" ok", " ECONNREFUSED"))}


class Output:
    """The standard output of a program: its end, and what was written there."""
    def __init__(self, kind, folder):
        self.kind = kind
        if kind == "pipe":
            self.ours, self.theirs = os.pipe()
        elif kind == "terminal":
            self.ours, self.theirs = os.openpty()
        elif kind == "socket":
            self.ours, self.theirs = (end.detach() for end in socket.socketpair())
        else:
            self.theirs = os.open(os.path.join(folder, "out"), os.O_RDWR | os.O_CREAT | os.O_TRUNC)
            self.ours = os.dup(self.theirs)
        self.parts = []
        self.thread = threading.Thread(target=self.read)

    def start(self):
        """Call it after the program has inherited its end."""
        os.close(self.theirs)
        if self.kind != "file":
            self.thread.start()

    def read(self):
        try:
            while part := os.read(self.ours, 65536):
                self.parts.append(part)
        except OSError:
            pass  # The end of a terminal.

    def text(self):
        if self.kind == "file":
            os.lseek(self.ours, 0, os.SEEK_SET)
            self.read()
        else:
            self.thread.join()
        os.close(self.ours)
        return b"".join(self.parts).decode(errors="replace")


def lower_limit():
    """In the child: rondo raises its limit of descriptors, if it can."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 1024) - 1, hard))


class Runner:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.failed = self.count = 0

    def run(self, program, row=None, error=0, nth=0):
        words, kind = PROGRAMS[program]
        scratch = tempfile.mkdtemp(dir=self.folder)
        control = os.path.join(self.folder, "control")
        with open(control, "wb") as file:
            file.write(HEAD.pack(1, 0, -1 if row is None else row.index, error, nth) + bytes(COUNTS.size))
        variables = environment.inherited(NO_COLOR="1", RONDO_BACKEND=self.options.backend, RONDO_CHECK_LEAKS="1",
                                          XDG_RUNTIME_DIR=scratch, TMPDIR=scratch, RONDO_FAULTS=control,
                                          LD_PRELOAD=self.options.preload)
        if program in WITH_CHILDREN:
            variables["RONDO_FAULTS_IN_CHILDREN"] = "1"
        command = [self.options.rondo, *(word.format(FOLDER) for word in words)]
        output = Output(kind, self.folder)
        with open(os.path.join(self.folder, "err"), "w+b") as errors:
            process = subprocess.Popen(command, env=variables, cwd=scratch, stdin=subprocess.DEVNULL, stdout=output.theirs,
                                       stderr=errors, start_new_session=True, preexec_fn=lower_limit)
            output.start()
            try:
                status = process.wait(timeout=TIMEOUT)
            except subprocess.TimeoutExpired:
                status = None
            try:
                os.killpg(process.pid, signal.SIGKILL)  # Processes it has left behind.
            except ProcessLookupError:
                pass
            process.wait()
            out = output.text()
            errors.seek(0)
            err = errors.read().decode(errors="replace")
        with open(control, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as memory:
            counts = COUNTS.unpack_from(memory, HEAD.size)
            has_fired = HEAD.unpack_from(memory, 0)[1] != 0
        shutil.rmtree(scratch, ignore_errors=True)
        self.count += 1
        return Outcome(status, out, err, counts, has_fired)

    def check(self, program, outcome, expected, what):
        problem = outcome.problem(expected)
        if self.options.verbose and outcome.has_fired:
            changed = [line for line in outcome.out.splitlines() if line.endswith(" ok") is False and line != "END"]
            print(f"{program} {what}: {outcome.status} {'; '.join(changed)} {outcome.err.strip()[:300]!r}")
        if not problem:
            return True
        self.failed += 1
        print(f"FAILED: {problem}: --backend={self.options.backend} --program={program} {what}\n"
              f"{outcome.out[-1000:]}{outcome.err[-2000:]}", flush=True)
        return False


def seed_of(*words):
    return zlib.crc32(" ".join(words).encode())


def occurrences(options, program, row, count):
    """Errors and occurrences to test in one program."""
    chosen = [error for error in row.errors if options.error in ("", error[0])]
    if options.all:
        return [(error, nth) for error in chosen for nth in range(1, min(count, MOST_OCCURRENCES) + 1)]
    seed = seed_of(program, row.name, options.backend)
    if row.driver == "loop" and not options.error:
        chosen = [chosen[seed % len(chosen)]]
    return [(error, options.nth or 1 + (seed // 7 + index * 5) % count) for index, error in enumerate(chosen)]


def chosen_program(options, row, counts):
    """The program that tests a row: one of those that make the call."""
    makers = [program for program, of_program in counts.items() if of_program[row.index] > 0]
    quick = [program for program in makers if program not in WITH_CHILDREN]
    makers = quick or makers
    return makers[seed_of(row.name, options.backend) % len(makers)]


def run_row(runner, program, row, usual):
    expected = report_names(usual.out)
    for (error, value), nth in occurrences(runner.options, program, row, usual.counts[row.index]):
        outcome = runner.run(program, row, value, nth)
        if outcome.problem(expected) == NO_MESSAGE and {(program, row.name, error), (program, row.name, None)} & {*SILENT}:
            continue
        runner.check(program, outcome, expected, f"--call='{row.name}' --error={error} --nth={nth}")


def main(words):
    parser = arguments.parser(__doc__)
    for name in ("rondo", "preload", "backend"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("program", "call", "error"):
        parser.add_argument(f"--{name}", default="")
    parser.add_argument("--nth", type=int, default=0)
    for name in ("all", "reached", "verbose"):
        parser.add_argument(f"--{name}", action="store_true")
    options = parser.parse_args(words)
    options.rondo, options.preload = map(programs.absolute, (options.rondo, options.preload))
    rows = read_rows(options.preload)
    with files.Scratch("rondo-faults-") as scratch:
        runner = Runner(options, scratch.folder)
        usual = {}
        for program in PROGRAMS:
            if options.program in ("", program):
                usual[program] = runner.run(program)
                if usual[program].status == 1 and options.backend == "uring" and "io_uring" in usual[program].err:
                    return checks.skip("faults.runtime", f"this system refuses io_uring: {usual[program].err}")
                runner.check(program, usual[program], set(), "without a fault")
        if runner.failed:
            return 1
        counts = {program: outcome.counts for program, outcome in usual.items()}
        if options.reached:
            missing = [row.name for row in rows if row.driver == "runtime" and not any(of[row.index] for of in counts.values())]
            for name in missing:
                print(f"no program reaches {name}: add it to tests/faults/programs")
            return 1 if missing else 0
        if not options.call:
            for program, name, error, nth in REGRESSIONS:
                row = next(row for row in rows if row.name == name)
                outcome = runner.run(program, row, dict(row.errors)[error], nth)
                runner.check(program, outcome, set(), f"--call='{name}' --error={error} --nth={nth}")
        for row in rows:
            if options.call not in ("", row.name) or not any(of[row.index] for of in counts.values()):
                continue
            chosen = list(usual) if options.all else [chosen_program(options, row, counts)]
            for program in chosen:
                if counts[program][row.index] > 0:
                    run_row(runner, program, row, usual[program])
        print(f"{runner.count} runs, {runner.failed} failed")
        return 1 if runner.failed else 0


if __name__ == "__main__":
    programs.exit_with(main)
