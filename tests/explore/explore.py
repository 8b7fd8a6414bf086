#!/usr/bin/env python3
"""Tests of rondo explore and rondo replay.

  explore.py PART --rondo RONDO [--full] [--share I/N]

PART: orders      the outcomes of examples/orders, all of them and no others
      races       examples/races: pass in a normal run, fail in an order that explore finds, explains and replays
      web         the same for the HTTP servers and clients of examples/races/web
      causes      --races: pairs that no cause orders, from one run and from all; none of the ordered ones
      replay      schedules and records reproduce a run; changed files are detected
      hostile     invalid schedules and records; programs that never end, crash, print a lot, fork
      reduction   the same outcomes with and without reduction; --table prints how many schedules it takes
With --full, as often as docs/EXPLORING.md claims: 50 plain runs, 100 replays. --share: of races,
causes and reduction, only the Ith of every N programs; of the others, one test for each part of the C++ code."""
import glob
import json
import os
import re
import signal
import sys
import tempfile
import time

sys.path.append(f"{sys.path[0]}/../support")
import sections  # noqa: E402
from harness import arguments, checks, files, programs  # noqa: E402
from harness.arguments import part_of  # noqa: E402
from harness.files import write  # noqa: E402

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(FOLDER))
EXAMPLES = os.path.join(ROOT, "examples")
failures = checks.Failures()
check = failures.check


def run(command, **more):
    return programs.run(command, timeout=120, **more)


def explore(rondo, program, *options, code=None):
    """The object of --json. The exit code is 1 if every outcome is a failure, unless `code` is given."""
    result = run([rondo, "explore", "--json", *options, program])
    try:
        parsed = json.loads(result.stdout)
        if code is None:
            code = int(parsed["outcomes"] != [] and all(outcome["exitCode"] != 0 for outcome in parsed["outcomes"]))
        check(result.returncode == code, f"explore {program} ended with {result.returncode}, not {code}",
              result.stderr + result.stdout[:2000])
    except ValueError:
        check(False, f"explore --json {program} printed something else", result.stdout[:2000] + result.stderr)
        return {"outcomes": [], "schedules": 0, "complete": False, "outside": []}
    check(set(parsed) == {"outcomes", "schedules", "complete", "outside"}, f"fields of {program}", str(set(parsed)))
    for outcome in parsed["outcomes"]:
        check(set(outcome) == {"stdout", "stderr", "exitCode", "error", "schedules", "schedule"}, "fields", str(outcome))
    return parsed


def temporary(text, name="program.js"):
    return write(os.path.join(tempfile.mkdtemp(prefix="rondo-explore-test-"), name), text)


ORDERS = {
    "main-script": 2, "file-callback": 1, "socket-close": 2, "stream-close": 1,
    "three-reads": 6, "equal-timers": 1, "promise-race": 2,
}


def orders(args):
    for name, count in list(ORDERS.items())[::4 if is_share(args) else 1]:
        program = os.path.join(EXAMPLES, "orders", f"{name}.js")
        result = explore(args.rondo, program)
        check(len(result["outcomes"]) == count and result["complete"] and result["outside"] == [],
              f"{name}: {count} outcomes", json.dumps(result, indent=1))
        check(all(outcome["exitCode"] == 0 for outcome in result["outcomes"]), f"{name}: exit codes")
        code = 0 if count == 1 else 3
        ended = run([args.rondo, "explore", "--expect-one", program])
        check(ended.returncode == code, f"{name}: --expect-one ends with {code}", ended.stdout + ended.stderr)
    # Ports that the kernel chooses are others in each run; numbers that contain one are not changed.
    ports = temporary("""const net = require('net');
const server = net.createServer((socket) => {
  console.log('from', socket.remotePort, 'to', socket.localPort);
  socket.end();
}).listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  console.log(`listening on 127.0.0.1:${port}`, port + '0');
  net.connect(port, '127.0.0.1').resume().on('close', () => {
    server.close();
    setTimeout(() => net.connect(port, '127.0.0.1').on('error', (error) => console.log(error.message)), 2000);
  });
});""")
    result = explore(args.rondo, ports, "--limit=4", "--jobs=1")
    wanted = r"listening on 127\.0\.0\.1:PORT \d{6}\nfrom PORT to PORT\nconnect ECONNREFUSED 127\.0\.0\.1:PORT\n"
    check(all(re.fullmatch(wanted, outcome["stdout"]) for outcome in result["outcomes"]), "ports are replaced", json.dumps(result))
    sources = files.read(ports).replace(", port + '0'", "")
    result = explore(args.rondo, temporary(sources))
    check(len(result["outcomes"]) == 1 and result["schedules"] > 1, "one outcome, whatever the ports are", json.dumps(result, indent=1)[:3000])
    count = "1000" if args.full else "30" if is_share(args) else "150"
    result = explore(args.rondo, os.path.join(EXAMPLES, "orders", "http-echo.js"), f"--limit={count}", "--time=200")
    check(len(result["outcomes"]) == 1 and result["outcomes"][0]["stdout"] == "done\n" and
          result["schedules"] == int(count), f"{count} schedules of an exchange", json.dumps(result)[:3000])


