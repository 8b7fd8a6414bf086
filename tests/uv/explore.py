"""rondo explore, replay, --record and --seed with programs that use libuv, and with Node.

  explore.py --rondo RONDO [TEST...]"""
import json
import os
import re
import shutil
import sys

sys.path.append(f"{sys.path[0]}/../support")
from harness import cases, programs, reference  # noqa: E402
from harness.checks import Skipped, check  # noqa: E402
import launch  # noqa: E402

EXAMPLES = f"{launch.HERE}/../../examples/installed"
SEVERAL = 3  # Exit code of --expect-one.
OTHER_RUN = 4  # Exit code of a replayed run that differs.


class Context(launch.Context):
    def cache(self):
        """examples/installed/cache.c"""
        if shutil.which("gcc") is None:
            raise Skipped("there is no gcc")
        done = programs.run(["gcc", "-Wall", "-Werror", "-o", self.path("cache"), f"{EXAMPLES}/cache.c", "-luv"])
        if done.returncode != 0 and "uv.h" in done.stderr:
            raise Skipped("libuv1-dev is not installed")
        check(done.returncode == 0, done.stderr)
        return "./cache"

    def rondo_node(self, *words):
        node = reference.node()
        if node is None:
            raise Skipped("there is no Node")
        return self.call(*words, env=self.environment(PATH=f"{os.path.dirname(node)}:{os.environ['PATH']}"))

    def outcomes(self, done):
        check(done.stderr == "", done.stderr)
        return json.loads(done.stdout)


def equal(found, expected):
    check(found == expected, f"expected {expected!r}, got {found!r}")


def test_a_c_program(test):
    program = test.cache()
    found = test.outcomes(test.call("explore", "--json", "uv", program))
    check(found["complete"] and found["outside"] == [], f"{found}")
    equal(sorted((each["stdout"], each["exitCode"]) for each in found["outcomes"]),
          [("the price is ''\n", 1), ("the price is '12.50'\n", 0), ("the price is '9.99'\n", 0)])
    for each in found["outcomes"]:
        for _ in range(3):
            done = test.call("replay", each["schedule"], "uv", program)
            equal((done.stdout, done.returncode), (each["stdout"], each["exitCode"]))


def test_the_report_names_functions(test):
    program = test.cache()
    done = test.call("explore", "uv", program)
    launch.expect(done.stdout, "3 outcomes in ", "Every order that the model allows was tried.",
                  "because the timer (on_customer()) ran before the opening of price (on_opened()) completed")
    # Two choices have the same effect here; which of them is found first depends on the parallel runs.
    found = re.search(r"because the read of price \(on_read\(\)\) (took effect|completed) before the write of price "
                      r"\(on_written\(\)\)", done.stdout)
    check(found, done.stdout)
    check("rondo replay - uv ./cache" in done.stdout, done.stdout)
    equal(done.returncode, 0)
    equal(test.call("explore", "--expect-one", "uv", program).returncode, SEVERAL)


def test_limits_and_random_runs(test):
    program = test.cache()
    found = test.outcomes(test.call("explore", "--json", "--bound=1", "uv", program))
    check(not found["complete"] and len(found["outcomes"]) < 3, f"{found}")
    found = test.outcomes(test.call("explore", "--json", "--runs=40", "--seed=1", "uv", program))
    equal(found["schedules"], 40)
    check(len(found["outcomes"]) > 1, f"{found}")


def test_a_record_is_replayed(test):
    program = test.cache()
    outputs = set()
    for seed in range(12):
        recorded = test.call(f"--seed={seed}", "--record=run.record", "uv", program)
        with open(test.path("run.record"), encoding="utf-8") as file:
            text = file.read()
        check(text.startswith(f"rondo record 1\nseed {seed}\n") and f"\nend {recorded.returncode}\n" in text, text)
        replayed = test.call("replay", "run.record", "uv", program)
        equal((replayed.stdout, replayed.returncode, replayed.stderr), (recorded.stdout, recorded.returncode, ""))
        again = test.call(f"--seed={seed}", "uv", program)
        equal((again.stdout, again.returncode), (recorded.stdout, recorded.returncode))
        outputs.add(recorded.stdout)
    check(len(outputs) > 1, f"every seed had the same outcome: {outputs}")
    with open(test.path("run.record"), "w", encoding="utf-8") as file:
        file.write(re.sub(r"(?m)^[tcbe]\d+/(\d+)$", "t1/2", text, count=1))
    done = test.call("replay", "run.record", "uv", program)
    equal(done.returncode, OTHER_RUN)
    launch.expect(done.stderr, "this run differs from the recorded one", "recorded:", "now:")


def test_programs_that_cannot_be_explored(test):
    for words, text in ((["explore", "uv"], "no program given"), (["explore", "--races", "node", "app.js"], "--races works"),
                        (["explore", "uv", "true"], "does not use libuv"),
                        (["replay", "no-such-file", "uv", test.cache()], "cannot replay 'no-such-file'")):
        done = test.call(*words)
        check(done.returncode != 0 and text in done.stderr, f"{words}: {done.returncode} {done.stdout} {done.stderr}")
    done = test.call("--record=/no/folder/file", "uv", test.cache())
    check(done.returncode == 1 and "cannot record to '/no/folder/file'" in done.stderr, done.stderr)


