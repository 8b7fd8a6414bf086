"""Random programs in JavaScript whose order of callbacks is defined: what they print must be the same under
every runtime that keeps Node's rules.

A program is a tree: a list of statements, each (kind, number, bodies, data), where bodies are lists of
statements again. render() writes it as JavaScript, parts() lists what could be left out of it."""
import random
import re

MOST_STATEMENTS = 40
DEEPEST = 5

PROLOGUE = """'use strict';
const EventEmitter = require('events');
const fs = require('fs');
const net = require('net');
"""
MODULE_PROLOGUE = """import EventEmitter from 'events';
import fs from 'fs';
import net from 'net';
"""
COMMON = """const out = [];
const held = {};
const file = '/etc/passwd';
const emitter = new EventEmitter();
function log(n) {
  out.push(n);
  if (out.length >= 400) process.exit(0); // Some programs go round in circles; they may do so for a while.
}
process.on('exit', () => process.stdout.write(out.join(' ') + '\\n'));
process.on('uncaughtException', (error) => log('uncaught:' + error.message));
process.on('unhandledRejection', (reason) => log('unhandled:' + reason));
process.on('rejectionHandled', () => log('handled'));
function* numbers(n) { yield n; yield n + 'b'; }
async function* later(n) { yield n; await null; yield n + 'b'; }
// A server with one client, who hears its own word; `done` when nothing of both is left.
function talk(word, done) {
  const server = net.createServer((socket) => {
    socket.on('data', (data) => { log(word + '>'); socket.end(data); });
  });
  server.listen(0, '127.0.0.1', () => {
    const client = net.connect(server.address().port, '127.0.0.1');
    client.on('data', (data) => log(`${data}<`));
    client.on('close', () => server.close(done));
    client.write(word);
  });
}
"""

