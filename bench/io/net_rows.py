"""The rows of ./dev bench io about the network. A server in JavaScript, under each runtime; the client is native."""
import os
import resource
import subprocess
import tempfile
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
TICKS = os.sysconf("SC_CLK_TCK")


class Server:
    """Runs echo.cjs, or another script with its arguments, under a runtime, as a context manager."""

    def __init__(self, context, command, prepare=None, script=("echo.cjs",)):
        self.process = subprocess.Popen([*command, os.path.join(FOLDER, script[0]), *script[1:]], env=context.environment(),
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        preexec_fn=prepare or raise_limit)
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
        """CPU seconds of all threads."""
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def memory(self):
        """Resident anonymous memory in bytes. Pages of program files are not counted, as they do not depend on the
        connections: Rondo releases them while it waits, and they are loaded again when needed."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("RssAnon")) * 1024


def raise_limit():
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def use_one_processor():
    raise_limit()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def drive(context, command, row, *arguments, prepare=None):
    """Wall-clock time per operation, and CPU time of the server per operation."""
    with Server(context, command, prepare) as server:
        return run_client(context, server, row, arguments, prepare)


def run_client(context, server, row, arguments, prepare):
    """The same, for a running server. The client gets its kind, the server's port, and the other arguments."""
    client = subprocess.Popen([context.client, arguments[0], server.port, *map(str, arguments[1:])],
                              stdout=subprocess.PIPE, text=True, preexec_fn=prepare)
    try:
        client.stdout.readline()  # The warm-up is over.
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
    """The same with tracing, which only Rondo has."""
    def measure(context, command, row):
        if command[0] != context.rondo:
            return {}
        with tempfile.TemporaryDirectory(prefix="bench") as scratch:
            return echo(connections, size)(context, [*command, f"--trace-file={scratch}/bench.rtrace"], row)
    return measure


def connect(context, command, row):
    return drive(context, command, row, "connect", 16, 0.1 if context.is_smoke else 2)


def connect_on_one(context, command, row):
    """Server and client share a processor. Otherwise the wall-clock time depends on where the kernel places them."""
    return drive(context, command, row, "connect", 16, 0.1 if context.is_smoke else 2, prepare=use_one_processor)


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
    "tcp connect and close, one cpu": connect_on_one,
    "memory per idle connection": idle_connections,
}
