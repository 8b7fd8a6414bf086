"""The rows of ./dev bench io about streams of files and fs.promises. The files are in the page cache."""
import json
import os
import subprocess
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))


def run(name, factor, unit):
    def measure(context, command, row):
        with tempfile.TemporaryDirectory(prefix="rondo-bench") as folder:
            program = [*command, os.path.join(FOLDER, "file_streams.cjs"), name, folder]
            done = subprocess.run([*program, "0.02" if context.is_smoke else "1"], env=context.environment(),
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=True)
        figures = json.loads(done.stdout)
        return {row: (figures["wall"] * factor, unit), f"{row}, processor": (figures["processor"] * factor, unit)}
    return measure


ROWS = {
    "read stream, 1 GiB": run("read", 1e3, "ms"),
    "read stream, for await, 1 GiB": run("iterate", 1e3, "ms"),
    "write stream, 64 KiB chunks, 1 GiB": run("write", 1e3, "ms"),
    "write stream, 1 KiB chunks, 1 GiB": run("small", 1e3, "ms"),
    "file to file by pipe(), 1 GiB": run("copy", 1e3, "ms"),
    "await fs.promises.stat()": run("stat", 1e6, "µs"),
    "await open() and close()": run("open", 1e6, "µs"),
}