def is_share(args):
    return args.share != "1/1"


def shared(items, args):
    return part_of(items, args.share)


def races(args):
    find_failures(args, "races", 60)


def web(args):
    find_failures(args, "races/web", 30)


def find_failures(args, folder, limit):
    plain, replays = (50, 100) if args.full else (2, 2)
    examples = sorted(glob.glob(os.path.join(EXAMPLES, folder, "*.js")))
    check(len(examples) == 10, "ten programs")
    for program in shared(examples, args):
        name = os.path.basename(program)
        # They rely on a file being read within 100 ms. On a busy machine that is only certain in virtual time.
        options = [] if args.full else ["--clock=virtual"]
        for _ in range(plain):
            result = run([args.rondo, *options, program])
            check(result.returncode == 0, f"{name} passes plainly", result.stderr)
        began = time.monotonic()
        first = explore(args.rondo, program, f"--limit={limit}")
        took = time.monotonic() - began
        failing = [outcome for outcome in first["outcomes"] if outcome["exitCode"] == 1]
        check(failing, f"{name}: a failing order is found", json.dumps(first)[:2000])
        # Only by hand, on an idle machine.
        check(took < 5 or not args.full, f"{name}: it is found in time", f"{took:.1f} s")
        if not failing:
            continue
        outcome = min(failing, key=lambda one: one["schedule"].count("."))
        schedule = outcome["schedule"]
        deviations = schedule.count(".") + 1
        check(schedule != "-" and deviations <= 2, f"{name}: at most two deviations", schedule)
        for _ in range(replays):
            result = run([args.rondo, "replay", schedule, program])
            check(result.returncode == 1 and outcome["error"] in result.stderr, f"{name}: replay {schedule}",
                  f"{result.returncode} {result.stderr}")
        output = run([args.rondo, "explore", f"--limit={limit}", program]).stdout
        reason = output.partition("because ")[2].partition("\n")[0]
        check(f"{name}:" in reason and "descriptor" not in reason, f"{name}: it is explained", output)
        if args.full:
            print(f"{name}: {first['schedules']} schedules, {took:.2f} s, {schedule}\n"
                  f"    {output.split('because ', 1)[1].splitlines()[0]}", flush=True)


START = """const fs = require('fs'); const fsp = require('fs/promises'); const os = require('os');
const file = require('path').join(os.tmpdir(), `file-${process.pid}`);
"""


def find_races(rondo, program, *options):
    result = run([rondo, "explore", "--races", "--json", *options, program])
    try:
        parsed = json.loads(result.stdout)
    except ValueError:
        check(False, f"explore --races --json {program} printed something else", result.stdout[:2000] + result.stderr)
        return {"races": [], "ordered": 0, "complete": False}
    check(set(parsed) == {"races", "ordered", "schedules", "complete", "outside"}, "fields", str(set(parsed)))
    return parsed


# Programs that touch a file, and the minimum number of races.
RACES = {"check-then-act": 1, "lost-update": 2, "stale-read": 1}


