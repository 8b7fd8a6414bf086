"""Runs files of random programs under Node and Rondo, decides which programs count and which differ, and shrinks those."""
import concurrent.futures
import itertools
import os
import random
import tempfile

import generate
from harness import environment
from harness import programs as processes

BACKENDS = ("epoll", "uring")
FIRST_NODE_RUNS = 2
NODE_RUNS = 5
RONDO_RUNS = 3
SLOWER = 10  # A program differs only if it does so with naps this many times as long.
MOST_TRIES = 250
# A garbage collection posts tasks to Node's loop. They run as callbacks, drain ticks, and change the position of the
# wake-up descriptor among the ready ones: with a large heap there are none.
NODE_FLAGS = ("--min-semi-space-size=64", "--max-semi-space-size=64", "--no-memory-reducer")


def split(output):
    """Seed -> the output of its program, from the output of a file of programs."""
    parts, name = {}, None
    for line in output.splitlines():
        if line.startswith("-- "):
            name = int(line[3:])
            parts[name] = ""
        elif name is not None:
            parts[name] += line + "\n"
    return parts


class Runner:
    def __init__(self, rondo, nodes, scratch):
        self.rondo = rondo and os.path.abspath(rondo)
        self.nodes = nodes
        self.scratch = scratch

    def run(self, command, file, backend=None, is_pinned=False):
        variables = environment.minimal(self.scratch, NO_COLOR="1", UV_THREADPOOL_SIZE="1", RONDO_NO_CONTROL="1")
        if backend:
            variables["RONDO_BACKEND"] = backend
        # Pinned to one processor, threads race in another way.
        around = ["taskset", "-c", str(random.choice(sorted(os.sched_getaffinity(0))))] if is_pinned else []
        flags = NODE_FLAGS if command in self.nodes else ()
        done = processes.run([*around, command, *flags, file], may_hang=True, env=variables, cwd=self.scratch)
        if done.returncode is None:
            return f"killed after {processes.TIMEOUT} s\n"
        return done.stdout if done.returncode == 0 else f"{done.stdout}ended with {done.returncode}\n"

    def write(self, text, is_module):
        with tempfile.NamedTemporaryFile("w", suffix=".mjs" if is_module else ".cjs", dir=self.scratch, delete=False) as file:
            file.write(text)
        return file.name

    def write_programs(self, programs, unit, slow_events):
        return self.write(generate.render(programs, unit, slow_events), programs[0]["module"])

    def node_prints(self, programs, unit, runs=NODE_RUNS, slow_events=False):
        """Seed -> Node's output, for programs with the same output in all runs of all Nodes. Some runs
        are on one processor: there, threads race in another way."""
        file = self.write_programs(programs, unit, slow_events)
        try:
            commands = itertools.islice(itertools.cycle(self.nodes), runs)
            agreed = None
            for i, command in enumerate(commands):
                came = split(self.run(command, file, is_pinned=i % 4 == 1))
                agreed = came if agreed is None else {seed: text for seed, text in agreed.items() if came.get(seed) == text}
                agreed = {seed: text for seed, text in agreed.items() if "guard" not in text.split("\n")}
                if not agreed:
                    break
            return agreed
        finally:
            os.unlink(file)

    def rondo_prints(self, programs, unit, slow_events=False):
        """(backend, seed -> what Rondo prints), for each backend."""
        file = self.write_programs(programs, unit, slow_events)
        try:
            return [(backend, split(self.run(self.rondo, file, backend))) for backend in BACKENDS]
        finally:
            os.unlink(file)

    def suspects(self, programs, unit, wanted):
        """The seeds of the programs for which Rondo does not print what is wanted, on one of the backends."""
        came = self.rondo_prints(programs, unit)
        return [seed for seed in wanted if any(parts.get(seed) != wanted[seed] for _, parts in came)]

    def difference(self, program, unit, quick=False):
        """(what Node prints, [(backend, what Rondo prints)]) if one program alone differs in every run on one of the
        backends, with fast and with slow events, otherwise None."""
        if quick:
            wanted = self.node_prints([program], unit, 1)
            if not wanted or not self.suspects([program], unit, wanted):
                return None
        return self.steady_difference(program, unit) and self.steady_difference(program, unit, slow_events=True)

    def steady_difference(self, program, unit, slow_events=False):
        seed = program["seed"]
        wanted = self.node_prints([program], unit, slow_events=slow_events)
        if seed not in wanted:
            return None
        wrong = set(BACKENDS)
        for _ in range(RONDO_RUNS):
            printed = self.rondo_prints([program], unit, slow_events)
            came = [(backend, parts.get(seed, "nothing\n")) for backend, parts in printed]
            wrong &= {backend for backend, text in came if text != wanted[seed]}
            if not wrong:
                return None
        return wanted[seed], came

    def check(self, programs, unit):
        """Runs programs in one file. Returns the seeds that count; those that differ, with the difference; and those that
        differed only once: an operation or a timer was late, or there is a race."""
        wanted = self.node_prints(programs, unit, FIRST_NODE_RUNS)
        if not wanted:
            return {}, {}, []
        differ, unclear = {}, []
        for seed in self.suspects(programs, unit, wanted):
            program = next(p for p in programs if p["seed"] == seed)
            found = self.difference(program, unit * SLOWER)
            if found:
                differ[seed] = found
            else:
                unclear.append(seed)
        return wanted, differ, unclear

    def shrink(self, program, unit):
        """A program that differs and cannot be made smaller."""
        tries, at = 0, 0
        while tries < MOST_TRIES:
            candidates = list(generate.variants(program))
            # Continues at the last success: parts that could not be removed before rarely can be now.
            for k in range(len(candidates)):
                candidate = candidates[(at + k) % len(candidates)]
                tries += 1
                if self.difference(candidate, unit, quick=True):
                    at = (at + k) % len(candidates)
                    program = candidate
                    break
                if tries >= MOST_TRIES:
                    return program
            else:
                return program
        return program


def in_parallel(work, items, jobs):
    """(item, result of work) as they get done. Takes an item only when a thread is free; ends early when closed."""
    items = iter(items)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        running = {}
        try:
            while True:
                for item in itertools.islice(items, jobs - len(running)):
                    running[pool.submit(work, item)] = item
                if not running:
                    return
                done, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
                for future in done:
                    yield running.pop(future), future.result()
        finally:
            for future in running:
                future.cancel()
