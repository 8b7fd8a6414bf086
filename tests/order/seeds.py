#!/usr/bin/env python3
"""Runs programs again and again with the same seed, and compares the order of everything.

  seeds.py --rondo RONDO [--runs N] [--seeds N] [--backend NAME] [NAME...]

Every run is recorded (docs/TRACE.md). Two recordings are the same if all that was scheduled, called, settled and closed
is the same, in the same order, with the same places in the program; times and the pool's own affairs are left out. Ends
with 1 if two runs of one seed differ, or if no two seeds do."""
import argparse
import hashlib
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "trace"))
import reader  # The tests of recordings have it.

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "seeds")
# Callbacks, ticks, microtasks, what asks for them, promises, handles, the end.
KINDS = {4, 5, 6, 7, 10, 11, 14, 15, 16, 17, 18, 19, 20, 21, 30, 31}
BACKENDS = ("epoll", "uring")


def order_of(path):
    """What was recorded, one line for each event, without what differs from run to run: which records are written as one
    depends on the time, and the number of a name on what was named before."""
    trace = reader.Trace(path)
    assert not trace.dropped, "the recording is not complete"
    lines = []
    for record in trace.records:
        if record.kind not in KINDS:
            continue
        detail = trace.describe(record.detail) if record.kind == 6 else record.detail
        more = [trace.describe(place) for place in (record.first, record.second)] if record.kind == 16 else ""
        lines.append(f"{record.kind} {record.phase} {detail} {trace.describe(record.name)} {record.id:.0f} {more}")
    return lines


def run(rondo, program, seed, scratch, environment):
    trace = os.path.join(scratch, "run.rtrace")
    done = subprocess.run([rondo, f"--seed={seed}", f"--trace-file={trace}", program], capture_output=True, text=True,
                          timeout=60, env=environment, stdin=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        sys.exit(f"seeds: {program} ended with {done.returncode}\n{done.stderr}")
    order = order_of(trace)
    os.unlink(trace)
    return done.stdout, order


def show_difference(left, right):
    for number, (a, b) in enumerate(zip(left, right)):
        if a != b:
            print(f"  at {number}:\n    {a}\n    {b}")
            return
    print(f"  one has {len(left)} events, the other {len(right)}")


def main(arguments):
    parser = argparse.ArgumentParser(prog="seeds", description="same seed, same order")
    parser.add_argument("--rondo", required=True)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--backend", choices=BACKENDS)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args(arguments)
    rondo = os.path.abspath(options.rondo)
    names = options.names or sorted(name[:-3] for name in os.listdir(FOLDER) if name.endswith(".js"))
    failed = 0
    with tempfile.TemporaryDirectory(prefix="seeds") as scratch:
        for backend in [options.backend] if options.backend else BACKENDS:
            environment = {**os.environ, "RONDO_BACKEND": backend, "TMPDIR": scratch}
            for name in names:
                program = os.path.join(FOLDER, f"{name}.js")
                outputs, events, differ = set(), 0, 0
                for seed in range(1, options.seeds + 1):
                    first = run(rondo, program, seed, scratch, environment)
                    outputs.add(first[0])
                    events += len(first[1])
                    for _ in range(options.runs - 1):
                        again = run(rondo, program, seed, scratch, environment)
                        if again == first:
                            continue
                        differ += 1
                        if differ == 1:
                            print(f"{name} on {backend}: two runs of seed {seed} differ")
                            show_difference(first[1], again[1])
                            if first[0] != again[0]:
                                print(f"  printed: {first[0]}  and:     {again[0]}", end="")
                digest = hashlib.sha256(repr(sorted(outputs)).encode()).hexdigest()[:8]
                print(f"{name} on {backend}: {options.seeds} seeds, {options.runs} runs of each, {differ} differ; "
                      f"{len(outputs)} orders, {events} events, {digest}", flush=True)
                failed += differ > 0 or (options.seeds > 2 and len(outputs) < 2)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
