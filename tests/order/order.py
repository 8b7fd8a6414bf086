#!/usr/bin/env python3
"""Random programs that make several kinds of events ready in one poll: Rondo must print the same as Node.

  order.py fuzz --rondo RONDO [--node NODE]... [--seconds N] [--count N] [--seed S] [--save DIR]
                                         new programs, until the time is over or that many are done
  order.py sample (--rondo RONDO | --node NODE) [--part I/N]
                                         the stored programs (sample.txt), compared with their stored output
  order.py update [--node NODE]... [--count N] [--seed S] [--without SEED]...
                                         create the stored programs again
  order.py show SEED                     print the program of a seed
  order.py coverage --node NODE [--count N] [--seed S]
                                         groups of statements with events in the same turn (Node 22 or later)

A program counts if Node prints the same in two runs, one of them on one processor, under different versions if several are given;
Rondo runs it on each backend. If Rondo prints something else, the program is run again with longer naps, five times under Node and
three times under Rondo; if all runs of Node print the same and Rondo never does on one of the backends, the program is
shrunk to the smallest that still differs and saved, with the outputs. Ends with 1 if a program differs, with 77 without a
Node to compare with."""
import collections
import itertools
import os
import random
import re
import sys
import time

sys.path.append(f"{sys.path[0]}/../support")
import generate  # noqa: E402
import kinds  # noqa: E402
import runner as running  # noqa: E402
import sample  # noqa: E402
from harness import arguments, checks, files, programs, reference  # noqa: E402

AT_ONCE = 3  # Programs in one file: starting Node takes longer than most of them.


def bundles(seeds, among=tuple(generate.OFTEN)):
    """Lists of programs that run in one file. A module has its own file."""
    batch = []
    for seed in seeds:
        program = generate.generate(seed, among)
        if program["module"]:
            yield [program]
            continue
        batch.append(program)
        if len(batch) == AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch


def examine(runner, bundle, options):
    """(how many programs count, [(program, difference)], seeds that differed once): the programs that differ are shrunk."""
    wanted, differ, unclear = runner.check(bundle, options.unit)
    found = []
    for program in bundle:
        difference = differ.get(program["seed"])
        if difference and not options.whole:
            small = runner.shrink(program, options.unit * 2)
            again = runner.difference(small, options.unit * running.SLOWER)
            program, difference = (small, again) if again else (program, difference)
        if difference:
            found.append((program, difference))
    return len(wanted), found, unclear


def save(program, difference, folder, unit):
    os.makedirs(folder, exist_ok=True)
    stem = os.path.join(folder, f"seed-{program['seed']}")
    path = f"{stem}.{'mjs' if program['module'] else 'cjs'}"
    texts = {path: generate.render([program], unit), f"{stem}.expected": f"-- {program['seed']}\n{difference[0]}"}
    texts.update({f"{stem}.{backend}": f"-- {program['seed']}\n{text}" for backend, text in difference[1]})
    for name, text in texts.items():
        files.write(name, text)
    return path


def report(program, difference, options):
    path = save(program, difference, options.save, options.unit * 2)
    text = f"seed {program['seed']} differs; saved as {path}:\n{generate.render_stored(program)}"
    text += f"  node:\n{indented(difference[0])}"
    for backend, came in difference[1]:
        text += f"  rondo, {backend}:\n{indented(came)}" if came != difference[0] else f"  rondo, {backend}: the same\n"
    print(text, flush=True)


def indented(text):
    return "".join(f"    {line}\n" for line in text.splitlines())


def cmd_fuzz(runner, options):
    first = options.seed if options.seed is not None else random.SystemRandom().randrange(10**9)
    print(f"from seed {first}", flush=True)
    until = time.monotonic() + options.seconds if options.seconds else None
    generated = counted = differing = 0
    unclear = []
    seeds = range(first, first + options.count) if options.count else itertools.count(first)
    source = bundles(seeds, options.groups.split(","))
    until_over = itertools.takewhile(lambda _: until is None or time.monotonic() < until, source)
    for bundle, (count, found, once) in running.in_parallel(lambda p: examine(runner, p, options), until_over, options.jobs):
        generated += len(bundle)
        counted += count
        differing += len(found)
        unclear += once
        for program, difference in found:
            report(program, difference, options)
        if options.verbose:
            print(f"{generated} generated, {counted} counted, {differing} differ, once {unclear}", flush=True)
        if differing >= options.most:
            break
    if unclear:
        print("differed once, but not in every run with longer naps: " + " ".join(map(str, unclear)))
    print(f"{generated} programs generated, {counted} counted, {differing} differ")
    return 1 if differing else 0