# kind -> (how often, how many bodies, template). In templates N is the statement's number, B0, B1… its
# bodies, D a delay, T another statement's number.
KINDS = {
    "log": (4, 0, "log(N);"),
    "tick": (6, 1, "process.nextTick(() => { log(N); B0 });"),
    "tick with arguments": (1, 1, "process.nextTick((a, b) => { log(a + b); B0 }, N, 'args');"),
    "microtask": (4, 1, "queueMicrotask(() => { log(N); B0 });"),
    "then": (5, 1, "Promise.resolve(N).then((n) => { log(n); B0 });"),
    "chain": (2, 2, "Promise.resolve().then(() => { log(N); B0 }).then(() => null).then(() => { log('N+'); B1 });"),
    "then promise": (2, 2, "Promise.resolve().then(() => { B0 return Promise.resolve(N); }).then((n) => { log(n); B1 });"),
    "catch": (2, 2, "Promise.reject(N).catch((n) => { log(n); B0 }).finally(() => { log('N+'); B1 });"),
    "rethrow": (1, 1, "Promise.reject(N).then(() => log('no')).catch((n) => { B0 throw n; }).catch((n) => log('N!'));"),
    "thenable": (2, 2, "Promise.resolve({ then(done) { log(N); B0 done('N+'); } }).then((n) => { log(n); B1 });"),
    "executor": (2, 2, "new Promise((resolve) => { log(N); B0 resolve('N+'); }).then((n) => { log(n); B1 });"),
    "held promise": (1, 1, "new Promise((resolve) => { held[N] = resolve; }).then(() => { log(N); B0 });"),
    "resolve held": (2, 0, "if (typeof held[T] === 'function') held[T]();"),
    "async": (4, 3, "(async () => { log(N); B0 await null; log('N+'); B1 await Promise.resolve(); log('N++'); B2 })();"),
    "async return": (2, 2, "(async () => { B0 return Promise.resolve(N); })().then((n) => { log(n); B1 });"),
    "await thenable": (1, 1, "(async () => { await { then(done) { log(N); done(); } }; log('N+'); B0 })();"),
    "await in try": (2, 2, "(async () => { try { B0 await Promise.reject(N); } catch (n) { log(n); B1 } finally { log('N+'); } })();"),
    "for await": (1, 1, "(async () => { for await (const n of later('N')) { log(n); } B0 })();"),
    "for await of sync": (1, 1, "(async () => { for await (const n of numbers('N')) { log(n); } B0 })();"),
    "all": (1, 1, "Promise.all([N, Promise.resolve().then(() => log('N+')), { then(done) { done(); } }]).then(() => { log(N); B0 });"),
    "race": (1, 1, "Promise.race([Promise.resolve().then(() => 'N+'), N]).then((n) => { log(n); B0 });"),
    "any": (1, 1, "Promise.any([Promise.reject(1), Promise.resolve(N)]).then((n) => { log(n); B0 });"),
    "settled": (1, 1, "Promise.allSettled([Promise.reject(1), N]).then((r) => { log(N); B0 });"),
    "immediate": (5, 1, "held[N] = setImmediate(() => { log(N); B0 });"),
    "clear immediate": (1, 0, "if (held[T]?.constructor.name === 'Immediate') clearImmediate(held[T]);"),
    "timer": (3, 1, "held[N] = setTimeout(() => { log(N); B0 }, D);"),
    "interval": (1, 1, "held[N] = setInterval(() => { clearInterval(held[N]); log(N); B0 }, D);"),
    "unref timer": (1, 1, "setTimeout(() => { log(N); B0 }, 1e8).unref();"),
    "clear timer": (1, 0, "if (held[T]?.constructor.name === 'Timeout') clearTimeout(held[T]);"),
    # How long a file takes nobody knows: each has a time of its own, as timers have.
    "file": (2, 1, "setTimeout(() => fs.readFile(file, () => { log(N); B0 }), D);"),
    "missing file": (1, 1, "setTimeout(() => fs.readFile('/nowhere/at/all', (e) => { log('N' + e.code); B0 }), D);"),
    "stat": (1, 1, "setTimeout(() => fs.stat(file, () => { log(N); B0 }), D);"),
    "file promise": (1, 1, "setTimeout(() => fs.promises.readFile(file).then(() => { log(N); B0 }), D);"),
    "file stream": (1, 1, "setTimeout(() => fs.createReadStream(file).on('close', () => { log(N); B0 }).resume(), D);"),
    "conversation": (1, 1, "setTimeout(() => talk('N', () => { log(N); B0 }), D);"),
    "refused": (1, 1, "setTimeout(() => net.connect(1, '127.0.0.1').on('error', (e) => log('N' + e.code)).on('close', () => { log(N); B0 }), D);"),
    "file at once": (1, 1, "log('N' + fs.readFileSync(file, 'utf8').length); B0"),
    "on": (2, 1, "emitter.on('event', () => { log(N); B0 });"),
    "once": (2, 1, "emitter.once('event', () => { log(N); B0 });"),
    "prepend": (1, 1, "emitter.prependListener('event', () => { log(N); B0 });"),
    "emit": (3, 0, "emitter.emit('event');"),
    "events.once": (1, 1, "EventEmitter.once(emitter, 'event').then(() => { log(N); B0 });"),
    "remove": (1, 0, "emitter.removeAllListeners('event');"),
    "try": (2, 2, "try { B0 throw N; } catch (n) { log(n); B1 } finally { log('N+'); }"),
    "unhandled": (1, 0, "Promise.reject(N);"),
    "handled in a tick": (1, 1, "{ const p = Promise.reject(N); process.nextTick(() => p.catch(() => { log(N); B0 })); }"),
    "handled late": (1, 1, "{ const p = Promise.reject(N); setImmediate(() => p.catch(() => { log(N); B0 })); }"),
    "throw": (1, 0, "throw new Error('N');"),
}
NAMES = list(KINDS)
WEIGHTS = [KINDS[name][0] for name in NAMES]
# Of these one program holds one at most: after a second uncaught exception Node drains later than Rondo does.
ONCE_ONLY = {"throw"}
TIMED = {"timer", "interval", "conversation", "refused", "file", "missing file", "stat", "file promise", "file stream"}
# In listeners, what emits at once would only go round in circles; and nobody knows when they are called, so that what
# is timed there could fall into the time of another.
NOT_IN_LISTENERS = {"emit", *TIMED}


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = 0
        self.slots = 0  # Every timer has a due time of its own, far from all others.
        self.used = set()

    def program(self):
        is_module = self.random.random() < 0.15
        return {"module": is_module, "body": self.body(0, 0, False, self.random.randint(4, 10))}

    def body(self, depth, slot, in_listener, length):
        statements = []
        for _ in range(length):
            if self.count >= MOST_STATEMENTS:
                break
            statement = self.statement(depth, slot, in_listener)
            statements.append(statement)
            if statement["kind"] == "throw":
                break
        return statements

    def statement(self, depth, slot, in_listener):
        while True:
            kind = self.random.choices(NAMES, WEIGHTS)[0]
            if kind in ONCE_ONLY and (kind in self.used or depth == 0) or kind in NOT_IN_LISTENERS and in_listener:
                continue
            break
        self.used.add(kind)
        self.count += 1
        number = self.count
        statement = {"kind": kind, "number": number, "bodies": [], "target": self.random.randint(1, number)}
        if kind in TIMED:
            self.slots += 1
            statement["slots"] = self.slots - slot
            slot = self.slots
        for _ in range(KINDS[kind][1]):
            length = 0 if depth >= DEEPEST else self.random.choice((0, 0, 1, 1, 2, 3))
            statement["bodies"].append(
                self.body(depth + 1, slot, in_listener or kind in ("on", "once", "prepend"), length))
        return statement


