"""Programs that run, and how to ask them what they are doing."""
import contextlib
import os
import re
import signal
import socket

from harness import context as base
from harness import environment
from harness.checks import check
from harness.waiting import eventually, wait_until

NOBODY = 65534


def become_nobody():
    """In a child process: another user."""
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


def matches(lines, *patterns):
    """Each line matches one pattern, and each pattern one line."""
    left = list(lines)
    for pattern in patterns:
        found = next((line for line in left if re.fullmatch(pattern, line)), None)
        check(found is not None, f"no line is {pattern}:\n" + "\n".join(lines))
        left.remove(found)
    check(not left, "too many lines:\n" + "\n".join(left))


class Context(base.Context):
    def environment(self, **more):
        return environment.inherited(("NODE_", "RONDO_NO", "XDG_"), XDG_RUNTIME_DIR=self.scratch, NO_COLOR="1", **more)

    @contextlib.contextmanager
    def running(self, source, *options, **more):
        """A program in the file app.js, once it has written the line `ready`. `more`: environment variables."""
        path = self.write("app.js", source)
        with self.started(*options, path, env=self.environment(**more)) as process:
            if process.stdout.readline() != "ready\n":
                process.kill()
                raise AssertionError("the program did not start: " + process.communicate()[1])
            yield process

    def why(self, process, *options):
        """The lines that `rondo why` prints."""
        result = self.call("why", *options, process.pid)
        check(result.returncode == 0 and result.stderr == "", f"why failed with {result.returncode}: {result.stderr}")
        return result.stdout.splitlines()

    def answers(self, process, *patterns):
        """`rondo why` prints such lines in the end: meanwhile a program that waits for the processor has others."""
        eventually(lambda: matches(self.why(process), *patterns))

    def door(self, process):
        """The path of its control socket."""
        return self.path(f"rondo-{os.geteuid()}", f"{process.pid}.sock")

    def await_door(self, process):
        check(wait_until(lambda: os.path.exists(self.door(process))), "it opened no socket")
        return self.door(process)

    def connect(self, process):
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(10)
        client.connect(self.await_door(process))
        return client

    @contextlib.contextmanager
    def forger(self, process, answer, user):
        """A process of `user` that answers in place of the other one."""
        path = self.door(process)
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
            check(wait_until(lambda: os.path.exists(path)), "the forger did not start")
            yield path
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            os.chown(os.path.dirname(path), os.geteuid(), -1)
            with contextlib.suppress(OSError):
                os.remove(path)
