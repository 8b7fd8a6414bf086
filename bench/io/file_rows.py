"""The rows of ./dev bench io about files: files.cjs under each runtime, with files that are in the page cache."""
import os
import subprocess
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))


def files(what, count):
    def measure(context, command, row):
        total = 20 if context.is_smoke else count
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            result = subprocess.run([*command, os.path.join(FOLDER, "files.cjs"), what, str(total), folder],
                                    env=context.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                    timeout=120, text=True, check=False)
        if result.returncode != 0 or not result.stdout:
            raise ValueError("the program failed")
        elapsed, used = map(float, result.stdout.split())
        return {row: (elapsed, "µs"), f"{row}, processor": (used, "µs")}
    return measure


ROWS = {
    "readFile 1 KiB, 64 in flight": files("readFile", 100_000),
    "readFile 1 KiB, text": files("readFile-text", 100_000),
    "readFile 1 KiB, promise": files("readFile-promise", 100_000),
    "readFile 1 KiB, one": files("readFile-one", 30_000),
    "readFile 1 MiB": files("readFile-large", 2_000),
    "stat, 64 in flight": files("stat", 200_000),
    "stat, promise": files("stat-promise", 100_000),
    "stat, one": files("stat-one", 30_000),
    "statSync": files("statSync", 200_000),
    "existsSync": files("existsSync", 300_000),
    "readFileSync": files("readFileSync", 100_000),
}
