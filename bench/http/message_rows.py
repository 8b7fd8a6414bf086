"""The rows of ./dev bench http. The server is JavaScript under each runtime, on one processor; the client is native, on
the other one. In the row http.get the client is JavaScript, and the server is Rondo's; in the rows of librondo there is no
JavaScript."""
import importlib.util
import os
import subprocess
import tempfile
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))


def load(path):
    spec = importlib.util.spec_from_file_location(os.path.basename(path)[:-3], path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


net = load(os.path.join(FOLDER, "../io/net_rows.py"))

HELLO = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
BODY = b'{"name":"' + b"x" * 1000 + b'","n":1}'
JSON = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(BODY) + BODY
FIELDS = (b"GET /path?query=1 HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64)\r\n"
          b"Accept: text/html,application/xhtml+xml\r\nAccept-Language: en-US,en;q=0.5\r\nAccept-Encoding: gzip, br\r\n"
          b"Referer: http://127.0.0.1/other\r\nConnection: keep-alive\r\nUpgrade-Insecure-Requests: 1\r\n"
          b"Cookie: first=1; session=abcdef0123456789; third=3\r\nCache-Control: max-age=0\r\n\r\n")


def pin(number):
    """For preexec_fn: this process runs on one of the processors."""
    def prepare():
        net.raise_limit()
        processors = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {processors[number % len(processors)]})
    return prepare


def server_of(context, command, kind):
    return net.Server(context, command, pin(0), (os.path.join(FOLDER, "server.cjs"), kind))


def serve(kind, request, connections, depth=1):
    def measure(context, command, row):
        with tempfile.NamedTemporaryFile() as file, server_of(context, command, kind) as server:
            file.write(request)
            file.flush()
            seconds = 0.1 if context.is_smoke else 2
            return net.run_client(context, server, row, ("http", connections, depth, file.name, seconds), pin(1))
    return measure


def on_librondo(measure):
    """The same with the C++ server, which replaces Rondo."""
    def without_javascript(context, command, row):
        if command[0] != context.rondo:
            return {}
        folder = os.path.join(os.path.dirname(context.client), "../bench_http")
        return measure(context, [os.path.abspath(os.path.join(folder, "rondo-bench-http-server"))], row)
    return without_javascript


def idle(context, command, row):
    count = 100 if context.is_smoke else 2000
    with tempfile.NamedTemporaryFile() as file, server_of(context, command, "hello") as server:
        file.write(HELLO)
        file.flush()
        time.sleep(0.3)
        before = server.memory()
        client = subprocess.Popen([context.client, "hold", server.port, str(count), file.name], stdin=subprocess.PIPE,
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


def get(context, command, row):
    seconds = 0.2 if context.is_smoke else 2
    with server_of(context, [context.rondo], "hello") as server:
        done = subprocess.run([*command, os.path.join(FOLDER, "get.cjs"), server.port, str(seconds)],
                              env=context.environment(), capture_output=True, text=True, check=True, timeout=60,
                              preexec_fn=pin(1))
        count, took, used = map(float, done.stdout.split())
        return {row: (took / count * 1e6, "µs"), f"{row}, processor": (used / count * 1e6, "µs")}


ROWS = {
    "hello, 64 connections": serve("hello", HELLO, 64),
    "hello, 64 connections, 16 pipelined": serve("hello", HELLO, 64, 16),
    "JSON of 1 KiB, 64 connections": serve("json", JSON, 64),
    "ten fields read, five set, 64 connections": serve("fields", FIELDS, 64),
    "file of 64 KiB piped, 16 connections": serve("file", HELLO, 16),
    "memory per idle connection": idle,
    "C++ server on librondo, 64 connections": on_librondo(serve("hello", HELLO, 64)),
    "C++ server on librondo, 16 pipelined": on_librondo(serve("hello", HELLO, 64, 16)),
    "C++ server on librondo, memory per idle connection": on_librondo(idle),
    "http.get, 64 at once": get,
}
