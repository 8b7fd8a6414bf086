"""The rows of ./dev bench io about fetch(). The client is each runtime; the server is Rondo, in another process."""
import os
import subprocess

FOLDER = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.join(FOLDER, "fetch.cjs")


def fetch(width):
    def measure(context, command, row):
        server = subprocess.Popen([context.rondo, PROGRAM, "server"], env=context.environment(),
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        try:
            port = server.stdout.readline().strip()
            if not port:
                raise ValueError("the server did not start")
            output = subprocess.run([*command, PROGRAM, port, str(width), "0.1" if context.is_smoke else "2"],
                                    env=context.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                    text=True, check=True, timeout=60).stdout
        finally:
            server.kill()
            server.wait()
            server.stdout.close()
        count, seconds, used = map(float, output.split())
        return {row: (seconds / count * 1e6, "µs"), f"{row}, processor": (used / count * 1e6, "µs")}
    return measure


ROWS = {
    "fetch from a local server, one at a time": fetch(1),
    "fetch from a local server, 64 at once": fetch(64),
}
