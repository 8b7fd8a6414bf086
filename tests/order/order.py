#!/usr/bin/env python3
"""Runs random programs under Rondo and Node and compares what they print.

  order.py sample --rondo RONDO [--node NODE] --count N [--seed S]   the programs of seeds S to S+N-1
  order.py fuzz --rondo RONDO [--node NODE] [--seconds N] [--seed S] [--save DIR]
                                                                     new programs until the time is over
  order.py show SEED                                                 print the program of a seed

A program that differs is shrunk to a small one that still differs and saved. Rondo runs with a virtual clock,
so that timers come when nothing else is left to do. For Node they are some milliseconds apart, which a
busy machine can upset: what differs is run again with more time between them, and only what differs
then, too, counts. Ends with 77 if there is no Node to compare with."""
import argparse
import concurrent.futures
import os
import random
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import generate  # noqa: E402
import golden  # noqa: E402

UNIT = 15  # Milliseconds between two timers.
SLOWER = (60, 250, 500)
TIMEOUT = 60
MOST_SHRINKS = 400


class Runner:
    def __init__(self, rondo, node, scratch):
        self.commands = [[os.path.abspath(rondo), "--clock=virtual"], [node]]
        self.scratch = scratch

    def run(self, command, path):
        environment = {name: os.environ[name] for name in golden.PASSED_ON if name in os.environ}
        environment.update(PATH=os.environ.get("PATH", ""), HOME=self.scratch, NO_COLOR="1")
        try:
            done = subprocess.run([*command, path], capture_output=True, env=environment, cwd=self.scratch,
                                  stdin=subprocess.DEVNULL, timeout=TIMEOUT, check=False)
        except subprocess.TimeoutExpired:
            return f"killed after {TIMEOUT} s"
        result = f"{done.stdout.decode(errors='replace')}exit {done.returncode}"
        return result if done.returncode == 0 else f"{result}\n{done.stderr.decode(errors='replace')}"

    def outputs(self, tree, unit):
        """What each runtime prints, the two running side by side."""
        with tempfile.NamedTemporaryFile("w", suffix=".mjs" if tree["module"] else ".cjs", dir=self.scratch) as file:
            file.write(generate.render(tree, unit))
            file.flush()
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                return list(pool.map(lambda command: self.run(command, file.name), self.commands))

    def differs(self, tree):
        """Both outputs if they differ however much time there is, otherwise nothing."""
        came = None
        for unit in (UNIT, *SLOWER):
            came = self.outputs(tree, unit)
            if came[0] == came[1]:
                return None
        return came

    def shrink(self, tree):
        tries = 0
        is_smaller = True
        while is_smaller and tries < MOST_SHRINKS:
            is_smaller = False
            for smaller in generate.variants(tree):
                tries += 1
                if tries >= MOST_SHRINKS:
                    break
                if self.differs(smaller):
                    tree = smaller
                    is_smaller = True
                    break
        return tree


def report(runner, seed, tree, folder):
    tree = runner.shrink(tree)
    came = runner.differs(tree) or runner.outputs(tree, UNIT)
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"seed-{seed}.{'mjs' if tree['module'] else 'cjs'}")
    with open(path, "w", encoding="utf-8") as file:
        file.write(generate.render(tree, UNIT))
    print(f"seed {seed} differs; a small program that does is saved as {path}:")
    print(generate.render_body(tree["body"], UNIT, 1), end="")
    print(f"  rondo: {came[0]}\n  node:  {came[1]}", flush=True)


def compare(runner, seeds, folder, until=None):
    """How many seeds were run, and how many differ."""
    count = failed = 0
    workers = 2 * (os.cpu_count() or 2)  # Programs wait for timers most of the time.
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        batch = []
        for seed in seeds:
            batch.append(seed)
            if len(batch) < 4 * workers and seed != seeds[-1]:
                continue
            for one, came in zip(batch, pool.map(lambda s: runner.differs(generate.generate(s)), batch)):
                count += 1
                if came:
                    failed += 1
                    report(runner, one, generate.generate(one), folder)
            batch = []
            if until is not None and time.monotonic() > until or failed >= 3:
                break
    return count, failed


def main(arguments):
    parser = argparse.ArgumentParser(prog="order", description="compare random programs")
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("sample", "fuzz"):
        command = commands.add_parser(name)
        command.add_argument("--rondo", required=True)
        command.add_argument("--node", default="node")
        command.add_argument("--save", default="order_failures", help="where programs that differ go")
        command.add_argument("--seed", type=int, default=1 if name == "sample" else None)
        command.add_argument("--count", type=int, default=100)
        command.add_argument("--seconds", type=float, default=60)
    show = commands.add_parser("show")
    show.add_argument("seed", type=int)
    options = parser.parse_args(arguments)
    if options.command == "show":
        print(generate.render(generate.generate(options.seed), UNIT), end="")
        return 0
    node = golden.node_or_skip(options.node)
    with tempfile.TemporaryDirectory(prefix="order") as scratch:
        runner = Runner(options.rondo, node, scratch)
        if options.command == "sample":
            count, failed = compare(runner, range(options.seed, options.seed + options.count), options.save)
        else:
            first = options.seed if options.seed is not None else random.SystemRandom().randrange(10**9)
            print(f"from seed {first}", flush=True)
            count, failed = compare(runner, range(first, first + 10**9), options.save,
                                    time.monotonic() + options.seconds)
    print(f"{count} programs, {failed} differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
