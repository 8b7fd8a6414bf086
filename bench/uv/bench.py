#!/usr/bin/env python3
"""Compares our libuv.so.1 with Debian's: bench.py --library LIB --loop-bench PROGRAM --work DIR [ROW...]

The rows are libuv's own benchmarks, from Debian's source package libuv1, and the column "libuv" of ./dev bench. The
same object files are linked with both libraries. ROW is a part of a row's name; all rows run unless some are named.
Runs of both are interleaved, each in a process of its own; figures are medians. A ratio above 1 means that ours is
better. --smoke runs each of the named rows once, with our library only."""
import glob
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path[1:1] = [f"{FOLDER}/../../tests/uv", f"{FOLDER}/../../tests/support"]
from harness import arguments, checks  # noqa: E402
from source import compiled, fetch, link  # noqa: E402

TIMEOUT = 300
LEFT_OUT = {"sizes"}  # Prints the sizes of structures, which are the same.
# The output of libuv's programs: "NAME: 1,234 things/s", "1.23 seconds total", "2.0 gbit/s".
RATE = re.compile(r"(?P<value>[\d,.]+) ?(?P<unit>[\w ]*?/s|gbit/s)(?:ec)?\b")
SECONDS = re.compile(r"(?P<value>\d[\d,.]*) ?(?P<unit>s|sec|seconds)\b")
CONTENDERS = ("rondo", "libuv")


def say(text):
    print(f"rondo: {text}", file=sys.stderr, flush=True)


def figures_of(text, row):
    """figure -> (value, unit, whether more is better), from what a benchmark of libuv has printed. A line has at most
    one figure: its rate, otherwise its seconds."""
    matches = []
    for line in text.splitlines():
        match = RATE.search(line) or SECONDS.search(line)
        if match and "thread #" not in line:
            matches.append((line.lstrip("# "), match))
    found = {}
    for line, match in matches:
        is_rate = match["unit"].endswith("/s")
        label = line.split(":")[0] if ":" in line else line.partition(match[0])[2].strip()
        label = label if is_rate or ":" not in line else line.partition("(")[2].partition(")")[0]
        name = row if len(matches) == 1 or label in ("", row) else f"{row}: {label.removeprefix(row).strip('_ ')}"
        unit = match["unit"] if match["unit"] == "gbit/s" else "per s" if is_rate else "s"
        found[name] = (float(match["value"].replace(",", "")), unit, is_rate)
    return found


class LibuvRows:
    """libuv's own benchmarks."""

    def __init__(self, options):
        self.work = os.path.abspath(options.work)
        os.makedirs(self.work, exist_ok=True)
        source = fetch(self.work)
        files = {path for path in glob.glob(f"{source}/test/*.c")
                 if re.match(r"(benchmark-|run-benchmarks|runner(-unix)?\.c|echo-server|blackhole-server)",
                             os.path.basename(path))}
        link(self.work, compiled(source, f"{self.work}/objects", files, "-O2"), options.library)

    def names(self):
        listed = subprocess.run([f"{self.work}/with-rondo", "--list"], capture_output=True, text=True, check=True).stdout
        names = [line.split()[0] for line in listed.splitlines() if line.strip() and not line.startswith((" ", "\t", "("))]
        return [name for name in names if name not in LEFT_OUT]

    def measure(self, row, contender):
        program = f"{self.work}/{'with-rondo' if contender == 'rondo' else 'with-debian'}"
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([program, row], capture_output=True, text=True, timeout=TIMEOUT, check=True,
                              stdin=subprocess.DEVNULL, cwd=self.work)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found = figures_of(done.stdout + done.stderr, row)
        if any(unit == "s" for _, unit, _ in found.values()):
            # A fixed amount of work, some of which waits for timers: the processor time says more.
            used = sum(getattr(after, name) - getattr(before, name) for name in ("ru_utime", "ru_stime"))
            found[f"{row}: processor"] = (used, "CPU s", False)
        return found


class LoopRows:
    """The rows of ./dev bench that have a version for libuv."""

    def __init__(self, options):
        self.program = os.path.abspath(options.loop_bench)
        self.library = os.path.dirname(os.path.abspath(options.library))

    def names(self):
        return subprocess.run([self.program, "--only", "libuv", "--list"], capture_output=True, text=True,
                              check=True).stdout.splitlines()

    def measure(self, row, contender):
        environment = dict(os.environ)
        if contender == "rondo":
            environment["LD_LIBRARY_PATH"] = self.library
        done = subprocess.run([self.program, "--only", "libuv", "--rounds", "1", row], capture_output=True,
                              text=True, timeout=TIMEOUT, check=True, env=environment, stdin=subprocess.DEVNULL)
        for line in done.stdout.splitlines():
            cells = [cell.strip() for cell in line.split("|")]
            if len(cells) > 3 and cells[1] == row:
                return {row: (float(cells[3].split()[-1]), cells[2], "/s" in cells[2])}
        raise ValueError(f"no figure of libuv in: {done.stdout}")


def table(results):
    """Rows of Markdown; results is figure -> (unit, whether more is better, contender -> values)."""
    lines = ["| row | unit | rondo | libuv | rondo is better by |", "|---|---|--:|--:|--:|"]
    for figure, (unit, is_more_better, values) in results.items():
        medians = {name: statistics.median(found) for name, found in values.items()}
        ratio = ""
        if len(medians) == len(CONTENDERS) and min(medians.values()) > 0:
            times = medians["rondo"] / medians["libuv"]
            times = times if is_more_better else 1 / times
            ratio = f"{times:.2f}" if times >= 1 else f"**{times:.2f}**"
        shown = [f"{medians[name]:,.4g}" if name in medians else "" for name in CONTENDERS]
        lines.append(f"| {figure} | {unit} | {' | '.join(shown)} | {ratio} |")
    return "\n".join(lines)


def main():
    parser = arguments.parser(__doc__)
    parser.add_argument("--library", required=True)
    parser.add_argument("--loop-bench", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--list", action="store_true", help="list the rows")
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument("rows", nargs="*")
    options = parser.parse_args()
    if shutil.which("gcc") is None:
        return checks.skip("bench uv", "there is no gcc")
    try:
        sources = [LibuvRows(options), LoopRows(options)]
    except checks.Skipped as reason:
        return checks.skip("bench uv", reason)
    rows = [(source, name) for source in sources for name in source.names()
            if not options.rows or any(part in name for part in options.rows)]
    if options.list:
        print("\n".join(name for _, name in rows))
        return 0
    if not rows:
        say(f"no row matches {' '.join(options.rows)}; --list lists them")
        return 2
    results, failed = {}, 0
    for source, row in rows:
        for _ in range(1 if options.smoke else options.rounds):
            for contender in CONTENDERS[:1] if options.smoke else CONTENDERS:
                try:
                    found = source.measure(row, contender)
                except (subprocess.SubprocessError, OSError, ValueError) as error:
                    failed += contender == "rondo"
                    say(f"{contender} fails in '{row}': {(getattr(error, 'stderr', None) or str(error)).strip()[-300:]}")
                    continue
                for figure, (value, unit, is_more_better) in found.items():
                    results.setdefault(figure, (unit, is_more_better, {}))[2].setdefault(contender, []).append(value)
        if sys.stderr.isatty():
            say(row)
    print(table(results))
    return 1 if failed or (options.smoke and not results) else 0


if __name__ == "__main__":
    sys.exit(main())
