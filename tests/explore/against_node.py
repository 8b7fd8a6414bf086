#!/usr/bin/env python3
"""Compares what rondo explore says about small programs with what the node on the PATH does.

  against_node.py --rondo RONDO [--node NODE] [--runs 300] [--limit 5000] [--part I/N] [--table]

Every outcome of so many real runs of Node must be among those that explore found; where Node guarantees one order there must
be exactly one. Ends with 77 where there is no Node 20. With --table, prints what docs/EXPLORING.md shows."""
import argparse
import collections
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))


def programs():
    found, name, is_one, lines = [], None, False, []
    with open(os.path.join(FOLDER, "programs.txt"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("=== "):
                if name:
                    found.append((name, is_one, "".join(lines)))
                words = line.split()
                name, is_one, lines = words[1], "one" in words[2:], []
            elif name:
                lines.append(line)
    found.append((name, is_one, "".join(lines)))
    return found


def run_node(node, path):
    result = subprocess.run([node, path], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    return result.stdout, result.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rondo", required=True)
    parser.add_argument("--node", default=shutil.which("node"))
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--limit", type=int, default=5000, help="so many schedules of each program at most")
    parser.add_argument("--part", default="1/1", help="only the Ith of every N programs")
    parser.add_argument("--table", action="store_true")
    args = parser.parse_args()
    if not args.node or not subprocess.run([args.node, "-v"], capture_output=True, text=True).stdout.startswith("v20."):
        print("against_node: Skipped\nthere is no Node 20 to compare with")
        sys.exit(77)
    part, parts = (int(number) for number in args.part.split("/"))
    failed = 0
    if args.table:
        print("| program | Node guarantees one | Node did, in %d runs | explore found | schedules | complete |" % args.runs)
        print("|---|---|--:|--:|--:|---|")
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, is_one, text in programs()[part - 1::parts]:
            path = os.path.join(folder, f"{name}.js")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            explored = subprocess.run([args.rondo, "explore", "--json", f"--limit={args.limit}", "--time=60", path],
                                      capture_output=True, text=True)
            try:
                result = json.loads(explored.stdout)
            except ValueError:
                failed += 1
                print(f"FAILED {name}: {explored.stdout[:500]} {explored.stderr[:500]}")
                continue
            found = {(one["stdout"], one["exitCode"]) for one in result["outcomes"]}
            real = collections.Counter(pool.map(lambda _: run_node(args.node, path), range(args.runs)))
            missing = set(real) - found
            is_good = not missing and (not is_one or (len(found) == 1 and result["complete"]))
            if not is_good:
                failed += 1
                print(f"FAILED {name}: explore found {sorted(found)}, Node also did {sorted(missing)}; {explored.stderr}")
            if args.table:
                print(f"| {name} | {'yes' if is_one else ''} | {len(real)} | {len(found)} | {result['schedules']:,} | "
                      f"{'yes' if result['complete'] else 'no'} |", flush=True)
    print(f"{failed} failed" if failed else "all is well")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
