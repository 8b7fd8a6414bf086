"""The control socket: who may ask, what forgers can do, and what is left behind."""
import contextlib
import json
import os
import socket
import stat
import time

from context import become_nobody
from harness import programs
from harness.checks import Skipped, check
from harness.waiting import eventually


def needs_root():
    if os.geteuid() != 0:
        raise Skipped("to be another user, this must be run by root")


def test_other_user(context):
    needs_root()
    with context.running("setInterval(() => {}, 1000); console.log('ready');") as process:
        path = context.await_door(process)
        check(stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700, "others can enter the directory")
        os.chmod(context.scratch, 0o755)
        try:
            context.call("--version", cwd="/", preexec_fn=become_nobody)
        except PermissionError as error:
            raise Skipped(f"another user cannot reach {context.rondo}") from error
        for command in ("why", "top"):
            result = context.call(command, process.pid, cwd="/", preexec_fn=become_nobody)
            check(result.returncode == 1, f"{command} ended with {result.returncode}")
            check("belongs to another user" in result.stderr, result.stderr)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                become_nobody()
                socket.socket(socket.AF_UNIX).connect(path)
            except PermissionError:
                code = 0
            finally:
                os._exit(code)
        check(os.waitpid(child, 0)[1] == 0, "another user could connect")
        # Even if the path is free, another user gets no answer.
        os.chmod(os.path.dirname(path), 0o755)
        os.chmod(path, 0o777)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                become_nobody()
                client = socket.socket(socket.AF_UNIX)
                client.connect(path)
                client.sendall(b"why\n")
                code = 0 if client.recv(100) == b"" else 1
            except (BrokenPipeError, ConnectionResetError):
                code = 0
            finally:
                os._exit(code)
        check(os.waitpid(child, 0)[1] == 0, "another user was answered")


def test_hostile(context):
    with context.running("""
let n = 0;
setInterval(() => { n++; }, 5);
setInterval(() => console.log(n), 200);
console.log('ready');
""") as process:
        garbage = context.connect(process)
        garbage.sendall(bytes(range(256)))
        partial = context.connect(process)
        partial.sendall(b"wh")
        silent = context.connect(process)
        wrong = context.connect(process)
        wrong.sendall(b"please\n")
        check(b"error" in wrong.recv(1000), "nonsense was not refused")
        check(wrong.recv(1000) == b"", "a client with an invalid request was not disconnected")
        greedy = []
        for _ in range(50):
            client = socket.socket(socket.AF_UNIX)
            client.settimeout(1)
            with contextlib.suppress(OSError):
                client.connect(context.door(process))
                greedy.append(client)
        # A client that sends many requests and never reads.
        deaf = greedy[0]
        with contextlib.suppress(OSError):
            deaf.setblocking(False)
            for _ in range(2000):
                deaf.send(b"why\n")
        for client in greedy:
            client.close()
        for client in (garbage, partial, silent):
            client.close()
        eventually(lambda: check(len(context.why(process)) == 2, "it does not answer any more"))
        numbers = [int(process.stdout.readline()) for _ in range(3)]
        check(numbers[2] > numbers[0], f"the program stands still: {numbers}")


QUIET = "setInterval(() => {}, 1000); console.log('ready');"


def test_forged_by_another_user(context):
    """Neither a directory nor a socket of another user is trusted, and nothing is removed there."""
    needs_root()
    os.chmod(context.scratch, 0o755)
    with context.running(QUIET, "--no-control") as process:
        with context.forger(process, [b'{"alive":[{"description":"forged","place":null}]}\n'], 65534) as path:
            for command in (["why"], ["why", "--json"], ["top", "--once"]):
                result = context.call(*command, process.pid)
                check(result.returncode == 1 and "belongs to user 65534" in result.stderr and "forged" not in result.stdout,
                      f"{command}: {result.returncode} {result.stdout}{result.stderr}")
            # The directory is ours, and the socket is not.
            os.chown(os.path.dirname(path), 0, -1)
            result = context.call("why", process.pid)
            check(result.returncode == 1 and "a process of another user listens" in result.stderr,
                  f"{result.returncode} {result.stdout}{result.stderr}")
            os.chmod(os.path.dirname(path), 0o755)
            result = context.call("why", process.pid)
            check(result.returncode == 1 and "is accessible to other users" in result.stderr, result.stderr)
            os.chown(os.path.dirname(path), 65534, -1)
        # A socket without a listener is removed only in a directory of ours.
        left = socket.socket(socket.AF_UNIX)
        left.bind(context.door(process))
        left.close()
        os.chown(os.path.dirname(context.door(process)), 65534, -1)
        context.call("why", process.pid)
        check(os.path.exists(context.door(process)), "a file of another user's directory was removed")
        os.chown(os.path.dirname(context.door(process)), 0, -1)


