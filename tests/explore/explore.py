#!/usr/bin/env python3
"""What rondo explore and rondo replay promise.

  explore.py PART --rondo RONDO [--full] [--share I/N]

PART: orders      the outcomes of examples/orders, all of them and no others
      races       examples/races: pass when run plainly, fail in an order that explore finds, explains and replays
      causes      --races: pairs that no cause orders, from one run and from all; nothing of what is ordered
      replay      schedules and records lead to the same run again; another world is noticed
      hostile     schedules and records that are none; programs that never end, crash, print a lot, fork
      reduction   the same outcomes with and without reduction; --table prints how many schedules it takes
With --full, as often as docs/EXPLORING.md claims: 50 plain runs, 100 replays. --share: of races,
causes and reduction, only the Ith of every N programs; of the others, what reaches the same C++ once."""
import argparse
import glob
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(FOLDER))
EXAMPLES = os.path.join(ROOT, "examples")
failures = 0


def check(is_good, what, more=""):
    global failures
    if not is_good:
        failures += 1
        print(f"FAILED {what}\n{more}", flush=True)


def run(command, timeout=120, **more):
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, stdin=subprocess.DEVNULL,
                          errors="replace", **more)


def explore(rondo, program, *options, code=None):
    """The object of --json. The exit code is 1 if every outcome is a failure, unless `code` says otherwise."""
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
    folder = tempfile.mkdtemp(prefix="rondo-explore-test-")
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def in_words(outcome):
    return outcome["stdout"].split()


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
    count = "1000" if args.full else "30" if is_share(args) else "150"
    result = explore(args.rondo, os.path.join(EXAMPLES, "orders", "http-echo.js"), f"--limit={count}", "--time=200")
    check(len(result["outcomes"]) == 1 and result["outcomes"][0]["stdout"] == "done\n" and
          result["schedules"] == int(count), f"{count} schedules of an exchange", json.dumps(result)[:3000])


def is_share(args):
    return args.share != "1/1"


def shared(programs, args):
    share, shares = (int(number) for number in args.share.split("/"))
    return programs[share - 1::shares]


def races(args):
    plain, replays = (50, 100) if args.full else (2, 2)
    programs = sorted(glob.glob(os.path.join(EXAMPLES, "races", "*.js")))
    check(len(programs) == 10, "ten programs")
    for program in shared(programs, args):
        name = os.path.basename(program)
        # They rely on a file being read within 100 ms. Where the machine has others to serve that takes no time if time is
        # virtual, and only then.
        options = [] if args.full else ["--clock=virtual"]
        for _ in range(plain):
            result = run([args.rondo, *options, program])
            check(result.returncode == 0, f"{name} passes plainly", result.stderr)
        began = time.monotonic()
        first = explore(args.rondo, program, "--limit=60")
        took = time.monotonic() - began
        failing = [outcome for outcome in first["outcomes"] if outcome["exitCode"] == 1]
        check(failing, f"{name}: a failing order is found", json.dumps(first)[:2000])
        # Only by hand, where the machine has nothing else to do.
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
        told = run([args.rondo, "explore", "--limit=60", program]).stdout
        reason = told.partition("because ")[2].partition("\n")[0]
        check(f"{name}:" in reason and "descriptor" not in reason, f"{name}: it is explained", told)
        if args.full:
            print(f"{name}: {first['schedules']} schedules, {took:.2f} s, {schedule}\n"
                  f"    {told.split('because ', 1)[1].splitlines()[0]}", flush=True)


START = """const fs = require('fs'); const fsp = require('fs/promises'); const os = require('os');
const file = require('path').join(os.tmpdir(), `file-${process.pid}`);
"""


def sections(name):
    """The programs of a file: [name, the other words of its first line, text]."""
    found = []
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        for line in file:
            if line.startswith("=== "):
                words = line.split()
                found.append([words[1], words[2:], ""])
            elif found:
                found[-1][2] += line
    return found


def find_races(rondo, program, *options):
    result = run([rondo, "explore", "--races", "--json", *options, program])
    try:
        parsed = json.loads(result.stdout)
    except ValueError:
        check(False, f"explore --races --json {program} printed something else", result.stdout[:2000] + result.stderr)
        return {"races": [], "ordered": 0, "complete": False}
    check(set(parsed) == {"races", "ordered", "schedules", "complete", "outside"}, "fields", str(set(parsed)))
    return parsed


