#!/usr/bin/env python3
"""why.py --program RONDO [TEST...]: starts programs, and asks what they are doing.

Each test is a function of this file whose name begins with `test_`; without names all are run. Ends with 77 if the only
one that was asked for cannot be run here."""
import argparse
import contextlib
import fcntl
import json
import os
import pty
import re
import select
import signal
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import termios
import time

SKIP = 77
RONDO = ""
SCRATCH = ""


class Skipped(Exception):
    pass


def check(is_so, message):
    if not is_so:
        raise AssertionError(message)


def environment(**more):
    variables = {name: value for name, value in os.environ.items()
                 if not name.startswith(("NODE_", "RONDO_NO", "XDG_"))}
    variables.update(XDG_RUNTIME_DIR=SCRATCH, NO_COLOR="1", **more)
    return variables


@contextlib.contextmanager
def running(source, *options, name="app.js", **more):
    """A program in a file, once it has written the line `ready`."""
    path = os.path.join(SCRATCH, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(source)
    process = subprocess.Popen([RONDO, *options, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               stdin=subprocess.PIPE, text=True, cwd=SCRATCH, env=environment(**more))
    try:
        if process.stdout.readline() != "ready\n":
            process.kill()
            raise AssertionError("the program did not start: " + process.communicate()[1])
        yield process
    finally:
        process.kill()
        process.communicate()


def rondo(*arguments, **more):
    return subprocess.run([RONDO, *map(str, arguments)], capture_output=True, text=True, cwd=SCRATCH,
                          env=environment(**more), timeout=60, check=False)


def why(process, *options):
    result = rondo("why", *options, process.pid)
    check(result.returncode == 0 and result.stderr == "", f"why failed with {result.returncode}: {result.stderr}")
    return result.stdout.splitlines()


def door(process):
    return os.path.join(SCRATCH, f"rondo-{os.geteuid()}", f"{process.pid}.sock")


def await_door(process):
    for _ in range(3000):
        if os.path.exists(door(process)):
            return door(process)
        time.sleep(0.02)
    raise AssertionError("it opened no socket")


def eventually(attempt):
    """Again and again, until it succeeds: what a program is doing, and how much of it, depends on how much of the machine
    it gets, and what is seen of it on when one looks."""
    end = time.monotonic() + 60
    while True:
        try:
            return attempt()
        except AssertionError:
            if time.monotonic() > end:
                raise
        time.sleep(0.1)


def matches(lines, *patterns):
    """Each line matches one pattern, and each pattern one line."""
    left = list(lines)
    for pattern in patterns:
        found = next((line for line in left if re.fullmatch(pattern, line)), None)
        check(found is not None, f"no line is {pattern}:\n" + "\n".join(lines))
        left.remove(found)
    check(not left, "too many lines:\n" + "\n".join(left))


def answers(process, *patterns):
    """So it does, in the end: a program that has to wait for the processor is one that takes long, and says so."""
    eventually(lambda: matches(why(process), *patterns))


def test_one_line():
    with running("""
const net = require('net');
const settled = [];
for (let i = 0; i < 448; i++) settled.push(i % 2 ? Promise.resolve(i) : new Promise((resolve) => setImmediate(resolve)));
setInterval(() => {}, 100).unref();
net.createServer(() => {}).listen(0, '127.0.0.1', () => Promise.all(settled).then(() => console.log('ready')));
""") as process:
        answers(process, r"TCP server on 127\.0\.0\.1:\d+, made at app\.js:6:28")
        answers(process, r"TCP server on 127\.0\.0\.1:\d+, made at app\.js:6:28")


def test_handles():
    with running("""
const net = require('net');
const fs = require('fs');
const { MessageChannel, Worker } = require('worker_threads');
const server = net.createServer((socket) => { socket.resume(); both(); });
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1', () => { client.resume(); both(); });
});
const path = net.createServer(() => {});
path.listen('app.sock');
fs.watch('.', () => {});
process.stdin.on('data', () => {});
const { port1, port2 } = new MessageChannel();
port1.on('message', () => {});
new Worker('setInterval(() => {}, 1000)', { eval: true });
new net.Server().listen(0).unref();
process.on('SIGUSR2', () => {});
var sides = 0;
function both() { if (++sides === 2) setTimeout(() => console.log('ready'), 50); }
""") as process:
        answers(process,
                r"TCP server on 127\.0\.0\.1:\d+, made at app\.js:6:8",
                r"TCP connection to 127\.0\.0\.1:\d+ from 127\.0\.0\.1:\d+, made at app\.js:7:22",
                r"TCP connection from 127\.0\.0\.1:\d+ to 127\.0\.0\.1:\d+, of the server made at app\.js:6:8",
                r"Unix socket server on app\.sock, made at app\.js:10:6",
                r"watcher of '\.', made at app\.js:11:4",
                r"standard input \(pipe:\[\d+\]\), made at app\.js:12:9",
                r"message port, made at app\.js:13:26",
                r"worker thread, made at app\.js:15:1",
                # A worker has two more ends here, which do not count.
                )
        entries = json.loads(rondo("why", "--json", process.pid).stdout)
        check(entries["pid"] == process.pid, "the process is another")
        first = next(entry for entry in entries["alive"] if entry["type"] == "tcp server")
        check(first["place"]["line"] == 6 and first["place"]["file"].endswith("/app.js"), f"the place is {first}")
        check(first["details"]["address"].startswith("127.0.0.1:"), f"the details are {first}")


def test_children():
    with running("""
const { spawn, fork } = require('child_process'); require('fs').writeFileSync('child.js', 'process.on("message", () => {}); process.send(1);');
spawn('sleep', ['100'], { stdio: 'ignore' });
spawn('sleep', ['101'], { stdio: 'ignore' }).unref();
const talking = fork('child.js', { silent: false });
talking.on('message', () => console.log('ready'));
process.on('exit', () => talking.kill());
""") as process:
        children = [int(number) for line in why(process) for number in re.findall(r"child process (\d+)", line)]
        answers(process,
                r"child process \d+ \(sleep 100\), made at app\.js:3:1",
                r"child process \d+ \(.*rondo.* child\.js\), made at app\.js:5:17",
                r"channel for messages to a parent or child process, made at app\.js:5:17")
        for child in children:
            os.kill(child, signal.SIGTERM)


def test_operations():
    with running("""
const fs = require('fs');
const { execFileSync } = require('child_process');
execFileSync('mkfifo', ['one', 'two']);
fs.readFile('one', function done() {});
fs.promises.readFile('two');
require('crypto').pbkdf2('a', 'b', 400_000_000, 20, 'sha1', () => {});
console.log('ready');
""") as process:
        answers(process,
                r"fs\.readFile 'one', asked for at app\.js:5:4",
                r"fs\.readFile 'two', asked for at app\.js:6:13",
                r"pbkdf2, asked for at app\.js:7:19")
        for name in ("one", "two"):
            os.remove(os.path.join(SCRATCH, name))


def test_timers():
    with running("""
setTimeout(function tick() {}, 60_000);
setInterval(() => {}, 50_000);
setTimeout(() => {}, 50_000).unref();
require('timers/promises').setTimeout(70_000);
clearTimeout(setTimeout(() => {}, 80_000));
console.log('ready');
""") as process:
        answers(process,
                r"timer 60000 ms, callback tick at app\.js:2:25, due in \d\d(\.\d)? s",
                r"interval 50000 ms, callback <anonymous> at app\.js:3:13, due in \d\d(\.\d)? s",
                r"timer 70000 ms, due in \d\d(\.\d)? s")
    with running("""
console.log('ready');
let n = 0;
(function again() { n++; setImmediate(again); })();
""") as process:
        answers(process, r"immediate, callback again at app\.js:4:16")


def test_blocked():
    with running("""
const server = require('net').createServer(() => {}).listen(0, '127.0.0.1');
setTimeout(function start() { console.log('ready'); outer(); }, 1);
function outer() { spin(); }
function spin() {
  for (;;) ;
}
""") as process:
        answers(process,
                r"JavaScript that has been running for \d.*s, in spin \(app\.js:\d+:\d+\)",
                r"TCP server on 127\.0\.0\.1:\d+, made at app\.js:2:54")
        answers(process, r"JavaScript .*", r"TCP server .*")


def test_stuck():
    fifo = os.path.join(SCRATCH, "pipe")
    os.mkfifo(fifo)
    with running("""
const fs = require('fs');
console.log('ready');
setTimeout(() => fs.readFileSync('pipe'), 1);
""") as process:
        answers(process, r"a blocking system call, openat, for .*s so far")
        with open(fifo, "wb", buffering=0):
            answers(process, r"a blocking system call, read of descriptor \d+ \(.*/pipe\), for .*s so far")
    os.remove(fifo)


def test_other_user():
    if os.geteuid() != 0:
        raise Skipped("to be another user, this must be run by root")
    with running("setInterval(() => {}, 1000); console.log('ready');") as process:
        path = await_door(process)
        check(stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700, "others can enter the directory")

        def become():
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)

        os.chmod(SCRATCH, 0o755)
        try:
            subprocess.run([RONDO, "--version"], capture_output=True, cwd="/", preexec_fn=become, timeout=60, check=False)
        except PermissionError as error:
            raise Skipped(f"another user cannot reach {RONDO}") from error
        for command in ("why", "top"):
            result = subprocess.run([RONDO, command, str(process.pid)], capture_output=True, text=True, cwd="/",
                                    env=environment(), preexec_fn=become, timeout=60, check=False)
            check(result.returncode == 1, f"{command} ended with {result.returncode}")
            check("belongs to another user" in result.stderr, result.stderr)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                become()
                socket.socket(socket.AF_UNIX).connect(path)
            except PermissionError:
                code = 0
            finally:
                os._exit(code)
        check(os.waitpid(child, 0)[1] == 0, "another user could connect")
        # Even with the way free, whoever is another is not heard.
        os.chmod(os.path.dirname(path), 0o755)
        os.chmod(path, 0o777)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                become()
                client = socket.socket(socket.AF_UNIX)
                client.connect(path)
                client.sendall(b"why\n")
                code = 0 if client.recv(100) == b"" else 1
            except (BrokenPipeError, ConnectionResetError):
                code = 0
            finally:
                os._exit(code)
        check(os.waitpid(child, 0)[1] == 0, "another user was answered")


def connect(process):
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(10)
    client.connect(await_door(process))
    return client


def test_hostile():
    with running("""
let n = 0;
setInterval(() => { n++; }, 5);
setInterval(() => console.log(n), 200);
console.log('ready');
""") as process:
        garbage = connect(process)
        garbage.sendall(bytes(range(256)))
        partial = connect(process)
        partial.sendall(b"wh")
        silent = connect(process)
        wrong = connect(process)
        wrong.sendall(b"please\n")
        check(b"error" in wrong.recv(1000), "nonsense was not refused")
        check(wrong.recv(1000) == b"", "who asked nonsense was not sent away")
        greedy = []
        for _ in range(50):
            client = socket.socket(socket.AF_UNIX)
            client.settimeout(1)
            with contextlib.suppress(OSError):
                client.connect(door(process))
                greedy.append(client)
        # Who asks a lot, and never reads.
        deaf = greedy[0]
        with contextlib.suppress(OSError):
            deaf.setblocking(False)
            for _ in range(2000):
                deaf.send(b"why\n")
        for client in greedy:
            client.close()
        for client in (garbage, partial, silent):
            client.close()
        eventually(lambda: check(len(why(process)) == 2, "it does not answer any more"))
        numbers = [int(process.stdout.readline()) for _ in range(3)]
        check(numbers[2] > numbers[0], f"the program stands still: {numbers}")


@contextlib.contextmanager
def forger(process, answer, user):
    """A process of `user` that answers in place of the other one."""
    path = door(process)
    with contextlib.suppress(OSError):
        os.remove(path)
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    server = socket.socket(socket.AF_UNIX)
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.chown(os.path.dirname(path), user, -1)
        os.setuid(user)
        server.bind(path)
        server.listen()
        while True:
            client = server.accept()[0]
            client.recv(100)
            with contextlib.suppress(OSError):
                for piece in answer:
                    client.sendall(piece)
    try:
        eventually(lambda: check(os.path.exists(path), "the forger did not start"))
        yield path
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.chown(os.path.dirname(path), os.geteuid(), -1)
        with contextlib.suppress(OSError):
            os.remove(path)


QUIET = "setInterval(() => {}, 1000); console.log('ready');"


def test_forged_by_another_user():
    """Neither a directory nor a socket of another user is trusted, and nothing is removed there."""
    if os.geteuid() != 0:
        raise Skipped("to be another user, this must be run by root")
    os.chmod(SCRATCH, 0o755)
    with running(QUIET, "--no-control") as process:
        with forger(process, [b'{"alive":[{"description":"forged","place":null}]}\n'], 65534) as path:
            for command in (["why"], ["why", "--json"], ["top", "--once"]):
                result = rondo(*command, process.pid)
                check(result.returncode == 1 and "belongs to user 65534" in result.stderr and "forged" not in result.stdout,
                      f"{command}: {result.returncode} {result.stdout}{result.stderr}")
            # The directory is ours, and the socket is not.
            os.chown(os.path.dirname(path), 0, -1)
            result = rondo("why", process.pid)
            check(result.returncode == 1 and "a process of another user listens" in result.stderr,
                  f"{result.returncode} {result.stdout}{result.stderr}")
            os.chmod(os.path.dirname(path), 0o755)
            result = rondo("why", process.pid)
            check(result.returncode == 1 and "can be entered by others" in result.stderr, result.stderr)
            os.chown(os.path.dirname(path), 65534, -1)
        # A socket at which nobody listens is removed in a directory of ours, and nowhere else.
        left = socket.socket(socket.AF_UNIX)
        left.bind(door(process))
        left.close()
        os.chown(os.path.dirname(door(process)), 65534, -1)
        rondo("why", process.pid)
        check(os.path.exists(door(process)), "a file of another user's directory was removed")
        os.chown(os.path.dirname(door(process)), 0, -1)


def test_strange_answers():
    """Whatever the other process says, it is a message or safe text."""
    escapes = b'{"alive":[{"description":"a\\u001b]0;owned\\u0007\xc2\x9b2J\x7f\xe2\x80\xae","place":null}]}\n'
    with running(QUIET, "--no-control") as process:
        with forger(process, [escapes], os.geteuid()):
            for command in (["why"], ["why", "--json"]):
                result = rondo(*command, process.pid)
                unsafe = [letter for letter in result.stdout if letter != "\n" and not letter.isprintable()]
                check(result.returncode == 0 and not unsafe, f"{command}: {result.returncode} {result.stdout!r}{result.stderr}")
            found = json.loads(result.stdout)["alive"][0]["description"]
            check(found == "a\x1b]0;owned\x07\x9b2J\x7f\u202e", f"--json changed the value: {found!r}")
        for answer in (b"null\n", b"7\n", b'"text"\n', b"[]garbage\n", b'{"alive":7}\n', b'{"alive":[null]}\n',
                       b'{"blocked":{"age":"\\u001b[2J","stack":3}}\n', b'{}\n{}\n', b'{"error":"\\u001b[2J"}\n'):
            with forger(process, [answer], os.geteuid()):
                for command in (["why"], ["top", "--once"]):
                    result = rondo(*command, process.pid)
                    check(result.returncode == 1 and result.stdout == "" and result.stderr.count("\n") == 1 and
                          result.stderr.startswith(f"rondo {command[0]}: ") and "\x1b" not in result.stderr,
                          f"{command} {answer}: {result.returncode} {result.stdout!r}{result.stderr!r}")

        def endless():
            while True:
                yield b"a" * (1 << 20)

        with forger(process, endless(), os.geteuid()):
            result = rondo("why", process.pid)
            check(result.returncode == 1 and "more than was asked for" in result.stderr, f"{result.returncode} {result.stderr}")


def test_slow_reader():
    """The end of a program does not wait for who reads the answer slowly: the answer is cut off."""
    with running("for (let i = 0; i < 20000; i++) setTimeout(() => {}, 1e8 + i);"
                 "process.stdin.once('data', () => process.exit()); console.log('ready');") as process:
        client = connect(process)
        client.sendall(b"why\n")
        text = client.recv(1)
        process.stdin.write("end")
        process.stdin.flush()
        eventually(lambda: check(not os.path.exists(door(process)), "it does not end"))
        while piece := client.recv(1 << 16):
            text += piece
            time.sleep(0.01)
        check(not text.endswith(b"\n"), f"{len(text)} bytes were sent before the program could end")
        check(process.wait() == 0, "it did not end well")


def test_stale():
    with running("setInterval(() => {}, 1000); console.log('ready');") as process:
        left = await_door(process)
        process.kill()
        process.wait()
        check(os.path.exists(left), "the socket of a killed process was removed, which nobody could have done")
        result = rondo("why", process.pid)
        check(result.returncode == 1 and f"there is no process {process.pid}" in result.stderr, result.stderr)
        # The next one that opens a socket clears up.
        with running("setInterval(() => {}, 1000); console.log('ready');") as other:
            await_door(other)
            check(not os.path.exists(left), "the socket of a dead process stays")
    # A process that ends by itself, or by process.exit(), leaves nothing.
    for source in ("process.stdin.once('data', () => process.stdin.destroy()); console.log('ready');",
                   "process.stdin.once('data', () => process.exit()); console.log('ready');"):
        with running(source) as process:
            path = await_door(process)
            process.stdin.write("end")
            process.stdin.flush()
            check(process.wait() == 0, "it did not end well")
            check(not os.path.exists(path), "the socket is left behind")


def test_refusals():
    for arguments, code, words in (
            (["why"], 9, "which process?"),
            (["why", "x"], 9, "'x' is not the number of a process"),
            (["why", "-1"], 9, "bad option"),
            (["why", "0"], 9, "'0' is not the number of a process"),
            (["why", "1", "2"], 9, "which process?"),
            (["why", "--jsno", "1"], 9, "bad option: --jsno"),
            (["why", "4194305"], 1, "there is no process 4194305"),
            (["top"], 9, "which process?"),
            (["top", "--interval=1", "1"], 9, "--interval needs milliseconds"),
            (["top", "--once=1", "1"], 9, "--once takes no value"),
            (["top", "4194305"], 1, "there is no process 4194305"),
            (["why", str(os.getpid())], 1, "is not a rondo process"),
            # Of this one it may not be possible to see what it runs.
            (["why", "1"], 1, "is not a rondo process" if os.stat("/proc/1").st_uid == os.geteuid() else "belongs to another user")):
        result = rondo(*arguments)
        check(result.returncode == code, f"{arguments} ended with {result.returncode}, not {code}: {result.stderr}")
        check(words in result.stderr and result.stdout == "", f"{arguments} said: {result.stderr}")
        check(result.stderr.startswith(f"rondo {arguments[0]}: "), result.stderr)
    check(rondo("why", "--help").stdout.startswith("usage: rondo why"), "no help")
    check(rondo("top", "--help").stdout.startswith("usage: rondo top"), "no help")
    forever = "setInterval(() => {}, 1000); console.log('ready');"
    with running(forever, "--no-control") as process:
        time.sleep(0.3)
        check(not os.path.exists(door(process)), "it opened a socket all the same")
        result = rondo("why", process.pid)
        check(result.returncode == 1 and "--no-control" in result.stderr, result.stderr)
    with running(forever, RONDO_NO_CONTROL="1") as process:
        check(rondo("why", process.pid).returncode == 1, "the environment has no say")
    with running(forever, "--no-warnings") as process:
        eventually(lambda: check(len(why(process)) == 1, "it must not depend on warnings"))


def test_invisible():
    source = """
console.log('ready');
setTimeout(() => {
  const fs = require('fs');
  const low = fs.readdirSync('/proc/self/fd').filter((fd) => +fd < 200).length;
  const next = fs.openSync('/dev/null');
  console.log(low, next, process.getActiveResourcesInfo(), process._getActiveHandles().length);
  console.log(count() - before);
}, 400);
const count = () => require('fs').readdirSync('/proc/self/fd').length;
const before = count();
"""
    said = []
    for options in ([], ["--no-control"]):
        with running(source, *options) as process:
            said.append(process.communicate(timeout=30)[0])
            check(process.returncode == 0, "it did not end by itself")
    check(said[0] == said[1], f"it can be seen: {said}")


def test_top_once():
    with running("""
console.log('ready');
setInterval(function busy() { const end = Date.now() + 30; while (Date.now() < end); }, 60);
""") as process:
        def look():
            result = rondo("top", "--once", process.pid)
            check(result.returncode == 0, result.stderr)
            text = result.stdout
            check("\x1b" not in text, "there are escape sequences where there is no terminal")
            for word in ("rondo top", "turns/s", "callbacks/s", "timer lag", "queues", "pool", "memory", "phases",
                         "timers", "poll", "check", "asleep", "busy (app.js:3:"):
                check(word in text, f"there is no {word}:\n{text}")

        eventually(look)


def test_top_json():
    with running("""
console.log('ready');
setInterval(function busy() { const end = Date.now() + 30; while (Date.now() < end); }, 60);
setImmediate(function again() { setTimeout(() => setImmediate(again), 1); });
""") as process:
        def look():
            result = rondo("top", "--once", "--json", "--interval=800", process.pid)
            check(result.returncode == 0, result.stderr)
            figures = json.loads(result.stdout)
            check(figures["turnsPerSecond"] > 10, f"turns: {figures}")
            check(0.2 < figures["utilization"] < 0.95, f"utilization: {figures}")
            check(figures["phases"]["timers"] > 0.2 * figures["elapsed"], f"phases: {figures}")
            check(figures["lag"]["count"] > 5, f"lag: {figures}")
            check(figures["queues"]["timers"] >= 1, f"queues: {figures}")
            named = [slow for slow in figures["slow"] if slow["stack"]]
            check(named and named[0]["stack"][0]["function"] == "busy", f"slow: {figures}")
            check(named[0]["duration"] >= 25, f"slow: {figures}")
            check(figures["memory"]["rss"] > 1e6, f"memory: {figures}")

        eventually(look)


def test_top_lines():
    """Where there is no terminal: picture after picture, and an end when the process ends."""
    with running("setInterval(() => {}, 10); console.log('ready');") as process:
        top = subprocess.Popen([RONDO, "top", "--interval=100", str(process.pid)], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, env=environment())
        pictures = 0
        for line in top.stdout:
            pictures += line.startswith("rondo top")
            if pictures == 15:
                process.kill()
        check(top.wait() == 1, f"it ended with {top.returncode}")
        check(top.stderr.read() == f"rondo top: process {process.pid} has ended\n", "it does not say why it ended")
        check(pictures >= 15, f"there were {pictures} pictures")


def test_top_terminal():
    """On a terminal of its own: it draws, follows its size, and q ends it with the terminal as it was."""
    with running("setInterval(() => {}, 10); console.log('ready');") as process:
        child, terminal = pty.fork()
        if child == 0:
            os.environ.update(environment())
            os.execv(RONDO, [RONDO, "top", str(process.pid)])
        seen = b""
        end = time.time() + 30
        is_asked = False
        while time.time() < end:
            if select.select([terminal], [], [], 0.1)[0]:
                try:
                    data = os.read(terminal, 65536)
                except OSError:
                    break
                if not data:
                    break
                seen += data
            if seen.count(b"phases") >= 2 and not is_asked:
                os.write(terminal, b"q")
                is_asked = True
        check(os.waitpid(child, 0)[1] == 0, f"it ended badly: {seen[-500:]}")
        check(seen.startswith(b"\x1b[?1049h"), "it drew on the screen that was there")
        check(seen.endswith(b"\x1b[?1049l"), f"it left its own screen: {seen[-100:]}")
        check(b"q quits" in seen and b"turns/s" in seen, "there is no picture")


def test_top_small_terminal():
    """On a small screen the slowest callbacks are seen all the same."""
    with running("""
console.log('ready');
function slow(ms) { const end = Date.now() + ms; while (Date.now() < end); }
setInterval(function first() { slow(20); }, 100);
setInterval(function second() { slow(30); }, 150);
""") as process:
        child, terminal = pty.fork()
        if child == 0:
            os.environ.update(environment())
            os.execv(RONDO, [RONDO, "top", "--interval=200", str(process.pid)])
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 16, 60, 0, 0))
        seen = b""
        end = time.time() + 30
        is_asked = False
        picture = ""
        while time.time() < end:
            if select.select([terminal], [], [], 0.1)[0]:
                try:
                    data = os.read(terminal, 65536)
                except OSError:
                    break
                if not data:
                    break
                seen += data
            pictures = seen.decode("utf8", "replace").split("\x1b[H")
            if len(pictures) >= 3 and not is_asked and "app.js:3:" in pictures[-2]:
                picture = pictures[-2]
                os.write(terminal, b"q")
                is_asked = True
        if not is_asked:
            os.kill(child, signal.SIGKILL)
        check(os.waitpid(child, 0)[1] == 0, f"it ended badly: {seen[-500:]}")
        lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", picture).replace("\r", "").split("\n")
        check(len(lines) <= 16, f"{len(lines)} lines: {lines}")
        check(all(len(line) <= 60 for line in lines), f"a line is too long: {lines}")
        check("slowest callbacks" in picture and "phases" in picture, f"something is missing: {lines}")


