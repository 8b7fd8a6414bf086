#!/usr/bin/env python3
"""The output of the recorder: `recorder_test.py RONDO [NAME]`."""
import os
import re
import signal
import sys
import unittest

sys.path.append(f"{sys.path[0]}/../support")
import reader  # noqa: E402
from harness import files, programs  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
RONDO = None
NUMBERS = ("zero", "one", "two", "three", "four", "six")


class TraceTest(unittest.TestCase):
    def setUp(self):
        self.scratch = files.Scratch("trace")
        self.addCleanup(self.scratch.remove)
        self.folder = self.scratch.folder
        self.path = self.scratch.path("t.rtrace")

    def run_rondo(self, *args, code=0):
        done = programs.run([RONDO, *args], cwd=self.folder)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def record(self, script, *options, code=0):
        script = script if script.startswith("-") else os.path.join(HERE, script)
        self.run_rondo(f"--trace-file={self.path}", *options, script, code=code)
        trace = reader.Trace(self.path)
        self.assertIsNone(trace.nesting_error())
        return trace

    def evaluate(self, text, *options, code=0):
        self.run_rondo(f"--trace-file={self.path}", *options, "-e", text, code=code)
        trace = reader.Trace(self.path)
        self.assertIsNone(trace.nesting_error())
        return trace

    def dumps(self):
        return self.scratch.names("rondo-")


