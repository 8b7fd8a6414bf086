"""`rondo why` and `rondo top` of processes that serve HTTP."""
import contextlib
import http.client
import json
import re
import socket

from harness.checks import check
from harness.waiting import eventually

SERVER = """
const http = require('node:http');
const server = http.createServer(function handler(request, response) {
  if (request.url === '/close') server.close();
  if (request.url !== '/slow') response.end('done');
});
server.listen(0, '127.0.0.1', () => {
  require('node:fs').writeFileSync(__dirname + '/port', String(server.address().port));
  console.log('ready');
});
"""


def port_of(context):
    with open(context.path("port"), encoding="utf8") as file:
        return int(file.read())


@contextlib.contextmanager
def connected(port, path):
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
        yield client


def test_http_connections(context):
    with context.running(SERVER) as process:
        port = port_of(context)
        with connected(port, "/slow"), connected(port, "/idle") as idle:
            check(idle.recv(100).startswith(b"HTTP/1.1 200"), "no answer")
            connection = rf"TCP connection from 127\.0\.0\.1:\d+ to 127\.0\.0\.1:{port}, of the server made at app\.js:7:8"
            context.answers(process, rf"TCP server on 127\.0\.0\.1:{port}, made at app\.js:7:8",
                            rf"{connection}; answering GET /slow in handler at app\.js:3:50",
                            rf"{connection}; no request")


def test_closing_http_server(context):
    """The connection that keeps a closed server from ending."""
    with context.running(SERVER) as process:
        port = port_of(context)
        with connected(port, "/slow") as slow:
            with connected(port, "/close") as last:
                check(last.recv(100).startswith(b"HTTP/1.1 200"), "no answer")
            here = slow.getsockname()[1]
            context.answers(process, rf"TCP connection from 127\.0\.0\.1:{here} to 127\.0\.0\.1:{port}, of the server "
                            r"made at app\.js:7:8, which is closed and waits for it; answering GET /slow in handler at "
                            r"app\.js:3:50")
            answer = json.loads(context.call("why", "--json", process.pid).stdout)
            details = answer["alive"][0]["details"]
            check(details["isServerClosed"] and details["requests"] == ["GET /slow"] and
                  details["handler"]["function"] == "handler", str(answer))
        check(process.wait() == 0, "it does not end")


def test_top_http(context):
    with context.running(SERVER) as process:
        port = port_of(context)
        with connected(port, "/slow"), context.started("top", "--json", "--interval=200", process.pid) as top:
            check(json.loads(top.stdout.readline())["http"]["requests"] == 0, "there were no requests")
            client = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            for _ in range(10):
                client.request("GET", "/")
                client.getresponse().read()
            seen = 0
            for line in top.stdout:
                figures = json.loads(line)["http"]
                check(figures["connections"] == 2 and figures["inFlight"] == 1, line)
                seen += figures["requests"]
                if figures["requests"] > 0:
                    check(figures["requestsPerSecond"] > 0 and 0 < figures["p50"] <= figures["p99"] <= figures["max"], line)
                if seen >= 10:
                    break
            check(seen == 10, f"{seen} requests")

            def look():
                text = context.call("top", "--once", process.pid).stdout
                check(re.search(r"^http +requests/s 0 +open 2 +in flight 1$", text, re.M), text)

            eventually(look)
            client.close()
    with context.running("setInterval(() => {}, 10); console.log('ready');") as process:
        check("requests/s" not in context.call("top", "--once", process.pid).stdout, "it serves no HTTP")
