#!/usr/bin/env python3
"""Golden pairs: programs in JavaScript with the output they must have.

  golden.py run --program RONDO [--part I/N] [NAME...]
                                           run pairs, show a diff for each that differs
  golden.py compat --program NODE [--part I/N]
                                           run them under Node and compare with the same files
  golden.py update [--rondo RONDO] [--node NODE] [NAME...]
                                           write what the programs print now into their .out files
  golden.py list                           the names

A pair is NAME.js (or .mjs, .cjs) with NAME.out, what it writes to stdout. Beside it may stand
NAME.in (its standard input), NAME.err (what it writes to stderr), NAME.code (its exit code, 0 if
absent) and NAME.args (options of the runtime, one line; what follows `--` is for the program). Programs run in this folder with an
environment of their own. Under rondo a program must leave nothing behind: no temporary files, no processes,
no descriptors and no threads. Ends with 77 where something is missing that only makes it skip."""
import argparse
import ctypes
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "support"))
import reference  # noqa: E402

FOLDER = os.path.dirname(os.path.abspath(__file__))
DIFFERENCES = os.path.join(os.path.dirname(FOLDER), "compat", "DIFFERENCES.md")
ENDINGS = (".js", ".mjs", ".cjs")
SKIP = 77
NODE_MAJOR = "26"
SOMETIMES = "sometimes: "  # Begins the reason where Node differs from itself, from run to run.
TIMEOUT = 60  # Seconds; generous, as sanitized programs share the machine with a build.
PASSED_ON = ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "RONDO_BACKEND")
# What Node does not know: pairs with these options are Rondo's alone.
OWN_OPTIONS = re.compile(r"^--(ticks|clock|seed|blocked|backend)\b")


class Children:
    """The programs that run, and what they leave behind: orphans become children of this process (PR_SET_CHILD_SUBREAPER)."""
    SUBREAPER = 36
    PATIENCE = 10  # Seconds for a process that was killed, or sees the end of its input, to end.

    def __init__(self):
        self.lock = threading.Lock()
        self.running = set()
        ctypes.CDLL(None).prctl(self.SUBREAPER, 1, 0, 0, 0)

    def start(self, *arguments, **options):
        with self.lock:
            process = subprocess.Popen(*arguments, **options)
            self.running.add(process.pid)
        return process

    def ended(self, process):
        with self.lock:
            self.running.discard(process.pid)

    def orphans(self):
        with self.lock:
            found = set()
            for thread in os.listdir("/proc/self/task"):
                try:
                    with open(f"/proc/self/task/{thread}/children", encoding="ascii") as file:
                        found |= set(map(int, file.read().split()))
                except OSError:
                    pass
            return found - self.running

    def left(self):
        end = time.monotonic() + self.PATIENCE
        while True:
            found = []
            for pid in self.orphans():
                try:
                    if os.waitpid(pid, os.WNOHANG)[0] == 0:
                        found.append(pid)
                except ChildProcessError:
                    pass  # Another thread was first.
            if not found:
                return []
            if time.monotonic() > end:
                break
            time.sleep(0.005)
        names = []
        for pid in found:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                names.append(f"process {file.read().replace(bytes(1), b' ').decode('utf-8', 'replace').strip()}")
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        return names


CHILDREN = Children()