# Those that touch a file, and how often at least in either order.
RACES = {"check-then-act": 1, "lost-update": 2, "stale-read": 1}


def causes(args):
    programs = sections("causes.txt")
    check(len(programs) > 40, "many programs")
    for name, (kind, *_), text in shared(programs, args):
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
            # Not a cause, but an order all the same: once all of them were tried, it is known.
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
            told = run([args.rondo, "explore", "--races", "--limit=100", program]).stdout
            check("seen in both orders" in told and "asked for by" in told and "rondo replay" in told, f"{name}: told", told)


def replay(args):
    program = os.path.join(EXAMPLES, "orders", "three-reads.js")
    for outcome in explore(args.rondo, program)["outcomes"]:
        for _ in range(100 if args.full else 1 if is_share(args) else 5):
            result = run([args.rondo, "replay", outcome["schedule"], program])
            check(result.returncode == 0 and result.stdout == outcome["stdout"], f"replay {outcome['schedule']}",
                  result.stdout + result.stderr)
    # A record, of a random order.
    with tempfile.TemporaryDirectory() as folder:
        record, data = os.path.join(folder, "run.record"), os.path.join(folder, "data")
        source = os.path.join(folder, "program.js")
        with open(source, "w", encoding="utf-8") as file:
            file.write("const fs = require('fs');\n"
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
        # Another world, and another program.
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
        check(other.returncode == 4 and "not the recorded run" in other.stderr, "another program is noticed", other.stderr)
        # Help, options on either side of the schedule, and an end by a signal, which leaves no folder behind.
        for option in ("-h", "--help"):
            told = run([args.rondo, "replay", option])
            check(told.returncode == 0 and told.stdout.startswith("usage: rondo replay "), option, told.stdout + told.stderr)
        write(source, "console.log(...process.execArgv, ...process.argv.slice(2), require('os').tmpdir());"
                      "process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000);")
        result = run([args.rondo, "replay", "--no-warnings", "-", "--stack-size=900", source, "--own"],
                     env={**os.environ, "TMPDIR": folder})
        check(result.returncode == -signal.SIGTERM, "ends as the program ended", f"{result.returncode} {result.stderr}")
        words = result.stdout.split()
        check(words[:2] == ["--no-warnings", "--stack-size=900"] and words[-2] == "--own", "options and arguments", result.stdout)
        check(words[-1].startswith(folder) and not os.path.exists(words[-1]), "its folder is gone", result.stdout)


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def hostile(args):
    program = os.path.join(EXAMPLES, "orders", "main-script.js")
    for bad in ("t", "1", "x1/2", "0t1/2.", "5t1/2.2t1/2", "99999999t1/2", "t1/99999999999", "0t2/2", "../..", "c" * 5000):
        result = run([args.rondo, "replay", bad, program])
        check(result.returncode == 9 and result.stdout == "" and "rondo" in result.stderr, f"schedule {bad[:20]!r}",
              f"{result.returncode} {result.stderr[:300]}")
    # A schedule of another program.
    result = run([args.rondo, "replay", "0c4/5", program])
    check(result.returncode == 4 and "not the recorded run" in result.stderr, "a schedule that does not fit", result.stderr)
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
    with open(record, encoding="utf-8") as file:
        text = file.read()
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
    # For which it does not wait: that would take longer than a run may.
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
    process = subprocess.Popen([args.rondo, "explore", "--all", os.path.join(EXAMPLES, "orders", "http-echo.js")],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    try:
        process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        check(False, "ends when it is interrupted")


REDUCED = ["orders/three-reads", "orders/main-script", "orders/file-callback", "races/lost-update", "races/check-then-act",
           "races/double-callback", "races/stale-read"]


def reduction(args):
    if args.table:
        print("| program | outcomes | schedules | without reduction |\n|---|--:|--:|--:|")
    for name in shared(REDUCED, args):
        program = os.path.join(EXAMPLES, f"{name}.js")
        # Without reduction everything can be late: once must do.
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=["orders", "races", "causes", "replay", "hostile", "reduction"])
    parser.add_argument("--rondo", required=True)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--share", default="1/1")
    args = parser.parse_args()
    args.rondo = os.path.abspath(args.rondo)
    # A folder of its own, so that what is left in it was left by this, and goes with it.
    with tempfile.TemporaryDirectory(prefix="rondo-explore-test-", ignore_cleanup_errors=True) as folder:
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        globals()[args.part](args)
    print(f"{args.part}: {'all is well' if failures == 0 else f'{failures} failed'}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
