"""--metrics: figures in the text format of Prometheus."""
import math
import re
import socket

from context import end, fetch
from harness.checks import check
from harness.waiting import eventually

SERVER = """
const http = require('node:http');
const server = http.createServer((request, response) => {
  if (request.url === '/hang') return;
  response.statusCode = request.url === '/missing' ? 404 : 200;
  response.end('hello');
});
"""

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\.)*"'


def parse(text):
    """{(name, labels): value}, and checks the format as Prometheus describes it."""
    check(text.endswith("\n"), "the last line does not end")
    figures, types, seen = {}, {}, []
    for line in text.splitlines():
        if line.startswith("# "):
            found = re.fullmatch(rf"# (HELP|TYPE) ({NAME}) (.+)", line)
            check(found, f"a bad comment: {line}")
            if found[1] == "TYPE":
                check(found[3] in ("counter", "gauge", "histogram"), line)
                check(found[2] not in types, f"two types: {line}")
                types[found[2]] = found[3]
            continue
        found = re.fullmatch(rf"({NAME})(?:\{{({LABEL}(?:,{LABEL})*)\}})? (\S+)", line)
        check(found, f"a bad line: {line}")
        name, labels, value = found.groups()
        value = math.inf if value == "+Inf" else float(value)
        family = re.sub(r"_(?:bucket|sum|count)$", "", name)
        family = family if types.get(family) == "histogram" else name
        check(family in types, f"no type: {line}")
        if not seen or seen[-1] != family:
            check(family not in seen, f"the lines of {family} are not together")
            seen.append(family)
        key = (name, labels or "")
        check(key not in figures, f"twice: {line}")
        figures[key] = value
    for family, kind in types.items():
        if kind == "histogram":
            buckets = [value for (name, _), value in figures.items() if name == f"{family}_bucket"]
            check(buckets and buckets == sorted(buckets), f"{family}: {buckets}")
            check(buckets[-1] == figures[(f"{family}_count", "")], f"{family}: {buckets}")
            check(figures[(f"{family}_sum", "")] >= 0, family)
    return figures


def scrape(process):
    status, text = fetch(process.metrics, "/metrics")
    check(status == 200, f"{status}: {text}")
    return parse(text)


def test_figures(context):
    with context.serving(SERVER, "--metrics=0") as process:
        for _ in range(3):
            fetch(process.port)
        fetch(process.port, "/missing", method="POST", body="x")
        fetch(process.port, method="WEIRD")  # Not a method that the parser knows.
        with socket.create_connection(("127.0.0.1", process.port)) as hanging:
            hanging.sendall(b"GET /hang HTTP/1.1\r\nHost: a\r\n\r\n")

            def look():
                figures = scrape(process)
                wanted = {
                    ("http_server_requests_total", 'method="GET",status="2xx"'): 3,
                    ("http_server_requests_total", 'method="POST",status="4xx"'): 1,
                    ("http_server_request_duration_seconds_count", ""): 4,
                    ("http_server_requests_in_flight", ""): 1,
                    ("http_server_open_connections", ""): 1,
                    ("rondo_loop_answers", ""): 1,
                }
                for key, value in wanted.items():
                    check(figures.get(key) == value, f"{key} is {figures.get(key)}, not {value}: {figures}")
                check(figures[("rondo_loop_turns_total", "")] > 0, str(figures))
                check(figures[("rondo_loop_callbacks_total", "")] > 0, str(figures))
                check(figures[("rondo_loop_handles", "")] >= 2, str(figures))
                check(figures[("process_resident_memory_bytes", "")] > 1e6, str(figures))
                check(figures[("rondo_heap_used_bytes", "")] > 1e6, str(figures))

            eventually(look)
        eventually(lambda: check(scrape(process).get(
            ("http_server_requests_total", 'method="GET",status="aborted"')) == 1, "the aborted request is missing"))
        end(process)


def test_prometheus_format(context):
    """Before the first request, too; with timers that are late."""
    with context.serving(SERVER + "setInterval(() => {}, 1).unref();", "--metrics=0") as process:
        def look():
            figures = scrape(process)
            check(figures[("rondo_loop_delay_seconds_count", "")] > 5, "no timer was late")

        eventually(look)
        status, text = fetch(process.metrics, "/")
        check(status == 404 and "/metrics" in text, f"{status} {text}")
        check(fetch(process.metrics, "/metrics", method="POST")[0] == 405, "POST")
        check(fetch(process.metrics, "/metrics", headers={"Host": "evil.example"})[0] == 403, "rebinding")
        end(process)


