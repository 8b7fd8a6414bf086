"""`rondo top`, on terminals and elsewhere."""
import json
import re

from harness import programs
from harness.checks import check
from harness.terminal import Terminal
from harness.waiting import eventually


def test_top_once(context):
    with context.running("""
console.log('ready');
setInterval(function busy() { const end = Date.now() + 30; while (Date.now() < end); }, 60);
""") as process:
        def look():
            result = context.call("top", "--once", process.pid)
            check(result.returncode == 0, result.stderr)
            text = result.stdout
            check("\x1b" not in text, "there are escape sequences where there is no terminal")
            for word in ("rondo top", "turns/s", "callbacks/s", "timer lag", "queues", "pool", "memory", "phases",
                         "timers", "poll", "check", "asleep", "busy (app.js:3:"):
                check(word in text, f"there is no {word}:\n{text}")

        eventually(look)


def test_top_json(context):
    with context.running("""
console.log('ready');
setInterval(function busy() { const end = Date.now() + 30; while (Date.now() < end); }, 60);
setImmediate(function again() { setTimeout(() => setImmediate(again), 1); });
""") as process:
        def look():
            result = context.call("top", "--once", "--json", "--interval=800", process.pid)
            check(result.returncode == 0, result.stderr)
            figures = json.loads(result.stdout)
            check(figures["turnsPerSecond"] > 10, f"turns: {figures}")
            check(0.2 < figures["utilization"] < 0.95, f"utilization: {figures}")
            check(figures["phases"]["timers"] > 0.2 * figures["elapsed"], f"phases: {figures}")
            check(figures["lag"]["count"] > 5, f"lag: {figures}")
            check(figures["queues"]["timers"] >= 1, f"queues: {figures}")
            named = [slow for slow in figures["slow"] if slow["stack"]]
            check(named and named[0]["stack"][0]["function"] == "busy", f"slow: {figures}")
            check(named[0]["duration"] >= 25, f"slow: {figures}")
            check(figures["memory"]["rss"] > 1e6, f"memory: {figures}")

        eventually(look)


def test_top_lines(context):
    """Where there is no terminal: picture after picture, and an end when the process ends."""
    with context.running("setInterval(() => {}, 10); console.log('ready');") as process:
        pictures = 0
        with context.started("top", "--interval=100", process.pid) as top:
            for line in top.stdout:
                pictures += line.startswith("rondo top")
                if pictures == 15:
                    process.kill()
            check(top.wait() == 1, f"it ended with {top.returncode}")
            check(top.stderr.read() == f"rondo top: process {process.pid} has ended\n", "it does not say why it ended")
        check(pictures >= 15, f"there were {pictures} pictures")


def test_top_terminal(context):
    """On a terminal of its own: it draws, follows its size, and q ends it with the terminal as it was."""
    with context.running("setInterval(() => {}, 10); console.log('ready');") as process:
        with Terminal([context.rondo, "top", str(process.pid)], env=context.environment()) as terminal:
            terminal.read_until(lambda seen: seen.count(b"phases") >= 2)
            terminal.type(b"q")
            code, seen = terminal.finish(), terminal.seen
        check(code == 0, f"it ended badly: {seen[-500:]}")
        check(seen.startswith(b"\x1b[?1049h"), "it drew on the screen that was there")
        check(seen.endswith(b"\x1b[?1049l"), f"it left its own screen: {seen[-100:]}")
        check(b"q quits" in seen and b"turns/s" in seen, "there is no picture")


def last_picture(seen):
    """The last one that is complete; empty before the third: the first ones are of the time before it has measured."""
    pictures = seen.decode("utf8", "replace").split("\x1b[H")
    return pictures[-2] if len(pictures) >= 3 else ""


def test_top_small_terminal(context):
    """On a small screen the slowest callbacks are seen all the same."""
    with context.running("""
console.log('ready');
function slow(ms) { const end = Date.now() + ms; while (Date.now() < end); }
setInterval(function first() { slow(20); }, 100);
setInterval(function second() { slow(30); }, 150);
""") as process:
        command = [context.rondo, "top", "--interval=200", str(process.pid)]
        with Terminal(command, rows=16, columns=60, env=context.environment()) as terminal:
            terminal.read_until(lambda seen: "app.js:3:" in last_picture(seen))
            picture = last_picture(terminal.seen)
            terminal.type(b"q")
            check(terminal.finish() == 0, f"it ended badly: {terminal.seen[-500:]}")
        lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", picture).replace("\r", "").split("\n")
        check(len(lines) <= 16, f"{len(lines)} lines: {lines}")
        check(all(len(line) <= 60 for line in lines), f"a line is too long: {lines}")
        check("slowest callbacks" in picture and "phases" in picture, f"something is missing: {lines}")


def test_top_blocked(context):
    with context.running("""
setTimeout(function start() { console.log('ready'); for (;;) ; }, 300);
""") as process:
        def look():
            result = context.call("top", "--once", process.pid)
            check(result.returncode == 0, result.stderr)
            check("blocked: JavaScript that has been running for" in result.stdout, result.stdout)
            check("start (app.js:2:" in result.stdout, result.stdout)

        eventually(look)


def test_measuring(context):
    """Phases are measured while somebody looks, and not before or after."""
    with context.running("""
console.log('ready');
process.stdin.on('data', () => console.log(process.loop.isMeasuring));
""") as process:
        def is_measuring():
            programs.send(process, "?")
            return process.stdout.readline().strip() == "true"

        check(not is_measuring(), "it measures before anybody looks")
        client = context.connect(process)
        client.sendall(b"top\n")
        check(b'"figures"' in client.recv(100_000), "no figures")
        check(is_measuring(), "it does not measure while somebody looks")
        client.close()
        eventually(lambda: check(not is_measuring(), "it goes on measuring when they have left"))
