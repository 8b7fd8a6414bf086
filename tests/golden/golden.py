#!/usr/bin/env python3
"""Golden pairs: JavaScript programs with their expected output.

  golden.py run --program RONDO [--part I/N] [NAME...]
                                           run pairs, show a diff for each that differs
  golden.py run --program RONDO --pairs=NAME:NAME...
                                           the same, with a report for each pair
  golden.py compat --program NODE [--part I/N]
                                           run them under Node and compare with the same files
  golden.py update [--rondo RONDO] [--node NODE] [NAME...]
                                           write the .out files
  golden.py list                           the names

A pair is NAME.js (or .mjs, .cjs) with NAME.out, its expected stdout. Optional files are NAME.in (its standard input), NAME.err (its
expected stderr), NAME.code (its exit code, 0 if absent) and NAME.args (options of the runtime, one line; arguments after `--` are for
the program). Pairs are in rooms, which are folders by subject; folders `fixtures` contain the files that they load. The full name of a
pair is ROOM/NAME. On the command line NAME may also be a room, the last part of a name that only one pair has, or the beginning of
names. Programs run in their room with a fixed environment. Under rondo a program must leave nothing behind: no temporary files, no
processes, no descriptors and no threads. Ends with 77 (skipped) if a requirement is missing."""
import ctypes
import os
import re
import shutil
import signal
import subprocess
import sys
import threading

sys.path.append(f"{sys.path[0]}/../support")
from harness import arguments, checks, environment, files, programs, reference  # noqa: E402
from harness.arguments import part_of  # noqa: E402
from harness.differences import lines, unified  # noqa: E402
from harness.waiting import wait_until  # noqa: E402

FOLDER = os.path.dirname(os.path.abspath(__file__))
DIFFERENCES = os.path.join(os.path.dirname(FOLDER), "compat", "DIFFERENCES.md")
ENDINGS = (".js", ".mjs", ".cjs")
NOT_ROOMS = ("fixtures", "node_modules")
SOMETIMES = "sometimes: "  # Begins the reason where Node differs from itself, from run to run.
# Options that Node does not have: pairs with them are for Rondo only.
OWN_OPTIONS = re.compile(r"^--(ticks|clock|seed|blocked|backend)\b")


class Children:
    """Running programs and their leftovers: orphans become children of this process (PR_SET_CHILD_SUBREAPER)."""
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

    def living(self):
        """The orphans that have not ended."""
        found = []
        for pid in self.orphans():
            try:
                if os.waitpid(pid, os.WNOHANG)[0] == 0:
                    found.append(pid)
            except ChildProcessError:
                pass  # Another thread was first.
        return found

    def left(self):
        if wait_until(lambda: not self.living(), self.PATIENCE, 0.005):
            return []
        names = []
        for pid in self.living():
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                names.append(f"process {file.read().replace(bytes(1), b' ').decode('utf-8', 'replace').strip()}")
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        return names


CHILDREN = Children()


