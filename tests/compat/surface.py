#!/usr/bin/env python3
"""Compares what programs can see of globals and modules under Rondo and under Node (surface.js).

  surface.py --rondo RONDO [--node NODE] [--update]

surface.txt lists the known differences: a difference that is not there fails, and so does a line for which there is none any
more. --update rewrites the list and keeps the comments. Ends with 77 where there is no Node to compare with."""
import argparse
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "support"))
from harness import reference  # noqa: E402

FOLDER = os.path.dirname(os.path.abspath(__file__))
KNOWN = os.path.join(FOLDER, "surface.txt")
INCOMPLETE = {"crypto", "tls"}  # docs/COMPATIBILITY.md says what they lack.


def run(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, stdin=subprocess.DEVNULL, timeout=200, check=False)
    if done.returncode != 0:
        sys.exit(f"{program} {' '.join(arguments[:2])}: exit code {done.returncode}\n{done.stderr.decode('utf-8', 'replace')}")
    return done.stdout.decode()


def surface_of(program, modules):
    lines = run(program, os.path.join(FOLDER, "surface.js"), *modules).splitlines()
    return {name: f"{kind}, {visible}" for name, kind, visible in (line.split("\t") for line in lines)}


def differences(node, rondo):
    """Lines like `missing NAME`, `more NAME` and `differs NAME: node's | ours`, without members of a class or object that is missing."""
    result = []
    missing = {name for name in node if name not in rondo}
    for name in sorted(missing):
        above = name.split("[")[0] if "[" in name else name.rsplit(".", 1)[0]
        while above and above not in missing:
            above = above.rsplit(".", 1)[0] if "." in above else ""
        if not above:
            result.append(f"missing {name}")
    result += [f"more {name}" for name in sorted(rondo) if name not in node]
    result += [f"differs {name}: {node[name]} | {rondo[name]}" for name in sorted(node)
               if name in rondo and node[name] != rondo[name]]
    return result


def read_known():
    with open(KNOWN, encoding="utf-8") as file:
        return [line.rstrip("\n") for line in file]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rondo", required=True)
    parser.add_argument("--node", default=reference.node())
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    if options.node is None:
        print("surface: Skipped\nthere is no Node to compare with")
        return 77
    names = run(options.rondo, "-p", "require('module').builtinModules.join(' ')").split()
    modules = [name for name in names if name not in INCOMPLETE]
    found = differences(surface_of(options.node, modules), surface_of(options.rondo, modules))
    known = read_known()
    stale = [line for line in known if line and not line.startswith("#") and line not in found]
    new = [line for line in found if line not in known]
    if options.update:
        with open(KNOWN, "w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in known + new if line not in stale)
        return 0
    for line in new:
        print(f"new: {line}")
    for line in stale:
        print(f"not any more: {line}")
    print(f"{len(found)} differences, {len(new)} of them new; {len(stale)} lines of surface.txt are not true any more")
    return 1 if new or stale else 0


if __name__ == "__main__":
    sys.exit(main())
