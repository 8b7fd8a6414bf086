#!/usr/bin/env python3
"""Tests of rondo trace and rondo order.

  trace.py run --rondo RONDO [--part NAME]...   run the tests, or those of these parts
  trace.py update --rondo RONDO                 write the .order and .report files of programs/*.js

programs/NAME.js is run by `rondo order` or `rondo trace`, with the options of NAME.args, and the output is compared
with NAME.order or NAME.report after times were removed."""
import json
import os
import re
import shutil
import signal
import sys
import time

sys.path.append(f"{sys.path[0]}/../support")
from harness import arguments, cases, environment, files, programs  # noqa: E402
from harness import context as base  # noqa: E402
from harness.checks import Skipped, check  # noqa: E402
from harness.differences import unified  # noqa: E402
from harness.terminal import Terminal  # noqa: E402
from harness.waiting import eventually  # noqa: E402

FOLDER = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(FOLDER, "programs")
SPIN = "setTimeout(function slow() { const end = Date.now() + 200; while (Date.now() < end); }, 5);\n"


def without_times(text):
    """The parts that are the same in every run."""
    text = re.sub(r"\nBlocked loop, sampled by the watchdog\n(?:  .*\n)+", "", text)  # A sample, tested by the spin test.
    text = re.sub(r" +#*$", "", text, flags=re.M)
    text = re.sub(r"<?\b[0-9][0-9.,]* %", "SHARE", text)
    text = re.sub(r", [0-9][0-9.]* (?:us|ms|s) late", "", text)
    text = re.sub(r"(?<!setTimeout )(?<!setInterval )\b[0-9][0-9.,]* (?:ns|us|ms|s|min)\b", "TIME", text)
    text = re.sub(r"[0-9,]+ records", "N records", text)
    text = re.sub(r"[0-9]+ turns?,", "N turns,", text)
    return re.sub(r" +$", "", re.sub(r"(?<=\S) {2,}(?=\S)", "  ", text), flags=re.M)


