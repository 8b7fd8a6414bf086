#!/usr/bin/env python3
"""Runs programs again and again with the same seed, and compares the order of everything.

  seeds.py --rondo RONDO [--runs N] [--seeds N] [--backend NAME] [NAME...]

Every run is recorded (docs/TRACE-FORMAT.md). Two recordings are the same if all that was scheduled, called, settled and
closed is the same, in the same order, with the same places in the program; times and the pool's own events are left out.
Ends with 1 if two runs of one seed differ, or if no two seeds do."""
import hashlib
import os
import sys

sys.path += [f"{sys.path[0]}/../support", f"{sys.path[0]}/../trace"]
import reader  # noqa: E402
from harness import arguments, environment, files, programs  # noqa: E402

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "seeds")
# Callbacks, ticks, microtasks, their scheduling, promises, handles, the end.
KINDS = {4, 5, 6, 7, 10, 11, 14, 15, 16, 17, 18, 19, 20, 21, 30, 31}
BACKENDS = ("epoll", "uring")


def order_of(path):
    """The recorded events, one line each, without parts that differ between runs: merging of records depends on the
    time, and the index of a name on earlier names."""
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


def run(rondo, program, seed, scratch, variables):
    trace = scratch.path("run.rtrace")
    done = programs.run([rondo, f"--seed={seed}", f"--trace-file={trace}", program], env=variables)
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


def main(words):
    parser = arguments.parser(__doc__)
    parser.add_argument("--rondo", required=True)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--backend", choices=BACKENDS)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args(words)
    rondo = programs.absolute(options.rondo)
    names = options.names or sorted(name[:-3] for name in os.listdir(FOLDER) if name.endswith(".js"))
    failed = 0
    with files.Scratch("seeds") as scratch:
        for backend in [options.backend] if options.backend else BACKENDS:
            variables = environment.inherited((), RONDO_BACKEND=backend, TMPDIR=scratch.folder)
            for name in names:
                program = os.path.join(FOLDER, f"{name}.js")
                outputs, events, differ = set(), 0, 0
                for seed in range(1, options.seeds + 1):
                    first = run(rondo, program, seed, scratch, variables)
                    outputs.add(first[0])
                    events += len(first[1])
                    for _ in range(options.runs - 1):
                        again = run(rondo, program, seed, scratch, variables)
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
    programs.exit_with(main)
