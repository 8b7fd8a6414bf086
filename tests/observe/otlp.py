"""--trace-otlp: spans in OTLP/HTTP with JSON, received by a collector of the test."""
import contextlib
import http.server
import json
import socket
import threading

from context import end, fetch
from harness.checks import check
from harness.waiting import wait_until

TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = "b7ad6b7169203331"

# /proxy asks /leaf of the same server, with http.get() or fetch().
SERVER = """
const http = require('node:http');
const server = http.createServer(async (request, response) => {
  const { url, headers } = request;
  const leaf = `http://127.0.0.1:${server.address().port}/leaf?q=1`;
  if (url === '/proxy') {
    setTimeout(() => http.get(leaf, (answer) => answer.pipe(response)), 1);
  } else if (url === '/fetch') {
    await null;
    response.end(await (await fetch(leaf)).text());
  } else if (url.startsWith('/leaf')) {
    response.end(`${headers.traceparent}`);
  } else {
    response.statusCode = url === '/error' ? 503 : url === '/missing' ? 404 : 200;
    response.end();
  }
});
"""


class Collector(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, status=200):
        self.spans, self.requests = [], []
        collector = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                collector.requests.append((self.path, dict(self.headers), body))
                for resource in body["resourceSpans"]:
                    for scope in resource["scopeSpans"]:
                        collector.spans += scope["spans"]
                self.send_response(status)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"