class Structure(TraceTest):
    def test_every_phase_and_one_cause_per_callback(self):
        trace = self.record("all_phases.js")
        self.assertEqual(trace.flags & 1, 1)
        self.assertEqual(trace.exit_code, 0)
        self.assertEqual(trace.command[-1], os.path.join(HERE, "all_phases.js"))
        ran = {}
        for record in trace.records:
            if record.kind in (6, 10, 14) and record.name:
                name = trace.describe(trace.names[record.name][1][0])
                ran[name] = (reader.PHASES[record.phase], record.kind)
        self.assertEqual(ran.get("fileRead"), ("poll", 6))
        self.assertEqual(ran.get("timedOut"), ("timers", 6))
        self.assertEqual(ran.get("checked"), ("check", 6))
        self.assertEqual(ran.get("ticked"), ("poll", 10))
        self.assertEqual(ran.get("queued"), ("poll", 14))
        self.assertEqual(ran.get("connected"), ("poll", 6))
        self.assertEqual(ran.get("destroyed"), ("closing", 6))
        # Each JavaScript callback was scheduled once, before it ran; closed ones again, by the callback that closed
        # them.
        requests = {}
        for record in trace.of_kind(16) + trace.of_kind(17):
            requests.setdefault(record.id, []).append(record)
        for record in trace.records:
            if record.kind in (6, 10, 14) and record.id != 1:
                is_close = record.kind == 6 and trace.describe(record.detail) == "close"
                before = [one for one in requests.get(record.id, []) if one.number < record.number]
                self.assertEqual(len(before), 2 if is_close else 1, str(record))

    def test_words_and_places(self):
        trace = self.record("all_phases.js")
        what = {record.text(): record for record in trace.of_kind(16)}
        for words in ("fs.readFile", "setTimeout 1 ms", "setImmediate", "process.nextTick", "queueMicrotask", "tcp server",
                      "tcp socket"):
            self.assertIn(words, what)
        script = os.path.join(HERE, "all_phases.js")
        self.assertEqual(trace.describe(what["fs.readFile"].first), f"- ({script}:6:4)")
        self.assertEqual(trace.describe(what["setTimeout 1 ms"].first), f"fileRead ({script}:7:3)")
        self.assertEqual(trace.describe(what["setTimeout 1 ms"].second), f"timedOut ({script}:7:31)")
        closed = [trace.describe(record.first) for record in trace.of_kind(16) if record.text() == "tcp socket"]
        self.assertIn(f"connected ({script}:15:10)", closed)

    def test_requests_and_handles_serve_javascript(self):
        trace = self.record("all_phases.js")
        served = {record.id: record.value for record in trace.of_kind(22)}
        opened = {record.id: record.text() for record in trace.of_kind(20)}
        of = {record.id: record for record in trace.of_kind(16)}
        for id, loop_id in served.items():
            self.assertGreater(id, 0)
            self.assertLess(loop_id, 0)
        self.assertIn("tcp server", [opened.get(loop_id) for loop_id in served.values()])
        self.assertIn("fs.readFile", [of[id].text() for id in served])

    def test_promises(self):
        trace = self.evaluate("async function f() { await null; await new Promise((r) => setImmediate(r)); } f();")
        made = {record.id: record for record in trace.of_kind(17)}
        settled = {record.id for record in trace.of_kind(18)}
        begun = [record.id for record in trace.of_kind(14)]
        self.assertEqual(len(begun), 2)
        for id in begun:
            self.assertIn(made[id].value, made)  # The promise that it waited for,
            self.assertIn(made[id].value, settled)  # which was settled.

    def test_pool_jobs(self):
        trace = self.evaluate("require('crypto').pbkdf2('a', 'b', 1000, 20, 'sha1', function done() {})")
        queued, started, finished = (trace.of_kind(kind) for kind in (23, 24, 25))
        self.assertEqual([len(queued), len(started), len(finished)], [1, 1, 1])
        self.assertLessEqual(started[0].time, finished[0].time)
        self.assertEqual(queued[0].id, finished[0].id)

    def test_numbers_and_poll(self):
        trace = self.evaluate("setTimeout(() => {}, 20)")
        self.assertEqual(len(trace.of_kind(26)), len(trace.of_kind(27)))
        self.assertIn("timers", [record.text() for record in trace.of_kind(28)])
        timer = [record for record in trace.of_kind(6) if record.phase == 1][0]
        self.assertGreater(timer.value, 0)
        self.assertLessEqual(timer.value, timer.time + 1e6)

    def test_exceptions_leave_records_nested(self):
        trace = self.evaluate(
            "process.on('uncaughtException', () => {}); setTimeout(() => { throw 1 }, 1);"
            "setImmediate(() => { process.nextTick(() => { throw 2 }); queueMicrotask(() => { throw 3 }); });")
        self.assertEqual(trace.of_kind(30), [])
        trace = self.evaluate("setTimeout(() => { throw new Error('so') }, 1)", code=1)
        self.assertIn("so", trace.of_kind(30)[0].text())
        self.assertEqual(trace.exit_code, 1)

    def test_touches(self):
        trace = self.evaluate(
            "const fs = require('fs'); fs.writeFileSync('x', 'a'); fs.readFile('x', () => fs.unlink('x', () => {}));"
            "const s = require('net').createServer().listen(0, '127.0.0.1', () => s.close())")
        file = "file:" + os.path.join(self.folder, "x")
        touched = [record.detail for record in trace.of_kind(33) if record.text() == file]
        self.assertEqual(touched[0], 1)
        self.assertIn(0, touched)
        self.assertEqual(touched[-1], 1)
        self.assertTrue(any(record.text().startswith("port:") for record in trace.of_kind(33)))

    def test_touches_of_compound_operations(self):
        """Operations with separate bindings: exists, directories, trees, watchers."""
        trace = self.evaluate(
            "const fs = require('fs'); fs.mkdirSync('d/e', { recursive: true }); fs.mkdirSync('f/g', { recursive: true });"
            "fs.existsSync('d/missing'); fs.opendirSync('d').closeSync(); fs.rmSync('d', { recursive: true });"
            "const watcher = fs.watch('f'); setTimeout(() => watcher.close(), 5);"
            "fs.opendir('f/g', (error, dir) => dir.close(() => fs.rm('f/g', { recursive: true }, () => {})));")
        here = self.folder
        touched = {}
        for record in trace.of_kind(33):
            touched.setdefault(record.text().replace(f"file:{here}/", ""), []).append((record.detail, record.id))
        self.assertEqual([detail for detail, _ in touched["d/missing"]], [0])
        self.assertEqual([detail for detail, _ in touched["d"]][-2:], [0, 1])
        # An asynchronous access has the callback's id; otherwise that of the request or handle, which is negative.
        self.assertEqual({id for _, id in touched["d"]}, {1.0})
        self.assertIn(0, [detail for detail, id in touched["f"] if id < 0])
        self.assertIn(0, [detail for detail, id in touched["f/g"] if id < 0])
        self.assertIn(1, [detail for detail, id in touched["f/g"] if id < 0])

    def test_handles_that_keep_the_program_alive(self):
        trace = self.record("left.js", code=3)
        refd = {record.text(): trace.describe(record.first) for record in trace.of_kind(32)}
        script = os.path.join(HERE, "left.js")
        self.assertEqual(refd, {"setTimeout 1000000 ms": f"- ({script}:4:1)", "tcp server": f"- ({script}:8:8)"})
        self.assertEqual(len([record for record in trace.of_kind(19) if record.detail == 1]), 1)

    def test_a_spin_is_sampled(self):
        # Repeated if the sampler did not get enough processor time: the spin has an end.
        for _ in range(20):
            texts = [record.text() for record in self.record("spin.js").of_kind(29)]
            if any("spin (" + os.path.join(HERE, "spin.js") + ":5" in text for text in texts):
                return
        self.fail(f"it was not sampled: {texts}")

    def test_virtual_time(self):
        trace = self.evaluate("setTimeout(() => {}, 3600e3)", "--clock=virtual")
        self.assertEqual(trace.flags, 5)
        self.assertLess(trace.records[-1].time, 60e9)

    def test_workers_have_separate_files(self):
        trace = self.evaluate("new (require('worker_threads').Worker)('setImmediate(function w() {})', { eval: true })")
        self.assertEqual(trace.thread, 0)
        worker = reader.Trace(self.path + ".w1")
        self.assertEqual(worker.thread, 1)
        self.assertIsNone(worker.nesting_error())
        self.assertIn("setImmediate", [record.text() for record in worker.of_kind(16)])

    def test_places_stay_right_in_optimised_code(self):
        trace = self.record("hot_places.js", "--expose-gc")
        seen = {}
        for record in trace.of_kind(16):
            function, where = trace.describe(record.second), trace.describe(record.first)
            seen.setdefault(function.split()[0], set()).add(where.rpartition("/")[2])
        self.assertEqual({name: places for name, places in seen.items() if name in NUMBERS}, {
            "zero": {"hot_places.js:16:13)"}, "one": {"hot_places.js:17:13)"}, "two": {"hot_places.js:18:31)"},
            "three": {"hot_places.js:31:28)"}, "four": {"hot_places.js:20:21)"}, "six": {"hot_places.js:29:19)"}})
        made = {trace.describe(record.name).rpartition("/")[2] for record in trace.of_kind(17)}
        self.assertEqual(made, {"hot_places.js:21:22)", "hot_places.js:21:32)"})

    def test_the_ring_keeps_the_last_records(self):
        trace = self.evaluate("let n = 50000; (function f() { if (--n) setImmediate(f); })()", "--trace-buffer=1")
        self.assertEqual(trace.capacity, 32768)
        self.assertGreater(trace.dropped, 0)
        self.assertEqual(trace.records[-1].kind, 31)


