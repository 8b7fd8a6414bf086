#!/usr/bin/env python3
"""Compares Rondo with other runtimes on operations of the kernel: bench.py --rondo RONDO --client CLIENT [ROW...]

ROW is a part of a row's name; all rows run unless some are named. The table and the other runtimes are those of
bench/js. Rows come from the *_rows.py of this folder, or of --rows-of: each has ROWS, a dict of name -> function(context, command, row),
which runs one measurement of a runtime's command and returns {figure: (value, unit)}. Less is better everywhere."""
import argparse
import glob
import importlib.util
import os
import subprocess
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))


def load(path):
    spec = importlib.util.spec_from_file_location(os.path.basename(path)[:-3], path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


js = load(os.path.join(FOLDER, "../js/bench.py"))


class Context:
    """Context for a row: the native client, and the environment for a runtime."""

    def __init__(self, options):
        self.client = os.path.abspath(options.client)
        self.rondo = os.path.abspath(options.rondo)
        self.is_smoke = options.smoke
        self.environment = js.environment


def main(arguments):
    parser = argparse.ArgumentParser(prog="bench io", description="compare JavaScript runtimes on files and sockets")
    parser.add_argument("--rondo", required=True)
    parser.add_argument("--client", required=True)
    parser.add_argument("--peers", default=os.path.join(FOLDER, "../../build/third_party/bench_npm"))
    parser.add_argument("--rows-of", default=FOLDER, help="the folder with the *_rows.py")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--smoke", action="store_true", help="every row once, short, under Rondo only")
    parser.add_argument("--list", action="store_true", help="list the rows")
    parser.add_argument("--only", action="append", default=[], help="compare rondo with this runtime only")
    parser.add_argument("rows", nargs="*")
    options = parser.parse_args(arguments)
    rows = {}
    for path in sorted(glob.glob(os.path.join(options.rows_of, "*_rows.py"))):
        rows.update(load(path).ROWS)
    rows = {name: row for name, row in rows.items() if not options.rows or any(part in name for part in options.rows)}
    if options.list:
        print("\n".join(rows))
        return 0
    if not rows:
        js.say(f"no row matches {' '.join(options.rows)}; --list lists them")
        return 2
    context = Context(options)
    contestants = js.find_contestants(options)
    if options.only:
        contestants = {name: command for name, command in contestants.items() if name in ("rondo", *options.only)}
    results, units, failed = {}, {}, 0
    for row, measure in rows.items():
        for _ in range(1 if options.smoke else options.rounds):
            for name, command in contestants.items():
                try:
                    figures = measure(context, command, row)
                except (subprocess.SubprocessError, ValueError, OSError) as error:
                    failed += name == "rondo"
                    js.say(f"{name} fails in '{row}': {getattr(error, 'stderr', None) or error}")
                    continue
                for figure, (value, unit) in figures.items():
                    results.setdefault(figure, {}).setdefault(name, []).append(value)
                    units[figure] = unit
        if sys.stderr.isatty():
            js.say(row)
    titles = [name if name == "rondo" else
              f"{name.split()[0]} {js.version_of(command).removeprefix('v').removeprefix('deno ').split()[0]}"
              for name, command in contestants.items()]
    print(js.table(results, units, list(contestants), titles))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