def causes(args):
    small = sections.read("causes.txt")
    check(len(small) > 40, "many programs")
    for name, (kind, *_), text in shared(small, args):
        program = temporary(START + text, f"{name}.js")
        one = find_races(args.rondo, program, "--limit=1", "--jobs=1")
        if kind == "ordered":
            check(one["races"] == [], f"{name} is ordered", json.dumps(one["races"], indent=1))
            continue
        check(one["races"], f"{name}: a race, from one run", json.dumps(one, indent=1))
        check(all(not race["seenBothWays"] and len(race["operations"]) == 2 for race in one["races"]), f"{name}: not seen")
        for race in one["races"]:
            for operation in race["operations"]:
                check(f"{name}.js:" in operation["operation"] and operation["chain"][-1] == "the main script",
                      f"{name}: places and chains", json.dumps(race, indent=1))
        every = find_races(args.rondo, program, "--time=20")
        if kind == "race":
            check(any(race["seenBothWays"] for race in every["races"]), f"{name}: both orders are seen", json.dumps(every, indent=1))
        else:
            # Not a cause, but still an order: known once all of them were tried.
            check(every["complete"] and every["races"] == [] and every["ordered"] > 0, f"{name}: counted",
                  json.dumps(every, indent=1))
    for program in shared(sorted(glob.glob(os.path.join(EXAMPLES, "races", "*.js"))), args):
        name = os.path.basename(program)[:-3]
        one = find_races(args.rondo, program, "--limit=1", "--jobs=1")
        check(len(one["races"]) >= RACES.get(name, 0) and (name in RACES or not one["races"]), f"{name}: from one run",
              json.dumps(one["races"], indent=1))
        every = find_races(args.rondo, program, "--limit=100")
        seen = [race for race in every["races"] if race["seenBothWays"]]
        check(len(seen) >= RACES.get(name, 0) and (name in RACES or not seen), f"{name}: seen", json.dumps(every, indent=1))
        if name in RACES:
            output = run([args.rondo, "explore", "--races", "--limit=100", program]).stdout
            is_reported = "seen in both orders" in output and "scheduled by" in output and "rondo replay" in output
            check(is_reported, f"{name}: both orders are reported", output)


def replay(args):
    program = os.path.join(EXAMPLES, "orders", "three-reads.js")
    for outcome in explore(args.rondo, program)["outcomes"]:
        for _ in range(100 if args.full else 1 if is_share(args) else 5):
            result = run([args.rondo, "replay", outcome["schedule"], program])
            check(result.returncode == 0 and result.stdout == outcome["stdout"], f"replay {outcome['schedule']}",
                  result.stdout + result.stderr)
    # A record of a random order.
    with files.Scratch() as scratch:
        record, data = scratch.path("run.record"), scratch.path("data")
        source = scratch.write("program.js", "const fs = require('fs');\n"
                               f"for (const n of 'abcd') fs.readFile({json.dumps(data)}, 'utf8', (e, t) => console.log(n, t ?? e.code));\n"
                               "setTimeout(() => console.log('timer'), 5); setImmediate(() => console.log('immediate'));\n")
        write(data, "one")
        seen = set()
        for seed in range(5):
            made = run([args.rondo, f"--record={record}", f"--seed={seed}", source])
            check(made.returncode == 0, "recording", made.stderr)
            seen.add(made.stdout)
            for _ in range(100 if args.full else 1 if is_share(args) else 3):
                again = run([args.rondo, "replay", record, source])
                check(again.returncode == 0 and again.stdout == made.stdout and again.stderr == "", f"replay of seed {seed}",
                      again.stdout + again.stderr)
        check(len(seen) > 1, "seeds give different orders", str(seen))
        # Changed files, and another program.
        write(data, "two")
        other = run([args.rondo, "replay", record, source])
        check(other.returncode == 4 and "recorded: fs.read_file" in other.stderr and "now:      fs.read_file" in other.stderr,
              "another world is noticed", other.stderr)
        os.remove(data)
        other = run([args.rondo, "replay", record, source])
        check(other.returncode == 4 and "ENOENT" in other.stderr, "a missing file is noticed", other.stderr)
        write(data, "one")
        write(source, "require('fs').stat('/', () => {}); setImmediate(() => {});")
        other = run([args.rondo, "replay", record, source])
        check(other.returncode == 4 and "differs from the recorded one" in other.stderr, "another program is noticed", other.stderr)
        # Help, options on either side of the schedule, and an end by a signal, which leaves no folder behind.
        for option in ("-h", "--help"):
            output = run([args.rondo, "replay", option])
            check(output.returncode == 0 and output.stdout.startswith("usage: rondo replay "), option, output.stdout + output.stderr)
        write(source, "console.log(...process.execArgv, ...process.argv.slice(2), require('os').tmpdir());"
                      "process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000);")
        result = run([args.rondo, "replay", "--no-warnings", "-", "--stack-size=900", source, "--own"],
                     env={**os.environ, "TMPDIR": scratch.folder})
        check(result.returncode == -signal.SIGTERM, "ends as the program ended", f"{result.returncode} {result.stderr}")
        words = result.stdout.split()
        check(words[:2] == ["--no-warnings", "--stack-size=900"] and words[-2] == "--own", "options and arguments", result.stdout)
        check(words[-1].startswith(scratch.folder) and not os.path.exists(words[-1]), "its folder is gone", result.stdout)


