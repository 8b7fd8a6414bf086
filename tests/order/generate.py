"""Random programs in JavaScript that make several kinds of events ready in one poll.

A program is a tree of plain lists and dictionaries: resources (sockets, servers, ports, workers, children, signals,
watchers) that are set up first, and a body of statements. A statement has bodies, which its callbacks run.
render() writes programs as JavaScript, variants() lists smaller programs."""
import functools
import os
import random
import re

import kinds_web
from kinds import (ELSEWHERE, GROUP_OF_RESOURCE, GROUPS, KINDS, MODULE_ENDS, OFTEN, RESOURCES, SEVERAL_TRIPS,
                   WEIGHT)

FOLDER = os.path.dirname(os.path.abspath(__file__))
IDLE = os.path.join(os.path.dirname(FOLDER), "golden", "fixtures", "idle.js")
UNIT = 10  # Milliseconds that a nap takes at least.
MOST_STATEMENTS = 26
DEEPEST = 3
STAGES = ("main", "timer", "immediate", "pool", "tick", "microtask", "message")
PACES = (0, 0, 0, 6, 12)  # Turns with a nap.
LEAST_PACE = 10  # For programs with work that takes several trips.
ALWAYS = ("flow", "turns", "naps")
MODULE_START = "import { createRequire } from 'module';\nconst require = createRequire(import.meta.url);\n"
MODULE_END_MARK = "// After run():\n"
WEB_MARK = "// With prologue_web.js:\n"
WORD = re.compile(r"(?<![A-Za-z0-9_$])(B\d|[NTRP])(?![A-Za-z0-9_])")


class Generator:
    def __init__(self, seed, among):
        self.random = random.Random(seed)
        self.among = among
        self.count = 0
        self.groups = []
        self.resources = []

    def program(self, seed):
        chance = self.random.random
        self.groups = [g for g, often in OFTEN.items() if g in self.among and chance() * 100 < often]
        if not self.groups:
            self.groups = [self.random.choice(self.among)]
        for kind, group in GROUP_OF_RESOURCE.items():
            if group in self.groups:
                most = {"tcp": 2, "unix": 2, "channel": 3}.get(kind, 1)
                often = 0.9 if group in ("workers", "signals", "watchers") else 0.5
                for _ in range(most):
                    if chance() < often:
                        self.resources.append(self.resource(kind))
        self.random.shuffle(self.resources)
        body = self.body(0, self.random.randint(3, 8))
        for resource in self.resources:
            events = [event for part in RESOURCES[resource["kind"]][1] for event in part[2]]
            number = 1 if resource["kind"] == "listener" else len(events)
            resource["bodies"] = [self.body(1, self.random.choice((1, 1, 2, 3)))
                                  if chance() < 0.35 else [] for _ in range(number)]
        return {"seed": seed, "module": chance() < 0.06, "end": self.random.randrange(len(MODULE_ENDS)), "stage": self.random.choice(STAGES),
                "pace": self.random.choice(PACES), "resources": self.resources, "body": body}

    def resource(self, kind):
        self.count += 1
        return {"kind": kind, "number": self.count, "picks": self.picks(), "bodies": []}

    def picks(self):
        return [self.random.randrange(60) if self.random.random() < 0.6 else 0 for _ in range(4)]

    def body(self, depth, length):
        statements = []
        for _ in range(length):
            if self.count >= MOST_STATEMENTS:
                break
            statements.append(self.statement(depth))
            if statements[-1]["kind"] == "throw":
                break
        return statements

    def statement(self, depth):
        names = [*ALWAYS, *self.groups]
        present = {resource["kind"] for resource in self.resources}
        while True:
            group = self.random.choices(names, [WEIGHT[name] for name in names])[0]
            kinds = {kind: entry for kind, entry in GROUPS[group].items() if len(entry) < 4 or present & set(entry[3])}
            if kinds:
                break
        kind = self.random.choices(list(kinds), [entry[0] for entry in kinds.values()])[0]
        self.count += 1
        return self.make(kind, depth)

    def make(self, kind, depth):
        _, _, bodies, _, *needs = KINDS[kind]
        statement = {"kind": kind, "number": self.count, "picks": self.picks(), "bodies": [],
                     "target": self.random.randint(1, self.count)}
        if needs:
            resource = self.random.choice([r for r in self.resources if r["kind"] in needs[0]])
            statement["resource"] = resource["number"]
            statement["part"] = self.random.choice(RESOURCES[resource["kind"]][1])[0]
        for _ in range(bodies):
            length = 0 if depth >= DEEPEST else self.random.choice((0, 0, 1, 1, 2, 3))
            statement["bodies"].append(self.body(depth + 1, length))
        return statement