class Pair:
    def __init__(self, name):
        self.name = name
        self.script = next((name + e for e in ENDINGS if os.path.exists(os.path.join(FOLDER, name + e))), None)
        if self.script is None:
            sys.exit(f"golden: there is no {name}.js")
        self.args = (self.read("args") or "").split()
        before = self.args.index("--") if "--" in self.args else len(self.args)
        self.options = self.args[:before]
        self.arguments = self.args[before + 1:]

    def path(self, ending):
        return os.path.join(FOLDER, f"{self.name}.{ending}")

    def read(self, ending):
        try:
            with open(self.path(ending), encoding="utf-8", errors="surrogateescape", newline="") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def is_own(self):
        return any(OWN_OPTIONS.match(option) for option in self.options)

    def expected(self):
        """What must come: stream or code -> text. An absent .err is not compared."""
        wanted = {"stdout": self.read("out"), "exit code": (self.read("code") or "0").strip() + "\n"}
        if wanted["stdout"] is None:
            sys.exit(f"golden: {self.script} has no {self.name}.out; write it with ./dev golden --update {self.name}")
        err = self.read("err")
        if err is not None:
            wanted["stderr"] = err
        return wanted

    def run(self, program, leaks=None):
        """`leaks`: a list for what the program leaves behind."""
        with tempfile.TemporaryDirectory(prefix="golden") as scratch:
            environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
            environment.update(PATH=os.environ.get("PATH", "/usr/bin:/bin"), HOME=scratch, TMPDIR=scratch,
                               NO_COLOR="1", TZ="UTC", LANG="C.UTF-8",
                               # The socket for `rondo why` opens some time after the start: a descriptor more, for who counts.
                               RONDO_NO_CONTROL="1")
            if leaks is not None:
                environment["RONDO_CHECK_LEAKS"] = "1"
            command = [program, *self.options, self.script, *self.arguments]
            given = self.read("in")
            process = CHILDREN.start(command, cwd=FOLDER, env=environment,
                                     stdin=subprocess.DEVNULL if given is None else subprocess.PIPE,
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
            try:
                out, err = process.communicate(given if given is None else given.encode(), timeout=TIMEOUT)
                code = f"{process.returncode}\n"
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                out, err = process.communicate()
                code = f"none: killed after {TIMEOUT} s\n"
            if process.returncode is not None and process.returncode < 0 and "none" not in code:
                code = f"none: {signal.Signals(-process.returncode).name}\n"
            CHILDREN.ended(process)
            if leaks is not None:
                leaks += CHILDREN.left()
                leaks += [f"temporary file {name}" for name in sorted(os.listdir(scratch))]
        return {"stdout": text(out), "stderr": neutral(text(err)), "exit code": code, "raw stderr": text(err)}

    def differences(self, program, checks_leaks=False):
        """The unified diffs between what must come and what came."""
        leaks = [] if checks_leaks else None
        came, parts = self.run(program, leaks), []
        if not leaks and all(came[stream] == wanted for stream, wanted in self.expected().items()):
            return ""
        import difflib  # Here, for most pairs agree, and this runs once for each.
        for stream, wanted in self.expected().items():
            if came[stream] == wanted:
                continue
            parts += difflib.unified_diff(lines(wanted), lines(came[stream]),
                                          f"{self.name}: {stream} wanted", f"{self.name}: {stream} came")
        parts += [f"{self.name}: left behind: {leak}\n" for leak in leaks or []]
        if parts and "stderr" not in self.expected() and came["raw stderr"]:
            parts += ["--- stderr, which was not compared\n", *lines(came["raw stderr"])]
        return "".join(parts)


def text(data):
    return data.decode("utf-8", "surrogateescape")


def lines(value):
    result = value.splitlines(keepends=True)
    if result and not result[-1].endswith("\n"):
        result[-1] += "<no end of line>\n"
    return result


def neutral(err):
    """What differs from run to run, from place to place and from runtime to runtime, taken out of stderr."""
    err = err.replace(FOLDER + "/", "").replace("file://", "")
    err = re.sub(r"\((?:node|rondo):\d+\)", "(node:PID)", err)
    err = re.sub(r"^\(Use `(?:node|rondo) (--[\w-]+)", r"(Use `node \1", err, flags=re.M)
    err = re.sub(r"^(?:Node\.js|Rondo) v[\d.]+$", "RUNTIME VERSION", err, flags=re.M)
    # Frames and source lines of the runtime's own files.
    err = re.sub(r"^node:[^\n]*:\d+\n[^\n]*\n *\^+\n\n?", "", err, flags=re.M)
    err = re.sub(r"^ +(?:at |\.\.\. \d+ lines matching).*\n?", "", err, flags=re.M)
    # Node's hint for values that are no errors, and the empty line before them.
    err = re.sub(r"^\(Use `node --trace-uncaught.*\n", "", err, flags=re.M).lstrip("\n")
    # An error without frames is shown in brackets.
    err = re.sub(r"^\[(\w+: .*)\](?: \{)?$", r"\1", err, flags=re.M)
    # With the frames went the brace that opens the error's own properties.
    return re.sub(r"^(\w*(?:Error|Rejection)\b.*) \{$", r"\1", err, flags=re.M)


def names():
    found = {os.path.splitext(name)[0] for name in os.listdir(FOLDER) if name.endswith(ENDINGS)}
    return sorted(found)


def write(data):
    sys.stdout.buffer.write(data.encode("utf-8", "surrogateescape"))
    sys.stdout.flush()


def listed_differences():
    """Pairs that are meant to differ from Node: lines `- NAME: reason`."""
    listed = {}
    if os.path.exists(DIFFERENCES):
        with open(DIFFERENCES, encoding="utf-8") as file:
            for line in file:
                match = re.match(r"^- `?([\w.-]+)`?: (\S.*)$", line)
                if match:
                    listed[match[1]] = match[2].strip()
    return listed


def each(pairs, work):
    """(pair, work(pair)) in order, some at a time."""
    if len(pairs) < 2:
        yield from zip(pairs, map(work, pairs))
        return
    import concurrent.futures  # Here, as above.
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count() or 2) as pool:
        yield from zip(pairs, pool.map(work, pairs))