def hostile(args):
    program = os.path.join(EXAMPLES, "orders", "main-script.js")
    for bad in ("t", "1", "x1/2", "0t1/2.", "5t1/2.2t1/2", "99999999t1/2", "t1/99999999999", "0t2/2", "../..", "c" * 5000):
        result = run([args.rondo, "replay", bad, program])
        check(result.returncode == 9 and result.stdout == "" and "rondo" in result.stderr, f"schedule {bad[:20]!r}",
              f"{result.returncode} {result.stderr[:300]}")
    # A schedule of another program.
    result = run([args.rondo, "replay", "0c4/5", program])
    check(result.returncode == 4 and "differs from the recorded one" in result.stderr, "a schedule that does not fit", result.stderr)
    for options in (["--bound=x"], ["--runs=0"], ["--jobs=0"], ["--timeout=-1"], ["--all", "--limit=3"], ["--seed=1"], [],
                    ["--json=1"]):
        line = [args.rondo, "explore", *options, *([program] if options else [])]
        result = run(line)
        check(result.returncode == 9 and result.stdout == "" and result.stderr.startswith("rondo explore: "), str(options),
              f"{result.returncode} {result.stderr}")
    record = temporary("", "record")
    for text in ("", "#!/bin/sh\n", "rondo record 9\n", "rondo record 1\nt9/2\n", "rondo record 1\nseed -\n"):
        write(record, text)
        result = run([args.rondo, "replay", record, program])
        check(result.returncode == 9 and "cannot replay" in result.stderr, f"record {text!r}", result.stderr)
    whole = run([args.rondo, f"--record={record}", program])
    text = files.read(record)
    for size in range(len("rondo record 1\n"), len(text), 9 if is_share(args) else 3):
        write(record, text[:size])
        result = run([args.rondo, "replay", record, program])
        check(result.returncode == 0 and result.stdout == whole.stdout, f"a record cut to {size} bytes", result.stderr)
    result = run([args.rondo, "replay", record + "-none", program])
    check(result.returncode == 9 and "ENOENT" in result.stderr or "No such" in result.stderr, "no record", result.stderr)

    def one(text, *options):
        result = explore(args.rondo, temporary(text), *options)
        check(len(result["outcomes"]) >= 1, text, json.dumps(result)[:500])
        return result, result["outcomes"][0] if result["outcomes"] else {}

    result, outcome = one("setInterval(() => {}, 1000).ref(); for (;;);", "--timeout=0.3", "--limit=1")
    check("did not end" in (outcome.get("error") or "") and not result["complete"], "a loop for ever", str(outcome))
    result, outcome = one("setInterval(() => {}, 1000);", "--timeout=0.3", "--limit=1")
    check("did not end" in (outcome.get("error") or "") and not result["complete"], "a timer for ever", str(outcome))
    _, outcome = one("process.kill(process.pid, 'SIGKILL');")
    check(outcome.get("error") == "killed by SIGKILL" and outcome["exitCode"] is None, "kills itself", str(outcome))
    _, outcome = one("process.abort();")
    check(outcome.get("error") == "killed by SIGABRT", "aborts", str(outcome))
    _, outcome = one("console.log('x'.repeat(99)); null.x;")
    check(outcome.get("exitCode") == 1 and "TypeError" in outcome["error"], "throws", str(outcome))
    _, outcome = one("throw 'text';")
    check(outcome.get("exitCode") == 1, "throws a string", str(outcome))
    _, outcome = one("syntax error here")
    check(outcome.get("exitCode") == 1 and "SyntaxError" in (outcome["error"] or ""), "is no JavaScript", str(outcome))
    _, outcome = one("const s = 'y'.repeat(1 << 20); for (let i = 0; i < 100; i++) process.stdout.write(s);")
    check(outcome.get("exitCode") == 0 and len(outcome["stdout"]) == 1 << 20, "prints 100 MiB", str(len(outcome["stdout"])))
    # It does not wait for it: that would take longer than a run may.
    result, outcome = one("const { spawn } = require('child_process');"
                          "spawn('sleep', ['200'], { detached: false, stdio: 'inherit' }).unref(); console.log('on');", "--limit=2")
    check(outcome.get("stdout") == "on\n" and result["outside"] == ["child processes"], "leaves a child", json.dumps(result))
    _, outcome = one("process.exit(3)")
    check(outcome.get("exitCode") == 3 and outcome["error"] is None, "exit code", str(outcome))
    result = run([args.rondo, "explore", "--json", "/nowhere/app.js"])
    check(json.loads(result.stdout)["outcomes"][0]["exitCode"] == 1, "no such program", result.stdout)
    result = run([args.rondo, "explore", "/nowhere/app.js"])
    check("Cannot find module" in result.stdout and "exit code 1" in result.stdout, "says what failed", result.stdout)
    left = [name for name in os.listdir(tempfile.gettempdir()) if name.startswith("rondo-explore-") and "test" not in name]
    check(not left, "nothing is left in the folder for temporary files", str(left))
    # Interrupted.
    with programs.started([args.rondo, "explore", "--all", os.path.join(EXAMPLES, "orders", "http-echo.js")]) as process:
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=60)
        except programs.TimeoutExpired:
            check(False, "ends when it is interrupted")