def test_top_blocked():
    with running("""
setTimeout(function start() { console.log('ready'); for (;;) ; }, 300);
""") as process:
        def look():
            result = rondo("top", "--once", process.pid)
            check(result.returncode == 0, result.stderr)
            check("blocked: JavaScript that has been running for" in result.stdout, result.stdout)
            check("start (app.js:2:" in result.stdout, result.stdout)

        eventually(look)


def test_measuring():
    """Phases are measured while somebody looks, and not before or after."""
    with running("""
console.log('ready');
process.stdin.on('data', () => console.log(process.loop.isMeasuring));
""") as process:
        def is_measuring():
            process.stdin.write("?")
            process.stdin.flush()
            return process.stdout.readline().strip() == "true"

        check(not is_measuring(), "it measures before anybody looks")
        client = connect(process)
        client.sendall(b"top\n")
        check(b'"figures"' in client.recv(100_000), "no figures")
        check(is_measuring(), "it does not measure while somebody looks")
        client.close()
        eventually(lambda: check(not is_measuring(), "it goes on measuring when they have left"))


def test_process_loop():
    with running("""
const assert = require('assert');
const { loop } = process;
assert.strictEqual(loop, process.loop);
assert.match(require('util').inspect(loop), /^ProcessLoop \\{[^]* turns: \\d+,[^]* pool: /);
assert.ok(!Object.keys(process).includes('loop'));
assert.deepStrictEqual(Object.keys(loop.phases), ['timers', 'pending', 'idle', 'prepare', 'poll', 'check', 'closing']);
assert.throws(() => loop.measure('yes'), { code: 'ERR_INVALID_ARG_TYPE' });
assert.throws(() => loop.lagPercentile(101), { code: 'ERR_OUT_OF_RANGE' });
assert.throws(() => loop.lagPercentile('1'), { code: 'ERR_INVALID_ARG_TYPE' });
assert.strictEqual(loop.measure(true), loop);
assert.strictEqual(loop.isMeasuring, true);
process.nextTick(() => {});
assert.strictEqual(loop.queues.ticks, 1);
const timer = setTimeout(function later() {}, 1000_000);
const server = require('net').createServer().listen(0);
setTimeout(function look() {
  // All of the time may have gone by before the first poll.
  if (loop.phases.poll <= 1 || loop.idle <= 1) return void setTimeout(look, 20);
  assert.ok(loop.turns > 0 && loop.callbacks > 0);
  assert.ok(loop.lag.count >= 1 && loop.lag.max >= loop.lag.p50);
  assert.ok(loop.lagPercentile(50) <= loop.lag.max);
  assert.ok(loop.utilization > 0 && loop.utilization < 1);
  assert.deepStrictEqual(Object.keys(loop.queues), ['ticks', 'timers', 'immediates', 'handles', 'requests', 'closing']);
  assert.strictEqual(loop.queues.timers, 2);  // This one is over when it has returned.
  assert.deepStrictEqual(Object.keys(loop.pool), ['size', 'queued', 'running']);
  assert.ok(['epoll', 'uring'].includes(loop.backend));
  const alive = loop.alive();
  assert.deepStrictEqual(alive.map(({ type }) => type).sort(), ['tcp server', 'timer']);
  const { place, details } = alive.find(({ type }) => type === 'timer');
  assert.deepStrictEqual(place, { function: 'later', file: __filename, line: 15, column: 40 });
  assert.strictEqual(details.duration, 1000_000);
  assert.strictEqual(loop.measure(false).isMeasuring, false);
  assert.ok(loop.snapshot().now > 0);
  console.log('ready');
}, 20);
"""):
        pass


