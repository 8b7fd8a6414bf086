#!/usr/bin/env python3
"""How costs grow with the number of objects: bench.py --rondo RONDO [--rounds N] [ROW...]

ROW is a part of a row's name; all rows run unless some are named. Each row is measured with N and with 4 N objects,
under Rondo and under the newest Node of ../js/package-lock.json, in separate processes, interleaved; the figures are
medians. They are CPU time in milliseconds, which other load on the machine affects least; rows about other processes
and threads are wall-clock time.

The exponent is log4(time of 4 N / time of N): 1 is linear, 2 quadratic. Two things are flagged with **:
- an exponent above that of N log N by more than 0.25. That much is noise: V8's garbage collector alone can make 4 N
  take 1.4 times as long.
- 4 N objects that take Rondo more than 1.2 times as long as Node.
Rows that take less than 3 ms with N objects are too short for either, and are never flagged.

--smoke runs every row once, with few objects, under Rondo only."""
import argparse
import importlib.util
import json
import math
import os
import statistics
import subprocess
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
NODE = "node latest"
FACTOR = 4
NOISE = 0.25
MOST_RATIO = 1.2
LEAST_MS = 3
SMOKE_COUNT = 4
TIMEOUT = 300


def load_js():
    spec = importlib.util.spec_from_file_location("js_bench", os.path.join(FOLDER, "../js/bench.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


js = load_js()


def run(command, *arguments):
    return subprocess.run([*command, "rows.cjs", *arguments], cwd=FOLDER, env=js.environment(), capture_output=True,
                          text=True, stdin=subprocess.DEVNULL, timeout=TIMEOUT, check=True).stdout


def measure(command, row, count):
    return json.loads(run(command, row["row"], str(count)))[row["unit"]]


def exponent(few, many):
    return math.log(max(many, 1e-3) / max(few, 1e-3), FACTOR)


def most_exponent(count):
    """The limit for the exponent: that of N log N between `count` and FACTOR times as many, plus noise."""
    return 1 + math.log(math.log(FACTOR * count) / math.log(count), FACTOR) + NOISE


def line(row, times, title):
    """A line of the table, and whether it is flagged; `times` is (name, size) -> milliseconds."""
    ours = [times["rondo", size] for size in (1, FACTOR)]
    cells = [row["row"], f"{row['count']:,}", row["unit"], *(js.shown(time) for time in ours)]
    is_long = ours[0] >= LEAST_MS
    grown = exponent(*ours)
    grows = is_long and grown > most_exponent(row["count"])
    cells.append(f"**{grown:.2f}**" if grows else f"{grown:.2f}")
    is_slow = False
    if title is not None:
        theirs = [times.get((NODE, size)) for size in (1, FACTOR)]
        if None in theirs:
            cells += ["", "", "", ""]
        else:
            ratio = ours[1] / max(theirs[1], 1e-3)
            is_slow = is_long and ratio > MOST_RATIO
            cells += [js.shown(theirs[0]), js.shown(theirs[1]), f"{exponent(*theirs):.2f}",
                      f"**{ratio:.2f}**" if is_slow else f"{ratio:.2f}"]
    return "| " + " | ".join(cells) + " |", grows or is_slow


def table(results, title):
    head = ["row", "N", "time", "rondo N, ms", "rondo 4 N, ms", "exponent"]
    if title is not None:
        head += [f"{title} N, ms", f"{title} 4 N, ms", "exponent", "rondo / node"]
    lines = ["| " + " | ".join(head) + " |", "|---|--:|---|" + "--:|" * (len(head) - 3)]
    short = 0
    for row, times in results:
        text, falls_short = line(row, times, title)
        lines.append(text)
        short += falls_short
    return "\n".join(lines), short


def main(arguments):
    parser = argparse.ArgumentParser(prog="bench growth", description="how costs grow with the number of objects")
    parser.add_argument("--rondo", required=True)
    parser.add_argument("--peers", default=os.path.join(FOLDER, "../../build/third_party/bench_npm"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument("--list", action="store_true", help="list the rows")
    parser.add_argument("rows", nargs="*")
    options = parser.parse_args(arguments)
    options.peers = os.path.abspath(options.peers)
    listed = run([os.path.abspath(options.rondo)], "--list").splitlines()
    rows = [json.loads(row) for row in listed]
    rows = [row for row in rows if not options.rows or any(part in row["row"] for part in options.rows)]
    if options.list:
        print("\n".join(row["row"] for row in rows))
        return 0
    if not rows:
        js.say(f"no row matches {' '.join(options.rows)}; --list lists them")
        return 2
    contestants = {name: command for name, command in js.find_contestants(options).items() if name in ("rondo", NODE)}
    results, failed = [], 0
    for row in rows:
        if options.smoke:
            row["count"] = SMOKE_COUNT
        times = {}
        for _ in range(1 if options.smoke else options.rounds):
            for size in (1, FACTOR):
                for name, command in contestants.items():
                    try:
                        took = measure(command, row, row["count"] * size)
                        times.setdefault((name, size), []).append(took)
                    except (subprocess.SubprocessError, ValueError, OSError) as error:
                        failed += name == "rondo"
                        js.say(f"{name} fails in '{row['row']}': {getattr(error, 'stderr', None) or error}")
        if ("rondo", 1) in times and ("rondo", FACTOR) in times:
            results.append((row, {key: statistics.median(values) for key, values in times.items()}))
        if sys.stderr.isatty():
            js.say(row["row"])
    title = f"node {js.version_of(contestants[NODE]).removeprefix('v')}" if NODE in contestants else None
    text, short = table(results, title)
    print(text)
    if not options.smoke:
        js.say(f"{short} of {len(results)} rows fall short")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