def test_sockets_of_the_program_may_be_late(test):
    """A timer may come before or after data on a connection inside the program; its port is not part of the outcome."""
    script = test.write("late.js", """
const net = require('net');
const server = net.createServer((socket) => {
  socket.on('data', () => { console.log('data'); socket.end(); server.close(); });
  socket.on('error', () => {});
});
server.listen(0, '127.0.0.1', () => {
  console.log(server.address().port);
  const client = net.connect(server.address().port, '127.0.0.1', () => client.write('x'));
  setTimeout(() => console.log('timer'), 10);
});
""")
    found = test.outcomes(test.rondo_node("explore", "--json", "--bound=1", "node", script))
    equal({each["stdout"] for each in found["outcomes"]}, {"PORT\ndata\ntimer\n", "PORT\ntimer\ndata\n"})


def test_node(test):
    """All six orders of a timer, an immediate and a file operation, except those that Node rules out."""
    script = test.write("app.js", """
require('fs').stat('/', () => console.log('stat'));
setTimeout(() => console.log('timeout'), 0);
setImmediate(() => console.log('immediate'));
""")
    found = test.outcomes(test.rondo_node("explore", "--json", "node", script))
    check(found["complete"] and found["outside"] == [], f"{found}")
    orders = {each["stdout"].replace("\n", " ").strip() for each in found["outcomes"]}
    equal(orders, {"stat immediate timeout", "immediate stat timeout", "timeout stat immediate",
                   "timeout immediate stat", "immediate timeout stat"})
    done = test.rondo_node("explore", "node", "app.js")
    launch.expect(done.stdout, "because the timer (app.js:3:1) was already due when the loop checked its timers, and ran before",
                  "because the immediates ran before the stat of / (app.js:2:15) completed")
    script = test.write("fixed.js", """
require('fs').stat('/', () => {
  setTimeout(() => console.log('timeout', Math.random(), Date.now()), 0);
  setImmediate(() => console.log('immediate', Math.random()));
});
""")
    found = test.outcomes(test.rondo_node("explore", "--json", "node", script))
    check(found["complete"] and len(found["outcomes"]) == 1, f"{found}")


def test_workers_and_children_are_reported(test):
    script = test.write("outside.js", """
const { Worker } = require('worker_threads');
new Worker('require("worker_threads").parentPort.postMessage(1)', { eval: true }).on('message', () => {});
require('child_process').spawn('true');
""")
    found = test.outcomes(test.rondo_node("explore", "--json", "--bound=0", "node", script))
    equal(found["outside"], ["worker threads", "child processes"])


def flaky(test, name, failure):
    """The failing test is found, with a schedule that repeats the failure."""
    shutil.copytree(f"{EXAMPLES}/flaky-tests", test.path("project"))
    command = ["node", "--test", f"project/test/{name}.test.js"]
    found = test.outcomes(test.rondo_node("explore", "--json", "--bound=2", "--limit=60", *command))
    check(found["outcomes"][0]["exitCode"] == 0, f"the test fails in the default order: {found['outcomes'][0]}")
    failed = [each for each in found["outcomes"] if failure in each["stdout"]]
    check(failed, f"no run had the failure {failure!r}: {[each['stdout'] for each in found['outcomes']]}")
    schedule = failed[0]["schedule"]
    check(0 < schedule.count("/") <= 2, schedule)
    for _ in range(3):
        done = test.rondo_node("replay", schedule, *command)
        check(done.returncode == 1 and failure in done.stdout, f"{done.returncode} {done.stdout} {done.stderr}")


def test_a_flaky_test_that_sleeps(test):
    flaky(test, "sleep", "'' !== 'login\\n'")


def test_a_flaky_test_with_a_shared_file(test):
    flaky(test, "shared-file", "Expected values to be strictly equal")


def test_threads_of_v8_take_no_time(test):
    """They sleep while they wait for work, and more often on a busy machine."""
    shutil.copytree(f"{EXAMPLES}/flaky-tests", test.path("project"))
    runs = [test.rondo_node("replay", "-", "node", "--test", "project/test/") for _ in range(10)]
    # Durations of tests are compared; that of the whole run also counts the start of Node.
    results = {(done.stdout.partition("duration_ms")[0], done.returncode) for done in runs}
    equal(results, {(runs[0].stdout.partition("duration_ms")[0], 0)})


def test_a_whole_project(test):
    """One late operation is enough for each of the three failures, and none of them is in the default order."""
    shutil.copytree(f"{EXAMPLES}/flaky-tests", test.path("project"))
    done = test.rondo_node("explore", "--json", "--bound=1", "--expect-one", "node", "--test", "project/test/")
    equal(done.returncode, SEVERAL)
    outcomes = json.loads(done.stdout)["outcomes"]
    equal((outcomes[0]["schedule"], outcomes[0]["exitCode"]), ("-", 0))
    failed = set(re.findall(r"(?m)^\s*✖ (a .*|keep .*) \(Nms\)$", "".join(each["stdout"] for each in outcomes)))
    equal(failed, {"a login is logged", "keep the theme dark", "a cleared cart is empty"})


if __name__ == "__main__":
    cases.main(__doc__, cases.collect(sys.modules[__name__]), Context, option="--rondo")