def generate(seed, among=tuple(OFTEN)):
    """The program of a seed. It uses some of the groups of statements `among`."""
    return Generator(seed, among).program(seed)


def choose(text, picks):
    """The text with one alternative of each choice."""
    number = 0

    def one(match):
        nonlocal number
        words = match[1].split("|")
        number += 1
        return words[picks[(number - 1) % len(picks)] % len(words)]
    return re.sub(r"«([^»]*)»", one, text)


def fill(text, statement, depth):
    def word(match):
        name = match[1]
        if name[0] == "B":
            body = statement["bodies"][int(name[1])]
            return "\n" + render_body(body, depth + 1) + "  " * depth if body else ""
        return str({"N": statement["number"], "T": statement.get("target"), "R": statement.get("resource"),
                    "P": statement.get("part")}[name])
    return re.sub(r"(?<=\S) +(?= )| +(?=\n)", "", WORD.sub(word, choose(text, statement["picks"])))


def is_elsewhere(statement):
    return bool({statement["kind"], KINDS[statement["kind"]][0]} & ELSEWHERE)


def render_body(body, depth):
    indent = "  " * depth
    lines = []
    for i, statement in enumerate(body):
        lines.append(f"{indent}{fill(KINDS[statement['kind']][3], statement, depth)}\n")
        # Other threads must finish before anything else becomes ready: nothing may depend on a race.
        if is_elsewhere(statement) and i + 1 < len(body) and not is_elsewhere(body[i + 1]):
            lines.append(f"{indent}nap();\n")
    if any(map(is_elsewhere, body)):
        lines.insert(len(lines) - (body[-1]["kind"] == "throw"), f"{indent}settle();\n")
    return "".join(lines)


def takes_several_trips(body):
    return any(KINDS[s["kind"]][0] in SEVERAL_TRIPS or any(map(takes_several_trips, s["bodies"])) for s in body)


def uses_web(program):
    def uses(body):
        return any(s["kind"] in kinds_web.RESOURCES or ("target" in s and KINDS[s["kind"]][0] in kinds_web.GROUPS) or
                   any(map(uses, s["bodies"])) for s in body)
    return uses(program["resources"]) or uses(program["body"])


def render_listeners(resource, depth):
    """The statements that log a resource's events and react to them."""
    number, indent = resource["number"], "  " * depth
    if resource["kind"] == "broadcast":
        return ""
    if resource["kind"] == "listener":
        text = f"accept({number}, (socket) => {{ «|socket.end('hi');|socket.destroy();|socket.write('hi');» B0 }});"
        return f"{indent}{fill(text, dict(resource, picks=resource['picks'][2:]), depth)}\n"
    lines, first = [], 0
    for name, events, reacting in RESOURCES[resource["kind"]][1]:
        reactions = []
        for event in reacting:
            body = resource["bodies"][first]
            first += 1
            if body:
                reactions.append(f"{event}() {{\n{render_body(body, depth + 1)}{indent}}}")
        emitter = "process" if name == "process" else f"held[{number}].{name}".rstrip(".")
        events = choose(events, resource["picks"][1 + len(lines):])
        given = f", {{ {', '.join(reactions)} }}" if reactions else ""
        lines.append(f"{indent}hear('{f'{number} {name}'.rstrip()}', {emitter}, '{events}'{given});\n")
    return "".join(lines)


def render_program(program):
    setups = "".join(f"  (ready) => {choose(RESOURCES[r['kind']][0], r['picks']).replace('N', str(r['number']))},\n"
                     for r in program["resources"])
    setups = f"[\n{setups}]" if setups else "[]"
    text = f"program({program['seed']}, '{program['stage']}', {setups}, () => {{\n"
    text += "".join(render_listeners(resource, 1) for resource in program["resources"])
    bodies = [program["body"], *(body for resource in program["resources"] for body in resource["bodies"])]
    turns = max(program["pace"], LEAST_PACE if any(map(takes_several_trips, bodies)) else 0)
    if turns:
        text += f"  setImmediate(pace, {turns});\n"
    if uses_web(program):
        # Bound sockets keep the loop alive: without resources, nothing else would end the program.
        text = WEB_MARK + text + ("" if program["resources"] else "  finishWhenQuiet();\n")
    return text + render_body(program["body"], 1) + "});\n"