def test_blocked_option():
    eventually(blocked_option)  # Whoever looks may have to wait for the processor for as long as it takes.


def blocked_option():
    with running("""
console.log('ready');
function spin(ms) { const end = Date.now() + ms;
  while (Date.now() < end) ;
}
function work() { spin(200); }
setTimeout(function tick() { work(); }, 10);
""", "--blocked=50") as process:
        text = process.communicate(timeout=30)[1]
    told = re.search(r"^rondo: a callback held the loop for (\d+) ms, in spin \(\S*/app\.js:4:\d+\)\n"
                     r"    called by work \(\S*/app\.js:6:19\)\n"
                     r"    called by tick \(\S*/app\.js:7:30\)\n", text, re.M)
    check(told and int(told[1]) >= 190, text)


def test_starvation():
    with running("""
console.log('ready');
const end = Date.now() + 2000;
(function again() { if (Date.now() < end) process.nextTick(again); })();
""") as process:
        text = process.communicate(timeout=30)[1]
    check(re.match(r"rondo: ticks or microtasks keep queueing more of themselves: the loop has stood still for over a "
                   r"second, in again \(\S*/app\.js:4:\d+\)\.", text), text)


def main():
    global RONDO, SCRATCH
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("tests", nargs="*")
    options = parser.parse_args()
    RONDO = os.path.abspath(options.program)
    tests = {name[5:]: test for name, test in globals().items() if name.startswith("test_")}
    failed = 0
    for name in options.tests or tests:
        with tempfile.TemporaryDirectory(prefix="why") as SCRATCH:
            try:
                tests[name]()
                print(f"ok      {name}")
            except Skipped as reason:
                print(f"{name}: Skipped\n{reason}")
                if options.tests == [name]:
                    sys.exit(SKIP)
            except (AssertionError, LookupError, ValueError, OSError) as reason:
                failed += 1
                print(f"FAILED  {name}: {reason}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
