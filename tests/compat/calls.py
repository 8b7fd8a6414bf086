#!/usr/bin/env python3
"""Random calls of a module under Rondo and under Node, which must give the same results and the same errors.

  calls.py --rondo RONDO [--node NODE] [--count N] [--calls N] [--seed S] PROGRAM

PROGRAM is a file beside this one that takes a seed and a number of calls. Ends with 77 without a Node to compare with."""
import os
import sys

sys.path.append(f"{sys.path[0]}/../support")
from harness import arguments, checks, programs, reference  # noqa: E402
from harness.differences import unified  # noqa: E402

FOLDER = os.path.dirname(os.path.abspath(__file__))


def output_of(program, script, seed, calls):
    return programs.output_of([program, "--no-warnings", script, seed, calls], cwd=FOLDER, timeout=200)


def main(words):
    parser = arguments.parser(__doc__)
    parser.add_argument("--rondo", required=True)
    parser.add_argument("--node", default=reference.node())
    parser.add_argument("--count", type=int, default=3)
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("program")
    options = parser.parse_args(words)
    node = options.node
    if node is None:
        return checks.skip("calls", "there is no Node to compare with")
    for seed in range(options.seed, options.seed + options.count):
        wanted, came = (output_of(program, options.program, seed, options.calls) for program in (node, options.rondo))
        if wanted != came:
            print("\n".join(unified(wanted, came, "node", "rondo", context=1).splitlines()[:60]))
            print(f"seed {seed} differs")
            return 1
    print(f"{options.count} runs of {options.calls} calls, none differs")
    return 0


if __name__ == "__main__":
    programs.exit_with(main)