@functools.cache
def prologue(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return file.read()


def render_stored(program):
    """The program's text, with the end of its file if it is a module."""
    end = MODULE_ENDS[program["end"]] if program["module"] else ""
    return render_program(program) + (MODULE_END_MARK + end if end else "")


def render(programs, unit=UNIT, slow_events=False):
    """One file that runs the programs one after the other. A module runs alone. With slow events the body of a program
    and each line that it logs take some milliseconds more, so that short timers fall due in a fast runtime as they do in
    a slow one."""
    text = render_stored_file("".join(map(render_stored, programs)), programs[0]["module"], unit)
    if slow_events:
        text = text.replace("out.push(line);", "out.push(line);\n  sleep(3);")
        text = text.replace("(name, stage, resources, body) {", "(name, stage, resources, run) {\n"
                            "  const body = () => { try { run(); } finally { sleep(3); } };")
    return text


def render_stored_file(text, is_module, unit):
    text, _, end = text.partition(MODULE_END_MARK)
    start = MODULE_START if is_module else "'use strict';\nprocess.env.UV_THREADPOOL_SIZE = '1';\n"
    names = ("prologue.js", "prologue_web.js") if WEB_MARK in text else ("prologue.js",)
    setting = f"const UNIT = {unit};\nconst IDLE = {IDLE!r};\n" + "\n".join(map(prologue, names))
    return f"{start}{setting}\n{text}run();\n{end}"


def prune(program):
    """The program without statements whose resource was removed."""
    present = {resource["number"] for resource in program["resources"]}

    def pruned(body):
        return [dict(s, bodies=[pruned(part) for part in s["bodies"]]) for s in body
                if s.get("resource") is None or s["resource"] in present]
    return dict(program, body=pruned(program["body"]),
                resources=[dict(r, bodies=[pruned(part) for part in r["bodies"]]) for r in program["resources"]])


def smaller_bodies(body):
    """Smaller bodies, the much smaller ones first."""
    half = len(body) // 2
    if half > 1:
        yield body[half:]
        yield body[:half]
    for i in range(len(body)):
        yield body[:i] + body[i + 1:]
    for i, statement in enumerate(body):
        inner = [s for part in statement["bodies"] for s in part]
        if inner and "target" in statement:  # Resources have no target: nothing can replace them.
            yield body[:i] + inner + body[i + 1:]
        for j, part in enumerate(statement["bodies"]):
            if part:
                yield body[:i] + [with_body(statement, j, [])] + body[i + 1:]
            for less in smaller_bodies(part):
                yield body[:i] + [with_body(statement, j, less)] + body[i + 1:]


def with_body(statement, j, body):
    return dict(statement, bodies=statement["bodies"][:j] + [body] + statement["bodies"][j + 1:])


def simpler_picks(body):
    """Bodies in which one choice is the simplest."""
    for i, statement in enumerate(body):
        for k, pick in enumerate(statement["picks"]):
            if pick:
                picks = statement["picks"][:k] + [0] + statement["picks"][k + 1:]
                yield body[:i] + [dict(statement, picks=picks)] + body[i + 1:]
        for j, part in enumerate(statement["bodies"]):
            for less in simpler_picks(part):
                yield body[:i] + [with_body(statement, j, less)] + body[i + 1:]


def variants(program):
    """Simpler programs, the much smaller ones first; none is rendered like the program itself."""
    same = render([program])

    def candidates():
        if program["pace"]:
            yield dict(program, pace=0)
        for resources in smaller_bodies(program["resources"]):
            yield prune(dict(program, resources=resources))
        for i, resource in enumerate(program["resources"]):  # Without a resource, but with the reactions to its events.
            others = program["resources"][:i] + program["resources"][i + 1:]
            moved = [s for part in resource["bodies"] for s in part]
            if moved:
                yield prune(dict(program, resources=others, body=program["body"] + moved))
        for body in smaller_bodies(program["body"]):
            yield dict(program, body=body)
        if program["stage"] != "main":
            yield dict(program, stage="main")
        if program["module"]:
            yield dict(program, module=False)
            if program["end"]:
                yield dict(program, end=0)
        for resources in simpler_picks(program["resources"]):
            yield dict(program, resources=resources)
        for body in simpler_picks(program["body"]):
            yield dict(program, body=body)
    for candidate in candidates():
        if render([candidate]) != same:
            yield candidate
