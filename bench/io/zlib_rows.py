"""The rows of ./dev bench io about zlib."""
import json
import os
import subprocess

FOLDER = os.path.dirname(os.path.abspath(__file__))


def run(name):
    def measure(context, command, row):
        program = [*command, os.path.join(FOLDER, "zlib.cjs"), name, "0.02" if context.is_smoke else "1"]
        done = subprocess.run(program, env=context.environment(), stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=300, check=True)
        figures = json.loads(done.stdout)
        return {row: (figures["wall"] * 1e6, "µs"), f"{row}, processor": (figures["processor"] * 1e6, "µs")}
    return measure


ROWS = {
    "gzip one-shot 64 KiB": run("gzipSync"),
    "gzip one-shot 64 KiB, callback": run("gzip"),
    "gunzip one-shot 64 KiB": run("gunzipSync"),
    "gunzip one-shot 64 KiB, callback": run("gunzip"),
    "gzip stream, 64 KiB": run("gzipStream"),
    "gunzip stream, 4 MiB": run("gunzipStream"),
    "brotli one-shot decompression, 64 KiB": run("brotliSync"),
    "zstd one-shot decompression, 64 KiB": run("zstdSync"),
}