def take_signals():
    """Shells let background jobs, and their children, ignore some signals."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


class Tests(base.Context):
    def environment(self, **more):
        return environment.minimal(TMPDIR=self.scratch, **more)

    def call(self, *words, code=0, stdin="", **more):
        done = super().call(*words, input=stdin, **more)
        check(code is None or done.returncode == code,
              f"{' '.join(words)}: code {done.returncode}, not {code}\n{done.stdout}{done.stderr}")
        self.check_clean()
        return done

    def check_clean(self):
        left = [name for name in os.listdir(self.scratch) if name.startswith("rondo-")]
        check(not left, f"left behind: {left}")

    # The parts.

    def goldens(self, update=False):
        failed = []
        for entry in sorted(os.listdir(PROGRAMS)):
            name, ending = os.path.splitext(entry)
            if ending not in (".js", ".mjs"):
                continue
            options = (files.read(os.path.join(PROGRAMS, name + ".args")) or "").split()
            for kind, command in ((".order", ["order"]), (".report", ["trace", "--top=1"])):
                path = os.path.join(PROGRAMS, name + kind)
                if not os.path.exists(path):
                    continue
                words = [*command, *options, entry]
                try:
                    # A report uses real time, so a stall would change it.
                    if kind == ".report":
                        eventually(lambda path=path, words=words: self.golden(path, words, update))
                    else:
                        self.golden(path, words, update)
                except AssertionError as error:
                    failed.append(str(error))
        check(not failed, "\n".join(failed))

    def golden(self, path, words, update):
        came = without_times(self.call(*words, cwd=PROGRAMS, code=None).stderr)
        if update:
            files.write(path, came)
            return
        wanted = files.read(path)
        check(came == wanted, unified(wanted, came, os.path.basename(path), "what came"))

    def outputs_and_codes(self):
        self.write("app.js", "console.log('out'); console.error('err'); process.exitCode = 7;\n")
        for command in ("trace", "order"):
            done = self.call(command, "app.js", "--its-own", code=7)
            check(done.stdout == "out\n", "the program's output is its own")
            check(done.stderr.startswith("err\n"), "the report comes after what the program writes")
        done = self.call("trace", "app.js", code=7)
        check("rondo trace: app.js ended with code 7 after " in done.stderr, done.stderr)
        self.write("throws.js", "setImmediate(function bad() { throw new Error('oh'); });\n")
        done = self.call("trace", "throws.js", code=1)
        check("\nUncaught\n  Error: oh\n" in done.stderr and "ended with code 1" in done.stderr, done.stderr)
        self.write("arguments.js", "console.log(JSON.stringify([process.argv.slice(2), process.execArgv]));\n")
        done = self.call("trace", "-q", "--no-warnings", "arguments.js", "-o", "--top=3", "--", "x")
        check(done.stdout == '[["-o","--top=3","--","x"],["--no-warnings"]]\n', done.stdout)
        check(done.stderr == "", done.stderr)
        self.write("children.js", "require('child_process').fork(__filename + '.child').on('exit', (c) => console.log(c));\n")
        self.write("children.js.child", "console.log(process.execArgv.length);\n")
        check(self.call("trace", "-q", "children.js").stdout == "0\n0\n", "children are not recorded")

    def code_and_stdin(self):
        done = self.call("trace", "-e", "console.log(process.argv.length)", "a", "b")
        check(done.stdout == "3\n" and "rondo trace: the program ended with code 0" in done.stderr, done.stdout + done.stderr)
        check(self.call("trace", "-q", "-p", "1 + 1").stdout == "2\n", "-p")
        check(self.call("trace", "-q", stdin="console.log('from stdin')").stdout == "from stdin\n", "stdin")
        check(self.call("trace", "-q", "-", stdin="console.log('from stdin')").stdout == "from stdin\n", "-")
        done = self.call("order", "--json", "-e", "setImmediate(() => process.stdin.on('data', (d) => console.log(`${d}`)))", stdin="data")
        check(done.stdout == "data\n", done.stdout)
        check(json.loads(done.stderr)[1]["what"] == "setImmediate", done.stderr)

    def spin(self):
        eventually(self.spin_once)

    def spin_once(self):
        self.write("spin.js", "\n" + SPIN)
        done = self.call("trace", "--top=1", "spin.js")
        check(re.search(r"^ +[2-9][0-9]{2} ms  timers +setTimeout 5 ms slow \(spin\.js:2:[0-9]+\)$", done.stderr, re.M), done.stderr)
        check("Blocked" not in done.stderr or re.search(
            r"^Blocked loop, sampled by the watchdog\n +[1-9][0-9]{2} ms  setTimeout 5 ms slow \(spin\.js:2:[0-9]+\)\n"
            r"( +at slow \(spin\.js:2:[0-9]+\)\n|$)", done.stderr, re.M), done.stderr)
        done = self.call("trace", "--json", "--report=spin.json", "spin.js")
        check(done.stderr == "", done.stderr)
        with open(self.path("spin.json"), encoding="utf-8") as file:
            report = json.load(file)
        slowest = report["threads"][0]["slowest"][0]
        check(slowest["place"]["function"] == "slow" and slowest["place"]["line"] == 2, str(slowest))
        check(slowest["own"] >= 199e6 and slowest["phase"] == "timers", str(slowest))
        check(report["code"] == 0 and report["signal"] is None, str(report))

    def starving(self):
        self.write("starve.js", """let left = 3000;
function again() { const end = performance.now() + 0.02; while (performance.now() < end); if (--left > 0) process.nextTick(again); }
setImmediate(function first() { again(); });
""")
        done = self.call("trace", "starve.js")
        check(re.search(r"Drains that starved the loop\n +[0-9.]+ m?s  ticks +2,999 in a row, all of them again "
                        r"\(starve\.js:2:[0-9]+\)\n +check, turn 1\n", done.stderr), done.stderr)

    def pool_and_alive(self):
        self.write("alive.js", """const net = require('net');