@contextlib.contextmanager
def collecting(status=200):
    with Collector(status) as collector:
        thread = threading.Thread(target=collector.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield collector
        finally:
            collector.shutdown()
            thread.join()


def attributes(span):
    return {one["key"]: next(iter(one["value"].values())) for one in span["attributes"]}


def spans_of(context, *requests, options=(), **more):
    """The spans of a server that has answered these requests, (path, headers) each, by the path and the kind."""
    with collecting() as collector:
        answers = []
        with context.serving(SERVER, f"--trace-otlp={collector.url}", *options, **more) as process:
            for path, headers in requests:
                answers.append(fetch(process.port, path, headers=headers)[1])
            end(process)
        found = {(attributes(span)["url.path"], span["kind"]): span for span in collector.spans}
        check(len(found) == len(collector.spans), f"too many spans: {collector.spans}")
        return found, answers, collector


def test_spans(context):
    spans, _, collector = spans_of(context, ("/?secret=1&sig=abc", {"User-Agent": "test"}), ("/missing", {}),
                                   ("/error", {}))
    check(set(spans) == {("/", 2), ("/missing", 2), ("/error", 2)}, str(spans))
    for span in spans.values():
        check(len(span["traceId"]) == 32 and len(span["spanId"]) == 16 and "parentSpanId" not in span, str(span))
        check(span["name"] == "GET", str(span))
        start, finish = int(span["startTimeUnixNano"]), int(span["endTimeUnixNano"])
        check(1.5e18 < start <= finish < 5e18, str(span))
    root = attributes(spans["/", 2])
    check(root["http.request.method"] == "GET" and root["http.response.status_code"] == "200", str(root))
    check(root["url.query"] == "secret=1&sig=REDACTED" and root["url.scheme"] == "http", str(root))
    check(root["server.address"] == "127.0.0.1" and root["client.address"] == "127.0.0.1", str(root))
    check(root["user_agent.original"] == "test" and root["network.protocol.version"] == "1.1", str(root))
    check(spans["/", 2]["status"] == {}, str(root))
    check(spans["/missing", 2]["status"] == {}, "a client's error is none of the server")
    check(spans["/error", 2]["status"] == {"code": 2}, str(spans["/error", 2]))
    check(attributes(spans["/error", 2])["error.type"] == "503", str(spans["/error", 2]))
    path, headers, body = collector.requests[0]
    check(path == "/v1/traces" and headers["Content-Type"] == "application/json", f"{path} {headers}")
    resource = attributes(body["resourceSpans"][0]["resource"])
    check(resource["service.name"] == "unknown_service:rondo" and resource["telemetry.sdk.name"] == "rondo",
          str(resource))
    check(len({span["traceId"] for span in spans.values()}) == 3, "requests share a trace")


def test_parents(context):
    """traceparent of the request is the parent of the server's span, that of the client's, and is sent on."""
    for path in ("/proxy", "/fetch"):
        spans, answers, _ = spans_of(context, (path, {"traceparent": f"00-{TRACE}-{PARENT}-01"}))
        check(set(spans) == {(path, 2), ("/leaf", 3), ("/leaf", 2)}, str(spans))
        outer, client, leaf = spans[path, 2], spans["/leaf", 3], spans["/leaf", 2]
        check({span["traceId"] for span in spans.values()} == {TRACE}, str(spans))
        check(outer["parentSpanId"] == PARENT, str(outer))
        check(client["parentSpanId"] == outer["spanId"], f"{path}: {outer} {client}")
        check(leaf["parentSpanId"] == client["spanId"], f"{path}: {client} {leaf}")
        check(answers == [f"00-{TRACE}-{client['spanId']}-01"], str(answers))
        about = attributes(client)
        check(about["server.address"] == "127.0.0.1" and about["http.response.status_code"] == "200", str(about))
    # A caller that does not record: nothing is sent to the collector, but the trace goes on.
    spans, answers, _ = spans_of(context, ("/proxy", {"traceparent": f"00-{TRACE}-{PARENT}-00"}))
    check(spans == {}, str(spans))
    check(answers[0].startswith(f"00-{TRACE}-") and answers[0].endswith("-00"), str(answers))
    # One that is not valid: a new trace.
    spans, _, _ = spans_of(context, ("/", {"traceparent": f"00-{'0' * 32}-{PARENT}-01"}))
    check("parentSpanId" not in spans["/", 2], str(spans))


def test_fields_of_the_program(context):
    """The program's own traceparent is sent, and none if it wants no other fields or propagation is off."""
    source = """
const http = require('node:http');
const server = http.createServer((request, response) => response.end());
const echo = http.createServer((request, response) => response.end(`${request.headers.traceparent}`));
echo.listen(0, '127.0.0.1', async () => {
  const { port } = echo.address();
  const ask = (options) => new Promise((resolve) => http.get({ port, host: '127.0.0.1', ...options }, (answer) => {
    answer.setEncoding('utf8').on('data', resolve);
  }));
  console.error(await ask({ headers: { traceparent: 'mine' } }));
  console.error(await ask({ headers: ['host', 'a', 'connection', 'close'] }));
  console.error(await ask({ setDefaultHeaders: false, headers: { host: 'a' } }));
  console.error(await (await fetch(`http://127.0.0.1:${port}/`, { headers: { Traceparent: 'mine' } })).text());
  console.error((await ask({})).length);
  echo.close();
  echo.closeAllConnections();
});
"""
    for propagators, length in (("tracecontext,baggage", 55), ("none", len("undefined"))):
        with collecting() as collector:
            with context.serving(source, f"--trace-otlp={collector.url}", OTEL_PROPAGATORS=propagators) as process:
                lines = [process.stderr.readline().strip() for _ in range(5)]
                check(lines == ["mine", "undefined", "undefined", "mine", str(length)], f"{propagators}: {lines}")
                end(process)


def test_refused_collector(context):
    """A collector that answers with an error, or is not there: one line, and the program is not affected."""
    with collecting(status=500) as collector:
        with context.serving(SERVER, f"--trace-otlp={collector.url}") as process:
            for _ in range(3):
                check(fetch(process.port)[0] == 200, "the server is affected")
                check(wait_until(lambda: collector.requests), "nothing was sent")
            _, errors = end(process)
        check(errors.count("\n") == 1 and "it answered with status 500" in errors, errors)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        done = context.call(f"--trace-otlp=http://127.0.0.1:{port}", context.write("one.js", """
const server = require('node:http').createServer((request, response) => response.end()).listen(0, () => {
  require('node:http').get({ port: server.address().port }, (response) => response.resume().on('end', () => {
    server.close();
    server.closeAllConnections();
  }));
});
"""))
    check(done.returncode == 0, f"{done.returncode} {done.stderr}")
    check(done.stderr.count("\n") == 1 and "Connection refused" in done.stderr, done.stderr)


def test_silent_collector(context):
    """One that accepts and never answers does not keep the process: it ends while the collector is silent."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        with context.serving(SERVER, f"--trace-otlp=http://127.0.0.1:{silent.getsockname()[1]}") as process:
            check(fetch(process.port)[0] == 200, "the server is affected")
            end(process)


def test_bad_urls(context):
    for bad, why in (("https://a", "https is not supported"), ("a:4318", "must begin with http://"),
                     ("http://", "must have the form"), ("http://a:0", "must be a number")):
        done = context.call(f"--trace-otlp={bad}", "-e", "console.log('ran')")
        check(done.returncode == 9 and done.stdout == "", f"{bad}: {done.returncode} {done.stdout}")
        check("--trace-otlp needs the URL of a collector" in done.stderr and why in done.stderr, done.stderr)


def test_environment(context):
    _, _, collector = spans_of(context, ("/", {}), OTEL_SERVICE_NAME="shop",
                               OTEL_RESOURCE_ATTRIBUTES="deployment.environment=a%20b",
                               OTEL_EXPORTER_OTLP_HEADERS="x-key=secret")
    _, headers, body = collector.requests[0]
    resource = attributes(body["resourceSpans"][0]["resource"])
    check(resource["service.name"] == "shop" and resource["deployment.environment"] == "a b", str(resource))
    check(headers["x-key"] == "secret", str(headers))


def test_workers(context):
    """Servers in worker threads are recorded, too. So are the spans of a program that calls process.exit()."""
    with collecting() as collector:
        done = context.call(f"--trace-otlp={collector.url}", context.write("worker.js", """
const { Worker, isMainThread } = require('node:worker_threads');
const http = require('node:http');
if (isMainThread) {
  new Worker(__filename).on('message', () => process.exit(3));
} else {
  const server = http.createServer((request, response) => response.end()).listen(0, '127.0.0.1', () => {
    http.get({ port: server.address().port, host: '127.0.0.1', path: '/a' }, (response) => {
      response.resume().on('end', () => require('node:worker_threads').parentPort.postMessage(1));
    });
  });
}
"""))
        check(done.returncode == 3, f"{done.returncode} {done.stderr}")
        kinds = sorted(span["kind"] for span in collector.spans)
        check(kinds == [2, 3], str(collector.spans))
