"""The modules of this package."""
import contextlib
import io
import os
import sys
import types
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from harness import arguments, cases, checks, context, differences, environment, files, programs, reference, waiting  # noqa: E402
from harness.terminal import Terminal  # noqa: E402


@contextlib.contextmanager
def variables(**changed):
    before = dict(os.environ)
    os.environ.update(changed)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def printed_by(call, *words):
    """(result, what was printed)."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        result = call(*words)
    return result, out.getvalue()


class Checks(unittest.TestCase):
    def test_check_raises_the_message(self):
        checks.check(True, "unseen")
        with self.assertRaisesRegex(AssertionError, "seen"):
            checks.check(False, "seen")

    def test_skip_prints_the_reason_and_gives_77(self):
        self.assertEqual(printed_by(checks.skip, "test", "no kernel"), (77, "test: Skipped\nno kernel\n"))

    def test_failures_are_counted_and_printed(self):
        failures = checks.Failures()
        failures.check(True, "good")
        self.assertEqual(failures.status(), 0)
        _, out = printed_by(failures.check, False, "bad", "details")
        self.assertEqual((out, failures.count, failures.status()), ("FAILED bad\ndetails\n", 1, 1))


class Environment(unittest.TestCase):
    def test_minimal_has_only_passed_on_variables(self):
        with variables(SECRET="x", RONDO_BACKEND="epoll", RONDO_SEED="7"):
            found = environment.minimal("/scratch", TZ="UTC")
        self.assertEqual({name: found[name] for name in ("HOME", "TMPDIR", "TZ", "RONDO_BACKEND")},
                         {"HOME": "/scratch", "TMPDIR": "/scratch", "TZ": "UTC", "RONDO_BACKEND": "epoll"})
        self.assertIn("PATH", found)
        self.assertFalse({"SECRET", "RONDO_SEED"} & set(found))

    def test_inherited_leaves_out_prefixes(self):
        with variables(OTHER="x", NODE_OPTIONS="--y", RONDO_BACKEND="epoll", UV_THREADPOOL_SIZE="1"):
            found = environment.inherited(NO_COLOR="1")
            self.assertIn("NODE_OPTIONS", environment.inherited(("UV_",)))
        self.assertEqual((found["OTHER"], found["NO_COLOR"]), ("x", "1"))
        self.assertFalse({"NODE_OPTIONS", "RONDO_BACKEND", "UV_THREADPOOL_SIZE"} & set(found))


class Programs(unittest.TestCase):
    def test_run_gives_code_and_text(self):
        done = programs.run(["sh", "-c", "printf 'a\\r\\nb'; echo err >&2; exit 3"])
        self.assertEqual((done.returncode, done.stdout, done.stderr), (3, "a\r\nb", "err\n"))

    def test_run_has_no_input_unless_given(self):
        self.assertEqual(programs.run(["cat"]).stdout, "")
        self.assertEqual(programs.run(["cat"], input="text").stdout, "text")

    def test_arguments_may_be_numbers_and_output_may_be_no_text(self):
        self.assertEqual(programs.run(["echo", 7]).stdout, "7\n")
        self.assertEqual(programs.run(["printf", "\\377"]).stdout, "\ufffd")

    def test_a_program_that_hangs(self):
        with self.assertRaises(programs.TimeoutExpired):
            programs.run(["sleep", "100"], timeout=0.05)
        self.assertIsNone(programs.run(["sleep", "100"], timeout=0.05, may_hang=True).returncode)

    def test_output_of_says_how_a_program_failed(self):
        self.assertEqual(programs.output_of(["echo", "x"]), "x\n")
        self.assertEqual(programs.output_of(["sh", "-c", "echo x; echo y >&2; exit 2"]), "x\ny\nexit code 2\n")
        self.assertEqual(programs.output_of(["sleep", "100"], timeout=0.05), "no end after 0.05 s\n")

    def test_started_is_killed_and_its_streams_are_closed(self):
        with programs.started(["cat"]) as process:
            programs.send(process, "x\n")
            self.assertEqual(process.stdout.readline(), "x\n")
        self.assertEqual(process.returncode, -9)
        self.assertTrue(process.stdin.closed and process.stdout.closed and process.stderr.closed)

    def test_started_may_have_ended_before(self):
        with programs.started(["cat"]) as process:
            process.stdin.close()
            self.assertEqual(process.wait(programs.TIMEOUT), 0)
        self.assertEqual(process.returncode, 0)


class Files(unittest.TestCase):
    def test_scratch_is_removed_with_its_files(self):
        with files.Scratch("harness-") as scratch:
            path = scratch.write("folder/name", "text\n")
            self.assertEqual(path, scratch.path("folder", "name"))
            self.assertEqual((scratch.read("folder/name"), scratch.read("missing")), ("text\n", None))
            scratch.write("other", "")
            self.assertEqual((scratch.names(), scratch.names("o")), (["folder", "other"], ["other"]))
        self.assertFalse(os.path.exists(scratch.folder))


class Waiting(unittest.TestCase):
    def test_wait_until_gives_the_first_true_answer(self):
        answers = iter([0, "", "yes"])
        self.assertEqual(waiting.wait_until(lambda: next(answers), pause=0), "yes")

    def test_wait_until_gives_the_last_answer_when_time_is_over(self):
        self.assertEqual(waiting.wait_until(lambda: [], seconds=0), [])

    def test_eventually_repeats_until_it_succeeds(self):
        tries = []

        def attempt():
            tries.append(1)
            checks.check(len(tries) == 3, "not yet")
            return "done"

        self.assertEqual(waiting.eventually(attempt, pause=0), "done")
        with self.assertRaises(AssertionError):
            waiting.eventually(lambda: checks.check(False, "never"), seconds=0)


class Differences(unittest.TestCase):
    def test_equal_texts_give_an_empty_difference(self):
        self.assertEqual(differences.unified("a\n", "a\n"), "")

    def test_a_missing_end_of_line_is_shown(self):
        self.assertIn("-a\n+a<no end of line>\n", differences.unified("a\n", "a"))


class Arguments(unittest.TestCase):
    def test_parts_make_the_whole(self):
        items = list(range(10))
        parts = [arguments.part_of(items, f"{number}/3") for number in (1, 2, 3)]
        self.assertEqual(parts[0], [0, 3, 6, 9])
        self.assertEqual(sorted(sum(parts, [])), items)


class OnTerminal(unittest.TestCase):
    def test_keys_size_and_end(self):
        with Terminal(["sh", "-c", "stty size; read line; echo got $line; exit 5"], rows=11, columns=33) as terminal:
            self.assertTrue(terminal.read_until(lambda seen: b"11 33" in seen))
            terminal.type(b"keys\n")
            self.assertEqual(terminal.finish(), 5)
            self.assertIn(b"got keys", terminal.seen)

    def test_interrupt_comes_from_the_keyboard(self):
        with Terminal(["sh", "-c", "trap 'echo heard; exit 6' INT; echo ready; while :; do sleep 0.05; done"]) as terminal:
            self.assertTrue(terminal.read_until(lambda seen: b"ready" in seen))
            terminal.type(b"\x03")
            self.assertEqual(terminal.finish(), 6)

    def test_modes_can_be_compared_after_the_end(self):
        with Terminal(["stty", "raw"]) as terminal:
            terminal.finish()
            self.assertNotEqual(terminal.modes(), terminal.modes_before)

    def test_read_until_gives_up_at_the_end_of_the_program(self):
        with Terminal(["true"]) as terminal:
            self.assertFalse(terminal.read_until(lambda seen: b"never" in seen))

    def test_a_program_that_does_not_end(self):
        with Terminal(["sleep", "100"]) as terminal:
            self.assertIsNone(terminal.finish(0))


class Cases(unittest.TestCase):
    def setUp(self):
        self.module = types.ModuleType("suite")
        exec("def test_good(context): pass\n"  # pylint: disable=exec-used
             "def test_bad(context): assert False, 'why'\n"
             "def test_odd(context): raise ValueError('what')\n"
             "def helper(): pass\n", vars(self.module))

        def test_choosy(_):
            raise checks.Skipped("no kernel")

        def test_imported(_):
            raise AssertionError("is another module's")

        test_choosy.__module__ = "suite"
        self.module.test_choosy, self.module.test_imported = test_choosy, test_imported
        self.tests = cases.collect(self.module)

    def run_cases(self, *names):
        return printed_by(cases.run, self.tests, names, lambda folder: context.Context("rondo", folder))

    def test_own_functions_are_collected_in_order(self):
        self.assertEqual(list(self.tests), ["good", "bad", "odd", "choosy"])
        self.assertEqual(list(cases.collect(self.module, is_qualified=True))[0], "suite.good")

    def test_duplicate_names_are_refused(self):
        with self.assertRaises(SystemExit):
            cases.collect(self.module, self.module)

    def test_choose_takes_tests_and_modules(self):
        tests = {"a.one": None, "a.two": None, "b.one": None}
        self.assertEqual(cases.choose(tests, []), ["a.one", "a.two", "b.one"])
        self.assertEqual(cases.choose(tests, ["b", "a.two"]), ["a.two", "b.one"])
        with self.assertRaises(SystemExit):
            cases.choose(tests, ["c"])

    def test_outcomes_are_printed(self):
        self.assertEqual(self.run_cases("good"), (0, "ok      good\n"))
        self.assertEqual(self.run_cases("bad", "odd"), (1, "FAILED  bad: why\nFAILED  odd: ValueError: what\n"))

    def test_only_one_skipped_test_alone_is_a_skip(self):
        self.assertEqual(self.run_cases("choosy"), (77, "choosy: Skipped\nno kernel\n"))
        self.assertEqual(self.run_cases("good", "choosy")[0], 0)
        self.assertEqual(self.run_cases("bad", "choosy")[0], 1)

    def test_each_test_has_a_directory_of_its_own(self):
        seen = []
        printed_by(cases.run, {"one": seen.append, "two": seen.append}, ["one", "two"], lambda folder: folder)
        self.assertEqual(len(set(seen)), 2)
        self.assertFalse(any(map(os.path.exists, seen)))


class Contexts(unittest.TestCase):
    def test_programs_run_in_the_scratch_directory(self):
        with files.Scratch() as scratch:
            made = context.Context("/bin/cat", scratch.folder)
            made.write("folder/file", "text")
            self.assertEqual(made.call("folder/file").stdout, "text")
            with made.started() as process:
                self.assertEqual(os.readlink(f"/proc/{process.pid}/cwd"), scratch.folder)


class Reference(unittest.TestCase):
    def test_a_missing_or_other_node_is_a_skip(self):
        with self.assertRaisesRegex(checks.Skipped, "there is no no-such-node to compare with"):
            reference.node_to_compare_with("no-such-node")
        with self.assertRaisesRegex(checks.Skipped, "is what Rondo is compared with"):
            reference.node_to_compare_with("true")
        with variables(RONDO_NODE="/nonexistent"):
            self.assertIsNone(reference.node())


if __name__ == "__main__":
    unittest.main()
