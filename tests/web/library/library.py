#!/usr/bin/env python3
"""library.py --program PEER [TEST...]: the HTTP server and client of the C++ library, in peer.cc, with curl, wrk and
Python's. A test whose program is missing is skipped, with a message."""
import contextlib
import hashlib
import http.server
import os
import re
import shutil
import subprocess
import sys
import threading

sys.path.append(f"{sys.path[0]}/../../support")
from harness import cases, context  # noqa: E402
from harness.checks import Skipped, check  # noqa: E402


class Context(context.Context):
    @contextlib.contextmanager
    def served(self, *words):
        """The address of the server; at the end it must close cleanly."""
        process = subprocess.Popen([self.rondo, "serve", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   env=self.environment())
        try:
            yield f"http://127.0.0.1:{process.stdout.readline().decode().strip()}"
            process.stdin.close()
            check(process.wait(timeout=60) == 0, f"the server ended with {process.returncode}")
        finally:
            process.kill()
            process.wait()
            process.stdout.close()


def needed(name):
    path = shutil.which(name)
    if path is None:
        raise Skipped(f"there is no {name}; run: apt-get install {name}")
    return path


def curl(run, *words, **more):
    done = run.run([needed("curl"), "-sS", "--noproxy", "*", "--max-time", "50", *words], **more)
    check(done.returncode == 0, f"curl {words} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def test_curl(run):
    data = os.urandom(3 << 20).hex()
    with open(run.path("data"), "w", encoding="ascii") as file:
        file.write(data)
    digest = hashlib.sha256(data.encode()).hexdigest()
    with run.served() as base:
        for version in ("--http1.1", "--http1.0"):
            seen = curl(run, version, f"{base}/hello", f"{base}/hello", "-w", "%{http_code} ")
            check(seen == "hello\n200 hello\n200 ", f"{version}: {seen}")
            seen = curl(run, version, "--data-binary", f"@{run.path('data')}", f"{base}/echo")
            check(hashlib.sha256(seen.encode()).hexdigest() == digest, f"{version}: another body came back")
            seen = curl(run, version, "-o", run.path("big"), "-w", "%{size_download}", f"{base}/big?5000000")
            check(seen == "5000000", f"{version}: {seen}")
            seen = curl(run, version, "-I", "-w", "%{http_code} %{size_download}", "-o", "/dev/null", f"{base}/hello")
            check(seen == "200 0", f"{version}: HEAD: {seen}")
            seen = curl(run, version, "-w", "%{http_code}", f"{base}/none")
            check(seen == "404", f"{version}: {seen}")
        # Of unknown length: chunks.
        seen = curl(run, "-T", "-", f"{base}/length", input=data)
        check(seen == str(len(data)), f"chunks: {seen}")
        seen = curl(run, "-H", "Expect: 100-continue", "--data-binary", f"@{run.path('data')}", f"{base}/length")
        check(seen == str(len(data)), f"Expect: {seen}")
        # All on one connection.
        seen = curl(run, *[f"{base}/hello"] * 9, "-o", "/dev/null", *["-o", "/dev/null"] * 8, "-w", "%{num_connects}")
        check(seen == "100000000", f"connections: {seen}")


def test_curl_in_parallel(run):
    with run.served() as base:
        words = [word for number in range(40) for word in (f"{base}/big?{1000 * number}", "-o", "/dev/null")]
        seen = curl(run, "--parallel", *words, "-w", "%{size_download}\n")
        check(sorted(map(int, seen.split())) == [1000 * number for number in range(40)], seen)


def test_curl_over_a_unix_socket(run):
    path = run.path("socket")
    with run.served(path):
        check(curl(run, "--unix-socket", path, "http://app/hello") == "hello\n", "another answer")
    check(not os.path.exists(path), "the socket is left")


def test_wrk(run):
    with run.served() as base:
        done = run.run([needed("wrk"), "-t1", "-c32", "-d1s", f"{base}/hello"])
        check(done.returncode == 0 and "Socket errors" not in done.stdout and "Non-2xx" not in done.stdout, done.stdout)
        check(int(re.search(r"(\d+) requests in", done.stdout)[1]) > 0, done.stdout)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "3")
        self.end_headers()
        self.wfile.write(b"got")

    def do_PUT(self):
        size = 0
        while (part := int(self.rfile.readline(), 16)) > 0:
            size += len(self.rfile.read(part))
            self.rfile.readline()
        self.rfile.readline()
        self.send_response(201)
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(str(size).encode())

    def log_message(self, *_):
        pass


def test_client_of_python(run):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            url = f"http://127.0.0.1:{server.server_port}/"
            done = run.call("fetch", url)
            check((done.returncode, done.stdout) == (0, "200\ngot"), f"{done.returncode} {done.stdout}{done.stderr}")
            done = run.call("fetch", url, "PUT", input="x" * 1_000_000)
            check((done.returncode, done.stdout) == (0, "201\n1000000"), f"{done.returncode} {done.stdout}{done.stderr}")
        finally:
            server.shutdown()
            thread.join()


if __name__ == "__main__":
    cases.main(__doc__, cases.collect(sys.modules[__name__]), Context)
