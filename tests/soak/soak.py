#!/usr/bin/env python3
"""soak.py [http] --rondo RONDO [--seconds N] [--seed S]: hours of sockets, files, workers, children and timers, interrupted at random;
or of HTTP.

load.js, or http.js, runs them in rounds. While it does, children of it are killed, stopped and continued. After each round the process
must have the descriptors and threads that it had after the first one, no children, and no temporary files. From 120
seconds on memory is checked, too: it must not be higher in the last third than in the second. Ends with 0 or 1."""
import collections
import os
import random
import resource
import signal
import statistics
import subprocess
import sys
import threading
import time

sys.path.append(f"{sys.path[0]}/../support")
from harness import arguments, environment, files, programs  # noqa: E402
from harness.waiting import wait_until  # noqa: E402

FOLDER = os.path.dirname(os.path.abspath(__file__))
DESCRIPTORS = 400  # Few enough for load.js to take all of them.
PATIENCE = 30  # Seconds to wait for closed resources to be gone.
LONGEST_ROUND = 240  # Seconds: the longest child takes 100 of them.
JUDGE_MEMORY_FROM = 120
GROWTH = 1.15  # Growth of the median up to this factor, and
SLACK = 8 << 20  # by this many bytes, is noise.


def read(path):
    try:
        with open(path, encoding="latin-1") as file:
            return file.read()
    except OSError:
        return ""


def descriptors(pid):
    """The targets of the descriptors, without varying numbers: sorted. Without one /dev/null: it may be the descriptor
    that a listener holds in reserve, which is missing after another thread took it and until the next connection."""
    found = []
    for fd in os.listdir(f"/proc/{pid}/fd"):
        try:
            found.append(os.readlink(f"/proc/{pid}/fd/{fd}").split(":[")[0])
        except OSError:
            pass
    if "/dev/null" in found:
        found.remove("/dev/null")
    return sorted(found)


def threads(pid):
    """Without threads that start later and stay: those of the pools, and for `rondo why`."""
    names = [read(f"/proc/{pid}/task/{task}/comm").strip() for task in os.listdir(f"/proc/{pid}/task")]
    return sorted(name for name in names if name and not name.startswith(("rondo-pool-", "rondo control", "V8 worker")))


def children(pid):
    return [int(child) for task in os.listdir(f"/proc/{pid}/task") for child in read(f"/proc/{pid}/task/{task}/children").split()]


def resident(pid):
    return int(read(f"/proc/{pid}/statm").split()[1]) * resource.getpagesize()


class Trouble(threading.Thread):
    """Kills, stops and continues children of the process at random, until stopped."""

    def __init__(self, pid, seed):
        super().__init__(daemon=True)
        self.pid = pid
        self.random = random.Random(seed)
        self.is_over = threading.Event()
        self.kills = 0

    def run(self):
        while not self.is_over.wait(self.random.random() / 20):
            try:
                found = children(self.pid)
                if not found:
                    continue
                chosen = self.random.choice(found)
                if self.random.random() < 0.5:
                    os.kill(chosen, signal.SIGKILL)
                    self.kills += 1
                else:
                    os.kill(chosen, signal.SIGSTOP)
                    time.sleep(0.005)
                    os.kill(chosen, signal.SIGCONT)
            except OSError:
                pass  # It has ended.


def settle(pid, temporary, before):
    """Waits until the process has no more than before; returns the differences if that does not happen. If it has fewer
    descriptors, because some were still being closed when `before` was taken, that number counts from now on."""
    def differences():
        now = {"descriptors": descriptors(pid), "threads": threads(pid), "children": children(pid),
               "files": os.listdir(temporary)}
        # A new thread has its parent's name until it sets its own, so one of a pool may be in `before`.
        same = {what: len(now[what]) <= len(before[what]) if what == "threads" else
                not collections.Counter(now[what]) - collections.Counter(before[what]) for what in before}
        return [f"{what}: {len(now[what])}, after the first round {len(before[what])}:\n  {now[what]}\n  {before[what]}"
                for what in before if not same[what]]

    wait_until(lambda: not differences(), PATIENCE, 0.01)
    wrong = differences()
    if not wrong and "descriptors" in before:
        before["descriptors"] = descriptors(pid)
    return wrong


def judge_memory(name, samples):
    third = len(samples) // 3
    middle, last = statistics.median(samples[third:2 * third]), statistics.median(samples[2 * third:])
    print(f"soak: {name}: {middle / 2**20:.1f} MiB in the second third, {last / 2**20:.1f} MiB in the last")
    return [f"{name} grows"] if last > middle * GROWTH + SLACK else []


def next_line(process, rondo, variables):
    """The next line of the program's output; if there is none, describes what it waits for."""
    said = []

    def end():
        answer = programs.run([rondo, "why", process.pid], env=variables)
        said.append(f"a round does not end; the program waits for\n{answer.stdout}{answer.stderr}")
        process.kill()

    timer = threading.Timer(LONGEST_ROUND, end)
    timer.start()
    try:
        line = process.stdout.readline()
    finally:
        timer.cancel()
    return line, said


def soak(rondo, program, seconds, seed, temporary):
    variables = environment.inherited("RONDO_NO_CONTROL", TMPDIR=os.path.join(temporary, "files"), XDG_RUNTIME_DIR=temporary)
    os.mkdir(variables["TMPDIR"])
    process = subprocess.Popen(
        [rondo, "--expose-gc", os.path.join(FOLDER, program), str(seed)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        text=True, env=variables, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS)))
    trouble = Trouble(process.pid, seed)
    trouble.start()
    end = time.monotonic() + seconds
    before, rss, heap, wrong, rounds = None, [], [], [], 0
    try:
        while not wrong:
            line, said = next_line(process, rondo, variables)
            if not line.startswith("quiet "):
                wrong += said or [f"the program ended with {process.wait()} in round {rounds}"]
                break
            rounds += 1
            heap.append(int(line.split()[2]))
            rss.append(resident(process.pid))
            if before is None:
                settle(process.pid, variables["TMPDIR"], {"children": [], "files": []})
                before = {"descriptors": descriptors(process.pid), "threads": threads(process.pid), "children": [], "files": []}
            wrong += settle(process.pid, variables["TMPDIR"], before)
            if time.monotonic() > end:
                break
            programs.send(process, "\n")
        if seconds >= JUDGE_MEMORY_FROM and rounds >= 30:
            wrong += judge_memory("resident memory", rss) + judge_memory("heap", heap)
        trouble.is_over.set()
        trouble.join()
        process.stdin.close()
        if not wrong and process.wait(60) != 0:
            wrong.append(f"the program ended with {process.returncode}")
    finally:
        trouble.is_over.set()
        process.kill()
        process.wait()
    print(f"soak: {rounds} rounds, {trouble.kills} children killed, {len(wrong)} failures (--seed {seed})")
    return wrong


def main(words):
    parser = arguments.parser(__doc__)
    parser.add_argument("kind", nargs="?", choices=("load", "http"), default="load")
    parser.add_argument("--rondo", required=True)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_intermixed_args(words)
    with files.Scratch("rondo-soak-") as temporary:
        wrong = soak(programs.absolute(options.rondo), f"{options.kind}.js", options.seconds, options.seed, temporary.folder)
    for line in wrong:
        print(f"soak: FAILED {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    programs.exit_with(main)
