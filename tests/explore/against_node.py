#!/usr/bin/env python3
"""Compares what rondo explore says about small programs with what Node does.

  against_node.py --rondo RONDO [--node NODE]... [--runs 300] [--jobs 2] [--limit 5000] [--part I/N] [--only NAME]... [--seen FILE] [--table]

Every outcome of so many real runs of Node must be among those that explore found; where Node guarantees one order there must
be exactly one. Without --node it is the one in the package of V8; ends with 77 where there is none. With --seen, the
outcomes of Node are kept in FILE, and programs that are in it are not run again: an interrupted comparison continues there. With
--table, prints what docs/EXPLORING.md shows."""
import argparse
import collections
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "support"))
import reference  # noqa: E402

FOLDER = os.path.dirname(os.path.abspath(__file__))


class Program:
    def __init__(self, line):
        self.name, *words = line.split()[1:]
        self.is_one = "one" in words
        self.file_name = self.name + (".mjs" if "module" in words else ".js")
        self.text = ""


def programs():
    found = []
    with open(os.path.join(FOLDER, "programs.txt"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("=== "):
                found.append(Program(line))
            elif found:
                found[-1].text += line
    return found


def run_node(node, path):
    result = subprocess.run([node, path], capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
    return result.stdout, result.returncode


class Seen:
    """How often Node came to each outcome of a program; in a file, if there is one."""

    def __init__(self, path):
        self.path = path
        self.counts = {}
        if path and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                self.counts = json.load(file)

    def outcomes(self, node, program, path, runs, pool):
        key = f"{reference.version_of(node)} {runs} {program.text}"
        if key not in self.counts:
            counter = collections.Counter(pool.map(lambda _: run_node(node, path), range(runs)))
            self.counts[key] = [[*outcome, count] for outcome, count in counter.items()]
            if self.path:
                with open(self.path, "w", encoding="utf-8") as file:
                    json.dump(self.counts, file)
        return {(stdout, code) for stdout, code, _ in self.counts[key]}


def explore(args, path):
    explored = subprocess.run([args.rondo, "explore", "--json", f"--limit={args.limit}", f"--time={args.time}", path],
                              capture_output=True, text=True)
    try:
        return json.loads(explored.stdout), explored.stderr
    except ValueError:
        return None, explored.stdout[:500] + explored.stderr[:500]


def compare(args, program, path, seen, pool):
    """Prints a row of the table; returns what is wrong, or None."""
    real = [seen.outcomes(node, program, path, args.runs, pool) for node in args.node]
    if not args.rondo:
        return None
    result, errors = explore(args, path)
    if result is None:
        return errors
    found = {(one["stdout"], one["exitCode"]) for one in result["outcomes"]}
    if args.table:
        numbers = " | ".join(str(len(outcomes)) for outcomes in real)
        print(f"| {program.name} | {'yes' if program.is_one else ''} | {numbers} | {len(found)} | {result['schedules']:,} | "
              f"{'yes' if result['complete'] else 'no'} |", flush=True)
    missing = set().union(*real) - found
    if missing:
        return f"explore found {sorted(found)}, Node also did {sorted(missing)}; {errors}"
    if program.is_one and (len(found) != 1 or not result["complete"]):
        return f"Node guarantees one order, explore found {sorted(found)}; {errors}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rondo", help="without it, only Node runs: for --seen")
    parser.add_argument("--node", action="append", help="may be repeated")
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--jobs", type=int, default=2, help="so many runs of Node at a time")
    parser.add_argument("--limit", type=int, default=5000, help="so many schedules of each program at most")
    parser.add_argument("--time", type=int, default=60, help="seconds to explore each program at most")
    parser.add_argument("--part", default="1/1", help="only the Ith of every N programs")
    parser.add_argument("--only", action="append", help="only the program of this name")
    parser.add_argument("--seen")
    parser.add_argument("--table", action="store_true")
    args = parser.parse_args()
    if not args.node:
        args.node = [reference.node()]
        if not args.node[0] or not reference.version_of(args.node[0]).startswith("v26."):
            print("against_node: Skipped\nthere is no Node 26 to compare with")
            sys.exit(77)
    part, parts = (int(number) for number in args.part.split("/"))
    failed = 0
    if args.table:
        columns = [f"{reference.version_of(node)}, {args.runs} runs" for node in args.node]
        print(f"| program | Node guarantees one | {' | '.join(columns)} | explore | schedules | complete |")
        print(f"|---|---|{'--:|' * len(columns)}--:|--:|---|")
    seen = Seen(args.seen)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for program in programs()[part - 1::parts]:
            if args.only and program.name not in args.only:
                continue
            path = os.path.join(folder, program.file_name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(program.text)
            if wrong := compare(args, program, path, seen, pool):
                failed += 1
                print(f"FAILED {program.name}: {wrong}", flush=True)
    print(f"{failed} failed" if failed else "all is well")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
