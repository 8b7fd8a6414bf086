"""The rows of ./dev bench io about the network. A server in JavaScript, under each runtime; the client is native."""
import os
import resource
import subprocess
import tempfile
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
TICKS = os.sysconf("SC_CLK_TCK")


class Server:
    """echo.cjs under a runtime, for the time of a `with`."""

    def __init__(self, context, command):
        self.process = subprocess.Popen([*command, os.path.join(FOLDER, "echo.cjs")], env=context.environment(),
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, preexec_fn=raise_limit)
        self.port = self.process.stdout.readline().decode().strip()
        if not self.port:
            raise ValueError("the server did not start")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def processor(self):
        """Seconds of processor time, of all threads."""
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def memory(self):
        """Resident memory in bytes."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) * 1024


def raise_limit():
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def drive(context, command, row, *arguments):
    """Time per operation by the clock, and processor time of the server per operation."""
    with Server(context, command) as server:
        client = subprocess.Popen([context.client, arguments[0], server.port, *map(str, arguments[1:])],
                                  stdout=subprocess.PIPE, text=True)
        try:
            client.stdout.readline()  # It is warm.
            before = server.processor()
            last = client.stdout.readline()
            used = server.processor() - before
            if client.wait() != 0 or not last:
                raise ValueError("the client failed")
        finally:
            client.kill()
            client.wait()
            client.stdout.close()
        count, seconds = int(last.split()[0]), float(last.split()[1])
        return {row: (seconds / count * 1e6, "µs"), f"{row}, processor": (used / count * 1e6, "µs")}


def echo(connections, size):
    def measure(context, command, row):
        return drive(context, command, row, "echo", connections, size, 0.1 if context.is_smoke else 2)
    return measure


def traced_echo(connections, size):
    """The same while Rondo is recorded, which the others cannot be."""
    def measure(context, command, row):
        if command[0] != context.rondo:
            return {}
        with tempfile.TemporaryDirectory(prefix="bench") as scratch:
            return echo(connections, size)(context, [*command, f"--trace-file={scratch}/bench.rtrace"], row)
    return measure


def connect(context, command, row):
    return drive(context, command, row, "connect", 16, 0.1 if context.is_smoke else 2)


def idle_connections(context, command, row):
    count = 100 if context.is_smoke else 5000
    with Server(context, command) as server:
        time.sleep(0.3)
        before = server.memory()
        client = subprocess.Popen([context.client, "hold", server.port, str(count)], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE)
        try:
            if not client.stdout.readline():
                raise ValueError("the client failed")
            time.sleep(0.3 if context.is_smoke else 1.5)
            return {row: ((server.memory() - before) / count / 1024, "KiB")}
        finally:
            client.stdin.close()
            client.wait()
            client.stdout.close()


ROWS = {
    "tcp ping-pong, 64 B": echo(1, 64),
    "tcp echo, 64 connections, 64 B": echo(64, 64),
    "tcp echo, 64 connections, 64 B, traced": traced_echo(64, 64),
    "tcp echo, 64 connections, 16 KiB": echo(64, 16 * 1024),
    "tcp connect and close": connect,
    "memory per idle connection": idle_connections,
}