def test_strange_answers(context):
    """Whatever the other process says, it is a message or safe text."""
    escapes = b'{"alive":[{"description":"a\\u001b]0;owned\\u0007\xc2\x9b2J\x7f\xe2\x80\xae","place":null}]}\n'
    with context.running(QUIET, "--no-control") as process:
        with context.forger(process, [escapes], os.geteuid()):
            for command in (["why"], ["why", "--json"]):
                result = context.call(*command, process.pid)
                unsafe = [letter for letter in result.stdout if letter != "\n" and not letter.isprintable()]
                check(result.returncode == 0 and not unsafe, f"{command}: {result.returncode} {result.stdout!r}{result.stderr}")
            found = json.loads(result.stdout)["alive"][0]["description"]
            check(found == "a\x1b]0;owned\x07\x9b2J\x7f\u202e", f"--json changed the value: {found!r}")
        for answer in (b"null\n", b"7\n", b'"text"\n', b"[]garbage\n", b'{"alive":7}\n', b'{"alive":[null]}\n',
                       b'{"blocked":{"age":"\\u001b[2J","stack":3}}\n', b'{}\n{}\n', b'{"error":"\\u001b[2J"}\n'):
            with context.forger(process, [answer], os.geteuid()):
                for command in (["why"], ["top", "--once"]):
                    result = context.call(*command, process.pid)
                    check(result.returncode == 1 and result.stdout == "" and result.stderr.count("\n") == 1 and
                          result.stderr.startswith(f"rondo {command[0]}: ") and "\x1b" not in result.stderr,
                          f"{command} {answer}: {result.returncode} {result.stdout!r}{result.stderr!r}")

        def endless():
            while True:
                yield b"a" * (1 << 20)

        with context.forger(process, endless(), os.geteuid()):
            result = context.call("why", process.pid)
            check(result.returncode == 1 and "more than was asked for" in result.stderr, f"{result.returncode} {result.stderr}")


def test_slow_reader(context):
    """The end of a program does not wait for who reads the answer slowly: the answer is cut off."""
    with context.running("for (let i = 0; i < 20000; i++) setTimeout(() => {}, 1e8 + i);"
                 "process.stdin.once('data', () => process.exit()); console.log('ready');") as process:
        client = context.connect(process)
        client.sendall(b"why\n")
        # On a busy machine the loop may need too long: the answer is short then, and says so.
        while (text := client.recv(9, socket.MSG_WAITALL)) != b'{"waited"':
            while not client.recv(1 << 16).endswith(b"\n"):
                pass
            client.sendall(b"why\n")
        programs.send(process, "end")
        eventually(lambda: check(not os.path.exists(context.door(process)), "it does not end"))
        while piece := client.recv(1 << 16):
            text += piece
            time.sleep(0.01)
        check(not text.endswith(b"\n"), f"{len(text)} bytes were sent before the program could end")
        check(process.wait() == 0, "it did not end well")


def test_stale(context):
    with context.running("setInterval(() => {}, 1000); console.log('ready');") as process:
        left = context.await_door(process)
        process.kill()
        process.wait()
        check(os.path.exists(left), "the socket of a killed process was removed, although no process could have done that")
        result = context.call("why", process.pid)
        check(result.returncode == 1 and f"there is no process {process.pid}" in result.stderr, result.stderr)
        # The next one that opens a socket clears up.
        with context.running("setInterval(() => {}, 1000); console.log('ready');") as other:
            context.await_door(other)
            check(not os.path.exists(left), "the socket of a dead process stays")
    # A process that ends by itself, or by process.exit(), leaves nothing.
    for source in ("process.stdin.once('data', () => process.stdin.destroy()); console.log('ready');",
                   "process.stdin.once('data', () => process.exit()); console.log('ready');"):
        with context.running(source) as process:
            path = context.await_door(process)
            programs.send(process, "end")
            check(process.wait() == 0, "it did not end well")
            check(not os.path.exists(path), "the socket is left behind")


def test_refusals(context):
    for arguments, code, words in (
            (["why"], 9, "one process id is needed"),
            (["why", "x"], 9, "'x' is not a process id"),
            (["why", "-1"], 9, "bad option"),
            (["why", "0"], 9, "'0' is not a process id"),
            (["why", "1", "2"], 9, "one process id is needed"),
            (["why", "--jsno", "1"], 9, "bad option: --jsno"),
            (["why", "4194305"], 1, "there is no process 4194305"),
            (["top"], 9, "one process id is needed"),
            (["top", "--interval=1", "1"], 9, "--interval needs milliseconds"),
            (["top", "--once=1", "1"], 9, "--once takes no value"),
            (["top", "4194305"], 1, "there is no process 4194305"),
            (["why", str(os.getpid())], 1, "is not a rondo process"),
            # Of this one it may not be possible to see what it runs.
            (["why", "1"], 1, "is not a rondo process" if os.stat("/proc/1").st_uid == os.geteuid() else "belongs to another user")):
        result = context.call(*arguments)
        check(result.returncode == code, f"{arguments} ended with {result.returncode}, not {code}: {result.stderr}")
        check(words in result.stderr and result.stdout == "", f"{arguments} said: {result.stderr}")
        check(result.stderr.startswith(f"rondo {arguments[0]}: "), result.stderr)
    check(context.call("why", "--help").stdout.startswith("usage: rondo why"), "no help")
    check(context.call("top", "--help").stdout.startswith("usage: rondo top"), "no help")
    forever = "setInterval(() => {}, 1000); console.log('ready');"
    with context.running(forever, "--no-control") as process:
        time.sleep(0.3)
        check(not os.path.exists(context.door(process)), "it opened a socket all the same")
        result = context.call("why", process.pid)
        check(result.returncode == 1 and "--no-control" in result.stderr, result.stderr)
    with context.running(forever, RONDO_NO_CONTROL="1") as process:
        check(context.call("why", process.pid).returncode == 1, "the environment has no say")
    with context.running(forever, "--no-warnings") as process:
        eventually(lambda: check(len(context.why(process)) == 1, "it must not depend on warnings"))


def test_invisible(context):
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
        with context.running(source, *options) as process:
            said.append(process.communicate(timeout=30)[0])
            check(process.returncode == 0, "it did not end by itself")
    check(said[0] == said[1], f"it can be seen: {said}")
