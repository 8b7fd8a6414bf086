"""The rows of ./dev bench io about children: time from start to the 'exit' event, and messages."""
import os
import subprocess

FOLDER = os.path.dirname(os.path.abspath(__file__))


def children(mode):
    def measure(context, command, row):
        seconds = "0.05" if context.is_smoke else "2"
        done = subprocess.run([*command, os.path.join(FOLDER, "spawn.cjs"), mode, seconds], env=context.environment(),
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=True)
        count, elapsed, used = map(float, done.stdout.split())
        return {row: (elapsed / count * 1e6, "µs"), f"{row}, processor": (used / count * 1e6, "µs")}
    return measure


ROWS = {
    "spawn, without streams": children("ignore"),
    "spawn, with pipes": children("pipes"),
    "spawn, 16 at once": children("pipes 16"),
    "execFile with output": children("exec"),
    "spawnSync": children("sync"),
    "message to a child and back": children("messages"),
    "message of 100 KB and back": children("large messages"),
}
