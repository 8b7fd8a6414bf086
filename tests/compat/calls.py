#!/usr/bin/env python3
"""Random calls of a module under Rondo and under Node, which must give the same results and the same errors.

  calls.py --rondo RONDO [--node NODE] [--count N] [--calls N] [--seed S] PROGRAM

PROGRAM is a file beside this one that takes a seed and a number of calls. Ends with 77 where there is no Node to compare with."""
import argparse
import difflib
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "support"))
import reference  # noqa: E402

FOLDER = os.path.dirname(os.path.abspath(__file__))


def output_of(program, script, seed, calls):
    done = subprocess.run([program, "--no-warnings", script, str(seed), str(calls)], cwd=FOLDER, capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=200, check=False)
    text = done.stdout.decode("utf-8", "replace")
    return text if done.returncode == 0 else f"{text}{done.stderr.decode('utf-8', 'replace')}exit code {done.returncode}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rondo", required=True)
    parser.add_argument("--node", default=reference.node())
    parser.add_argument("--count", type=int, default=3)
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("program")
    options = parser.parse_args()
    node = options.node
    if node is None:
        print("calls: Skipped\nthere is no Node to compare with")
        return 77
    for seed in range(options.seed, options.seed + options.count):
        wanted, came = (output_of(program, options.program, seed, options.calls) for program in (node, options.rondo))
        if wanted != came:
            different = list(difflib.unified_diff(wanted.splitlines(True), came.splitlines(True), "node", "rondo", n=1))
            sys.stdout.writelines(different[:60])
            print(f"seed {seed} differs")
            return 1
    print(f"{options.count} runs of {options.calls} calls, none differs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