def cmd_sample(runner, options):
    chosen = arguments.part_of(list(sample.bundles(sample.read())), options.part)
    command, backends = (runner.rondo, running.BACKENDS) if options.rondo else (runner.nodes[0], (None,))
    count, failed = 0, 0
    for backend in backends:
        work = running.in_parallel(lambda stored: sample.check(runner, command, backend, stored), chosen, options.jobs)
        for stored, wrong in work:
            count += len(stored)
            for one, text in wrong:
                failed += 1
                print(f"seed {one.seed} differs{f' on {backend}' if backend else ''}:\n{one.text}  wanted:\n"
                      f"{indented(one.output)}  came:\n{indented(text or 'nothing')}", flush=True)
    print(f"{count - failed} passed, {failed} failed")
    return 1 if failed else 0


def cmd_update(runner, options):
    sample.make(runner, options.seed or 1, options.count or 200, options.jobs, options.unit, set(options.without))
    return 0


def groups_of(program):
    """Statement number -> group."""
    found = {}

    def walk(body):
        for statement in body:
            kind = statement["kind"]
            found[statement["number"]] = kinds.KINDS[kind][0] if "target" in statement else kinds.GROUP_OF_RESOURCE[kind]
            for part in statement["bodies"]:
                walk(part)
    walk(program["body"])
    walk(program["resources"])
    return found


def cmd_coverage(runner, options):
    """Prints how many programs had events of two groups in one turn of the loop."""
    first = options.seed or 1
    turn = "performance.nodeTiming.uvMetricsInfo.loopCount"
    together = collections.Counter()

    def run(bundle):
        text = generate.render(bundle, options.unit).replace("out.push(line);", f"out.push(`${{line}}\\t${{{turn}}}`);")
        output = runner.run(runner.nodes[0], runner.write(text, bundle[0]["module"]))
        return running.split(re.sub(r"^(-- \d+)\t.*", r"\1", output, flags=re.M))
    chosen = [p for p in map(generate.generate, range(first, first + (options.count or 300))) if not p["module"]]
    for bundle, came in running.in_parallel(run, [[p] for p in chosen], options.jobs):
        groups = groups_of(bundle[0])
        turns = collections.defaultdict(set)
        for line in came.get(bundle[0]["seed"], "").splitlines():
            match = re.match(r"(?:uncaught |unhandled )?(\d+).*\t(\d+)$", line)
            if match and int(match[1]) in groups:
                turns[match[2]].add(groups[int(match[1])])
        together.update({pair for names in turns.values() for pair in itertools.combinations_with_replacement(sorted(names), 2)})
    names = sorted({name for pair in together for name in pair})
    print(" " * 10 + "".join(f"{name[:8]:>9}" for name in names))
    for row in names:
        print(f"{row:10}" + "".join(f"{together[tuple(sorted((row, name)))]:9}" for name in names))
    return 0


def main(words):
    parser = arguments.parser(__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, work in (("fuzz", cmd_fuzz), ("sample", cmd_sample), ("update", cmd_update), ("coverage", cmd_coverage)):
        command = commands.add_parser(name)
        command.set_defaults(work=work)
        command.add_argument("--rondo", required=name == "fuzz")
        command.add_argument("--node", action="append", help="what to compare with; others must agree with the first")
        command.add_argument("--seed", type=int)
        command.add_argument("--count", type=int, help="how many programs")
        command.add_argument("--jobs", type=int, default=(6 if name == "sample" else 2) * (os.cpu_count() or 2),
                             help="files at once; programs wait most of the time")
        command.add_argument("--unit", type=int, default=generate.UNIT, help="milliseconds of a nap")
        if name == "fuzz":
            command.add_argument("--save", default="order_failures", help="where programs that differ go")
            command.add_argument("--seconds", type=float)
            command.add_argument("--most", type=int, default=3, help="stop after so many programs that differ")
            command.add_argument("--groups", default=",".join(generate.OFTEN), help="use only these groups of statements")
            command.add_argument("--whole", action="store_true", help="do not shrink")
            command.add_argument("--verbose", action="store_true")
        elif name == "sample":
            command.add_argument("--part", default="1/1")
        elif name == "update":
            command.add_argument("--without", type=int, action="append", default=[], help="a seed to leave out")
    show = commands.add_parser("show")
    show.add_argument("seed", type=int)
    options = parser.parse_args(words)
    if options.command == "show":
        print(generate.render([generate.generate(options.seed)]), end="")
        return 0
    nodes = options.node or []
    if not nodes and not (options.command == "sample" and options.rondo):
        try:
            nodes = [reference.node_to_compare_with()]
        except checks.Skipped as reason:
            return checks.skip("order", reason)
    with files.Scratch("order") as scratch:
        return options.work(running.Runner(options.rondo, nodes, scratch.folder), options)


if __name__ == "__main__":
    programs.exit_with(main)