class Program(TraceTest):
    """The program does not notice it."""

    def test_the_same_output_with_and_without_recording(self):
        text = ("const { executionAsyncId, createHook } = require('async_hooks'); const p = Promise.resolve(1);"
                "console.log(process.execArgv.filter((a) => a.startsWith('--trace')), p, setTimeout(() => {}, 1)._idleTimeout);"
                "const ids = []; require('fs').stat('.', () => { ids.push(executionAsyncId()); queueMicrotask(() => "
                "ids.push(executionAsyncId())); setImmediate(() => console.log(ids, executionAsyncId())); });"
                "class T extends require('async_hooks').AsyncResource {} new T('');")
        plain = self.run_rondo("-e", text)
        traced = self.run_rondo(f"--trace-file={self.path}", "-e", text)
        self.assertEqual(plain.stdout, traced.stdout)

    def test_the_same_async_hooks_with_and_without_recording(self):
        text = ("const seen = []; require('async_hooks').createHook({ init(id, type) { seen.push(id, type) },"
                "before(id) { seen.push('b', id) }, after(id) { seen.push('a', id) } }).enable();"
                "setImmediate(() => Promise.resolve().then(() => setTimeout(() => console.log(seen), 1)))")
        plain = self.run_rondo("-e", text)
        traced = self.run_rondo(f"--trace-file={self.path}", "-e", text)
        self.assertEqual(plain.stdout, traced.stdout)

    def test_children_do_not_inherit_the_option(self):
        script = self.scratch.write("fork.js", "if (process.send) process.send(process.execArgv);"
                                    "else require('child_process').fork(__filename).on('message', (m) => console.log(m))")
        done = self.run_rondo(f"--trace-file={self.path}", script)
        self.assertEqual(done.stdout, "[]\n")