class Pair:
    def __init__(self, name):
        self.name = name
        self.folder, self.base = os.path.split(os.path.join(FOLDER, name))
        self.script = script_of(name)
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
        """The expected output: stream or code -> text. An absent .err is not compared."""
        wanted = {"stdout": self.read("out"), "exit code": (self.read("code") or "0").strip() + "\n"}
        if wanted["stdout"] is None:
            sys.exit(f"golden: {self.script} has no {self.base}.out; write it with ./dev golden --update {self.name}")
        err = self.read("err")
        if err is not None:
            wanted["stderr"] = err
        return wanted

    def run(self, program, leaks=None):
        """`leaks`: a list for leftovers of the program."""
        with files.Scratch("golden") as scratch:
            # The socket for `rondo why` opens some time after the start: a descriptor more, for who counts.
            variables = environment.minimal(scratch.folder, NO_COLOR="1", TZ="UTC", LANG="C.UTF-8", RONDO_NO_CONTROL="1")
            if leaks is not None:
                variables["RONDO_CHECK_LEAKS"] = "1"
            command = [program, *self.options, self.script, *self.arguments]
            given = self.read("in")
            process = CHILDREN.start(command, cwd=self.folder, env=variables,
                                     stdin=subprocess.DEVNULL if given is None else subprocess.PIPE,
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
            try:
                out, err = process.communicate(given if given is None else given.encode(), timeout=programs.TIMEOUT)
                code = f"{process.returncode}\n"
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                out, err = process.communicate()
                code = f"none: killed after {programs.TIMEOUT} s\n"
            if process.returncode is not None and process.returncode < 0 and "none" not in code:
                code = f"none: {signal.Signals(-process.returncode).name}\n"
            CHILDREN.ended(process)
            if leaks is not None:
                leaks += CHILDREN.left()
                leaks += [f"temporary file {name}" for name in scratch.names()]
        return {"stdout": text(out), "stderr": neutral(text(err), self.folder), "exit code": code, "raw stderr": text(err)}

    def differences(self, program, checks_leaks=False):
        """The unified diffs between expected and actual output."""
        leaks = [] if checks_leaks else None
        came, parts = self.run(program, leaks), []
        if not leaks and all(came[stream] == wanted for stream, wanted in self.expected().items()):
            return ""
        for stream, wanted in self.expected().items():
            parts.append(unified(wanted, came[stream], f"{self.name}: {stream} wanted", f"{self.name}: {stream} came"))
        parts += [f"{self.name}: left behind: {leak}\n" for leak in leaks or []]
        if "stderr" not in self.expected() and came["raw stderr"]:
            parts += ["--- stderr, which was not compared\n", *lines(came["raw stderr"])]
        return "".join(parts)


def text(data):
    return data.decode("utf-8", "surrogateescape")


def neutral(err, folder):
    """stderr without parts that differ between runs, machines and runtimes."""
    err = err.replace(folder + "/", "").replace(FOLDER + "/", "").replace("file://", "")
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


def script_of(name):
    """The file of a pair, in its room; None if there is no such pair."""
    base = os.path.basename(name)
    return next((base + ending for ending in ENDINGS if os.path.exists(os.path.join(FOLDER, name + ending))), None)


def names():
    found = set()
    for folder, rooms, entries in os.walk(FOLDER):
        rooms[:] = [room for room in rooms if room not in NOT_ROOMS]
        found |= {os.path.relpath(os.path.join(folder, os.path.splitext(entry)[0]), FOLDER)
                  for entry in entries if entry.endswith(ENDINGS)}
    return sorted(found)


def named(words):
    """The pairs that words of the command line mean, all if there are none."""
    if words and all(map(script_of, words)):
        return words  # Without a look at all the others: ctest gives whole names.
    everything = names()
    found = []
    for word in map(os.path.normpath, words):
        if word in everything:
            found.append(word)
            continue
        room = [name for name in everything if name.startswith(f"{word}/")]
        same = [name for name in everything if os.path.basename(name) == word]
        if not room and len(same) > 1:
            sys.exit(f"golden: which {word}? There are {', '.join(same)}")
        begun = room or same or [
            name for name in everything if name.startswith(word) or os.path.basename(name).startswith(word)]
        if not begun:
            sys.exit(f"golden: there is no pair or room {word}, and no pair whose name begins so")
        found += begun
    return list(dict.fromkeys(found)) if words else everything


def write(data):
    sys.stdout.buffer.write(data.encode("utf-8", "surrogateescape"))
    sys.stdout.flush()


def listed_differences():
    """Pairs that differ from Node on purpose: lines `- NAME: reason`."""
    listed = {}
    if os.path.exists(DIFFERENCES):
        with open(DIFFERENCES, encoding="utf-8") as file:
            for line in file:
                match = re.match(r"^- `?([\w./-]+)`?: (\S.*)$", line)
                if match:
                    listed[match[1]] = match[2].strip()
    return listed


def each(pairs, work):
    """(pair, work(pair)) in order, several in parallel."""
    if len(pairs) < 2:
        yield from zip(pairs, map(work, pairs))
        return
    import concurrent.futures  # Here, as above.
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count() or 2) as pool:
        yield from zip(pairs, pool.map(work, pairs))


def run_reported(program, pairs):
    """Runs pairs one after the other and reports each as GoogleTest does, for tools/dev_groups."""
    failed = 0
    for name in pairs:
        print(f"[ RUN      ] {name}", flush=True)
        difference = Pair(name).differences(program, True)
        write(difference)
        print(f"[{'  FAILED  ' if difference else '       OK '}] {name}", flush=True)
        failed += bool(difference)
    return 1 if failed else 0


def cmd_run(options):
    program = os.path.abspath(shutil.which(options.program) or sys.exit(f"golden: there is no {options.program}"))
    if options.pairs:
        return run_reported(program, options.pairs.split(":"))
    chosen, failed = part_of(named(options.names), options.part), 0
    for _, difference in each([Pair(n) for n in chosen], lambda p: p.differences(program, True)):
        if difference:
            failed += 1
            write(difference)
    if len(chosen) != 1:
        print(f"{len(chosen) - failed} passed, {failed} failed")
    return 1 if failed else 0


def cmd_compat(options):
    program = reference.node_to_compare_with(options.program)
    listed, everything = listed_differences(), names()
    pairs = [Pair(name) for name in part_of(everything, options.part)]
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
    if options.part.startswith("1/"):
        for name in listed:
            if name not in everything or Pair(name).is_own():
                failed += 1
                print(f"DIFFERENCES.md lists {name}, which is " +
                      ("not a pair" if name not in everything else "not run under Node: it has options of Rondo's own"))
    print(f"{len(pairs) - len(own) - failed} agree with Node or are listed, {failed} failed, "
          f"{len(own)} use options of Rondo's own")
    return 1 if failed else 0


def cmd_update(options):
    """Node is the reference. Pairs that differ on purpose, or by option, are taken from Rondo."""
    listed = listed_differences()
    for name in named(options.names):
        pair = Pair(name)
        program = programs.absolute(options.rondo) if pair.is_own() or name in listed else reference.node_to_compare_with(options.node)
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


def main(words):
    parser = arguments.parser(__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run")
    run.add_argument("--program", required=True)
    run.add_argument("--part", default="1/1")
    run.add_argument("--pairs", help="whole names, separated by colons: report each")
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
    options = parser.parse_args(words)
    if options.command == "list":
        print("\n".join(names()))
        return 0
    try:
        return {"run": cmd_run, "compat": cmd_compat, "update": cmd_update}[options.command](options)
    except checks.Skipped as reason:
        return checks.skip("compat", reason)


if __name__ == "__main__":
    programs.exit_with(main)