def generate(seed):
    return Generator(seed).program()


def render_body(body, unit, depth):
    indent = "  " * depth
    return "".join(f"{indent}{render_statement(statement, unit, depth)}\n" for statement in body)


def render_statement(statement, unit, depth):
    text = KINDS[statement["kind"]][2]
    result, i = [], 0
    while i < len(text):
        word = text[i:i + 2]
        if word in ("B0", "B1", "B2"):
            body = statement["bodies"][int(word[1])]
            if body:
                result.append("\n" + render_body(body, unit, depth + 1) + "  " * depth)
            i += 2
        elif text[i] in "NDT" and not (text[i - 1:i].isalnum() or text[i + 1:i + 2].isalnum()):
            result.append(str({"N": statement["number"], "T": statement["target"],
                               "D": statement.get("slots", 0) * unit}[text[i]]))
            i += 1
        else:
            result.append(text[i])
            i += 1
    # Empty bodies leave spaces behind.
    return re.sub(r"(?<=\S) +(?= )| +(?=\n)", "", "".join(result))


def render(program, unit):
    """The program as JavaScript; timers are `unit` milliseconds apart."""
    return ((MODULE_PROLOGUE if program["module"] else PROLOGUE) + COMMON +
            render_body(program["body"], unit, 0))


def variants(program):
    """Smaller programs: without one statement, or with one replaced by what its bodies hold."""
    def of_body(body):
        for i, statement in enumerate(body):
            yield body[:i] + body[i + 1:]
            inner = [s for part in statement["bodies"] for s in part]
            if inner:
                yield body[:i] + inner + body[i + 1:]
            for j, part in enumerate(statement["bodies"]):
                for smaller in of_body(part):
                    bodies = statement["bodies"][:j] + [smaller] + statement["bodies"][j + 1:]
                    yield body[:i] + [dict(statement, bodies=bodies)] + body[i + 1:]
    for body in of_body(program["body"]):
        yield dict(program, body=body)
    if program["module"]:
        yield dict(program, module=False)