function serve() { return net.createServer().listen(0, '127.0.0.1'); }
serve();
const { pbkdf2 } = require('crypto');
let left = 12;
for (let i = 0; i < 12; i++) pbkdf2('a', 'b', 30000, 32, 'sha256', () => { if (--left === 0) process.exit(0); });
""")
        done = self.call("trace", "alive.js")
        check(re.search(r"^Pool\n  12 jobs.*; at most [0-9]+ waited at once\n", done.stderr, re.M), done.stderr)
        check("no worker was free for " in done.stderr, done.stderr)
        check(len(re.findall(r"^  worker [0-9]+ +[0-9]+ jobs? +busy", done.stderr, re.M)) in range(1, 5), done.stderr)
        deep = "a-folder-with-a-long-name/" * 5
        os.makedirs(self.path(deep))
        self.write(deep + "long.js", "require('net').createServer().listen(0, '127.0.0.1', () => process.exit());\n")
        long = self.call("trace", deep + "long.js")
        check(f"made at {deep}long.js:1:" in " ".join(long.stderr.split()), "a place is not shown in full:\n" + long.stderr)
        check(re.search(r"^Still alive at the end\n  tcp server.* made at serve \(alive\.js:2:[0-9]+\)", done.stderr, re.M), done.stderr)

    def every_phase(self):
        """All phases are there, slices are nested, and each callback has one arrow into it."""
        done = self.call("trace", "-o", self.path("all.json"), "-o", self.path("all.pftrace"), "-o", self.path("all.rtrace"),
                         "everything.js", cwd=PROGRAMS)
        check(done.stdout == "done\n", done.stdout)
        with open(self.path("all.json"), encoding="utf-8") as file:
            events = json.load(file)["traceEvents"]
        slices = [event for event in events if event["ph"] == "X"]
        ran = {event["name"] for event in slices if event["cat"] == "phase" and "args" not in event}
        check(ran == {"timers", "pending", "poll", "check", "closing"}, str(ran))
        turns = []
        for event in slices:  # In the order of the file, in which those of zero duration have their place.
            if event["cat"] == "turn":
                turns.append((event, []))
            elif event["cat"] == "phase":
                turn, inside = turns[-1]
                inside.append(event["name"])
                check(turn["ts"] - 0.0015 <= event["ts"], f"{event['name']} begins before {turn['name']}")
                check(event["ts"] + event["dur"] <= turn["ts"] + turn["dur"] + 0.0015, f"{event['name']} sticks out of {turn['name']}")
        for turn, inside in turns:
            # Between poll and check there may be rounds of pending.
            rounds = [name for before, name in zip(["", *inside], inside) if name != "pending" or before not in ("poll", "pending")]
            check(rounds == ["timers", "pending", "idle", "prepare", "poll", "check", "closing"], f"{turn['name']}: {inside}")
        threads = {}
        for event in slices:
            threads.setdefault(event["tid"], []).append(event)
        depth = {"turn": 0, "phase": 1}
        for events_of_thread in threads.values():
            opened = []
            for event in sorted(events_of_thread, key=lambda event: (event["ts"], -event["dur"])):
                end = event["ts"] + event["dur"]
                while opened and opened[-1][0] < end - 0.0015:
                    check(opened[-1][0] <= event["ts"] + 0.0015, f"{event['name']} sticks out of {opened[-1][1]}")
                    opened.pop()
                if event["cat"] in depth and event["dur"] > 0:
                    check(len(opened) == depth[event["cat"]], f"{event['name']} is inside {[name for _, name in opened]}")
                opened.append((end, event["name"]))
        callbacks = [event for event in slices if event["cat"] in ("callback", "tick", "microtask")]
        arrows = [event for event in events if event["ph"] == "f" and event["name"] == "scheduled"]
        check(len(callbacks) - 1 == len(arrows), f"{len(callbacks)} callbacks, {len(arrows)} arrows")
        check(len({event["ts"] for event in arrows} - {event["ts"] for event in callbacks}) == 0, "an arrow leads nowhere")
        for name in ("onTimer", "onRead", "onImmediate", "onTick", "onClose"):
            check(any(name in event["name"] for event in callbacks), f"no {name}")
        # The recording itself gives the same result.
        again = self.call("trace", self.path("all.rtrace"), "-o", self.path("again.json"), "-q")
        check(again.stdout == "", again.stdout)
        with open(self.path("again.json"), encoding="utf-8") as file:
            check(json.load(file)["traceEvents"] == events, "the copy differs")
        check(os.path.getsize(self.path("all.rtrace")) < 1_000_000, "the copy has no unused room")
        check(os.path.getsize(self.path("all.pftrace")) > 1000, "a file for Perfetto")

    def closing(self):
        """The cause of a close is the callback that closed, not the one that made the socket."""
        self.write("close.js", """const net = require('net');
