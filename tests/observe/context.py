"""Programs that serve HTTP, and requests to them."""
import contextlib
import http.client
import re

from harness import context as base
from harness import environment, programs
from harness.checks import check


class Context(base.Context):
    def environment(self, **more):
        return environment.inherited(("NODE_", "RONDO_NO", "XDG_", "OTEL_"), XDG_RUNTIME_DIR=self.scratch, NO_COLOR="1",
                                     **more)

    @contextlib.contextmanager
    def serving(self, source, *options, **more):
        """A program in app.js that prints the port of its server. Yields the process; `port` and, with --metrics=0,
        `metrics` are attributes. It ends when its standard input does."""
        path = self.write("app.js", source + "\nprocess.stdin.on('end', () => server.close()).resume();\n"
                          "server.listen(0, '127.0.0.1', () => console.log(server.address().port));\n")
        with self.started(*options, path, env=self.environment(**more)) as process:
            process.metrics = None
            if "--metrics=0" in options:
                line = process.stderr.readline()
                found = re.search(r"http://127\.0\.0\.1:(\d+)/metrics", line)
                check(found, f"no address of the metrics: {line}")
                process.metrics = int(found[1])
            line = process.stdout.readline()
            if not line.strip().isdigit():
                process.kill()
                raise AssertionError("the program did not start: " + line + process.communicate()[1])
            process.port = int(line)
            yield process


def end(process):
    """Lets the program end, and returns what it still printed."""
    out, errors = process.communicate(timeout=programs.TIMEOUT)
    check(process.returncode == 0, f"ended with {process.returncode}: {errors}")
    return out, errors


def fetch(port, path="/", method="GET", headers=None, body=None, host="127.0.0.1"):
    """(status, body) of one request on a connection of its own."""
    connection = http.client.HTTPConnection(host, port, timeout=programs.TIMEOUT)
    try:
        connection.request(method, path, body=body, headers=headers or {})
        response = connection.getresponse()
        return response.status, response.read().decode()
    finally:
        connection.close()