class Options(TraceTest):
    def test_bad_values(self):
        for option, words in (
                ("--trace-buffer=0", "--trace-buffer needs a number of MiB from 1 to 65536, not '0'"),
                ("--trace-buffer=x", "--trace-buffer needs a number of MiB from 1 to 65536, not 'x'"),
                ("--trace-on=SIGUSR1", "--trace-on takes SIGUSR2, uncaught and blocked:MS, with commas between them, not 'SIGUSR1'"),
                ("--trace-on=blocked:0", "not 'blocked:0'"),
                ("--trace-on=blocked", "not 'blocked'"),
                ("--trace-on=", "--trace-on= requires an argument"),
                ("--trace-file=", "--trace-file= requires an argument"),
                ("--trace-file=/none/such", "cannot record to '/none/such': open: No such file or directory (ENOENT)"),
                ("--trace-file=/", "cannot record to '/'")):
            self.assertIn(words, self.run_rondo(option, "-e", "1", code=9).stderr)

    def test_sigusr2(self):
        with programs.started([RONDO, "--trace-on=SIGUSR2", "-e", "setInterval(() => {}, 10); console.log(1)"], cwd=self.folder) as process:
            process.stdout.readline()
            for number in (1, 2):
                process.send_signal(signal.SIGUSR2)
                line = process.stderr.readline()
                name = f"rondo-{process.pid}-{number}.rtrace"
                self.assertEqual(line, f"rondo: SIGUSR2: the events before it are in {name}; to see it: rondo trace {name}\n")
                trace = reader.Trace(self.scratch.path(name))
                self.assertEqual(trace.exit_code, -1)
                self.assertIsNone(trace.nesting_error())

    def test_uncaught(self):
        done = self.run_rondo("--trace-on=SIGUSR2,uncaught", "-e", "setTimeout(() => { throw new Error('so') }, 1)", code=1)
        self.assertLess(done.stderr.index("Error: so"), done.stderr.index("rondo: uncaught error:"))
        trace = reader.Trace(self.scratch.path(self.dumps()[0]))
        self.assertIn("so", trace.of_kind(30)[0].text())

    def test_blocked(self):
        command = [RONDO, "--trace-on=blocked:50", "-e", "setTimeout(function stuck() { for (;;); }, 1)"]
        with programs.started(command, cwd=self.folder) as process:
            # On a busy machine the start of the program may be blocked for as long, too.
            texts = []
            while not any("stuck" in text for text in texts):
                line = process.stderr.readline()
                found = re.match(r"rondo: the loop has been blocked for \d+ ms: the events before it are in (\S+);", line)
                self.assertTrue(found, line)
                texts = [record.text() for record in reader.Trace(self.scratch.path(found[1])).of_kind(29)]

    def test_dumps_go_beside_the_file(self):
        os.mkdir(self.scratch.path("sub"))
        self.run_rondo("--trace-file=sub/t.rtrace", "--trace-on=uncaught", "-e", "throw 1", code=1)
        self.assertEqual(len(os.listdir(self.scratch.path("sub"))), 2)


if __name__ == "__main__":
    RONDO = os.path.abspath(sys.argv.pop(1))
    unittest.main()