const server = net.createServer(function served(socket) { socket.resume(); socket.on('close', function ended() { server.close(); }); });
server.listen(0, '127.0.0.1', function listening() {
  const client = net.connect(server.address().port, '127.0.0.1');
  client.on('close', function onClose() {});
  setTimeout(function leave() {
    client.destroy();
  }, 20);
});
""")
        done = self.call("order", "--json", "close.js")
        steps = json.loads(done.stderr)
        close = next(step for step in steps if step["place"]["function"] == "onClose")
        check(close["what"] == "tcp socket: close" and close["phase"] == "closing", str(close))
        check(steps[close["by"] - 1]["place"]["function"] == "leave", str(close))
        check((close["scheduled"]["line"], close["scheduled"]["column"]) == (7, 12), str(close))

    def listeners(self):
        """If one of our functions is between the loop and the program, the program's own is named."""
        self.write("app.js", """const fs = require('fs'), { spawn } = require('child_process'), { MessageChannel, Worker } = require('worker_threads');
process.on('SIGUSR1', function onSignal() { heard = true; }); let heard = false;
const child = spawn('true', { stdio: 'ignore' });
child.on('exit', function childExit() { process.kill(process.pid, 'SIGUSR1'); });
const { port1, port2 } = new MessageChannel();
port1.on('message', function gotMessage() { port1.close(); });
port2.postMessage(1);
const worker = new Worker('const { parentPort: port } = require("worker_threads"); port.once("message", () => {}); port.postMessage(1)', { eval: true });
worker.on('message', function workerMessage() { worker.postMessage(1); });
worker.on('exit', function workerExit() {});
const watcher = fs.watch('.', function watched() { watcher.close(); });
fs.writeFileSync('touched', '');
fs.promises.readFile(__filename);
fs.createReadStream(__filename).resume();
process.once('beforeExit', function beforeExit() { const end = Date.now() + 120; while (Date.now() < end); });
process.on('exit', function onExit() { const end = Date.now() + 120; while (Date.now() < end); });
const wait = setInterval(function last() { if (heard) clearInterval(wait); }, 300);
""")
        done = self.call("trace", "-q", "-o", "app.rtrace", "app.js")
        steps = json.loads(self.call("order", "--json", "app.rtrace").stdout)
        named = {step["place"]["function"]: step for step in steps if step["place"]}
        for function, what, phase, line in (
                ("onSignal", "SIGUSR1", "poll", 2), ("childExit", "child_process.spawn", "poll", 3),
                ("gotMessage", "worker_threads.MessageChannel", "poll", 5), ("workerMessage", "worker_threads.Worker", "poll", 8),
                ("workerExit", "worker_threads.Worker", "poll or check", 8), ("watched", "fs.watch", "poll", 11),
                ("beforeExit", "process: beforeExit", "none", 15), ("onExit", "process: exit", "none", 16)):
            step = named.get(function)
            check(step is not None, f"{function} is not among {sorted(named)}")
            check(step["what"] == what and step["phase"] in phase.split(" or "), str(step))  # ASY-03: either of two.
            check(step["scheduled"]["line"] == line and step["by"] == 1, str(step))
        for function in ("beforeExit", "onExit"):
            check(named[function]["duration"] >= 119e6, str(named[function]))
        last = named["last"]
        check(last["at"] + last["duration"] <= named["beforeExit"]["at"], f"it has the time of what came later: {last}")
        read = [step for step in steps if step["what"] == "fs.promises.readFile"]
        check(len(read) == 1 and read[0]["by"] == 1 and read[0]["scheduled"]["line"] == 13, str(read))
        check([step["what"] for step in steps if step["what"] == "fs"] == [], "operations of streams have no name")
        report = self.call("trace", "app.rtrace").stdout
        check(re.search(r"[0-9]+ ms +outside +process: exit onExit \(app\.js:16:", report), report)
        check("SIGUSR1, made" not in report, report)
        check(done.stdout == "", done.stdout)

    def files(self):
        self.write("app.js", SPIN)
        self.call("trace", "-q", "-o", "run.rtrace", "app.js")
        done = self.call("trace", "run.rtrace", "--top=1")
        check("slow (app.js:1:" in done.stdout and done.stderr == "", done.stdout + done.stderr)
        check("slow (app.js:1:" in self.call("order", "run.rtrace").stdout, "order of a file")
        check(json.loads(self.call("order", "--json", "run.rtrace").stdout)[1]["by"] == 1, "JSON of a file")
        check(self.call("order", "--limit=1", "run.rtrace").stdout.count("scheduled") == 0, "--limit")
        self.call("order", "-o", "list.txt", "run.rtrace")
        with open(self.path("list.txt"), encoding="utf-8") as file:
            check("setTimeout 5 ms" in file.read(), "-o of order")
        for name, content, message in (("empty.rtrace", b"", "ends after 0 bytes"), ("text.rtrace", b"hello" * 2000, "not a Rondo trace"),
                                       ("zero.rtrace", bytes(10000), "not a Rondo trace")):
            with open(self.path(name), "wb") as file:
                file.write(content)
            for command in ("trace", "order"):
                done = self.call(command, name, code=1)
                check(message in done.stderr and done.stdout == "", done.stderr)
        check("no such file" in self.call("trace", "missing.rtrace", code=1).stderr, "missing")
        os.mkdir(self.path("folder.rtrace"))
        check("not a regular file" in self.call("trace", "folder.rtrace", code=1).stderr, "a folder")

    def bad_options(self):
        self.write("app.js", "console.log('must not run');\n")
        for words, message in (
                (("trace", "--bogus", "app.js"), "bad option: --bogus"),
                (("trace", "-o", "x.txt", "app.js"), "its name must end in .html, .json, .pftrace or .rtrace"),
                (("trace", "-o", "nowhere/x.json", "app.js"), "cannot write nowhere/x.json: ENOENT"),
                (("trace", "-o"), "-o requires an argument"),
                (("trace", "--top=-1", "app.js"), "--top needs a whole number"),
                (("trace", "--top=many", "app.js"), "--top needs a whole number"),
                (("trace", "--json=1", "app.js"), "--json takes no value"),
                (("trace", "--report=nowhere/x", "app.js"), "cannot write nowhere/x"),
                (("trace", "--trace-buffer=0", "app.js"), "--trace-buffer needs a number"),
                (("trace", "--trace-file=x", "app.js"), "-o FILE.rtrace"),
                (("trace", "--trace-on=uncaught", "-o", "x.html", "app.js"), "rondo-PID-N.rtrace"),
                (("order", "--limit=x", "app.js"), "--limit needs a whole number"),
                (("order", "--bogus", "app.js"), "bad option: --bogus"),
                (("order", "--trace-on=uncaught", "app.js"), "--trace-on is for"),
                (("order", "-o", "nowhere/x", "app.js"), "cannot write nowhere/x")):
            done = self.call(*words, code=9)
            check(message in done.stderr and done.stdout == "", f"{words}: {done.stderr}")
        for command in ("trace", "order"):
            check(self.call(command, "--help").stdout.startswith(f"usage: rondo {command} "), "help")

    def dropped(self):
        self.write("many.js", "let n = 60000; (function again() { if (n-- > 0) setImmediate(again); })();\n")
        done = self.call("trace", "--trace-buffer=1", "--top=1", "many.js")
        check(re.search(r"The first [0-9,]+ of [0-9,]+ records were overwritten", done.stderr), done.stderr)

    def signals(self):
        self.write("wait.js", "setInterval(() => {}, 1000); console.log('ready');\n")
        self.write("handles.js", """process.on('SIGTERM', () => { console.log('heard'); process.exit(4); });
setInterval(() => {}, 1000); console.log('ready');
""")
        for program, sent, wanted in (("wait.js", signal.SIGTERM, -signal.SIGTERM), ("wait.js", signal.SIGINT, -signal.SIGINT),
                                      ("wait.js", signal.SIGHUP, -signal.SIGHUP), ("handles.js", signal.SIGTERM, 4)):
            with self.started("trace", program, start_new_session=True, preexec_fn=take_signals) as child:
                check(child.stdout.readline() == "ready\n", "it starts")
                time.sleep(0.2)
                child.send_signal(sent)
                out, err = child.communicate(timeout=programs.TIMEOUT)
            check(child.returncode == wanted, f"{program}: {child.returncode}, not {wanted}")
            ending = "ended with code 4" if wanted == 4 else f"was ended by {signal.Signals(sent).name}"
            check(f"rondo trace: {program} {ending} after " in err, err)
            check(out == ("heard\n" if wanted == 4 else ""), out)
            self.check_clean()

    def terminal(self):
        """At a terminal Ctrl-C reaches the program once, and the report has colours, unless NO_COLOR is set."""
        self.write("once.js", """let count = 0;
process.on('SIGINT', () => { if (++count === 1) setTimeout(() => { console.log(`count ${count}`); process.exit(); }, 300); });
require('crypto').pbkdf2('a', 'b', 1, 32, 'sha256', function computed() { const end = Date.now() + 120; while (Date.now() < end); });
setInterval(() => {}, 1000); console.log('ready');
""")
        for variables, is_coloured, columns in (({"TERM": "xterm"}, True, 80), ({"TERM": "xterm", "NO_COLOR": "1"}, False, 40)):
            with Terminal([self.rondo, "trace", "once.js"], columns=columns, cwd=self.scratch,
                          env=self.environment(**variables)) as terminal:
                check(terminal.read_until(lambda seen: b"ready" in seen), "it starts")
                time.sleep(0.2)
                terminal.type(b"\x03")
                code, shown = terminal.finish(), terminal.seen.decode()
            check(code == 0 and "count 1" in shown and "rondo trace: once.js ended with code 0" in shown, f"{code}: {shown}")
            check(("\x1b[1m" in shown) == is_coloured, repr(shown))
            lines = re.sub(r"\x1b\[[0-9;]*m", "", shown).splitlines()
            check(all(len(line) <= columns for line in lines), f"lines do not fit into {columns} columns:\n{shown}")

    def perfetto(self):
        """Perfetto's own result for our file, if it is installed."""
        processor = shutil.which("trace_processor_shell") or shutil.which("trace_processor")
        if processor is None:
            raise Skipped("there is no trace_processor_shell on PATH")
        self.call("trace", "-q", "-o", self.path("all.pftrace"), "everything.js", cwd=PROGRAMS)
        self.write("q.sql", "select name from slice where category = 'phase' group by name order by name;\n")
        done = programs.run([processor, "-q", self.path("q.sql"), self.path("all.pftrace")])
        check(re.findall(r'^"(\w+)"$', done.stdout, re.M)[-5:] == ["check", "closing", "pending", "poll", "timers"], done.stdout)

    def workers(self):
        self.write("worker.js", """const { Worker, isMainThread } = require('worker_threads');
if (isMainThread) new Worker(__filename); else setImmediate(function inWorker() {});
""")
        done = self.call("trace", "-o", "w.rtrace", "-o", "w.json", "worker.js")
        check("rondo trace: worker 1 ended" in done.stderr and "inWorker (worker.js:2:" in done.stderr, done.stderr)
        check(sorted(name for name in os.listdir(self.scratch) if name.startswith("w.")) == ["w.json", "w.rtrace", "w.rtrace.w1"], "files")
        check("inWorker" in self.call("order", "--thread=1", "w.rtrace").stdout, "--thread")
        check("no thread 5" in self.call("order", "--thread=5", "w.rtrace", code=1).stderr, "--thread=5")


PARTS = ("goldens", "outputs_and_codes", "code_and_stdin", "spin", "starving", "pool_and_alive", "every_phase", "closing", "listeners", "files",
         "bad_options", "dropped", "signals", "terminal", "perfetto", "workers")


def main(words):
    parser = arguments.parser(__doc__)
    parser.add_argument("what", choices=("run", "update"))
    parser.add_argument("--rondo", required=True)
    parser.add_argument("--part", action="append", choices=PARTS)
    options = parser.parse_args(words)
    rondo = programs.absolute(options.rondo)
    if options.what == "update":
        with files.Scratch("rondo-trace-test-") as scratch:
            Tests(rondo, scratch.folder).goldens(update=True)
        return 0
    tests = {part: getattr(Tests, part) for part in PARTS}
    return cases.run(tests, options.part or PARTS, lambda scratch: Tests(rondo, scratch), "rondo-trace-test-")


if __name__ == "__main__":
    programs.exit_with(main)