def cmd_run(options):
    program = os.path.abspath(shutil.which(options.program) or sys.exit(f"golden: there is no {options.program}"))
    part, parts = map(int, options.part.split("/"))
    chosen, failed = (options.names or names())[part - 1::parts], 0
    for _, difference in each([Pair(n) for n in chosen], lambda p: p.differences(program, True)):
        if difference:
            failed += 1
            write(difference)
    if len(options.names) != 1:
        print(f"{len(chosen) - failed} passed, {failed} failed")
    return 1 if failed else 0


def node_or_skip(program=None):
    """The path of a Node of the level that Rondo implements, or the end of this run."""
    path = shutil.which(program) if program else reference.node()
    if path is None:
        print(f"compat: Skipped\nthere is no {program or 'Node'} to compare with")
        sys.exit(SKIP)
    version = reference.version_of(path)
    if not version.startswith(f"v{NODE_MAJOR}."):
        print(f"compat: Skipped\n{path} is {version}, and v{NODE_MAJOR} is what Rondo is compared with")
        sys.exit(SKIP)
    return path


def cmd_compat(options):
    program = node_or_skip(options.program)
    part, parts = map(int, options.part.split("/"))
    listed, everything = listed_differences(), names()
    pairs = [Pair(name) for name in everything[part - 1::parts]]
    own = [pair for pair in pairs if pair.is_own()]
    failed = 0
    for pair, difference in each([pair for pair in pairs if not pair.is_own()], lambda p: p.differences(program)):
        if difference and pair.name not in listed:
            # Asked again: the question is whether Node prints this, not how it fares on a machine that stalls.
            write(difference)
            difference = pair.differences(program)
            print(f"{pair.name}: asked again, Node {'differs still' if difference else 'agrees'}")
        if difference and pair.name not in listed:
            failed += 1
            write(difference)
        elif not difference and pair.name in listed and not listed[pair.name].startswith(SOMETIMES):
            failed += 1
            print(f"{pair.name} is listed in DIFFERENCES.md and does not differ from Node: remove the line")
    if part == 1:
        for name in listed:
            if name not in everything or Pair(name).is_own():
                failed += 1
                print(f"DIFFERENCES.md lists {name}, which is " +
                      ("not a pair" if name not in everything else "not run under Node: it has options of Rondo's own"))
    print(f"{len(pairs) - len(own) - failed} agree with Node or are listed, {failed} failed, "
          f"{len(own)} use options of Rondo's own")
    return 1 if failed else 0


def cmd_update(options):
    """Node is the oracle. What differs by intent, or by option, is taken from Rondo."""
    listed = listed_differences()
    for name in options.names or names():
        pair = Pair(name)
        program = os.path.abspath(options.rondo) if pair.is_own() or name in listed else node_or_skip(options.node)
        came = pair.run(program)
        news = {"out": came["stdout"], "code": came["exit code"]}
        if pair.read("err") is not None or options.stderr:
            news["err"] = came["stderr"]
        for ending, value in news.items():
            old = pair.read(ending)
            if ending == "code" and value == "0\n" and old is None or old == value:
                continue
            if ending == "code" and value.startswith("none"):
                sys.exit(f"golden: {name} ended without an exit code ({value.strip()})\n{came['raw stderr']}")
            if ending == "code" and value == "0\n":
                os.remove(pair.path(ending))
            else:
                with open(pair.path(ending), "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
                    file.write(value)
            print(f"{name}.{ending} is new, from {os.path.basename(program)}")
    return 0


def main(arguments):
    parser = argparse.ArgumentParser(prog="golden", description="run golden pairs")
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run")
    run.add_argument("--program", required=True)
    run.add_argument("--part", default="1/1")
    run.add_argument("names", nargs="*")
    compat = commands.add_parser("compat")
    compat.add_argument("--program")
    compat.add_argument("--part", default="1/1")
    update = commands.add_parser("update")
    update.add_argument("--rondo", default=os.path.join(FOLDER, "../../build/release/rondo"))
    update.add_argument("--node")
    update.add_argument("--stderr", action="store_true", help="make .err files, too")
    update.add_argument("names", nargs="*")
    commands.add_parser("list")
    options = parser.parse_args(arguments)
    if options.command == "list":
        print("\n".join(names()))
        return 0
    return {"run": cmd_run, "compat": cmd_compat, "update": cmd_update}[options.command](options)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