def test_own_requests_are_not_counted(context):
    """Nor do they show as handles, connections or callbacks of the program."""
    with context.serving(SERVER, "--metrics=0") as process:
        first = scrape(process)
        for _ in range(20):
            last = scrape(process)
        check(last[("http_server_request_duration_seconds_count", "")] == 0, str(last))
        check(last[("http_server_open_connections", "")] == 0, str(last))
        check(last[("rondo_loop_handles", "")] == first[("rondo_loop_handles", "")], f"{first} {last}")
        end(process)


def test_process_ends(context):
    """The server of metrics does not keep the process alive, and a client that is connected does not either."""
    done = context.call("--metrics=0", "-e", "console.log(1)")
    check(done.returncode == 0 and done.stdout == "1\n", f"{done.returncode} {done.stderr}")
    with context.serving(SERVER, "--metrics=0") as process:
        with socket.create_connection(("127.0.0.1", process.metrics)) as idle:
            idle.sendall(b"GET /met")
            end(process)


def test_blocked_loop(context):
    """An interrupt answers while JavaScript blocks the loop; a system call leaves the figures of the process."""
    with context.serving(SERVER + """
const fs = require('node:fs');
process.on('SIGUSR2', () => {
  if (process.argv[2]) return;
  fs.writeSync(1, 'spinning\\n');
  while (!fs.existsSync(__dirname + '/stop'));
  fs.unlinkSync(__dirname + '/stop');
  require('node:child_process').execFileSync('mkfifo', [__dirname + '/fifo']);
  fs.writeSync(1, 'stuck\\n');
  fs.readFileSync(__dirname + '/fifo');
});
""", "--metrics=0") as process:
        process.send_signal(12)
        check(process.stdout.readline() == "spinning\n", "it does not spin")
        check(scrape(process)[("rondo_loop_answers", "")] == 1, "no answer while JavaScript runs")
        context.write("stop", "")
        check(process.stdout.readline() == "stuck\n", "it is not stuck")
        figures = scrape(process)
        check(figures[("rondo_loop_answers", "")] == 0, str(figures))
        check(figures[("process_cpu_seconds_total", "")] > 0, str(figures))
        check(("rondo_loop_turns_total", "") not in figures, str(figures))
        context.write("fifo", "")
        end(process)


def test_bad_ports(context):
    for bad in ("", "x", "65536", "-1", "host", "1.2.3.4:", "::1:80", "80.5"):
        done = context.call(f"--metrics={bad}", "-e", "console.log('ran')")
        check(done.returncode == 9 and done.stdout == "", f"{bad}: {done.returncode} {done.stdout}")
        check("--metrics needs" in done.stderr or "requires an argument" in done.stderr, f"{bad}: {done.stderr}")
    done = context.call("--metrics=192.0.2.1:0", "-e", "console.log('ran')")
    check(done.returncode == 1 and done.stdout == "", f"{done.returncode} {done.stdout}")
    check("cannot serve metrics on 192.0.2.1:0: bind: " in done.stderr, done.stderr)


def test_port_in_use(context):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = context.call(f"--metrics={port}", "-e", "console.log('ran')")
        check(done.returncode == 1 and done.stdout == "", f"{done.returncode} {done.stdout}")
        check(f"rondo: cannot serve metrics on 127.0.0.1:{port}: bind: " in done.stderr, done.stderr)
        check("choose another address" in done.stderr, done.stderr)


def test_children(context):
    """fork() does not pass the option on: a child could not listen on the same port. Workers do not listen either."""
    done = context.call("--metrics=0", context.write("parent.js", """
if (process.argv[2]) return console.log('child', process.execArgv.length);
new (require('node:worker_threads').Worker)('console.log("worker")', { eval: true })
  .on('exit', () => require('node:child_process').fork(__filename, ['child']));
"""))
    check(done.returncode == 0 and done.stdout == "worker\nchild 0\n", f"{done.returncode} {done.stdout}{done.stderr}")
    check(done.stderr.count("metrics are at") == 1, done.stderr)
