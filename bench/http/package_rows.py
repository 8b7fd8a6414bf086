"""The rows of ./dev bench http that need more than our client: the packages of tests/packages, TLS (with Debian's wrk as
the client), WebSocket, and a recorded run. Rows whose packages or client are missing are left out, with a message."""
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(FOLDER, "../..")
PACKAGES = os.path.join(ROOT, "build/third_party/packages")
KEYS = os.path.join(ROOT, "tests/golden/tls/fixtures")


def load(path):
    spec = importlib.util.spec_from_file_location(os.path.basename(path)[:-3], path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


message = load(os.path.join(FOLDER, "message_rows.py"))
net = message.net


def is_missing(what, path, context):
    """A short run does without packages and wrk; a measurement fetches the packages first."""
    if path and os.path.exists(path):
        return False
    if not context.is_smoke:
        raise ValueError(f"{what} is missing")
    print(f"rondo: skipped: {what} is missing", file=sys.stderr)
    return True


def fetch_packages(context):
    if not context.is_smoke:
        subprocess.run([os.path.join(ROOT, "tools/fetch_npm"), PACKAGES, os.path.join(ROOT, "tests/packages")], check=True)


def server_of(context, command, kind, folder):
    return net.Server(context, command, message.pin(0), (os.path.join(FOLDER, "server.cjs"), kind, folder))


def package(kind):
    """An answer of `Hello, world!` by a package."""
    def measure(context, command, row):
        fetch_packages(context)
        if is_missing(kind, os.path.join(PACKAGES, "node_modules", kind), context):
            return {}
        with tempfile.NamedTemporaryFile() as file, server_of(context, command, kind, PACKAGES) as server:
            file.write(message.HELLO)
            file.flush()
            seconds = 0.1 if context.is_smoke else 2
            return net.run_client(context, server, row, ("http", 64, 1, file.name, seconds), message.pin(1))
    return measure


def web_socket(context, command, row):
    fetch_packages(context)
    if is_missing("ws", os.path.join(PACKAGES, "node_modules/ws"), context):
        return {}
    with server_of(context, command, "ws", PACKAGES) as server:
        seconds = 0.1 if context.is_smoke else 2
        return net.run_client(context, server, row, ("ws", 64, 64, seconds), message.pin(1))


def secure(connections, *headers):
    """HTTPS with wrk, because our client has no TLS."""
    def measure(context, command, row):
        wrk = shutil.which("wrk")
        if is_missing("wrk (install the Debian package)", wrk, context):
            return {}
        with server_of(context, command, "https", KEYS) as server:
            def run(seconds):
                output = subprocess.run([wrk, "-t1", f"-c{connections}", f"-d{seconds}s", *headers,
                                         f"https://127.0.0.1:{server.port}/"], check=True, capture_output=True, text=True,
                                        timeout=60, preexec_fn=message.pin(1)).stdout
                if "Socket errors" in output or "Non-2xx" in output:
                    raise ValueError(output)
                line = next(line for line in output.splitlines() if " requests in " in line)
                count, time = line.split(" requests in ")
                return int(count), float(time.split("s,")[0])
            if not context.is_smoke:
                run(1)
            before = server.processor()
            count, took = run(1 if context.is_smoke else 2)
            used = server.processor() - before
            return {row: (took / count * 1e6, "µs"), f"{row}, processor": (used / count * 1e6, "µs")}
    return measure


def traced(context, command, row):
    """The row hello with tracing, which only Rondo has."""
    if command[0] != context.rondo:
        return {}
    with tempfile.TemporaryDirectory(prefix="bench") as scratch:
        return message.serve("hello", message.HELLO, 64)(context, [*command, f"--trace-file={scratch}/bench.rtrace"], row)


ROWS = {
    "hello, 64 connections, traced": traced,
    "Express 5 hello, 64 connections": package("express"),
    "Fastify hello, 64 connections": package("fastify"),
    "HTTPS hello, 64 connections": secure(64),
    "HTTPS, a connection for each request": secure(16, "-H", "Connection: close"),
    "WebSocket echo through ws, 64 connections": web_socket,
}