REDUCED = ["orders/three-reads", "orders/main-script", "orders/file-callback", "races/lost-update", "races/check-then-act",
           "races/double-callback", "races/stale-read"]


def reduction(args):
    if args.table:
        print("| program | outcomes | schedules | without reduction |\n|---|--:|--:|--:|")
    for name in shared(REDUCED, args):
        program = os.path.join(EXAMPLES, f"{name}.js")
        # Without reduction everything can be late: once must be enough.
        fewer = explore(args.rondo, program, "--late=1", "--limit=20000")
        more = explore(args.rondo, program, "--late=1", "--no-reduction", "--limit=3000", "--time=60")
        with_reduction = {(one["stdout"], one["exitCode"], one["error"]) for one in fewer["outcomes"]}
        without = {(one["stdout"], one["exitCode"], one["error"]) for one in more["outcomes"]}
        check(fewer["complete"], f"{name} is complete")
        check(without <= with_reduction and (not more["complete"] or without == with_reduction), f"{name}: the same outcomes",
              f"{with_reduction} {without}")
        check(fewer["schedules"] <= more["schedules"], f"{name}: no more schedules")
        if args.table:
            count = f"{more['schedules']:,}" if more["complete"] else f"more than {more['schedules']:,}"
            print(f"| `examples/{name}.js` | {len(with_reduction)} | {fewer['schedules']:,} | {count} |", flush=True)


def main(words):
    parser = arguments.parser(__doc__)
    parser.add_argument("part", choices=["orders", "races", "web", "causes", "replay", "hostile", "reduction"])
    parser.add_argument("--rondo", required=True)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--share", default="1/1")
    args = parser.parse_args(words)
    args.rondo = programs.absolute(args.rondo)
    # A separate folder, to find leftovers of this test and remove them.
    with files.Scratch("rondo-explore-test-") as scratch:
        os.environ["TMPDIR"] = tempfile.tempdir = scratch.folder
        globals()[args.part](args)
    print(f"{args.part}: {f'{failures.count} failed' if failures.count else 'all is well'}")
    return failures.status()


if __name__ == "__main__":
    programs.exit_with(main)
