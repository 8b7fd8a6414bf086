"""The fixed sample: programs with Node's output, stored in sample.txt so that neither Node nor the generator is
needed to run them.

A program is stored as a line `=== SEED script` or `=== SEED module`, its text, a line `---` and its output."""
import itertools
import os

import generate
import runner as running
from harness import files

PATH = os.path.join(generate.FOLDER, "sample.txt")
AT_ONCE = 6  # Programs in one file.
STABLE_RUNS = 20
# Milliseconds of a nap. The first value is for all programs; the others, for those that differ: a busy machine may need
# more time for work during a nap.
UNITS = (10, 40, 100, 300)


class Stored:
    def __init__(self, seed, is_module, text, output):
        self.seed, self.is_module, self.text, self.output = seed, is_module, text, output

    def render(self):
        kind = "module" if self.is_module else "script"
        return f"=== {self.seed} {kind}\n{self.text}---\n{self.output}"


def parse(text):
    stored = []
    for part in text.split("\n=== ") if text else []:
        head, _, rest = part.removeprefix("=== ").partition("\n")
        seed, kind = head.split()
        program, _, output = rest.partition("\n---\n")
        stored.append(Stored(int(seed), kind == "module", f"{program}\n", output.rstrip("\n") + "\n"))
    return stored


def read():
    return parse(files.read(PATH))


def bundles(stored):
    scripts = [one for one in stored if not one.is_module]
    yield from ([one] for one in stored if one.is_module)
    for i in range(0, len(scripts), AT_ONCE):
        yield scripts[i:i + AT_ONCE]


def come(runner, command, backend, stored, unit):
    """Seed -> what the runtime prints."""
    text = generate.render_stored_file("".join(one.text for one in stored), stored[0].is_module, unit)
    file = runner.write(text, stored[0].is_module)
    try:
        return running.split(runner.run(command, file, backend))
    finally:
        os.unlink(file)


def check(runner, command, backend, stored):
    """The programs of a bundle whose output differs from Node's, each with its output."""
    came = come(runner, command, backend, stored, UNITS[0])
    wrong = []
    for one in stored:
        text = came.get(one.seed)
        for unit in UNITS[1:]:
            if is_same(text, one.output):
                break
            text = come(runner, command, backend, [one], unit).get(one.seed)
        if not is_same(text, one.output):
            wrong.append((one, text))
    return wrong


def is_same(text, wanted):
    """True if the outputs are the same. Only the last program of a file prints the exit code."""
    return text is not None and without_exit(text) == without_exit(wanted)


def without_exit(text):
    return text.removesuffix("exit 0\n")


def make(runner, first, count, jobs, unit, without):
    """Writes new stored programs: those that print one thing in many runs on a busy machine."""
    made = []
    seeds = itertools.count(first)
    while len(made) < count:
        chunk = []
        while len(chunk) < jobs:
            programs = [generate.generate(seed) for seed in itertools.islice(seeds, AT_ONCE)]
            scripts = [p for p in programs if not p["module"] and p["seed"] not in without]
            chunk += [[p] for p in programs if p["module"] and p["seed"] not in without]
            chunk += [scripts] if scripts else []
        work = running.in_parallel(lambda p: runner.node_prints(p, unit, STABLE_RUNS), chunk, jobs)
        for programs, wanted in work:
            for program in programs:
                if program["seed"] in wanted:
                    made.append(Stored(program["seed"], program["module"], generate.render_stored(program),
                                       wanted[program["seed"]]))
        made.sort(key=lambda one: one.seed)
        del made[count:]
        files.write(PATH, "".join(one.render() for one in made))
        print(f"{len(made)} programs", flush=True)
