#!/usr/bin/env python3
"""Random messages of HTTP, bodies of fetch, WebSocket frames and compressed data, compared with Node.

  web.py sample --rondo RONDO [--kind KIND] [--seed S] [--count N]       the exchanges with the seeds S to S+N-1
  web.py fuzz --rondo RONDO [--seconds N] [--seed S] [--save DIR]        new ones until the time is over

exchanges/KIND.js makes an exchange for each seed: requests and responses of HTTP/1, frames of HTTP/2, compressed data for
zlib, bodies for fetch's classes, frames of WebSocket. The events must be those of Node. Frames of HTTP/2 only must not end
the process: the turns in which a session ends are others than in Node.
Ends with 77 (skipped) without Node, if it is needed."""
import os
import random
import sys
import time

sys.path.append(f"{sys.path[0]}/../support")
from harness import arguments, checks, environment, files, programs, reference  # noqa: E402
from harness.checks import Skipped  # noqa: E402
from harness.differences import unified  # noqa: E402

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "exchanges")
COMPARED = ("requests", "responses", "compressed", "bodies", "websockets")
KINDS = (*COMPARED, "frames")
TIMEOUT = 120
BATCH = 500


def run(program, kind, seed, count, *more):
    """The exit code and the lines."""
    done = programs.run([program, os.path.join(FOLDER, "random.js"), kind, seed, count, *more], timeout=TIMEOUT, may_hang=True,
                        env=environment.minimal(NO_COLOR="1"))
    return done.returncode, done.stdout.splitlines(), done.stderr


def differing(rondo, node, kind, seed, count):
    """The seeds of a batch whose events are not those of Node; a batch that fails has its first missing one."""
    code, ours, errors = run(rondo, kind, seed, count)
    if code != 0 or len(ours) != count:
        print(f"{kind}: ended with {code} at seed {seed + len(ours)}: {errors[-3000:]} {ours[-1:]}", flush=True)
        return [seed + len(ours)]
    if kind not in COMPARED:
        return []
    code, theirs, errors = run(node, kind, seed, count)
    if code != 0 or len(theirs) != count:
        raise Skipped(f"{node} ended with {code}: {errors[-500:]}")
    return [int(one.split()[0]) for one, other in zip(ours, theirs) if one != other]


def report(rondo, node, kind, seed, save):
    outputs = ["\n".join(run(program, kind, seed, 1, "show")[1]) + "\n" for program in (node, rondo)]
    text = f"{kind}, seed {seed}:\n{unified(*outputs, 'node', 'rondo', context=1000)}"
    print(text, flush=True)
    if save:
        os.makedirs(save, exist_ok=True)
        files.write(os.path.join(save, f"{kind}-{seed}.diff"), text)


def main(words):
    parser = arguments.parser(__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("sample", "fuzz"):
        command = commands.add_parser(name)
        command.add_argument("--rondo", required=True)
        command.add_argument("--seed", type=int, default=1 if name == "sample" else random.randrange(1 << 31))
    commands.choices["sample"].add_argument("--kind", choices=KINDS, action="append")
    commands.choices["sample"].add_argument("--count", type=int, default=BATCH)
    commands.choices["fuzz"].add_argument("--seconds", type=float, default=60)
    commands.choices["fuzz"].add_argument("--save")
    options = parser.parse_args(words)
    rondo = programs.absolute(options.rondo)
    kinds = getattr(options, "kind", None) or KINDS
    try:
        node = reference.node_to_compare_with() if set(kinds) & set(COMPARED) else None
        end = time.monotonic() + getattr(options, "seconds", 0)
        seed, done, wrong = options.seed, 0, []
        while True:
            count = options.count if options.command == "sample" else BATCH
            for kind in kinds:
                wrong += [(kind, found) for found in differing(rondo, node, kind, seed, count)]
            done += count
            seed += count
            if wrong or time.monotonic() > end:
                break
        for kind, found in wrong[:5]:
            if node is not None:
                report(rondo, node, kind, found, getattr(options, "save", None))
        print(f"{done} exchanges of each kind, from seed {options.seed}: {len(wrong)} differ")
        return 1 if wrong else 0
    except Skipped as reason:
        return checks.skip("web", reason)


if __name__ == "__main__":
    programs.exit_with(main)
