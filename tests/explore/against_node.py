#!/usr/bin/env python3
"""Compares the outcomes that rondo explore finds for small programs with those of Node.

  against_node.py --rondo RONDO [--node NODE]... [--runs 300] [--jobs 2] [--limit 5000] [--part I/N] [--only NAME]... [--seen FILE] [--table]

Every outcome of that many real runs of Node must be among those that explore found; if Node guarantees one order there must
be exactly one. Without --node the Node in the package of V8 is used; ends with 77 if there is none. With --seen, the
outcomes of Node are kept in FILE, and programs in it are not run again: an interrupted comparison continues there. With
--table, prints the table for docs/EXPLORING.md."""
import collections
import concurrent.futures
import json
import os
import sys

sys.path.append(f"{sys.path[0]}/../support")
import sections  # noqa: E402
from harness import arguments, checks, files, programs, reference  # noqa: E402


class Program:
    def __init__(self, section):
        self.name, self.text = section.name, section.text
        self.is_one = "one" in section.words
        self.file_name = self.name + (".mjs" if "module" in section.words else ".js")


def run_node(node, path):
    result = programs.run([node, path], timeout=120)
    return result.stdout, result.returncode


class Seen:
    """Counts the outcomes of a program under Node; kept in a file, if given."""

    def __init__(self, path):
        self.path = path
        self.counts = {}
        if path and os.path.exists(path):
            self.counts = json.loads(files.read(path))

    def outcomes(self, node, program, path, runs, pool):
        key = f"{reference.version_of(node)} {runs} {program.text}"
        if key not in self.counts:
            counter = collections.Counter(pool.map(lambda _: run_node(node, path), range(runs)))
            self.counts[key] = [[*outcome, count] for outcome, count in counter.items()]
            if self.path:
                files.write(self.path, json.dumps(self.counts))
        return {(stdout, code) for stdout, code, _ in self.counts[key]}


def explore(args, path):
    explored = programs.run([args.rondo, "explore", "--json", f"--limit={args.limit}", f"--time={args.time}", path], timeout=None)
    try:
        return json.loads(explored.stdout), explored.stderr
    except ValueError:
        return None, explored.stdout[:500] + explored.stderr[:500]


def compare(args, program, path, seen, pool):
    """Prints a row of the table; returns an error message, or None."""
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


def main(words):
    parser = arguments.parser(__doc__)
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
    args = parser.parse_args(words)
    if not args.node:
        try:
            args.node = [reference.node_to_compare_with()]
        except checks.Skipped as reason:
            return checks.skip("against_node", reason)
    failed = 0
    if args.table:
        columns = [f"{reference.version_of(node)}, {args.runs} runs" for node in args.node]
        print(f"| program | Node guarantees one | {' | '.join(columns)} | explore | schedules | complete |")
        print(f"|---|---|{'--:|' * len(columns)}--:|--:|---|")
    seen = Seen(args.seen)
    chosen = arguments.part_of([Program(section) for section in sections.read("programs.txt")], args.part)
    with files.Scratch() as scratch, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for program in chosen:
            if args.only and program.name not in args.only:
                continue
            path = scratch.write(program.file_name, program.text)
            if wrong := compare(args, program, path, seen, pool):
                failed += 1
                print(f"FAILED {program.name}: {wrong}", flush=True)
    print(f"{failed} failed" if failed else "all is well")
    return 1 if failed else 0


if __name__ == "__main__":
    programs.exit_with(main)
